"""Which windows have an answer, and which rows they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .compiled import COMPILED, compiled

Integers = np.ndarray[Any, np.dtype[np.int64]]


class Windows(NamedTuple):
    """Windows of some runs, in order: the run of each, its start, and its rows `[lo, hi)`, at least one."""

    run: Integers
    start: Integers
    lo: Integers
    hi: Integers


def windows(
    times: Integers,
    bounds: Integers,
    first: Integers,
    before: Integers,
    window: tuple[int, int, int],
    most: int = 1 << 19,
) -> Iterator[Windows]:
    """All instances of a window that contain a row, at most `most` of them at a time.

    Run number i has the rows `bounds[i] <= row < bounds[i + 1]`, whose `times` rise; of its instances those with
    `first[i] <= start < before[i]` are wanted. `window` is (range, slide, offset). Time: one step a row and a window;
    empty instances between rows cost nothing, however many there are.

    >>> times, bounds = np.array([1, 3, 9, 2]), np.array([0, 3, 4])
    >>> wide = np.array([-100, -100]), np.array([100, 100])
    >>> [found] = windows(times, bounds, *wide, (4, 2, 0))
    >>> found.run.tolist(), found.start.tolist()
    ([0, 0, 0, 0, 0, 1, 1], [-2, 0, 2, 6, 8, 0, 2])
    >>> found.lo.tolist(), found.hi.tolist()
    ([0, 0, 1, 2, 2, 3, 3], [1, 2, 2, 3, 3, 4, 4])
    """
    if not len(times):
        return
    if not COMPILED:
        yield from _by_numpy(times, bounds, first, before, window, most)
        return
    state = np.zeros(4, np.int64)
    state[0] = -1
    while state[0] < len(bounds) - 1:
        found = np.empty((4, most), np.int64)
        count = _fill(times, bounds, first, before, *window, state, found)
        if count:
            yield Windows(*(column[:count] for column in found))


@compiled
def _fill(
    times: Integers,
    bounds: Integers,
    first: Integers,
    before: Integers,
    length: int,
    slide: int,
    offset: int,
    state: Integers,
    found: Integers,
) -> int:
    """Fill `found` with windows from where `state` stands: (run, start, lo, hi); run -1 is before the beginning."""
    runs, most, count = len(bounds) - 1, found.shape[1], 0
    run, start, lo, hi = state[0], state[1], state[2], state[3]
    resumed = run >= 0
    if not resumed:
        run = 0
    while run < runs:
        end = bounds[run + 1]
        if not resumed:
            lo = hi = bounds[run]
            start = first[run]
            if lo < end:
                start = max(start, times[lo] - length + 1)
            start += (offset - start) % slide
        resumed = False
        while start < before[run]:
            while lo < end and times[lo] < start:
                lo += 1
            if lo == end:
                break
            hi = max(hi, lo)
            while hi < end and times[hi] < start + length:
                hi += 1
            if hi > lo:
                if count == most:
                    state[0], state[1], state[2], state[3] = run, start, lo, hi
                    return count
                found[0, count], found[1, count], found[2, count], found[3, count] = run, start, lo, hi
                count += 1
                start += slide
            else:  # the next row is beyond this instance: go to the first one that can reach it
                reaching = times[lo] - length + 1
                start = max(start + slide, reaching + (offset - reaching) % slide)
        run += 1
    state[0] = run
    return count


def _by_numpy(
    times: Integers,
    bounds: Integers,
    first: Integers,
    before: Integers,
    window: tuple[int, int, int],
    most: int,
) -> Iterator[Windows]:
    """The same by whole-array operations."""
    length, slide, offset = window
    run = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    # Of the starts that reach a row, its own are those that no earlier row of the run has.
    lowest = np.maximum(times - length + 1, first[run])
    lowest += (offset - lowest) % slide
    highest = np.minimum(times, before[run] - 1)
    highest -= (highest - offset) % slide
    own = lowest.copy()
    follows = np.flatnonzero(run[1:] == run[:-1]) + 1
    own[follows] = np.maximum(lowest[follows], highest[follows - 1] + slide)
    counts = np.maximum((highest - own) // slide + 1, 0)
    # A row is found by its run and the rank of its time: the two as one number that rises with the rows.
    ranked = np.unique(times)
    step = len(ranked) + 1
    places = run * step + np.searchsorted(ranked, times)
    ends = np.cumsum(counts)
    for begin in range(0, int(ends[-1]), most):
        wanted = np.arange(begin, min(begin + most, int(ends[-1])))
        row = np.searchsorted(ends, wanted, side="right")
        start = own[row] + (wanted - (ends[row] - counts[row])) * slide
        lo = np.searchsorted(places, run[row] * step + np.searchsorted(ranked, start))
        hi = np.searchsorted(places, run[row] * step + np.searchsorted(ranked, start + length))
        yield Windows(run[row], start, lo, hi)
