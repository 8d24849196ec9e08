"""How windows are written: Azure's Windows(...), Spark's window(...), DuckDB's time_bucket(...).

Recognised, and nothing else (in microseconds since 1970; instances are [start, start + range)):

- Azure: in GROUP BY `Windows(Window('id', W), ...)`, `Windows(W, ...)` or a bare `W`, where W is
  `TumblingWindow(unit, n [, offset])`, `HoppingWindow(unit, n, hop [, offset])`,
  `TumblingWindow(Duration(unit, n) [, Offset(unit, n)])` or `HoppingWindow(Duration(..), Hop(..) [, Offset(..)])`, or Tumbling and Hopping for short; the
  time is what `TIMESTAMP BY` names. `System.Window().Id` is the id, `System.Timestamp()` the end of the window.
- Spark: `window(time, range [, slide [, start]])`; `window`, `window.start` and `window.end` refer to it, and so does
  an alias of it.
- DuckDB, tumbling: `time_bucket(width, time [, offset or origin])`. Its buckets are counted from 2000-01-03.
- DuckDB, hopping: `unnest(generate_series(first, last, slide))` with the last `time_bucket(slide, time)` and the first
  `time_bucket(slide, time - range) + slide` or `time_bucket(slide, time) - (range - slide)`, as a column of the SELECT,
  as a column of a subquery `(SELECT *, unnest(...) AS start FROM ...)`, or joined: `FROM t, unnest(...) AS w(start)`,
  with CROSS JOIN and LATERAL or without.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TypeAlias

from swagcore.coverage.sql_branch import END, SOURCE, START, WINDOW, Branch, mark, read_branch
from swagcore.coverage.sql_text import (
    Node,
    SqlError,
    Text,
    Token,
    TokenType,
    Unchanged,
    duration,
    exp,
    integer,
    plain,
)
from swagcore.durations import MICROSECONDS
from swagcore.errors import SwagError
from swagcore.windows import Window

BUCKETS_FROM = 946_857_600_000_000
"""2000-01-03, from where DuckDB's time_bucket counts."""

DIALECTS = {"azure": "tsql", "spark": "spark", "duckdb": "duckdb"}
Marked: TypeAlias = Iterator[tuple[exp.Select, Window, Node, bool]]


def read_query(sql: str) -> tuple[str, Text, Node, list[Branch]]:
    """The form that a query is written in, its text, its tree, and its branches in order.

    >>> form, _, _, branches = read_query("SELECT max(v) FROM t GROUP BY time_bucket(INTERVAL '1 hour', ts)")
    >>> form, [branch.window.range for branch in branches]
    ('duckdb', [3600000000])
    """
    form = form_of(sql)
    text = Text(sql, DIALECTS[form])
    times = _cut_timestamp_by(text) if form == "azure" else []
    for token in text.tokens:
        if form == "spark" and token.token_type == TokenType.WINDOW:
            token.token_type = TokenType.VAR  # sqlglot would begin a WINDOW clause at each of them
    tree = text.parse()
    if form == "azure":
        tree = tree.transform(_with_unit)
    branches = []
    for leaf in leaves(text, tree):
        select = leaf.copy()
        if form == "azure":
            marked = _azure(text, leaf, select, times)
        elif form == "spark":
            marked = _spark(text, leaf, select)
        else:
            marked = _duckdb(text, leaf, select)
        branches += [read_branch(text, leaf, *one) for one in marked]
    return form, text, tree, branches


def form_of(sql: str) -> str:
    """The dialect whose window functions a query calls.

    >>> form_of("SELECT max(v) FROM t GROUP BY window(ts, '5 minutes')")
    'spark'
    """
    tokens = Text(sql, "duckdb").tokens
    called = {
        token.text.lower()
        for token, after in itertools.pairwise(tokens)
        if after.token_type == TokenType.L_PAREN
    }
    if called & {"windows", "tumbling", "hopping", *_AZURE_WINDOWS}:
        return "azure"
    if "time_bucket" in called:
        return "duckdb"
    if "window" in called:
        return "spark"
    if not tokens:
        raise SqlError(sql, len(sql), "expected a query")
    raise SqlError(
        sql,
        tokens[0].start,
        "no window is found in it; expected window(...) of Spark, time_bucket(...) of DuckDB, or Windows(...) of Azure "
        "Stream Analytics",
    )


