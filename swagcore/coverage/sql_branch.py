"""What a query asks: its SELECTs, each over one window, with the window's own calls replaced by marks.

A branch is a SELECT of the query, or one of the many that an Azure `Windows(...)` stands for. The forms of the three
dialects (`sql_forms`) differ in how a window is written; from here on they are alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from swagcore.coverage.sql_text import Node, Text, Unchanged, exp, names, plain
from swagcore.windows import Window

START, END, WINDOW = "$START", "$END", "$WINDOW"
"""The marks: an instance's start, its end, and Spark's struct of the two."""


def mark(name: str) -> Node:
    """A mark as a node of the tree.

    >>> is_mark(mark(START)), is_mark(exp.column("start"))
    (True, False)
    """
    return exp.Anonymous(this=name)


def is_mark(node: Node) -> bool:
    """Whether the node is a mark."""
    return isinstance(node, exp.Anonymous) and node.name in (START, END, WINDOW)


@dataclass
class Branch:
    """One SELECT over one window.

    `items`, `having` and `order` speak of marks, keys and aggregates. `keeps_null`: events without a time are a group
    of their own, as time_bucket(NULL) is in DuckDB. `keys` are what is grouped by beside the window.
    """

    leaf: exp.Select
    window: Window
    time: Node
    keeps_null: bool
    source: exp.Select
    keys: list[Node] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    having: Node | None = None

    @cached_property
    def qualified(self) -> bool:
        """Whether there are several tables, so that the table's name before a column means something."""
        return len(list(self.source.find_all(exp.Table, exp.Subquery, exp.Unnest, exp.Lateral))) > 1

    def plain(self, node: Node) -> Node:
        """The node as it is compared with others of this branch."""
        return plain(node, self.qualified)


CARRIED_OVER = ("distinct", "order", "limit", "offset", "hint")
"""Clauses of a SELECT that work the same on the rows of the shared window."""
SOURCE = ("from_", "joins", "laterals", "where")
READ = (*CARRIED_OVER, *SOURCE, "expressions", "group", "having", "with_")


def read_branch(
    text: Text, leaf: exp.Select, marked: exp.Select, window: Window, time: Node, keeps_null: bool
) -> Branch:
    """The branch of a SELECT whose window is marked already."""
    for clause, value in marked.args.items():
        if value and clause not in READ:
            raise Unchanged(
                f"a SELECT over a window has a clause that is not shared: {clause.rstrip('_').upper()}"
            )
    if marked.find(exp.Window):
        raise Unchanged("a SELECT over a window has a window function (OVER)")
    source = exp.Select(
        **{clause: marked.args.get(clause) for clause in SOURCE if marked.args.get(clause)}
    ).copy()
    if not source.args.get("from_"):
        raise text.error(leaf, "it has no FROM")
    if any(is_mark(node) for node in source.walk()):
        raise Unchanged("the rows are filtered by the window that they are in")
    time = time.copy()
    for node in time.walk():
        node.pop_comments()  # it stands in many places, and they need stand in none of them
    branch = Branch(leaf, window, time, keeps_null, source)
    for item in marked.expressions:
        if isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star)):
            raise text.error(item, "expected the names of columns, since * cannot be grouped by")
        if item.find(exp.Subquery, exp.Select):
            raise Unchanged("a SELECT over a window has a subquery among its columns")
        branch.items.append(item.copy())
    having = marked.args.get("having")
    branch.having = having.this.copy() if having else None
    branch.keys = list(_keys(text, marked, branch))
    return branch


def _keys(text: Text, select: exp.Select, branch: Branch) -> Iterator[Node]:
    """What the SELECT groups by beside its window; that it does group by the window is checked."""
    group = select.args.get("group")
    if group is None:
        raise text.error(branch.leaf, "a window is not in the GROUP BY, and there is none")
    many = group.find(exp.Rollup, exp.Cube, exp.GroupingSets, exp.Tuple)
    if many or group.args.get("totals"):
        kind = {exp.Cube: "CUBE", exp.GroupingSets: "GROUPING SETS", exp.Tuple: "a tuple"}.get(
            type(many), "ROLLUP"
        )
        raise Unchanged(f"it groups by {kind}")
    grouped = list(group.expressions)
    if group.args.get("all"):
        grouped = [item.unalias() for item in select.expressions if not aggregates(item.unalias())]
    seen_window = False
    found: list[Node] = []
    for item in grouped:
        item = _meant(text, item, select).unnest()
        marks = any(is_mark(node) for node in item.walk())
        if is_mark(item):
            seen_window = True
        elif marks and item.find(exp.Column):
            raise Unchanged("it groups by the window and a column in one expression")
        elif item.find(exp.Column) and branch.plain(item) not in [branch.plain(other) for other in found]:
            found.append(item)
    if not seen_window:
        raise text.error(group, "expected the window itself among what is grouped by")
    yield from found


def _meant(text: Text, item: Node, select: exp.Select) -> Node:
    """What an item of GROUP BY means: a position or a name can stand for an item of the SELECT list.

    A name that is used as a column anywhere is one, in Spark and in DuckDB, whatever the SELECT list calls so.
    """
    if isinstance(item, exp.Literal) and not item.is_string:
        place = int(item.name) if item.name.isdecimal() else 0
        if not 1 <= place <= len(select.expressions):
            raise text.error(item, f"expected a position from 1 to {len(select.expressions)}")
        chosen: Node = select.expressions[place - 1]
        return chosen.unalias().copy()
    if isinstance(item, exp.Column) and not item.table:
        for output in select.expressions:
            if isinstance(output, exp.Alias) and output.alias.lower() == item.name.lower():
                meant: Node = output.this
                if item.name.lower() not in names([meant]):
                    return meant.copy()
    return item.copy()


def aggregates(node: Node) -> list[Node]:
    """The outermost aggregates of an expression, with FILTER and IGNORE NULLS.

    >>> query = Text("SELECT max(v) - min(v) FILTER (WHERE v > 0)", "duckdb").parse()
    >>> [found.sql() for found in aggregates(query.selects[0])]
    ['MAX(v)', 'MIN(v) FILTER(WHERE v > 0)']
    """
    if isinstance(node, (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.AggFunc)) or is_quantifier(node):
        return [node]
    return [found for child in node.iter_expressions() for found in aggregates(child)]


def is_quantifier(node: Node) -> bool:
    """Whether it is any, some, every or mean of a column, which sqlglot does not take for aggregates.

    What a value is compared with, as in v = ANY(list), is none.
    """
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in ("some", "every", "mean", "bool_and", "bool_or")
    compared = isinstance(node.parent, exp.Predicate) and node.arg_key == "expression"
    return isinstance(node, exp.Any) and not compared
