"""DABA Lite: DABA with one value a partial and a cheaper step. Not in the papers; the idea is in Tangwongsan, Hirzel
and Schneider, "In-order sliding-window aggregation in worst-case constant time", VLDB Journal 30 (2021)."""

from __future__ import annotations

from collections import deque
from typing import Any

from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow


class DabaLite(Technique):
    """One queue, cut into five pieces; a step with every insert and evict moves cells from piece to piece.

    DABA's pointers F, L, R, A, B, E are the cuts: a pointer that moves by one is a cell that goes to the next piece.
    Every such move is at the end of a deque, so nothing is ever copied, and the middle never reached into. What DABA
    has to look up in `vals` and `aggs` is constant from one flip to the next: to finish a cell of the old front, it
    is combined with everything from R to B, which is the sum of the back at the time of the flip. So one cell a
    partial will do, and two sums: n + 2 values instead of 2n.

    Invariant, with the partials numbered along the pieces: a cell i of
        `front` (F .. L) is the aggregate of partials i .. B - 1, all that a query needs,
        `left`  (L .. R) that of i .. R - 1,      `right` (R .. A) partial i,
        `tail`  (A .. B) that of i .. B - 1,      `back`  (B .. E) partial i;
    `rest` is the aggregate of R .. B - 1, while there is a left; `sum` is the fold of the back, where there is one;
    len(left) == len(right), and len(front) == len(back) + 1 unless all is empty. (The partials under the aggregates
    are gone, so `_check` cannot recombine them; the proofs over words do.)
    Combines, in the worst case, with no amortization of anything: insert 3, evict 2, query 1; 6 a slide, reached for
    every n >= 9. In slides of evict, insert, query at a steady length n: amortized 4 - 6/n for even n, 4 - 4/(n - 1)
    for odd n > 1, none for n = 1.

    >>> from swagcore.algebra import words
    >>> window = DabaLite(words)
    >>> for letter in "abcd":
    ...     window.insert((letter,))
    >>> window.evict()
    >>> window.query()
    ('b', 'c', 'd')
    """

    name = "daba_lite"

    def __init__(self, aggregate: Aggregate) -> None:
        super().__init__(aggregate)
        self._front: deque[Partial] = deque()
        self._left: deque[Partial] = deque()
        self._right: deque[Partial] = deque()
        self._tail: deque[Partial] = deque()
        self._back: deque[Partial] = deque()
        self._rest = self._sum = self._identity

    def insert(self, partial: Partial) -> None:
        """Add to the back and to its sum, and one step. At most 3 combines."""
        back = self._back
        self._sum = self._combine(self._sum, partial) if back else partial
        back.append(partial)
        self._step()

    def evict(self) -> None:
        """Drop the oldest cell, and one step. At most 2 combines."""
        if not self._front:
            raise EmptyWindow
        self._front.popleft()
        self._step()

    def query(self) -> Partial:
        """The oldest cell and the back's sum combined. One combine, none where the back is empty."""
        front = self._front
        if not front:
            return self._identity
        return self._combine(front[0], self._sum) if self._back else front[0]

    def _step(self) -> None:
        """One more cell for the front: from the tail, or else from the left, after a flip where there is neither."""
        front, left, tail = self._front, self._left, self._tail
        if not left:
            if tail:  # Shift.
                front.append(tail.popleft())
                return
            if not front:  # At most one partial is in the back: it is the front now.
                self._front, self._back = self._back, front
                return
            # Flip: the front is the left now, the back the right, and both begin anew.
            self._front, self._left = front, left = left, front
            self._right, self._back = self._back, self._right
            self._rest = self._sum
        # Shrink.
        combine = self._combine
        front.append(combine(left.popleft(), self._rest))
        tail.appendleft(combine(self._right.pop(), tail[0]) if tail else self._right.pop())

    def __len__(self) -> int:
        return len(self._front) + 2 * len(self._left) + len(self._tail) + len(self._back)

    def _check(self) -> None:
        state = self._state()
        assert len(self._left) == len(self._right), state
        if self._front:
            assert len(self._front) == len(self._back) + 1, state  # What makes every step possible.
        else:
            assert not len(self), state
        if self._back:
            assert self._is_fold(self._sum, self._back), state
        if self._left:
            assert self._is_fold(self._rest, [*self._right, *list(self._tail)[:1]]), state

    def _state(self) -> dict[str, Any]:
        pieces = {
            name: list(getattr(self, f"_{name}")) for name in ("front", "left", "right", "tail", "back")
        }
        return {
            **pieces,
            "rest": self._rest if self._left else self._identity,
            "sum": self._sum if self._back else self._identity,
        }
