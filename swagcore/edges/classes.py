"""Residue classes (residue, modulus): every time t with t % modulus == residue. What is said with them, and what is left out."""

from __future__ import annotations

import math
import operator
import time
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import groupby
from typing import TypeAlias

from swagcore.errors import InvalidArgument

Class: TypeAlias = tuple[int, int]
"""(residue, modulus), with 0 <= residue < modulus."""

SMALL_PRIMES = tuple(n for n in range(2, 1000) if all(n % d for d in range(2, math.isqrt(n) + 1)))
FACTORED = 1009**2
"""A number below it without a prime below 1,000 is a prime, or 1."""


def from_slides(slides: Iterable[tuple[int, int]]) -> set[Class]:
    """The distinct classes of (slide, shift) pairs; a shift may be any integer and counts modulo its slide.

    A million pairs cost one look each; everything after this sees only the distinct ones.

    >>> sorted(from_slides([(4, 0), (4, 3), (4, -1), (6, 8)]))
    [(0, 4), (2, 6), (3, 4)]
    """
    found = set()
    try:
        pairs = iter(slides)
    except TypeError:
        raise InvalidArgument("edges", slides, "a list of (slide, shift) pairs") from None
    for pair in pairs:
        try:
            slide, shift = pair
        except (TypeError, ValueError):
            raise InvalidArgument("edge", pair, "a pair (slide, shift)") from None
        if type(slide) is not int or type(shift) is not int:
            slide, shift = _integer("slide", slide), _integer("shift", shift)
        if slide <= 0:
            raise InvalidArgument("slide", slide, "a positive integer")
        found.add((shift % slide, slide))
    return found


def checked(classes: Iterable[Class]) -> set[Class]:
    """The distinct classes of (residue, modulus) pairs, residues taken modulo their moduli.

    >>> checked([(0, 4), (4, 4)])
    {(0, 4)}
    """
    try:
        pairs = [(modulus, residue) for residue, modulus in classes]
    except (TypeError, ValueError):
        raise InvalidArgument("classes", classes, "a list of (residue, modulus) pairs") from None
    return from_slides(pairs)


class NoAnswer(Exception):
    """There is no answer by the deadline, for this reason."""


def reduced(classes: Collection[Class], deadline: float = math.inf) -> list[Class]:
    """The classes that lie in no other one, by modulus, then residue: the same edges, from as few classes as possible.

    A class lies in another exactly if that modulus divides its own and the residues agree. S §5.3 drops every duplicate
    and every multiple of a slide, which is right only where all shifts are zero.

    >>> reduced([(0, 2), (0, 4), (1, 4), (3, 9)]), reduced([(0, 2), (1, 2)])
    ([(0, 2), (1, 4), (3, 9)], [(0, 2), (1, 2)])
    """
    kept: list[Class] = []
    have: set[Class] = set()
    moduli: set[int] = set()
    slides = sorted({(modulus, residue) for residue, modulus in classes})
    for modulus, group in groupby(slides, key=operator.itemgetter(0)):
        if time.monotonic() > deadline:
            raise NoAnswer("there are too many large moduli to compare")
        dividing = _dividing(modulus, moduli)
        outside = [
            (residue, modulus)
            for _, residue in group
            if not any((residue % smaller, smaller) in have for smaller in dividing)
        ]
        if outside:
            kept += outside
            have.update(outside)
            moduli.add(modulus)
    return kept


def _dividing(modulus: int, moduli: set[int]) -> list[int]:
    """Those of the moduli that divide one; by its divisors, where these are known and not many more."""
    if len(moduli) > 20:
        primes, rest = small_factors(modulus)
        if rest < FACTORED:
            number = math.prod(len(powers(*part)) for part in primes)  # twice that, where `rest` is a prime
            if number < 4 * len(moduli):
                return [divisor for divisor in divisors(modulus) if divisor in moduli]
    return [smaller for smaller in moduli if modulus % smaller == 0]


@lru_cache(maxsize=1 << 14)
def small_factors(number: int) -> tuple[tuple[tuple[int, int], ...], int]:
    """The primes below 1,000 of a number as (prime, its power in the number), and what is left, 1 or a number without any.

    >>> small_factors(360), small_factors(2 * 1009)
    ((((2, 8), (3, 9), (5, 5)), 1), (((2, 2),), 1009))
    """
    found = []
    for prime in SMALL_PRIMES:
        if prime * prime > number:
            break
        power = 1
        while number % prime == 0:
            number //= prime
            power *= prime
        if power > 1:
            found.append((prime, power))
    if 1 < number < 1000:  # no prime up to its root divides it
        found.append((number, number))
        number = 1
    return tuple(found), number


@lru_cache(maxsize=1 << 14)
def divisors(number: int) -> tuple[int, ...]:
    """All divisors but itself of a number that `small_factors` leaves less than `FACTORED` of.

    >>> sorted(divisors(12))
    [1, 2, 3, 4, 6]
    """
    primes, rest = small_factors(number)
    found = [1] if rest == 1 else [1, rest]
    for part in primes:
        found = [divisor * power for divisor in found for power in powers(*part)]
    return tuple(divisor for divisor in found if divisor != number)


def powers(prime: int, power: int) -> list[int]:
    """1, prime, ..., power.

    >>> powers(2, 8)
    [1, 2, 4, 8]
    """
    found = [1]
    while found[-1] < power:
        found.append(found[-1] * prime)
    return found


def period_of(classes: Iterable[Class]) -> int:
    """The composite slide: the least common multiple of the moduli.

    >>> period_of([(0, 4), (2, 6)]), period_of([])
    (12, 1)
    """
    return math.lcm(*{modulus for _, modulus in classes})


def _integer(name: str, value: object) -> int:
    if not isinstance(value, bool):
        try:
            return operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise InvalidArgument(name, value, "an integer")
