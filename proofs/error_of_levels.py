"""What specs/substreams.py says of LOOKUP as printed, and that the error of CI-COUNT is no smaller than stated, for
streams of any length.

After m elements the level of width w and rank r keeps position (Q - p - r) w, Q the floor of (m + p) / w
(substreams.update, by induction), which is at distance m + 1 less that from the end of the stream. The floor is
given by its witness, m + p == Q w + rest.
"""

from __future__ import annotations

from typing import Any

from proofs.substreams import above_for_all_v
from proofs.z3_tools import proved
from specs.substreams import AsPrinted
from swagcore.ledger import evidence
from swagcore.substreams import CICount


@evidence("proof", of="substreams.lookup_superset", scope="all v >= 2, streams and windows of any length")
def printed_lookup_finds_every_key() -> object:
    """LOOKUP asks level floor(log2 v) - 1, of width w with 2 w <= v < 4 w, here with p = 1. A key with more than v
    elements in the window has m > v in all; then the level keeps a position, 1 or later, at a distance of at most 2
    w - 1: one of the elements in the window, which are the newest."""
    import z3

    m, v, w, q, rest, count = z3.Ints("m v w q rest count")
    given = [w >= 1, 2 * w <= v, v < 4 * w, count > v, m >= count, m + 1 == q * w + rest, rest >= 0, rest < w]
    enough = proved(q >= 2, given=given, twin=q >= 3)
    if enough is not None:
        return enough
    position = (q - 1) * w
    kept = z3.And(position >= 1, m + 1 - position <= 2 * w - 1, m + 1 - position <= count)
    # The product is given by its two factors' sum: (q - 1) w = q w - w, and it is w or more.
    facts = [*given, q >= 2, position == q * w - w, position >= w]
    for fact in facts[-2:]:
        product = proved(fact, given=[*given, q >= 2], twin=position == w)
        if product is not None:
            return product
    return proved(kept, given=facts, twin=m + 1 - position <= w)


@evidence(
    "exhaustive",
    of="substreams.lookup_superset",
    scope="the positions of the proof are those of the figure: up to 300 elements, each its own time",
)
def figure_keeps_these_positions() -> object:
    state = AsPrinted()
    for m in range(1, 301):
        state.update(m)
        expected = {l: ((m + 1 >> l) - 1) << l for l in range(m.bit_length()) if (m + 1 >> l) >= 2}
        if state.tstamp != expected:
            return {"elements": m, "kept": state.tstamp}
    return None


def extreme(p: int, w: Any) -> tuple[Any, Any, Any]:
    """(v, count, elements) that bring the share of a returned key down most, for the last level of width w: v is
    the largest for which that level is asked, its element is at its nearest distance, and the window ends there."""
    nearest = p * (w - 1) + 1 + (p - 1) * w
    farthest_of_next = nearest + w + 2 * w - 1
    return farthest_of_next - 2, nearest, (2 * p + 2) * w - p


@evidence(
    "symbolic", of="substreams.error_1", scope="every ε below 3/4: the shares found tend to 1/4, by sympy"
)
def one_level_a_width() -> object:
    return _shares_tend_to(1)


@evidence(
    "symbolic", of="substreams.error_2", scope="every ε below 1/2: the shares found tend to 1/2, by sympy"
)
def two_levels_a_width() -> object:
    return _shares_tend_to(2)


def _shares_tend_to(p: int) -> object:
    """A key with `count` elements is returned for v, and count / v tends to 1 - ε as the widths grow: so for each
    smaller ε some key is returned that has at most (1 - ε) v. That none has so few for ε itself is
    `above_for_all_v`. That these keys are returned: the element is kept at its nearest distance where the width
    divides m + p, and v + 1 is one less than the farthest distance of the next level; and the code returns them,
    for widths up to 64."""
    import sympy
    import z3

    bound = above_for_all_v()
    if bound is not None:
        return bound
    width = sympy.symbols("w", integer=True, positive=True)
    v, count, _ = extreme(p, width)
    stated = sympy.Rational(1, 4) if p == 1 else sympy.Rational(p, p + 2)
    limit = sympy.limit(count / v, width, sympy.oo)
    if sympy.limit((count + width) / v, width, sympy.oo) == stated:  # one more width in the window
        raise RuntimeError("the twin came out true as well")
    if limit != stated:
        return {"p": p, "limit": limit}
    w = z3.Int("w")
    asked, nearest, m = extreme(p, w)
    quotient = 2 * p + 2  # (m + p) / w
    distance = m + 1 - (quotient - p - (p - 1)) * w
    kept = proved(
        z3.And(
            distance == nearest,
            asked + 1 >= nearest + w - 1,
            asked + 1 < nearest + w + 2 * w - 1,
            m + p == quotient * w,
        ),
        given=[w >= 1],
        twin=asked + 2 < nearest + w + 2 * w - 1,
    )
    return kept if kept is not None else _returned_by_the_code(p)


def _returned_by_the_code(p: int) -> object:
    for w in (1, 2, 4, 8, 16, 32, 64):
        v, count, m = extreme(p, w)
        index = CICount(p)
        for time in range(1, m + 1):
            index.insert("k", time)
        if not index.above(v, count, m) or index.above(v + 1, count, m):
            return {"p": p, "v": v, "count": count, "elements": m}
    return None
