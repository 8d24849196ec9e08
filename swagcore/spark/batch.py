"""`sw.spark.windows`, `sw.spark.tables` and `sw.spark.explain`: many windowed queries over one DataFrame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from swagcore.coverage import Graph
from swagcore.durations import MICROSECONDS
from swagcore.errors import InvalidArgument, UnknownName
from swagcore.spark import coverage, naive, slices
from swagcore.spark.choose import PLANS, estimate
from swagcore.spark.job import FURTHEST, Asked, Job, job_of, quoted
from swagcore.spark.slots import slots_of
from swagcore.windows import Query, Window

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


BLOCK = 1 << 12
"""So many empty instances of a key are written out at a time."""


class Tables(dict[str, "DataFrame"]):
    """The answers of each query, by its name. What several share is kept by Spark until `unpersist`."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[DataFrame] = []

    def keep(self, frame: DataFrame) -> DataFrame:
        """Have a frame computed once, however many read it."""
        self._kept.append(frame.persist())
        return frame

    def unpersist(self) -> None:
        """Let Spark forget what it kept; the tables can still be read, and are then computed anew."""
        while self._kept:
            self._kept.pop().unpersist()


def windows(
    df: DataFrame,
    queries: Iterable[Query],
    time: str = "ts",
    value: str | None = "v",
    keys: Sequence[str] = ("k",),
    plan: str = "auto",
    order: Sequence[str] | None = None,
    unit: str | None = None,
) -> DataFrame:
    """The answers of all queries as one DataFrame: query, keys..., window_start, window_end, value.

    An answer is there for every window instance with at least one event of a key, as in Spark's `window()`. Rows with a
    null time are left out; a null key is a key. All answers have to be of one type; :func:`tables` takes several.

    - `time`: a timestamp, a date, or integers; over integers, windows in durations need the `unit` of one.
    - `value`: the column that is aggregated, where a query names none of its own.
    - `order`: columns that order events of the same time, for first, last, arg_min, arg_max, concat, collect_distinct
      and windows that count. Events that are equal in them, too, are ordered by their values, nulls first.
    - `plan`: "naive", each query by itself; "slices", one pass over the events for all; "coverage", windows from one
      another, without Python; "auto", the one that costs least, see :func:`explain`. The answers are the same, but
      that sums of floats may differ by 2(n-1)u * sum|x| of their window, u = 2**-53.

    >>> from swagcore.windows import Window
    >>> windows([(0, 1.5)], [Query("high", "max", Window("5 minutes", "1 minute"))])
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: df is [(0, 1.5)]; expected a Spark DataFrame
    """
    job = _job(df, queries, time, value, keys, order, unit)
    types = sorted({one.recipe.type for one in job.asked})
    if len(types) > 1:
        named = ", ".join(f"{one.query.name!r}: {one.recipe.type}" for one in job.asked)
        raise InvalidArgument(
            "types of the answers", types, f"one type ({named}); use sw.spark.tables for several"
        )
    kinds = {one.window.by_count for one in job.asked}
    if len(kinds) > 1 and job.clock != "integer":
        raise InvalidArgument(
            "queries",
            [one.query.name for one in job.asked],
            "all over time or all over counts, whose starts are of different types; use sw.spark.tables",
        )
    frames = [
        _finished(part, frame, asked, with_query=True)
        for part, frame, asked in _frames(job, plan, lambda frame: frame)
    ]
    union = frames[0]
    for frame in frames[1:]:
        union = union.unionAll(frame)
    return union


def tables(
    df: DataFrame,
    queries: Iterable[Query],
    time: str = "ts",
    value: str | None = "v",
    keys: Sequence[str] = ("k",),
    plan: str = "auto",
    order: Sequence[str] | None = None,
    unit: str | None = None,
) -> Tables:
    """The answers of each query as a DataFrame of its own type: keys..., window_start, window_end, value.

    All are computed together, when the first of them is read; what they share is kept by Spark until
    `tables(...).unpersist()`. The arguments are those of :func:`windows`.

    >>> from swagcore.windows import Window
    >>> tables([(0, 1.5)], [Query("high", "max", Window("5 minutes", "1 minute"))])
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: df is [(0, 1.5)]; expected a Spark DataFrame
    """
    job = _job(df, queries, time, value, keys, order, unit)
    found = Tables()
    for part, frame, asked in _frames(job, plan, found.keep):
        shared = found.keep(frame) if len(asked) > 1 else frame
        for one in asked:
            mine = shared.where(f"q = {one.number}") if len(asked) > 1 else shared
            found[one.query.name] = _finished(part, mine, asked, with_query=False, only=one)
    in_order = Tables()
    in_order._kept = found._kept
    in_order.update((one.query.name, found[one.query.name]) for one in job.asked)
    return in_order


