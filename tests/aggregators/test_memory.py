"""What a window keeps: arrays grow when they are full and shrink when they are nearly empty, and what left is let go."""

from __future__ import annotations

import weakref

import pytest

from swagcore.aggregators.b_int import BInt
from swagcore.aggregators.flatfat import FlatFat
from swagcore.aggregators.landmarks import Landmarks
from swagcore.aggregators.tape import Tape
from swagcore.algebra import Aggregate, intervals, words
from tests.aggregators.kit import BLIND, maker
from tests.aggregators.test_free_monoid import check_all

CAPACITY = {
    "daba": lambda window: len(window._vals),
    "flatfat": lambda window: window._capacity,
    "b_int": lambda window: len(window._levels[0]),
    "flatfit": lambda window: len(window._partials),
}


def filled(name: str, length: int):
    window = maker(name)(words)
    for place in range(length):
        window.insert((place,))
    return window


@pytest.mark.parametrize("name", CAPACITY)
@pytest.mark.parametrize(
    ("length", "capacity"), [(0, 8), (1, 8), (8, 8), (9, 16), (16, 16), (17, 32), (32, 32), (33, 64)]
)
def test_arrays_double_when_they_are_full_and_not_before(name, length, capacity):
    assert CAPACITY[name](filled(name, length)) == capacity


@pytest.mark.parametrize(
    ("name", "shrinking"),
    [
        ("daba", [(14, 32), (6, 16), (2, 8)]),  # those whose evict finds less than a quarter in use
        ("flatfit", [(14, 32), (6, 16), (2, 8)]),
        ("flatfat", [(15, 32), (7, 16), (3, 8)]),  # a quarter, or less
        ("b_int", [(15, 32), (7, 16), (3, 8)]),
    ],
)
def test_arrays_halve_when_they_are_three_quarters_empty(name, shrinking):
    """A window of 64 that drains: the length and the capacity after every evict that gave memory back."""
    window, seen = filled(name, 64), []
    while window:
        before = CAPACITY[name](window)
        window.evict()
        if CAPACITY[name](window) != before:
            seen.append((len(window), CAPACITY[name](window)))
    assert seen == shrinking


@pytest.mark.parametrize("name", CAPACITY)
@pytest.mark.parametrize("slid", range(33))
def test_arrays_that_shrink_and_grow_wherever_the_window_lies(name, slid):
    """The oldest partial may be in any cell when the arrays are halved, and later doubled: nothing is lost or mixed up."""
    window = filled(name, 17)
    held = tuple(range(17))
    for place in range(17, 17 + slid):
        window.insert((place,))
        window.evict()
    held = tuple(range(slid, slid + 17))
    while len(held) > 2:
        window.evict()
        held = held[1:]
        window._check()
        if len(held) < 9:
            check_all(window, held, ())
    for place in range(17 + slid, 34 + slid):
        window.insert((place,))
        held += (place,)
        window._check()
    check_all(window, held, ())


@pytest.mark.parametrize("name", CAPACITY)
@pytest.mark.parametrize(("length", "capacity"), [(1, 8), (5, 8), (8, 8), (9, 16), (16, 16)])
def test_arrays_stay_as_they_are_while_a_window_slides(name, length, capacity):
    window = filled(name, length)
    for place in range(length, length + 100):
        window.evict()
        window.insert((place,))
        assert CAPACITY[name](window) == capacity


@pytest.mark.parametrize("length", [1, 7, 8, 9, 30])
def test_a_drained_daba_holds_nothing(length):
    window = filled("daba", length)
    while window:
        window.evict()
    assert set(window._vals) == set(window._aggs) == {None}


