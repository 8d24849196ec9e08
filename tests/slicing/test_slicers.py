"""Panes, pairs and Cutty: where one window cuts the stream, and S Table 1 by counting."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import accumulate, pairwise

import pytest

import swagcore as sw
from swagcore.slicing import Cuts, cutty, pairs, panes, partials

SLICERS: dict[str, Callable[[sw.Window], list[int]]] = {"panes": panes, "pairs": pairs, "cutty": cutty}
WINDOWS = [
    sw.Window(r, s, o) for r in range(1, 15) for s in range(1, 13) for o in {0, 1, s // 2, s - 1} if o < s
]


@pytest.mark.parametrize("slicing", SLICERS)
def test_lengths_and_residues_say_the_same(slicing: str) -> None:
    """The slices of a slide, from an instance's start on, are what lies between the edges that Window.edges gives."""
    for window in WINDOWS:
        ends = list(accumulate(SLICERS[slicing](window), initial=window.offset))
        cuts = Cuts.of([window], slicing)
        assert ends[-1] == window.offset + window.slide
        assert [t for t in range(window.offset, ends[-1] + 1) if t in cuts] == ends, window


@pytest.mark.parametrize("slicing", SLICERS)
def test_instances_are_made_of_whole_slices(slicing: str) -> None:
    """Starts are edges, and so are ends, but not under Cutty; the fewest cuts that do it under pairs and Cutty."""
    for window in WINDOWS:
        cuts = Cuts.of([window], slicing)
        starts = set(range(window.offset - 15 * window.slide, 40, window.slide))
        needed = starts if slicing == "cutty" else starts | {start + window.range for start in starts}
        inside = range(window.offset, window.offset + window.slide)
        assert all(time in cuts for time in needed), window
        if slicing != "panes":
            assert {time for time in inside if time in cuts} == {time for time in inside if time in needed}


TABLE_1: dict[str, Callable[[int, int], int]] = {
    "panes": lambda r, s: r // s if r % s == 0 else r // math.gcd(r, s),
    "pairs": lambda r, s: r // s if r % s == 0 else 2 * (r // s) + 1,
    "cutty": lambda r, s: r // s if r % s == 0 else -(-r // s),
}


@pytest.mark.parametrize("slicing", SLICERS)
def test_partials_per_window(slicing: str) -> None:
    """S Table 1 holds for every range, slide and offset, also where the slide is larger than the range."""
    for window in WINDOWS:
        assert partials(window, slicing) == TABLE_1[slicing](window.range, window.slide), window
        cuts = Cuts.of([window], slicing)
        for start in range(window.offset, window.offset + 5 * window.slide, window.slide):  # the same for all
            assert cuts.between(start, start + window.range) == partials(window, slicing)


def test_fragments_of_the_papers() -> None:
    assert pairs(sw.Window(14, 8)) == [
        6,
        2,
    ]  # S Fig 3, whose text has f1 = 2, f2 = 6, against f1 = range % slide
    assert cutty(sw.Window(5, 3)) == [3] and partials(sw.Window(5, 3), "cutty") == 2  # S Fig 4
    assert partials(sw.Window(4, 1), "panes") == 4  # S Fig 2


@pytest.mark.parametrize(
    ("window", "edges", "from_zero"),
    [
        (sw.Window(7, 5), [0, 2, 5, 7, 10], (2, 3)),  # S §2.3.1, C §2.1: range mod slide comes first
        (sw.Window.ending(7, 5), [0, 3, 5, 8, 10], (3, 2)),  # S §5.2.3, W §5.1: it comes second
    ],
)
def test_which_fragment_comes_first(window: sw.Window, edges: list[int], from_zero: tuple[int, int]) -> None:
    """Both orders in the papers are right, each for its own alignment, and wrong for the other's."""
    cuts = Cuts.of([window])
    assert [time for time in range(11) if time in cuts] == edges
    assert tuple(b - a for a, b in pairwise(edges[:3])) == from_zero
    other = Cuts([(0, 5), (from_zero[1], 5)])  # the two fragments in the other order
    assert not all(end in other for end in window.ends(0, 20)) or not all(
        end - window.range in other for end in window.ends(0, 20)
    )


@pytest.mark.parametrize(
    ("r", "s", "counted", "printed"), [(1, 1, 1, 2), (5, 3, 3, 4), (4, 2, 2, 4), (3, 2, 3, 3)]
)
def test_pairs_against_twice_range_over_slide(r: int, s: int, counted: int, printed: int) -> None:
    """ceil(2r/s) is an upper bound of the partials (C §2.1), but not their number (W Table 1, unshared paired)."""
    assert partials(sw.Window(r, s)) == counted and -(-2 * r // s) == printed


def test_twice_range_over_slide_is_an_upper_bound() -> None:
    assert all(partials(window) <= -(-2 * window.range // window.slide) for window in WINDOWS)


def test_counting_too_far_is_refused() -> None:
    with pytest.raises(sw.SwagError, match="at most 10000000 edges"):
        partials(sw.Window(10**12, 10**12 - 1), "panes")
    assert partials(sw.Window(10**12, 10**12 - 1)) == 3
