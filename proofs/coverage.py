"""What specs/coverage.py says of windows, for all integers.

`covering`, `disjoint` and `inside` of swagcore.coverage.relation are straight arithmetic, and run on symbols here.
Multiples are given as witnesses: slide1 = A * slide2, offset1 - offset2 = C * slide2, range1 - range2 = B * slide2, so that
z3 answers every question; `witnesses` proves that the code's conditions say just that.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from proofs.z3_tools import proved
from swagcore.coverage import relation
from swagcore.ledger import evidence

ALL = "all integers"


def window(number: str) -> tuple[Any, list[Any]]:
    """A window of any range, slide and offset, and what is always true of it."""
    import z3

    r, s, o = z3.Ints(f"range{number} slide{number} offset{number}")
    return SimpleNamespace(range=r, slide=s, offset=o), [r > 0, s > 0, o >= 0, o < s]


def two() -> tuple[Any, Any, tuple[Any, Any, Any], list[Any], list[Any]]:
    """Two windows, the witnesses A, B and C, what is always true, and coverage in terms of the witnesses."""
    import z3

    w1, given1 = window("1")
    w2, given2 = window("2")
    a, b, c = z3.Ints("A B C")
    covered = [
        w1.slide == a * w2.slide,
        w1.offset - w2.offset == c * w2.slide,
        w1.range - w2.range == b * w2.slide,
        b >= 0,
        z3.Or(w2.slide <= w2.range, b == 0),
    ]
    return w1, w2, (a, b, c), given1 + given2, covered


def first_failure(*checks: Any) -> object:
    """The first counterexample of some proofs; each is a function, so that none runs in vain."""
    for check in checks:
        found = check()
        if found is not None:
            return found
    return None


@evidence("proof", of="coverage.covered_by", scope=ALL + ": the function's conditions are the witnesses'")
@evidence("proof", of="coverage.partitioned_by", scope=ALL + ": the function's conditions are the witnesses'")
def witnesses() -> object:
    """Each remainder that `covering` asks for is 0 if and only if there is a witness."""
    import z3

    w1, w2, (_, b, _), given, covered = two()
    conditions = relation.covering(w1, w2)
    s = w2.slide
    there = [
        lambda k=k, fact=fact: proved(conditions[k], given=[s > 0, fact], twin=z3.Not(conditions[k]))
        for k, fact in ((0, covered[0]), (1, covered[1]), (2, covered[2]))
    ]
    x = {0: w1.slide, 1: w1.offset - w2.offset, 2: w1.range - w2.range}
    back = [
        lambda k=k, value=value: proved(
            value == (value / s) * s, given=[s > 0, conditions[k]], twin=value == (value / s) * s + 1
        )
        for k, value in x.items()
    ]
    signs = [*given, covered[2]]
    rest = [
        lambda: proved(conditions[3] == (b >= 0), given=signs, twin=conditions[3] == (b > 0)),
        lambda: proved((w1.range == w2.range) == (b == 0), given=signs, twin=w1.range == w2.range),
        lambda: proved(
            conditions[4] == z3.Or(s <= w2.range, w1.range == w2.range),
            given=given,
            twin=conditions[4] == (s <= w2.range),
        ),
    ]
    return first_failure(*there, *back, *rest)


@evidence("proof", of="coverage.covered_by", scope=ALL + ": the conditions suffice")
@evidence("proof", of="coverage.def3", scope=ALL)
def conditions_suffice() -> object:
    """Time t of instance k is in part i = min(q, B), q = (t - a) div slide2; part i is an instance, and inside."""
    import z3

    w1, w2, (a, b, c), given, covered = two()
    k, q, rest, i = z3.Ints("k q rest i")
    given += covered
    instance = lambda: proved(
        w1.offset + k * (a * w2.slide) + i * w2.slide == w2.offset + (c + k * a + i) * w2.slide,
        given=[covered[1], covered[0]],
        twin=i == 0,
    )
    d = z3.Int("d")  # t - start; what is needed of the products
    facts = [d >= 0, d < w1.range, d == q * w2.slide + rest, rest >= 0, rest < w2.slide, *given]
    early = lambda: proved(
        z3.And(q * w2.slide <= d, d < q * w2.slide + w2.range),
        given=[*facts, q >= 0, q <= b, z3.Implies(b == 0, q == 0)],
        twin=d < q * w2.slide + w2.range - 1,
    )
    only = lambda: proved(
        z3.And(d >= 0, d < w2.range),
        given=[d >= 0, d < w1.range, w1.range == w2.range],
        twin=d < w2.range - 1,
    )
    late = lambda: proved(
        z3.And(b * w2.slide <= d, d < b * w2.slide + w2.range),
        given=[*facts, q == b + 1 + i, i >= 0, i * w2.slide >= 0],
        twin=d < b * w2.slide + w2.range - 1,
    )
    within = lambda: proved(
        z3.And(i * w2.slide >= 0, i * w2.slide + w2.range <= w1.range),
        given=[w2.slide > 0, covered[2], i >= 0, b == i + q, q >= 0, q * w2.slide >= 0],
        twin=i * w2.slide + w2.range < w1.range,
    )
    return first_failure(instance, early, only, late, within)


@evidence("proof", of="coverage.covered_by", scope=ALL + ": the conditions are necessary")
def conditions_are_necessary() -> object:
    """The first time of instances 0 and 1, the last time, and the time after the first part, each in some part inside."""
    import z3

    w1, w2, _, given, _ = two()
    r1, s1, o1, r2, s2, o2 = w1.range, w1.slide, w1.offset, w2.range, w2.slide, w2.offset
    m0, m1, last, i = z3.Ints("m0 m1 last i")
    begins = lambda start, m: [o2 + m * s2 >= start, o2 + m * s2 <= start]  # inside, and has the first time
    ends = [o2 + last * s2 + r2 <= o1 + r1, o1 + r1 - 1 < o2 + last * s2 + r2, o2 + last * s2 >= o1]
    offsets = lambda: proved(o1 - o2 == m0 * s2, given=[*given, *begins(o1, m0)], twin=o1 == o2)
    slides = lambda: proved(
        s1 == (m1 - m0) * s2, given=[*given, *begins(o1, m0), *begins(o1 + s1, m1)], twin=s1 == s2
    )
    ranges = lambda: proved(
        z3.And(r1 - r2 == (last - m0) * s2, r1 >= r2), given=[*given, *begins(o1, m0), *ends], twin=r1 > r2
    )
    # The time a + range2 is in part i of the instance, if it is inside: so i >= 1, and slide2 <= i * slide2 <= range2.
    gaps = lambda: proved(
        s2 <= r2, given=[r2 > 0, s2 > 0, r1 > r2, i * s2 <= r2, r2 < i * s2 + r2], twin=s2 < r2
    )
    return first_failure(offsets, slides, ranges, gaps)


@evidence("proof", of="coverage.partitioned_by", scope=ALL + ", for windows that are covered")
def parts_do_not_overlap() -> object:
    """Parts i < j, given that B >= 1: apart where slide2 = range2; the first two overlap where slide2 < range2."""
    import z3

    w1, w2, (_, b, _), given, covered = two()
    i, d = z3.Ints("i d")
    r2, s2 = w2.range, w2.slide
    code = relation.disjoint(w1, w2)
    apart = lambda: proved(
        (i + d) * s2 >= i * s2 + r2,
        given=[*given, s2 == r2, d >= 1, d * s2 >= s2],
        twin=(i + d) * s2 > i * s2 + r2,
    )
    overlap = lambda: proved((s2 >= r2) == (s2 == r2), given=[*given, *covered, b >= 1], twin=s2 >= r2)
    says = lambda: proved(
        code == z3.Or(s2 == r2, b == 0), given=[*given, covered[2]], twin=code == (s2 == r2)
    )
    return first_failure(apart, overlap, says)


@evidence("proof", of="coverage.thm1_corrected", scope=ALL)
def theorem_1_for_all_integers() -> object:
    """Interval m of W1 starts at m * s1. Only if: intervals 0 and 1 give the witnesses. If: they give I_a and I_b."""
    import z3

    r1, s1, r2, s2, a, b, m, m2 = z3.Ints("r1 s1 r2 s2 A B m m2")
    given = [s1 > 0, s2 > 0, r1 >= s1, r2 >= s2, r1 > r2]
    slide = lambda: proved(s1 == m2 * s2, given=[*given, m2 * s2 == 1 * s1], twin=s1 == s2)
    extent = lambda: proved(r1 - r2 == m2 * s2, given=[*given, m2 * s2 + r2 == r1], twin=r1 - r2 == s2)
    covered = [s1 == a * s2, r1 - r2 == b * s2]
    begins = lambda: proved(m * (a * s2) == (m * a) * s2, given=[s1 == a * s2], twin=m == 0)
    closes = lambda: proved(
        (m * a + b) * s2 + r2 == m * (a * s2) + r1,
        given=[*given, *covered],
        twin=m * a * s2 + r2 == m * (a * s2) + r1,
    )
    strict = lambda: proved(z3.And(r2 < r1, b * s2 > 0), given=[*given, *covered], twin=b == 1)
    return first_failure(slide, extent, begins, closes, strict)


@evidence("proof", of="coverage.thm2.reflexive", scope=ALL + ", the function itself run on symbols")
def reflexive_for_all_integers() -> object:
    import z3

    w, given = window("")
    return proved(z3.And(*relation.covering(w, w)), given=given, twin=w.slide <= w.range)


@evidence("proof", of="coverage.thm2.antisymmetric", scope=ALL)
def antisymmetric_for_all_integers() -> object:
    """slide1 = A * slide2 and slide2 = D * slide1 are equal, and so are two offsets below it that differ by a multiple."""
    import z3

    w1, w2, (a, _, c), given, covered = two()
    d = z3.Int("D")
    positive = lambda: proved(a >= 1, given=[*given, covered[0]], twin=a >= 2)
    slides = lambda: proved(
        w1.slide == w2.slide,
        given=[
            *given,
            covered[0],
            w2.slide == d * w1.slide,
            a >= 1,
            d >= 1,
            w1.slide >= w2.slide,
            w2.slide >= w1.slide,
        ],
        twin=w1.slide == 1,
    )
    larger = lambda: proved(
        w1.slide >= w2.slide, given=[*given, covered[0], a >= 1], twin=w1.slide > w2.slide
    )
    offsets = lambda: proved(
        w1.offset == w2.offset, given=[*given, covered[1], w1.slide == w2.slide, c == 0], twin=w1.offset == 0
    )
    zero = lambda: proved(c == 0, given=[*given, covered[1], w1.slide == w2.slide], twin=w1.offset == 0)
    ranges = lambda: proved(
        w1.range == w2.range, given=[w1.range >= w2.range, w2.range >= w1.range], twin=w1.range == 1
    )
    return first_failure(positive, larger, slides, zero, offsets, ranges)


@evidence("proof", of="coverage.thm2.transitive", scope=ALL)
def transitive_for_all_integers() -> object:
    import z3

    w1, w2, (a, b, c), given, covered = two()
    w3, given3 = window("3")
    d, e, f = z3.Ints("D E F")
    s3 = w3.slide
    given += [*given3, d >= 1]
    slides = lambda: proved(
        w1.slide == (a * d) * s3, given=[covered[0], w2.slide == d * s3], twin=w1.slide == s3
    )
    offsets = lambda: proved(
        w1.offset - w3.offset == (c * d + f) * s3,
        given=[covered[1], w2.slide == d * s3, w2.offset - w3.offset == f * s3],
        twin=w1.offset == w3.offset,
    )
    ranges = lambda: proved(
        w1.range - w3.range == (b * d + e) * s3,
        given=[covered[2], w2.slide == d * s3, w2.range - w3.range == e * s3],
        twin=w1.range == w3.range,
    )
    order = lambda: proved(
        w1.range >= w3.range, given=[w1.range >= w2.range, w2.range >= w3.range], twin=w1.range > w3.range
    )
    gaps = lambda: proved(
        z3.Or(s3 <= w3.range, w1.range == w3.range),
        given=[
            *given,
            w2.slide >= s3,
            z3.Or(w2.slide <= w2.range, w1.range == w2.range),
            z3.Or(s3 <= w3.range, w2.range == w3.range),
        ],
        twin=s3 <= w3.range,
    )
    larger = lambda: proved(w2.slide >= s3, given=[*given, w2.slide == d * s3], twin=w2.slide > s3)
    return first_failure(slides, offsets, ranges, order, larger, gaps)


@evidence("proof", of="coverage.thm3", scope=ALL)
def multiplier_for_all_integers() -> object:
    """Part i is inside if and only if 0 <= i <= B: these are 1 + B, and B = (range1 - range2) / slide2."""
    import z3

    w1, w2, (_, b, _), given, covered = two()
    i = z3.Int("i")
    s2 = w2.slide
    ordered = [z3.Implies(i >= 0, i * s2 >= 0), z3.Implies(i <= -1, i * s2 <= -s2)]
    ordered += [z3.Implies(i <= b, i * s2 <= b * s2), z3.Implies(i >= b + 1, i * s2 >= b * s2 + s2)]
    signs = lambda: proved(z3.And(*ordered[:2]), given=[s2 > 0], twin=i * s2 >= 0)
    monotone = lambda: proved(z3.And(*ordered[2:]), given=[s2 > 0], twin=i * s2 <= b * s2)
    inside = z3.And(i * s2 >= 0, i * s2 + w2.range <= w1.range)
    counted = lambda: proved(
        inside == z3.And(i >= 0, i <= b), given=[*given, covered[2], *ordered], twin=inside == (i >= 0)
    )
    quotient = lambda: proved((w1.range - w2.range) / s2 == b, given=[s2 > 0, covered[2]], twin=b == 0)
    return first_failure(signs, monotone, counted, quotient)


@evidence("proof", of="coverage.recurrences", scope=ALL)
@evidence("proof", of="coverage.eq1", scope=ALL + ", of which Equation 1 is the case without a remainder")
def recurrences_for_all_integers() -> object:
    """With R - r = q * s + rest, instance i of a period fits if and only if 0 <= i <= q; rest = 0 for r = k * s, R = m * r."""
    import z3

    r, s, period, q, rest, i, k, m = z3.Ints("r s R q rest i k m")
    given = [r > 0, s > 0, period >= r, period - r == q * s + rest, rest >= 0, rest < s]
    ordered = [z3.Implies(i <= q, i * s <= q * s), z3.Implies(i >= q + 1, i * s >= q * s + s)]
    monotone = lambda: proved(z3.And(*ordered), given=[s > 0], twin=i * s <= q * s)
    fits = i * s + r <= period
    counted = lambda: proved(fits == (i <= q), given=[*given, *ordered], twin=fits)
    floor = lambda: proved((period - r) / s == q, given=given, twin=rest == 0)
    whole = lambda: proved(
        m * (k * s) - k * s == ((m - 1) * k) * s,
        given=[s > 0, k > 0, m > 0],
        twin=m * (k * s) == ((m - 1) * k) * s,
    )
    return first_failure(monotone, counted, floor, whole)


@evidence("proof", of="coverage.obs1_corrected", scope=ALL + ": the stream is never cheaper for eta >= 1")
def sharing_is_never_dearer() -> object:
    import z3

    w1, w2, (_, b, _), given, covered = two()
    eta = z3.Real("eta")
    at_least = lambda: proved(b * w2.slide >= b, given=[b >= 0, w2.slide >= 1], twin=b * w2.slide > b)
    steps = lambda: proved(
        1 + b <= w1.range, given=[*given, covered[2], b >= 0, b * w2.slide >= b], twin=1 + b < w1.range
    )
    rate = lambda: proved(
        eta * z3.ToReal(w1.range) >= z3.ToReal(w1.range), given=[eta >= 1, w1.range > 0], twin=eta > 1
    )
    return first_failure(at_least, steps, rate)


@evidence("proof", of="coverage.tumbling_semantics", scope=ALL + ", the functions themselves run on symbols")
def tumbling_semantics_for_all_integers() -> object:
    import z3

    w1, w2, _, given, _ = two()
    covered = z3.And(*relation.covering(w1, w2))
    tumbling = [*given, w1.range == w1.slide, w2.range == w2.slide]
    return proved(
        covered == z3.And(covered, relation.disjoint(w1, w2)),
        given=tumbling,
        twin=z3.Not(relation.disjoint(w1, w2)),
    )


@evidence("proof", of="coverage.root", scope=ALL + ", the function itself run on symbols, offsets included")
def root_covers_all() -> object:
    import z3

    w, given = window("")
    root = SimpleNamespace(range=z3.IntVal(1), slide=z3.IntVal(1), offset=z3.IntVal(0))
    covers = lambda: proved(z3.And(*relation.covering(w, root)), given=given, twin=w.range > 1)
    alone = lambda: proved(
        z3.Implies(z3.And(*relation.covering(root, w)[3:]), w.range == 1), given=given, twin=w.slide == 1
    )
    return first_failure(covers, alone)


@evidence("proof", of="coverage.candidates", scope=ALL)
def candidates_for_all_integers() -> object:
    """s_j = A * s_f, r_j = k * s_j and r_j - r_f = B * s_f: r_f is a multiple of s_f, and at most r_j."""
    import z3

    r_j, s_j, r_f, s_f, a, b, k = z3.Ints("r_j s_j r_f s_f A B k")
    given = [s_f > 0, s_j == a * s_f, r_j == k * s_j, r_j - r_f == b * s_f]
    multiple = lambda: proved(r_f == (k * a - b) * s_f, given=given, twin=r_f == s_f)
    smaller = lambda: proved(r_f <= r_j, given=[s_f > 0, b >= 0, r_j - r_f == b * s_f], twin=r_f < r_j)
    return first_failure(multiple, smaller)


@evidence(
    "symbolic",
    of="coverage.eq2",
    scope="all numbers, one window below; sums of such terms follow term by term",
)
def equation_2_by_algebra() -> object:
    import sympy

    n, n_f, r, r_f, s_f, r_w, s_w = sympy.symbols("n n_f r r_f s_f r_w s_w", positive=True)
    m = lambda r1, r2, s2: 1 + (r1 - r2) / s2
    true = n * (m(r, r_f, s_f) - m(r, r_w, s_w)) + n_f * m(r_f, r_w, s_w)
    k_f, k_w = r_f / s_f, r_w / s_w
    printed = n_f * (n / n_f * (r / s_f - k_f - r / s_w + k_w) + 1 + r_f / s_w - k_w)
    difference = sympy.simplify(true - printed)
    if sympy.simplify(true - printed - n_f) == 0:
        raise RuntimeError("the twin came out true as well")
    return None if difference == 0 else {"difference": difference}


@evidence(
    "symbolic", of="coverage.thm9_corrected", scope="all numbers, tumbling W_f and W: the cost of a candidate"
)
@evidence("symbolic", of="coverage.case2_formula", scope="all numbers")
@evidence("symbolic", of="coverage.case1", scope="all positive numbers")
@evidence("symbolic", of="coverage.eq7", scope="all numbers")
def tumbling_costs_by_algebra() -> object:
    """Over R: c_f = R * (lambda / r_f + 1 / r_W), c' = R * lambda / r_W, with n_j * r_j = R * n_j / m_j."""
    import sympy

    period, lam, r_f, r_w, n, r = sympy.symbols("R lambda r_f r_W n r", positive=True)
    share = n * r / period  # n_j / m_j of one window below
    candidate = n * r / r_f + period / r_f * (r_f / r_w)
    without = n * r / r_w
    formula = period * (share / r_f + 1 / r_w)
    facts = {
        "cost of a candidate": candidate - formula,
        "Equation 7": (candidate - without) - period / r_f * ((1 - r_f / r_w) * share + r_f / r_w),
        "two tumbling windows": period * (2 / r_f + 1 / r_w)
        - period * 2 / r_w
        - period * (2 / r_f - 1 / r_w),
        "one tumbling window": (period * (1 / r_f + 1 / r_w) - period / r_w) - period / r_f,
    }
    if sympy.simplify(facts["Equation 7"] + lam) == 0:
        raise RuntimeError("the twin came out true as well")
    return next(({name: value} for name, value in facts.items() if sympy.simplify(value) != 0), None)


