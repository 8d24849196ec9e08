"""Floats: what was added is not what is taken away, NaN and infinities, means over the wrong number."""

from __future__ import annotations

import math
from collections import deque
from fractions import Fraction
from typing import Any

from fuzz.museum.piece import Check, Piece, fifo
from swagcore import Answer, Query, Window
from swagcore.algebra import Aggregate
from swagcore.testing import check_against_naive


class Kept:
    """A window that keeps its values; the exhibits calculate."""

    def __init__(self, *, repaired: bool = False) -> None:
        self.values: deque[Any] = deque()
        self.repaired = repaired

    def insert(self, value: Any) -> None:
        self.values.append(value)

    def evict(self) -> None:
        self.values.popleft()


def compensation_of_the_group_before(
    queries: list[Query], events: list[tuple[int, float, str]], *, repaired: bool = False
) -> list[Answer]:
    """The compensation of a sum is not reset between groups, so that one group's rounding ends in another's sum.

    pandas-dev/pandas, issue 38752 (2020): rolling sums of a group differ by 0.0156 when another group is there too.
    """
    (query,) = queries
    length = query.window.range
    found = []
    compensation = 0.0
    for key in dict.fromkeys(key for _, _, key in events):
        if repaired:
            compensation = 0.0
        total = 0.0
        for time, value, mine in events:
            if mine == key:
                corrected = value - compensation
                compensation = (total + corrected - total) - corrected
                total += corrected
                found.append(
                    Answer(query.name, time // length * length, time // length * length + length, total, key)
                )
    return list({(answer.start, answer.key): answer for answer in found}.values())


def _across_groups(engine: Any) -> int:
    events: list[tuple[Any, ...]] = [(n, 7.718 ** (n - 20), "large") for n in range(40)]
    events += [(40, 0.1, "large"), (41, 1e-13, "small")]
    query = Query("total", "sum", Window(100, 100))
    return check_against_naive(engine, [query], events, ordered=False, rounding=True)


def _central(powers: tuple[Any, ...]) -> int:
    """The sign of the third central moment, from the number and the sums of the first three powers."""
    n, one, two, three = powers
    moment = n * n * three - 3 * n * one * two + 2 * one**3
    return (moment > 0) - (moment < 0)


SKEWED = Aggregate(
    "skewed",
    lift=lambda value: tuple(Fraction(value) ** power for power in range(4)),
    combine=lambda a, b: tuple(x + y for x, y in zip(a, b, strict=True)),
    identity=(Fraction(0),) * 4,
    lower=_central,
    commutative=True,
    examples=(1.1, 0.3, 5.7, 1e6 + 0.1),
)
"""To which side the values lean: the sign of their skew, exactly."""


class SkewByPowerSums(Kept):
    """The skew is calculated from running sums of powers, and what should cancel does not.

    pandas-dev/pandas, issues 6929 (2014), 18044 (2017: windows of equal values have a skew of -1e8) and 47461 (2022: small
    values after large ones). Here the sign of the skew, which needs no tolerance.
    """

    def query(self) -> int:
        number = Fraction if self.repaired else float
        return _central(tuple(sum(number(value) ** power for value in self.values) for power in range(4)))


class MaximumBehindNaN:
    """A NaN in the queue of candidates is larger and smaller than nothing, and whatever stands behind it is not seen.

    pandas-dev/pandas, issue 15901 (2017): rolling max and min by time gave NaN although there were numbers in the window. There
    NaN is to be skipped; here it is above all numbers, as in Spark. The comparison that fails is the same.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        self.came = self.gone = 0
        self.queue: deque[tuple[int, float]] = deque()
        self.rank = (lambda value: (value != value, value)) if repaired else (lambda value: value)

    def insert(self, value: float) -> None:
        while self.queue and self.rank(self.queue[-1][1]) <= self.rank(value):
            self.queue.pop()
        self.queue.append((self.came, value))
        self.came += 1

    def evict(self) -> None:
        if self.queue[0][0] == self.gone:
            self.queue.popleft()
        self.gone += 1

    def query(self) -> float | None:
        return self.queue[0][1] if self.queue else None


class InfinityIsMissing(Kept):
    """Infinities are made NaN before the values come to the window, and so they are skipped.

    pandas-dev/pandas, issue 57549 (2024): every rolling aggregate replaces infinities by NaN first.
    """

    def query(self) -> float | None:
        seen = [value for value in self.values if self.repaired or math.isfinite(value)]
        return max(seen, default=None)


class CompensatedRunningSum(Kept):
    """One compensation for what comes and what goes: the rounding of a value that left stays behind.

    pola-rs/polars, issue 24738 and pull request 24743 (2025): rolling_sum(2) of 2.06, 0.888889, 0, 0, 0 ends in -2.2e-16.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        super().__init__(repaired=repaired)
        self.total = self.compensation = 0.0

    def _add(self, value: float) -> None:
        corrected = value - self.compensation
        total = self.total + corrected
        self.compensation = total - self.total - corrected
        self.total = total

    def insert(self, value: float) -> None:
        super().insert(value)
        self._add(value)

    def evict(self) -> None:
        self._add(-self.values.popleft())

    def query(self) -> float | None:
        if not self.values:
            return None
        return math.fsum(self.values) if self.repaired else self.total


class MeanOfARunningSum(Kept):
    """The mean of values that are not negative is negative: a running sum keeps the rounding of large values that left.

    pydata/bottleneck, issue 332 (2020): move_mean gives negative values for an array without any; see also 377 and 480.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        super().__init__(repaired=repaired)
        self.total = 0.0

    def insert(self, value: float) -> None:
        super().insert(value)
        self.total += value

    def evict(self) -> None:
        self.total -= self.values.popleft()

    def query(self) -> float | None:
        if not self.values:
            return None
        return (math.fsum(self.values) if self.repaired else self.total) / len(self.values)


class DifferenceOfPrefixes:
    """A window's sum is the difference of two sums from the beginning, which grow and lose its digits.

    wadpac/GGIR, issue 326 (2020): the moving average was diff(cumsum(x)). The same idea is in many places.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        self.number = Fraction if repaired else float
        self.prefixes: deque[Any] = deque([self.number(0)])

    def insert(self, value: float) -> None:
        self.prefixes.append(self.prefixes[-1] + self.number(value))

    def evict(self) -> None:
        self.prefixes.popleft()

    def query(self) -> float | None:
        return float(self.prefixes[-1] - self.prefixes[0]) if len(self.prefixes) > 1 else None


class DeviationByPrefixes:
    """The deviation comes from differences of running sums of squares, and cancels to anything.

    polakowo/vectorbt, issue 714 and pull request 864 (2026): rolling_std by cumulative sums is far from the true one.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        self.number = Fraction if repaired else float
        self.sums: deque[tuple[Any, Any]] = deque([(self.number(0), self.number(0))])

    def insert(self, value: float) -> None:
        total, squares = self.sums[-1]
        self.sums.append((total + self.number(value), squares + self.number(value) ** 2))

    def evict(self) -> None:
        self.sums.popleft()

    def query(self) -> float | None:
        n = len(self.sums) - 1
        if n < 2:
            return None
        total, squares = (new - old for new, old in zip(self.sums[-1], self.sums[0], strict=True))
        return math.sqrt(max(squares - total * total / n, 0) / (n - 1))


class InfinityNeverLeaves(Kept):
    """A running sum that has seen an infinity takes it away as inf - inf, and is NaN from then on.

    pola-rs/polars, issues 12682 (2023) and 23115, pull request 23482 (2025): rolling_sum and rolling_mean of floats that are
    not finite. The issue 23115 itself was not found, the pull request that names it was.
    """

    def __init__(self, *, repaired: bool = False) -> None:
        super().__init__(repaired=repaired)
        self.total = 0.0

    def insert(self, value: float) -> None:
        super().insert(value)
        self.total += value

    def evict(self) -> None:
        self.total -= self.values.popleft()
        if self.repaired:
            self.total = sum(self.values)

    def query(self) -> float | None:
        return self.total if self.values else None


class CompensationOfInfinity(Kept):
    """The compensation of an infinite sum is inf - inf, so that infinity and one is NaN.

    pola-rs/polars, pull request 25850 (2025), and llvm/llvm-project, pull request 175373 (2026): Kahan sums made NaN of
    infinities. Of polars only the pull request was found, not the issue.
    """

    def query(self) -> float | None:
        total = compensation = 0.0
        for value in self.values:
            corrected = value - compensation
            new = total + corrected
            compensation = new - total - corrected
            if self.repaired and not math.isfinite(compensation):
                compensation = 0.0
            total = new
        return total if self.values else None


class MeanOverTheCapacity(Kept):
    """The mean is divided by the size of the buffer, also while the buffer is not full.

    AlexandreHiroyuki/MovingAveragePlus, issue 25 (2022): values that never came count as zeros.
    """

    def query(self) -> float | None:
        if not self.values:
            return None
        return sum(self.values) / (len(self.values) if self.repaired else max(len(self.values), 10))


class MeanOfWholeQuotients(Kept):
    """Each value is divided by the number of values before it is added, and that as integers.

    rlogiacco/CircularBuffer, issue 29 (2020): an example's average of 41 readings of 1000 was 984.
    """

    def query(self) -> float | None:
        n = len(self.values)
        if not n:
            return None
        return sum(self.values) / n if self.repaired else sum(value // n for value in self.values)


SMALL_AND_LARGE = (0.0, 1.0, 0.1, 2.06, 0.888889, 1e8, 3.3e8)
PIECES = [
    Piece(
        compensation_of_the_group_before,
        "pandas-dev/pandas#38752",
        Check("check_against_naive, sum by key", _across_groups),
    ),
    Piece(SkewByPowerSums, "pandas-dev/pandas#6929, #18044, #47461", fifo(SKEWED)),
    Piece(MaximumBehindNaN, "pandas-dev/pandas#15901", fifo("max", data="specials")),
    Piece(InfinityIsMissing, "pandas-dev/pandas#57549", fifo("max", values=(0.0, 1.0, math.inf, -math.inf))),
    Piece(CompensatedRunningSum, "pola-rs/polars#24738", fifo("sum", values=SMALL_AND_LARGE)),
    Piece(MeanOfARunningSum, "pydata/bottleneck#332", fifo("mean", values=SMALL_AND_LARGE)),
    Piece(DifferenceOfPrefixes, "wadpac/GGIR#326", fifo("sum", values=SMALL_AND_LARGE)),
    Piece(DeviationByPrefixes, "polakowo/vectorbt#864", fifo("stddev", values=SMALL_AND_LARGE)),
    Piece(InfinityNeverLeaves, "pola-rs/polars#23482", fifo("sum", values=(0.0, 1.0, 2.0, math.inf))),
    Piece(CompensationOfInfinity, "pola-rs/polars#25850", fifo("sum", values=(0.0, 1.0, 2.0, math.inf))),
    Piece(MeanOverTheCapacity, "AlexandreHiroyuki/MovingAveragePlus#25", fifo("mean", data="ints")),
    Piece(MeanOfWholeQuotients, "rlogiacco/CircularBuffer#29", fifo("mean", data="ints")),
]
