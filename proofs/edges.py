"""What specs/edges.py says of edges, for all integers.

A greatest common divisor is given by its witnesses: m = A*g, n = B*g and g = x*m + y*n (Bézout), which every two
positive integers have; the LCM is then A*B*g. Sums over groups are by induction, base and step by machine.
"""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any
from unittest import mock

from proofs.z3_tools import proved, unsat
from swagcore.edges import classes as classes_code
from swagcore.edges import overlap as overlap_code
from swagcore.ledger import evidence

ALL = "all integers"


def slides() -> tuple[Any, ...]:
    """Two slides with shifts, and the witnesses of the GCD of the slides."""
    import z3

    a, m, b, n, g, A, B, x, y = z3.Ints("shift1 slide1 shift2 slide2 gcd A B x y")
    given = [m > 0, n > 0, g > 0, m == A * g, n == B * g, g == x * m + y * n]
    return a, m, b, n, g, A, B, x, y, given


def symbolic_overlap(first: tuple[Any, Any], second: tuple[Any, Any], gcd: Any) -> Any:
    """`overlap` itself, run on symbols."""
    with mock.patch.object(overlap_code, "math", SimpleNamespace(gcd=lambda *_: gcd)):
        found: Any = overlap_code.overlap(first, second)
    return found


@evidence(
    "proof",
    of="edges.s_overlap",
    scope=ALL + ": slides with a common edge pass the check, the function itself",
)
def a_common_edge_passes_the_check() -> object:
    """t = shift1 + i*slide1 = shift2 + j*slide2: the distance of the shifts is (j*B - i*A) times the GCD."""
    import z3

    a, m, b, n, g, A, B, _, _, _ = slides()
    i, j, d = z3.Ints("i j d")
    meeting = [g > 0, m == A * g, n == B * g, a + i * m == b + j * n]
    distance = proved(a - b == (j * B - i * A) * g, given=meeting, twin=a - b == g)
    if distance is not None:
        return distance
    passes = symbolic_overlap((a, m), (b, n), g)
    return proved(passes, given=[g > 0, a - b == d * g], twin=z3.Not(passes))


@evidence(
    "proof",
    of="edges.s_overlap",
    scope=ALL + ": slides that pass the check have a common edge, the function itself",
)
def slides_that_pass_the_check_meet() -> object:
    """shift2 - shift1 = k*g: the edge shift1 + k*x*slide1 is shift2 - k*y*slide2."""
    import z3

    a, m, b, n, g, _, _, x, y, _ = slides()
    k, q, rest = z3.Ints("k q rest")
    passes = symbolic_overlap((a, m), (b, n), g)
    divides = [g > 0, a - b == q * g + rest, rest >= 0, rest < g]
    multiple = proved(passes == (rest == 0), given=divides, twin=passes)
    if multiple is not None:
        return multiple
    # k*g = k*(x*m + y*n), written out.
    meets = a + (k * x) * m == b - (k * y) * n
    return proved(meets, given=[b - a == k * x * m + k * y * n], twin=a + k * m == b)


@evidence("proof", of="edges.common", scope=ALL + ": two common edges are a multiple of the LCM apart")
@evidence("proof", of="edges.s_two_cases", scope=ALL + ": two common edges are a multiple of the LCM apart")
def common_edges_are_the_lcm_apart() -> object:
    """A distance u*slide1 = v*slide2 has u*A = v*B, and with 1 = x*A + y*B it is (x*v + y*u) * A*B*g."""
    import z3

    g, A, B, x, y, u, v = z3.Ints("gcd A B x y u v")
    coprime = [g > 0, A > 0, B > 0, x * A + y * B == 1]
    same = proved(u * A == v * B, given=[g > 0, u * (A * g) == v * (B * g)], twin=u == v)
    if same is not None:
        return same
    # u = u * (x*A + y*B) = x * (u*A) + y*u*B = x * (v*B) + y*u*B
    quotient = proved(
        u == (x * v + y * u) * B,
        given=[*coprime, x * (u * A) == x * (v * B), u == u * (x * A) + u * (y * B)],
        twin=u == B,
    )
    if quotient is not None:
        return quotient
    spread = unsat(x * A + y * B == 1, u != u * (x * A) + u * (y * B))
    if spread is not None:
        return spread
    q = z3.Int("q")
    return proved(u * (A * g) == q * (A * B * g), given=[u == q * B], twin=u * (A * g) == A * B * g)


