"""A graph of windows as SQL: one WITH clause a window, and the query's SELECTs over them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from swagcore.coverage.sql_branch import CARRIED_OVER, END, START, Branch, aggregates, is_mark
from swagcore.coverage.sql_carry import Lower, Part, carry
from swagcore.coverage.sql_forms import BUCKETS_FROM
from swagcore.coverage.sql_text import Node, Text, Unchanged, exp, names
from swagcore.windows import Window

_UNITS = [("HOUR", 3_600_000_000), ("MINUTE", 60_000_000), ("SECOND", 1_000_000), ("MILLISECOND", 1_000)]


def spelled(size: int) -> tuple[int, str]:
    """A size in microseconds as a number and the largest unit that fits; a day is 24 hours, in every time zone.

    >>> spelled(600_000_000), spelled(1_500), spelled(86_400_000_000)
    ((10, 'MINUTE'), (1500, 'MICROSECOND'), (24, 'HOUR'))
    """
    return next(((size // step, unit) for unit, step in _UNITS if size % step == 0), (size, "MICROSECOND"))


def phrase(size: int) -> str:
    """A size in words.

    >>> phrase(60_000_000), phrase(5_400_000_000)
    ('1 minute', '90 minutes')
    """
    count, unit = spelled(size)
    return f"{count} {unit.lower()}{'' if count == 1 else 's'}"


def described(window: Window) -> str:
    """A window in words.

    >>> described(Window(20, 10, 5))
    '20 microseconds every 10 microseconds from 5 microseconds on'
    """
    every = "" if window.slide == window.range else f" every {phrase(window.slide)}"
    return f"{phrase(window.range)}{every}{f' from {phrase(window.offset)} on' if window.offset else ''}"


class DuckDB:
    """How DuckDB says it. Windows carry `window_start`, of the type that time_bucket gives."""

    name = "duckdb"
    column = "window_start"

    def interval(self, size: int) -> Node:
        count, unit = spelled(size)
        return exp.Interval(this=exp.Literal.string(count), unit=exp.var(unit))

    def bucket(self, time: Node, window: Window) -> Node:
        offset = (window.offset - BUCKETS_FROM) % window.slide
        arguments = [self.interval(window.slide), time.copy()] + ([self.interval(offset)] if offset else [])
        return exp.Anonymous(this="TIME_BUCKET", expressions=arguments)

    def by_bucket(self, window: Window, parent: Window | None) -> bool:
        """Whether an instance is found by time_bucket alone: it is the only one, and contains what it is found for."""
        return window.range == window.slide and (parent is None or parent.range == parent.slide)

    def instances(self, time: Node, window: Window, parent: Window | None) -> Node:
        """The starts of the instances that contain an event, or an instance of the parent.

        A part [p, p + range2) is in [c, c + range1) where p - (range1 - range2) <= c <= p; starts of both are slide2
        apart or a multiple of it, so that this is p - reach < c <= p.
        """
        if self.by_bucket(window, parent):
            return self.bucket(time, window)
        reach = window.range if parent is None else window.range - parent.range + parent.slide
        earlier = exp.Sub(this=time.copy(), expression=self.interval(reach))
        first = exp.Add(this=self.bucket(earlier, window), expression=self.interval(window.slide))
        series = [first, self.bucket(time, window), self.interval(window.slide)]
        return exp.Anonymous(
            this="UNNEST", expressions=[exp.Anonymous(this="GENERATE_SERIES", expressions=series)]
        )

    def mark(self, name: str, column: Node, window: Window) -> Node:
        """What a mark stands for, where the column holds the start."""
        if name == START:
            return column
        end = exp.Add(this=column, expression=self.interval(window.range))
        if name == END:
            return end
        fields = [("start", column), ("end", end)]
        return exp.Struct(
            expressions=[
                exp.PropertyEQ(this=exp.to_identifier(key), expression=value.copy()) for key, value in fields
            ]
        )

    def from_parent(
        self, window: Window, parent: Window, table: str, column: str, columns: list[Node]
    ) -> exp.Select:
        found = exp.alias_(self.instances(exp.column(column), window, parent), column)
        return exp.Select(expressions=[found, *columns]).from_(table)

    def naive(self, branch: Branch, column: str, drop_null: bool) -> tuple[exp.Select, Node]:
        """The rows and, for each instance that a row is in, the expression of its start."""
        source, window = branch.source.copy(), branch.window
        if self.by_bucket(window, None):
            return (_not_null(source, branch.time) if drop_null else source), self.bucket(branch.time, window)
        starts = self.instances(branch.time, window, None)
        if branch.qualified:
            table = exp.Unnest(
                expressions=starts.expressions,
                alias=exp.TableAlias(this=exp.to_identifier("w"), columns=[exp.to_identifier(column)]),
            )
            return source.join(table, join_type="CROSS"), exp.column(column, "w")
        source.set("expressions", [exp.Star(), exp.alias_(starts, column)])
        rows = exp.Select().from_(source.subquery(branch.source.args["from_"].this.alias_or_name))
        return rows, exp.column(column)


class Spark:
    """How Spark says it. Windows carry `win`, the struct of start and end that window() gives."""

    name = "spark"
    column = "win"

    def instances(self, time: Node, window: Window) -> Node:
        sizes = [window.range]
        if window.slide != window.range or window.offset:
            sizes.append(window.slide)
        if window.offset:
            sizes.append(window.offset)
        return exp.Anonymous(
            this="WINDOW", expressions=[time.copy(), *(exp.Literal.string(phrase(size)) for size in sizes)]
        )

    def mark(self, name: str, column: Node, window: Window) -> Node:
        if name in (START, END):
            return exp.Dot(this=column, expression=exp.to_identifier("start" if name == START else "end"))
        return column

    def from_parent(
        self, window: Window, parent: Window, table: str, column: str, columns: list[Node]
    ) -> exp.Select:
        found = self.instances(exp.column("start", column), window)
        if parent.range == parent.slide:
            return exp.Select(expressions=[exp.alias_(found, column), *columns]).from_(table)
        # The parent's instances overlap: one that begins in the window need not end in it.
        inner = exp.Select(expressions=[exp.Star(), exp.alias_(found, "whole")]).from_(table)
        inside = exp.LTE(this=exp.column("end", column), expression=exp.column("end", "whole"))
        listed = [exp.alias_(exp.column("whole"), column), *columns]
        return exp.Select(expressions=listed).from_(inner.subquery("parts")).where(inside)

    def naive(self, branch: Branch, column: str, drop_null: bool) -> tuple[exp.Select, Node]:
        return branch.source.copy(), self.instances(branch.time, branch.window)


WRITERS: Mapping[str, DuckDB | Spark] = {"duckdb": DuckDB(), "spark": Spark()}


def _not_null(select: exp.Select, time: Node) -> exp.Select:
    return select.where(exp.Not(this=exp.Is(this=time.copy(), expression=exp.null())), copy=False)


class Emitter:
    """The SQL of branches that read the same rows, once their windows' parents are known.

    `share` says whether the aggregates can be shared, and by what they are combined; then `query` writes.
    """

    def __init__(self, text: Text, tree: Node, branches: Sequence[Branch], dialect: str, form: str) -> None:
        self._text, self._tree, self._branches = text, tree, branches
        self._writer, self._form = WRITERS[dialect], form
        self._drop_null = dialect == "duckdb" and form != "duckdb"
        self._taken = set(names([tree, *(branch.source for branch in branches)])) | {"w", "whole", "parts"}
        self._column = self._name(self._writer.column)
        first = branches[0]
        own = [_stem(key).lower() for key in first.keys]
        self._keys = [
            (first.plain(key), _stem(key) if own.count(_stem(key).lower()) == 1 else self._name(_stem(key)))
            for key in first.keys
        ]
        self._parts: dict[str, Part] = {}
        self._carried: dict[Node, tuple[list[str], Lower]] = {}
        self._asked: dict[Window, list[str]] = {}

    def share(self) -> set[str]:
        """Work out what is carried; the functions that combine it, on which depends what the graph may rest on."""
        for branch in self._branches:
            asked = self._asked.setdefault(branch.window, [])
            for node in [*branch.items, branch.having, *_order(branch)]:
                for aggregate in aggregates(node) if node is not None else []:
                    asked += [column for column in self._carry(branch, aggregate) if column not in asked]
        return {part.combiner for part in self._parts.values()}

    def _name(self, wanted: str) -> str:
        name, number = wanted, 1
        while name.lower() in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name.lower())
        return name

    def _carry(self, branch: Branch, aggregate: Node) -> list[str]:
        plain = branch.plain(aggregate)
        if plain not in self._carried:
            if any(is_mark(node) for node in aggregate.walk()):
                raise Unchanged(f"{self._text.shown(aggregate)} is an aggregate of the window itself")
            parts, lower = carry(aggregate, self._writer.name, self._text.shown(aggregate))
            columns = []
            for part in parts:
                known = (
                    column
                    for column, other in self._parts.items()
                    if (branch.plain(other.events), other.combiner, other.type)
                    == (branch.plain(part.events), part.combiner, part.type)
                )
                column = next(known, None) or self._name(part.stem)
                self._parts[column] = part
                columns.append(column)
            self._carried[plain] = columns, lower
        return self._carried[plain][0]

    # The WITH clauses

    def query(self, parent: Mapping[Window, Window | None]) -> str:
        """The text. `parent` has each window after the one that it is computed from."""
        needed: dict[Window, list[str]] = {window: list(self._asked.get(window, [])) for window in parent}
        for window in reversed(list(parent)):
            above = parent[window]
            if above is not None:
                needed[above] += [column for column in needed[window] if column not in needed[above]]
        tables: dict[Window, str] = {}
        clauses = []
        parents: set[Window | None] = set()
        for window, above in parent.items():
            kind = "window" if window in self._asked else "factor"
            tables[window] = self._name(f"{kind}_{_short(window)}")
            select = self._clause(window, above, needed[window], tables)
            for node in select.walk() if None in parents else ():
                node.pop_comments()  # they stand in the first clause that reads the stream
            parents.add(above)
            origin = "the stream" if above is None else tables[above]
            hidden = "" if window in self._asked else ", a factor window that nobody asked for"
            select.comments = [f" {described(window)}{hidden}: from {origin} "]
            clauses.append(
                exp.CTE(
                    this=select,
                    alias=exp.TableAlias(this=exp.to_identifier(tables[window])),
                    materialized=True if self._writer.name == "duckdb" else None,
                )
            )
        tree = self._with_leaves([self._answer(branch, tables, parent) for branch in self._branches])
        given = tree.args.get("with_")
        if given:
            for clause in clauses:
                given.append("expressions", clause)
        else:
            tree.set("with_", exp.With(expressions=clauses))
        return self._finished(tree)

    def _clause(
        self, window: Window, above: Window | None, columns: list[str], tables: Mapping[Window, str]
    ) -> exp.Select:
        names_of_keys = [name for _, name in self._keys]
        if above is not None:
            listed: list[Node] = [exp.column(name) for name in names_of_keys]
            listed += [
                exp.alias_(self._parts[column].combined(exp.column(column)), column) for column in columns
            ]
            select = self._writer.from_parent(window, above, tables[above], self._column, listed)
        else:
            first = self._branches[0]
            select = first.source.copy()
            time = first.time
            if isinstance(self._writer, DuckDB):
                found = self._writer.instances(time, window, None)
                if self._drop_null and self._writer.by_bucket(window, None):
                    select = _not_null(select, time)
            else:
                found = self._writer.instances(time, window)
            listed = [exp.alias_(found, self._column)]
            # A plain column has no alias: DuckDB spells it as its table does, whatever the query says.
            listed += [
                key.copy() if _is_named(key, name) else exp.alias_(key.copy(), name)
                for key, name in zip(first.keys, names_of_keys, strict=True)
            ]
            listed += [exp.alias_(self._parts[column].events.copy(), column) for column in columns]
            select.set("expressions", listed)
            if first.leaf.args.get("hint"):
                select.set("hint", first.leaf.args["hint"].copy())
        places = [exp.Literal.number(place + 1) for place in range(1 + len(names_of_keys))]
        select.set("group", exp.Group(expressions=places))
        return select

    # The SELECTs over them

    def _answer(
        self, branch: Branch, tables: Mapping[Window, str], parent: Mapping[Window, Window | None]
    ) -> exp.Select:
        select = exp.Select().from_(tables[branch.window])
        select.comments = branch.leaf.comments
        first = branch is self._branches[0]
        select.set("expressions", [self._item(branch, item, first) for item in branch.items])
        if branch.having is not None:
            select.where(self._rewritten(branch, branch.having), copy=False)
        above = parent[branch.window]
        has_null = isinstance(self._writer, DuckDB) and self._writer.by_bucket(branch.window, above)
        if has_null and not branch.keeps_null and not self._drop_null:
            _not_null(select, exp.column(self._column))
        for clause in CARRIED_OVER:
            value = branch.leaf.args.get(clause)
            if clause == "order" and value:
                select.set(
                    "order", exp.Order(expressions=[self._ordered(branch, one) for one in value.expressions])
                )
            elif value and clause != "hint":
                select.set(clause, value.copy())
        return select

    def _item(self, branch: Branch, item: Node, first: bool) -> Node:
        said = item.unalias()
        written = self._rewritten(branch, said)
        if isinstance(item, exp.Alias):
            alias = exp.alias_(written, item.args["alias"].copy())
            alias.add_comments(item.comments)
            return alias
        if isinstance(said, exp.Column):
            if _is_named(said, written.name):
                written.set("this", said.this.copy())
                return written
            return exp.alias_(written, said.this.copy())
        if not said.find(exp.Column) and not aggregates(said):
            return written
        name = auto_name(self._text, said, self._writer.name)
        if name is None and first:
            raise Unchanged(f"{self._text.shown(said)} has no name; write AS and a name after it")
        return exp.alias_(written, name, quoted=True) if name and first else written

    def _ordered(self, branch: Branch, ordered: Node) -> Node:
        by = ordered.this
        shown = {item.alias_or_name.lower() for item in branch.items}
        if isinstance(by, exp.Literal) or (isinstance(by, exp.Column) and by.name.lower() in shown):
            return ordered.copy()
        raise Unchanged("a SELECT over a window is ordered by something that is no column of its result")

    def _rewritten(self, branch: Branch, node: Node) -> Node:
        """An expression over marks, keys and aggregates, as one over the columns that the window carries."""
        if is_mark(node):
            column = exp.column(self._column)
            written = self._writer.mark(node.name, column, branch.window)
        elif (plain := branch.plain(node)) in self._carried:
            columns, lower = self._carried[plain]
            written = lower([exp.column(column) for column in columns])
        elif plain in dict(self._keys):
            written = exp.column(dict(self._keys)[plain])
        elif isinstance(node, exp.Column):
            for item in branch.items:
                if isinstance(item, exp.Alias) and not node.table and item.alias.lower() == node.name.lower():
                    return exp.paren(self._rewritten(branch, item.this))
            self._stray(node)
        else:
            copy = node.copy()
            for child, original in zip(
                list(copy.iter_expressions()), list(node.iter_expressions()), strict=True
            ):
                written = self._rewritten(branch, original)
                if isinstance(written, exp.Binary) and not isinstance(original, exp.Binary):
                    written = exp.paren(written)
                child.replace(written)
            return copy
        written = written.copy()
        written.add_comments(node.comments)
        return written

    def _stray(self, node: Node) -> None:
        call = node.find_ancestor(exp.Func)
        if call is not None and not isinstance(call, (exp.Binary, exp.Cast)):
            raise Unchanged(
                f"{self._text.shown(call)} is neither grouped by nor an aggregate that smaller windows can give"
            )
        raise self._text.error(node, "expected a column that is grouped by, or one inside an aggregate")

    # The naive query

    def naive(self) -> str:
        """One SELECT a window, each from the stream."""
        return self._finished(self._with_leaves([self._naive(branch) for branch in self._branches]))

    def _naive(self, branch: Branch) -> exp.Select:
        rows, window = self._writer.naive(branch, self._column, self._drop_null)

        def put(node: Node) -> Node:
            return self._writer.mark(node.name, window.copy(), branch.window) if is_mark(node) else node

        rows.set("expressions", [item.copy().transform(put) for item in branch.items])
        rows.set("group", exp.Group(expressions=[window.copy(), *(key.copy() for key in branch.keys)]))
        if branch.having is not None:
            rows.set("having", exp.Having(this=branch.having.copy().transform(put)))
        for clause in CARRIED_OVER:
            value = branch.leaf.args.get(clause)
            if value:
                rows.set(clause, value.copy())
        rows.comments = branch.leaf.comments
        return rows

    # The whole

    def _with_leaves(self, written: Sequence[exp.Select]) -> Node:
        """A copy of the query's tree with other SELECTs; several of one leaf are joined by UNION ALL."""
        by_leaf: dict[int, Node] = {}
        for branch, select in zip(self._branches, written, strict=True):
            known = by_leaf.get(id(branch.leaf))
            for node in select.walk() if known else ():
                node.pop_comments()  # they stand in the first of the SELECTs that the leaf stands for
            by_leaf[id(branch.leaf)] = (
                select if known is None else exp.Union(this=known, expression=select, distinct=False)
            )

        def placed(node: Node) -> Node:
            if id(node) in by_leaf:
                made = by_leaf[id(node)]
                if node.args.get("with_"):
                    made.set("with_", node.args["with_"].copy())
                return made
            copy = node.copy()
            if isinstance(node, exp.SetOperation):
                copy.set("this", placed(node.this))
                copy.set("expression", placed(node.expression))
            else:
                copy.set("this", placed(node.this))
            return copy

        return placed(self._tree)

    def _finished(self, tree: Node) -> str:
        written = tree.sql(self._writer.name, pretty=True)
        kept = {comment.strip() for comment in re.findall(r"/\*\+?(.*?)\*/", written, re.DOTALL)}
        lost = [comment for comment in dict.fromkeys(self._text.comments) if comment not in kept]
        if self._form == "azure":
            lost.insert(0, "Windows are [start, end) here; Azure Stream Analytics takes (start, end].")
        return "".join(f"-- {line}\n" for comment in lost for line in comment.splitlines()) + written + "\n"