class Span:
    """The word from `low` up to `high` as an object of its own, which holds on to nothing."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Span) and (self.low, self.high) == (other.low, other.high)

    __hash__ = object.__hash__

    def followed_by(self, other: Span) -> Span:
        assert self.high == other.low
        return Span(self.low, other.high)

    def without(self, oldest: Span) -> Span:
        assert self.low == oldest.low
        return Span(oldest.high, self.high)


NOTHING = Span(0, 0)


def joined(older: Span, newer: Span) -> Span:
    return newer if older is NOTHING else older if newer is NOTHING else older.followed_by(newer)


spans = Aggregate(
    "spans",
    lift=lambda place: Span(place, place + 1),
    combine=joined,
    inverse=Span.without,
    identity=NOTHING,
)


@pytest.mark.parametrize("name", BLIND)
def test_a_partial_that_left_is_let_go(name):
    """Through growing, sliding and draining: no evicted partial is held, in its place or in another."""
    window, alive = maker(name)(spans), weakref.WeakSet()
    low = high = 0
    for wanted in (20, 3, 9, 2, 40, 1, 12):
        for _ in range(2 * wanted):
            partial = Span(high, high + 1)
            alive.add(partial)
            window.insert(partial)
            del partial
            high += 1
            if high % 3 == 0:
                window.query()
            while high - low > wanted:
                window.evict()
                low += 1
            # The running totals of R-INT begin with the first partial since the restart, before the oldest.
            expired = {span.low for span in alive if span.low < low}
            assert expired <= ({0, low - 1} if name == "r_int" else set())


def test_intervals_that_lost_a_partial_are_let_go():
    """B-INT drops with a partial all base intervals that begin with it: what is left lies inside the window."""
    alive = weakref.WeakSet()

    def combine(older: Span, newer: Span) -> Span:
        both = joined(older, newer)
        alive.add(both)
        return both

    window = BInt(Aggregate("spans", lift=spans.lift, combine=combine, identity=NOTHING))
    low = 0
    for high in range(1, 200):
        window.insert(Span(high - 1, high))
        while high - low > (40 if high < 120 else 7):
            window.evict()
            low += 1
        assert {span.low for span in alive if span.low < low} == set()


class Touched(list):
    """A list that counts the cells that are read and written."""

    reads = writes = 0

    def __getitem__(self, place):
        Touched.reads += 1
        return super().__getitem__(place)

    def __setitem__(self, place, value):
        Touched.writes += 1
        super().__setitem__(place, value)


def test_an_evict_of_b_int_writes_two_cells_at_the_most_amortized():
    """As many base intervals begin at a position as end there: below 2 in the long run, however many levels there are."""
    window = BInt(intervals)
    for place in range(256):
        window.insert((place, place + 1))
    window._levels = [Touched(cells) for cells in window._levels]
    Touched.writes = 0
    for _ in range(128):
        window.evict()
    assert Touched.writes < 2 * 128 + len(window._levels)


@pytest.mark.parametrize("technique", [FlatFat, BInt])
@pytest.mark.parametrize("length", [9, 16, 17, 31, 32])
@pytest.mark.parametrize("slid", [0, 1, 7, 16, 1_000])
def test_a_resizing_moves_what_is_inside_the_window_and_no_more(technique, length, slid):
    """However far the window has slid, a block that begins before it stays behind."""
    window = technique(intervals)
    for place in range(length + slid):
        window.insert((place, place + 1))
        if place >= length:
            window.evict()
    inside = len(window._blocks()) if technique is FlatFat else len(window._active())
    capacity = CAPACITY[window.name](window)
    if technique is FlatFat:
        window._tree = Touched(window._tree)
    else:
        window._levels = [Touched(cells) for cells in window._levels]
    Touched.reads = 0
    window._resize(2 * capacity)
    assert Touched.reads <= inside
    window.insert((slid + length, slid + length + 1))  # which is what it was resized for
    window._check()
    assert window.query() == (slid, slid + length + 1)


def test_the_blocks_that_flatfat_has():
    """b .. e at positions 1 .. 4: their leaves, and of every width the blocks that begin at 1 or later."""
    window = FlatFat(words)
    for letter in "abcde":
        window.insert((letter,))
    window.evict()
    nodes = {9: "b", 10: "c", 11: "d", 12: "e", 5: "cd", 6: "e", 3: "e"}
    assert window._state() == {
        "capacity": 8,
        "first": 1,
        "size": 4,
        "nodes": {node: tuple(word) for node, word in nodes.items()},
    }
    assert window._blocks() == [
        *((9, 1, 2), (10, 2, 3), (11, 3, 4), (12, 4, 5)),
        *((5, 2, 4), (6, 4, 5)),
        (3, 4, 5),
    ]


def test_the_base_intervals_that_b_int_has():
    """b .. f at positions 1 .. 5: each, and the complete ones of two and of four that begin at 1 or later."""
    window = BInt(words)
    for letter in "abcdef":
        window.insert((letter,))
    window.evict()
    assert [len(cells) for cells in window._levels] == [8, 4, 2, 1]
    active = {(1, 2): "b", (2, 3): "c", (3, 4): "d", (4, 5): "e", (5, 6): "f", (2, 4): "cd", (4, 6): "ef"}
    assert window._active() == {place: tuple(word) for place, word in active.items()}
    for letter in "gh":
        window.insert((letter,))
    assert window._active()[4, 8] == tuple("efgh")
    assert (0, 8) not in window._active()


def test_landmarks_are_counted_from_the_oldest_position():
    """Of a tape that has lost one: the first landmark stands at the first letter that is left, the next three later."""
    leaves = Tape()
    for letter in "abcdefgh":
        leaves.append(letter)
    leaves.popleft()
    part = Landmarks(3, 4, leaves, str.__add__)
    assert part._state() == {
        "width": 3,
        "past": 0,
        "before": ["bcd", "cd", "d", "efg", "fg", "g", None],
        "since": [[None, None, None, "e", "ef", "efg", "h"]],
    }
