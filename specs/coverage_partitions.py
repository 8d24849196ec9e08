"""Window coverage: factor windows under "partitioned by", Algorithms 3 and 4, Theorems 8 and 9 (W §4.4, A.6, A.7)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from specs.coverage import (
    PAIRS,
    SIZES,
    W10,
    W20,
    W30,
    by_definition_1,
    by_definition_5,
    numbers,
    pairs,
    shown,
)
from specs.coverage_costs import cost_around, counted, neighbourhoods, small_sets, told
from swagcore.coverage.cost import period_of
from swagcore.coverage.paper import STREAM, best_factor, change, helps
from swagcore.coverage.relation import PARTITIONED
from swagcore.ledger import by_size, claim, evidence, smallest
from swagcore.windows import Window

# The case of "partitioned by": Algorithms 3 and 4, Theorems 8 and 9


@claim(
    "coverage.partition_tumbling",
    source="W §4.4",
    kind="statement",
    statement="A factor window that partitions a window of a larger range is tumbling, and its range divides that range and slide.",
)
@evidence("exhaustive", scope=PAIRS)
def partitions_are_tumbling() -> object:
    return smallest(
        ((a, b, c, d) for a, b, c, d in pairs() if a != c),
        lambda r1, s1, r2, s2: (
            not by_definition_5(Window(r1, s1), Window(r2, s2)) or (r2 == s2 and r1 % r2 == s1 % r2 == 0)
        ),
    )


def algorithm_3_as_printed(factor: Window, window: Window, below: Sequence[Window], period: int) -> bool:
    if len(below) >= 2:
        return True
    k_1, m_1 = below[0].range // below[0].slide, period // below[0].range
    if k_1 == 1:
        return False
    if k_1 >= 3 and m_1 >= 3:
        return True
    return Fraction(factor.range, window.range) >= 1 + Fraction(m_1, (m_1 - 1) * (k_1 - 1))


def survives(*arguments: Any) -> bool | None:
    """What Algorithm 3 as printed returns; None where it divides by zero."""
    try:
        return algorithm_3_as_printed(*arguments)
    except ZeroDivisionError:
        return None


@claim(
    "coverage.thm8",
    source="W Thm 8",
    kind="theorem",
    expected="refuted",
    statement="Algorithm 3 as printed says of tumbling W_f and W whether the graph with W_f is at most as dear (c <= c').",
    remark="Where the only window below fills the period, m_1 = 1, line 11 divides by zero.",
)
@evidence("exhaustive", scope="windows with ranges up to 12, K up to 2, periods up to three times the lcm")
def theorem_8_as_printed() -> object:
    def holds(factor: Window, window: Window, below: list[Window], period: int) -> bool:
        return survives(factor, window, below, period) == (change(factor, window, below, period) <= 0)

    return told(smallest(tumbling_neighbourhoods(12), holds))


def tumbling_neighbourhoods(limit: int) -> Iterator[tuple[Window, Window, list[Window], int]]:
    return (c for c in neighbourhoods(limit, 2, PARTITIONED) if c[1].range == c[1].slide)


@claim(
    "coverage.thm8_corrected",
    source="O coverage",
    kind="theorem",
    corrects="coverage.thm8",
    statement="With the answer no for K = 1 and m_1 = 1, Algorithm 3 says whether the graph with W_f is at most as dear.",
)
@evidence("exhaustive", scope="windows with ranges up to 12, K up to 2, periods up to three times the lcm")
def theorem_8_corrected() -> object:
    return told(
        smallest(
            tumbling_neighbourhoods(12),
            lambda factor, window, below, period: (
                helps(factor, window, below, period) == (change(factor, window, below, period) <= 0)
            ),
        )
    )


def lam(below: Sequence[Window], period: int) -> Fraction:
    """W Eq 4: the sum of n_j / m_j."""
    return sum((Fraction(counted(w, period) * w.range, period) for w in below), Fraction(0))


@claim(
    "coverage.case1",
    source="W §4.4.1",
    kind="statement",
    statement="A tumbling factor window above one tumbling window, below a tumbling one, always makes the graph dearer.",
)
@evidence("exhaustive", scope="windows with ranges up to 12")
def case_1() -> object:
    return smallest(
        (c for c in tumbling_neighbourhoods(12) if len(c[2]) == 1 and c[2][0].range == c[2][0].slide),
        lambda factor, window, below, period: change(factor, window, below, period) > 0,
    )


@claim(
    "coverage.case2",
    source="W §4.4.1",
    kind="statement",
    expected="refuted",
    statement="With two or more windows below it, a tumbling factor window below a tumbling window makes the graph cheaper.",
    remark="It may cost just the same: the paper counts that as an improvement, and says in A.6 when it happens.",
)
@evidence("exhaustive", scope="windows with ranges up to 8, K = 2")
def case_2() -> object:
    return told(
        smallest(
            (c for c in tumbling_neighbourhoods(8) if len(c[2]) == 2),
            lambda factor, window, below, period: change(factor, window, below, period) < 0,
        )
    )


@claim(
    "coverage.case2_corrected",
    source="O coverage",
    kind="statement",
    corrects="coverage.case2",
    statement="""With two or more windows below it, a tumbling factor window below a tumbling window never makes the graph dearer, and
    costs the same just where K = 2, r_f = 2 * r_W, and each window below is tumbling or fills the period.""",
)
@evidence("exhaustive", scope="windows with ranges up to 12, K = 2 and 3")
def case_2_corrected() -> object:
    def holds(factor: Window, window: Window, below: list[Window], period: int) -> bool:
        even = len(below) == 2 and factor.range == 2 * window.range
        even = even and all(w.range in (w.slide, period) for w in below)
        found = change(factor, window, below, period)
        return found <= 0 and (found == 0) == even

    cases = (c for c in neighbourhoods(12, 3, PARTITIONED) if c[1].range == c[1].slide and len(c[2]) >= 2)
    return told(smallest(cases, holds))


@claim(
    "coverage.case2_equality",
    source="W §A.6",
    kind="statement",
    expected="refuted",
    statement="If c = c' with K = 2, both windows below the factor window are tumbling.",
    remark="n_j = m_j also holds for a hopping window that fills the period.",
)
@evidence("exhaustive", scope="windows with ranges up to 8, K = 2")
def equality_means_tumbling() -> object:
    return told(
        smallest(
            (c for c in tumbling_neighbourhoods(8) if len(c[2]) == 2),
            lambda factor, window, below, period: (
                change(factor, window, below, period) != 0 or all(w.range == w.slide for w in below)
            ),
        )
    )


@claim(
    "coverage.case2_formula",
    source="W §4.4.1",
    kind="formula",
    statement="With K = 2 and all windows tumbling, c - c' = R * (2 / r_f - 1 / r_W).",
)
@evidence("exhaustive", scope="windows with ranges up to 12")
def case_2_formula() -> object:
    def holds(factor: Window, window: Window, below: list[Window], period: int) -> bool:
        printed = period * (Fraction(2, factor.range) - Fraction(1, window.range))
        return change(factor, window, below, period) == printed

    tumbling = (c for c in tumbling_neighbourhoods(12) if len(c[2]) == 2)
    return told(smallest((c for c in tumbling if all(w.range == w.slide for w in c[2])), holds))


@claim(
    "coverage.eq7",
    source="W Eq 7",
    kind="formula",
    statement="For tumbling W_f and W, c <= c' if and only if (1 - r_f / r_W) * lambda + r_f / r_W <= 0.",
)
@evidence("exhaustive", scope="windows with ranges up to 12, K up to 2")
def equation_7() -> object:
    def holds(factor: Window, window: Window, below: list[Window], period: int) -> bool:
        ratio = Fraction(factor.range, window.range)
        return (change(factor, window, below, period) <= 0) == ((1 - ratio) * lam(below, period) + ratio <= 0)

    return told(smallest(tumbling_neighbourhoods(12), holds))


@claim(
    "coverage.eq8",
    source="W Eq 8",
    kind="formula",
    statement="For tumbling W_f and W and lambda > 1, c <= c' if and only if r_f / r_W >= lambda / (lambda - 1).",
    remark="lambda > 1 is read from the division; for lambda = 1 the fraction has no value and c > c'.",
)
@evidence("exhaustive", scope="windows with ranges up to 12, K up to 2")
def equation_8() -> object:
    def holds(factor: Window, window: Window, below: list[Window], period: int) -> bool:
        value = lam(below, period)
        helpful = change(factor, window, below, period) <= 0
        return (
            not helpful
            if value == 1
            else helpful == (Fraction(factor.range, window.range) >= value / (value - 1))
        )

    return told(smallest(tumbling_neighbourhoods(12), holds))


@claim(
    "coverage.lambda",
    source="W §A.6",
    kind="formula",
    statement="lambda >= K, so that for K >= 2, lambda / (lambda - 1) <= K / (K - 1) <= 2.",
)
@evidence("exhaustive", scope="windows with ranges up to 8, K up to 2")
def lambda_is_at_least_k() -> object:
    def holds(factor: Window, window: Window, below: list[Window], period: int) -> bool:
        value, k = lam(below, period), len(below)
        return value >= k and (k < 2 or value / (value - 1) <= Fraction(k, k - 1) <= 2)

    return told(smallest(tumbling_neighbourhoods(8), holds))


def k_and_m() -> Iterator[tuple[int, int]]:
    return by_size(range(1, 13), range(1, 13))


def one_lambda(k_1: int, m_1: int) -> Fraction:
    return Fraction((m_1 - 1) * k_1 + 1, m_1)


@claim(
    "coverage.lambda_one",
    source="W §A.6",
    kind="statement",
    expected="refuted",
    statement="If K = 1 and k_1 > 1, then lambda > 1, and m_1 > 1.",
)
@evidence("exhaustive", scope="k_1 and m_1 up to 12")
def hopping_means_lambda_above_1() -> object:
    return smallest(k_and_m(), lambda k_1, m_1: k_1 == 1 or one_lambda(k_1, m_1) > 1)


@claim(
    "coverage.lambda_one_corrected",
    source="O coverage",
    kind="statement",
    corrects="coverage.lambda_one",
    statement="For K = 1, lambda > 1 if and only if k_1 > 1 and m_1 > 1; else it is 1.",
)
@evidence("exhaustive", scope="k_1 and m_1 up to 12")
def lambda_above_1() -> object:
    return smallest(
        k_and_m(),
        lambda k_1, m_1: (one_lambda(k_1, m_1) > 1) == (k_1 > 1 and m_1 > 1) and one_lambda(k_1, m_1) >= 1,
    )


@claim(
    "coverage.lambda_ratio",
    source="W §A.6",
    kind="formula",
    statement="""For K = 1 and lambda > 1, lambda / (lambda - 1) = 1 + m_1 / ((m_1 - 1)(k_1 - 1)) = 1 + 1 / (k_1 - 1) +
    1 / ((m_1 - 1)(k_1 - 1)), which is below 2 for k_1 and m_1 from 3 on.""",
)
@evidence("exhaustive", scope="k_1 and m_1 from 2 to 12")
def lambda_ratio() -> object:
    def holds(k_1: int, m_1: int) -> bool:
        value = one_lambda(k_1, m_1)
        first = 1 + Fraction(m_1, (m_1 - 1) * (k_1 - 1))
        second = 1 + Fraction(1, k_1 - 1) + Fraction(1, (m_1 - 1) * (k_1 - 1))
        return value / (value - 1) == first == second and (min(k_1, m_1) < 3 or first < 2)

    return smallest(((k, m) for k, m in k_and_m() if min(k, m) > 1), holds)


@claim(
    "coverage.lambda_cases",
    source="W §A.6",
    kind="statement",
    expected="refuted",
    statement="With k_1 > 1 and m_1 > 1, either both are at least 3, or one of them is 2 and the other is 3.",
)
@evidence("exhaustive", scope="k_1 and m_1 from 2 to 12")
def the_other_two_cases() -> object:
    return smallest(
        ((k, m) for k, m in k_and_m() if min(k, m) > 1),
        lambda k_1, m_1: min(k_1, m_1) >= 3 or sorted((k_1, m_1)) == [2, 3],
    )


@claim(
    "coverage.lambda_cases_corrected",
    source="O coverage",
    kind="statement",
    corrects="coverage.lambda_cases",
    statement="""With k_1 > 1 and m_1 > 1, a factor window of twice the range of W helps without fail if both are at least 3; if one
    is 2, lambda / (lambda - 1) is 2 + 1 / (m_1 - 1) or 1 + 2 / (k_1 - 1), and the ranges decide.""",
)
@evidence("exhaustive", scope="k_1 and m_1 from 2 to 12")
def all_the_other_cases() -> object:
    def holds(k_1: int, m_1: int) -> bool:
        ratio = one_lambda(k_1, m_1) / (one_lambda(k_1, m_1) - 1)
        if min(k_1, m_1) >= 3:
            return ratio < 2
        return ratio == (2 + Fraction(1, m_1 - 1) if k_1 == 2 else 1 + Fraction(2, k_1 - 1))

    return smallest(((k, m) for k, m in k_and_m() if min(k, m) > 1), holds)


@claim(
    "coverage.factors_of_gcd",
    source="W §4.4.2",
    kind="statement",
    expected="refuted",
    statement="Every factor of the gcd of the ranges below that is a multiple of r_W gives a factor window that partitions them.",
)
@evidence("exhaustive", scope="windows with ranges up to 8, W the stream, K up to 2")
def factors_of_the_gcd() -> object:
    def holds(below: list[Window], r_f: int) -> bool:
        common = math.gcd(*(w.range for w in below))
        return common % r_f != 0 or all(by_definition_5(w, Window(r_f, r_f)) for w in below)

    cases = ((below, r_f) for below in small_sets(2, 8) for r_f in range(2, 9))
    found = smallest(cases, holds)
    return found and f"below {shown(*found['below'])}, r_f = {found['r_f']}"


@claim(
    "coverage.factors_of_gcd_corrected",
    source="O coverage",
    kind="statement",
    corrects="coverage.factors_of_gcd",
    statement="The tumbling windows that partition all windows below are those whose range divides the gcd of their ranges and slides.",
)
@evidence("exhaustive", scope="sets of up to 2 windows with ranges up to 8")
def factors_of_both_gcds() -> object:
    def holds(below: list[Window], r_f: int) -> bool:
        common = math.gcd(*(size for w in below for size in (w.range, w.slide)))
        return (common % r_f == 0) == all(by_definition_5(w, Window(r_f, r_f)) for w in below)

    return smallest(((below, r_f) for below in small_sets(2, 8) for r_f in range(1, 9)), holds)


def candidates_below(limit: int) -> Iterator[tuple[Window, list[Window], int, int, int]]:
    """(W, those below, r_f, r'_f, R): two tumbling candidates between a tumbling window and some windows."""
    found = []
    for r_w in (1, 2):
        for below in small_sets(2, limit):
            common = math.gcd(*(size for w in below for size in (w.range, w.slide)))
            sizes = [r for r in range(r_w + 1, common + 1) if common % r == 0 and r % r_w == 0]
            for one, other in itertools.permutations(sizes, 2):
                found.append((Window(r_w, r_w), below, one, other, period_of(below)))
    found.sort(key=lambda c: (len(c[1]), sum(w.range + w.slide for w in c[1]), c[0].range, c[2] + c[3]))
    return iter(found)


def cost_of_candidate(window: Window, below: Sequence[Window], size: int, period: int) -> int:
    return cost_around(Window(size, size), window, below, period)


@claim(
    "coverage.dependent",
    source="W §4.4.2",
    kind="statement",
    statement="Of two candidates of which one is covered by the other, the covered one, the larger, is at least as good.",
)
@evidence("exhaustive", scope="windows with ranges up to 12, K up to 2, r_W = 1 and 2")
def dependent_candidates() -> object:
    return smallest(
        (c for c in candidates_below(12) if c[2] % c[3] == 0),
        lambda window, below, r_f, other, period: (
            cost_of_candidate(window, below, r_f, period) <= cost_of_candidate(window, below, other, period)
        ),
    )


def theorem_9(window: Window, below: Sequence[Window], r_f: int, other: int, period: int) -> bool | None:
    value = lam(below, period)
    bottom = value - Fraction(other, window.range)
    if bottom == 0:
        return None
    return Fraction(r_f, other) >= (value - Fraction(r_f, window.range)) / bottom


@claim(
    "coverage.thm9",
    source="W Thm 9",
    kind="theorem",
    expected="refuted",
    statement="""Of two independent candidates, c_f <= c'_f if and only if r_f / r'_f >= (lambda - r_f / r_W) / (lambda -
    r'_f / r_W).""",
    remark="The denominator may be negative, which turns the inequality around, or zero.",
)
@evidence("exhaustive", scope="windows with ranges up to 12, K up to 2, r_W = 1 and 2")
def theorem_9_as_printed() -> object:
    def holds(window: Window, below: list[Window], r_f: int, other: int, period: int) -> bool:
        cheaper = cost_of_candidate(window, below, r_f, period) <= cost_of_candidate(
            window, below, other, period
        )
        return theorem_9(window, below, r_f, other, period) == cheaper

    found = smallest((c for c in candidates_below(12) if c[2] % c[3] and c[3] % c[2]), holds)
    return found and (
        f"W = {shown(found['window'])}, below {shown(*found['below'])}, R = {found['period']}, "
        f"r_f = {found['r_f']}, r'_f = {found['other']}"
    )


@claim(
    "coverage.thm9_corrected",
    source="O coverage",
    kind="theorem",
    corrects="coverage.thm9",
    statement="""Of any two candidates under "partitioned by", c_f <= c'_f if and only if r_f >= r'_f: c_f = R * (lambda / r_f +
    1 / r_W). The best one is the largest, the gcd of the ranges and slides below.""",
)
@evidence("exhaustive", scope="windows with ranges up to 12, K up to 2, r_W = 1 and 2; and `best_factor`")
def theorem_9_corrected() -> object:
    def holds(window: Window, below: list[Window], r_f: int, other: int, period: int) -> bool:
        ours, theirs = (cost_of_candidate(window, below, size, period) for size in (r_f, other))
        formula = period * (lam(below, period) / r_f + Fraction(1, window.range))
        best = best_factor(window, below, PARTITIONED, period)
        largest = best is None or best.range >= r_f
        return ours == formula and (ours <= theirs) == (r_f >= other) and largest

    return smallest(candidates_below(12), holds)


@claim(
    "coverage.thm9_step",
    source="W §A.7",
    kind="statement",
    expected="refuted",
    statement="""From (1 - r_f / r'_f) * lambda + (r'_f / r_W) * (r_f / r'_f - n'_f / n_f) <= 0 it follows that r_f / r'_f >=
    (lambda - r'_f / r_W * n'_f / n_f) / (lambda - r'_f / r_W).""",
)
@evidence("exhaustive", scope="lambda up to 4, ranges up to 8, R = 24, W the stream")
def the_division_in_the_proof() -> object:
    def holds(lam_: int, r_f: int, other: int) -> bool:
        ratio = Fraction(r_f, other)  # = n'_f / n_f as well
        before = (1 - ratio) * lam_ + other * (ratio - ratio) <= 0
        return not before or lam_ == other or ratio >= (lam_ - other * ratio) / Fraction(lam_ - other)

    return smallest(by_size(range(1, 5), SIZES, SIZES), holds)


@claim(
    "coverage.thm9_step_corrected",
    source="O coverage",
    kind="statement",
    corrects="coverage.thm9_step",
    statement="""As n'_f / n_f = r_f / r'_f, the second term is 0, and (1 - r_f / r'_f) * lambda <= 0 says that r_f >= r'_f, for every
    lambda > 0.""",
)
@evidence("exhaustive", scope="lambda up to 4, ranges up to 8, R a multiple of both ranges")
def the_end_of_the_proof() -> object:
    def holds(lam_: int, r_f: int, other: int) -> bool:
        period = math.lcm(r_f, other)
        ratio, counts = Fraction(r_f, other), Fraction(period // other, period // r_f)
        return ratio == counts and ((1 - ratio) * lam_ + other * (ratio - counts) <= 0) == (r_f >= other)

    return smallest(by_size(range(1, 5), SIZES, SIZES), holds)


@claim(
    "coverage.independent",
    source="W §4.4.2",
    kind="statement",
    expected="refuted",
    statement="Algorithm 4 may be left, after its pruning, with independent candidates that Theorem 9 has to tell apart.",
    remark="""All candidates divide the gcd, which is a candidate itself: it is covered by all others, and beneficial if any is. So
    one is left at the most. The counterexample is the whole box.""",
)
@evidence("exhaustive", scope="sets of up to 2 tumbling windows with ranges up to 24, W the stream")
def independent_candidates_occur() -> object:
    tried = 0
    windows = [Window(r, r) for r in range(1, 25)]
    for below in [*((w,) for w in windows), *itertools.combinations(windows, 2)]:
        common, period = math.gcd(*(w.range for w in below)), period_of(below)
        left = [
            r
            for r in range(2, common + 1)
            if common % r == 0 and survives(Window(r, r), STREAM, below, period)
        ]
        left = [r for r in left if not any(other != r and other % r == 0 for other in left)]
        tried += 1
        if len(left) > 1:
            return None
    return f"in none of {tried} sets is more than one candidate left"


@claim(
    "coverage.independent_corrected",
    source="O coverage",
    kind="statement",
    corrects="coverage.independent",
    statement="After the pruning of Algorithm 4 at most one candidate is left, the gcd.",
)
@evidence("exhaustive", scope="sets of up to 2 tumbling windows with ranges up to 24, W the stream")
def one_candidate_is_left() -> object:
    def holds(below: list[Window]) -> bool:
        common, period = math.gcd(*(w.range for w in below)), period_of(below)
        sizes = [r for r in range(2, common + 1) if common % r == 0]
        left = [r for r in sizes if survives(Window(r, r), STREAM, below, period)]
        return [r for r in left if not any(o != r and o % r == 0 for o in left)] in ([], [common])

    windows = [Window(r, r) for r in range(1, 25)]
    return smallest(((list(c),) for size in (1, 2) for c in itertools.combinations(windows, size)), holds)


@claim(
    "coverage.alg4",
    source="W Alg 4",
    kind="algorithm",
    expected="refuted",
    statement="Algorithm 4 returns a factor window that partitions all windows below, or W.",
    remark="""Line 1 takes the gcd of the ranges alone. Line 12 is read with another W'_f: by its letter every candidate is covered by
    itself, and removed.""",
)
@evidence("exhaustive", scope="sets of up to 2 windows with ranges up to 8, W the stream")
def algorithm_4_as_printed() -> object:
    def holds(below: list[Window]) -> bool:
        common, period = math.gcd(*(w.range for w in below)), period_of(below)
        if common == 1:
            return True
        left = [
            r
            for r in range(1, common + 1)
            if common % r == 0 and survives(Window(r, r), STREAM, below, period)
        ]
        return not left or all(by_definition_5(w, Window(max(left), max(left))) for w in below)

    found = smallest(((below,) for below in small_sets(2, 8)), holds)
    return found and f"W = W<1, 1>, below {shown(*found['below'])}"


@claim(
    "coverage.alg4_corrected",
    source="O coverage",
    kind="algorithm",
    corrects="coverage.alg4",
    statement="""With the gcd of ranges and slides, Algorithm 4 gives the best tumbling factor window there is, or none where none makes
    the graph at most as dear.""",
)
@evidence("exhaustive", scope="sets of up to 2 windows with ranges up to 12, W the stream")
def algorithm_4_corrected() -> object:
    def holds(below: list[Window]) -> bool:
        period = period_of(below)
        fitting = [
            Window(r, r)
            for r in range(2, 13)
            if Window(r, r) not in below and all(by_definition_5(w, Window(r, r)) for w in below)
        ]
        changes = {f: change(f, STREAM, below, period) for f in fitting}
        best = best_factor(STREAM, below, PARTITIONED, period)
        if best is None:
            return (
                STREAM in below
                or any(w.range == w.slide for w in below)
                or all(c > 0 for c in changes.values())
            )
        return changes[best] == min(changes.values()) <= 0

    return smallest(((below,) for below in small_sets(2, 12) if STREAM not in below), holds)


def footnote_8(size: int) -> int:
    return cost_around(Window(size, size), STREAM, [W20, W30], 120)


numbers(
    "coverage.ex8",
    "W Ex 8",
    """Between the stream and the windows of 20 and 30, Algorithm 4 has the candidates W<10, 10>, W<5, 5> and W<2, 2>, all of which
    Algorithm 3 accepts; the first is covered by the others and is the best. Footnote 8: W<2, 2> costs 240, as without a
    factor window, and W<5, 5> 168, 30 % less.""",
    ("the candidates", lambda: [r for r in range(10, 1, -1) if 10 % r == 0], [10, 5, 2]),
    ("accepted", lambda: [survives(Window(r, r), STREAM, [W20, W30], 120) for r in (10, 5, 2)], [True] * 3),
    ("covered", lambda: [by_definition_1(W10, Window(r, r)) for r in (5, 2)], [True, True]),
    ("the best", lambda: best_factor(STREAM, [W20, W30], PARTITIONED, 120), W10),
    ("without", lambda: cost_around(None, STREAM, [W20, W30], 120), 240),
    ("with W<2, 2>", lambda: footnote_8(2), 240),
    ("with W<5, 5>", lambda: footnote_8(5), 168),
    ("its reduction", lambda: Fraction(240 - 168, 240), Fraction(3, 10)),
)
numbers(
    "coverage.fn8",
    "W fn 8",
    "In the pattern of W and the windows of 20 and 30, the factor window W<10, 10> costs 150, a reduction of 37.5 %.",
    ("the cost", lambda: footnote_8(10), 150),
    expected="refuted",
    remark="150 is the cost of the whole query of Example 7, with the 6 of the window of 40.",
)
numbers(
    "coverage.fn8_corrected",
    "O coverage",
    "In the pattern of W and the windows of 20 and 30, the factor window W<10, 10> costs 144, a reduction of 40 %.",
    ("the cost", lambda: footnote_8(10), 144),
    ("its reduction", lambda: Fraction(240 - 144, 240), Fraction(2, 5)),
    corrects="coverage.fn8",
)