@evidence("proof", of="edges.common", scope=ALL + ": an LCM after a common edge is another one")
@evidence("proof", of="edges.s_two_cases", scope=ALL + ": an LCM after a common edge is another one")
def an_lcm_after_a_common_edge_is_another() -> object:
    """So common edges are none, or one in every LCM, whatever the shifts are."""
    import z3

    t, a, b, g, A, B, i, j, k = z3.Ints("t shift1 shift2 gcd A B i j k")
    given = [t == a + i * (A * g), t == b + j * (B * g)]
    later = t + k * (A * B * g)
    again = z3.And(later == a + (i + k * B) * (A * g), later == b + (j + k * A) * (B * g))
    return proved(again, given=given, twin=later == a + i * (A * g))


@evidence(
    "induction",
    of="edges.s_pairs_suffice",
    scope=ALL
    + ": three slides; then by induction on their number, as common edges of two are again a slide with a shift",
)
def three_that_meet_in_pairs_meet() -> object:
    """The first two meet at t0, modulo M = A*B*g. The third is D away from t0, and D is a multiple of the GCDs g1, g2 of the
    third slide with the first and the second: D = a*g1 = b*g2. Then D is a combination of M and the third slide, given
    here, which is what the overlap of (t0, M) with the third asks for.

    Why D is such a multiple: t0 is an edge of the first slide, which meets the third, so that the GCD of the two divides
    the distance of the third's shift from t0 (edges.s_overlap); likewise the second.
    """
    import z3

    g, A, B, s3, x, y, D = z3.Ints("gcd A B slide3 x y D")
    a, b, x1, y1, x2, y2 = z3.Ints("a b x1 y1 x2 y2")
    s1, s2, M = A * g, B * g, A * B * g
    by_first, by_second = a * (x1 * s1 + y1 * s3), b * (x2 * s2 + y2 * s3)
    alpha = x * b * x2 + y * a * x1
    beta = x * A * b * y2 + y * B * a * y1
    # A polynomial identity, true without any hypothesis.
    identity = proved(
        x * A * by_second + y * B * by_first == alpha * M + beta * s3,
        twin=x * A * by_second == alpha * M + beta * s3,
    )
    if identity is not None:
        return identity
    # D = D * (x*A + y*B), so the left side of the identity is D.
    p, q = z3.Ints("p q")  # p = x*A, q = y*B
    return proved(p * D + q * D == D, given=[p + q == 1], twin=p * D == D)


@evidence(
    "proof", of="edges.s_pairs_suffice", scope=ALL + ": any edge of a slide stands for its shift in the check"
)
def any_edge_stands_for_the_shift() -> object:
    """t0 = shift1 + i*slide1, and the GCD of slide1 and slide3 divides shift1 - shift3: it divides t0 - shift3 too."""
    import z3

    a, c, g, A, i, k, t0 = z3.Ints("shift1 shift3 gcd A i k t0")
    given = [g > 0, t0 == a + i * (A * g), a - c == k * g]
    return proved(t0 - c == (i * A + k) * g, given=given, twin=t0 - c == k * g)


INCLUSION = (
    "any number of slides, by induction on it: each time is counted once if it is an edge, else not at all; "
    "the groups that a time is in are those whose common edges it is (edges.common, edges.s_pairs_suffice)"
)


@evidence("induction", of="edges.s_f1", scope=INCLUSION)
@evidence("induction", of="edges.s_general_f1", scope=INCLUSION)
def every_edge_is_counted_once() -> object:
    """F_n, the sum over groups of (-1)^(size+1) [t is in all of the group], is [t is in some slide].

    Base: no slides, no groups, F_0 = 0. Step: the groups with the new slide are it alone and every old group with it, of
    the other sign, so F_n = F_(n-1) + b - b*F_(n-1), where b = [t is in the new slide].
    """
    import z3

    before, after, b = z3.Ints("F_before F_after b")
    some = z3.Bool("in_an_old_slide")
    base = proved(before == 0, given=[before == z3.Sum([])], twin=before == 1)
    if base is not None:
        return base
    given = [before == z3.If(some, 1, 0), z3.Or(b == 0, b == 1), after == before + b - b * before]
    step = proved(after == z3.If(z3.Or(some, b == 1), 1, 0), given=given, twin=after == before + b)
    if step is not None:
        return step
    return _recurrence_is_that_of_groups()


