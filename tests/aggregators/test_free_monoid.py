"""Over words a right answer is a proof for every associative operation: all short interleavings, and long streams."""

from __future__ import annotations

import random
from itertools import product

import pytest

from swagcore.aggregators import technique_for
from swagcore.algebra import aggregate, intervals, words
from swagcore.errors import EmptyWindow
from tests.aggregators.kit import BLIND, RANGES, VARIANTS, askable, maker

LENGTH = 8


def check_all(window, held, identity):
    """Every question that this window takes, against the word that it should hold."""
    assert len(window) == len(held)
    assert window.query() == (held or identity)
    if window.multi:
        for n in range(1, len(held) + 1):
            if askable(window, n):
                assert window.query(n) == held[-n:]
    if window.historical:
        for lag in range(len(held) + 1):
            assert window.query(None, lag) == (held[: len(held) - lag] or identity)
            for n in range(len(held) - lag + 1):
                assert window.query(n, lag) == held[len(held) - lag - n : len(held) - lag]


def run(factory, steps):
    """The steps i(nsert), e(vict), q(uery) over words, everything asked at the end; False where they evict too much."""
    window, held = factory(words), ()
    for place, step in enumerate(steps):
        if step == "i":
            window.insert((place,))
            held += (place,)
        elif step == "q":
            assert window.query() == held, steps
        elif held:
            window.evict()
            held = held[1:]
        else:
            return False
    window._check()
    check_all(window, held, ())
    return True


@pytest.mark.parametrize("name", BLIND)
def test_all_short_interleavings(name, tiny):
    """All of `LENGTH` steps, so all shorter ones as well; one that begins with a query says nothing new."""
    factory = maker(name)
    legal = sum(run(factory, ("i", *steps)) for steps in product("ieq", repeat=LENGTH - 1))
    assert legal == ways(LENGTH - 1, held=1)


def ways(steps, held):
    """How many interleavings of so many steps never evict from an empty window."""
    if not steps:
        return 1
    return ways(steps - 1, held + 1) + ways(steps - 1, held) + (ways(steps - 1, held - 1) if held else 0)


@pytest.mark.parametrize("name", BLIND)
def test_growing_draining_and_starting_again(name):
    window, place = maker(name)(words), 0
    for longest in (1, 3, 40, 2, 17, 0, 33):
        held = ()
        for _ in range(longest):
            window.insert((place,))
            held += (place,)
            place += 1
        for kept in range(longest, -1, -1):
            window._check()
            if kept % 7 in (0, 1):
                check_all(window, held, ())
            if kept:
                window.evict()
                held = held[1:]
        with pytest.raises(EmptyWindow):
            window.evict()
        check_all(window, (), ())  # an evict that was refused has changed nothing


@pytest.mark.parametrize("name", BLIND)
@pytest.mark.parametrize("size", [8, 16])
def test_arrays_that_are_full_after_a_slide_grow(name, size):
    """Positions are counted on while a window slides; the arrays double when the count is beyond their first round."""
    for slid in (size - 1, size, size + 1, 3 * size):
        window = maker(name)(words)
        for place in range(size + slid):
            window.insert((place,))
            if place >= size:
                window.evict()
        for place in range(size + slid, 2 * size + slid + 1):
            window.insert((place,))
            window._check()
            check_all(window, tuple(range(max(slid, 0), place + 1)), ())


def stream(name, elements, window_sizes, seed):
    """Elements through a window whose length wanders; spans tell whether an answer is right, at no cost."""
    chance = random.Random(seed)
    window = maker(name)(intervals)
    low, answers, wanted = 0, 0, 1
    ranges = RANGES if name in ("slickdeque_inv", "l_int declared") else (1, 2, 3, 64, 100)
    for high in range(elements):
        window.insert((high, high + 1))
        if high % 5_000 == 0:
            wanted = chance.choice(window_sizes)
        while high + 1 - low > wanted:
            window.evict()
            low += 1
        if high % 7 == 0:
            size = high + 1 - low
            assert window.query() == ((low, high + 1) if size else None)
            answers += 1
            n = chance.choice(ranges)
            if window.multi and n <= size:
                assert window.query(n) == (high + 1 - n, high + 1)
            if window.historical and n <= size:
                lag = chance.randint(0, size - n)
                assert window.query(n, lag) == (high + 1 - lag - n, high + 1 - lag)
    window._check()
    return answers


@pytest.mark.parametrize("name", [name for name in BLIND if name != "recompute"])
def test_long_streams(name):
    assert stream(name, 12_000, [1, 2, 0, 9, 100, 130], seed=3) > 1_500


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in BLIND if name != "recompute"])
def test_a_million(name):
    assert stream(name, 1_000_000, [1, 0, 7, 100, 1_000, 1_024, 3_000], seed=5) > 140_000


def wandering_max(elements, window_sizes, seed):
    """SlickDeque (Non-Inv) against a plain maximum, on values in short ranges, so with ties, and long falls."""
    chance = random.Random(seed)
    window, values, low, wanted, checked = (
        technique_for("slickdeque_noninv", aggregate("arg_max")),
        [],
        0,
        1,
        0,
    )
    for high in range(elements):
        value = chance.randint(0, 30) if high % 2_000 < 1_000 else -high
        values.append((value, high))
        window.insert((value, high))
        if high % 1_500 == 0:
            wanted = chance.choice(window_sizes)
        while high + 1 - low > wanted:
            window.evict()
            low += 1
        if high % 61 == 0 and high + 1 > low:
            n = chance.randint(1, high + 1 - low)
            for first, got in ((low, window.query()), (high + 1 - n, window.query(n))):
                assert got == max(values[first:], key=lambda pair: (pair[0], -pair[1]))
                checked += 1
    window._check()
    return checked


def test_a_long_stream_of_maxima():
    assert wandering_max(20_000, [1, 0, 5, 100, 200], seed=7) > 400


@pytest.mark.parametrize("name", VARIANTS)
def test_windows_do_not_share_anything(name):
    function = aggregate("max") if name == "slickdeque_noninv" else words
    one, other = maker(name)(function), maker(name)(function)
    one.insert(function.partial(1))
    assert len(other) == 0
    assert other.query() == function.identity