def leaves(text: Text, tree: Node) -> Iterator[exp.Select]:
    """The SELECTs that a query is put together from, in order."""
    if isinstance(tree, exp.SetOperation):
        yield from leaves(text, tree.this)
        yield from leaves(text, tree.expression)
    elif isinstance(tree, exp.Subquery) and not tree.alias:
        yield from leaves(text, tree.this)
    elif isinstance(tree, exp.Select):
        yield tree
    else:
        raise text.error(tree, "expected a SELECT, or several in a UNION ALL")


def _window(text: Text, node: Node, range: int, slide: int, offset: int) -> Window:
    if range <= 0 or slide <= 0:
        raise text.error(node, "expected durations longer than zero")
    return Window(range, slide, offset)


# Azure


_UNITS = {
    "us": "microsecond mcs us",
    "ms": "millisecond ms",
    "s": "second ss s",
    "min": "minute mi n",
    "h": "hour hh",
    "d": "day dd d",
}
_AZURE_UNITS = {name: unit for unit, spelled in _UNITS.items() for name in spelled.split()}


def _cut_timestamp_by(text: Text) -> list[tuple[int, Node]]:
    """Cut every TIMESTAMP BY out of the tokens; where it stood, and the expression after it."""
    found, kept = [], []
    tokens, at = text.tokens, 0
    while at < len(tokens):
        word = tokens[at].text.upper()
        if word != "TIMESTAMP" or at + 1 == len(tokens) or tokens[at + 1].text.upper() != "BY":
            kept.append(tokens[at])
            at += 1
            continue
        begin, depth = at, 0
        at += 2
        inside: list[Token] = []
        while at < len(tokens) and (depth or tokens[at].token_type not in _AFTER_FROM):
            depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(tokens[at].token_type, 0)
            if depth < 0:
                break
            inside.append(tokens[at])
            at += 1
        place = tokens[begin].start
        if not inside:
            raise SqlError(text.sql, place, "expected a column after TIMESTAMP BY", tokens[begin + 1].end + 1)
        found.append((place, text.expression(inside).transform(_with_unit)))
    text.tokens = kept
    return found


def _with_unit(node: Node) -> Node:
    """sqlglot writes a DATEADD of T-SQL for Spark in days, whatever its unit; what this gives is written with it."""
    return exp.TimestampAdd(**node.args) if isinstance(node, exp.DateAdd) else node


_AFTER_FROM = {
    TokenType.WHERE,
    TokenType.GROUP_BY,
    TokenType.HAVING,
    TokenType.UNION,
    TokenType.JOIN,
    TokenType.LEFT,
    TokenType.INNER,
    TokenType.COMMA,
    TokenType.SEMICOLON,
}


def _azure(text: Text, leaf: exp.Select, select: exp.Select, times: list[tuple[int, Node]]) -> Marked:
    into = select.args.get("into")
    if into:
        raise text.error(into, "INTO names an output of Azure Stream Analytics; leave it out")
    if select.args.get("order") or select.args.get("limit"):
        raise text.error(leaf, "Azure Stream Analytics has no ORDER BY and no TOP; leave it out")
    if isinstance(leaf.parent, exp.SetOperation) and not (
        isinstance(leaf.parent, exp.Union) and not leaf.parent.args.get("distinct")
    ):
        raise text.error(leaf, "expected UNION ALL between SELECTs with Windows(...)")
    grouped = select.args["group"].expressions if select.args.get("group") else []
    calls = [item for item in grouped if _azure_name(item)]
    if len(calls) != 1:
        raise text.error(leaf, f"expected one Windows(...) in the GROUP BY, found {len(calls)}")
    begin = text.place(select)[0]
    time = next((node for place, node in times if place > begin), None)
    if time is None:
        raise text.error(leaf, "expected TIMESTAMP BY and a column after the table")
    for node in list(select.find_all(exp.Dot, exp.Column)):
        name = plain(node).sql().replace("()", "").lower()
        if name == "system.timestamp":
            _replace(node, mark(END), "Timestamp")
    [call] = calls
    listed = call.expressions if _azure_name(call) == "windows" else [call]
    if not listed:
        raise text.error(call, "expected one or more windows")
    at = next(place for place, item in enumerate(grouped) if item is call)
    for one in listed:
        label: Node = exp.null()
        if _azure_name(one) == "window" and len(one.expressions) == 2:
            label, one = one.expressions
            if not (isinstance(label, exp.Literal) and label.is_string):
                raise text.error(label, "expected the id of the window, a string")
        window = _azure_window(text, one)
        marked = select.copy()
        marked.args["group"].expressions[at].replace(mark(WINDOW))
        for node in list(marked.find_all(exp.Dot)):
            if plain(node).sql().lower() == "system.window().id":
                if isinstance(label, exp.Null):
                    raise text.error(node, "the window has no id; expected Window('id', ...)")
                _replace(node, label.copy(), "Id")
        yield marked, window, time, False


