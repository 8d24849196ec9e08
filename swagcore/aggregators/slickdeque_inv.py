"""SlickDeque (Inv): one running answer for every range. S §4.2.1.1, Algorithm 2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from swagcore.aggregators.tape import Tape
from swagcore.aggregators.technique import Technique, distinct_ranges
from swagcore.algebra import Aggregate, Partial
from swagcore.errors import InvalidArgument


class SlickDequeInv(Technique):
    """Subtract-on-Evict for many ranges at once: an answer each, which gains the newest and loses its own oldest.

    Ranges are declared in advance. `query(n)` answers them, `query()` the whole window, whose total is kept too: it is the
    answer of every range that the window does not exceed, so only shorter ranges have an answer of their own. A range
    gets it from the total when the window grows beyond it, and gives it back when the window shrinks to it.

    Invariant: `total` is the aggregate of the window, of none the identity itself; `answers` has for each declared
    range n below the length the aggregate of the newest n partials.
    Operations: insert 1 combine for the total; 1 combine and 1 inverse for each shorter range, 1 inverse for one that the
    window just exceeds. Evict 1 inverse, none for the last partial or where the window shrinks to a range. Queries
    none. Evict, insert, query in a window of n > 1, the largest range: a slide costs 2 a range, worst and amortized, as
    S §4.3.1 has it, and 2 less where n - 1 is a range too: all ranges 1 .. n cost 2n - 2, not 2n. For n = 1 it costs 1.

    S Algorithm 2 is right as a loop, with these readings. Line 8 runs to wSize - 1. Line 24 writes `ans` back into
    the map. Its ⊖ has to take the oldest off on the left, as `inverse` here does: read as subtraction,
    x ⊖ y = x ⊕ (-y), it is wrong for every aggregate that does not commute. It knows no window but that of the
    largest range; this one may grow and shrink.

    >>> from swagcore.algebra import words
    >>> window = SlickDequeInv(words, ranges=[2])
    >>> for letter in "abcd":
    ...     window.insert((letter,))
    >>> window.evict()
    >>> window.query(2), window.query()
    (('c', 'd'), ('b', 'c', 'd'))
    """

    name = "slickdeque_inv"
    multi = True
    needs = ("inverse",)

    def __init__(self, aggregate: Aggregate, ranges: Iterable[int] = ()) -> None:
        super().__init__(aggregate)
        self._ranges = frozenset(distinct_ranges(ranges))
        self._answers: dict[int, Partial] = {}
        self._total = self._identity
        self._partials = Tape()
        self._size = 0

    def insert(self, partial: Partial) -> None:
        """Add the newest partial to every answer, and take off what leaves it. At most 2 operations a range, and 1."""
        items, answers, combine = self._partials.items, self._answers, self._combine
        items.append(partial)
        self._total = combine(self._total, partial)
        for n, answer in answers.items():
            answers[n] = self._inverse(combine(answer, partial), items[~n])
        size = self._size
        if size in self._ranges:
            answers[size] = self._inverse(self._total, items[~size])
        self._size = size + 1

    def evict(self) -> None:
        """Take the oldest partial off the total. At most 1 inverse."""
        oldest = self._partials.popleft()
        self._size = size = self._size - 1
        if size in self._answers:
            self._total = self._answers.pop(size)
        else:
            self._total = self._inverse(self._total, oldest) if size else self._identity

    def query(self, n: int | None = None) -> Partial:
        """The answer over the newest n partials, n a declared range; over all by default. No operation."""
        if n is None:
            return self._total
        if isinstance(n, int) and not isinstance(n, bool) and n in self._ranges:
            return self._answers[n] if self._newest(n) < self._size else self._total
        names = ", ".join(map(str, sorted(self._ranges))) or "none"
        raise InvalidArgument("n", n, f"one of the ranges that were declared in advance ({names})")

    def __len__(self) -> int:
        return self._size

    def _check(self) -> None:
        partials, state = list(self._partials), self._state()
        self._partials._check()
        assert len(partials) == self._size, state
        assert self._answers.keys() == {n for n in self._ranges if n < self._size}, state
        assert self._is_fold(self._total, partials), state
        assert partials or self._total is self._identity, state  # What is drained is as new.
        for n, answer in self._answers.items():
            assert self._is_fold(answer, partials[-n:]), (n, state)

    def _state(self) -> dict[str, Any]:
        return {
            "partials": list(self._partials),
            "answers": sorted(self._answers.items()),
            "total": self._total,
        }
