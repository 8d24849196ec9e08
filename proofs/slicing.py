"""What specs/slicing.py says of partials per window, for all integers.

With range == q * slide + rest, 0 <= rest < slide, time is counted from the start of an instance. What is counted are the edges t
of the instance, 0 <= t < range, given by their number k of whole slides.
"""

from __future__ import annotations

from typing import Any

from proofs.z3_tools import proved
from swagcore.ledger import evidence

ALL = "all integers, any offset"


def sizes() -> tuple[Any, Any, Any, Any, list[Any]]:
    import z3

    r, s, q, rest = z3.Ints("range slide q rest")
    return r, s, q, rest, [r >= 1, s >= 1, q >= 0, rest >= 0, rest < s, r == q * s + rest]


def in_order(k: Any, q: Any, s: Any) -> list[Any]:
    """k * slide compares with q * slide as k with q: given, as z3 would search long for it; proved on its own."""
    import z3

    facts = [
        z3.Implies(k <= q - 1, k * s <= q * s - s),
        z3.Implies(k >= q + 1, k * s >= q * s + s),
        z3.Implies(k == q, k * s == q * s),
    ]
    d = z3.Int("d")
    if (
        proved(z3.And(z3.Implies(d >= 1, d * s >= s), z3.Implies(d <= -1, d * s <= -s)), given=[s >= 1])
        is not None
    ):
        raise RuntimeError("a product lost its sign")
    return facts  # with d = k - q


@evidence("proof", of="slicing.cutty.divides", scope=ALL)
@evidence("proof", of="slicing.cutty.rest", scope=ALL)
def cutty_for_all() -> object:
    """Edges at k * slide: those in the instance are k = 0 .. q - 1, and k = q where a rest is left: ceil(range / slide)."""
    import z3

    r, s, q, rest, given = sizes()
    k = z3.Int("k")
    inside = z3.And(k * s >= 0, k * s < r)
    expected = z3.And(k >= 0, z3.If(rest == 0, k <= q - 1, k <= q))
    facts = [z3.Implies(k >= 0, k * s >= 0), z3.Implies(k <= -1, k * s <= -s), *in_order(k, q, s)]
    return proved(inside == expected, given=[*given, *facts], twin=inside == z3.And(k >= 0, k <= q))


@evidence("proof", of="slicing.pairs.divides", scope=ALL)
@evidence("proof", of="slicing.pairs.rest", scope=ALL)
def pairs_for_all() -> object:
    """Edges at k * slide and at k * slide + rest. Where a rest is left, both kinds are in the instance: the first for k = 0 .. q, the
    second for k = 0 .. q - 1, and they never meet: 2q + 1. Where none is, the two are the same edges: q."""
    import z3

    r, s, q, rest, given = sizes()
    k, j = z3.Ints("k j")
    facts = [z3.Implies(k >= 0, k * s >= 0), z3.Implies(k <= -1, k * s <= -s), *in_order(k, q, s)]
    starts = z3.And(k * s >= 0, k * s < r) == z3.And(k >= 0, k <= q)
    ends = z3.And(k * s + rest >= 0, k * s + rest < r) == z3.And(k >= 0, k <= q - 1)
    found = proved(z3.Implies(rest > 0, z3.And(starts, ends)), given=[*given, *facts], twin=starts)
    if found is not None:
        return found
    whole = z3.And(k * s >= 0, k * s < r) == z3.And(k >= 0, k <= q - 1)
    found = proved(z3.Implies(rest == 0, whole), given=[*given, *facts], twin=whole)
    if found is not None:
        return found
    # k * slide == j * slide + rest would make rest a multiple of slide.
    d = z3.Int("d")
    meets = [d == k - j, z3.Implies(d >= 1, d * s >= s), z3.Implies(d <= 0, d * s <= 0)]
    return proved(
        z3.Implies(rest > 0, d * s != rest), given=[*given, *meets], twin=z3.Implies(rest > 0, d * s != -s)
    )


@evidence("proof", of="slicing.panes.divides", scope=ALL)
@evidence("proof", of="slicing.panes.rest", scope=ALL)
def panes_for_all() -> object:
    """With g dividing range and slide, range == n g: the edges k g in the instance are k = 0 .. n - 1, n of them; and every start and
    end, being a multiple of g, is one."""
    import z3

    r, s, g, n, m, k = z3.Ints("range slide g n m k")
    given = [g >= 1, n >= 1, m >= 1, r == n * g, s == m * g]
    facts = [z3.Implies(k >= 0, k * g >= 0), z3.Implies(k <= -1, k * g <= -g), *in_order(k, n, g)]
    inside = z3.And(k * g >= 0, k * g < r) == z3.And(k >= 0, k <= n - 1)
    found = proved(inside, given=[*given, *facts], twin=k * g < r)
    if found is not None:
        return found
    return proved(k * s + r == (k * m + n) * g, given=given, twin=k * s + r == k * m * g, seconds=20)


@evidence("proof", of="slicing.fragments", scope=ALL)
def fragments_for_all() -> object:
    """From a start on, the end of the instance is q slides and f1 = rest later: an edge of the second kind, or a start."""
    import z3

    r, s, q, rest, given = sizes()
    k = z3.Int("k")
    end = k * s + r
    return proved(end == (k + q) * s + rest, given=given, twin=end == (k + q) * s)


@evidence("proof", of="slicing.twice", scope=ALL)
def twice_for_all() -> object:
    """2q + 1 <= ceil(2 range / slide) where a rest is left, q <= 2q else. ceil(2r/s) is the least c with c s >= 2 r."""
    import z3

    r, s, q, rest, given = sizes()
    c = z3.Int("c")
    given += [c * s >= 2 * r, (c - 1) * s < 2 * r]
    d = z3.Int("d")  # c - 2q, so that products compare by d: c s = 2 q s + d s
    split = [
        d == c - 2 * q,
        c * s == 2 * (q * s) + d * s,
        z3.Implies(d <= 0, d * s <= 0),
        z3.Implies(d <= -1, d * s <= -s),
    ]
    return proved(
        z3.And(z3.Implies(rest > 0, c >= 2 * q + 1), z3.Implies(rest == 0, c >= q)),
        given=[*given, *split],
        twin=c >= 2 * q + 1,
    )
