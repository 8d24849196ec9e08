"""Trees and chunks whose stored aggregates are not those of what they hold."""

from __future__ import annotations

from collections import deque
from typing import Any

from fuzz.museum.piece import Piece, fifo
from swagcore.algebra import Aggregate


class TreeWithoutRepair:
    """A node that gives a value to its neighbour keeps the aggregate of before.

    IBM/sliding-window-aggregators, issue 77 and pull request 80 (2023): the rebalancing of the finger B-tree after an evict
    did not repair the aggregate of the left-spine node that was borrowed from. Here a tree of two levels with leaves of up to
    four values; a leaf that runs empty borrows from the next.
    """

    def __init__(self, aggregate: Aggregate, *, repaired: bool = False) -> None:
        self.aggregate, self.repaired = aggregate, repaired
        self.leaves: deque[list[Any]] = deque()  # each: its values, and the aggregate of them last

    def _stored(self, values: list[Any]) -> Any:
        return self.aggregate.fold(map(self.aggregate.lift, values)) if values else self.aggregate.identity

    def insert(self, value: Any) -> None:
        if not self.leaves or len(self.leaves[-1][0]) == 4:
            self.leaves.append([[], None])
        leaf = self.leaves[-1]
        leaf[0].append(value)
        leaf[1] = self._stored(leaf[0])

    def evict(self) -> None:
        leaf = self.leaves[0]
        leaf[0].pop(0)
        if not leaf[0] and len(self.leaves) > 1 and len(self.leaves[1][0]) > 1:
            lender = self.leaves[1]
            leaf[0].append(lender[0].pop(0))
            if self.repaired:
                lender[1] = self._stored(lender[0])
        leaf[1] = self._stored(leaf[0])
        if not leaf[0]:
            self.leaves.popleft()

    def query(self) -> Any:
        return self.aggregate.lower(self.aggregate.fold(stored for _, stored in self.leaves))


class AverageOfAverages:
    """A partial average is merged as if it were one observation.

    MonetDB/MonetDB, issue 7989 (2026): AVG over a frame with more rows than the fan-out of its segment tree combines a partial
    average as one raw value. Here with chunks of four in place of sixteen.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        self.values: deque[int] = deque()
        self.repaired = repaired

    def insert(self, value: int) -> None:
        self.values.append(value)

    def evict(self) -> None:
        self.values.popleft()

    def query(self) -> float | None:
        values = list(self.values)
        if not values:
            return None
        whole = len(values) // 4 * 4
        parts = [(sum(values[i : i + 4]) / 4, 4 if self.repaired else 1) for i in range(0, whole, 4)]
        parts += [(value, 1) for value in values[whole:]]
        return sum(mean * weight for mean, weight in parts) / sum(weight for _, weight in parts)


def _first_mode(values: tuple[str, ...]) -> str | None:
    return max(values, key=lambda value: (values.count(value), -values.index(value))) if values else None


MODE = Aggregate(
    "mode",
    lift=lambda value: (value,),
    combine=lambda a, b: a + b,
    identity=(),
    lower=_first_mode,
    examples=("A", "B", "C"),
)
"""The most frequent value, the earliest of several."""


class ModeWithStaleOrder:
    """Ties go to the value that came first, counted with rows that have left the frame.

    duckdb/duckdb, issue 24826 (2026): MODE(x ORDER BY id) over a sliding ROWS frame keeps a tie-break value from rows outside.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        self.values: deque[str] = deque()
        self.first: dict[str, int] = {}
        self.came = 0
        self.repaired = repaired

    def insert(self, value: str) -> None:
        self.values.append(value)
        self.first.setdefault(value, self.came)
        self.came += 1

    def evict(self) -> None:
        oldest = self.values.popleft()
        if oldest not in self.values:
            del self.first[oldest]
        elif self.repaired:
            self.first[oldest] = self.came - len(self.values) + self.values.index(oldest)

    def query(self) -> str | None:
        if not self.values:
            return None
        return max(self.values, key=lambda value: (self.values.count(value), -self.first[value]))


PIECES = [
    Piece(TreeWithoutRepair, "IBM/sliding-window-aggregators#77", fifo("sum", data="ints")),
    Piece(AverageOfAverages, "MonetDB/MonetDB#7989", fifo("mean", data="ints")),
    Piece(ModeWithStaleOrder, "duckdb/duckdb#24826", fifo(MODE)),
]
