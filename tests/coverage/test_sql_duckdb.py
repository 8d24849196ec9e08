"""Original and rewritten query, run on DuckDB: the same names, the same types, the same rows.

Queries and data are random: tumbling and hopping windows with offsets, in every form that is recognised; events without
a time, without a key, without a value, at equal times, and none at all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from datetime import UTC
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("sqlglot")

from swagcore.coverage.sql import Rewriting, rewriting  # noqa: E402
from swagcore.windows import Window  # noqa: E402

COLUMNS = "ts TIMESTAMP, k VARCHAR, g INTEGER, v INTEGER, d DECIMAL(10, 2), x DOUBLE, big BIGINT, b BOOLEAN"
ORIGIN = 1_709_164_800  # the last day of February 2024
SOME = min(settings.default.max_examples // 2, 1_000)  # a query takes a tenth of a second to write and run
STEP = 10  # seconds: all sizes are multiples of it


@pytest.fixture(scope="module")
def db() -> Iterator[Any]:
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")
        yield connection


def fill(db: Any, rows: list[tuple[Any, ...]]) -> None:
    db.execute(f"CREATE OR REPLACE TABLE t ({COLUMNS})")
    if rows:
        db.executemany(
            "INSERT INTO t SELECT make_timestamp(1000 * $1::BIGINT), $2, $3, $4, $5::DECIMAL(10, 2), $6, $7, $8",
            rows,
        )


def result(db: Any, sql: str) -> tuple[list[str], list[str], Counter[tuple[Any, ...]]]:
    relation = db.sql(sql)
    return relation.columns, [str(kind) for kind in relation.types], Counter(relation.fetchall())


# Data: times in milliseconds, many of them on the edges of windows or just beside

times = st.builds(
    lambda step, beside: (ORIGIN + STEP * step) * 1000 + beside,
    st.one_of(st.integers(-12, 30), st.integers(-100_000_000, -99_999_990)),
    st.sampled_from([0, 0, 0, 1, -1, 5_000]),
)
rows = st.lists(
    st.tuples(
        st.none() | times,
        st.sampled_from([None, "a", "b", "B"]),
        st.sampled_from([None, 0, 1, 2]),
        st.none() | st.integers(-50, 50),
        st.none() | st.integers(-10_000, 10_000).map(lambda cents: f"{cents / 100:.2f}"),
        st.none() | st.integers(-400, 400).map(lambda quarters: quarters / 4),  # sums of these are exact
        st.none() | st.integers(-(2**62), 2**62),
        st.none() | st.booleans(),
    ),
    max_size=25,
)

# Queries

SHARED_BY_COVER = ["min(v)", "max(x)", "MIN(k)", "max(d)", "bool_or(b)", "bool_and(b)", "max(v) - min(v)"]
OTHERS = [
    "sum(v)",
    "sum(d)",
    "sum(x)",
    "sum(big)",
    "count(*)",
    "count(v)",
    "avg(v)",
    "avg(d)",
    "avg(x)",
    "avg(big % 1000000007)",  # of larger sums the quotient is rounded twice: see below
    "2 * avg(v) - 1",
    "9 / avg(v)",
    "sum(v * g)",
    "sum(v) FILTER (WHERE v > 0)",
    "avg(x) FILTER (WHERE b)",
    "coalesce(sum(v), 0)",
    "max(v) FILTER (WHERE g = 1)",
    "CASE WHEN count(v) = 0 THEN 'none' ELSE min(k) END",
    "round(avg(x), 1)",
    "count(*) FILTER (WHERE v IS NULL)",
]
KEYS = ["k", "g", "upper(k)", "g % 2", "t.k", "v > 0"]
FILTERS = [
    "",
    "WHERE v > 0",
    "WHERE k IS NOT NULL -- a key\n",
    "WHERE g IN (0, 1) OR x < 0",
    "WHERE ts IS NOT NULL",
]
HAVINGS = ["", "", "HAVING count(*) > 1", "HAVING max(v) > 0 OR sum(v) IS NULL"]


@st.composite
def windows(draw: st.DrawFn, gaps: bool = False) -> list[Window]:
    """Related windows, so that there is something to share; sizes in steps."""
    base = draw(st.sampled_from([1, 1, 2, 3, 7]))  # 70 seconds do not divide a day
    found = []
    for _ in range(draw(st.integers(1, 5))):
        slide = base * draw(st.integers(1, 4))
        range_ = draw(st.sampled_from([slide, slide, slide * 2, slide * 3, slide + base]))
        if gaps and draw(st.integers(0, 5)) == 0:
            range_ = max(1, slide - base)
        offset = draw(st.sampled_from([0, 0, 0, base, 1]))
        found.append(Window(range_, slide, offset))
    return found


def sized(steps: int) -> str:
    return f"INTERVAL '{steps * STEP} seconds'"


@st.composite
def branch_in_duckdb(draw: st.DrawFn, window: Window, keys: list[str], where: str, wanted: list[str]) -> str:
    slide = sized(window.slide)
    third = f", {sized(window.offset)}" if window.offset else ""
    if third and draw(st.booleans()):
        seconds = window.offset * STEP
        third = f", TIMESTAMP '2000-01-03 00:{seconds // 60:02}:{seconds % 60:02}'"
    listed = [f"{item} AS c{place}" for place, item in enumerate(wanted)]
    bucket = f"time_bucket({slide}, ts{third})"
    having = draw(st.sampled_from(HAVINGS))
    named = [f"{key} AS key{place}" for place, key in enumerate(keys)]
    if window.range == window.slide:
        shown = [f"{bucket} AS start", f"{bucket} + {slide} AS stop", *named]
        grouped = draw(
            st.sampled_from(["ALL", ", ".join(["1", "2", *keys]), ", ".join(["start", "2", *keys])])
        )
        return f"SELECT {', '.join(shown + listed)} FROM t {where} GROUP BY {grouped} {having}"
    first = f"time_bucket({slide}, ts - {sized(window.range)}{third}) + {slide}"
    if window.range % window.slide == 0 and draw(st.booleans()):
        first = f"{bucket} - {sized(window.range - window.slide)}"
    series = f"unnest(generate_series({first}, {bucket}, {slide}))"
    shown = ["start", f"start + {sized(window.range)} AS stop", *named, *listed]
    source = draw(
        st.sampled_from(
            [
                f"FROM t, {series} AS w(start) {where}",
                f"FROM t CROSS JOIN LATERAL (SELECT {series} AS start) AS w {where}",
                f"FROM (SELECT *, {series} AS start FROM t {where}) AS t",
                f"FROM (SELECT *, {series} AS start FROM t) AS t {where}",
            ]
        )
    )
    return f"SELECT {', '.join(shown)} {source} GROUP BY {', '.join(['start', *keys])} {having}"


@st.composite
def queries_in_duckdb(draw: st.DrawFn) -> str:
    keys = draw(st.lists(st.sampled_from(KEYS), max_size=2, unique_by=lambda key: key.removeprefix("t.")))
    where = draw(st.sampled_from(FILTERS))
    kinds = draw(st.sampled_from([SHARED_BY_COVER, SHARED_BY_COVER + OTHERS]))
    wanted = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
    selects = [draw(branch_in_duckdb(window, keys, where, wanted)) for window in draw(windows())]
    return "\nUNION ALL\n".join(selects)


def check(db: Any, original: str, rewritten: Rewriting) -> None:
    event(f"rewritten: {rewritten.reason is None}")
    if rewritten.reason is not None:
        event(rewritten.reason)
        assert "at less cost" in rewritten.reason, rewritten.reason
    ours, theirs = result(db, rewritten.sql), result(db, original)
    assert ours[:2] == theirs[:2]
    assert ours[2] == theirs[2], rewritten.sql


@settings(max_examples=SOME)
@given(sql=queries_in_duckdb(), data=rows)
def test_duckdb_queries(db: Any, sql: str, data: list[tuple[Any, ...]]) -> None:
    fill(db, data)
    check(db, sql, rewriting(sql, "duckdb"))


# The Azure and the Spark form, against a join of events with all starts that could matter


def joined(window: Window, keys: list[str], where: str, wanted: list[str], label: str) -> str:
    """The answers of one window by definition: every start, every event in [start, start + range).

    Events are in two places, and a window with one begins up to 84 steps, the longest range, before it.
    """
    first = (ORIGIN // STEP - 100_000_150) // window.slide * window.slide + window.offset
    starts = f"range({first}, {first} + 300, {window.slide})"
    late = (ORIGIN // STEP - 150) // window.slide * window.slide + window.offset
    listed = [*keys, f"'{label}' AS id", f"start + {sized(window.range)} AS stop"]
    listed += [f"{item} AS c{place}" for place, item in enumerate(wanted)]
    return (
        f"SELECT {', '.join(listed)} FROM t JOIN (SELECT make_timestamp({STEP} * 1000000 * s::BIGINT) AS start FROM "
        f"(SELECT unnest({starts}) AS s UNION ALL SELECT unnest(range({late}, {late} + 220, {window.slide})))) AS w "
        f"ON ts >= start AND ts < start + {sized(window.range)} {where} GROUP BY {', '.join(['start', *keys])}"
    )


def written_for_azure(window: Window, style: int) -> str:
    hop = window.range != window.slide
    if style == 0:
        sizes = [window.range, *([window.slide] if hop else []), *([window.offset] if window.offset else [])]
        arguments = "second, " + ", ".join(str(size * STEP) for size in sizes)
    else:
        arguments = f"Duration(second, {window.range * STEP})"
        arguments += f", Hop(ss, {window.slide * STEP})" if hop else ""
        arguments += f", Offset(millisecond, {window.offset * STEP * 1000})" if window.offset else ""
    return f"{'Hopping' if hop else 'Tumbling'}Window({arguments})"


AZURE = [
    item for item in SHARED_BY_COVER + OTHERS if not any(word in item for word in ("FILTER", "bool", "/"))
]


@settings(max_examples=SOME // 2)
@given(
    chosen=windows(gaps=True),
    style=st.integers(0, 1),
    keys=st.sampled_from([[], ["k"], ["k", "g"]]),
    where=st.sampled_from(["", "WHERE v > 0", "WHERE k IS NOT NULL"]),
    wanted=st.lists(st.sampled_from(AZURE), min_size=1, max_size=3),
    data=rows,
)
def test_azure_queries_on_duckdb(
    db: Any,
    chosen: list[Window],
    style: int,
    keys: list[str],
    where: str,
    wanted: list[str],
    data: list[tuple[Any, ...]],
) -> None:
    listed = [*keys, "System.Window().Id AS id", "System.Timestamp() AS stop"]
    listed += [f"{item} AS c{place}" for place, item in enumerate(wanted)]
    ids = [f"Window('{place}', {written_for_azure(window, style)})" for place, window in enumerate(chosen)]
    sql = (
        f"SELECT {', '.join(listed)} FROM t TIMESTAMP BY ts {where} "
        f"GROUP BY {', '.join([*keys, f'Windows({chr(10).join(ids).replace(chr(10), chr(44) + chr(10))})'])}"
    )
    by_definition = "\nUNION ALL\n".join(
        joined(window, keys, where, wanted, str(place)) for place, window in enumerate(chosen)
    )
    fill(db, data)
    rewritten = rewriting(sql, "duckdb")
    check(db, by_definition, rewritten)
    assert result(db, rewritten.naive) == result(db, by_definition)
    again = rewriting(rewritten.naive, "duckdb")  # the naive text is itself of a form that is recognised
    assert result(db, again.sql) == result(db, by_definition)


@settings(max_examples=SOME // 3)
@given(
    chosen=windows(),
    where=st.sampled_from(["", "WHERE v > 0"]),
    wanted=st.lists(st.sampled_from(AZURE), min_size=1, max_size=3),
    data=rows,
)
def test_spark_queries_on_duckdb(
    db: Any, chosen: list[Window], where: str, wanted: list[str], data: list[tuple[Any, ...]]
) -> None:
    selects = []
    for place, window in enumerate(chosen):
        sizes = ", ".join(f"'{size * STEP} seconds'" for size in (window.range, window.slide, window.offset))
        listed = ["k", f"'{place}' AS id", "window.end AS stop"]
        listed += [f"{item} AS c{number}" for number, item in enumerate(wanted)]
        selects.append(f"SELECT {', '.join(listed)} FROM t {where} GROUP BY window(ts, {sizes}), k")
    by_definition = "\nUNION ALL\n".join(
        joined(window, ["k"], where, wanted, str(place)) for place, window in enumerate(chosen)
    )
    fill(db, data)
    check(db, by_definition, rewriting("\nUNION ALL\n".join(selects), "duckdb"))


# Averages of large integers, and floats that do not add exactly


def test_averages_of_large_integers_are_within_one_place(db: Any) -> None:
    """DuckDB's avg divides the exact sum; `/` rounds it to a double before."""
    bigs = [2**62, -46, 872]
    fill(
        db,
        [
            ((ORIGIN + STEP * (i % 2)) * 1000, None, None, None, None, None, b, None)
            for i, b in enumerate(bigs)
        ],
    )
    sql = "\nUNION ALL\n".join(
        f"SELECT {size} AS size, avg(big) AS mean, sum(big) AS total FROM t GROUP BY time_bucket({sized(size)}, ts)"
        for size in (1, 12)
    )
    rewritten = rewriting(sql, "duckdb")
    assert rewritten.reason is None
    ours, theirs = sorted(db.sql(rewritten.sql).fetchall()), sorted(db.sql(sql).fetchall())
    assert [row[2] for row in ours] == [row[2] for row in theirs] == [-46, 2**62 + 872, sum(bigs)]
    for (_, mine, _), (_, mean, _) in zip(ours, theirs, strict=True):
        assert abs(mine - mean) <= math.ulp(mean)