def explain(
    df: DataFrame,
    queries: Iterable[Query],
    time: str = "ts",
    value: str | None = "v",
    keys: Sequence[str] = ("k",),
    plan: str = "auto",
    order: Sequence[str] | None = None,
    unit: str | None = None,
) -> str:
    """The plan as a tree, why it was chosen, and its estimated cost beside that of the others; nothing is run.

    >>> from swagcore.windows import Window
    >>> explain([(0, 1.5)], [Query("high", "max", Window("5 minutes", "1 minute"))])
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: df is [(0, 1.5)]; expected a Spark DataFrame
    """
    job = _job(df, queries, time, value, keys, order, unit)
    lines = []
    for part, name, why in _choices(job, plan):
        queries_named = f"{len(part.asked)} quer{'y' if len(part.asked) == 1 else 'ies'}"
        lines.append(f"plan {name} for {queries_named}: {why}")
        if all(one.recipe.shared for one in part.asked):
            costs = estimate(part)
            shown = {"naive": costs.naive, "coverage": costs.coverage, "slices": costs.slices}
            each = ", ".join(f"{plan} {_decimal(cost)}" for plan, cost in shown.items())
            lines.append(f"  estimated rows aggregated for each event: {each}")
        lines += [f"  {line}" for line in _tree(part, name)]
    return "\n".join(lines)


def _job(df: DataFrame, *described: Any) -> Job:
    job = job_of(df, *described)
    if df.isStreaming:
        raise InvalidArgument("df", df, "a DataFrame that ends; for a stream use sw.spark.stream")
    return job


def _decimal(cost: Fraction) -> str:
    return f"{float(cost):.4g}"


def _tree(job: Job, plan: str) -> list[str]:
    if plan == "coverage":
        return [line for graph, asked in coverage.graphs(job) for line in _branches(job, graph, asked)]
    if plan == "slices":
        cuts = slices.cuts([one.window for one in job.asked])
        every = [f"every {_size(job, step)}" + f" from {_size(job, at)}" * (at > 0) for at, step in cuts[:3]]
        every += [f"and so on, {len(cuts)} in all"] * (len(cuts) > 3)
        lines = [f"events, cut {', '.join(every)}", "  slices, by key and piece of time, in Python workers"]
        indent = "    "
    else:
        lines, indent = ["events"], "  "
    return lines + [
        f"{indent}{one.query.name}: {one.query.function.name} over {_window(job, one.window)}"
        for one in job.asked
    ]


def _branches(job: Job, graph: Graph, asked: tuple[Asked, ...], above: Window | None = None) -> list[str]:
    """What is computed from a window, or from the events, each line below what it is computed from."""
    lines = ["events"] if above is None else []
    for window in graph.children(above):
        mine = [one for one in asked if coverage.bare(one.window) == window]
        told = [
            f"{one.query.name}: {one.query.function.name} over {_window(job, one.window)}" for one in mine
        ]
        told = told or [f"{_window(job, window)}, of which others are made"]
        lines += [f"  {line}" for line in told + _branches(job, graph, asked, window)]
    return lines


def _window(job: Job, window: Window) -> str:
    """The window as one would write it: over timestamps in durations."""
    if job.by_count or job.clock == "integer":
        return repr(window)
    sizes = [_size(job, window.range), _size(job, window.slide), _size(job, window.offset)]
    shown = [repr(size) for size in sizes[: 3 if window.offset else 2]]
    return f"Window({', '.join(shown + [f'lag={_size(job, window.lag)!r}'] * (window.lag > 0))})"


def _size(job: Job, size: int) -> str:
    """A stretch of time in the largest unit that it is a whole number of."""
    if job.by_count or job.clock == "integer":
        return str(size)
    unit = max(
        (unit for unit in MICROSECONDS if size % MICROSECONDS[unit] == 0), key=MICROSECONDS.__getitem__
    )
    return f"{size // MICROSECONDS[unit]} {unit}"


def _choices(job: Job, plan: str) -> list[tuple[Job, str, str]]:
    """Which queries go by which plan, and why."""
    if plan not in PLANS:
        raise UnknownName("plan", plan, PLANS)
    found = []
    for part in job.split():
        if plan == "naive":
            found.append((part, "naive", "as asked"))
            continue
        shared = [one for one in part.asked if one.recipe.shared]
        alone = [one for one in part.asked if not one.recipe.shared]
        if shared:
            mine = part.only(shared)
            if plan == "auto":
                costs = estimate(mine)
                found.append((mine, costs.plan, costs.why))
            else:
                found.append((mine, plan, "as asked"))
        if alone:
            found.append(
                (part.only(alone), "naive", "these need all the events of a window, and share nothing")
            )
    return found


