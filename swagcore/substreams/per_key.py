"""The plain way to filter substreams: a window a key, and every key is asked. A §3.2, §4."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable
from typing import Any

from swagcore.errors import UnknownName
from swagcore.substreams.levels import positive


class PerKey:
    """For each key the times of its events and the running totals of their values: R-INT over time.

    `aggregate` is "count", or "sum" of natural numbers. `measure` is exact for one key, by two bisections. `above` and
    `below` ask every key: that is what a collective index avoids, and what it is compared with. `longest`: the largest
    range that will be asked about; a key's older events are let go, once they are half of them.

    >>> plain = PerKey("sum")
    >>> for time, (key, value) in enumerate([("a", 30), ("b", 4), ("a", 12)]):
    ...     plain.insert(key, time, value)
    >>> plain.measure("a", range=2, now=2), plain.above(20, range=3, now=2)
    (12, {'a'})
    """

    def __init__(self, aggregate: str = "count", longest: int | None = None) -> None:
        if aggregate not in ("count", "sum"):
            raise UnknownName("aggregate", aggregate, ["count", "sum"])
        self.aggregate = aggregate
        self.longest = None if longest is None else positive("longest", longest)
        self._times: dict[Any, list[int]] = {}
        self._totals: dict[Any, list[int]] = {}  # totals[i] is that of the events before event i

    def insert(self, key: Hashable, time: int, value: int = 1) -> None:
        """Take an event of a key, not before its last one; the value matters for sums only. O(1) amortized."""
        amount = 1 if self.aggregate == "count" else positive("value", value, least=0)
        times = self._times.setdefault(key, [])
        totals = self._totals.setdefault(key, [0])
        times.append(time)
        totals.append(totals[-1] + amount)
        middle = len(times) // 2
        if self.longest is not None and times[middle] <= time - self.longest:
            del times[: middle + 1], totals[: middle + 1]

    def measure(self, key: Hashable, range: int, now: int) -> int:
        """The count or sum of a key in the window `[now - range + 1, now]`. O(log n)."""
        if key not in self._times:
            return 0
        times, totals = self._times[key], self._totals[key]
        return totals[bisect_right(times, now)] - totals[bisect_left(times, now - range + 1)]

    def above(self, v: int, range: int, now: int) -> set[Any]:
        """The keys with more than v in the window. O(keys log n)."""
        return {key for key in self._times if self.measure(key, range, now) > v}

    def below(self, v: int, range: int, now: int) -> set[Any]:
        """The keys with something in the window, but less than v. O(keys log n)."""
        return {key for key in self._times if 0 < self.measure(key, range, now) < v}
