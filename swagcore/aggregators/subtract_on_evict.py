"""Subtract-on-Evict: one running total. S §2.3.2 calls it Panes (Inv)."""

from __future__ import annotations

from collections import deque
from typing import Any

from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow


class SubtractOnEvict(Technique):
    """Keep the total of the window: combine what comes in, take off what goes out.

    The inverse takes the *oldest* partial off, on the left: the x with `oldest ⊕ x == total`. So the aggregate need
    not be commutative, only left-cancellative: strings that are joined lose their beginning.

    Invariant: the total is the fold of the deque; of an empty deque it is the identity itself, so that a window that
    drains starts afresh, whatever it held.
    Operations: insert 1 combine, evict 1 inverse (none for the last partial), query none; worst and amortized.
    A slide costs 2, exactly as in S §2.3.2 and Table 2, for n > 1; a window of one that evicts first costs 1.

    >>> from swagcore.algebra import words
    >>> window = SubtractOnEvict(words)
    >>> for letter in "abc":
    ...     window.insert((letter,))
    >>> window.evict()
    >>> window.query()
    ('b', 'c')
    """

    name = "subtract_on_evict"
    needs = ("inverse",)

    def __init__(self, aggregate: Aggregate) -> None:
        super().__init__(aggregate)
        self._partials: deque[Partial] = deque()
        self._total = self._identity

    def insert(self, partial: Partial) -> None:
        """Add the newest partial. One combine."""
        self._partials.append(partial)
        self._total = self._combine(self._total, partial)

    def evict(self) -> None:
        """Take the oldest partial off the total. One inverse, none where the window is then empty."""
        partials = self._partials
        if len(partials) > 1:
            self._total = self._inverse(self._total, partials.popleft())
        elif partials:
            partials.clear()
            self._total = self._identity
        else:
            raise EmptyWindow

    def query(self) -> Partial:
        """The total. No combine."""
        return self._total

    def __len__(self) -> int:
        return len(self._partials)

    def _check(self) -> None:
        assert self._is_fold(self._total, self._partials), self._state()
        assert self._partials or self._total is self._identity, self._state()  # Drained means as new.

    def _state(self) -> dict[str, Any]:
        return {"partials": list(self._partials), "total": self._total}
