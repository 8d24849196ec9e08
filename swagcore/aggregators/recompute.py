"""Recompute: no sharing at all. S §2.3.2 calls it Panes, the naive final aggregation."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import Any

from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow


class Recompute(Technique):
    """Keep the partials and combine them anew for every answer.

    Invariant: the deque holds the window's partials in their order.
    Combines: insert 0, evict 0, query n - 1 (exactly; S Table 2 rounds it to n).

    >>> from swagcore.algebra import words
    >>> window = Recompute(words)
    >>> for letter in "abc":
    ...     window.insert((letter,))
    >>> window.evict()
    >>> window.query(), window.query(1)
    (('b', 'c'), ('c',))
    """

    name = "recompute"
    multi = True

    def __init__(self, aggregate: Aggregate) -> None:
        super().__init__(aggregate)
        self._partials: deque[Partial] = deque()

    def insert(self, partial: Partial) -> None:
        """Add the newest partial. No combine."""
        self._partials.append(partial)

    def evict(self) -> None:
        """Drop the oldest partial. No combine."""
        if not self._partials:
            raise EmptyWindow
        self._partials.popleft()

    def query(self, n: int | None = None) -> Partial:
        """The aggregate of the newest n partials, all by default. n - 1 combines."""
        n = self._newest(n)
        if not n:
            return self._identity
        chosen = islice(self._partials, len(self._partials) - n, None)
        total = next(chosen)
        for partial in chosen:
            total = self._combine(total, partial)
        return total

    def __len__(self) -> int:
        return len(self._partials)

    def _check(self) -> None:
        assert isinstance(self._partials, deque)

    def _state(self) -> dict[str, Any]:
        return {"partials": list(self._partials)}
