"""FlatFIT: a jump table over the window, whose jumps grow longer with every walk. S §3, Algorithm 1."""

from __future__ import annotations

from typing import Any

from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow

SMALLEST = 8
"""The fewest cells an array has."""


class FlatFit(Technique):
    """Two circular arrays say of each position how far one can jump from it, and what is jumped over.

    A query jumps from its first position to the end of the window and keeps the positions on a stack. On its way back
    through the stack it lengthens every jump it made, so that it goes to the end, over all that was combined there: the
    next query jumps over it in one step. Now and then a walk finds only steps of one; that is a window reset (wReset).

    Invariant: `partials[i]` is the word from i up to `pointers[i]`, and i < pointers[i] <= the end of the window.

    Combines: insert 0, evict 0, query(n) one less than its walk has positions: at most n - 1. Window n, one query a
    slide: the costs n - 1 (reset), 1, then n - 2 times 2, then 1, repeat every n + 1 slides; 3(n - 1)/(n + 1) amortized.
    All ranges 1 .. n at every slide: n - 1 in all, one for each range above 1, without any reset after the first.
    Positions count on and arrays are circular with 2^k cells: full ones double, and halve when they are three quarters
    empty, so no pointer ever changes and nothing is combined.

    `stack_free=True` is S §3.2.2: a whole window of single steps is rebuilt from its newest to its oldest, in place, so
    that the stack holds the few positions of an ordinary walk only.

    Where the paper is wrong at its edges (S Algorithm 1, unless said otherwise; specs/printed/flatfit.py):
    - Lines 35-43 pop an empty stack where the first jump already ends at currInd: every range of 1, every window of 1, and
      Q2 of the paper's own Example 4, step 1.
    - Lines 38, 43 combine `answer ⊕ Partials[tempInd]`, newer before older: right for commutative operations only.
    - Line 10 runs to wSize - 1, not wSize. Line 48 means wSize.
    - Lines 42-44 leave the first position as it is, "because it will be overwritten". Only that of a range equal to the
      window will. Here every position of a walk is lengthened, which mostly saves (ranges 1 .. 16, the shortest first:
      15 operations a slide, not 22), though not always (ranges 7 and 4: 7/2, not 17/5).
    - §3.2.2: "until currInd is reached" must include it; from initVal that makes n operations, not n - 1 (§3.3.1).
      The stack holds wSize positions in a reset, 3 at most otherwise (not wSize - 1 and 2).
    - §3.3.1: 3(n - 1) operations in n + 1 slides are 3n(n - 1)/(n + 1) in n slides: multiply by n / (n + 1), not n / (n - 1).
    - §3.3.2: the stack is not bounded by n / 2^(q - 1) with q queries: ranges n and 1 fill it as n alone does.

    >>> from swagcore.algebra import words
    >>> window = FlatFit(words)
    >>> for letter in "abcd":
    ...     window.insert((letter,))
    >>> window.evict()
    >>> window.query(), window.query(2)
    (('b', 'c', 'd'), ('c', 'd'))
    >>> window._state()["pointers"]
    [3, 3, 3]
    """

    name = "flatfit"
    multi = True

    def __init__(self, aggregate: Aggregate, stack_free: bool = False) -> None:
        super().__init__(aggregate)
        self._stack_free = stack_free
        self._partials: list[Partial] = [None] * SMALLEST
        self._pointers = [0] * SMALLEST
        self._mask = SMALLEST - 1
        self._head = self._tail = 0
        self._single = 0  # from here on every pointer goes to the next position

    def insert(self, partial: Partial) -> None:
        """Add the newest partial. No combine."""
        position = self._tail
        if position - self._head > self._mask:
            self._resize(2 * len(self._partials))
        cell = position & self._mask
        self._partials[cell] = partial
        self._pointers[cell] = self._tail = position + 1

    def evict(self) -> None:
        """Drop the oldest partial. No combine: no jump goes backwards."""
        head = self._head
        size = self._tail - head
        if not size:
            raise EmptyWindow
        self._partials[head & self._mask] = None
        self._head = head + 1
        if 4 * size <= self._mask and self._mask >= SMALLEST:
            self._resize(len(self._partials) // 2)

    def query(self, n: int | None = None) -> Partial:
        """The aggregate of the newest n partials, all by default. At most n - 1 combines, 3 amortized for one range."""
        end = self._tail
        position = self._head if n is None else end - self._newest(n)
        if position == end:
            return self._identity
        if self._stack_free and position >= self._single:
            return self._reset(position)
        partials, pointers, mask = self._partials, self._pointers, self._mask
        # Walk to the end.
        stack = []
        cell = position & mask
        while (position := pointers[cell]) != end:
            stack.append(cell)
            cell = position & mask
        answer = partials[cell]
        if not stack:
            return answer
        if (
            self._stack_free
        ):  # The newest jump that is lengthened is from stack[-1]; what comes after it stays as it is.
            self._single = max(self._single, end - (end - 1 - stack[-1] & mask))
        # Go back, and lengthen every jump.
        combine = self._combine
        while stack:
            cell = stack.pop()
            answer = partials[cell] = combine(partials[cell], answer)
            pointers[cell] = end
        return answer

    def _reset(self, start: int) -> Partial:
        """The answer from a position on from which all steps are single ones: no walk, no stack."""
        partials, pointers, mask, combine = self._partials, self._pointers, self._mask, self._combine
        end = self._tail
        answer = partials[(end - 1) & mask]
        for position in range(end - 2, start - 1, -1):
            cell = position & mask
            answer = partials[cell] = combine(partials[cell], answer)
            pointers[cell] = end
        self._single = end - 1
        return answer

    def _resize(self, capacity: int) -> None:
        """Move the window into arrays of that many cells. No position changes, so no pointer does."""
        partials, pointers, mask = self._partials, self._pointers, self._mask
        self._partials, self._pointers, self._mask = [None] * capacity, [0] * capacity, capacity - 1
        for position in range(self._head, self._tail):
            self._partials[position & self._mask] = partials[position & mask]
            self._pointers[position & self._mask] = pointers[position & mask]

    def __len__(self) -> int:
        return self._tail - self._head

    def _check(self) -> None:
        capacity = len(self._partials)
        assert capacity & (capacity - 1) == 0, self._state()  # A power of two, so that & finds a cell.
        assert self._mask == capacity - 1 == len(self._pointers) - 1, self._state()
        assert 0 <= self._head <= self._tail <= self._head + capacity, self._state()
        for position in range(self._head, self._tail):
            ahead = self._pointers[position & self._mask]
            assert position < ahead <= self._tail, self._state()  # Jumps go forward, and stay inside.
            if self._stack_free and position >= self._single:
                assert ahead == position + 1, self._state()  # From there on, single steps.

    def _state(self) -> dict[str, Any]:
        """The arrays from the oldest position on, with positions counted from there."""
        cells = [position & self._mask for position in range(self._head, self._tail)]
        return {
            "pointers": [self._pointers[cell] - self._head for cell in cells],
            "partials": [self._partials[cell] for cell in cells],
            "single": max(self._single - self._head, 0) if self._stack_free else None,
        }
