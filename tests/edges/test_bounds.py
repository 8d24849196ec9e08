"""Bounds of a density, against hand calculations, and what is said of a set that is too hard."""

from __future__ import annotations

import math
import re
import time
from fractions import Fraction

import pytest

import swagcore as sw
from swagcore.edges import TooHard, best, bounds
from swagcore.edges.classes import NoAnswer

UNIT = Fraction(1, 2**64)


@pytest.mark.parametrize(
    "classes, low, high",
    [
        ([], 0, 0),
        ([(0, 1)], 1, 1),
        ([(3, 8)], Fraction(1, 8), Fraction(1, 8)),
        ([(0, 3)], Fraction(2**64 // 3) * UNIT, Fraction(2**64 // 3 + 1) * UNIT),
        ([(0, 2**64)], UNIT, UNIT),
        ([(0, 2**64 + 1)], 0, UNIT),
        ([(5, 2**65)], 0, UNIT),
        ([(1, 4), (2, 4), (7, 8)], Fraction(5, 8), Fraction(5, 8)),
    ],
)
def test_bounds_are_rounded_outwards_to_the_unit(classes, low, high):
    assert bounds(classes) == (low, high)


@pytest.mark.parametrize(
    "classes, low, high",
    [
        ([(0, 2), (0, 3)], Fraction(2, 3), Fraction(2, 3)),
        ([(0, 4), (2, 6)], Fraction(1, 3), Fraction(1, 3)),
        ([(0, 4), (1, 6)], Fraction(5, 12), Fraction(5, 12)),  # never together
        ([(1, 4), (5, 6)], Fraction(1, 3), Fraction(1, 3)),
        ([(1, 4), (3, 6)], Fraction(1, 3), Fraction(1, 3)),
        # 1/2 + 1/3 + 1/5, less 1/6 + 1/10 + 1/15 from below, less 1/6 + 1/10 from above
        ([(0, 2), (0, 3), (0, 5)], Fraction(7, 10), Fraction(23, 30)),
        # 1/4 + 1/6 + 1/9, less 1/12 + 1/36 + 1/18 from below; 6 overlaps 4, and 9 overlaps 6 more than 4, from above
        ([(0, 4), (0, 6), (0, 9)], Fraction(13, 36), Fraction(14, 36)),
        # 9 overlaps 4 only, as (0, 6) and (1, 9) never meet: exact
        ([(0, 4), (0, 6), (1, 9)], Fraction(15, 36), Fraction(15, 36)),
        # 1/5 - 1/10 - 1/15 is more than nothing; 1/7 - 1/14 - 1/21 - 1/35 is less, and 7 is left out from below
        ([(0, 2), (0, 3), (0, 5), (0, 7)], Fraction(7, 10), Fraction(23, 30) + Fraction(1, 14)),
        # (1, 22) never meets (0, 2), and from below only those that are in count: 3 and 5, not 7
        (
            [(0, 2), (0, 3), (0, 5), (0, 7), (1, 22)],
            Fraction(7, 10) + Fraction(1, 22) * Fraction(7, 15),
            Fraction(23, 30) + Fraction(1, 14) + Fraction(1, 22) * Fraction(2, 3),
        ),
    ],
)
def test_bounds_by_hand(classes, low, high):
    found = bounds(classes)
    assert 0 <= low - found[0] < 100 * UNIT and 0 <= found[1] - high < 100 * UNIT


def test_a_class_that_adds_nothing_is_left_out():
    """It would cost a later one, that it overlaps, the little that this adds."""
    odd, even = 2**63 + 1, 2**63 + 2
    assert bounds([(0, 2), (0, odd)])[0] == Fraction(1, 2)  # one unit, less half of that, rounded
    assert bounds([(0, 2), (1, even)])[0] == Fraction(1, 2) + UNIT
    assert bounds([(0, 2), (0, odd), (1, even)])[0] == Fraction(1, 2) + UNIT


def test_bounds_look_at_500_classes_in_pairs():
    low, high = bounds([(residue, 1024) for residue in range(600)])
    assert (low, high) == (Fraction(500, 1024), Fraction(600, 1024))


# The interval of a set that is too hard


def test_an_interval_with_time_is_the_density():
    for classes in ([], [(0, 1)], [(1, 3)], [(0, 3), (1, 3)], [(0, 6), (1, 10), (2, 15)]):
        density = sw.edges.density(classes)
        assert best.interval(classes, math.inf) == (density, density)


def test_an_interval_with_time_is_the_density_of_many():
    classes = [(n % 5, n) for n in range(20, 60)]
    assert best.interval(classes, math.inf) == (sw.edges.density(classes),) * 2


def test_an_interval_without_time_is_that_of_the_classes_alone():
    low, high = best.interval([(0, 4), (0, 6), (0, 9)], deadline=0)
    assert low == Fraction(1, 4) and 0 <= high - Fraction(19, 36) < 4 * UNIT
    assert best.interval([(0, 2), (1, 2), (0, 3)], deadline=0) == (Fraction(1, 2), 1)
    assert best.interval([], deadline=0) == (0, 0)


@pytest.mark.parametrize("counted", [16, 20, 25, 31])
def test_an_interval_has_what_was_counted_and_the_sum_of_the_others(monkeypatch, counted):
    """The clock stops the count of more than so many of 40 primes; those beyond them count whole, from above."""
    classes = [(0, p) for p in range(100, 330) if all(p % d for d in range(2, 18))][:40]
    exactly = best.density_of_reduced

    def stopped(kept, deadline):
        if len(kept) > counted:
            raise NoAnswer
        return exactly(kept, deadline)

    monkeypatch.setattr(best, "density_of_reduced", stopped)
    monkeypatch.setattr(best, "bounds_of_reduced", lambda kept: (Fraction(0), Fraction(1)))
    low, high = best.interval(classes, math.inf)
    assert low == 1 - math.prod(1 - Fraction(1, p) for _, p in classes[:counted])
    assert 0 <= high - low - sum(Fraction(1, p) for _, p in classes[counted:]) < 40 * UNIT


def test_the_time_that_was_kept_goes_to_the_interval(monkeypatch):
    def gives_up(classes, deadline):
        raise NoAnswer("it did not try")

    monkeypatch.setattr(best, "density", gives_up)
    for seconds in (None, 5, 1000):
        with pytest.raises(
            TooHard, match=r"because it did not try; of all times, between 0.333333 and 0.333333"
        ) as hard:
            sw.edges.density([(0, 4), (2, 6)], seconds=seconds)
        assert hard.value.low == hard.value.high == Fraction(1, 3)
    with pytest.raises(TooHard) as hard:
        sw.edges.count([(4, 0), (6, 2)])
    assert (hard.value.low, hard.value.high) == (4, 4)


def test_three_quarters_of_the_time_go_to_the_count(monkeypatch):
    given = []

    def gives_up(classes, deadline):
        given.append(deadline - time.monotonic())
        raise NoAnswer

    def wide(classes, deadline):
        given.append(deadline - time.monotonic())
        return Fraction(0), Fraction(1)

    monkeypatch.setattr(best, "density", gives_up)
    monkeypatch.setattr(best, "interval", wide)
    for seconds, count, interval in [(4000, 3000, 60), (40, 30, 40), (None, math.inf, 60)]:
        given.clear()
        with pytest.raises(TooHard):
            sw.edges.density([(0, 2)], seconds=seconds)
        assert given == [pytest.approx(count, abs=5), pytest.approx(interval, abs=5)]


def test_what_is_said_of_a_set_that_is_too_hard():
    hard = TooHard(3, None, "there was no time", Fraction(1, 3), Fraction(2, 3), period=10)
    assert (hard.low, hard.high) == (4, 6)  # edges are whole: at least 10/3, at most 20/3
    assert str(hard) == (
        "the edges of 3 residue classes were not counted, because there was no time; of all times, "
        "between 0.333333 and 0.666667 are edges. Give more seconds, or plan with this interval"
    )
    hard = TooHard(3, 0.5, "there was no time", Fraction(1, 3), Fraction(2, 3))
    assert (hard.low, hard.high) == (Fraction(1, 3), Fraction(2, 3))
    assert re.match("the edges of 3 residue classes were not counted within 0.5 s, because", str(hard))


def test_no_limit():
    assert sw.edges.count([(4, 0), (6, 2)], seconds=None) == (4, 12)
    assert sw.edges.density([(0, 4), (2, 6)], seconds=None) == Fraction(1, 3)
    assert sw.edges.rate([sw.Query("q", "max", sw.Window(6, 4))], seconds=None) == Fraction(1, 2)
    assert sw.edges.rate([sw.Query("q", "max", sw.Window(6, 4))], method="f1", seconds=None) == Fraction(1, 2)
    assert sw.edges.count([(4, 0), (6, 2)], seconds=1) == (4, 12)