@settings(max_examples=SOME // 3)
@given(
    values=st.lists(
        st.tuples(st.integers(0, 60), st.floats(-1e12, 1e12, allow_subnormal=False)), min_size=1, max_size=40
    )
)
def test_sums_of_doubles_are_within_the_bound(db: Any, values: list[tuple[int, float]]) -> None:
    """Two orders of adding differ by no more than 2 (n - 1) u sum|x| each: the bound that is documented."""
    fill(
        db,
        [((ORIGIN + STEP * at) * 1000, None, None, None, None, value, None, None) for at, value in values],
    )
    parts = []
    for size in (1, 2, 4, 12):
        parts.append(
            f"SELECT {size} AS size, time_bucket({sized(size)}, ts) AS start, sum(x) AS total, avg(x) AS mean, "
            f"count(x) AS n FROM t GROUP BY 2"
        )
    sql = "\nUNION ALL\n".join(parts)
    rewritten = rewriting(sql, "duckdb")
    assert rewritten.reason is None
    ours = {row[:2]: row[2:] for row in db.sql(rewritten.sql).fetchall()}
    theirs = {row[:2]: row[2:] for row in db.sql(sql).fetchall()}
    assert ours.keys() == theirs.keys()
    for (size, start), (total, mean, n) in theirs.items():
        begin = start.replace(tzinfo=UTC).timestamp()
        inside = [abs(x) for at, x in values if begin <= ORIGIN + STEP * at < begin + size * STEP]
        bound = 2 * 2 * (n - 1) * 2.0**-53 * math.fsum(inside)  # each of the two answers, from the exact one
        assert len(inside) == n == ours[size, start][2]
        assert abs(ours[size, start][0] - total) <= bound
        assert abs(ours[size, start][1] - mean) <= bound / n + 2 * math.ulp(mean)