@evidence(
    "proof",
    of="coverage.thm9_corrected",
    scope="all positive numbers: the larger candidate is the better one",
)
def larger_is_better() -> object:
    import z3

    lam, r_f, other, r_w = z3.Reals("lambda r_f other r_W")
    given = [lam > 0, r_f > 0, other > 0, r_w > 0]
    cost = lambda size: lam / size + 1 / r_w
    return proved(
        (cost(r_f) <= cost(other)) == (r_f >= other),
        given=given,
        twin=(cost(r_f) < cost(other)) == (r_f >= other),
    )


@evidence("proof", of="coverage.lambda", scope=ALL + ", one window; sums follow term by term")
@evidence("proof", of="coverage.lambda_one_corrected", scope=ALL)
def lambda_for_all_integers() -> object:
    """n - m = (m - 1) * (k - 1), which is 0 where one of them is 1 and positive elsewhere."""
    import z3

    k, m = z3.Ints("k m")
    n = (m - 1) * k + 1
    given = [k >= 1, m >= 1]
    product = lambda: proved(n - m == (m - 1) * (k - 1), given=given, twin=n == m)
    sign = lambda: proved(
        ((m - 1) * (k - 1) > 0) == z3.And(k > 1, m > 1), given=given, twin=((m - 1) * (k - 1) > 0) == (k > 1)
    )
    least = lambda: proved((m - 1) * (k - 1) >= 0, given=given, twin=(m - 1) * (k - 1) > 0)
    return first_failure(product, sign, least)


