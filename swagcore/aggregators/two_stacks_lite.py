"""TwoStacks Lite: the two stacks in one queue, with half the memory. Not in the papers; see Tangwongsan, Hirzel and
Schneider, "In-order sliding-window aggregation in worst-case constant time", VLDB Journal 30 (2021)."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import Any

from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow


class TwoStacksLite(Technique):
    """One queue, whose older part holds aggregates and whose newer part holds partials.

    Of a front node TwoStacks only ever reads the aggregate, of a back node the partial, and of the back's aggregates
    the last one. So one cell a partial will do, and a single sum of the back: n + 1 values instead of 2n. A flip
    takes the newest off one end, combines, and puts the aggregate back at the other end: in place, and each step is
    one at the end of a deque, whose middle would be slow to reach.

    Invariant: cell i of the first `front` is the aggregate of partials i .. front - 1; the cells after them are the
    back's partials, and `sum` is their fold, where there are some. (The partials under the front's aggregates are
    gone, so `_check` cannot recombine them; the proofs over words do.)
    Combines: insert 1 (0 into an empty back), query 1 (0 where front or back is empty), evict 0, or m - 2 when it
    drops the oldest of the m partials of a back and aggregates the rest: worst n - 2. In slides of evict, insert,
    query at a steady length n > 1: amortized 3 - 4/n, worst slide n - 1; for n = 1 none at all.

    >>> from swagcore.algebra import words
    >>> window = TwoStacksLite(words)
    >>> for letter in "abcd":
    ...     window.insert((letter,))
    >>> window.evict(); window.insert(("e",))
    >>> window.query(), window._state()["cells"]
    (('b', 'c', 'd', 'e'), [('b', 'c', 'd'), ('c', 'd'), ('d',), ('e',)])
    """

    name = "two_stacks_lite"

    def __init__(self, aggregate: Aggregate) -> None:
        super().__init__(aggregate)
        self._cells: deque[Partial] = deque()
        self._front = 0
        self._sum = self._identity

    def insert(self, partial: Partial) -> None:
        """Add to the back and to its sum. One combine, none into an empty back."""
        cells = self._cells
        self._sum = self._combine(self._sum, partial) if len(cells) > self._front else partial
        cells.append(partial)

    def evict(self) -> None:
        """Drop the oldest cell. No combine, but len(self) - 2 where the back then has to become the front."""
        if self._front:
            self._front -= 1
            self._cells.popleft()
        else:
            self._flip()

    def _flip(self) -> None:
        cells, combine = self._cells, self._combine
        if not cells:
            raise EmptyWindow
        cells.popleft()
        self._front = len(cells)
        self._sum = self._identity
        if cells:
            cells.rotate(1)  # The newest is its own aggregate: to the other end with it.
            total = cells[0]
            for _ in range(len(cells) - 1):
                total = combine(cells.pop(), total)
                cells.appendleft(total)

    def query(self) -> Partial:
        """The oldest cell and the back's sum combined. One combine, none where front or back is empty."""
        cells, front = self._cells, self._front
        if not front:
            return self._sum
        return self._combine(cells[0], self._sum) if len(cells) > front else cells[0]

    def __len__(self) -> int:
        return len(self._cells)

    def _check(self) -> None:
        assert 0 <= self._front <= len(self._cells), self._state()
        assert self._is_fold(self._sum, islice(self._cells, self._front, None)), self._state()

    def _state(self) -> dict[str, Any]:
        return {"cells": list(self._cells), "front": self._front, "sum": self._sum}
