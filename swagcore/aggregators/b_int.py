"""B-INT, base intervals: aggregates of dyadic intervals, one circular array a level. A §3.1.1 and §5; S Figure 6."""

from __future__ import annotations

from typing import Any

from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow

SMALLEST = 8
"""The fewest partials that the arrays have room for."""


class BInt(Technique):
    """Keep the aggregate of every base interval inside the window; a range is a union of few of them.

    With positions counted from 0 since the last restart (or resizing), a base interval of level k is 2^k positions from a multiple of
    2^k (A Definition 3.1 counts from 1). An insert completes the base intervals that end with it, each from two of the
    level below. A query takes the widest base intervals that fit, narrow ones at both ends (A Theorem 3.1).

    Invariant: level k has room for capacity / 2^k intervals, interval i in cell i mod that; the cells of the base
    intervals that lie inside the window, complete, hold their aggregates.

    Combines: an insert at position p costs one for each 1 at the low end of p whose interval begins inside the window:
    below 1 amortized, at most ⌊log2 n⌋; evict 0. A query from l up to r costs ones(m - l) + ones(r - m) - 1, where m is
    the multiple of the highest power of two among l + 1 .. r: at most ⌊log2(n + 2)⌋ + ⌊log2((n + 2) / 3)⌋ - 1 over
    up to n partials, which is met. Evict, insert, query: a slide costs log2 n where n is a power of two, k + n / 2^k - 1
    amortized with k = ⌊log2 n⌋, k + ones(n) - 1 at worst: as FlatFAT. All ranges 1 .. n at every slide, n = 2^k:
    nk - 5n/2 + 3k/2 + 5/2 amortized. Full arrays double, and halve when they are three quarters empty: intervals move,
    and nothing is combined.

    The paper at its edges:
    - A Example 3.1 takes (1, 43) apart into eight base intervals; it is a right union, four would do: (1, 32), (33, 40),
      (41, 42), (43, 43). Theorem 3.1 promises O(log W), no minimum; here it is the minimum.
    - S §2.3.2 says that B-Int pays for its cheap updates in the look-up: with one query, both sum to log2 n all the same.
    - S Table 2 gives log n as its worst case: n = 7 needs up to 4.

    >>> from swagcore.algebra import words
    >>> window = BInt(words)
    >>> for letter in "abcd":
    ...     window.insert((letter,))
    >>> window.evict()
    >>> window.query(), window.query(2), window.query(2, 1)
    (('b', 'c', 'd'), ('c', 'd'), ('b', 'c'))
    """

    name = "b_int"
    multi = True
    historical = True

    def __init__(self, aggregate: Aggregate) -> None:
        super().__init__(aggregate)
        self._restart()

    def _restart(self) -> None:
        self._levels = self._empty(SMALLEST)
        self._head = self._tail = 0

    @staticmethod
    def _empty(capacity: int) -> list[list[Partial]]:
        return [[None] * (capacity >> level) for level in range(capacity.bit_length())]

    def insert(self, partial: Partial) -> None:
        """Add the newest partial. Below one combine amortized, at most ⌊log2 n⌋."""
        if self._tail - self._head == len(self._levels[0]):
            self._resize(2 * len(self._levels[0]))
        head, position = self._head, self._tail
        levels, combine = self._levels, self._combine
        level, block = 0, position
        cells = levels[0]
        cells[block & (len(cells) - 1)] = partial
        while block & 1 and (block - 1) << level >= head:
            partial = combine(cells[(block - 1) & (len(cells) - 1)], partial)
            block >>= 1
            level += 1
            cells = levels[level]
            cells[block & (len(cells) - 1)] = partial
        self._tail = position + 1

    def evict(self) -> None:
        """Drop the oldest partial, and the intervals that begin with it. No combine."""
        head = self._head
        size = self._tail - head
        if size > 1:
            block = head
            for cells in self._levels:
                cells[block & (len(cells) - 1)] = None
                if block & 1:
                    break
                block >>= 1
            self._head = head + 1
            if 4 * size <= len(self._levels[0]) > SMALLEST:
                self._resize(len(self._levels[0]) // 2)
        elif size:
            self._restart()
        else:
            raise EmptyWindow

    def query(self, n: int | None = None, lag: int = 0) -> Partial:
        """The aggregate of the n partials before the newest `lag`; all of those by default. O(log n) combines."""
        start, stop = self._span(n, lag)
        if start == stop:
            return self._identity
        combine = self._combine
        total, *newer = self._intervals(self._head + start, self._head + stop)
        for partial in newer:
            total = combine(total, partial)
        return total

    def _intervals(self, start: int, stop: int) -> list[Partial]:
        """The aggregates of the fewest base intervals that make up start .. stop - 1, from the oldest to the newest."""
        older, newer = [], []
        for cells in self._levels:
            if start & 1 and start < stop:
                older.append(cells[start & (len(cells) - 1)])
                start += 1
            if start >= stop:
                break
            if stop & 1:
                stop -= 1
                newer.append(cells[stop & (len(cells) - 1)])
            start >>= 1
            stop >>= 1
        return older + newer[::-1]

    def _resize(self, capacity: int) -> None:
        """Move the intervals inside the window into arrays for that many partials."""
        old, self._levels = self._levels, self._empty(capacity)
        begin, end = self._head, self._tail
        # Count from a multiple of the smaller capacity: the base intervals of both stay base intervals.
        shift = begin & -min(len(old[0]), capacity)
        self._head, self._tail = begin - shift, end - shift
        for cells, moved in zip(old, self._levels, strict=False):
            for block in range(begin, end):
                moved[block - shift & (len(moved) - 1)] = cells[block & (len(cells) - 1)]
            begin, end, shift = (begin + 1) >> 1, end >> 1, shift >> 1

    def __len__(self) -> int:
        return self._tail - self._head

    def _active(self) -> dict[tuple[int, int], Partial]:
        """The base intervals inside the window, as (begin, end)."""
        return {
            (block << level, (block + 1) << level): cells[block & (len(cells) - 1)]
            for level, cells in enumerate(self._levels)
            for block in range(-(-self._head >> level), self._tail >> level)
        }

    def _check(self) -> None:
        capacity = len(self._levels[0])
        assert capacity & (capacity - 1) == 0, self._state()  # A power of two, so that & finds a cell.
        assert [len(cells) for cells in self._levels] == [len(cells) for cells in self._empty(capacity)]
        assert 0 <= self._head <= self._tail <= self._head + capacity, self._state()
        active = self._active()
        for (begin, end), partial in active.items():
            word = self._aggregate.fold(active[position, position + 1] for position in range(begin, end))
            assert self._aggregate.equal(partial, word), (begin, end, self._state())

    def _state(self) -> dict[str, Any]:
        """The base intervals inside the window; `first` is the cell of the oldest partial, and counted from there on."""
        capacity = len(self._levels[0])
        first = self._head & (capacity - 1)
        shift = self._head - first
        active = {(begin - shift, end - shift): partial for (begin, end), partial in self._active().items()}
        return {"capacity": capacity, "first": first, "size": len(self), "intervals": active}
