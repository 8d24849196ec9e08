"""The exact filter: the collective index proposes keys, a window a key decides. A §4.1."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from swagcore.substreams.collective import CICount, CISum
from swagcore.substreams.per_key import PerKey


class SubstreamFilter:
    """Which keys have more, or less, than v in a window, exactly, without asking them all.

    `aggregate` is "count", or "sum" of natural numbers. A larger p means fewer keys proposed in vain, and more work for
    an insert: see `CICount`.

    >>> busy = SubstreamFilter("count")
    >>> for time, key in enumerate("aabacaab"):
    ...     busy.insert(key, time)
    >>> busy.above(2, range=8, now=7), busy.below(2, range=3, now=7)
    ({'a'}, {'b'})
    """

    def __init__(self, aggregate: str = "count", p: int = 1, longest: int | None = None) -> None:
        self.plain = PerKey(aggregate, longest)
        self.index: CICount = CICount(p, longest) if aggregate == "count" else CISum(p, longest)

    def insert(self, key: Hashable, time: int, value: int = 1) -> None:
        """Take an event of a key; the value matters for sums only. What is refused changes nothing."""
        if isinstance(self.index, CISum):
            self.index.insert(key, time, value)
        else:
            self.index.insert(key, time)
        self.plain.insert(key, time, value)

    def above(self, v: int, range: int, now: int) -> set[Any]:
        """The keys with more than v in the window `[now - range + 1, now]`."""
        return {key for key in self.index.above(v, range, now) if self.plain.measure(key, range, now) > v}

    def below(self, v: int, range: int, now: int) -> set[Any]:
        """The keys with something in the window, but less than v."""
        return {key for key in self.index.below(v, range, now) if 0 < self.plain.measure(key, range, now) < v}
