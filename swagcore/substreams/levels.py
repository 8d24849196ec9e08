"""Levels: which of the positions of a stream CI-COUNT remembers. A Definition 4.1, §4.1.2."""

from __future__ import annotations

from typing import NamedTuple

from swagcore.errors import InvalidArgument


class Level(NamedTuple):
    """The distances `nearest` .. `farthest` from the end of a stream; the last element is at distance 1.

    `width` is how many there are, 2^group; `number` counts the levels from the end of the stream, from 0.
    """

    number: int
    width: int
    nearest: int

    @property
    def farthest(self) -> int:
        """The largest distance in the level."""
        return self.nearest + self.width - 1


def level(number: int, p: int) -> Level:
    """The level of that number, where p levels have width 1, then p have width 2, p have width 4, and so on.

    >>> [level(number, 1).nearest for number in range(5)], [level(number, 3).nearest for number in range(7)]
    ([1, 2, 4, 8, 16], [1, 2, 3, 4, 6, 8, 10])
    """
    group, rank = divmod(number, p)
    width = 1 << group
    return Level(number, width, p * (width - 1) + 1 + rank * width)


def level_of(distance: int, p: int) -> Level:
    """The level that a distance is in.

    >>> [level_of(distance, 1).number for distance in range(1, 9)], level_of(5, 3)
    ([0, 1, 1, 2, 2, 2, 2, 3], Level(number=3, width=2, nearest=4))
    """
    # Group g begins behind p * (2^g - 1) distances.
    group = ((distance - 1) // p + 1).bit_length() - 1
    rank = (distance - 1 - p * ((1 << group) - 1)) >> group
    return level(group * p + rank, p)


def level_within(count: int, p: int) -> Level:
    """The last level whose distances are all at most count, a positive number: an element of it is in every window of
    count elements.

    >>> [level_within(count, 1).number for count in range(1, 9)], level_within(6, 3).nearest
    ([0, 0, 1, 1, 1, 1, 2, 2], 4)
    """
    holds = level_of(count, p)
    return holds if holds.farthest == count else level(holds.number - 1, p)


def level_beyond(count: int, p: int) -> Level:
    """The first level whose distances are all at least count: no element of it is in a window of fewer elements.

    >>> [level_beyond(count, 1).number for count in range(1, 9)], level_beyond(5, 3).nearest
    ([0, 1, 2, 2, 3, 3, 3, 3], 6)
    """
    holds = level_of(count, p)
    return holds if holds.nearest == count else level(holds.number + 1, p)


def positive(argument: str, value: object, least: int = 1) -> int:
    """The value, an integer that is not below the least; else an error that names the argument.

    >>> positive("p", 2)
    2
    >>> positive("p", 0)
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: p is 0; expected an integer, 1 or more
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidArgument(argument, value, f"an integer, {least} or more")
    return value


class Stamps:
    """The time of one element of each level, for one stream: O(p log n) times for n elements.

    The element kept of a level of width w is the one whose position (1, 2, ... from the beginning) is a multiple of
    w: there is just one among w positions in a row, and it was the one kept of the level before. So an element that is
    kept stays kept until it leaves for good, and an insert only moves times from level to level.

    Invariant, after n elements: `times[l]` is the time of position (⌊(n + p) / w⌋ - p - rank) * w, for each level l of
    width w, the rank-th of that width, for which that position is not below 1 and the time was not let go; these are
    the first levels, and their times do not grow from one to the next.

    >>> stamps = Stamps(p=1)
    >>> for time in range(1, 8):
    ...     _ = stamps.insert(time)
    >>> stamps.times
    [7, 6, 4]
    """

    def __init__(self, p: int) -> None:
        self.p = p
        self.length = 0
        self.times: list[int] = []

    def insert(self, time: int, copies: int = 1) -> list[tuple[int, int | None, int]]:
        """Add as many elements of one time; returns the changes as (level, time before, time now).

        O(p log copies) levels change, amortized: one of width w only if a multiple of w is passed, and no time is
        looked at twice.
        """
        before, old, p = self.length, self.times, self.p
        after = self.length = before + copies
        fresh: list[int] = []
        changes: list[tuple[int, int | None, int]] = []
        number = 0
        while True:
            group, rank = divmod(number, p)
            passed = (after + p) >> group
            if rank == 0 and passed == (before + p) >> group:
                break  # no multiple of this width was passed, nor of any larger one
            position = (passed - p - rank) << group
            if position > before:
                now = time
            else:
                source = level_of(before - position + 1, p).number
                if source >= len(old):  # let go or before the beginning, and so is all that is older
                    break
                now = old[source]
            was = old[number] if number < len(old) else None
            fresh.append(now)
            if was != now:
                changes.append((number, was, now))
            number += 1
        self.times = fresh + old[number:]
        return changes

    def forget(self, before: int) -> list[tuple[int, int]]:
        """Let go the times before one; returns them as (level, time)."""
        kept = len(self.times)
        while kept and self.times[kept - 1] < before:
            kept -= 1
        gone = list(enumerate(self.times[kept:], kept))
        del self.times[kept:]
        return gone
