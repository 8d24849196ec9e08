"""Bulk operations, timestamps that repeat, and sizes that are not kept."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from typing import Any

from fuzz.museum.piece import Piece, variant
from swagcore.algebra import Aggregate, aggregate


class Timed:
    """A window by timestamp that is right: pairs sorted by time, equal times in the order in which they came."""

    def __init__(self) -> None:
        self.sum: Aggregate = aggregate("sum")
        self.times: list[int] = []
        self.values: list[Any] = []

    def insert(self, time: int, value: Any) -> None:
        place = bisect_right(self.times, time)
        self.times.insert(place, time)
        self.values.insert(place, value)

    def insert_many(self, pairs: list[tuple[int, Any]]) -> None:
        for time, value in pairs:
            self.insert(time, value)

    def evict(self) -> None:
        self.evict_many(1)

    def evict_many(self, n: int) -> None:
        del self.times[:n], self.values[:n]

    def query(self) -> Any:
        return self.sum.over(self.values)


class BulkWithoutRepeats(Timed):
    """A bulk insert treats a timestamp that is there already as the same event.

    IBM/sliding-window-aggregators, pull request 55 (2021), which made the bulk insert of the finger tree support timestamps
    that repeat. What it answered before is not written there; here the newer one takes the older one's place.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        super().__init__()
        self.repaired = repaired

    def insert_many(self, pairs: list[tuple[int, Any]]) -> None:
        for time, value in pairs:
            if not self.repaired and time in self.times:
                self.values[self.times.index(time)] = value
            else:
                self.insert(time, value)


class SizeThatIsNotKept(Timed):
    """The size is counted in one way of inserting and forgotten in the other.

    IBM/sliding-window-aggregators, pull request 64 (2022): size() of AMTA was incorrect after insert(time, value).
    """

    def __init__(self, *, repaired: bool = False) -> None:
        super().__init__()
        self.repaired = repaired
        self.size = 0

    def insert(self, time: int, value: Any) -> None:
        super().insert(time, value)
        self.size += 1

    def insert_many(self, pairs: list[tuple[int, Any]]) -> None:
        for time, value in pairs:
            super().insert(time, value)
        if self.repaired:
            self.size += len(pairs)

    def evict_many(self, n: int) -> None:
        super().evict_many(n)
        self.size -= n

    def __len__(self) -> int:
        return self.size


class BulkEvictOfAll:
    """A bulk evict asks for the oldest element of a window that it has just emptied.

    IBM/sliding-window-aggregators, pull request 73 (2022): the loop-based bulkEvict did not check whether the window is empty.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        self.values: deque[tuple[int, int]] = deque()
        self.came = 0
        self.repaired = repaired

    def insert(self, value: int) -> None:
        self.values.append((self.came, value))
        self.came += 1

    def insert_many(self, values: list[int]) -> None:
        for value in values:
            self.insert(value)

    def evict(self) -> None:
        self.values.popleft()

    def evict_many(self, n: int) -> None:
        last = self.came - len(self.values) + n - 1
        while (self.values or not self.repaired) and self.values[0][0] <= last:
            self.values.popleft()

    def query(self) -> int | None:
        return sum(value for _, value in self.values) if self.values else None


IBM = "IBM/sliding-window-aggregators"
PIECES = [
    Piece(BulkWithoutRepeats, f"{IBM}#55", variant("sum", "ints", bulk=True, out_of_order=True)),
    Piece(SizeThatIsNotKept, f"{IBM}#64", variant("sum", "ints", bulk=True, out_of_order=True)),
    Piece(BulkEvictOfAll, f"{IBM}#73", variant("sum", "ints", bulk=True)),
]
