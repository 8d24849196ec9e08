"""Which windows can be factor windows: small sets by hand, and against every window there is."""

from __future__ import annotations

import itertools
import random

import pytest

from swagcore.coverage import covered_by, factors, min_cost, partitioned_by
from swagcore.coverage.factors import complete, divisors, likely
from swagcore.coverage.network import Network
from swagcore.coverage.steiner import steiner
from swagcore.errors import InvalidArgument
from swagcore.windows import Window


def test_divisors() -> None:
    for number in (*range(1, 200), 2 * 3 * 5 * 7 * 11, 13**2, 997, 2 * 499, 2**10 * 3**2):
        assert divisors(number) == [d for d in range(1, number + 1) if number % d == 0]
    prime = 2**31 - 1
    assert divisors(prime * 2) == [1, 2, prime, prime * 2]


# The windows, those that often help under "partitioned by", and those more under "covered by".
LIKELY = [
    ([Window(10, 10)], [], []),
    ([Window(20, 20), Window(30, 30)], [Window(10, 10)], [Window(20, 10), Window(30, 10)]),
    # the starts of both are on a grid of 5, not of 10
    ([Window(20, 20), Window(30, 30, 5)], [Window(5, 5)], [Window(20, 5), Window(30, 5)]),
    ([Window(6, 4)], [Window(2, 2)], [Window(6, 2)]),
    # a tumbling window of the range of another, from which it may be read off
    ([Window(3, 1), Window(6, 6)], [Window(1, 1), Window(3, 3)], [Window(6, 1), Window(6, 3)]),
    ([Window(3, 3), Window(6, 2)], [Window(1, 1), Window(2, 2)], [Window(3, 1), Window(6, 1)]),
    # one range: a window whose instances are those of both
    ([Window(6, 4), Window(6, 6, 2)], [Window(2, 2), Window(6, 2)], []),
    ([Window(6, 5), Window(6, 5, 3)], [Window(1, 1), Window(6, 1)], []),
    ([Window(9, 9, 1), Window(9, 9, 2)], [Window(1, 1), Window(9, 1)], []),
    # ... and those of a tumbling window of that range
    (
        [Window(6, 4), Window(12, 12, 2)],
        [Window(2, 2), Window(6, 2), Window(6, 6, 2)],
        [Window(12, 2), Window(12, 6, 2)],
    ),
    ([Window(3, 3, 1), Window(6, 6, 1)], [], [Window(6, 3, 1)]),
    # gaps
    ([Window(2, 4)], [Window(2, 2)], []),
    ([Window(1, 4), Window(1, 6, 1)], [Window(1, 1)], []),
    ([Window(4, 12), Window(6, 6)], [Window(2, 2), Window(4, 4)], [Window(4, 2), Window(6, 2)]),
    ([Window(4, 12, 2), Window(6, 6)], [Window(2, 2), Window(4, 4, 2)], [Window(4, 2), Window(6, 2)]),
]


@pytest.mark.parametrize(("windows", "partitioned", "more"), LIKELY)
def test_windows_that_often_help(
    windows: list[Window], partitioned: list[Window], more: list[Window]
) -> None:
    assert likely(windows, "partitioned by") == complete(windows, "partitioned by") == partitioned
    found = sorted({*partitioned, *more}, key=lambda w: (w.range, w.slide, w.offset))
    assert likely(windows, "covered by") == found