_AZURE_WINDOWS = ("tumblingwindow", "hoppingwindow", "slidingwindow", "sessionwindow", "snapshotwindow")


def _azure_name(node: Node) -> str:
    name = node.name.lower() if isinstance(node, exp.Anonymous) else ""
    name = f"{name}window" if name in ("tumbling", "hopping") else name  # both spellings are Azure's
    return name if name in ("windows", "window", *_AZURE_WINDOWS) else ""


def _azure_window(text: Text, node: Node) -> Window:
    name, arguments = _azure_name(node), list(node.expressions)
    if name not in ("tumblingwindow", "hoppingwindow"):
        raise text.error(
            node, "expected TumblingWindow(...) or HoppingWindow(...), whose instances start at fixed times"
        )
    wanted = ["Duration", "Hop"] if name == "hoppingwindow" else ["Duration"]
    if arguments and isinstance(arguments[0], exp.Anonymous):
        sizes = [_azure_size(text, argument) for argument in arguments]
        if [kind for kind, _ in sizes] not in (
            [w.lower() for w in wanted],
            [*(w.lower() for w in wanted), "offset"],
        ):
            raise text.error(node, f"expected {'(..), '.join(wanted)}(..) and possibly Offset(..)")
        amounts = [amount for _, amount in sizes]
    else:
        if not len(wanted) < len(arguments) <= len(wanted) + 2:
            raise text.error(
                node, f"expected a unit and {' and '.join(w.lower() for w in wanted)}, both whole numbers"
            )
        unit = _azure_unit(text, arguments[0])
        amounts = [unit * integer(text, argument) for argument in arguments[1:]]
    offset = amounts[len(wanted)] if len(amounts) > len(wanted) else 0
    return _window(text, node, amounts[0], amounts[len(wanted) - 1], offset)


def _azure_size(text: Text, node: Node) -> tuple[str, int]:
    if not isinstance(node, exp.Anonymous) or len(node.expressions) != 2:
        raise text.error(node, "expected Duration, Hop or Offset of a unit and a whole number")
    unit, amount = node.expressions
    return node.name.lower(), _azure_unit(text, unit) * integer(text, amount)


def _azure_unit(text: Text, node: Node) -> int:
    unit = _AZURE_UNITS.get(node.name.lower())
    if unit is None:
        raise text.error(node, "expected a unit: microsecond, millisecond, second, minute, hour or day")
    return MICROSECONDS[unit]


# Spark


def _spark(text: Text, leaf: exp.Select, select: exp.Select) -> Marked:
    calls = [node for node in select.find_all(exp.Anonymous) if node.name.lower() == "window"]
    if not calls:
        raise text.error(leaf, "expected window(...) in this SELECT, too")
    first = calls[0]
    for call in calls:
        if plain(call) != plain(first):
            raise text.error(
                call, f"expected the same window as {text.shown(first)}: one SELECT has one window"
            )
    if not 2 <= len(first.expressions) <= 4:
        raise text.error(first, "expected window(time, range), and possibly slide and start")
    time, *sizes = first.expressions
    if isinstance(time, exp.Column) and time.name.lower() == "window":
        raise Unchanged("the time of a window is itself a window")
    range, *others = (duration(text, size) for size in sizes)
    slide, offset = [*others, *(range, 0)[len(others) :]]
    window = _window(text, first, range, slide, offset)
    if window.slide > window.range:
        raise text.error(first, "Spark has no windows whose slide is longer than their range")
    known = {"window"} | {
        item.alias.lower()
        for item in select.expressions
        if isinstance(item, exp.Alias) and item.this in calls
    }
    for call in calls:
        _replace(call, mark(WINDOW), "window")
    for column in list(select.find_all(exp.Column)):
        part = {"start": START, "end": END}.get(column.name.lower())
        if column.find_ancestor(exp.From, exp.Join):
            continue
        if column.table.lower() in known and part:
            _replace(column, mark(part), column.name)
        elif column.name.lower() in known and not column.table:
            _replace(column, mark(WINDOW), column.name)
    for dot in list(select.find_all(exp.Dot)):
        part = {"start": START, "end": END}.get(dot.name.lower())
        if part and plain(dot.this) == plain(mark(WINDOW)):
            _replace(dot, mark(part), dot.name)
    yield select, window, time.copy(), False


