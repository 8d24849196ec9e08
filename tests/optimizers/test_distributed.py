"""The thirteen optimizers for several nodes: partitions, true costs, and each against its description done plainly."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swagcore.cost import CostModel
from swagcore.errors import InvalidArgument
from swagcore.optimizers import OPTIMIZERS, distributed, optimize
from swagcore.optimizers.workloads import workload
from swagcore.plan import Plan, partition_error
from swagcore.windows import Query, Window

THIRTEEN = [name for name, module in OPTIMIZERS.items() if module == "distributed"]

windows = st.builds(Window, st.integers(1, 40), st.integers(1, 12), st.integers(0, 11))


def named(found: Iterable[Window]) -> list[Query]:
    return [Query(f"q{number}", "max", window) for number, window in enumerate(found)]


query_sets = st.lists(windows, max_size=14).map(named)
rates = st.sampled_from([Fraction(1, 100), Fraction(1, 3), 1, 5, 1000])


def test_all_of_the_table_are_here() -> None:
    assert len(THIRTEEN) == 13  # S Table 7


@pytest.mark.parametrize("optimizer", THIRTEEN)
@given(queries=query_sets, nodes=st.integers(1, 20), rate=rates, seed=st.integers(0, 5))
@settings(max_examples=25)
def test_a_partition_that_costs_what_it_says(
    optimizer: str, queries: list[Query], nodes: int, rate: Fraction, seed: int
) -> None:
    plan = optimize(queries, rate, optimizer, nodes=nodes, seed=seed)
    assert partition_error(plan, queries) is None
    model = CostModel(rate)
    costs = [model.plan_cost([tree.queries for tree in trees]) for trees in plan.by_node]
    assert len(costs) == plan.nodes == nodes
    assert plan.costs == costs
    assert plan.cost == sum(costs)
    assert plan.max_node_cost == max(costs)
    if optimizer.startswith("w_"):
        assert max(map(len, plan.by_node)) <= 1  # Weave only: one tree a node
    if optimizer.startswith("g_"):
        assert all(len(tree.queries) == 1 for tree in plan.trees)  # Group only: nothing is shared


@pytest.mark.parametrize("optimizer", THIRTEEN)
@pytest.mark.parametrize(("count", "nodes"), [(60, 1), (60, 64), (60, 7), (1, 64), (0, 3), (3, 3)])
def test_many_nodes_and_few(optimizer: str, count: int, nodes: int) -> None:
    queries = workload(count, 30, 8, fragments=True, seed=count)
    plan = optimize(queries, 2, optimizer, nodes=nodes)
    assert partition_error(plan, queries) is None


@pytest.mark.parametrize("optimizer", ["g_rand", "w_rand", "wg_rand", "w_i", "wg_i"])
def test_a_seed_decides_the_random_ones(optimizer: str) -> None:
    queries = workload(40, 30, 8)
    plans = [optimize(queries, 2, optimizer, nodes=5, seed=seed) for seed in (1, 1, 2)]
    shapes = [[[tree.names for tree in trees] for trees in plan.by_node] for plan in plans]
    assert shapes[0] == shapes[1] != shapes[2]


def shape(plan: Plan) -> list[list[list[str]]]:
    """The names of each tree of each node; the order of trees on a node is not looked at."""
    return [sorted(sorted(tree.names) for tree in trees) for trees in plan.by_node]


def plainly(trees: list[list[list[Query]]]) -> list[list[list[str]]]:
    return [sorted(sorted(query.name for query in tree) for tree in node) for node in trees]


def cost_of(model: CostModel, node: list[list[Query]]) -> Fraction:
    return model.plan_cost(node)


small_sets = st.lists(windows, max_size=7).map(named)


@given(small_sets, st.integers(1, 5), rates)
@settings(max_examples=60)
def test_round_robin_by_hand(queries: list[Query], nodes: int, rate: Fraction) -> None:
    group: list[list[list[Query]]] = [[] for _ in range(nodes)]
    for number, query in enumerate(queries):
        group[number % nodes].append([query])
    assert shape(optimize(queries, rate, "g_rr", nodes=nodes)) == plainly(group)
    one_tree = [[[query for (query,) in node]] if node else [] for node in group]
    assert shape(optimize(queries, rate, "w_rr", nodes=nodes)) == plainly(one_tree)


@given(small_sets, st.integers(1, 4), rates)
@settings(max_examples=60)
def test_to_lowest_by_hand(queries: list[Query], nodes: int, rate: Fraction) -> None:
    model = CostModel(rate)
    for optimizer in ("g_tl", "w_tl", "wg_tl"):
        trees: list[list[list[Query]]] = [[] for _ in range(nodes)]
        for query in sorted(queries, key=lambda query: -model.tree([query]).cost):
            node = min(trees, key=lambda node: cost_of(model, node))
            grouped = [*node, [query]]
            cheapest = min(range(len(node)), key=lambda place: model.tree(node[place]).cost, default=None)
            if cheapest is None or optimizer == "g_tl":
                node[:] = grouped
                continue
            woven = [*node[:cheapest], [*node[cheapest], query], *node[cheapest + 1 :]]
            group_it = optimizer == "wg_tl" and cost_of(model, grouped) < cost_of(model, woven)
            node[:] = grouped if group_it else woven
        assert shape(optimize(queries, rate, optimizer, nodes=nodes)) == plainly(trees)


@given(small_sets, st.integers(1, 4), rates)
@settings(max_examples=60, deadline=None)
def test_to_nodes_by_hand(queries: list[Query], nodes: int, rate: Fraction) -> None:
    """Algorithm 5 over all pairs, each step; the plans may differ in ties, so their costs are compared."""
    model = CostModel(rate)
    trees = [list(tree.queries) for tree in optimize(queries, rate, "weave_share").trees]
    assert optimize(queries, rate, "wg_tn", nodes=nodes).cost == model.plan_cost(trees)
    while len(trees) > nodes:
        one, other = min(
            combinations(trees, 2),
            key=lambda pair: (
                model.tree(pair[0] + pair[1]).cost - model.tree(pair[0]).cost - model.tree(pair[1]).cost
            ),
        )
        trees = [tree for tree in trees if tree is not one and tree is not other] + [one + other]
    plan = optimize(queries, rate, "w_tn", nodes=nodes)
    assert plan.cost == model.plan_cost(trees) or ties(model, queries, nodes)


def ties(model: CostModel, queries: list[Query], nodes: int) -> bool:
    """Whether two pairs of the woven trees save the same, so that the way down may branch."""
    trees = [list(tree.queries) for tree in optimize(queries, model.rate, "weave_share").trees]
    savings = [
        model.tree(one + other).cost - model.tree(one).cost - model.tree(other).cost
        for one, other in combinations(trees, 2)
    ]
    return len(trees) > nodes + 1 and len(set(savings)) < len(savings)


@given(small_sets, st.integers(1, 4), rates, st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_inserted_by_hand(queries: list[Query], nodes: int, rate: Fraction, seed: int) -> None:
    model = CostModel(rate)
    for optimizer, grouping in (("w_i", False), ("wg_i", True)):
        used = min(nodes, max(1, len(queries)))
        first = sorted(random.Random(seed).sample(range(len(queries)), min(len(queries), used)))
        trees: list[list[list[Query]]] = [[[queries[position]]] for position in first]
        for position, query in enumerate(queries):
            if position in first:
                continue
            options = []
            for number, node in enumerate(trees):
                for place, tree in enumerate(node):
                    woven = [*node[:place], [*tree, query], *node[place + 1 :]]
                    options.append((cost_of(model, woven), number, woven))
            cost, number, chosen = min(options, key=lambda option: option[:2])
            lowest = min(range(len(trees)), key=lambda n: cost_of(model, trees[n]))
            grouped = [*trees[lowest], [query]]
            if grouping and cost_of(model, grouped) < cost:
                number, chosen = lowest, grouped
            trees[number] = chosen
        expected = plainly(trees) + [[] for _ in range(nodes - len(trees))]
        assert shape(optimize(queries, rate, optimizer, nodes=nodes, seed=seed)) == expected


def test_too_many_pairs_are_refused_at_once() -> None:
    queries = [Query(f"q{slide}", "max", Window(slide, slide)) for slide in range(1, 4001)]
    with pytest.raises(
        InvalidArgument, match="optimizer is 'wg_i'; expected one that tries fewer pairs of trees"
    ):
        optimize(queries, 1, "wg_i", nodes=2)
    assert distributed.MOST_TRIALS < 4000 * 2000
