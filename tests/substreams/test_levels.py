"""Levels and stamps, against their definitions counted out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swagcore.substreams.levels import Stamps, level, level_beyond, level_of, level_within

PS = [1, 2, 3, 4, 7]


def widths(p: int, count: int) -> list[int]:
    """p levels of width 1, p of width 2, p of width 4: A §4.1.2, counted out."""
    return [2 ** (number // p) for number in range(count)]


@pytest.mark.parametrize("p", PS)
def test_levels_tile_the_distances(p: int) -> None:
    nearest = 1
    for number, width in enumerate(widths(p, 8 * p)):
        assert level(number, p) == (number, width, nearest)
        for distance in range(nearest, nearest + width):
            assert level_of(distance, p).number == number
        nearest += width


def test_one_level_a_width_is_the_definition_of_the_paper() -> None:
    for distance in range(1, 2000):
        assert (
            level_of(distance, 1).number == distance.bit_length() - 1
        )  # floor(log2(m - p + 1)), A Definition 4.1


@pytest.mark.parametrize("p", PS)
def test_levels_within_and_beyond(p: int) -> None:
    levels = [level(number, p) for number in range(9 * p)]
    for count in range(1, 200):
        assert level_within(count, p) == [one for one in levels if one.farthest <= count][-1]
        assert level_beyond(count, p) == next(one for one in levels if one.nearest >= count)


def kept(times: list[int], p: int) -> list[int]:
    """The stamps by definition: of each level that is full, the element whose position is a multiple of its width."""
    found = []
    for number in range(len(times)):
        one = level(number, p)
        positions = [len(times) - distance + 1 for distance in range(one.nearest, one.farthest + 1)]
        multiples = [position for position in positions if position % one.width == 0]
        assert len(multiples) == 1
        if multiples[0] < 1:
            break
        found.append(times[multiples[0] - 1])
    return found


@pytest.mark.parametrize("p", PS)
def test_stamps_are_those_of_the_definition(p: int) -> None:
    stamps, times = Stamps(p), []
    for time in range(300):
        times.append(time)
        stamps.insert(time)
        assert stamps.times == kept(times, p)


bulks = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 40)), max_size=25)


@given(st.sampled_from(PS), bulks)
def test_copies_at_once_are_copies_one_by_one(p: int, steps: list[tuple[int, int]]) -> None:
    bulk, one_by_one = Stamps(p), Stamps(p)
    time = 0
    for wait, copies in steps:
        time += wait
        shown: dict[int, Any] = dict(enumerate(bulk.times))
        for number, was, now in bulk.insert(time, copies):
            assert shown.get(number) == was != now
            shown[number] = now
        for _ in range(copies):
            one_by_one.insert(time)
        assert bulk.times == one_by_one.times == [shown[number] for number in range(len(shown))]


@given(st.sampled_from(PS), bulks, st.integers(0, 30))
def test_what_is_let_go_changes_no_later_stamp(p: int, steps: list[tuple[int, int]], longest: int) -> None:
    full, pruned = Stamps(p), Stamps(p)
    time = 0
    for wait, copies in steps:
        time += wait
        full.insert(time, copies)
        pruned.insert(time, copies)
        pruned.forget(time - longest)
        assert pruned.times == [stamp for stamp in full.times if stamp >= time - longest]


def test_what_is_let_go_is_returned_by_level() -> None:
    stamps = Stamps(1)
    for time in range(1, 8):
        stamps.insert(time)
    assert stamps.times == [7, 6, 4]
    assert stamps.forget(4) == []
    assert stamps.forget(7) == [(1, 6), (2, 4)]
    assert stamps.times == [7]


def test_a_huge_value_is_no_loop() -> None:
    stamps = Stamps(2)
    changes = stamps.insert(5, 10**30)
    assert len(changes) == len(stamps.times) < 2 * 101


@pytest.mark.parametrize("p", PS)
def test_amortized_changes(p: int) -> None:
    """A level of width w changes with every w-th element: p + p/2 + p/4 + ... < 2p stamps an insert."""
    stamps = Stamps(p)
    n = 4096
    assert sum(len(stamps.insert(time)) for time in range(n)) < 2 * p * n
