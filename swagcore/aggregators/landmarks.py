"""Landmark intervals, the state of L-INT: the words that end just before a landmark or begin at one. A Definition 3.2."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from swagcore.aggregators.tape import Tape
from swagcore.aggregators.technique import distinct_ranges
from swagcore.algebra import Aggregate, Partial


class Landmarks:
    """The landmark intervals for ranges from `width` to `widest`; there is a landmark every `width` positions.

    At position p, `before` holds the word from p up to the next landmark after p, once that is reached; `since[0]` the
    word from the last landmark up to p, p included; `since[1]`, kept where a range is above width + 1, the same from the
    landmark before that one. Words since a landmark are kept only where it lies after the window's oldest position:
    no range begins before it otherwise. Landmarks are counted from the window's oldest position when this is made.

    >>> leaves = Tape()
    >>> for letter in "abcdefg":
    ...     leaves.append(letter)
    >>> part = Landmarks(3, 4, leaves, str.__add__)
    >>> part._state()["before"]
    ['abc', 'bc', 'c', 'def', 'ef', 'f', None]
    >>> part._state()["since"]
    [[None, None, None, 'd', 'de', 'def', 'g']]
    >>> part.query(1, 5)
    'bcde'
    """

    __slots__ = ("before", "combine", "leaves", "origin", "since", "width")

    def __init__(
        self, width: int, widest: int, leaves: Tape, combine: Callable[[Partial, Partial], Partial]
    ) -> None:
        self.width, self.origin, self.leaves, self.combine = width, leaves.head, leaves, combine
        self.before = Tape(leaves.head)
        self.since = [Tape(leaves.head) for _ in range(2 if widest > width + 1 else 1)]
        for position in range(leaves.head, leaves.tail):
            self.insert(position)

    def last(self, position: int) -> int:
        """The last landmark, seen from a position: that position itself, or one before it."""
        return position - (position - self.origin) % self.width

    def insert(self, position: int) -> None:
        """Take in the leaf at that position. At most 2 combines, and once in `width` times width - 2 more."""
        combine, leaves, head = self.combine, self.leaves, self.leaves.head
        leaf = leaves[position]
        landmark = self.last(position)
        for age, since in enumerate(self.since):
            begin = landmark - age * self.width
            if begin <= head:
                since.append(None)
            elif begin == position:
                since.append(leaf)
            else:  # the second word since a new landmark goes on from the first since the old one
                earlier = since if position > landmark else self.since[0]
                since.append(combine(earlier[position - 1], leaf))
        self.before.append(None)
        if position + 1 == landmark + self.width:
            self._reach(landmark, position)

    def _reach(self, landmark: int, newest: int) -> None:
        """The next position is a landmark: the words that end before it, from the shortest to the longest."""
        combine, leaves, before = self.combine, self.leaves, self.before
        word = before[newest] = leaves[newest]
        for position in range(newest - 1, max(landmark, leaves.head) - 1, -1):
            if position == landmark > leaves.head:
                word = self.since[0][newest]  # from landmark to landmark: that word is known
            else:
                word = combine(leaves[position], word)
            before[position] = word

    def evict(self) -> None:
        """Drop the words that begin, or end, at the oldest position. No combine."""
        self.before.popleft()
        for since in self.since:
            since.popleft()

    def query(self, start: int, stop: int) -> Partial:
        """The word from start up to stop, which is `width` or more: one combine for each landmark interval but the first."""
        word = self.before[start]
        landmark = self.last(start) + self.width
        while landmark < stop:
            steps = min(-(-(stop - landmark) // self.width), len(self.since))
            end = min(stop, landmark + steps * self.width)
            word = self.combine(word, self.since[steps - 1][end - 1])
            landmark = end
        return word

    def _check(self, aggregate: Aggregate) -> None:
        """Assert that every word that a query may use is there."""
        head, tail, width, leaves = self.leaves.head, self.leaves.tail, self.width, self.leaves

        def word(start: int, stop: int) -> Partial:
            return aggregate.fold(leaves[position] for position in range(start, stop))

        for tape in (self.before, *self.since):  # A word of each kind a position.
            tape._check()
            assert (tape.head, tape.tail) == (head, tail), self._state()
        for position in range(head, tail):
            last = self.last(position)
            if last + width <= tail:
                assert aggregate.equal(self.before[position], word(position, last + width)), (
                    position,
                    self._state(),
                )
            for age, since in enumerate(self.since):
                begin = last - age * width
                if begin > head:
                    assert aggregate.equal(since[position], word(begin, position + 1)), (
                        position,
                        self._state(),
                    )

    def _state(self) -> dict[str, Any]:
        """The words that a query may use, from the oldest position to the newest; `past`: how far the oldest one is past
        the last landmark."""
        head = self.leaves.head
        return {
            "width": self.width,
            "past": head - self.last(head),
            "before": list(self.before),
            "since": [
                [
                    since[position] if self.last(position) - age * self.width > head else None
                    for position in range(since.head, since.tail)
                ]
                for age, since in enumerate(self.since)
            ],
        }


def partition(ranges: Iterable[int]) -> list[tuple[int, int]]:
    """The ranges in the fewest parts, each (narrowest, widest), with the widest at most twice the narrowest.

    >>> partition([10, 3, 4, 6, 9])
    [(3, 6), (9, 10)]
    """
    parts: list[tuple[int, int]] = []
    for width in distinct_ranges(ranges):
        if parts and width <= 2 * parts[-1][0]:
            parts[-1] = (parts[-1][0], width)
        else:
            parts.append((width, width))
    return parts
