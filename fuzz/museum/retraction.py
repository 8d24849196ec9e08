"""What leaves a window is not taken out of its state, or something else is."""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Iterator
from typing import Any

from fuzz.museum.piece import Piece, fifo, variant, windows


class MedianThatSkips:
    """The loop that retracts values skips the one that a removal moved to its place.

    apache/datafusion, issue 21299 and pull request 21300 (2026): after `swap_remove(i)` the loop still went on to i + 1.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        self.order: deque[int] = deque()
        self.values: list[int] = []
        self.repaired = repaired

    def insert(self, value: int) -> None:
        self.insert_many([value])

    def insert_many(self, values: list[int]) -> None:
        self.order.extend(values)
        self.values.extend(values)

    def evict(self) -> None:
        self.evict_many(1)

    def evict_many(self, n: int) -> None:
        leaving = [self.order.popleft() for _ in range(n)]
        i = 0
        while i < len(self.values) and leaving:
            if self.values[i] in leaving:
                leaving.remove(self.values[i])
                self.values[i] = self.values[-1]
                self.values.pop()
                if self.repaired:
                    continue
            i += 1

    def query(self) -> float | None:
        return statistics.median(self.values) if self.values else None


def frames_with_leftovers(
    events: list[tuple[int, int]], range_: int, slide: int, offset: int, *, repaired: bool = False
) -> Iterator[tuple[int, int, int]]:
    """A frame that is empty leaves the total of the frame before in place.

    apache/datafusion, issue 24184 and pull request 24185 (2026): a RANGE frame that goes from non-empty to empty and back
    counts rows that left while it was empty.
    """
    if not events:
        return
    total = low = high = 0
    start = offset + (events[0][0] - range_ - offset) // slide * slide
    while start <= events[-1][0]:
        first = sum(time < start for time, _ in events)
        last = sum(time < start + range_ for time, _ in events)
        if first == last:
            if repaired:
                total = 0
            low = high = first
        else:
            total += sum(value for _, value in events[high:last]) - sum(
                value for _, value in events[low:first]
            )
            low, high = first, last
            yield start, start + range_, total
        start += slide


class DistinctThatForgets:
    """A value that leaves is struck from the set, though another of its kind is still in the frame.

    apache/datafusion, pull request 23913 (2026): the retraction of percentile_cont(DISTINCT) removed values from a set; counts
    were needed. Here for counting.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        self.values: deque[Any] = deque()
        self.distinct: set[Any] = set()
        self.repaired = repaired

    def insert(self, value: Any) -> None:
        self.values.append(value)
        self.distinct.add(value)

    def evict(self) -> None:
        oldest = self.values.popleft()
        if not self.repaired or oldest not in self.values:
            self.distinct.discard(oldest)

    def query(self) -> int:
        return len(self.distinct)


class AnswerThatConsumes:
    """Asking takes the values out of the accumulator, so that the next answer misses them.

    apache/datafusion, issue 19612 (2026): accumulators whose `evaluate` takes their state give wrong answers in windows.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        self.order: deque[int] = deque()
        self.values: list[int] = []
        self.repaired = repaired

    def insert(self, value: int) -> None:
        self.order.append(value)
        self.values.append(value)

    def evict(self) -> None:
        oldest = self.order.popleft()
        if oldest in self.values:
            self.values.remove(oldest)

    def query(self) -> float | None:
        taken = self.values
        self.values = list(taken) if self.repaired else []
        return statistics.median(taken) if taken else None


class MaximumThatStays:
    """The maximum is updated by what comes and never by what goes.

    jubatus/jubatus, issue 238 (2013): min and max of jubastat were not updated once more than window_size values had come.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        self.values: deque[int] = deque()
        self.best: int | None = None
        self.repaired = repaired

    def insert(self, value: int) -> None:
        self.values.append(value)
        self.best = value if self.best is None else max(self.best, value)

    def evict(self) -> None:
        self.values.popleft()
        if self.repaired or not self.values:
            self.best = max(self.values, default=None)

    def query(self) -> int | None:
        return self.best


class DeviationOfLessThanNothing:
    """The running sum of squared deviations drifts below zero, and its root raises.

    ajcr/rolling, issue 20 (2021): rolling.Std raised "math domain error" on 138, 136, 137, 137, 135, 136, 135, 135, 135.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        self.values: deque[float] = deque()
        self.mean = self.squares = 0.0
        self.repaired = repaired

    def insert(self, value: float) -> None:
        self.values.append(value)
        delta = value - self.mean
        self.mean += delta / len(self.values)
        self.squares += delta * (value - self.mean)

    def evict(self) -> None:
        value = self.values.popleft()
        if not self.values:
            self.mean = self.squares = 0.0
            return
        delta = value - self.mean
        self.mean -= delta / len(self.values)
        self.squares -= delta * (value - self.mean)

    def query(self) -> float | None:
        if len(self.values) < 2:
            return None
        if self.repaired:
            self.squares = max(self.squares, 0.0)
        return math.sqrt(self.squares / (len(self.values) - 1))


PIECES = [
    Piece(MedianThatSkips, "apache/datafusion#21299", variant("median", "ints", bulk=True)),
    Piece(frames_with_leftovers, "apache/datafusion#24184", windows()),
    Piece(DistinctThatForgets, "apache/datafusion#23913", fifo("count_distinct", data="ints")),
    Piece(AnswerThatConsumes, "apache/datafusion#19612", fifo("median", data="ints")),
    Piece(MaximumThatStays, "jubatus/jubatus#238", fifo("max", data="ints")),
    Piece(DeviationOfLessThanNothing, "ajcr/rolling#20", fifo("stddev", values=(135, 136, 137, 138))),
]
