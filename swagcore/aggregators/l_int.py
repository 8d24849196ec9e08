"""L-INT, landmark intervals: any declared range is one combine away. A §3.1.2, Figure 5."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

from swagcore.aggregators.landmarks import Landmarks, partition
from swagcore.aggregators.tape import Tape
from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial


class LInt(Technique):
    """Keep the words that begin or end at a landmark; a range of a known width is at most two of them.

    Ranges are partitioned so that in each part the widest is at most twice the narrowest, w; the landmarks of the part
    stand w apart. A range of the part, from l on, goes up to the first landmark after l or beyond: the word up
    to that landmark and the word since it make the answer. With `ranges`, there are the parts that those need. Without,
    there is a part for each power of two up to the length of the window: made when the window gets that long, dropped
    when it is shorter than half of that.

    Invariant, for each part and position: the word up to the next landmark, where that is reached, and the words since the
    last one or two landmarks, where those lie after the oldest position, are known (`Landmarks`).

    Combines: query(n) at most 1, and 0 where it ends at the first landmark after its beginning; so for all n without `ranges`, and
    for the declared ones with them. Any other n is answered too, by the part with the greatest w up to n, at one for
    each landmark interval but the first; or from the n partials, by n - 1, where no part is so narrow. Evict 0.
    Insert: each part, in w inserts, w - 1 for the words since the last landmark, w for those since the one before (kept where a
    range is above w + 1), w - 2 for those up to the next, at the last of the w; none where w = 1, and less where landmarks have
    left the window. So a part costs an insert at most 3 - 3/w amortized and w at worst; without `ranges` all parts
    together cost below 3⌊log2 n⌋ amortized, 2n at worst. Making a part costs at most 3 for each partial in the window, which has
    doubled since the last one was made or dropped.
    Evict, insert, query without `ranges`, k = ⌊log2 n⌋ >= 3: a slide costs 3k - 5 + (n + 2) / 2^k amortized, 2^(k+1) - 3 at
    worst; where n = 2^k, 2 / 2^k and 2 less. All ranges 1 .. n at every slide: at most n - 1 more.
    Space: 3 or 4 words a partial and part, since historical ranges may begin and end anywhere.

    The paper at its edges (A §3.1.2): the text after Definition 3.2 has landmark intervals "of a width less than W_max". So read,
    there is none at all for W_min = W_max = 1, and Theorem 3.3 fails there (and only there). The definition itself, with
    d <= W_max, allows W_max + 1. Widths up to W_max are meant; Theorem 3.3 holds with them.

    >>> from swagcore.algebra import words
    >>> window = LInt(words)
    >>> for letter in "abcd":
    ...     window.insert((letter,))
    >>> window.evict()
    >>> window.query(), window.query(2), window.query(2, 1)
    (('b', 'c', 'd'), ('c', 'd'), ('b', 'c'))
    >>> LInt(words, ranges=[3, 5, 60])._state()["parts"]
    [{'width': 3, 'past': 0, 'before': [], 'since': [[], []]}, {'width': 60, 'past': 0, 'before': [], 'since': [[]]}]
    """

    name = "l_int"
    multi = True
    historical = True

    def __init__(self, aggregate: Aggregate, ranges: Iterable[int] | None = None) -> None:
        super().__init__(aggregate)
        self._declared = None if ranges is None else partition(ranges)
        self._restart()

    def _restart(self) -> None:
        self._leaves = Tape()
        parts = [(1, 1)] if self._declared is None else self._declared
        self._parts = [Landmarks(width, widest, self._leaves, self._combine) for width, widest in parts]

    def insert(self, partial: Partial) -> None:
        """Add the newest partial. At most 3 - 3/w combines a part amortized, w at worst."""
        leaves = self._leaves
        position = leaves.tail
        leaves.append(partial)
        for part in self._parts:
            part.insert(position)
        if self._declared is None:
            width = 2 * self._parts[-1].width
            if len(leaves) == width:
                self._parts.append(Landmarks(width, 2 * width - 1, leaves, self._combine))

    def evict(self) -> None:
        """Drop the oldest partial. No combine."""
        self._leaves.popleft()
        size = len(self._leaves)
        if not size:
            self._restart()
            return
        for part in self._parts:
            part.evict()
        if self._declared is None and 2 * size < self._parts[-1].width:
            self._parts.pop()

    def query(self, n: int | None = None, lag: int = 0) -> Partial:
        """The aggregate of the n partials before the newest `lag`; all of those by default. At most one combine."""
        start, stop = self._span(n, lag)
        if start == stop:
            return self._identity
        leaves = self._leaves
        first, end = leaves.head + start, leaves.head + stop
        narrower = bisect_right(self._parts, stop - start, key=lambda part: part.width)
        if narrower:
            return self._parts[narrower - 1].query(first, end)
        total = leaves[first]
        for position in range(first + 1, end):
            total = self._combine(total, leaves[position])
        return total

    def __len__(self) -> int:
        return len(self._leaves)

    def _check(self) -> None:
        self._leaves._check()
        widths = [part.width for part in self._parts]
        if self._declared is None:  # The powers of two up to the window, and perhaps one that it was lately.
            assert widths == [1 << i for i in range(len(widths))], self._state()
            assert widths[-1] <= max(1, 2 * len(self)), self._state()
            assert len(self) < 2 * widths[-1], self._state()
        else:
            assert widths == [width for width, _ in self._declared], self._state()
        for part in self._parts:
            part._check(self._aggregate)

    def _state(self) -> dict[str, Any]:
        return {
            "partials": list(self._leaves),
            "parts": [part._state() for part in self._parts],
        }