@evidence("proof", of="coverage.case2_corrected", scope="all lambda >= K >= 2 and r_f >= 2 * r_W")
@evidence("proof", of="coverage.eq8", scope="all lambda > 1")
@evidence(
    "proof", of="coverage.thm8_corrected", scope="all lambda: what Algorithm 3 compares, and its shortcuts"
)
def benefit_for_all_numbers() -> object:
    """By Equation 7, with ratio = r_f / r_W: (1 - ratio) * lambda + ratio <= 0."""
    import z3

    lam, ratio, k, m = z3.Reals("lambda ratio k m")
    bracket = (1 - ratio) * lam + ratio
    several = lambda: proved(bracket <= 0, given=[lam >= 2, ratio >= 2], twin=bracket < 0)
    even = lambda: proved(
        (bracket == 0) == z3.And(lam == 2, ratio == 2), given=[lam >= 2, ratio >= 2], twin=bracket == 0
    )
    alone = lambda: proved(bracket > 0, given=[lam == 1, ratio >= 2], twin=bracket > 1)
    compare = lambda: proved(
        (bracket <= 0) == (ratio * (lam - 1) >= lam), given=[lam > 1, ratio > 0], twin=bracket <= 0
    )
    shortcut = lambda: proved(
        m <= (m - 1) * (k - 1) * (ratio - 1),
        given=[k >= 3, m >= 3, ratio >= 2, (m - 1) * (k - 1) >= 2 * (m - 1)],
        twin=m + 1 <= (m - 1) * (k - 1) * (ratio - 1) - 1,
    )
    return first_failure(several, even, alone, compare, shortcut)