@pytest.mark.parametrize(
    ("windows", "found"),
    [
        ([Window(1, 1)], []),
        ([Window(2, 2)], [(1, 1, 0), (2, 1, 0)]),
        ([Window(2, 4)], [(1, 1, 0), (2, 1, 0), (2, 2, 0)]),
        # with gaps: read as they are
        ([Window(2, 8), Window(2, 12)], [(1, 1, 0), (2, 1, 0), (2, 2, 0), (2, 3, 0), (2, 4, 0), (2, 6, 0)]),
        ([Window(3, 3, 2)], [(1, 1, 0), (3, 1, 0)]),
        ([Window(1, 1), Window(2, 2)], [(2, 1, 0)]),
        # the ranges 3 and 2 are ends as the least of slide 2; 4 is one next to 3; and then 4 is one of slide 1 as well
        (
            [Window(1, 2), Window(6, 2)],
            [(1, 1, 0), (2, 1, 0), (2, 2, 0), (3, 1, 0), (4, 1, 0), (4, 2, 0), (6, 1, 0)],
        ),
        # under slide 2 the ranges are odd, so that one from 2 on is 3; and then 3 is an end under slide 1 as well
        ([Window(5, 2, 1)], [(1, 1, 0), (3, 1, 0), (3, 2, 1), (5, 1, 0)]),
    ],
)
def test_windows_above_by_coverage(windows: list[Window], found: list[tuple[int, int, int]]) -> None:
    made = complete(windows, "covered by")
    assert made is not None
    assert [(w.range, w.slide, w.offset) for w in made] == found


def test_windows_that_are_too_many_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    windows = [Window(6, 4)]  # 5 windows above it, and itself
    monkeypatch.setattr(factors, "MOST_CANDIDATES", 6)
    assert len(complete(windows, "covered by") or ()) == 5
    monkeypatch.setattr(factors, "MOST_CANDIDATES", 5)
    assert complete(windows, "covered by") is None
    assert complete(windows, "partitioned by") == [Window(2, 2)]


def test_the_clock_is_that_of_the_windows() -> None:
    assert likely([Window.count(4, 4), Window.count(6, 6)], "partitioned by") == [Window.count(2, 2)]
    assert complete([Window("4 s", "4 s"), Window("6 s", "6 s")], "partitioned by") == [Window("2 s", "2 s")]


@pytest.mark.parametrize("relation", ["covered by", "partitioned by"])
@pytest.mark.parametrize("minimize", ["cost", "rate"])
def test_no_other_window_makes_a_graph_cheaper(relation: str, minimize: str) -> None:
    """The cheapest graph with these candidates costs what it does with every window that is above another."""
    related = covered_by if relation == "covered by" else partitioned_by
    rng = random.Random(2)
    sizes = list(itertools.product(range(1, 9), range(1, 7)))
    fewer = 0
    for _ in range(40):
        windows = [Window(r, s, rng.choice([0, 0, 1, 2])) for r, s in rng.sample(sizes, 2)]
        above: set[Window] = set()
        waiting = list(windows)
        while waiting:
            w = waiting.pop()
            every = {Window(r, s, w.offset) for r in range(1, w.range + 1) for s in range(1, w.slide + 1)}
            new = {v for v in every if related(w, v)} - above
            above |= new
            waiting += new
        few = complete(windows, relation)
        assert few is not None
        costs = []
        for extra in (above, few):
            network = Network.of(windows, extra, relation, 2, minimize)
            costs.append(network.cost(steiner(network)))
        assert costs[0] == costs[1], windows
        fewer += len(few) < len(above - set(windows))
    assert fewer > 10


def test_a_slide_that_cannot_be_factored_has_no_list_of_candidates() -> None:
    """Its divisors would take a thousand million trials; the graph is made without them, and at once."""
    huge = 10**18 + 9  # a prime
    with pytest.raises(
        InvalidArgument, match=f"slide is {huge}; expected a product of primes up to 1000000 and at most"
    ):
        divisors(huge)
    assert complete([Window(huge, huge)], factors.COVERED) is None
    graph = min_cost([Window(huge, huge), Window(2 * huge, huge)], "min")
    assert graph.parent[Window(2 * huge, huge)] == Window(huge, huge)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (11 * 11, [1, 11, 121]),  # the root of what is left is the last that is tried
        (2 * 113, [1, 2, 113, 226]),
        (11 * 13, [1, 11, 13, 143]),
        (13 * 13, None),
        (3 * 13 * 17, None),
    ],
)
def test_divisors_are_tried_up_to_a_limit(
    number: int, expected: list[int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factors, "MOST_TRIED", 11)
    divisors.cache_clear()
    if expected is None:
        with pytest.raises(
            InvalidArgument, match=f"slide is {number}; expected a product of primes up to 11 and"
        ):
            divisors(number)
    else:
        assert divisors(number) == expected
    divisors.cache_clear()
