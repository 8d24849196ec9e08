"""Trees and plans as values: sums, nodes, words."""

from __future__ import annotations

from fractions import Fraction

import pytest

from swagcore.plan import Plan, Tree, partition_error, shown
from swagcore.windows import Query, Window

A, B = (Query(name, "max", Window(6, 2)) for name in "ab")


def tree(*queries: Query, cost: int = 1, node: int = 0, bounded: bool = False) -> Tree:
    bounds = (Fraction(1, 4), Fraction(1, 2)) if bounded else None
    return Tree(queries, Fraction(1, 2), Fraction(2), Fraction(cost), node, bounds)


def test_costs_are_sums_over_nodes() -> None:
    plan = Plan((tree(A, cost=3, node=2), tree(B, cost=4, node=0)), nodes=3, node_cost=Fraction(10))
    assert plan.costs == [14, 0, 13]
    assert (plan.cost, plan.max_node_cost) == (27, 14)
    assert [[one.names for one in trees] for trees in plan.by_node] == [[["b"]], [], [["a"]]]
    assert list(plan) == list(plan.trees)


@pytest.mark.parametrize(
    ("plan", "error"),
    [
        (Plan((tree(A, B),)), None),
        (Plan((tree(A), tree(B, node=1)), nodes=2), None),
        (Plan((tree(A),)), "lost: b"),
        (Plan((tree(A, B), tree(A))), "3 queries planned, 2 given"),
        (Plan((tree(A, B), tree())), "a tree without queries"),
        (Plan((tree(A), tree(B, node=1))), "a tree on no node"),
    ],
)
def test_partitions(plan: Plan, error: str | None) -> None:
    assert partition_error(plan, [A, B]) == error


def test_a_plan_says_where_edges_were_only_bounded() -> None:
    assert Plan((tree(A),)).exact
    plan = Plan((tree(A, B, bounded=True),), optimizer="shared")
    assert not plan.exact
    assert plan.explain().splitlines() == [
        "shared: 1 tree, cost 1",
        "  tree of 2: E <= 1/2, Omega = 2, cost 1: a, b",
        "The edge rates marked with <= are upper bounds: counting these edges is beyond every method.",
    ]


def test_long_trees_are_cut() -> None:
    many = [Query(f"q{number}", "max", Window(6, 2)) for number in range(20)]
    assert Plan((tree(*many),)).explain(names=2).endswith(": q0, q1, ...")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(-8, 18), "-4/9"),
        (Fraction(10**6), "1e+6"),
        (Fraction(1234567, 2), "617284"),
        (Fraction(10**400, 3), "3.33333e+399"),
        (Fraction(1, 10**5000), "1e-5000"),
        (7, "7"),
    ],
)
def test_numbers_are_short(number: Fraction | int, text: str) -> None:
    assert shown(number) == text
