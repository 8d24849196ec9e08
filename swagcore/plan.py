"""Plans: which queries share an execution tree, on which node, and what that costs. S §2.4, C §2.3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

from swagcore.windows import Query

_SIX_DIGITS = Context(prec=6, Emax=MAX_EMAX, Emin=MIN_EMIN)


@dataclass(frozen=True, slots=True)
class Tree:
    """Queries that share their partials, and what running them together costs a time unit.

    `edge_rate` (E) is the number of edges a time unit, `omega` that of final aggregations an edge, `cost` what the
    tree costs with its own part of the sub-aggregation. `edge_bounds`: where E could not be counted, an interval that
    certainly contains it; `edge_rate` is then its upper end.

    >>> from swagcore.windows import Window
    >>> tree = Tree((Query("high", "max", Window(6, 2)),), Fraction(1, 2), Fraction(2), Fraction(2))
    >>> tree.names, tree.node, tree.exact
    (['high'], 0, True)
    """

    queries: tuple[Query, ...]
    edge_rate: Fraction
    omega: Fraction
    cost: Fraction
    node: int = 0
    edge_bounds: tuple[Fraction, Fraction] | None = None

    @property
    def names(self) -> list[str]:
        """The names of its queries."""
        return [query.name for query in self.queries]

    @property
    def exact(self) -> bool:
        """Whether its edges were counted, and not bounded."""
        return self.edge_bounds is None


@dataclass(frozen=True, slots=True)
class Plan:
    """A partition of queries into trees, and of trees over nodes.

    `node_cost` is what a node that has trees pays beside them: nothing where every tree does its own sub-aggregation,
    the input rate where one of the node feeds all its trees (TriWeave).

    - What it costs: `cost`, `costs` (of each node), `max_node_cost`; exact.
    - What it says: `trees`, `by_node`, `explain()`; `exact` is False where the edges of a tree were only bounded.

    >>> from swagcore.windows import Window
    >>> tree = Tree((Query("high", "max", Window(6, 2)),), Fraction(1, 2), Fraction(2), Fraction(2))
    >>> plan = Plan((tree,), nodes=2, optimizer="no_share")
    >>> plan.cost, plan.max_node_cost, [len(trees) for trees in plan.by_node]
    (Fraction(2, 1), Fraction(2, 1), [1, 0])
    >>> print(plan.explain())
    no_share: 1 tree, cost 2 on 2 nodes, the most expensive 2
    node 0, cost 2
      tree of 1: E = 1/2, Omega = 2, cost 2: high
    node 1, cost 0
    """

    trees: tuple[Tree, ...]
    nodes: int = 1
    optimizer: str = ""
    node_cost: Fraction = Fraction(0)

    @property
    def by_node(self) -> list[tuple[Tree, ...]]:
        """The trees of every node, empty nodes included."""
        found: list[list[Tree]] = [[] for _ in range(self.nodes)]
        for tree in self.trees:
            found[tree.node].append(tree)
        return [tuple(trees) for trees in found]

    @property
    def costs(self) -> list[Fraction]:
        """What every node costs a time unit."""
        return [
            sum((tree.cost for tree in trees), self.node_cost) if trees else Fraction(0)
            for trees in self.by_node
        ]

    @property
    def cost(self) -> Fraction:
        """What the plan costs a time unit: the sum over its nodes. S Eq 2.1 and 6.1, C Eq 2."""
        return sum(self.costs, Fraction(0))

    @property
    def max_node_cost(self) -> Fraction:
        """What its most expensive node costs. S Eq 6.2."""
        return max(self.costs, default=Fraction(0))

    @property
    def exact(self) -> bool:
        """Whether the edges of all trees were counted."""
        return all(tree.exact for tree in self.trees)

    def __iter__(self) -> Iterator[Tree]:
        return iter(self.trees)

    def explain(self, names: int = 8) -> str:
        """The plan in words, with at most so many names a tree."""
        how_many = f"{len(self.trees)} tree" + "s" * (len(self.trees) != 1)
        over = f" on {self.nodes} nodes, the most expensive {shown(self.max_node_cost)}"
        lines = [
            f"{self.optimizer or 'plan'}: {how_many}, cost {shown(self.cost)}"
            + (over if self.nodes > 1 and self.trees else "")
        ]
        for node, (trees, cost) in enumerate(zip(self.by_node, self.costs, strict=True)):
            if self.nodes > 1 or self.node_cost:
                beside = (
                    f", {shown(self.node_cost)} of it beside its trees" if trees and self.node_cost else ""
                )
                lines.append(f"node {node}, cost {shown(cost)}{beside}")
            lines += [f"  {_line(tree, names)}" for tree in trees]
        if not self.exact:
            lines.append(
                "The edge rates marked with <= are upper bounds: counting these edges is beyond every method."
            )
        return "\n".join(lines)


def _line(tree: Tree, names: int) -> str:
    listed = tree.names[:names] + ["..."] * (len(tree.queries) > names)
    relation = "=" if tree.exact else "<="
    return (
        f"tree of {len(tree.queries)}: E {relation} {shown(tree.edge_rate)}, Omega = {shown(tree.omega)}, "
        f"cost {shown(tree.cost)}: {', '.join(listed)}"
    )


def shown(number: Fraction | int) -> str:
    """A number as people read it: exact where that is short, else to six digits.

    >>> shown(Fraction(8, 18)), shown(Fraction(12)), shown(Fraction(10**30, 7)), shown(Fraction(1, 10**400))
    ('4/9', '12', '1.42857e+29', '1e-400')
    """
    if max(abs(number.numerator), number.denominator) < 10**6:
        return str(number)
    quotient = _SIX_DIGITS.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{quotient.normalize(_SIX_DIGITS):g}"


def partition_error(plan: Plan, queries: Sequence[Query]) -> str | None:
    """What is wrong with a plan as a partition of these queries; None where it is one.

    >>> partition_error(Plan(()), [])
    >>> from swagcore.windows import Window
    >>> partition_error(Plan(()), [Query("high", "max", Window(6, 2))])
    'lost: high'
    """
    planned = [query for tree in plan.trees for query in tree.queries]
    if lost := {query.name for query in queries} - {query.name for query in planned}:
        return f"lost: {', '.join(sorted(lost))}"
    if len(planned) != len(queries):
        return f"{len(planned)} queries planned, {len(queries)} given"
    if any(not tree.queries for tree in plan.trees):
        return "a tree without queries"
    if any(not 0 <= tree.node < plan.nodes for tree in plan.trees):
        return "a tree on no node"
    return None
