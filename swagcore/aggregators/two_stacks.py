"""TwoStacks: a queue of two stacks that know their aggregates. S §2.3.2."""

from __future__ import annotations

from typing import Any

from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow


class TwoStacks(Technique):
    """New partials are pushed on the back stack, old ones popped off the front stack.

    Each node holds a partial and the aggregate of its stack from the bottom up to itself. The answer combines the two
    tops. When the front runs empty, the back is flipped onto it, node by node, which turns the order around: the
    oldest comes to lie on top, and the aggregates of the front grow towards the old side.

    Invariant: the front from top to bottom, then the back from bottom to top, is the window from old to new. A front
    node's aggregate is that of its partial and all *below*, which are newer; a back node's that of all below, which
    are older, and its partial. No law is needed beyond associativity.
    Combines: insert 1 (0 into an empty back), query 1 (0 where a stack is empty), evict 0, or m - 1 when it flips the
    m partials of the back: worst n - 1. In slides of evict, insert, query at a steady length n it flips every n
    slides: amortized 3 - 3/n (n - 1 combines each for the flip, the inserts and the queries, one of which finds the
    front alone), worst slide n, none for n = 1. S §2.3.2 and Table 2 round it to 3 and n.

    >>> from swagcore.algebra import words
    >>> window = TwoStacks(words)
    >>> for letter in "abc":
    ...     window.insert((letter,))
    >>> window.evict()
    >>> window.query(), window._state()["front"]
    (('b', 'c'), [(('c',), ('c',)), (('b',), ('b', 'c'))])
    """

    name = "two_stacks"

    def __init__(self, aggregate: Aggregate) -> None:
        super().__init__(aggregate)
        self._front: list[tuple[Partial, Partial]] = []
        self._back: list[tuple[Partial, Partial]] = []

    def insert(self, partial: Partial) -> None:
        """Push on the back. One combine, none on an empty back."""
        back = self._back
        back.append((partial, self._combine(back[-1][1], partial) if back else partial))

    def evict(self) -> None:
        """Pop off the front. No combine, but len(self) - 1 where the back has to be flipped first."""
        if not self._front:
            self._flip()
        self._front.pop()

    def _flip(self) -> None:
        front, back, combine = self._front, self._back, self._combine
        if not back:
            raise EmptyWindow
        total = back.pop()[0]
        front.append((total, total))
        while back:
            partial = back.pop()[0]
            total = combine(partial, total)
            front.append((partial, total))

    def query(self) -> Partial:
        """Both tops combined. One combine, none where a stack is empty."""
        front, back = self._front, self._back
        if not front:
            return back[-1][1] if back else self._identity
        return self._combine(front[-1][1], back[-1][1]) if back else front[-1][1]

    def __len__(self) -> int:
        return len(self._front) + len(self._back)

    def _check(self) -> None:
        front, back = self._front, self._back
        for i, (_, total) in enumerate(front):  # Older ones lie on top: the fold runs downwards.
            assert self._is_fold(total, [partial for partial, _ in front[i::-1]]), self._state()
        for i, (_, total) in enumerate(back):
            assert self._is_fold(total, [partial for partial, _ in back[: i + 1]]), self._state()

    def _state(self) -> dict[str, Any]:
        return {"front": list(self._front), "back": list(self._back)}
