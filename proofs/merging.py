"""What specs/weave.py says of merging trees, for any number of queries and merges. C §3, S §2.4.2."""

from __future__ import annotations

from proofs.z3_tools import proved
from swagcore.ledger import evidence

MERGES = "any number of queries and merges"


@evidence("induction", of="weave.lemma2", scope=MERGES)
def a_query_is_alone_once() -> object:
    """A merge maps to those of its two trees that are one query. Invariant: a query that a merge has mapped to is
    in a tree of two or more. Base: nothing is mapped. Step: trees of a and b queries become one of a + b; a query
    in one of them is mapped to if that is 1, and was not before; other trees stay as they are."""
    import z3

    a, b, size = z3.Ints("a b size")  # size: of the tree that some query is in
    mapped, in_first, in_second = z3.Bools("mapped_before in_first in_second")
    given = [
        a >= 1,
        b >= 1,
        size >= 1,
        z3.Not(z3.And(in_first, in_second)),
        z3.Implies(in_first, size == a),
        z3.Implies(in_second, size == b),
    ]
    invariant = z3.Implies(mapped, size >= 2)
    joins = z3.Or(in_first, in_second)
    now = z3.And(joins, size == 1)
    two = proved(
        z3.If(a == 1, 1, 0) + z3.If(b == 1, 1, 0) <= 2,
        given=given,
        twin=z3.If(a == 1, 1, 0) + z3.If(b == 1, 1, 0) <= 1,
    )
    if two is not None:
        return two
    once = proved(z3.Not(z3.And(mapped, now)), given=[*given, invariant], twin=z3.Not(now))
    if once is not None:
        return once
    after = z3.If(joins, a + b, size)
    return proved(
        z3.Implies(z3.Or(mapped, now), after >= 2),
        given=[*given, invariant],
        twin=z3.Implies(z3.Or(mapped, now), after >= 3),
    )


@evidence("induction", of="weave.eq3", scope=MERGES)
def trees_and_merges_add_up() -> object:
    """Weave Share: n trees and no merge at first; a merge makes one tree of two. A best plan, tree by tree: one of
    k queries takes k - 1 merges from single queries, so with each tree more there are k queries, 1 tree and k - 1
    merges more."""
    import z3

    n, m, mu, k = z3.Ints("n m mu k")
    base = proved(n == m + mu, given=[m == n, mu == 0], twin=n == m + mu + 1)
    if base is not None:
        return base
    merge = proved(n == (m - 1) + (mu + 1), given=[n == m + mu, m >= 2], twin=n == m + (mu + 1))
    if merge is not None:
        return merge
    given = [k >= 1, n == m + mu, m >= 0, mu >= 0]
    return proved(n + k == (m + 1) + (mu + k - 1), given=given, twin=n + k == (m + 1) + (mu + k))


@evidence(
    "induction",
    of="weave.tri.cost",
    scope="any number of edges in a composite slide: combines that join partials",
)
def joins_are_the_edges_that_go() -> object:
    """Between two of its edges in a row a tree gets k >= 1 partials and joins them by k - 1 combines. Base:
    nothing. Step: one more of its edges, k more of all, k - 1 more joins: joins are all edges less its own, over a
    composite slide, and so over a time unit. The tree has its edges among all: so k is at least 1."""
    import z3

    joins, every, own, k, period = z3.Ints("joins all own k period")
    base = proved(
        joins == every - own, given=[joins == 0, every == 0, own == 0], twin=joins == every - own - 1
    )
    if base is not None:
        return base
    given = [joins == every - own, k >= 1]
    step = proved(
        joins + k - 1 == (every + k) - (own + 1), given=given, twin=joins + k == (every + k) - (own + 1)
    )
    if step is not None:
        return step
    # Over a time unit.
    edges, tree_edges = z3.Reals("E E_i")
    length = z3.ToReal(period)
    return proved(
        z3.ToReal(joins) / length == edges - tree_edges,
        given=[
            period >= 1,
            joins == every - own,
            edges == z3.ToReal(every) / length,
            tree_edges == z3.ToReal(own) / length,
        ],
        twin=z3.ToReal(joins) / length == edges,
        seconds=20,
    )
