"""The search for factor windows: what it finds, and how far from the optimum it says that this may be."""

from __future__ import annotations

from fractions import Fraction

import pytest

from swagcore.coverage import factors
from swagcore.coverage import search as searching
from swagcore.coverage.network import Network
from swagcore.coverage.search import Found, bound_of_any, search
from swagcore.windows import Window
from tests.coverage.test_graph import some_sets


def value(windows: list[Window], found: Found, relation: str, events: int, minimize: str) -> Fraction:
    """What the windows and the factor windows found cost."""
    network = Network.of(windows, found.parent, relation, events, minimize)
    return Fraction(network.cost(range(len(network.nodes))), network.scale)


def test_without_a_relation_everything_comes_from_the_stream() -> None:
    windows = [Window(4, 4), Window(2, 2)]
    assert search(windows, None, 1, "cost", True) == Found({Window(4, 4): None, Window(2, 2): None}, 0)


def test_without_factor_windows_there_is_nothing_to_be_found() -> None:
    windows = [Window(20, 20), Window(30, 30), Window(60, 60)]
    found = search(windows, "partitioned by", 1, "cost", False)
    assert found == Found({Window(20, 20): None, Window(30, 30): None, Window(60, 60): Window(30, 30)}, 0)


# Sets of windows, and what they cost at the least.
A = [Window(20, 5), Window(8, 2)]
B = [Window(8, 2), Window(8, 8)]
C = [Window(20, 5), Window(6, 3), Window(8, 2), Window(9, 2)]
D = [Window(12, 4), Window(16, 8), Window(4, 1)]


@pytest.mark.parametrize(
    ("windows", "relation", "minimize", "events", "optimum", "improved", "sketched"),
    [
        # 1 + 4/5 by W<5, 5>, 1 + 4/2 by W<2, 2>. The bound has one event a time unit for the two: it is lower by 1.
        (A, "partitioned by", "rate", 1, Fraction(24, 5), (Fraction(24, 5), 1), (Fraction(24, 5), 1)),
        (A, "partitioned by", "cost", 3, 288, (288, 80), (288, 80)),
        (A, "covered by", "cost", 1, 168, (168, 79), (168, 106)),
        # without the nodes that no cheaper graph has, two windows are left: then what was found is the best
        (
            B,
            "covered by",
            "rate",
            1,
            Fraction(25, 8),
            (Fraction(25, 8), 0),
            (Fraction(25, 8), Fraction(13, 8)),
        ),
        # three graphs: the best, that of additions among all candidates, that of additions among the likely ones
        (C, "covered by", "cost", 1, 3543, (3780, 2741), (3886, 2985)),
        (
            *(C, "covered by", "rate", 3, Fraction(389, 30)),
            *((Fraction(41, 3), Fraction(131, 15)), (Fraction(419, 30), Fraction(283, 30))),
        ),
        (D, "covered by", "cost", 3, 376, (376, 12), (376, 82)),
    ],
)
def test_what_is_found_with_less_work(
    monkeypatch: pytest.MonkeyPatch,
    windows: list[Window],
    relation: str,
    minimize: str,
    events: int,
    optimum: Fraction,
    improved: tuple[Fraction, Fraction],
    sketched: tuple[Fraction, Fraction],
) -> None:
    """By the exact tree; by additions and removals; and by these without the edges among all candidates."""

    def found() -> tuple[Fraction, Fraction]:
        one = search(windows, relation, events, minimize, True)
        assert isinstance(one.gap, int) or one.gap.denominator > 1
        return value(windows, one, relation, events, minimize), Fraction(one.gap)

    assert found() == (optimum, 0)
    monkeypatch.setattr(searching, "MOST_STEPS", 0)
    assert found() == improved
    monkeypatch.setattr(searching, "MOST_NODES", 0)
    assert found() == sketched


