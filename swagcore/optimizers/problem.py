"""What an optimizer is asked: queries, what they cost, nodes, a seed; and the ways from groups of queries to a plan."""

from __future__ import annotations

import heapq
import operator
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from swagcore.cost import CostModel
from swagcore.errors import InvalidArgument
from swagcore.optimizers.bunches import Bunch
from swagcore.plan import Plan, Tree
from swagcore.windows import Query

MOST_NODES = 1_000_000
"""More nodes than that are refused: a plan lists every one."""


class Problem:
    """Queries to be planned, checked once: of different names, all over time or all over counts.

    - `queries`, `model` (what a tree costs), `nodes`, `random` (seeded).
    - `plan(trees)`: trees that have their node. `place(trees)`: trees for one node, spread over all.

    >>> from swagcore.windows import Window
    >>> problem = Problem([Query("a", "max", Window(6, 2)), Query("b", "max", Window(8, 4))], CostModel(rate=1), nodes=2)
    >>> trees = [problem.model.tree([query]) for query in problem.queries]
    >>> [(tree.names, tree.node) for tree in problem.place(trees).trees]
    [(['a'], 0), (['b'], 1)]
    """

    def __init__(self, queries: Iterable[Query], model: CostModel, nodes: int = 1, seed: int = 0) -> None:
        self.queries = _checked(queries)
        self.model = model
        self.nodes = _integer("nodes", nodes)
        if not 1 <= self.nodes <= MOST_NODES:
            raise InvalidArgument("nodes", nodes, f"an integer from 1 to {MOST_NODES}")
        self.random = random.Random(_integer("seed", seed))

    def plan(self, trees: Iterable[Tree], optimizer: str = "") -> Plan:
        """The plan of trees that are on their nodes already."""
        return Plan(tuple(trees), nodes=self.nodes, optimizer=optimizer)

    def place(self, trees: Iterable[Tree], optimizer: str = "") -> Plan:
        """The plan of trees that were made for one node: the most expensive first, each to the cheapest node so far.

        The trees keep their order; of equal trees the earlier, of equal nodes the first.
        """
        listed = list(trees)
        if self.nodes == 1:
            return self.plan(listed, optimizer)
        return self.plan(
            (replace(tree, node=node) for tree, node in zip(listed, self.to_lowest(listed), strict=True)),
            optimizer,
        )

    def of_bunches(self, bunches: Iterable[Bunch], optimizer: str) -> Plan:
        """The plan of bunches of these queries, in the order of their first ones, placed."""
        ordered = sorted(bunches, key=lambda bunch: bunch.first)
        trees = [self.model.tree(self.queries[member] for member in bunch.members) for bunch in ordered]
        return self.place(trees, optimizer)

    def to_lowest(self, trees: Sequence[Tree]) -> list[int]:
        """The node of each tree, where the most expensive go first, each to the node that costs least so far."""
        nodes = [(Fraction(0), node) for node in range(min(self.nodes, len(trees)))]
        chosen = [0] * len(trees)
        for number in sorted(range(len(trees)), key=lambda number: -trees[number].cost):
            cost, node = nodes[0]
            chosen[number] = node
            heapq.heapreplace(nodes, (cost + trees[number].cost, node))
        return chosen


def _checked(queries: Iterable[Query]) -> list[Query]:
    """The queries as a list. As `windows.query_set`, but a million of them in a fraction of a second."""
    try:
        found = list(queries)
    except TypeError:
        raise InvalidArgument("queries", queries, "a list of Query") from None
    names: set[str] = set()
    for query in found:
        if not isinstance(query, Query):
            raise InvalidArgument("query", query, "a Query")
        if query.window.unit is not None:
            query.window.to_unit(None)  # says in a sentence that the stream's unit is needed
        if query.window.by_count != found[0].window.by_count:
            raise InvalidArgument(
                "queries",
                [found[0].name, query.name],
                "all over time or all over counts: they share no slices",
            )
        names.add(query.name)
    if len(names) < len(found):
        seen: set[str] = set()
        for query in found:
            if query.name in seen:
                raise InvalidArgument(
                    "name of a query", query.name, "a name that no other query of the set has"
                )
            seen.add(query.name)
    return found


def _integer(name: str, value: object) -> int:
    if not isinstance(value, bool):
        try:
            return operator.index(value)  # type: ignore[arg-type]  # that is what is asked
        except TypeError:
            pass
    raise InvalidArgument(name, value, "an integer")
