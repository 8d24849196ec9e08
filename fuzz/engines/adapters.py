"""Thin adapters: each gives an engine's answers for rows (the newest w values, after each value) or for windows over time.

A convention is a rule of the engine that differs from ours: a name, where it is written, and the values as the engine sees them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

Rows = Callable[[list[float], int], list[Any]]
Event = tuple[int, int]


@dataclass(frozen=True)
class Convention:
    """A rule by which an engine's answers may differ from ours, and what a window's values are under it.

    `only`: the aggregates it holds for, where it is not all. `known`: where its makers hold it for a bug, `where` is the issue.
    """

    name: str
    where: str
    seen: Callable[[list[Any]], list[Any]]
    only: tuple[str, ...] = ()
    known: bool = False

    def __str__(self) -> str:
        return f"{'wrong' if self.known else 'semantics'}: {self.name} ({self.where})"


@dataclass(frozen=True)
class Engine:
    """One engine: its aggregates over rows, its windows over time, and what it promises.

    `full`: answers only for windows that are full; `data`: the kinds of values that it promises to handle; `trailing`: sums
    over (t - range, t] for each event, by row; `so_far`: where people asked why of rows at the same time only those so far are in,
    if that is so and not documented; `windows`: as for `check_windows`, with the claims that it makes: `tumbling`, only
    ranges equal to the slide; `from_the_first`, no window that starts before the last one that the first event is in.
    """

    package: str
    rows: dict[str, Rows] = field(default_factory=dict)
    full: bool = False
    data: tuple[str, ...] = ("ints", "floats", "wide", "specials")
    conventions: tuple[Convention, ...] = ()
    trailing: Callable[[list[Event], int], list[int]] | None = None
    so_far: str = ""
    windows: Callable[[list[Event], int, int, int], list[tuple[int, int, int]]] | None = None
    claims: dict[str, bool] = field(default_factory=dict)
    tumbling: bool = False
    from_the_first: bool = False

    @property
    def version(self) -> str:
        """The version that is installed."""
        return version(self.package)


def _without_nan(values: list[Any]) -> list[Any]:
    return [None if value != value else value for value in values]


def _finite_only(values: list[Any]) -> list[Any]:
    return [value if math.isfinite(value) else None for value in values]


def _nan_wins(values: list[Any]) -> list[Any]:
    return [math.nan] if any(value != value for value in values) else values


SKIPPED = "NaN is missing, and skipped"
PROPAGATED = "one NaN makes the answer NaN"


def pandas() -> Engine:
    """pandas: Series.rolling by rows, and by time."""
    import pandas as pd

    def rows(name: str) -> Rows:
        return lambda values, w: list(
            getattr(pd.Series(values, dtype="float64").rolling(w, min_periods=1), name)()
        )

    def trailing(events: list[Event], range_: int) -> list[int]:
        index = pd.to_datetime([time for time, _ in events], unit="s")
        return list(
            pd.Series([value for _, value in events], index=index, dtype="float64")
            .rolling(f"{range_}s")
            .sum()
        )

    names = {"sum": "sum", "mean": "mean", "min": "min", "max": "max", "median": "median", "variance": "var"}
    return Engine(
        "pandas",
        {ours: rows(theirs) for ours, theirs in {**names, "stddev": "std"}.items()},
        conventions=(
            Convention(SKIPPED, "pandas.Series.rolling, min_periods", _without_nan),
            Convention(
                "infinities are skipped too", "pandas-dev/pandas#57549, open", _finite_only, known=True
            ),
        ),
        trailing=trailing,
        so_far="pandas-dev/pandas#42724",
    )


def polars() -> Engine:
    """polars: rolling_* by rows, DataFrame.rolling by time, group_by_dynamic for windows."""
    import polars as pl

    def rows(name: str) -> Rows:
        return lambda values, w: getattr(pl.Series(values, dtype=pl.Float64), f"rolling_{name}")(
            w, min_samples=1
        ).to_list()

    def frame(events: list[Event]) -> Any:
        return pl.DataFrame(
            {"t": [time for time, _ in events], "v": [value for _, value in events]},
            schema={"t": pl.Int64, "v": pl.Int64},
        )

    def trailing(events: list[Event], range_: int) -> list[int]:
        found = frame(events).rolling("t", period=f"{range_}i").agg(pl.col("v").sum())
        return found["v"].to_list()

    def windows(events: list[Event], range_: int, slide: int, offset: int) -> list[tuple[int, int, int]]:
        found = (
            frame(events)
            .group_by_dynamic("t", every=f"{slide}i", period=f"{range_}i", offset=f"{offset}i")
            .agg(pl.col("v").sum())
        )
        return [(start, start + range_, total) for start, total in found.rows()]

    names = {"sum": "sum", "mean": "mean", "min": "min", "max": "max", "median": "median", "variance": "var"}
    return Engine(
        "polars",
        {ours: rows(theirs) for ours, theirs in {**names, "stddev": "std"}.items()},
        # Only these: a rolling median has NaN above all numbers, and so have medians and DataFrame.rolling.
        conventions=(
            Convention(PROPAGATED, "pola-rs/polars#21772, open", _nan_wins, only=("min", "max"), known=True),
        ),
        trailing=trailing,
        windows=windows,
        from_the_first=True,
    )


def duckdb() -> Engine:
    """DuckDB: aggregates OVER (ROWS ...), OVER (RANGE ...), and time_bucket."""
    import duckdb as db

    connection = db.connect(config={"threads": 1})

    def table(columns: str, tuples: list[tuple[Any, ...]]) -> None:
        connection.execute(f"CREATE OR REPLACE TABLE t ({columns})")
        if tuples:
            marks = ", ".join("?" * len(tuples[0]))
            connection.executemany(f"INSERT INTO t VALUES ({marks})", tuples)

    def rows(name: str) -> Rows:
        def answers(values: list[float], w: int) -> list[Any]:
            table("i INTEGER, x DOUBLE", list(enumerate(values)))
            sql = f"SELECT {name}(x) OVER (ORDER BY i ROWS BETWEEN {w - 1} PRECEDING AND CURRENT ROW) FROM t ORDER BY i"
            return [row[0] for row in connection.execute(sql).fetchall()]

        return answers

    def trailing(events: list[Event], range_: int) -> list[int]:
        table("i INTEGER, t BIGINT, v BIGINT", [(i, *event) for i, event in enumerate(events)])
        sql = f"SELECT sum(v) OVER (ORDER BY t RANGE BETWEEN {range_ - 1} PRECEDING AND CURRENT ROW) FROM t ORDER BY i"
        return [int(row[0]) for row in connection.execute(sql).fetchall()]

    def windows(events: list[Event], range_: int, slide: int, offset: int) -> list[tuple[int, int, int]]:
        table("t BIGINT, v BIGINT", list(events))
        sql = (
            f"SELECT epoch(time_bucket(INTERVAL {slide} SECOND, make_timestamp(t * 1000000), "
            f"make_timestamp({offset} * 1000000))) AS s, sum(v) FROM t GROUP BY s"
        )
        return [
            (int(start), int(start) + range_, int(total))
            for start, total in connection.execute(sql).fetchall()
        ]

    names = {"sum": "sum", "mean": "avg", "min": "min", "max": "max", "median": "median"}
    return Engine(
        "duckdb",
        {
            ours: rows(theirs)
            for ours, theirs in {**names, "variance": "var_samp", "stddev": "stddev_samp"}.items()
        },
        trailing=trailing,
        windows=windows,
        tumbling=True,
    )


def bottleneck() -> Engine:
    """bottleneck: move_*."""
    import bottleneck as bn
    import numpy as np

    def rows(name: str, **options: int) -> Rows:
        def answers(values: list[float], w: int) -> list[Any]:
            w = min(w, len(values))  # it refuses windows longer than the array
            return list(
                getattr(bn, f"move_{name}")(np.array(values, dtype="float64"), w, min_count=1, **options)
            )

        return answers

    return Engine(
        "bottleneck",
        {
            **{name: rows(name) for name in ("sum", "mean", "min", "max", "median")},
            "variance": rows("var", ddof=1),
            "stddev": rows("std", ddof=1),
        },
        conventions=(Convention(SKIPPED, "bottleneck.move_sum, min_count", _without_nan),),
    )


def scipy() -> Engine:
    """scipy.ndimage: the filters of one dimension, set so that they look back."""
    import numpy as np
    from scipy import ndimage

    def rows(function: Any, cval: float) -> Rows:
        return lambda values, w: list(
            function(np.array(values, dtype="float64"), w, mode="constant", cval=cval, origin=(w - 1) // 2)
        )

    return Engine(
        "scipy",
        {
            "max": rows(ndimage.maximum_filter1d, -math.inf),
            "min": rows(ndimage.minimum_filter1d, math.inf),
            "mean": rows(ndimage.uniform_filter1d, 0.0),
        },
        full=True,
        data=("ints", "floats", "wide"),
    )


def numpy() -> Engine:
    """numpy: sums and means by convolution, extremes over a sliding view."""
    import numpy as np

    def padded(found: Any, w: int) -> list[Any]:
        return [math.nan] * (w - 1) + list(found)

    def view(values: list[float], w: int) -> Any:
        return np.lib.stride_tricks.sliding_window_view(np.array(values, dtype="float64"), w)

    return Engine(
        "numpy",
        {
            "sum": lambda values, w: padded(np.convolve(values, np.ones(w), "valid"), w),
            "mean": lambda values, w: padded(view(values, w).mean(axis=1), w),
            "max": lambda values, w: padded(view(values, w).max(axis=1), w),
            "min": lambda values, w: padded(view(values, w).min(axis=1), w),
            "median": lambda values, w: padded(np.median(view(values, w), axis=1), w),
        },
        full=True,
        conventions=(
            Convention(
                PROPAGATED,
                "numpy.max, numpy.min: NaN values are propagated",
                _nan_wins,
                only=("min", "max"),
            ),
            Convention(
                PROPAGATED,
                "numpy.nanmedian: numpy.median beside it, in its example",
                _nan_wins,
                only=("median",),
            ),
        ),
    )


@contextmanager
def quiet() -> Iterator[None]:
    """Without what native code writes to the standard error stream, such as the backtrace of a panic."""
    kept = os.dup(2)
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def river() -> Engine:
    """river: statistics in utils.Rolling, and those with a window of their own."""
    from river import stats, utils

    def rows(make: Callable[[int], Any]) -> Rows:
        def answers(values: list[float], w: int) -> list[Any]:
            statistic, found = make(w), []
            with quiet():
                for value in values:
                    statistic.update(value)
                    found.append(statistic.get())
            return found

        return answers

    return Engine(
        "river",
        {
            "sum": rows(lambda w: utils.Rolling(stats.Sum, window_size=w)),
            "mean": rows(lambda w: utils.Rolling(stats.Mean, window_size=w)),
            "variance": rows(lambda w: utils.Rolling(stats.Var, window_size=w)),
            "max": rows(lambda w: stats.RollingMax(w)),
            "min": rows(lambda w: stats.RollingMin(w)),
            "median": rows(lambda w: stats.RollingQuantile(0.5, w)),
        },
        conventions=(
            Convention(
                "the variance of one value is 0",
                "river.stats.Var: shown in its example",
                lambda values: values,
                only=("variance",),
            ),
        ),
    )


def spark() -> Engine:
    """Spark: aggregates OVER (ROWS ...), OVER (RANGE ...), and window()."""
    from swagcore.spark import session

    running = session("engines")

    def table(columns: str, tuples: list[tuple[Any, ...]]) -> None:
        running.createDataFrame(tuples, columns).coalesce(1).createOrReplaceTempView("t")

    def rows(call: str) -> Rows:
        def answers(values: list[float], w: int) -> list[Any]:
            table("i int, x double", list(enumerate(values)))
            sql = f"SELECT {call} OVER (ORDER BY i ROWS BETWEEN {w - 1} PRECEDING AND CURRENT ROW) FROM t ORDER BY i"
            return [row[0] for row in running.sql(sql).collect()]

        return answers

    def trailing(events: list[Event], range_: int) -> list[int]:
        table("i int, t bigint, v bigint", [(i, *event) for i, event in enumerate(events)])
        sql = f"SELECT sum(v) OVER (ORDER BY t RANGE BETWEEN {range_ - 1} PRECEDING AND CURRENT ROW) FROM t ORDER BY i"
        return [int(row[0]) for row in running.sql(sql).collect()]

    def windows(events: list[Event], range_: int, slide: int, offset: int) -> list[tuple[int, int, int]]:
        table("t bigint, v bigint", list(events))
        spans = ", ".join(f"'{length} seconds'" for length in (range_, slide, offset))
        sql = f"SELECT window(timestamp_seconds(t), {spans}) AS w, sum(v) FROM t GROUP BY w"
        found = running.sql(f"SELECT unix_seconds(w.start), unix_seconds(w.end), s FROM ({sql}) AS a(w, s)")
        return [(row[0], row[1], row[2]) for row in found.collect()]

    calls = {
        "sum": "sum(x)",
        "mean": "avg(x)",
        "min": "min(x)",
        "max": "max(x)",
        "median": "percentile(x, 0.5)",
    }
    return Engine(
        "pyspark",
        {
            name: rows(call)
            for name, call in {**calls, "variance": "var_samp(x)", "stddev": "stddev_samp(x)"}.items()
        },
        trailing=trailing,
        windows=windows,
        claims={"gaps": False},
    )


ENGINES: dict[str, Callable[[], Engine]] = {
    "pandas": pandas,
    "polars": polars,
    "duckdb": duckdb,
    "bottleneck": bottleneck,
    "numpy": numpy,
    "scipy": scipy,
    "river": river,
    "spark": spark,
}