def _stem(key: Node) -> str:
    """A name for a key in the WITH clauses: its own, where it is a column."""
    return key.name if isinstance(key, exp.Column) and re.fullmatch(r"[A-Za-z]\w*", key.name) else "key"


def _is_named(node: Node, name: str) -> bool:
    return isinstance(node, exp.Column) and node.name.lower() == name.lower()


def _short(window: Window) -> str:
    def short(size: int) -> str:
        count, unit = spelled(size)
        return (
            f"{count}{ {'HOUR': 'h', 'MINUTE': 'min', 'SECOND': 's', 'MILLISECOND': 'ms'}.get(unit, 'us') }"
        )

    every = "" if window.slide == window.range else f"_every_{short(window.slide)}"
    return f"{short(window.range)}{every}{f'_from_{short(window.offset)}' if window.offset else ''}"


def _order(branch: Branch) -> Iterable[Node]:
    order = branch.leaf.args.get("order")
    return [ordered.this for ordered in order.expressions] if order else []


def auto_name(text: Text, node: Node, dialect: str) -> str | None:
    """The name that the engine gives to a column without one, for aggregates of a plain column; else None.

    >>> query = Text("SELECT Max(V), count(*)", "duckdb")
    >>> [auto_name(query, item, dialect) for item in query.parse().selects for dialect in ("duckdb", "spark")]
    ['max(V)', 'max(V)', 'count_star()', 'count(1)']
    """
    if not isinstance(node, (exp.Min, exp.Max, exp.Sum, exp.Count, exp.Avg)):
        return None
    called = text.shown(node).split("(")[0].strip().lower()
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Star):
        return "count_star()" if dialect == "duckdb" else "count(1)"
    column = node.this
    if not isinstance(column, exp.Column) or node.expressions:
        return None
    parts = [part for part in column.parts if isinstance(part, exp.Identifier)]
    if any(part.args.get("quoted") for part in parts):
        return None
    shown = ".".join(part.name for part in parts) if dialect == "duckdb" else column.name
    return f"{called}({shown})"


def rate_of(unit: int) -> Fraction:
    """Events a time unit, of so many microseconds: one a millisecond, a guess on the busy side.

    Too high a guess costs little, since sub-aggregates are never more than the events that they are made of.

    >>> rate_of(1_000_000)
    Fraction(1000, 1)
    """
    return Fraction(unit, 1000)
