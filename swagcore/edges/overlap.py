"""Do two slides ever mark the same edge? The overlap check by GCD, and the fragments of a slide. S §5.2.3."""

from __future__ import annotations

import math

from swagcore.edges.classes import Class


def overlap(first: Class, second: Class) -> bool:
    """Whether two classes (residue, modulus) have a time in common: gcd of the moduli divides the distance. S Eq 5.6.

    Classes that overlap pair by pair have a time that is in all of them (proofs/edges.py), so F1 needs no other check.

    >>> overlap((0, 3), (3, 6)), overlap((0, 3), (2, 6))
    (True, False)
    """
    return (first[0] - second[0]) % math.gcd(first[1], second[1]) == 0


def common(first: Class, second: Class) -> Class | None:
    """The times that two classes have in common: None, or again a class, whose modulus is the LCM of theirs.

    >>> common((0, 4), (2, 6)), common((0, 4), (1, 6))
    ((8, 12), None)
    """
    (a, m), (b, n) = first, second
    divisor = math.gcd(m, n)
    steps, rest = divmod(b - a, divisor)
    if rest:
        return None
    step = n // divisor
    return a + m * (steps * pow(m // divisor, -1, step) % step), m * step


def fragments(range: int, slide: int) -> tuple[int, ...]:
    """The fragments of a slide under pairs, in the order in which S §5.2.3 stores them: f1 = slide - f2, f2 = range mod slide.

    >>> fragments(7, 5), fragments(9, 3)
    ((3, 2), (3,))
    """
    second = range % slide
    return (slide - second, second) if second else (slide,)


def shifts(range: int, slide: int) -> list[tuple[int, int]]:
    """The (slide, shift) pairs of a query that ends on the multiples of its slide: shift 0 and, with fragments, f1 too.

    >>> shifts(7, 5), shifts(9, 3)
    ([(5, 0), (5, 3)], [(3, 0)])
    """
    pieces = fragments(range, slide)
    return [(slide, 0)] + [(slide, piece) for piece in pieces[:-1]]
