"""B-INT-QNT: base intervals that keep their elements sorted, for any quantiles of any range. A §3.3."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from swagcore.aggregators.b_int import BInt
from swagcore.algebra import quantile
from swagcore.errors import InvalidArgument

Phi = float | str | Fraction | Decimal


class BIntQuantiles:
    """Keep each base interval of B-INT as a sorted array; find the element of a rank in the few that make up a range.

    A quantile is holistic: a partial holds all its elements, and merging the intervals of a range would cost its
    length. So the lookup merges nothing: it looks for each rank in the k arrays of the range at once, throwing out a
    quarter or more of what is left with every pivot. This window takes values, not partials, and answers several phi at
    once; phi is taken as it is written and means the element at 1-based rank ceil(phi * N), as in `quantile(phi)`. Nulls
    are elements without a value, NaN stands above every number, no values give None.

    Invariant: that of B-INT, over sorted tuples.

    Cost: insert as B-INT, where a merge costs its length: O(log n) comparisons amortized; evict O(1) amortized; one phi over n
    elements O(log n) pivots, each O(k log n) comparisons with k at most 2 log2 n arrays. Space n log2 n elements.

    The paper at its edges (A §3.3): position floor(phi * N) is 0, no position, for N = 1 and every phi < 1; the
    rank here is ceil(phi * N). Space and update time are not stated; O(N_max) and O(1) do not carry over from Theorem 3.2.

    >>> window = BIntQuantiles()
    >>> for value in (30, 10, None, 20, 40):
    ...     window.insert(value)
    >>> window.query([0.5, "1/4", 1])
    [20, 10, 40]
    >>> window.evict()
    >>> window.query([0.5], n=2), window.query([0.5], n=2, lag=2)
    ([20], [10])
    """

    def __init__(self) -> None:
        self._lift = quantile(1).partial
        self._base = BInt(quantile(1))

    def insert(self, value: Any) -> None:
        """Add the newest value. O(log n) comparisons amortized."""
        self._base.insert(self._lift(value))

    def evict(self) -> None:
        """Drop the oldest value; EmptyWindow where there is none."""
        self._base.evict()

    def query(self, phis: Iterable[Phi], n: int | None = None, lag: int = 0) -> list[Any]:
        """One element for each phi, over the n values before the newest `lag`; all of those by default."""
        base = self._base
        start, stop = base._span(n, lag)
        arrays = [array for array in base._intervals(base._head + start, base._head + stop) if array]
        ranks = range(1, sum(map(len, arrays)) + 1)
        try:
            asked = list(phis)
        except TypeError:
            raise InvalidArgument("phis", phis, "numbers above 0 and not above 1, in a list") from None
        # The phi-quantile of the ranks is the rank of the phi-quantile.
        return [
            select(arrays, quantile(phi).lower(ranks)) if arrays else quantile(phi).lower(()) for phi in asked
        ]

    def __len__(self) -> int:
        return len(self._base)

    def _check(self) -> None:
        self._base._check()
        for array in self._base._active().values():
            assert all(_key(a) <= _key(b) or b != b for a, b in pairwise(array)), self._state()

    def _state(self) -> dict[str, Any]:
        return self._base._state()


def _key(value: Any) -> tuple[bool, Any]:
    """NaN above every number."""
    return bool(value != value), value


def _pivot(parts: Sequence[tuple[Sequence[Any], int, int]]) -> Any:
    """An element with a quarter of all, or more, not above it, and as many not below it.

    Of the middles of the parts it is the one with half of all elements in the parts whose middle is no larger. A part
    is a sorted array from one place up to another.

    >>> _pivot([((1, 2, 9), 0, 3), ((0, 5, 6, 7, 8), 0, 5)])
    6
    """
    middles = sorted(
        ((array[(low + high) // 2], high - low) for array, low, high in parts), key=lambda m: _key(m[0])
    )
    half = sum(weight for _, weight in middles) / 2
    for pivot, weight in middles:  # noqa: B007 - the loop leaves it at the pivot
        half -= weight
        if half <= 0:
            break
    return pivot


def select(arrays: Sequence[Sequence[Any]], rank: int) -> Any:
    """The element at that 1-based rank of some sorted arrays together.

    >>> [select([(1, 4, 4), (2,), (0, 4, 9)], rank) for rank in range(1, 8)]
    [0, 1, 2, 4, 4, 4, 9]
    """
    parts = [(array, 0, len(array)) for array in arrays]
    while True:
        pivot = _pivot(parts)
        key = _key(pivot)
        cuts = [
            (
                array,
                low,
                bisect_left(array, key, low, high, key=_key),
                bisect_right(array, key, low, high, key=_key),
                high,
            )
            for array, low, high in parts
        ]
        smaller = sum(below - low for _, low, below, _, _ in cuts)
        no_larger = sum(above - low for _, low, _, above, _ in cuts)
        if rank <= smaller:
            parts = [(array, low, below) for array, low, below, _, _ in cuts if low < below]
        elif rank <= no_larger:
            return pivot
        else:
            rank -= no_larger
            parts = [(array, above, high) for array, _, _, above, high in cuts if above < high]