@evidence("symbolic", of="coverage.lambda_ratio", scope="all numbers")
@evidence("symbolic", of="coverage.lambda_cases_corrected", scope="all numbers")
def lambda_ratio_by_algebra() -> object:
    import sympy

    k, m = sympy.symbols("k m", positive=True)
    lam = ((m - 1) * k + 1) / m
    ratio = lam / (lam - 1)
    facts = [
        ratio - (1 + m / ((m - 1) * (k - 1))),
        ratio - (1 + 1 / (k - 1) + 1 / ((m - 1) * (k - 1))),
        ratio.subs(k, 2) - (2 + 1 / (m - 1)),
        ratio.subs(m, 2) - (1 + 2 / (k - 1)),
    ]
    if sympy.simplify(ratio - 2) == 0:
        raise RuntimeError("the twin came out true as well")
    return next(({"difference": value} for value in facts if sympy.simplify(value) != 0), None)


@evidence("proof", of="coverage.bound", scope=ALL + ": n * r >= max(r, R - r + 1) for slide <= range")
def instances_read_half_the_period() -> object:
    import z3

    r, s, period, q, rest = z3.Ints("r s R q rest")
    given = [s > 0, r >= s, period >= r, period - r == q * s + rest, rest >= 0, rest < s, q >= 0]
    product = lambda: proved(q * r >= q * s, given=[q >= 0, r >= s, s > 0], twin=q * r > q * s)
    most = lambda: proved(
        z3.And((1 + q) * r >= r, (1 + q) * r >= period - r + 1),
        given=[*given, q * r >= q * s, q * r >= 0],
        twin=(1 + q) * r >= period - r + 2,
    )
    return first_failure(product, most)


