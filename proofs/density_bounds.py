"""What specs/edges.py says of bounds on the density of a union, for any number of residue classes.

A density is a mean over times, so what holds at every time, between the numbers 0 and 1 that say which classes have
it, holds for densities. Two classes have a common part of density 1/lcm = gcd / (m n), or none (edges.common).
Classes inside others are dropped first, which leaves the union as it is (edges.removal_for_multiples).
"""

from __future__ import annotations

from proofs.z3_tools import proved
from swagcore.ledger import evidence

CLASSES = "any number of classes"


@evidence("induction", of="edges.bounds", scope=CLASSES + ": from below, members less pairs (Bonferroni)")
def members_less_pairs() -> object:
    """At some time c of the chosen classes have it so far: `low` is c less the c (c - 1) / 2 pairs of these. Base:
    none. Step: one more, b = 1 where it has the time, brings b and b c pairs. And that is at most 1 where c >= 1,
    and 0 else. A class that is left out makes the union smaller only."""
    import z3

    c, b = z3.Ints("c b")
    low = lambda c: 2 * c - c * (c - 1)  # twice
    given = [c >= 0, z3.Or(b == 0, b == 1)]
    base = proved(low(z3.IntVal(0)) == 0, twin=low(c) == 0)
    if base is not None:
        return base
    step = proved(low(c + b) == low(c) + 2 * b - 2 * b * c, given=given, twin=low(c + b) == low(c) + 2 * b)
    if step is not None:
        return step
    return proved(low(c) <= z3.If(c >= 1, 2, 0), given=given, twin=low(c) <= 0, seconds=20)


@evidence(
    "induction",
    of="edges.bounds",
    scope=CLASSES + ": from above, members less pairs that form a tree (Hunter)",
)
def members_less_a_tree() -> object:
    """`high` at some time: b for each class that has it, less 1 where the class and its partner, one before it,
    both have it. Invariant: at least 1 where some class so far has the time, and 0 else. `partner` is b of the
    partner, and 0 where there is none: then nothing is taken off."""
    import z3

    high, b, partner = z3.Ints("high b partner")
    some = z3.Bool("in_a_class_so_far")
    bit = lambda x: z3.Or(x == 0, x == 1)
    given = [bit(b), bit(partner), z3.Implies(partner == 1, some), high >= z3.If(some, 1, 0)]
    after = high + b - b * partner
    return proved(
        after >= z3.If(z3.Or(some, b == 1), 1, 0),
        given=given,
        twin=high + b - b * partner - partner >= z3.If(some, 1, 0),
    )


@evidence(
    "proof",
    of="edges.bounds",
    scope="all moduli: what is added is rounded to the safe side, and so is what is taken off",
)
def rounded_to_the_safe_side() -> object:
    """ONE // m and -(-ONE // m), and the same with ONE * g and m n, as the code writes them: not above, and not
    below, the quotient. Sums of such terms follow."""
    import z3

    one, m, down, up = z3.Ints("ONE m down up")
    given = [one > 0, m > 0, down == one / m, up == -((-one) / m)]
    return proved(
        z3.And(down * m <= one, up * m >= one),
        given=given,
        twin=z3.And(down * m <= one, down * m >= one),
        seconds=20,
    )


@evidence("proof", of="edges.bounds", scope=CLASSES + ": a part counted exactly, and the sum of the others")
def a_part_and_the_others() -> object:
    """The interval of `TooHard`: at every time the union has at least what a part of it has, or any one class; and
    at most that and the number of others that have it."""
    import z3

    part, others = z3.Bool("in_the_part"), z3.Int("others")
    union = z3.If(z3.Or(part, others >= 1), 1, 0)
    inside = z3.If(part, 1, 0)
    return proved(
        z3.And(inside <= union, union <= inside + others), given=[others >= 0], twin=union < inside + others
    )
