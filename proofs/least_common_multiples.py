"""What specs/edges.py says of least common multiples, for any number of slides and all integers."""

from __future__ import annotations

from proofs.edges import ALL, common_edges_are_the_lcm_apart, containment_for_all_integers
from proofs.z3_tools import proved
from swagcore.ledger import evidence

SLIDES = ALL + ", any number of slides"


@evidence("induction", of="edges.s_last_term", scope=SLIDES)
def one_common_edge() -> object:
    """The common edges of slides without shifts are the multiples of their LCM: by induction on their number. Base:
    one slide. Step: those of n slides are the multiples of LCM_n, so the next slide makes it a matter of two, of
    which 0 is a common edge: all others are multiples of the LCM of the two away. So of 1 .. LCM_n just LCM_n is
    one, and LCM_n * G_1(n, n) is LCM_n * 1/LCM_n."""
    import z3

    lcm, t, k = z3.Ints("LCM t k")
    step = common_edges_are_the_lcm_apart()
    if step is not None:
        return step
    return proved(
        z3.And(t >= 1, t <= lcm) == (k == 1),
        given=[lcm >= 1, t == k * lcm],
        twin=z3.And(t >= 1, t <= lcm) == (k >= 1),
    )


@evidence("induction", of="edges.last_term_after_removal", scope=SLIDES)
def common_edges_of_those_left() -> object:
    """LCM_n is a common edge of the slides that are left, so a multiple c of their own LCM (see above); then c of 1
    .. LCM_n are their common edges, which is LCM_n divided by it. A slide that was removed is a multiple of one
    that is left, so no edge of it is lost; the series counts each edge of those left once (edges.s_f1), whichever
    multiple of their period is looked at."""
    import z3

    own, lcm, c, i, t, slide, left, factor = z3.Ints("own LCM c i t slide left factor")
    step = common_edges_are_the_lcm_apart()
    if step is not None:
        return step
    counted = proved(
        z3.And(i * own >= 1, i * own <= lcm) == z3.And(i >= 1, i <= c),
        given=[own >= 1, c >= 1, lcm == c * own],
        twin=z3.And(i * own >= 1, i * own <= lcm) == z3.And(i >= 1, i < c),
        seconds=20,
    )
    if counted is not None:
        return counted
    lost = proved(
        t == (i * factor) * left, given=[left > 0, slide == factor * left, t == i * slide], twin=t == i * left
    )
    return lost if lost is not None else containment_for_all_integers()


@evidence("induction", of="edges.s_lcm_of_1_to_n", scope="all n, by induction on n, for each prime p")
def exponent_of_a_prime() -> object:
    """The exponent e of p in LCM(1, ..., n) is the number of powers p, p^2, ... up to n: p^e <= n < p^(e+1). Base:
    n = 1, e = 0. Step: the LCM with n + 1 = p^a c has the exponent max(e, a). Where n + 1 is p^(e+1), that is e +
    1, and a factor p is new; else p^(e+1) is beyond n + 1 too, so a is at most e, and none is."""
    import z3

    n, p, power, a_power, c, more = z3.Ints("n p p^e p^a c p^j")
    base = proved(z3.And(power <= 1, power * p > 1), given=[p >= 2, power == 1], twin=power * p > 2)
    if base is not None:
        return base
    so_far = [p >= 2, n >= 1, power >= 1, power <= n, n < power * p]
    # A new power is reached by n + 1 itself, and the next one is beyond it.
    reached = proved(
        z3.Implies(power * p <= n + 1, z3.And(power * p == n + 1, power * p <= n + 1, n + 1 < power * p * p)),
        given=so_far,
        twin=power * p == n + 1,
    )
    if reached is not None:
        return reached
    # Otherwise the bounds are those of n + 1, and a >= e + 1, p^a = p^(e+1) p^j, would make p^a larger than n + 1,
    # which it divides.
    stays = proved(
        z3.And(power <= n + 1, n + 1 < power * p), given=[*so_far, power * p != n + 1], twin=power < n
    )
    if stays is not None:
        return stays
    product = z3.Int("p^(e+1)")
    return proved(
        a_power > n + 1,
        given=[product > n + 1, n >= 1, more >= 1, a_power == product * more, c >= 1],
        twin=a_power > product,
        seconds=20,
    ) or proved(
        a_power <= n + 1,
        given=[n >= 1, a_power >= 1, c >= 1, n + 1 == a_power * c],
        twin=a_power <= n,
        seconds=20,
    )
