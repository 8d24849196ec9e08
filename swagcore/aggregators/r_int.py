"""R-INT, running intervals: every answer is the difference of two running totals. A §3.2, Figure 6."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from swagcore.aggregators.tape import Tape
from swagcore.aggregators.technique import Technique
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import EmptyWindow


class RInt(Technique):
    """Keep the running totals f(1, r) since the window was last empty; f(l, r) is f(1, r) without f(1, l - 1).

    Totals begin with the oldest partial, so taking f(1, l - 1) off is what `inverse(total, oldest)` does: the
    aggregate needs an inverse and no commutativity. A window that drains forgets its totals and starts again at 1.

    Invariant: `totals` holds f(1, r) for r from the partial before the oldest (the identity, where nothing was evicted
    since the restart) to the newest; each total is the one before it, combined with one partial.

    Combines: insert 1 (0 into an empty window), evict 0. Inverses: query 1, and 0 where it is about no partial, or
    about all since the restart. One slide costs exactly 2 with one query, n + 1 with all ranges 1 .. n, for n > 1.

    The paper at its edges:
    - A §3.2 counts O(N_max) space and O(1) time in totals. A total describes the whole stream since the restart: where
      partials grow (words, exact sums, distinct values) so do all n totals, and a plain float sum keeps its rounding.
    - A §5 keeps the totals in an array of N_max values; there are N_max + 1 active ones, m - N_max <= r <= m.
    - S §2.3.2 takes R-Int for Panes (Inv) "with minor differences" and grants neither a second query: R-INT answers
      every range, and every historical one, with one inverse.

    >>> from swagcore.algebra import words
    >>> window = RInt(words)
    >>> for letter in "abcd":
    ...     window.insert((letter,))
    >>> window.evict()
    >>> window.query(), window.query(2), window.query(2, 1)
    (('b', 'c', 'd'), ('c', 'd'), ('b', 'c'))
    """

    name = "r_int"
    multi = True
    historical = True
    needs = ("inverse",)

    def __init__(self, aggregate: Aggregate) -> None:
        super().__init__(aggregate)
        self._restart()

    def _restart(self) -> None:
        self._totals = Tape()
        self._totals.append(self._identity)

    def insert(self, partial: Partial) -> None:
        """Add the newest partial. One combine; none into an empty window."""
        totals = self._totals
        items = totals.items
        items.append(self._combine(items[-1], partial) if totals.offset or len(items) > 1 else partial)

    def evict(self) -> None:
        """Drop the oldest partial. No combine."""
        totals = self._totals
        size = len(totals.items) - totals.dead - 1
        if size > 1:
            totals.popleft()
        elif size:
            self._restart()
        else:
            raise EmptyWindow

    def query(self, n: int | None = None, lag: int = 0) -> Partial:
        """The aggregate of the n partials before the newest `lag`; all of those by default. At most one inverse."""
        totals = self._totals
        if n is None and lag == 0:  # The usual question, without a detour: it asks for the ends of the tape.
            items, dead = totals.items, totals.dead
            return self._inverse(items[-1], items[dead]) if dead or totals.offset else items[-1]
        start, stop = self._span(n, lag)
        if start == stop:
            return self._identity
        before, total = totals.head + start, totals[totals.head + stop]
        return self._inverse(total, totals[before]) if before else total

    def __len__(self) -> int:
        return len(self._totals) - 1

    def _check(self) -> None:
        self._totals._check()
        totals = list(self._totals)
        assert totals, "there is always a total before the oldest partial"
        if self._totals.head == 0:  # Nothing was evicted since the restart.
            assert self._aggregate.equal(totals[0], self._identity), self._state()
        else:  # A drained window has restarted.
            assert len(totals) > 1, self._state()
        for older, newer in pairwise(totals):  # One partial lies between two totals.
            between = self._inverse(newer, older)
            assert self._aggregate.equal(self._combine(older, between), newer), self._state()

    def _state(self) -> dict[str, Any]:
        return {"restarted": self._totals.head == 0, "totals": list(self._totals)}
