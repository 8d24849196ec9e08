"""SlickDeque (Non-Inv) for windows of every size: the dominance invariant, kept by every step, and what follows from it.

Values are compared by an order in which equal ones may stand in different places; `wins` is v(later) >= v(earlier), the case in
which `combine(earlier, later)` gives the later one, or may. Nodes are kept at positions p < q < ... The invariant of two
neighbours p and q: q covers what lies between them, every i with p < i <= q has v(i) <= v(q); and v(q) <= v(p), or p would
have gone.
"""

from __future__ import annotations

from typing import Any

from proofs.z3_tools import proved
from swagcore.ledger import evidence


def covers(v: Any, low: Any, high: Any, best: Any) -> Any:
    """Every position after low, up to high, has a value of at most best."""
    import z3

    i = z3.Int("i")
    return z3.ForAll([i], z3.Implies(z3.And(low < i, i <= high), v(i) <= best))


@evidence(
    "induction",
    of="final.slickdeque.right",
    scope="windows of every size, every input: insert, evict and query keep and use the invariant",
)
@evidence(
    "induction",
    of="slickdeque.selective",
    scope="windows of every size, every input: insert, evict and query keep and use the invariant",
)
def dominance() -> object:
    """The rule: induction over the steps of a window, and within an insert over the nodes that it removes, within a query over the
    nodes after the one that answers. Closure over small windows ties these steps to the code."""
    import z3

    v = z3.Function("v", z3.IntSort(), z3.IntSort())
    p, q, r, t, x, s = z3.Ints("p q r t x s")

    # Insert, removing the node q behind p: the new value, which covered what came after q, now covers what came after p.
    removed = [p < q, q < t, covers(v, p, q, v(q)), covers(v, q, t, x), v(q) <= x]
    found = proved(covers(v, p, t, x), given=removed, twin=covers(v, p - 1, t, x))
    if found is not None:
        return found
    # Insert, at the beginning: the new value covers itself.
    found = proved(covers(v, t - 1, t, x), given=[v(t) == x], twin=covers(v, t - 2, t, x))
    if found is not None:
        return found
    # Insert, stopping at p: it stays because it is larger, so the kept values do not rise.
    found = proved(x <= v(p), given=[z3.Not(v(p) <= x)], twin=x < v(p) - 1)
    if found is not None:
        return found
    # Evict of the oldest position changes no node but the first, and of that only whether it is there.
    found = proved(
        covers(v, p + 1, q, v(q)), given=[p < q, covers(v, p, q, v(q))], twin=covers(v, p - 1, q, v(q))
    )
    if found is not None:
        return found
    # Query from s on: q is the first kept node that is not before s. From s to q it is the largest, by what it covers ...
    first = [p < s, s <= q, covers(v, p, q, v(q))]
    found = proved(covers(v, s - 1, q, v(q)), given=first, twin=covers(v, p - 1, q, v(q)))
    if found is not None:
        return found
    # ... and beyond q, node by node: r covers what lies between q and r, and is no larger than q.
    beyond = [q < r, covers(v, s - 1, q, v(q)), covers(v, q, r, v(r)), v(r) <= v(q)]
    return proved(covers(v, s - 1, r, v(q)), given=beyond, twin=covers(v, s - 1, r, v(r)))
