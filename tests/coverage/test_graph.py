"""The min-cost graph: every edge holds, costs add up, and no other graph is cheaper."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from swagcore.coverage import covered_by, min_cost, partitioned_by
from swagcore.coverage.cost import recurrences
from swagcore.coverage.graph import Graph
from swagcore.coverage.network import Network
from swagcore.coverage.search import bound_of_any
from swagcore.coverage.steiner import steiner
from swagcore.coverage.workloads import chain_gen, random_gen, random_graph_gen, star_gen
from swagcore.errors import SwagError
from swagcore.windows import Window
from tests.coverage import instances

RELATIONS: dict[str, Callable[[Window, Window], bool]] = {"min": covered_by, "sum": partitioned_by}


def weight(window: Window, windows: list[Window], minimize: str) -> Fraction:
    """How often a window recurs, by counting the instances inside the period."""
    if minimize == "rate":
        return Fraction(1, window.slide)
    period = math.lcm(*(w.range for w in windows))
    return Fraction(sum(1 for start in range(0, period, window.slide) if start + window.range <= period))


def value(
    windows: list[Window], factors: tuple[Window, ...], name: str, events: Any, minimize: str
) -> Fraction:
    """What windows and factor windows cost, each from its cheapest parent, by counting."""
    total, nodes = Fraction(0), [*windows, *factors]
    for w in nodes:
        parents = [p for p in nodes if p != w and RELATIONS[name](w, p)]
        steps = [
            Fraction(events * w.range),
            *(Fraction(len(instances.parts(w, p, w.offset))) for p in parents),
        ]
        total += weight(w, windows, minimize) * min(steps)
    return total


def lattice(windows: list[Window], name: str) -> list[Window]:
    """Every window that can be above one of these, or above such a window; no cleverness: all slides and all ranges."""
    found: set[Window] = set()
    waiting = list(windows)
    while waiting:
        w = waiting.pop()
        above = {Window(r, s, w.offset) for s in range(1, w.slide + 1) for r in range(1, w.range + 1)}
        new = {window for window in above if RELATIONS[name](w, window)} - found
        found |= new
        waiting += new
    return sorted(found - set(windows), key=repr)


def some_sets(seed: int, count: int, most: int, size: int) -> Iterator[list[Window]]:
    rng = random.Random(seed)
    for _ in range(count):
        found: set[Window] = set()
        while len(found) < size:
            slide = rng.randint(1, most)
            extent = rng.choice([slide * rng.randint(1, 4), rng.randint(1, 3 * most)])
            found.add(Window(extent, slide, rng.choice([0, rng.randrange(slide)])))
        yield sorted(found, key=repr)


RATES = (1, 10, Fraction(1, 3))


@pytest.mark.parametrize("name", ["min", "sum"])
@pytest.mark.parametrize("minimize", ["cost", "rate"])
def test_no_choice_of_up_to_three_factor_windows_is_cheaper(name: str, minimize: str) -> None:
    """Against every set of factor windows, on up to three levels: nothing of the search is shared."""
    levels = 0
    for number, windows in enumerate(some_sets(7, 40, 4, 2)):
        events = RATES[number % 3]
        candidates = lattice(windows, name)
        most = 3 if len(candidates) <= 16 else 2
        cheapest = min(
            value(windows, factors, name, events, minimize)
            for size in range(most + 1)
            for factors in itertools.combinations(candidates, size)
        )
        graph = min_cost(windows, name, events, minimize=minimize)
        graph._check()
        assert graph.optimal
        found = graph.cost if minimize == "cost" else graph.rate
        assert found == value(windows, graph.factors, name, events, minimize)
        if len(graph.factors) <= most:
            assert found == cheapest, (windows, events, graph.factors)
        else:
            assert found <= cheapest
        levels = max(levels, sum(graph.parent[factor] is not None for factor in graph.factors))
    assert levels > 0  # factor windows from factor windows did occur


@pytest.mark.parametrize("name", ["min", "sum"])
@pytest.mark.parametrize("minimize", ["cost", "rate"])
def test_candidates_are_complete(name: str, minimize: str) -> None:
    """The few candidates give what all windows give: the exact tree over the whole lattice is no cheaper."""
    relation = {"min": "covered by", "sum": "partitioned by"}[name]
    for number, windows in enumerate(some_sets(11, 25, 10, 3)):
        events = RATES[number % 3]
        network = Network.of(windows, lattice(windows, name), relation, events, minimize)
        cheapest = Fraction(network.cost(steiner(network)), network.scale)
        graph = min_cost(windows, name, events, minimize=minimize)
        assert (graph.cost if minimize == "cost" else graph.rate) == cheapest, (windows, events)


# Each was missed by an earlier set of candidates.
@pytest.mark.parametrize(
    ("windows", "name", "events", "minimize", "cheapest"),
    [
        # a tumbling window read off a hopping one of its range
        ([Window(1, 1), Window(12, 4), Window(3, 1), Window(6, 6)], "sum", 2, "cost", 74),
        # a tumbling window smaller than the gcd, because its parent overlaps
        ([Window(3, 1), Window(20, 10, 9)], "min", 1, "cost", 230),
        ([Window(4, 1), Window(30, 10, 6)], "min", 1, "rate", Fraction(49, 10)),
    ],
)
def test_missed_once(windows: list[Window], name: str, events: int, minimize: str, cheapest: Any) -> None:
    graph = min_cost(windows, name, events, minimize=minimize)
    assert (graph.cost if minimize == "cost" else graph.rate) == cheapest


def test_steiner_is_the_cheapest_of_all_subsets() -> None:
    rng = random.Random(3)
    for windows in some_sets(5, 25, 8, 3):
        relation = rng.choice(["covered by", "partitioned by"])
        extra = {
            Window(r, s, w.offset) for w in windows for s in (1, 2, w.slide) for r in (s, 2 * s, w.range)
        }
        network = Network.of(windows, sorted(extra, key=repr)[:9], relation, rng.choice([1, 5]), "cost")
        others = [node for node in range(len(network.nodes)) if node not in network.asked]
        subsets = (c for size in range(len(others) + 1) for c in itertools.combinations(others, size))
        assert network.cost(steiner(network)) == min(map(network.cost, subsets))


def test_without_factor_windows_no_other_parents_are_cheaper() -> None:
    for windows in some_sets(13, 40, 6, 4):
        for name in RELATIONS:
            graph = min_cost(windows, name, 2, factor_windows=False)
            graph._check()
            assert graph.factors == ()
            assert graph.cost == value(windows, (), name, 2, "cost")


@pytest.mark.parametrize("generate", [random_gen, chain_gen, star_gen])
@pytest.mark.parametrize("tumbling", [False, True])
def test_never_worse_than_without_factor_windows(generate: Any, tumbling: bool) -> None:
    for seed, minimize in enumerate(("cost", "rate")):
        windows = generate(4, seed, tumbling=tumbling, s_max=8, k_max=5)
        for name in RELATIONS:
            graph = min_cost(windows, name, 10, minimize=minimize)
            graph._check()
            plain = min_cost(windows, name, 10, factor_windows=False, minimize=minimize)
            assert getattr(graph, minimize) <= getattr(plain, minimize)


def test_twelve_windows_in_levels() -> None:
    for seed in range(2):
        graph = min_cost(random_graph_gen(seed, tumbling=True), "sum", 100)
        graph._check()
        assert graph.optimal and len(graph.windows) == 12


def test_gaps_are_bounded_where_candidates_are_too_many() -> None:
    primes = [2**k * 3**m for k in range(9, 15) for m in range(6, 8)]
    windows = [Window(p * (k + 2), p, k) for k, p in enumerate(primes)]
    graph = min_cost(windows, "min", 1, minimize="rate")
    graph._check()
    assert not graph.optimal
    assert 0 < graph.gap < graph.rate
    assert graph.rate - graph.gap == bound_of_any(windows, 1, "rate")


def test_the_bound_of_any_graph_is_one() -> None:
    for windows in some_sets(17, 60, 8, 3):
        for minimize in ("cost", "rate"):
            for events in RATES:
                graph = min_cost(windows, "min", events, minimize=minimize)
                assert bound_of_any(windows, events, minimize) <= getattr(graph, minimize)


def test_costs_are_counted() -> None:
    graph = min_cost([Window(6, 2), Window(4, 4)], "sum", Fraction(3, 2))
    for window in graph.order:
        often = weight(window, list(graph.windows), "cost")
        assert often == recurrences(window, graph.period)
        assert graph.cost_of(window) == often * graph.steps_of(window)
    assert graph.cost == sum(map(graph.cost_of, graph.order))


def test_recurrences_are_counted_also_for_ranges_that_are_no_multiple_of_the_slide() -> None:
    for r, s, times in itertools.product(range(1, 9), range(1, 9), range(1, 5)):
        period = r * times
        inside = [start for start in range(0, period, s) if start + r <= period]
        assert recurrences(Window(r, s), period) == len(inside)


def test_one_window() -> None:
    graph = min_cost([Window(10, 10)], "sum")
    assert (graph.cost, graph.period, graph.rate, graph.factors) == (10, 10, 1, ())
    assert graph.parent == {Window(10, 10): None}


def test_windows_given_twice_are_computed_once() -> None:
    once, twice = (min_cost([Window(4, 2), Window(2, 2)] * times, "sum") for times in (1, 2))
    assert twice.windows == (Window(4, 2), Window(2, 2))
    assert (once.cost, dict(once.parent)) == (twice.cost, dict(twice.parent))


def test_windows_that_differ_in_their_lag_share_their_answers() -> None:
    late, early = Window(4, 2, lag=5), Window(4, 2)
    graph = min_cost([late, early], "sum", factor_windows=False)
    graph._check()
    assert graph.parent == {early: None, late: early}
    assert graph.cost_of(late) == recurrences(late, 4)


def test_windows_equal_up_to_the_slide() -> None:
    graph = min_cost([Window(10, 2), Window(10, 4)], "sum", factor_windows=False)
    assert graph.parent == {Window(10, 2): None, Window(10, 4): Window(10, 2)}


def test_one_step_is_said_as_one() -> None:
    text = min_cost([Window(1, 2), Window(1, 4)], "sum").explain().splitlines()
    assert text[1:] == [
        "stream, 1 event a time unit",
        "  Window(range=1, slide=2): 1 event an instance, cost 1",
        "    Window(range=1, slide=4): 1 sub-aggregate an instance, cost 1",
    ]
    assert min_cost([Window(2, 2)], "sum", 3).explain().splitlines()[1] == "stream, 3 events a time unit"


def test_ties_leave_one_parent() -> None:
    windows = [Window(2, 2), Window(4, 1), Window(6, 2)]  # both others give 3 sub-aggregates
    graph = min_cost(windows, "min", factor_windows=False)
    assert graph.parent[Window(6, 2)] == Window(4, 1)


def test_parents_come_first() -> None:
    for windows in some_sets(19, 20, 8, 4):
        graph = min_cost(windows, "min", 5)
        places = {window: place for place, window in enumerate(graph.order)}
        assert all(p is None or places[p] < places[w] for w, p in graph.parent.items())


def test_holistic_aggregates_come_from_the_stream() -> None:
    graph = min_cost([Window(10, 10), Window(20, 20)], "median")
    assert set(graph.parent.values()) == {None}
    assert graph.relation is None and "holistic" in str(graph.reason)
    assert "holistic" in graph.explain()


def test_durations_keep_their_unit() -> None:
    graph = min_cost([Window("20 min", "20 min"), Window("30 min", "30 min")], "sum")
    assert graph.factors == (Window("10 min", "10 min"),)


def test_counting_windows() -> None:
    graph = min_cost([Window.count(20, 20), Window.count(30, 30)], "sum")
    assert graph.factors == (Window.count(10, 10),)


def test_huge_periods_are_no_trouble() -> None:
    windows = [Window(10**30 + k, 10**30 + k) for k in (1, 3, 7)]
    graph = min_cost(windows, "sum", 3)
    assert graph.period == math.lcm(*(w.range for w in windows))
    assert isinstance(graph.cost, int)
    one = Window(2**400, 2**400)  # a cost that was once taken for "no tree at all"
    assert min_cost([one], "sum").cost == 2**400


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([],), "windows is []; expected one or more windows"),
        ((7,), "windows is 7; expected a list of Window"),
        (([Window(1, 1), 3],), "window is 3; expected a Window"),
        (([Window(2, 2), Window.count(2, 2)],), "share nothing"),
        (([Window(2, 2), Window("2 s", "2 s")],), "all in durations or all in plain integers"),
        (([Window(2, 2)], "medium"), "did you mean 'median'?"),
        (([Window(2, 2)], "min", 0), "rate is 0; expected a positive number of events"),
        (([Window(2, 2)], "min", -1), "rate is -1"),
        (([Window(2, 2)], "min", float("nan")), "rate is nan"),
        (([Window(2, 2)], "min", float("inf")), "rate is inf"),
        (([Window(2, 2)], "min", "fast"), "rate is 'fast'"),
        (([Window(2, 2)], "min", True), "rate is True"),
        (([Window.count(2, 2)], "min", 2), "1 for windows that count events"),
        (([Window(2, 2)], "min", 1, "yes"), "factor_windows is 'yes'; expected True or False"),
    ],
)
def test_bad_input(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(SwagError) as caught:
        min_cost(*arguments)
    assert message in str(caught.value)


def test_minimize_is_checked() -> None:
    with pytest.raises(SwagError, match="minimize is 'speed'; expected one of cost, rate"):
        min_cost([Window(2, 2)], minimize="speed")


def test_check_finds_an_edge_that_does_not_hold() -> None:
    good = min_cost([Window(4, 4), Window(2, 2)], "sum")
    parent: dict[Window, Window | None] = {Window(4, 4): None, Window(2, 2): Window(4, 4)}
    bad = Graph(good.windows, good.aggregate, 1, parent, (), good.relation, None, "cost", 0)
    with pytest.raises(AssertionError):
        bad._check()
