"""A query with many windows, rewritten so that windows are computed from windows (W §3.3).

`rewrite` takes the query in Spark's, DuckDB's or Azure Stream Analytics' SQL (`sql_forms` lists what is recognised) and
gives SQL for Spark or DuckDB with the same columns and the same rows: one WITH clause for each window of the min-cost
graph, and the query's own SELECTs over them. Factor windows have a clause and no SELECT.

What is the same, and what is not:

- Names, order and types of columns, NULL keys, values and times, windows of NULLs alone: as in the original.
- Integers and decimals: exactly. Floats: min and max exactly; sum and avg are added in another order, so that two answers
  may differ by `2 (n - 1) u sum|x|` of their window each, u = 2**-53, as two runs of the original may.
- Spark gives a sum of DECIMAL(p, s) ten digits more than p, and no type can be seen in a query. Inside the aggregate
  `CAST(v AS DECIMAL(p, s))` says it, and all types are as before; without it sum's precision is wider, the value is the
  same, and avg has another scale. Spark's avg of integers adds doubles; here it is the quotient of the exact sum, which
  is the same while sums are below 2**53, and the sum may not exceed BIGINT. DuckDB's avg divides the exact sum; here the
  sum is rounded to a double before, which is the same below 2**53, too, and above may differ in the last place.
- A sum that overflows on the way and comes back, which the original may or may not survive, may or may not here.
- Azure's windows are [start, end) here, as everywhere in this package and in W §2.1.1. Azure Stream Analytics itself
  takes (start, end], and a comment in the text says so: with `Offset(microsecond, 1)` the events are just those, and the
  ends a microsecond later.
- Spark drops events without a time; so does an Azure query on DuckDB. time_bucket(NULL) is a group of its own in DuckDB.
- A DuckDB time column is a TIMESTAMP, with time zone or without, or a DATE with windows of whole days; a hopping window
  that subtracts days from a TIMESTAMPTZ has instances of one length only in a time zone without summer time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from swagcore.coverage.graph import Graph, min_cost
from swagcore.coverage.sql_branch import Branch
from swagcore.coverage.sql_carry import IDEMPOTENT
from swagcore.coverage.sql_emit import WRITERS, Emitter, rate_of
from swagcore.coverage.sql_forms import form_of, read_query
from swagcore.coverage.sql_text import SqlError, Text, Unchanged, exp, plain
from swagcore.errors import UnknownName
from swagcore.windows import Window


@dataclass(frozen=True)
class Rewriting:
    """What became of a query.

    `sql`: the text. `reason`: why it could not be improved, or None. `naive`: the query with each window from the stream,
    which is the given one where it is in the dialect asked for. `graph`: the min-cost graph, in multiples of `unit`
    microseconds; None where none was made.
    """

    sql: str
    naive: str
    reason: str | None
    graph: Graph | None
    unit: int | None


def rewrite(sql: str, dialect: str = "spark") -> str:
    """A multi-window query as SQL for Spark or DuckDB that computes windows from windows.

    A query that cannot be improved comes back unchanged, below a comment with the reason.

    >>> print(rewrite('''
    ...     SELECT time_bucket(INTERVAL '10 minutes', ts) AS start, max(v) AS high FROM t GROUP BY 1
    ...     UNION ALL SELECT time_bucket(INTERVAL '20 minutes', ts), max(v) FROM t GROUP BY 1''', "duckdb").strip())
    WITH window_10min AS MATERIALIZED (
      /* 10 minutes: from the stream */
      SELECT
        TIME_BUCKET(INTERVAL '10' MINUTE, ts) AS window_start,
        MAX(v) AS max_v
      FROM t
      GROUP BY
        1
    ), window_20min AS MATERIALIZED (
      /* 20 minutes: from window_10min */
      SELECT
        TIME_BUCKET(INTERVAL '20' MINUTE, window_start) AS window_start,
        MAX(max_v) AS max_v
      FROM window_10min
      GROUP BY
        1
    )
    SELECT
      window_start AS start,
      max_v AS high
    FROM window_10min
    UNION ALL
    SELECT
      window_start,
      max_v
    FROM window_20min
    """
    return rewriting(sql, dialect).sql


def naive(sql: str, dialect: str = "spark") -> str:
    """The query with one SELECT a window, each from the stream: what `rewrite` gives the rows of.

    >>> print(naive("SELECT max(v) AS high FROM t TIMESTAMP BY ts GROUP BY TumblingWindow(minute, 5)", "spark").strip())
    -- Windows are [start, end) here; Azure Stream Analytics takes (start, end].
    SELECT
      MAX(v) AS high
    FROM t
    GROUP BY
      WINDOW(ts, '5 minutes')
    """
    return rewriting(sql, dialect).naive


def rewriting(sql: str, dialect: str = "spark") -> Rewriting:
    """The rewritten query, and why it is as it is.

    >>> rewriting("SELECT median(v) AS m FROM t GROUP BY time_bucket(INTERVAL '1 hour', ts)", "duckdb").reason
    'median(v) cannot be put together from smaller windows'
    """
    if not isinstance(dialect, str) or dialect not in WRITERS:
        raise UnknownName("dialect", dialect, WRITERS)
    try:
        form, text, tree, branches = read_query(sql)
    except Unchanged as why:
        if form_of(sql) != dialect:
            raise SqlError(sql, 0, f"it cannot be written for {dialect}, because {why}") from None
        return Rewriting(_with_reason(sql, str(why)), sql, str(why), None, None)
    if dialect == "spark":
        for branch in branches:
            if branch.window.slide > branch.window.range:
                raise text.error(branch.leaf, "Spark has no windows whose slide is longer than their range")
    emitter = Emitter(text, tree, branches, dialect, form)
    plain_sql = sql if form == dialect else emitter.naive()
    graph, unit = None, None
    try:
        _check_rows(text, branches)
        idempotent = emitter.share() <= set(IDEMPOTENT)
        graph, unit, parent = _plan(branches, "min" if idempotent else "sum")
        return Rewriting(emitter.query(parent), plain_sql, None, graph, unit)
    except Unchanged as why:
        return Rewriting(_with_reason(plain_sql, str(why)), plain_sql, str(why), graph, unit)


def _with_reason(sql: str, reason: str) -> str:
    return f"-- not rewritten: {' '.join(reason.split())}\n{sql}"


def _check_rows(text: Text, branches: list[Branch]) -> None:
    """All branches must read the same rows, by the same time, grouped by the same keys."""
    first = branches[0]
    for number, branch in enumerate(branches[1:], 2):
        if plain(branch.source) != plain(first.source):
            raise Unchanged(f"SELECT {number} does not read the same rows as the first")
        if branch.plain(branch.time) != first.plain(first.time):
            raise Unchanged(f"SELECT {number} does not take its time from {first.time.sql()}")
        if {branch.plain(key) for key in branch.keys} != {first.plain(key) for key in first.keys}:
            raise Unchanged(f"SELECT {number} does not group by the same columns as the first")
    for node in [node for part in [first.source, *first.keys, *first.items] for node in part.walk()]:
        called = node.name.lower() if isinstance(node, exp.Anonymous) else node.key
        if called in (
            "rand",
            "randn",
            "random",
            "uuid",
            "tablesample",
            "shuffle",
            "monotonically_increasing_id",
        ):
            raise Unchanged(f"it is random: it calls {called}")


def _loses_null(window: Window | None, parent: dict[Window, Window | None]) -> bool:
    """Whether the window, or one that it is computed from, is hopping."""
    while window is not None:
        if window.range != window.slide:
            return True
        window = parent[window]
    return False


def _plan(branches: list[Branch], aggregate: str) -> tuple[Graph, int, dict[Window, Window | None]]:
    """The min-cost graph in its own unit, and each window's parent in microseconds, parents first."""
    windows = list(dict.fromkeys(branch.window for branch in branches))
    base = windows[0].offset  # only differences of offsets matter
    sizes = [size for window in windows for size in (window.range, window.slide, window.offset - base)]
    unit = math.gcd(*sizes)
    scaled = [Window(w.range // unit, w.slide // unit, (w.offset - base) // unit) for w in windows]
    graph = min_cost(scaled, aggregate, rate_of(unit), minimize="rate")

    def unscaled(window: Window) -> Window:
        return Window(window.range * unit, window.slide * unit, window.offset * unit + base)

    parent = {unscaled(w): None if above is None else unscaled(above) for w, above in graph.parent.items()}
    keeping = {branch.window for branch in branches if branch.keeps_null}
    for window in [window for window in parent if window in keeping]:  # parents first
        # Hopping windows have no group of the events without a time, nor has what is computed from one; coverage is
        # transitive, so go up to a window that has it.
        above = parent[window]
        while above is not None and _loses_null(above, parent):
            above = parent[above]
        parent[window] = above
    for window in reversed(list(parent)):
        if window not in windows and window not in parent.values():
            del parent[window]
    if len(windows) == len(branches) and not any(parent.values()):
        raise Unchanged(
            "no window is computed from another, or from a factor window, at less cost than from the stream"
        )
    return graph, unit, parent