def _frames(
    job: Job, plan: str, keep: Callable[[DataFrame], DataFrame]
) -> list[tuple[Job, DataFrame, tuple[Asked, ...]]]:
    """Answers before they are lowered, and the queries that each frame has."""
    found: list[tuple[Job, DataFrame, tuple[Asked, ...]]] = []
    for part, chosen, _ in _choices(job, plan):
        if chosen == "slices":
            found.append((part, slices.answers(part), part.asked))
        elif chosen == "coverage":
            found += [(part, frame, asked) for frame, asked in coverage.answers(part, keep)]
        else:
            for one in part.asked:
                alone = part.only([one])
                found.append((alone, naive.answers(alone, alone.asked[0]), alone.asked))
    return found


def _finished(
    job: Job, frame: DataFrame, asked: tuple[Asked, ...], *, with_query: bool, only: Asked | None = None
) -> DataFrame:
    """The answers as a user sees them."""
    slots = slots_of(asked)
    wanted = asked if only is None else (only,)
    by_lowering: dict[str, list[Asked]] = {}
    for one in wanted:
        payloads = [f"d{slot}" for slot in slots.of_query[one.number]]
        by_lowering.setdefault(one.recipe.lower.format(*payloads), []).append(one)
    names = _looked_up([text(one.query.name) for one in wanted])
    ranges = _looked_up([f"{one.window.range}L" for one in wanted])
    value = f"CAST({_switch(by_lowering)} AS {wanted[0].recipe.type}) AS value"
    keys = [f"{inside} AS {quoted(key)}" for inside, key in zip(job.key_columns, job.keys, strict=True)]
    bounds = [
        f"{job.restored('start')} AS window_start",
        f"{job.restored(f'(start + {ranges})')} AS window_end",
    ]
    full = frame.selectExpr(*([f"{names} AS query"] if with_query else []), *keys, *bounds, value)
    for one in wanted:
        if one.query.emit_empty:
            full = full.unionAll(_empty(job, frame, one, with_query))
    return full


def _looked_up(literals: list[str]) -> str:
    """The literal that belongs to the query of a row."""
    return literals[0] if len(literals) == 1 else f"element_at(array({', '.join(literals)}), q + 1)"


def _switch(cases: dict[str, list[Asked]]) -> str:
    """The expression that belongs to the query of a row."""
    *others, last = cases
    if not others:
        return last
    whens = " ".join(
        f"WHEN q IN ({', '.join(str(one.number) for one in cases[case])}) THEN {case}" for case in others
    )
    return f"CASE {whens} ELSE {last} END"


def text(name: str) -> str:
    """A string in SQL.

    >>> print(text("it's"))
    'it\\'s'
    """
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _empty(job: Job, frame: DataFrame, one: Asked, with_query: bool) -> DataFrame:
    """The instances without an event between the first and the last event of a key."""
    from pyspark.sql import functions as F

    w = one.window
    spans = job.events.groupBy(*job.key_columns).agg(F.min("t").alias("lo"), F.max("t").alias("hi"))
    first = f"lo + 1L + pmod({w.offset}L - lo - 1L, {w.slide}L)"
    spans = spans.selectExpr(*job.key_columns, f"{first} AS first", f"hi - {w.range}L AS last")
    # In blocks: one array of all starts of a key would be as long as its time.
    many = min(BLOCK, FURTHEST // w.slide)
    block = f"{many * w.slide}L"
    blocks = spans.where("first <= last").selectExpr(
        "*", f"explode(sequence(0L, (last - first) div {block})) AS number"
    )
    begin = f"first + number * {block}"
    between = blocks.selectExpr(
        *job.key_columns,
        f"explode(sequence({begin}, least(last, {begin} + {(many - 1) * w.slide}L), {w.slide}L)) AS start",
    )
    full = frame.where(f"q = {one.number}").selectExpr(
        *(f"{key} AS _{key}" for key in job.key_columns), "start AS _start"
    )
    same = F.col("start") == F.col("_start")
    for key in job.key_columns:
        same = same & F.col(key).eqNullSafe(F.col(f"_{key}"))
    missing = between.join(full, same, "left_anti")
    keys = [f"{inside} AS {quoted(key)}" for inside, key in zip(job.key_columns, job.keys, strict=True)]
    return missing.selectExpr(
        *([f"{text(one.query.name)} AS query"] if with_query else []),
        *keys,
        f"{job.restored('start')} AS window_start",
        f"{job.restored(f'(start + {w.range}L)')} AS window_end",
        f"CAST({one.recipe.empty} AS {one.recipe.type}) AS value",
    )
