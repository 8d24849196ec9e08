"""What of an aggregate is carried from window to window, and how its answer is made of that.

| aggregate | carried | combined by | answer |
|---|---|---|---|
| min, max, bool_or (any, some), bool_and (every) | itself | itself, also where parts overlap | itself |
| sum | itself | sum | itself |
| count, count(*) | itself | sum, as BIGINT | itself |
| avg (mean) | sum and count | sum | sum / count, NULL where the count is 0 |

Not carried: whatever is DISTINCT or holistic; first and last, for which rows have no order; variance and stddev, since
sums of squares of floats cancel, so that the answer could differ in all its digits and not just the last ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from swagcore.coverage.sql_text import Node, Unchanged, exp

IDEMPOTENT = ("MIN", "MAX", "BOOL_OR", "BOOL_AND")


@dataclass(frozen=True)
class Part:
    """A column that windows carry: computed from events, or combined from the parts of smaller windows.

    `type`: what a combined part is cast to, where adding up would give another type than the aggregate has.
    """

    stem: str
    events: Node
    combiner: str
    type: str | None = None

    def combined(self, column: Node) -> Node:
        """The part of a window, from those of smaller windows.

        >>> Part("n", exp.Count(this=exp.Star()), "SUM", "BIGINT").combined(exp.column("n")).sql()
        'CAST(SUM(n) AS BIGINT)'
        """
        total: Node = exp.func(self.combiner, column)
        return exp.cast(total, self.type) if self.type else total


Lower = Callable[[list[Node]], Node]


def carry(aggregate: Node, dialect: str, shown: str) -> tuple[list[Part], Lower]:
    """The parts of an aggregate, and the answer made of their columns.

    >>> parts, lower = carry(exp.Avg(this=exp.column("v")), "duckdb", "avg(v)")
    >>> [part.events.sql() for part in parts], lower([exp.column("s"), exp.column("n")]).sql()
    (['SUM(v)', 'COUNT(v)'], 's / NULLIF(n, 0)')
    """
    function = aggregate.this if isinstance(aggregate, exp.Filter) else aggregate
    name = _NAMES.get(function.name.lower() if isinstance(function, exp.Anonymous) else function.key)
    if name is None:
        raise Unchanged(f"{shown} cannot be put together from smaller windows")
    if function.find(exp.Distinct) and name not in ("MIN", "MAX"):
        raise Unchanged(f"{shown} cannot be put together from smaller windows, because it is DISTINCT")
    arguments = list(function.iter_expressions())
    if name != "COUNT" and len(arguments) != 1:  # DuckDB's max(v, 2) is a list
        raise Unchanged(f"{shown} cannot be put together from smaller windows")
    if function.find(exp.Order, exp.Limit, exp.IgnoreNulls, exp.RespectNulls):
        raise Unchanged(f"{shown} depends on the order of its rows")

    def filtered(node: Node) -> Node:
        if not isinstance(aggregate, exp.Filter):
            return node
        return exp.Filter(this=node, expression=aggregate.expression.copy())

    argument = arguments[0] if arguments else exp.Star()  # DuckDB's count() counts all
    stem = argument.name.lower() if isinstance(argument, exp.Column) else ""
    stem = "all" if isinstance(argument, exp.Star) else stem if stem.isidentifier() else ""
    decimal = _decimal(argument) if dialect == "spark" else None
    # In Spark each sum of decimals has ten digits more than its input; one sum has, so all are cast back to that.
    wide = f"DECIMAL({min(38, decimal[0] + 10)}, {decimal[1]})" if decimal else None
    if name == "COUNT":
        return [Part(f"count_{stem}".rstrip("_"), filtered(function.copy()), "SUM", "BIGINT")], _same
    if name != "AVG":
        return [Part(f"{name}_{stem}".lower().rstrip("_"), filtered(function.copy()), name, wide)], _same
    total, count = exp.Sum(this=argument.copy()), exp.Count(this=argument.copy())
    parts = [
        Part(f"sum_{stem}".rstrip("_"), filtered(total), "SUM", wide),
        Part(f"count_{stem}".rstrip("_"), filtered(count), "SUM", "BIGINT"),
    ]

    def mean(columns: list[Node]) -> Node:
        counted = exp.func("NULLIF", columns[1], exp.Literal.number(0))
        if decimal is None:
            return exp.Div(this=columns[0], expression=counted)
        quotient = exp.Div(this=columns[0], expression=exp.cast(counted, "DECIMAL(20, 0)"))
        return exp.cast(quotient, f"DECIMAL({min(38, decimal[0] + 4)}, {min(38, decimal[1] + 4)})")

    return parts, mean


def _same(columns: list[Node]) -> Node:
    return columns[0]


_NAMES = {
    "min": "MIN",
    "max": "MAX",
    "sum": "SUM",
    "count": "COUNT",
    "avg": "AVG",
    "mean": "AVG",
    "logicalor": "BOOL_OR",
    "logicaland": "BOOL_AND",
    "any": "BOOL_OR",
    "some": "BOOL_OR",
    "every": "BOOL_AND",
    "bool_or": "BOOL_OR",
    "bool_and": "BOOL_AND",
}


def _decimal(node: Node) -> tuple[int, int] | None:
    """Precision and scale of an argument that is cast to a decimal, else None."""
    if not isinstance(node, exp.Cast) or not node.to.is_type("decimal"):
        return None
    sizes = [int(size.name) for size in node.to.expressions]
    precision, scale = sizes + [10, 0][len(sizes) :]
    return precision, scale
