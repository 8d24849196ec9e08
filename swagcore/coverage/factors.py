"""Which factor windows can be of use: a finite set that holds those of some optimal graph.

A factor window is one that nobody asked for, from which others are computed (W §4). Given the shape of a graph, three
moves never make it dearer, and together they leave few windows:

- A larger slide. For one range, fewer instances are made and fewer are read: so the slide is as large as the windows
  below allow.
- A larger tumbling window. What a tumbling window costs over the period does not depend on its range (it reads every
  event, or every sub-aggregate of its parent, once), and what is below reads fewer of a larger one. So under "partitioned
  by" its range is the gcd of all ranges, slides and differences of offsets below: one window for each *set* of windows,
  where W Alg 4 tries every divisor, for one set.
- A range at one of its ends. With everything else fixed the cost is a concave function of one range: n * steps, both
  linear, one falling and one rising. So it is least at an end: at the smallest range of the windows below, at that of the
  parent, or at the slide. Ranges that are tied to each other move together, with the same argument.

Under "partitioned by" there are two more sorts, which W does not have because its coverage asks for a smaller range: a
window of the same range and a smaller slide, each of whose instances is a whole answer; and, the other way round, a
tumbling window whose range is that of a hopping one, read off it at one step an instance.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence

from swagcore.coverage.relation import COVERED, PARTITIONED
from swagcore.coverage.sets import like
from swagcore.errors import InvalidArgument
from swagcore.windows import Window

MOST_CANDIDATES = 5_000
"""Beyond this many the set is cut to those with the slides and ranges that are likeliest to help."""

MOST_TRIED = 1_000_000
"""The largest number that is tried as a divisor of a slide."""

Grid = tuple[int, int]
"""The times t with t % step == start: (step, start)."""


def likely(windows: Sequence[Window], relation: str) -> list[Window]:
    """Factor windows that often help: tumbling ones for every set of windows, and those of a range asked for.

    >>> likely([Window(20, 20), Window(30, 30)], "covered by")
    [Window(range=10, slide=10), Window(range=20, slide=10), Window(range=30, slide=10)]
    """
    tumbling = _tumbling(windows)
    found = tumbling | _same_range(windows)
    if relation == COVERED:
        for w in windows:
            for step, _, start in tumbling:
                if w.slide % step == 0 == (w.offset - start) % step and w.range >= step:
                    found.add((w.range, step, start))
    return _windows(found, windows)


def complete(windows: Sequence[Window], relation: str) -> list[Window] | None:
    """Factor windows such that some optimal graph needs no others; None where they are too many.

    >>> complete([Window(20, 20), Window(30, 30)], "partitioned by")
    [Window(range=10, slide=10)]
    >>> [(w.range, w.slide) for w in complete([Window(6, 4)], "covered by")]
    [(1, 1), (2, 1), (2, 2), (6, 1), (6, 2)]
    """
    if relation == PARTITIONED:
        return _windows(_tumbling(windows) | _same_range(windows), windows)
    found = _covering(windows)
    return None if found is None else _windows(found, windows)


def _windows(sizes: set[tuple[int, int, int]], windows: Sequence[Window]) -> list[Window]:
    found = {like(windows[0], range, slide, offset) for range, slide, offset in sizes}
    return sorted(found - set(windows), key=lambda w: (w.range, w.slide, w.offset))


def _tumbling(windows: Sequence[Window]) -> set[tuple[int, int, int]]:
    """The largest for every set of windows; and those of a range asked for, which may be read off a hopping window."""
    grids = _meets(_grid(math.gcd(w.range, w.slide), w.offset) for w in windows)
    for w in windows:
        for extent in {other.range for other in windows}:
            if w.range % extent == w.slide % extent == 0:
                grids.add(_grid(extent, w.offset))
    return {(step, step, start) for step, start in grids}


def _same_range(windows: Sequence[Window]) -> set[tuple[int, int, int]]:
    """For the windows of one range, and tumbling ones of that range, one whose instances are theirs and more."""
    found, tumbling = set(), _tumbling(windows)
    for extent in {w.range for w in windows}:
        grids = {(w.slide, w.offset) for w in windows if w.range == extent}
        grids |= {(step, start) for step, _, start in tumbling if step == extent}
        found |= {(extent, step, start) for step, start in _meets(grids)}
    return found


def _covering(windows: Sequence[Window]) -> set[tuple[int, int, int]] | None:
    """Every slide that divides one asked for, with every range that may be an end; None if these are too many to list.

    A window with slide s above `w` has its starts in the residue class of `w.offset` and its range in that of `w.range`,
    modulo s. An end in that class is next to a range asked for, to a slide, or to a range so found.
    """
    classes: dict[
        tuple[int, int, int], int
    ] = {}  # (slide, offset, residue of the range) -> the largest range above
    try:
        dividing = {w.slide: divisors(w.slide) for w in windows}
    except InvalidArgument:
        return None
    for w in windows:
        for slide in dividing[w.slide]:
            key = (slide, w.offset % slide, w.range % slide)
            classes[key] = max(classes.get(key, 0), w.range)
    asked = {w.range for w in windows}
    ends = asked | {_from(slide, slide, residue) for slide, _, residue in classes}
    found: set[tuple[int, int, int]] = set()
    while True:
        before = len(found)
        for (slide, offset, residue), largest in classes.items():
            for end in ends:
                above = _from(max(end, slide), slide, residue)
                below = _from(max(end - slide + 1, slide), slide, residue)
                found |= {(extent, slide, offset) for extent in (above, below) if extent <= largest}
            if len(found) > MOST_CANDIDATES:
                return None
        if len(found) == before:
            break
        ends = {extent for extent, _, _ in found} | asked
    for slide, offset, residue in classes:  # with gaps, for windows of just this range
        found |= {(extent, slide, offset) for extent in asked if extent < slide and extent % slide == residue}
    return found


def _from(least: int, step: int, residue: int) -> int:
    """The first number from `least` on with that residue modulo `step`.

    >>> _from(7, 4, 2), _from(6, 4, 2)
    (10, 6)
    """
    return least + (residue - least) % step


def _grid(step: int, start: int) -> Grid:
    return step, start % step


def _meet(a: Grid, b: Grid) -> Grid:
    """The coarsest grid that has all times of both."""
    step = math.gcd(a[0], b[0], a[1] - b[1])
    return step, a[1] % step


def _meets(grids: Iterable[Grid]) -> set[Grid]:
    """The grids, and those of every subset of them.

    >>> sorted(_meets([(20, 0), (30, 0), (45, 5)]))
    [(5, 0), (10, 0), (20, 0), (30, 0), (45, 5)]
    """
    found: set[Grid] = set()
    for grid in grids:
        found |= {_meet(grid, other) for other in found} | {grid}
    return found


@functools.lru_cache(maxsize=4096)
def divisors(number: int) -> list[int]:
    """All divisors, in order.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    >>> divisors(10**18 + 9)
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: slide is 1000000000000000009; expected a product of primes up to 1000000 and at most one up to its square, so that its divisors can be listed
    """
    found = [1]
    rest, prime = number, 2
    while rest > 1:
        if prime * prime > rest:
            prime = rest
        elif prime > MOST_TRIED:
            raise InvalidArgument(
                "slide",
                number,
                f"a product of primes up to {MOST_TRIED} and at most one up to its square, so that its divisors can be listed",
            )
        power, powers = 1, []
        while rest % prime == 0:
            rest //= prime
            power *= prime
            powers.append(power)
        found += [divisor * factor for divisor in found for factor in powers]
        prime += 1 if prime == 2 else 2
    return sorted(found)