def _recurrence_is_that_of_groups() -> object:
    """The recurrence against the sum over groups itself, for every membership of up to 8 slides."""
    for n in range(9):
        for bits in range(2**n):
            member = [bits >> i & 1 for i in range(n)]
            by_groups = sum(
                (-1) ** (size + 1) * all(member[i] for i in group)
                for size in range(1, n + 1)
                for group in combinations(range(n), size)
            )
            total = 0
            for b in member:
                total += b - b * total
            if total != by_groups:
                return {"member": member, "recurrence": total, "groups": by_groups}
    return None


CONTAINED = ALL + ": a class lies in another exactly if that modulus divides its own and the residues agree"


@evidence("proof", of="edges.removal_for_duplicates", scope=CONTAINED)
@evidence("proof", of="edges.removal_for_multiples", scope=CONTAINED)
def containment_for_all_integers() -> object:
    """If (r, m) lies in (s, n), so do r and r + m: then n divides r - s and m. If n divides both, all r + k*m are in (s, n)."""
    import z3

    r, m, s, n, i, j, k, c, d = z3.Ints("r m s n i j k c d")
    inside = [n > 0, m > 0, r == s + i * n, r + m == s + j * n]
    needed = proved(z3.And(m == (j - i) * n, r - s == i * n), given=inside, twin=m == n)
    if needed is not None:
        return needed
    enough = proved(
        r + k * m == s + (d + k * c) * n, given=[m == c * n, r - s == d * n], twin=r + k * m == s + d * n
    )
    if enough is not None:
        return enough
    return _reduced_asks_that(classes_code.reduced)


def _reduced_asks_that(reduced: Any) -> object:
    """The model against the code: two classes with moduli up to 12."""
    every = [(r, m) for m in range(1, 13) for r in range(m)]
    for r, m in every:
        for s, n in every:
            if (r, m) == (s, n) or n > m:
                continue
            if ((r, m) not in reduced([(r, m), (s, n)])) != (m % n == 0 and (r - s) % n == 0):
                return {"class": (r, m), "other": (s, n)}
    return None


@evidence("proof", of="edges.s_fragments", scope=ALL + ": where the windows of a slide with fragments begin")
def fragments_for_all_integers() -> object:
    """range = q*slide + f2 and 0 < f2 < slide: a window that ends at 0 begins at -range, which leaves slide - f2 = f1."""
    import z3

    r, s, f2, q = z3.Ints("range slide f2 q")
    given = [s > 0, r == q * s + f2, f2 > 0, f2 < s]
    first = z3.And(-r == (-q - 1) * s + (s - f2), s - f2 >= 0, s - f2 < s)
    return proved(first, given=given, twin=-r == -q * s)


@evidence(
    "proof",
    of="edges.s_table_size",
    scope=ALL + ": limit * limit <= 2 b / g gives limit (limit - 1) / 2 * g <= b",
)
def table_size_for_all_integers() -> object:
    import z3

    limit, b, g = z3.Ints("limit b g")
    given = [limit >= 1, b >= 1, g >= 1, limit * limit * g <= 2 * b, limit * g >= 0]
    return proved(limit * (limit - 1) * g <= 2 * b, given=given, twin=limit * (limit + 1) * g <= 2 * b)


@evidence("symbolic", of="edges.s_groups", scope="every n, by sympy")
def sums_of_binomials() -> object:
    import sympy

    n, k = sympy.symbols("n k", integer=True, positive=True)
    groups = sympy.summation(sympy.binomial(n, k), (k, 0, n)) - 1
    calculations = sympy.simplify(sympy.gammasimp(sympy.summation(k * sympy.binomial(n, k), (k, 0, n))))
    found = sympy.simplify(groups - (2**n - 1)), sympy.simplify(calculations - 2 ** (n - 1) * n)
    return None if found == (0, 0) else {"found": str((groups, calculations))}


@evidence(
    "induction",
    of="edges.f1_below_bit_set",
    scope="any number k of slides above 1, by induction on it: their product is at least 2^k",
)
def products_of_slides() -> object:
    """Base: the empty product is 1 = 2^0. Step: P >= 2^k and a slide of 2 or more give P * slide >= 2 * 2^k."""
    import z3

    product, power, slide = z3.Ints("product power_of_2 slide")
    base = proved(product >= power, given=[product == 1, power == 1], twin=product > power)
    if base is not None:
        return base
    given = [power >= 1, product >= power, slide >= 2]
    return proved(product * slide >= 2 * power, given=given, twin=product * slide > 2 * power)
