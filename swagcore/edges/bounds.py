"""Bounds on the density of a union of residue classes that cost nothing to speak of: Bonferroni's, for planners."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from swagcore.edges.classes import Class, checked, reduced

ONE = 1 << 64
"""Densities are multiples of 1 / ONE here, rounded to the safe side: exact fractions would have thousands of digits."""

MOST_IN_PAIRS = 500
"""How many classes are looked at in pairs, the ones with the most edges; the others only raise the upper bound."""


def bounds(classes: Iterable[Class]) -> tuple[Fraction, Fraction]:
    """An interval that certainly contains `density(classes)`, rounded outwards to multiples of 2**-64; the same on every run.

    From below: a union has at least its members' densities less those of their pairs; a class that would lower that
    figure is left out, which can only make the union smaller. From above: at most the members' densities less those of
    pairs that form a tree (Hunter's bound), here each class with the one before it that it overlaps most.

    Takes time in proportion to the square of the number of classes that lie in no other.

    >>> [float(bound) for bound in bounds([(0, 2), (0, 4), (0, 8)])]
    [0.5, 0.5]
    >>> [round(float(bound), 6) for bound in bounds([(0, 2), (0, 3), (0, 5)])]  # the density is 11/15 = 0.733333
    [0.7, 0.766667]
    """
    return bounds_of_reduced(reduced(checked(classes)))


def bounds_of_reduced(kept: list[Class]) -> tuple[Fraction, Fraction]:
    """The same for classes of which none lies in another, smallest modulus first."""
    low = 0
    high = sum(-(-ONE // modulus) for _, modulus in kept)
    chosen: list[Class] = []
    for position, (residue, modulus) in enumerate(kept[:MOST_IN_PAIRS]):
        gain = ONE // modulus
        for r, m in chosen:
            divisor = math.gcd(m, modulus)
            if (r - residue) % divisor == 0:
                gain -= -(-ONE * divisor // (m * modulus))  # rounded up, as everything that is subtracted
        if gain > 0:
            low += gain
            chosen.append((residue, modulus))
        closest = min(
            (
                m // math.gcd(m, modulus)
                for r, m in kept[:position]
                if (r - residue) % math.gcd(m, modulus) == 0
            ),
            default=None,
        )
        if closest is not None:
            high -= ONE // (closest * modulus)
    return Fraction(low, ONE), Fraction(min(high, ONE), ONE)
