"""What the specs say of one slide of times: how many instances have each, and where it is cut, for all integers.

With range == q * slide + rest, 0 <= rest < slide, time is counted from the start of an instance."""

from __future__ import annotations

from proofs.slicing import sizes
from proofs.z3_tools import proved
from swagcore.ledger import evidence

ALL = "all integers, any offset"


@evidence("proof", of="windows.instances_per_slide", scope=ALL)
def instances_of_a_time() -> object:
    """The instances that start i slides before time d of a slide, 0 <= d < slide, have it just where i * slide + d
    < range: i = 0 .. q - 1, and i = q where d < rest. Those that start later do not. So the first `rest` times of
    the slide are in q + 1 instances, the others in q, in all rest * (q + 1) + (slide - rest) * q = range. Any slide
    consecutive times have each d once, as residues."""
    import z3

    r, s, q, rest, given = sizes()
    d, i = z3.Ints("d i")
    given += [d >= 0, d < s]
    products = [
        z3.Implies(i <= q - 1, i * s <= q * s - s),
        z3.Implies(i >= q + 1, i * s >= q * s + s),
        z3.Implies(i == q, i * s == q * s),
        z3.Implies(i >= 0, i * s >= 0),
        z3.Implies(i <= -1, i * s <= -s),
    ]
    for fact in products:
        found = proved(fact, given=[s >= 1], twin=i * s == q * s, seconds=20)
        if found is not None:
            return found
    has_it = z3.And(i * s + d >= 0, i * s + d < r)
    count = proved(
        has_it == z3.And(i >= 0, z3.If(d < rest, i <= q, i <= q - 1)),
        given=[*given, *products],
        twin=has_it == z3.And(i >= 0, i <= q),
    )
    if count is not None:
        return count
    total = rest * (q + 1) + (s - rest) * q
    return proved(total == r, given=given, twin=total == r - rest)


@evidence(
    "proof",
    of="windows.instances_per_slide",
    scope=ALL + ": each residue is once among a slide of consecutive times",
)
def each_residue_once() -> object:
    """Among first .. first + slide - 1: with d - first = q * slide + rest, first + rest has the residue d; and two
    of one residue are a slide or more apart."""
    import z3

    first, s, d, q, rest, x, y, k = z3.Ints("first slide d q rest x y k")
    place = first + rest
    there = proved(
        z3.And(place >= first, place < first + s, place - d == -q * s),
        given=[s >= 1, d - first == q * s + rest, rest >= 0, rest < s],
        twin=place == first,
    )
    if there is not None:
        return there
    product = z3.Int("product")  # k * slide, of which only this is needed
    signs = lambda value: z3.And(
        z3.Implies(k >= 1, value >= s), z3.Implies(k <= -1, value <= -s), z3.Implies(k == 0, value == 0)
    )
    found = proved(signs(k * s), given=[s >= 1], twin=k * s >= 0, seconds=20)
    if found is not None:
        return found
    inside = [x >= first, x < first + s, y >= first, y < first + s]
    return proved(x == y, given=[s >= 1, *inside, x - y == product, signs(product)], twin=x == first)


@evidence("proof", of="weave.pairs.fragments", scope=ALL)
def fragments_of_a_slide() -> object:
    """Windows end on multiples of the slide, and start at k * slide - range: with range = q * slide + g1 that is
    slide - g1 after the multiple (k - q - 1) * slide. So a slide has a cut at 0, and one at slide - g1 where g1 >
    0: it is cut into s - g1 and g1, or not at all. Any cut in it is one of the two."""
    import z3

    r, s, q, g1, given = sizes()
    k, t = z3.Ints("k t")
    start = k * s - r
    where = proved(start == (k - q - 1) * s + (s - g1), given=given, twin=start == (k - q) * s)
    if where is not None:
        return where
    lengths = proved(
        z3.And((s - g1) + g1 == s, s - g1 > 0, (g1 > 0) == z3.And(s - g1 > 0, s - g1 < s)),
        given=given,
        twin=s - g1 < s,
    )
    if lengths is not None:
        return lengths
    # A cut of the slide from 0 on, 0 <= t < slide, is j * slide or j * slide + (slide - g1) for some j.
    j = z3.Int("j")
    products = [
        z3.Implies(j >= 1, j * s >= s),
        z3.Implies(j <= -1, j * s <= -s),
        z3.Implies(j == 0, j * s == 0),
    ]
    for fact in products:
        found = proved(fact, given=[s >= 1], twin=j * s == s, seconds=20)
        if found is not None:
            return found
    cut = z3.Or(t == j * s, t == j * s + (s - g1))
    return proved(z3.Or(t == 0, t == s - g1), given=[*given, *products, t >= 0, t < s, cut], twin=t == 0)