# DuckDB


def _duckdb(text: Text, leaf: exp.Select, select: exp.Select) -> Marked:
    series = [node for node in _own(select) if isinstance(node, exp.GenerateSeries)]
    if series:
        if len(series) > 1:
            raise text.error(series[1], "expected one series of window starts in a SELECT")
        window, time = _hopping(text, series[0])
        yield _cut_series(text, select, series[0]), window, time, False
        return
    calls = [
        node
        for clause in ("expressions", "group", "having", "order")
        for part in _listed(select.args.get(clause))
        for node in part.find_all(exp.DateBin)
    ]
    if not calls:
        raise text.error(leaf, "expected time_bucket(...) in this SELECT, too")
    first = calls[0]
    for call in calls:
        if plain(call) != plain(first):
            raise text.error(
                call, f"expected the same window as {text.shown(first)}: one SELECT has one window"
            )
    width, time, offset = _bucket(text, first)
    window = _window(text, first, width, width, offset)
    for call in calls:
        _replace(call, mark(START), None)
    yield select, window, time.copy(), True


def _listed(value: object) -> list[Node]:
    return [node for node in (value if isinstance(value, list) else [value]) if isinstance(node, exp.Expr)]


def _own(select: exp.Select) -> Iterator[Node]:
    """The nodes of a SELECT and of a subquery that it reads from; not those of a WITH or of a condition."""
    for clause in ("expressions", "from_", "joins", "laterals"):
        for part in _listed(select.args.get(clause)):
            yield from part.walk()


def _bucket(text: Text, node: Node) -> tuple[int, Node, int]:
    """The width, the time and the offset of a time_bucket."""
    width, third = duration(text, node.this), node.args.get("unit")
    if third is None:
        offset = 0
    elif isinstance(third, exp.Cast) and not third.is_type("interval"):
        offset = _instant(text, third) - BUCKETS_FROM
    else:
        offset = duration(text, third)
    return width, node.expression, BUCKETS_FROM + offset


def _instant(text: Text, node: exp.Cast) -> int:
    try:
        read = datetime.fromisoformat(node.this.name)
    except (ValueError, SwagError):
        raise text.error(node, "expected a constant timestamp, or an INTERVAL") from None
    read = read.replace(tzinfo=UTC) if read.tzinfo is None else read
    return (read - datetime(1970, 1, 1, tzinfo=UTC)) // _MICROSECOND


_MICROSECOND = datetime(1970, 1, 1, 0, 0, 0, 1) - datetime(1970, 1, 1)


def _hopping(text: Text, series: exp.GenerateSeries) -> tuple[Window, Node]:
    """The window whose starts a series lists, for the event that it is computed from."""
    first, last, step = series.args["start"], series.args["end"], series.args.get("step")
    accepted = (
        "expected generate_series(time_bucket(slide, time - range) + slide, time_bucket(slide, time), slide), "
        "or time_bucket(slide, time) - (range - slide) as its first"
    )
    if series.args.get("is_end_exclusive") or not isinstance(last, exp.DateBin) or step is None:
        raise text.error(series, accepted)
    slide, time, offset = _bucket(text, last)
    if duration(text, step) != slide or not isinstance(first, (exp.Add, exp.Sub)):
        raise text.error(series, accepted)
    bucket, added = first.this, first.expression
    if not isinstance(bucket, exp.DateBin):
        raise text.error(series, accepted)
    width, earlier, same_offset = _bucket(text, bucket)
    if width != slide or same_offset != offset:
        raise text.error(series, accepted)
    size = duration(text, added)
    if isinstance(first, exp.Sub) and plain(earlier) == plain(time) and size % slide == 0:
        return _window(text, series, size + slide, slide, offset), time
    if (
        isinstance(first, exp.Add)
        and isinstance(earlier, exp.Sub)
        and size == slide
        and plain(earlier.this) == plain(time)
    ):
        return _window(text, series, duration(text, earlier.expression), slide, offset), time
    raise text.error(series, accepted)


