"""Wrong identities, and one wrong inverse: what the aggregate says, not the window around it."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

from fuzz.museum.piece import Piece, fifo


class Folded:
    """A window that folds its values from an identity, as most techniques do somewhere. The exhibits fill it in."""

    def __init__(self) -> None:
        self.values: deque[Any] = deque()

    def insert(self, value: Any) -> None:
        self.values.append(value)

    def evict(self) -> None:
        self.values.popleft()


class GeometricMeanFromOne(Folded):
    """The geometric mean adds logarithms, but its identity was that of a product.

    IBM/sliding-window-aggregators, pull request 84 (merged 2026): the identity {1.0, 0} of logarithms that are added; every
    answer that starts from it is wrong by a factor of e**(1/n). Read in cpp/src/AggregationFunctions.hpp.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        super().__init__()
        self.identity = 0.0 if repaired else 1.0

    def query(self) -> float | None:
        if not self.values:
            return None
        return math.exp(math.fsum([self.identity, *map(math.log, self.values)]) / len(self.values))


class MaximumFromZero(Folded):
    """The identity of max was the type's default value, 0, so that negative values never win.

    IBM/sliding-window-aggregators, cpp/src/AggregationFunctions.hpp: `Max::identity = P()` for every type but int. Read in the
    source; no issue about it was found.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        super().__init__()
        self.identity = -math.inf if repaired else 0

    def query(self) -> Any:
        return max([self.identity, *self.values])


class ArgMaximumFromZero(Folded):
    """The identity of arg max was a pair of default values, so that it wins against a negative measure.

    IBM/sliding-window-aggregators, cpp/src/AggregationFunctions.hpp: `ArgMax::identity = {I(), C()}`. Read in the source; no
    issue about it was found.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        super().__init__()
        self.identity = (-math.inf if repaired else 0, None)

    def query(self) -> Any:
        best = self.identity
        for pair in self.values:
            best = best if best[0] >= pair[0] else pair
        return best[1]


class SpreadFromTurnedLimits(Folded):
    """The identity of a range had its two limits in the wrong places: the least minimum and the greatest maximum.

    IBM/sliding-window-aggregators, cpp/src/AggregationFunctions.hpp: the identity of RelativeVariation is
    {numeric_limits::min(), numeric_limits::max()}, which swallows every value. Read in the source; no issue about it was
    found. Here for max - min.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        super().__init__()
        self.identity = (2**63 - 1, -(2**63)) if repaired else (-(2**63), 2**63 - 1)

    def query(self) -> int | None:
        low, high = self.identity
        for value in self.values:
            low, high = min(low, value), max(high, value)
        return high - low if self.values else None


class CollectedWithoutEqualOnes(Folded):
    """The inverse of collecting removed every value that equals the one that leaves.

    IBM/sliding-window-aggregators, cpp/src/AggregationFunctions.hpp: `Collect::inverse_combine` calls `list::remove`, which
    removes all equal elements. Read in the source; no issue about it was found.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        super().__init__()
        self.repaired = repaired
        self.total: list[str] = []

    def insert(self, value: str) -> None:
        super().insert(value)
        self.total.append(value)

    def evict(self) -> None:
        oldest = self.values.popleft()
        self.total = self.total[1:] if self.repaired else [value for value in self.total if value != oldest]

    def query(self) -> str:
        return "".join(self.total)


IBM = "IBM/sliding-window-aggregators"
PIECES = [
    Piece(GeometricMeanFromOne, f"{IBM}#84", fifo("geometric_mean", data="positives")),
    Piece(MaximumFromZero, f"{IBM}, AggregationFunctions.hpp, Max", fifo("max", data="ints")),
    Piece(ArgMaximumFromZero, f"{IBM}, AggregationFunctions.hpp, ArgMax", fifo("arg_max", data="pairs")),
    Piece(
        SpreadFromTurnedLimits,
        f"{IBM}, AggregationFunctions.hpp, RelativeVariation",
        fifo("spread", data="ints"),
    ),
    Piece(
        CollectedWithoutEqualOnes,
        f"{IBM}, AggregationFunctions.hpp, Collect",
        fifo("concat", data="strings"),
    ),
]
