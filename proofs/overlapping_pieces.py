"""What specs/coverage.py says of pieces that overlap, for any number of pieces of any length.

The pieces of a stretch of the stream, in the order of their starts and of their ends, as instances of one window
are: each begins before or where those before it end. By induction over the pieces, what is combined is what the
part of the stream that they reach gives. The order of the ends is needed: [0, 3) and then [1, 2) gives `last` the
wrong value.
"""

from __future__ import annotations

from typing import Any

from proofs.branches import Symbol, branches
from proofs.z3_tools import proved, unsat
from swagcore.algebra import aggregate
from swagcore.ledger import evidence

PIECES = "any number of pieces, of any length"


@evidence(
    "induction",
    of="coverage.idempotent",
    scope=PIECES + ", in the order of starts and ends: every associative and idempotent operation",
)
def what_overlaps_is_absorbed() -> object:
    """Base: one piece. Step: the pieces so far give pq, q being what the next one has of it; that is qr. Then pq qr
    = pqr.

    q, or r, or p may be empty: that is the identity, which is idempotent too. The laws are given in the few places
    where they are used, so that z3 has no quantifiers.
    """
    import z3

    elements = z3.DeclareSort("Element")
    p, q, r = z3.Consts("p q r", elements)
    dot = z3.Function("dot", elements, elements, elements)

    def associative(x: Any, y: Any, z: Any) -> Any:
        return dot(dot(x, y), z) == dot(x, dot(y, z))

    so_far, piece, true = dot(p, q), dot(q, r), dot(dot(p, q), r)
    laws = [
        associative(dot(p, q), q, r),  # (pq)(qr) = ((pq)q)r
        associative(p, q, q),  # (pq)q = p(qq)
        dot(q, q) == q,
    ]
    step = proved(dot(so_far, piece) == true, given=laws, twin=dot(piece, so_far) == true)
    if step is not None:
        return step
    if unsat(*laws[:2], dot(so_far, piece) != true) is None:
        raise RuntimeError("the step does not need the law that q q is q")
    # A piece inside those before it does harm, which is why the ends have to be in order.
    last = aggregate("last")
    so_far, inner = (last.fold(map(last.partial, values)) for values in ([0, 1, 2], [1]))
    if last.lower(last.combine(so_far, inner)) == 2:
        raise RuntimeError("a piece inside another one is absorbed as well")
    return None


@evidence(
    "proof",
    of="coverage.idempotent",
    scope="all integers: the instances of a window inside one that it covers",
)
def instances_are_such_pieces() -> object:
    """Parts i = 0 .. B of an instance, from i * slide2 to i * slide2 + range2: where slide2 <= range2, each begins
    before or where the one before it ends, and ends after it; the first begins, and the last ends, with the
    instance."""
    import z3

    r1, r2, s2, i, b = z3.Ints("range1 range2 slide2 i B")
    given = [s2 > 0, r2 > 0, s2 <= r2, r1 - r2 == b * s2, i >= 0, i < b]
    start, end = (lambda i: i * s2), (lambda i: i * s2 + r2)
    touch = z3.And(start(i + 1) <= end(i), end(i + 1) > end(i))
    found = proved(touch, given=given, twin=start(i + 1) < end(i))
    if found is not None:
        return found
    return proved(z3.And(start(0) == 0, end(b) == r1), given=given, twin=end(b) == r1 - 1)


@evidence(
    "induction",
    of="coverage.thm6",
    scope=PIECES + ", in any order, of integers; `combine` itself run on symbols",
)
def least_of_a_union() -> object:
    """m is the minimum of a set if it is in it, and not above any member. Base: one piece. Step: where m1 is that
    of the pieces so far and m2 that of the next one, the code's combine gives that of their union, whether they
    overlap or not. Likewise the maximum."""
    return _extreme_of_union("min") or _extreme_of_union("max")


def _extreme_of_union(name: str) -> object:
    import z3

    first, second = (z3.Function(side, z3.IntSort(), z3.BoolSort()) for side in ("in_first", "in_second"))
    m1, m2, x = z3.Ints("m1 m2 x")
    not_beyond = (lambda a, b: a <= b) if name == "min" else (lambda a, b: a >= b)
    given = [
        first(m1),
        second(m2),
        z3.Implies(first(x), not_beyond(m1, x)),
        z3.Implies(second(x), not_beyond(m2, x)),
    ]  # x is any value: what is said of it is said of all
    combine = aggregate(name).combine
    for condition, result in branches(lambda: combine(Symbol(m1), Symbol(m2)), given):
        found = result.term
        member = z3.Or(first(found), second(found))
        least = z3.Implies(z3.Or(first(x), second(x)), not_beyond(found, x))
        wrong = proved(
            z3.And(member, least),
            given=[*given, condition],
            twin=z3.Implies(z3.Or(first(x), second(x)), not_beyond(x, found)),
        )
        if wrong is not None:
            return {"aggregate": name, **wrong}
    return None
