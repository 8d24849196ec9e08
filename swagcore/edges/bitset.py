"""Counting edges by marking them: one bit for each time of the composite slide. S §5.2.1."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from swagcore.edges.classes import Class, period_of, reduced
from swagcore.errors import InvalidArgument

MOST_BITS = 1 << 30
"""The longest composite slide that is marked: 128 MiB of bits, and up to three times that on the way."""


def edges(classes: Collection[Class]) -> tuple[int, int]:
    """(edges, period), by marking. Takes time and memory in proportion to the period; refuses beyond `MOST_BITS`.

    The set is a Python integer and a slide is marked by doubling what is marked already, so that a bit costs a small
    part of a nanosecond, not a step of a loop.

    >>> edges([(0, 2), (0, 3), (0, 4), (0, 5), (0, 6)])
    (44, 60)
    """
    period = period_of(classes)
    if period > MOST_BITS:
        raise InvalidArgument(
            "composite slide",
            period,
            f"one of at most {MOST_BITS} bits for method 'bitset' (f1 and best need no such memory)",
        )
    return union(reduced(classes), period).bit_count(), period


def union(classes: Iterable[Class], length: int) -> int:
    """The bits of all classes, over a length that is a multiple of every modulus.

    >>> bin(union([(0, 4), (1, 2)], 8))
    '0b10111011'
    """
    seeds: dict[int, int] = {}
    for residue, modulus in classes:
        seeds[modulus] = seeds.get(modulus, 0) | 1 << residue
    marked = 0
    for modulus, seed in seeds.items():
        marked |= repeated(seed, modulus, length)
    return marked


def repeated(seed: int, modulus: int, length: int) -> int:
    """A pattern of `modulus` bits, repeated over a length that is a multiple of it.

    >>> bin(repeated(0b011, 3, 9))
    '0b11011011'
    """
    done = modulus
    while done < length:
        step = min(
            done, length - done
        )  # the last one may write over bits that are set in the same way already
        seed |= seed << step
        done += step
    return seed
