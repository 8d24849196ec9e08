"""Counting edges by formula: inclusion and exclusion over the groups of slides that overlap. S Eq 5.1 and 5.7."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from swagcore.edges.classes import Class, period_of, reduced
from swagcore.errors import InvalidArgument

MOST_CLASSES = 22
"""The most classes, after those inside others are dropped: there are 2**22 groups of them, some seconds of work."""


def edges(classes: Collection[Class]) -> tuple[int, int]:
    """(edges, period), by F1. Up to 2**n - 1 groups of n classes; refuses beyond `MOST_CLASSES`.

    >>> edges([(0, 2), (0, 3), (0, 4), (0, 5), (0, 6)])
    (44, 60)
    """
    return by_groups(classes, math.gcd)


def by_groups(classes: Collection[Class], gcd: Callable[[int, int], int]) -> tuple[int, int]:
    """(edges, period) with a gcd of the caller's choice."""
    period = period_of(classes)
    kept = reduced(classes)
    if len(kept) > MOST_CLASSES:
        raise InvalidArgument(
            "number of classes",
            len(kept),
            f"at most {MOST_CLASSES} that lie in no other one, for methods 'f1' and 'f1_table' (best takes more)",
        )
    series = terms(kept, period, gcd)
    return sum(series[::2]) - sum(series[1::2]), period


def terms(
    classes: Collection[Class], period: int | None = None, gcd: Callable[[int, int], int] = math.gcd
) -> list[int]:
    """The series of S Eq 5.8: LCM_n * G_2(n, i) for i = 1, 2, ..., n, without their signs.

    A group grows class by class, and never beyond a pair that does not overlap: those groups are the ones that the
    overlap check discards, and with them everything that contains them.

    >>> terms([(0, 2), (0, 3), (0, 4), (0, 5), (0, 6)])
    [87, 70, 36, 10, 1]
    >>> terms([(0, 3), (0, 4), (3, 4), (0, 6), (2, 6), (0, 9)])
    [46, 26, 8, 1, 0, 0]
    """
    classes = list(classes)
    period = period_of(classes) if period is None else period
    follows = [
        {
            j
            for j in range(i + 1, len(classes))
            if (classes[j][0] - residue) % gcd(modulus, classes[j][1]) == 0
        }
        for i, (residue, modulus) in enumerate(classes)
    ]
    series = [0] * len(classes)

    def grow(size: int, multiple: int, candidates: set[int]) -> None:
        for i in candidates:
            modulus = classes[i][1]
            larger = multiple // gcd(multiple, modulus) * modulus
            series[size] += period // larger
            following = candidates & follows[i]
            if following:
                grow(size + 1, larger, following)

    grow(0, 1, set(range(len(classes))))
    return series
