"""What every optimizer has to do: a partition, its cost, the naive answers, sentences for bad input."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

import swagcore as sw
from swagcore.cost import OMEGAS, TECHNIQUES, CostModel
from swagcore.errors import InvalidArgument, SwagError, UnknownName
from swagcore.optimizers import optimize
from swagcore.plan import Plan, partition_error
from swagcore.windows import Query, Window
from tests.optimizers.query_sets import any_slicing, queries, query_sets

ONE_NODE = [
    "no_share",
    "shared",
    "random",
    "local_search",
    "insert_then_weave",
    "weave_share",
    "tri_weave",
    "exhaustive",
    "pairing",
    "contiguous",
]


def recomputed(plan: Plan, asked: list[Query], model: CostModel) -> Fraction:
    """What a plan costs, from nothing but the names in its trees."""
    by_name = {query.name: query for query in asked}
    total = Fraction(0)
    for trees in plan.by_node:
        shared = model.edge_rate(by_name[name] for tree in trees for name in tree.names)
        for tree in trees:
            members = [by_name[name] for name in tree.names]
            edge_rate = model.edge_rate(members)
            final = edge_rate * model.omega_of([query.window for query in members], edge_rate)
            total += final + (shared - edge_rate if plan.optimizer == "tri_weave" else model.rate)
        total += model.rate if plan.optimizer == "tri_weave" and trees else 0
    return total


@pytest.mark.parametrize("optimizer", ONE_NODE)
def test_every_plan_is_a_partition_and_costs_what_it_says(optimizer: str) -> None:
    most = 9 if optimizer == "exhaustive" else 60
    slow = optimizer in ("local_search", "contiguous")
    for number, (asked, source) in enumerate(
        query_sets(4 if slow else 10, most // 3 if slow else most, seed=1)
    ):
        nodes = [1, 64, source.randint(2, 63)][number % 3]
        technique = TECHNIQUES[number % len(TECHNIQUES)]
        model = CostModel(
            Fraction(source.randint(1, 40), 8), technique, any_slicing(source), source.choice(OMEGAS)
        )
        plan = optimize(
            asked,
            model.rate,
            optimizer,
            technique,
            model.slicing,
            nodes=nodes,
            seed=number,
            omega=model.omega,
        )
        assert partition_error(plan, asked) is None, (optimizer, asked)
        assert plan.nodes == nodes == len(plan.by_node) == len(plan.costs)
        assert plan.cost == sum(plan.costs) == recomputed(plan, asked, model)
        assert plan.max_node_cost == max(plan.costs)
        assert plan.exact


@pytest.mark.parametrize("optimizer", ONE_NODE)
def test_sixty_queries_on_few_and_many_nodes(optimizer: str) -> None:
    asked = queries(
        12 if optimizer == "exhaustive" else 60 if optimizer != "local_search" else 30, random.Random(2)
    )
    for nodes in (1, 64):
        assert partition_error(optimize(asked, 2, optimizer, nodes=nodes), asked) is None


@pytest.mark.parametrize("optimizer", ONE_NODE)
def test_no_query_no_tree(optimizer: str) -> None:
    plan = optimize([], rate=1, optimizer=optimizer, nodes=3)
    assert (plan.trees, plan.cost, plan.max_node_cost, len(plan.by_node)) == ((), 0, 0, 3)


@pytest.mark.parametrize("optimizer", ONE_NODE)
def test_running_the_plan_gives_the_naive_answers(optimizer: str) -> None:
    for asked, source in query_sets(3, 5, seed=7):
        events = sorted((source.randint(-10, 30), source.randint(0, 9)) for _ in range(20))
        if asked:
            plan = optimize(asked, rate=1, optimizer=optimizer)
            assert list(sw.run(asked, events, optimizer=plan)) == list(sw.naive(asked, events))


@pytest.mark.parametrize("optimizer", ["random", "local_search"])
def test_a_seed_decides(optimizer: str) -> None:
    asked = queries(12, random.Random(4), largest=30)
    assert optimize(asked, 1, optimizer, seed=5) == optimize(asked, 1, optimizer, seed=5)
    assert len({optimize(asked, 1, optimizer, seed=seed).cost for seed in range(8)}) > 1


def test_the_most_expensive_trees_are_placed_first() -> None:
    asked = [Query(name, "max", Window(size, 1)) for name, size in [("a", 11), ("b", 11), ("c", 21)]]
    plan = optimize(asked, 1, "no_share", nodes=2)
    assert [tree.cost for tree in plan.trees] == [11, 11, 21]
    assert [tree.node for tree in plan.trees] == [1, 1, 0]
    assert (plan.costs, plan.max_node_cost) == ([21, 22], 22)


def test_random_merges_only_what_saves() -> None:
    for asked, source in query_sets(15, 10, seed=14):
        rate = Fraction(source.randint(1, 8), 8)
        assert optimize(asked, rate, "random", seed=3).cost <= optimize(asked, rate, "no_share").cost


def partitions(items: list[int]) -> Any:
    """All partitions of the items, by definition."""
    if not items:
        yield []
        return
    first, *rest = items
    for others in partitions(rest):
        yield [[first], *others]
        for number, group in enumerate(others):
            yield [*others[:number], [first, *group], *others[number + 1 :]]


BEST_OF: dict[str, Callable[[list[list[int]]], bool]] = {
    "exhaustive": lambda groups: True,
    "pairing": lambda groups: all(len(group) <= 2 for group in groups),
    "contiguous": lambda groups: all(max(group) - min(group) == len(group) - 1 for group in groups),
}


@pytest.mark.parametrize("optimizer", BEST_OF)
def test_the_best_of_its_kind(optimizer: str) -> None:
    for asked, source in query_sets(10, 6, seed=5):
        model = CostModel(Fraction(source.randint(1, 30), 10), source.choice(TECHNIQUES), any_slicing(source))
        best = min(
            model.plan_cost([asked[position] for position in group] for group in groups)
            for groups in partitions(list(range(len(asked))))
            if BEST_OF[optimizer](groups)
        )
        plan = optimize(asked, model.rate, optimizer, model.technique, model.slicing)
        assert plan.cost == best
        assert BEST_OF[optimizer]([[int(name[1:]) for name in tree.names] for tree in plan.trees])


def test_local_search_ends_where_no_move_pays() -> None:
    for asked, _ in query_sets(6, 7, seed=8):
        plan = optimize(asked, Fraction(1, 2), "local_search")
        groups = [[int(name[1:]) for name in tree.names] for tree in plan.trees]
        model = CostModel(Fraction(1, 2))
        for home, group in enumerate(groups):
            for position in group:
                left = [[member for member in other if member != position] for other in groups]
                for target in range(len(groups) + 1):
                    if target == home:
                        continue
                    moved = [*left, []]
                    moved[target] = [*moved[target], position]
                    assert plan.cost <= model.plan_cost([asked[m] for m in one] for one in moved if one)


def test_tri_weave_by_hand() -> None:
    a, b = Query("a", "max", Window(6, 2)), Query("b", "max", Window(8, 4))
    for alone in (a, b):
        assert optimize([alone], 3, "tri_weave").cost == optimize([alone], 3, "weave_share").cost
    # Together they have an edge every 2. Apart: a joins nothing and combines 2 an answer, b joins 2 partials into one
    # and combines 1 an answer. As one tree b would combine 3 an answer, and join nothing.
    plan = optimize([a, b], 1, "tri_weave")
    assert [tree.cost for tree in plan.trees] == [Fraction(2, 2), Fraction(1, 4) + Fraction(1, 4)]
    assert (
        plan.cost
        == 1 + Fraction(3, 2)
        < optimize([a, b], 1, "weave_share").cost
        == 1 + Fraction(2, 2) + Fraction(3, 4)
    )


def test_equal_windows_first_is_never_worse() -> None:
    """`Loom.units`: some cheapest plan has every unit in one tree; panes with equal edges, the others with equal windows."""
    from swagcore.optimizers.bunches import Loom

    for asked, source in query_sets(25, 5, seed=10):
        asked += [Query(f"q{len(asked) + n}", "max", query.window) for n, query in enumerate(asked[:1])]
        technique = source.choice([name for name in TECHNIQUES if name != "slickdeque_inv"])
        model = CostModel(Fraction(source.randint(1, 30), 10), technique, any_slicing(source))
        units = [set(unit.members) for unit in Loom(model, asked).units()]
        costs: dict[bool, Fraction] = {}
        for groups in partitions(list(range(len(asked)))):
            whole = all(any(unit <= set(group) for group in groups) for unit in units)
            cost = model.plan_cost([asked[position] for position in group] for group in groups)
            costs[whole] = min(cost, costs.get(whole, cost))
        assert costs[True] <= costs.get(False, costs[True])


A = Query("a", "max", Window(6, 2))
BAD: dict[str, tuple[Callable[[], object], list[str]]] = {
    "not queries": (lambda: optimize([A, 3]), ["query is 3", "a Query"]),
    "no list": (lambda: optimize(7), ["queries is 7", "list"]),
    "one name twice": (lambda: optimize([A, A]), ["'a'", "no other query"]),
    "rate zero": (lambda: optimize([A], rate=0), ["rate is 0", "positive"]),
    "rate negative": (lambda: optimize([A], rate=-1.5), ["rate is -1.5", "positive"]),
    "rate no number": (lambda: optimize([A], rate="fast"), ["rate is 'fast'", "positive number"]),
    "rate a truth": (lambda: optimize([A], rate=True), ["rate is True"]),
    "rate not a number": (lambda: optimize([A], rate=float("nan")), ["rate is nan"]),
    "rate infinite": (lambda: optimize([A], rate=float("inf")), ["rate is inf"]),
    "no node": (lambda: optimize([A], nodes=0), ["nodes is 0", "from 1"]),
    "nodes negative": (lambda: optimize([A], nodes=-2), ["nodes is -2"]),
    "half a node": (lambda: optimize([A], nodes=1.5), ["nodes is 1.5", "integer"]),
    "more nodes than can be listed": (lambda: optimize([A], nodes=10**12), ["nodes is 1000000000000"]),
    "seed": (lambda: optimize([A], seed="x"), ["seed is 'x'", "integer"]),
    "optimizer": (lambda: optimize([A], optimizer="weave"), ["optimizer is 'weave'", "weave_share"]),
    "optimizer no name": (lambda: optimize([A], optimizer=["weave_share"]), ["optimizer is ['weave_share']"]),
    "technique": (lambda: optimize([A], technique="pane"), ["technique is 'pane'", "did you mean 'panes'"]),
    "technique for one query only": (
        lambda: optimize([A], technique="daba"),
        ["technique is 'daba'", "flatfit"],
    ),
    "slicing": (lambda: optimize([A], slicing="pair"), ["slicing is 'pair'", "pairs"]),
    "omega": (lambda: optimize([A], omega="printed"), ["omega is 'printed'", "counted, paper"]),
    "a window in durations": (
        lambda: optimize([Query("a", "max", Window("6 s", "2 s"))]),
        ["unit of the stream is None"],
    ),
    "time and counts": (
        lambda: optimize([A, Query("c", "max", Window.count(6, 2))]),
        ["['a', 'c']", "all over time or all over counts"],
    ),
    "too many to look at all": (
        lambda: optimize(queries(13, random.Random(1)), optimizer="exhaustive"),
        ["number of queries is 13", "at most 12"],
    ),
}


@pytest.mark.parametrize("mistake", BAD)
def test_bad_input_is_a_sentence(mistake: str) -> None:
    do, pieces = BAD[mistake]
    with pytest.raises(InvalidArgument) as raised:
        do()
    message = str(raised.value)
    assert all(piece in message for piece in pieces), message
    assert "\n" not in message


def test_unknown_names_are_unknown_names() -> None:
    for how in ({"optimizer": "x"}, {"technique": "x"}, {"slicing": "x"}, {"omega": "x"}):
        with pytest.raises(UnknownName):
            optimize([], **how)  # type: ignore[arg-type]


def test_pairing_without_networkx(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(SwagError, match="needs networkx"):
        optimize([A], optimizer="pairing")


def test_all_over_counts_is_fine() -> None:
    asked = [Query("a", "max", Window.count(6, 2)), Query("b", "max", Window.count(8, 4))]
    assert optimize(asked, rate=1).cost == Fraction(11, 4)


def test_pairs_of_queries_that_save_are_those_of_the_matching() -> None:
    # Greedy pairing would take the best pair (6, 3) and leave (4, 2); the matching sees all.
    for asked, _ in query_sets(8, 7, seed=12):
        plan = optimize(asked, 1, "pairing")
        model = CostModel(1)
        left = [tree.queries[0] for tree in plan.trees if len(tree.queries) == 1]
        for one, other in combinations(left, 2):
            assert model.plan_cost([[one, other]]) >= model.plan_cost([[one], [other]])