def test_the_limits_of_the_work_are_reached_not_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    def gap(windows: list[Window], relation: str, steps: int, nodes: int) -> Fraction:
        monkeypatch.setattr(searching, "MOST_STEPS", steps)
        monkeypatch.setattr(searching, "MOST_NODES", nodes)
        return Fraction(search(windows, relation, 1, "rate", True).gap)

    # W<5, 5>, W<2, 2> and W<1, 1> with the two asked for: 5 nodes, of 40 steps in all
    assert gap(A, "partitioned by", 40, 5) == 0
    assert gap(A, "partitioned by", 39, 5) == 1
    assert gap(A, "partitioned by", 40, 4) == 1


def test_without_candidates_the_bound_of_any_graph_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factors, "MOST_CANDIDATES", 0)
    for windows in (A, B, C, D):
        for minimize in ("cost", "rate"):
            one = search(windows, "covered by", 2, minimize, True)
            assert value(windows, one, "covered by", 2, minimize) - one.gap == bound_of_any(
                windows, 2, minimize
            )
    # where the bound is the cost itself, the gap is none
    assert search([Window(2, 4), Window(3, 9)], "covered by", Fraction(1, 9), "rate", True).gap == 0


@pytest.mark.parametrize("relation", ["covered by", "partitioned by"])
def test_gaps_are_never_too_small(monkeypatch: pytest.MonkeyPatch, relation: str) -> None:
    kinds = set()
    for number, windows in enumerate(some_sets(23, 16, 6, 3)):
        minimize, events = ("cost", "rate")[number % 2], (1, 4)[number // 2 % 2]
        best = search(windows, relation, events, minimize, True)
        optimum = value(windows, best, relation, events, minimize)
        assert best.gap == 0
        for limits in ((0, 1200), (0, 0), (5_000_000, 0)):
            with monkeypatch.context() as patch:
                for name, limit in zip(("MOST_STEPS", "MOST_NODES"), limits, strict=True):
                    patch.setattr(searching, name, limit)
                one = search(windows, relation, events, minimize, True)
            cost = value(windows, one, relation, events, minimize)
            assert cost - one.gap <= optimum <= cost
            kinds.add((one.gap == 0, cost == optimum))
    assert {(True, True), (False, True)} <= kinds


@pytest.mark.parametrize(
    ("windows", "events", "minimize", "bound"),
    [
        # 3 + 2 instances in 60 with a step each, and 61 / 2 events read
        ([Window(20, 20), Window(30, 30)], 1, "cost", Fraction(71, 2)),
        # one in 20 and one in 30; the cheapest is to give up the step of the first and read its 20 events
        ([Window(20, 20), Window(30, 30)], 1, "rate", Fraction(1, 20) + Fraction(1, 30) + Fraction(19, 20)),
        ([Window(20, 20), Window(30, 15)], 1, "rate", Fraction(1, 20) + Fraction(1, 15) + Fraction(19, 20)),
        # all of the stream is read
        ([Window(20, 5), Window(30, 5)], 2, "rate", Fraction(2, 5) + 2),
        # an instance has less than an event: that is less than a step, and nothing is read beyond
        ([Window(20, 20), Window(30, 30)], Fraction(1, 100), "cost", Fraction(6, 5)),
        ([Window(20, 20), Window(30, 30)], Fraction(1, 100), "rate", Fraction(1, 50)),
        # just one event each
        ([Window(20, 10)], Fraction(1, 20), "rate", Fraction(1, 10)),
        # windows with gaps may be read off others with gaps, and leave most of the stream unread
        ([Window(2, 4), Window(3, 5)], 10, "rate", Fraction(9, 20)),
        # not so where one has none
        ([Window(2, 4), Window(5, 5)], 1, "rate", Fraction(9, 20) + Fraction(1, 4)),
        ([Window(1, 2), Window(3, 3)], 3, "cost", Fraction(2 + 1) + 2 * 2),
    ],
)
def test_the_bound_of_any_graph(windows: list[Window], events: int, minimize: str, bound: Fraction) -> None:
    assert bound_of_any(windows, events, minimize) == bound