@evidence("proof", of="coverage.table1.unshared_pairs_corrected", scope=ALL)
def slices_of_an_instance() -> object:
    """r = q * s + z: starts i * s before r are those with i < q, and i = q where z > 0; ends i * s + z those with i < q."""
    import z3

    q, s, z, i = z3.Ints("q s z i")
    given = [s > 0, q >= 0, z >= 0, z < s, i >= 0]
    ordered = [z3.Implies(i <= q, i * s <= q * s), z3.Implies(i >= q + 1, i * s >= q * s + s)]
    ordered += [z3.Implies(i <= q - 1, i * s <= q * s - s), z3.Implies(i >= q, i * s >= q * s)]
    monotone = lambda: proved(z3.And(*ordered), given=[s > 0], twin=i * s <= q * s)
    starts = lambda: proved(
        (i * s < q * s + z) == z3.Or(i < q, z3.And(i == q, z > 0)), given=[*given, *ordered], twin=i < q
    )
    ends = lambda: proved((i * s + z < q * s + z) == (i < q), given=[*given, *ordered], twin=i < q)
    return first_failure(monotone, starts, ends)


@evidence("proof", of="coverage.pairs_beat_panes", scope=ALL + ", unshared: s = a * g, z = c * g, 0 < c < a")
def pairs_beat_panes() -> object:
    import z3

    q, a, c = z3.Ints("q a c")
    given = [q >= 0, c > 0, c < a, q * a >= 2 * q]
    product = lambda: proved(q * a >= 2 * q, given=[q >= 0, a >= 2], twin=q * a > 2 * q)
    fewer = lambda: proved(q * a + c >= 2 * q + 1, given=given, twin=q * a + c > 2 * q + 1)
    return first_failure(product, fewer)


@evidence(
    "proof",
    of="coverage.sharing_gains_at_most_n",
    scope="all numbers: T events, F slices read unshared, at least F shared",
)
def sharing_for_all_numbers() -> object:
    import z3

    n, t, unshared, shared = z3.Reals("n T F_unshared F_shared")
    given = [n >= 1, t > 0, unshared >= 0, shared >= unshared]
    return proved(
        n * t + unshared <= n * (t + shared),
        given=[*given, n * shared >= shared],
        twin=n * t + unshared < n * (t + shared),
    )
