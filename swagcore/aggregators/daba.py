"""DABA, the de-amortized banker's algorithm: TwoStacks without its spikes. S §2.3.2, Figure 7."""

from __future__ import annotations

from typing import Any

from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow

SMALLEST = 8
"""The fewest cells an array has."""


def relaid(cells: list[Any], head: int, tail: int, capacity: int) -> list[Any]:
    """What positions head .. tail - 1 of a circular array hold, in one of another capacity, also a power of two.

    >>> relaid(["c", "d", "a", "b"], 2, 6, 8)
    [None, None, 'a', 'b', 'c', 'd', None, None]
    """
    moved: list[Any] = [None] * capacity
    old, new = len(cells) - 1, capacity - 1
    for position in range(head, tail):
        moved[position & new] = cells[position & old]
    return moved


class Daba(Technique):
    """TwoStacks whose flip is done a step at a time, one step with every insert and every evict.

    Two queues run side by side, `vals` (the partials) and `aggs`, under six pointers F <= L <= R <= A <= B <= E. The
    front is F .. B, the back B .. E. When the back has grown as long as the front, it *flips*: the front becomes
    L .. R, the back R .. A, in name only. Then each step *shrinks* both by one, finishing one aggregate at either
    side, and when they are used up each step *shifts* the pointers over what is finished.

    Invariant: `aggs[i]` is the aggregate of
        F .. L   partials i .. B - 1, all that a query needs,      R .. A   partials R .. i, as the back left them,
        L .. R   partials i .. R - 1, as the old front left them,  A .. B   partials i .. B - 1, finished,
        B .. E   partials B .. i;
    and either all is empty, or R - L == A - R and (B - L) + 1 == (B - F) - (E - B).
    Combines, in the worst case, with no amortization (resizing copies, and combines nothing): insert 4, evict 3,
    query 1, so 8 a slide, as S §2.3.2 says, reached for every n >= 9. In slides of evict, insert, query at a steady
    length n: amortized 5 - 8/n for even n, 5 - 6/(n - 1) for odd n > 1, none for n = 1; S §2.3.2 rounds it to 5.

    >>> from swagcore.algebra import words
    >>> window = Daba(words)
    >>> for letter in "abcd":
    ...     window.insert((letter,))
    >>> window.evict()
    >>> window.query()
    ('b', 'c', 'd')
    """

    name = "daba"

    def __init__(self, aggregate: Aggregate) -> None:
        super().__init__(aggregate)
        # Circular arrays: position p is in cell p & mask. Positions only grow, so the pointers survive a resizing.
        self._vals: list[Partial] = [None] * SMALLEST
        self._aggs: list[Partial] = [None] * SMALLEST
        self._mask = SMALLEST - 1
        self._f = self._l = self._r = self._a = self._b = self._e = 0

    def insert(self, partial: Partial) -> None:
        """Push on the back, and one step. At most 4 combines."""
        e = self._e
        if e - self._f > self._mask:
            self._resize(2 * len(self._vals))
        cell = e & self._mask
        aggs = self._aggs
        self._vals[cell] = partial
        aggs[cell] = self._combine(aggs[cell - 1], partial) if self._b != e else partial
        self._e = e + 1
        self._fixup()

    def evict(self) -> None:
        """Pop off the front, and one step. At most 3 combines."""
        f = self._f
        size = self._e - f
        if not size:
            raise EmptyWindow
        cell = f & self._mask
        self._vals[cell] = self._aggs[cell] = None
        self._f = f + 1
        if 4 * size <= self._mask and self._mask >= SMALLEST:
            self._resize(len(self._vals) // 2)
        self._fixup()

    def query(self) -> Partial:
        """The front's aggregate and the back's combined. One combine, none where the back is empty."""
        f, e, mask, aggs = self._f, self._e, self._mask, self._aggs
        if self._b != e:
            return self._combine(aggs[f & mask], aggs[e - 1 & mask])
        return aggs[f & mask] if f != e else self._identity

    def _fixup(self) -> None:
        """The step that keeps the invariant: shift, or shrink, after a flip where nothing is left to shift."""
        l, b = self._l, self._b
        if l == self._r:
            if l != b:  # Shift.
                self._l = self._r = self._a = l + 1
                return
            if (
                l == self._f
            ):  # The front is empty, and at most one partial is in the back: it is the front now.
                self._l = self._r = self._a = self._b = self._e
                return
            l, self._r = self._f, b  # Flip.
            self._a = self._b = b = self._e
        # Shrink: finish aggs[l], and with the last of the old back begin, or go on, to finish A .. B.
        a = self._a
        aggs, mask, combine = self._aggs, self._mask, self._combine
        left, right = l & mask, a - 1 & mask
        if a == b:
            aggs[left] = combine(aggs[left], aggs[right])
            aggs[right] = self._vals[right]
        else:
            finished = aggs[a & mask]
            aggs[left] = combine(combine(aggs[left], aggs[right]), finished)
            aggs[right] = combine(self._vals[right], finished)
        self._l, self._a = l + 1, a - 1

    def _resize(self, capacity: int) -> None:
        self._vals = relaid(self._vals, self._f, self._e, capacity)
        self._aggs = relaid(self._aggs, self._f, self._e, capacity)
        self._mask = capacity - 1

    def __len__(self) -> int:
        return self._e - self._f

    def _check(self) -> None:
        state = self._state()
        vals, aggs = state["vals"], state["aggs"]
        l, r, a, b, e = (state[pointer] for pointer in "LRABE")
        assert 0 <= l <= r <= a <= b <= e, state
        assert e == 0 or (r - l == a - r and b - l + 1 == b - (e - b)), (
            state
        )  # What makes every step possible.
        for i in range(e):
            low, high = (i, b) if i < l or a <= i < b else (i, r) if i < r else (r if i < a else b, i + 1)
            assert self._is_fold(aggs[i], vals[low:high]), (i, state)
        size = len(self._vals)
        assert len(self._aggs) == size == self._mask + 1 >= e, state  # It fits, ...
        assert size & (size - 1) == 0, state  # ... in a power of two.

    def _state(self) -> dict[str, Any]:
        """The queues from the oldest on, and the pointers counted from F."""
        places = [position & self._mask for position in range(self._f, self._e)]
        pointers = zip("LRABE", (self._l, self._r, self._a, self._b, self._e), strict=True)
        return {
            "vals": [self._vals[place] for place in places],
            "aggs": [self._aggs[place] for place in places],
            **{name: position - self._f for name, position in pointers},
        }