def _cut_series(text: Text, select: exp.Select, series: Node) -> exp.Select:
    """The SELECT without the join, the subquery or the column that lists the starts, and with marks for them."""
    spread, inner, join = series.parent, series.find_ancestor(exp.Select), series.find_ancestor(exp.Join)
    assert spread is not None
    assert inner is not None
    item = spread.parent if isinstance(spread, exp.Explode) else None
    name = item.alias if isinstance(item, exp.Alias) and item.parent is inner else ""
    table = ""
    if join is not None:
        table = join.this.alias
        if inner is select:
            named = join.this.alias_column_names
            if not isinstance(spread, (exp.Unnest, exp.Table)) or len(named) != 1:
                raise text.error(series, "expected a name for the starts, as in unnest(...) AS w(start)")
            [name] = named
        elif not name or not _is_only(inner, select):
            raise text.error(series, "expected LATERAL (SELECT unnest(generate_series(...)) AS a name)")
        condition = join.args.get("on") or exp.true()
        if join.args.get("side") or join.args.get("using") or condition != exp.true():
            raise text.error(series, "expected the starts to be joined without a condition")
        join.pop()
    elif not name:
        raise text.error(series, "expected unnest(generate_series(...)) AS a name")
    elif inner is select:
        spread.replace(mark(START))
    else:
        table = _flatten(text, select, series, inner)
    for clause in ("expressions", "where", "group", "having", "order"):
        for part in _listed(select.args.get(clause)):
            for column in list(part.find_all(exp.Column)):
                if column.name.lower() == name.lower() and column.table.lower() in ("", table.lower()):
                    _replace(column, mark(START), column.name)
                elif column.table.lower() == table.lower():
                    column.set("table", None)
    return select


def _is_only(inner: exp.Select, select: exp.Select) -> bool:
    """Whether a SELECT that the other reads from has one column and nothing else."""
    clauses = [clause for clause, value in inner.args.items() if value]
    return clauses == ["expressions"] and len(inner.selects) == 1 and inner.parent_select is select


def _flatten(text: Text, select: exp.Select, series: Node, inner: exp.Select) -> str:
    """Read from what the subquery reads from; the subquery's name."""
    subquery = inner.parent
    alone = inner.parent_select is select and not select.args.get("joins")
    if not isinstance(subquery, exp.Subquery) or not isinstance(subquery.parent, exp.From) or not alone:
        raise text.error(
            series, "expected it in the SELECT itself, in a join, or in a subquery that is read alone"
        )
    simple = all(  # columns, and all of them without EXCLUDE or REPLACE
        isinstance(item, (exp.Star, exp.Column)) and item.find(exp.Star) in (None, exp.Star())
        for item in inner.expressions
        if not item.find(exp.GenerateSeries)
    )
    extra = {clause for clause, value in inner.args.items() if value} - {"expressions", *SOURCE}
    if not simple or extra:
        raise text.error(
            series, "expected a subquery of the form (SELECT *, unnest(...) AS start FROM ... WHERE ...)"
        )
    conditions = [clause.this for clause in (inner.args.get("where"), select.args.get("where")) if clause]
    for clause in ("from_", "joins", "laterals"):
        select.set(clause, inner.args.get(clause))
    if conditions:
        select.set("where", exp.Where(this=exp.and_(*conditions)))
    return subquery.alias


def _replace(node: Node, by: Node, name: str | None) -> None:
    """Put a mark in the place of a node, also of its place in the text; an item of the SELECT list keeps its name."""
    spans = [at.meta for at in node.walk() if "start" in at.meta]
    by.meta.update(start=min(at["start"] for at in spans), end=max(at["end"] for at in spans))
    by.add_comments(node.pop_comments())
    in_list = isinstance(node.parent, exp.Select)
    node.replace(exp.alias_(by, name) if in_list and name else by)
