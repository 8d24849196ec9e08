"""What specs/substreams.py says of CI-COUNT, for substreams of any length and every v.

A level is known by its width w, its rank r among the p levels of that width, and so by its nearest distance,
p (w - 1) + 1 + r w. That w is a power of two is not used, only that the next width is 2 w.
"""

from __future__ import annotations

from typing import Any

from proofs.z3_tools import proved
from swagcore.ledger import evidence
from swagcore.substreams.levels import level, level_beyond, level_within


def nearest(p: Any, w: Any, r: Any) -> Any:
    """The nearest distance of a level, as `levels.level` computes it."""
    return p * (w - 1) + 1 + r * w


@evidence(
    "exhaustive", of="substreams.above", scope="the model's levels are the code's: p up to 9, levels up to 40"
)
@evidence(
    "exhaustive", of="substreams.below", scope="the model's levels are the code's: p up to 9, levels up to 40"
)
def model_and_code_agree() -> object:
    for p in range(1, 10):
        for number in range(40):
            here, after = level(number, p), level(number + 1, p)
            rank = number % p
            if here.nearest != nearest(p, here.width, rank) or after.nearest != here.farthest + 1:
                return {"p": p, "level": number}
            if after.width != (here.width if rank < p - 1 else 2 * here.width):
                return {"p": p, "level": number}
            for count in {here.farthest, after.farthest - 1}:
                if level_within(count, p) != here:
                    return {"p": p, "count": count, "level": level_within(count, p).number}
            for count in {here.nearest + 1, after.nearest}:
                if level_beyond(count, p) != after:
                    return {"p": p, "count": count, "level": level_beyond(count, p).number}
    return None


def positive(polynomial: Any, **least: int) -> object:
    """None where a polynomial is positive for all integers not below the least ones: written in what exceeds these, no
    coefficient is negative, and the constant is positive. Else the polynomial in that form."""
    import sympy

    shifted = polynomial
    for name, low in least.items():
        shifted = shifted.subs(sympy.Symbol(name), sympy.Symbol(name) + low)
    terms = sympy.Poly(sympy.expand(shifted), *(sympy.Symbol(name) for name in least))
    constant = terms.nth(*(0 for _ in least))
    return None if constant > 0 and all(c >= 0 for c in terms.coeffs()) else str(terms.as_expr())


@evidence(
    "symbolic",
    of="substreams.above",
    scope="all p, v and widths: a key returned has more than (1 - ε) v elements",
)
def above_for_all_v() -> object:
    """The level asked is the last one within v + 1, so v + 1 is less than the farthest of the next; a key returned has
    its element of the level asked in the window, so `nearest` elements or more. (1 - ε) v < count is a sentence a v < b
    count, and largest for the largest v and the smallest count."""
    import sympy

    p, w, r = sympy.symbols("p w r")
    near = nearest(p, w, r)
    inner_v = near + 2 * w - 1 - 2  # the next level has the same width; so r + 1 < p, and p >= 2
    last = near.subs(r, p - 1)
    last_v = last + 3 * w - 1 - 2  # the next level is twice as wide
    return (
        # 1 - ε = p / (p + 2)
        positive((p + 2) * near - p * inner_v, p=2, w=1, r=0)
        # At the end of a width 1 - ε may be (2p - 1) / (2p + 2): 1/4 for p = 1, and ...
        or positive((2 * p + 2) * last - (2 * p - 1) * last_v, p=1, w=1)
        # ... not below p / (p + 2) from p = 2 on.
        or positive((2 * p - 1) * (p + 2) - p * (2 * p + 2) + 1, p=2)
        # And the twin: with a smaller ε it is not so.
        or (
            "a twin came out true"
            if positive((p + 3) * near - (p + 1) * inner_v, p=2, w=1, r=0) is None
            else None
        )
    )


@evidence(
    "proof", of="substreams.above", scope="all p, v and widths: a key with more than v elements is returned"
)
def above_loses_no_key() -> object:
    """The element kept of the level asked is at a distance of at most v + 1, so it is in a window of more than v."""
    import z3

    v, count, distance, far = z3.Ints("v count distance far")
    given = [far <= v + 1, count > v, distance >= 1, distance <= far]
    return proved(distance <= count, given=given, twin=distance < count)


@evidence(
    "symbolic",
    of="substreams.below",
    scope="all p, v and widths: a key returned has fewer than v / (1 - ε) elements",
)
def below_for_all_v() -> object:
    """The level asked is the first one beyond v, so the one before it begins before v; a key returned has its element of
    the level asked out of the window, or no such element: fewer than its farthest distance are in the window."""
    import sympy

    p, w, r = sympy.symbols("p w r")
    near = nearest(p, w, r)
    last = near.subs(r, p - 1)
    return (
        positive((p + 2) * (near + 1) - p * (near + 2 * w - 2), p=2, w=1, r=0)
        or positive((2 * p + 2) * (last + 1) - (2 * p - 1) * (last + 3 * w - 2), p=1, w=1)
        or (
            "a twin came out true"
            if positive((p + 2) * (near + 1) - (p + 1) * (near + 2 * w - 2), p=2, w=1, r=0) is None
            else None
        )
    )


@evidence("induction", of="substreams.stamps", scope="base and step, for any p, width and number of elements")
@evidence("induction", of="substreams.update", scope="base and step, for any p, width and number of elements")
def one_more_element() -> object:
    """What is kept of each level after m elements follows from what was kept after m - 1, by the moves that are made.

    After m elements the level of width w and rank r keeps position (Q - p - r) w, Q the floor of (m + p) / w. The rule:
    induction over m. A floor is given by its witness: m + p == Q w + rest, 0 <= rest < w.
    """
    import z3

    m, p, w, r, q, rest, product = z3.Ints("m p w r q rest product")
    sizes = [m >= 1, p >= 1, w >= 1, r >= 0, r <= p - 1]
    # Base: with no elements nothing is kept, the factor is below 1. Q is at most Q w, as w >= 1 and Q >= 0.
    base = proved(
        q - p - r < 1,
        given=[*sizes, q >= 0, product >= q, p == product + rest, rest >= 0],
        twin=q - p - r < 0,
    )
    if base is not None:
        return base
    # Step. Where w does not divide m + p, the floor is that of m - 1 + p: the rest is one less, and still in its bounds.
    floor = [m + p == product + rest, rest >= 0, rest < w]
    still = proved(
        z3.And(m - 1 + p == product + (rest - 1), rest - 1 >= 0, rest - 1 < w),
        given=[*sizes, *floor, rest > 0],
        twin=rest == 1,
    )
    if still is not None:
        return still
    # Where it does, the floor was one less, with the rest w - 1; so each level takes over what the one before it kept.
    before = z3.And(m - 1 + p == (product - w) + (w - 1), w - 1 >= 0)
    moved = proved(
        z3.And(before, q - p - (r + 1) == (q - 1) - p - r), given=[*sizes, *floor, rest == 0], twin=w == 1
    )
    if moved is not None:
        return moved
    # Where 2w divides m + p = q 2w, the floor of (m - 1 + p) / w was 2q - 1; and the first level of width 2w takes over
    # what the last one of width w kept: the same position.
    same = (q - p) * (2 * w) == ((2 * q - 1) - p - (p - 1)) * w
    return proved(same, given=sizes, twin=(q - p) * w == ((2 * q - 1) - p - (p - 1)) * w, seconds=20)
