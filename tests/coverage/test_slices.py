"""What slicing costs, against slices that are cut and counted; and the choice of a plan."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest

from swagcore import edges
from swagcore.coverage import choose, slices
from swagcore.coverage.choose import PLANS
from swagcore.coverage.slices import SliceCost, own_slices, slice_cost
from swagcore.errors import SwagError
from swagcore.windows import Window


def counted(windows: list[Window], slicing: str, shared: bool) -> tuple[Fraction, Fraction]:
    """Events put into slices and slices read by instances, a time unit, one event a time unit: all cut out and counted."""
    if not shared:
        each = [counted([w], slicing, True) for w in windows]
        return sum((p for p, _ in each), Fraction(0)), sum((f for _, f in each), Fraction(0))
    period = math.lcm(*(w.slide for w in windows))
    late = max(w.range for w in windows) + period
    cuts = [t for t in range(late + period) if any(t % m == c for w in windows for c, m in w.edges(slicing))]
    read = 0
    for w in windows:
        for start in range(w.offset, period, w.slide):
            inside = [cut for cut in cuts if start <= cut < start + w.range]
            assert inside[0] == start  # an instance begins with a slice, and ends with one
            assert start + w.range in cuts
            read += len(inside)
    events = sum(1 for t in range(late, late + period) if any(w.starts(t) for w in windows))
    return Fraction(events, period), Fraction(read, period)


def some_windows(rng: random.Random) -> list[Window]:
    found = []
    for _ in range(rng.randint(1, 3)):
        slide = rng.randint(1, 8)
        found.append(Window(rng.randint(1, 12), slide, rng.randrange(slide)))
    return found


def test_costs_are_those_of_slices_that_are_cut_and_counted() -> None:
    rng = random.Random(1)
    gaps = uneven = 0
    for _ in range(80):
        windows = some_windows(rng)
        gaps += all(w.slide > w.range for w in windows)
        uneven += any(w.range % w.slide for w in windows)
        for slicing, shared in itertools.product(("panes", "pairs"), (False, True)):
            partial, final = counted(windows, slicing, shared)
            found = slice_cost(windows, 3, slicing, shared)
            assert found.exact
            assert (found.partial, found.final) == (3 * partial, final), (windows, slicing, shared)
    assert gaps > 3 and uneven > 30


def test_own_slices_are_those_between_the_cuts() -> None:
    for r, s in itertools.product(range(1, 13), repeat=2):
        for slicing in ("panes", "pairs"):
            cuts = [t for t in range(r) if any(t % m == c for c, m in Window(r, s).edges(slicing))]
            assert own_slices(Window(r, s), slicing) == len(cuts)


def test_where_places_are_too_many_the_other_places_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    windows = [Window(11, 6), Window(9, 4, 1)]
    exact = slice_cost(windows, 1, "pairs", True)
    monkeypatch.setattr(slices, "MOST_PLACES", 3)
    assert slice_cost(windows, 1, "pairs", True) == exact  # 5 of 6 places: the one other is counted
    monkeypatch.setattr(slices, "MOST_PLACES", 0)
    estimate = slice_cost(windows, 1, "pairs", True)
    assert not estimate.exact
    assert abs(estimate.rate - exact.rate) < exact.rate / 4


@pytest.mark.parametrize("r", [17, 19])
def test_places_are_counted_up_to_their_limit(monkeypatch: pytest.MonkeyPatch, r: int) -> None:
    """Of a slide of 12, instances of 17 have 5 places in which one more of them is; of 19 all but 5."""
    windows = [Window(r, 12), Window(7, 5)]
    exact = slice_cost(windows, 1, "pairs", True)
    assert exact.exact
    monkeypatch.setattr(slices, "MOST_PLACES", 5)
    assert slice_cost(windows, 1, "pairs", True) == exact
    monkeypatch.setattr(slices, "MOST_PLACES", 4)
    assert not slice_cost(windows, 1, "pairs", True).exact


def test_three_hundred_places_are_counted() -> None:
    assert slice_cost([Window(901, 601)], 1, "pairs", True).exact
    assert not slice_cost([Window(903, 602, 1)], 1, "pairs", True).exact


def test_times_in_windows_with_gaps() -> None:
    a, b = Fraction(150, 1000), Fraction(150, 701)
    counted = slice_cost([Window(150, 1000), Window(150, 701)], 2, "pairs", True)
    assert (counted.partial, counted.exact) == (2 * (a + b - a * b), True)
    # one time more is too many: no event is taken to be in both
    estimated = slice_cost([Window(150, 1000), Window(151, 701)], 2, "pairs", True)
    assert (estimated.partial, estimated.exact) == (2 * (a + Fraction(151, 701)), False)
    # no more than all events
    many = slice_cost([Window(400, slide) for slide in (500, 501, 503)], 2, "pairs", True)
    assert (many.partial, many.exact) == (2, False)
    # one without gaps has them all
    whole = slice_cost([Window(301, 301), Window(7, 1000)], 2, "pairs", True)
    assert (whole.partial, whole.exact) == (2, True)


def test_edges_that_are_not_counted_in_time_are_taken_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    """How much can be counted in time depends on the machine: here it is said."""
    density, hard = edges.density, []

    def some(classes: set[tuple[int, int]], *, seconds: float) -> Fraction:
        assert seconds == slices.SECONDS
        if hard.pop(0):
            raise edges.TooHard(len(classes), seconds, "it did not try", Fraction(1, 4), Fraction(1, 2))
        return density(classes, seconds=seconds)

    monkeypatch.setattr(edges, "density", some)
    hard[:] = [True]
    assert slice_cost([Window(3, 3), Window(4, 4)], 1, "pairs", True) == SliceCost(
        Fraction(1), 2 * Fraction(3, 8), False
    )
    # W<2, 5> is asked for its cuts (2/5 of all times), for cuts or places of an instance (3/5), for its times (2/5).
    # Of the cuts, 2/5 + 2/5 - 3/5 are at the places of an instance.
    for hard[:], partial, final in [
        ([False, False, False], Fraction(2, 5), Fraction(2, 5) + Fraction(2, 5) - Fraction(3, 5)),
        ([True, False, False], Fraction(2, 5), Fraction(3, 8) + Fraction(2, 5) - Fraction(3, 5)),
        ([False, True, False], Fraction(2, 5), Fraction(2, 5) + Fraction(2, 5) - Fraction(3, 8)),
        ([False, False, True], Fraction(3, 8), Fraction(2, 5) + Fraction(2, 5) - Fraction(3, 5)),
    ]:
        exact = not any(hard)
        assert slice_cost([Window(2, 5)], 1, "pairs", True) == SliceCost(partial, final, exact)


def test_large_units_are_divided_out() -> None:
    small, large = (
        [Window(7, 3), Window(11, 5)],
        [Window(7_000_000, 3_000_000), Window(11_000_000, 5_000_000)],
    )
    unit = 1_000_000
    assert slice_cost(large, 1, "pairs", True).final * unit == slice_cost(small, 1, "pairs", True).final
    # cuts at 1 of 4 and at 0 of 6: no time is in both
    for unit in (1, 4):
        shifted = [Window(4 * unit, 4 * unit, unit), Window(6 * unit, 6 * unit)]
        assert slice_cost(shifted, 1, "pairs", True).final * unit == 2 * Fraction(5, 12)


def test_pairs_are_never_worse_than_panes() -> None:
    rng = random.Random(2)
    for _ in range(60):
        windows = some_windows(rng)
        for shared in (False, True):
            pairs, panes = (slice_cost(windows, 1, slicing, shared) for slicing in ("pairs", "panes"))
            assert pairs.rate <= panes.rate


def test_unknown_slicing() -> None:
    with pytest.raises(SwagError, match="slicing is 'cuts'; expected one of pairs, panes"):
        slice_cost([Window(2, 2)], 1, "cuts", True)


@pytest.mark.parametrize(
    ("windows", "rate", "plan"),
    [
        ([Window(10, 10)], 1, "stream"),
        ([Window(10, 10), Window(20, 20), Window(40, 40)], 100, "coverage"),
        ([Window(7, 3), Window(11, 5)], 100, "shared pairs"),
        ([Window(2, 100), Window(3, 97, 50)], 1, "stream"),
    ],
)
def test_the_cheapest_plan_is_chosen(windows: list[Window], rate: int, plan: str) -> None:
    choice = choose(windows, "sum", rate)
    assert choice.plan == plan
    assert set(choice.rates) == set(PLANS)
    assert choice.rates[plan] == min(choice.rates.values())
    assert choice.rates["coverage"] == choice.graph.rate
    assert choice.explain().startswith(f"{plan}:")


def test_holistic_aggregates_are_left_to_the_stream() -> None:
    choice = choose([Window(10, 10), Window(20, 20)], "median")
    assert (choice.plan, set(choice.rates)) == ("stream", {"stream"})
    assert "holistic" in str(choice.reason)


def test_bad_input() -> None:
    with pytest.raises(SwagError, match="one or more windows"):
        choose([])
    with pytest.raises(SwagError, match="rate is 0"):
        choose([Window(2, 2)], rate=0)
