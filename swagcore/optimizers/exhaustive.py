"""The cheapest plan of all, by looking at all: what C §2.4 compares Weave Share with where queries are few."""

from __future__ import annotations

from fractions import Fraction

from swagcore.errors import InvalidArgument
from swagcore.optimizers.bunches import Loom
from swagcore.optimizers.problem import Problem
from swagcore.plan import Plan

MOST = 12
"""More queries than that are refused."""


def exhaustive(problem: Problem) -> Plan:
    """The cheapest of all partitions of the queries into trees; one of them, where several are.

    The cheapest plan of a set is a tree that has its first query and the cheapest plan of the rest. So all partitions
    are judged, but each of the 2^n trees is counted once, and 3^n pairs of tree and rest are looked at.

    >>> from swagcore.optimizers import optimize
    >>> from swagcore.windows import Query, Window
    >>> queries = [Query("a", "max", Window(6, 6)), Query("b", "max", Window(5, 5)), Query("c", "max", Window(9, 3))]
    >>> [tree.names for tree in optimize(queries, rate=0.3, optimizer="exhaustive").trees]
    [['a', 'c'], ['b']]
    """
    size = len(problem.queries)
    if size > MOST:
        raise InvalidArgument(
            "number of queries",
            size,
            f"at most {MOST} for optimizer 'exhaustive', which looks at all partitions",
        )
    loom = Loom(problem.model, problem.queries)
    costs = [Fraction(0)] * (1 << size)
    for chosen in range(1, 1 << size):
        costs[chosen] = loom.cost(loom.bunch(_positions(chosen)))
    best = [Fraction(0)] * (1 << size)
    tree = [0] * (1 << size)
    for left in range(1, 1 << size):
        first = left & -left
        others = left ^ first
        rest = others  # of those without the first one, all subsets, from all to none
        best[left], tree[left] = costs[first] + best[others], first
        while rest:
            rest = (rest - 1) & others
            cost = costs[left ^ rest] + best[rest]
            if cost < best[left]:
                best[left], tree[left] = cost, left ^ rest
    groups = []
    left = (1 << size) - 1
    while left:
        groups.append(loom.bunch(_positions(tree[left])))
        left ^= tree[left]
    return problem.of_bunches(groups, "exhaustive")


def _positions(chosen: int) -> list[int]:
    return [position for position in range(chosen.bit_length()) if chosen >> position & 1]
