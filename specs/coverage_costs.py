"""Window coverage: what graphs cost, Algorithms 1 and 2 and the search for factor windows (W §3.2 to §4.3)."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from specs.coverage import (
    SIZES,
    W10,
    W20,
    W30,
    W40,
    apart,
    by_definition_1,
    by_definition_5,
    intervals,
    joined,
    numbers,
    pairs,
    shown,
)
from swagcore.coverage import covered_by, evaluate, min_cost, multiplier, partitioned_by
from swagcore.coverage.cost import period_of, recurrences
from swagcore.coverage.network import Network
from swagcore.coverage.paper import STREAM, change, paper_cost
from swagcore.coverage.relation import PARTITIONED, inside
from swagcore.coverage.search import bound_of_any
from swagcore.coverage.steiner import steiner
from swagcore.ledger import by_size, claim, evidence, smallest
from swagcore.naive import naive
from swagcore.windows import Query, Window

# Costs


def counted(window: Window, period: int) -> int:
    """The intervals of a window inside [0, period)."""
    return len(intervals(window, 0, period))


def sized(limit: int) -> Iterator[tuple[int, int, int]]:
    """(r, s, m) with s <= r: a window, and a period of m times its range."""
    sizes = range(1, limit + 1)
    return ((r, s, m) for r, s, m in by_size(sizes, sizes, range(1, 7)) if s <= r)


@claim(
    "coverage.eq1",
    source="W Eq 1",
    kind="formula",
    statement="If r is a multiple of s, 1 + (m - 1) * r / s intervals of W<r, s> lie inside a period of m * r.",
)
@evidence("exhaustive", scope="ranges up to 12, m up to 6")
def recurrence_count() -> object:
    return smallest(
        ((r, s, m) for r, s, m in sized(12) if r % s == 0),
        lambda r, s, m: counted(Window(r, s), m * r) == 1 + Fraction((m - 1) * r, s),
    )


@claim(
    "coverage.eq1_without_floor",
    source="W §3.2",
    kind="formula",
    expected="refuted",
    statement="1 + (R - r) / s intervals of W<r, s> lie inside a period of R, a multiple of r, for every s <= r.",
    remark="The paper assumes that s divides r, and leaves the other windows for future work.",
)
@evidence("exhaustive", scope="ranges up to 12, m up to 6")
def recurrence_count_of_all_windows() -> object:
    return smallest(sized(12), lambda r, s, m: counted(Window(r, s), m * r) == 1 + Fraction(m * r - r, s))


@claim(
    "coverage.recurrences",
    source="O coverage",
    kind="formula",
    corrects="coverage.eq1_without_floor",
    statement="1 + floor((R - r) / s) instances of a window lie inside a period of R that begins where one of them does.",
)
@evidence("exhaustive", scope="ranges up to 12, m up to 6, also slide > range, and every start")
def recurrences_by_counting() -> object:
    def holds(r: int, s: int, m: int, k: int) -> bool:
        window, first = Window(r, s, 1), 1 % s + k * s
        return len(intervals(window, first, first + m * r)) == recurrences(window, m * r)

    return smallest(by_size(range(1, 13), range(1, 13), range(1, 7), range(3)), holds)


@claim(
    "coverage.eq1_middle",
    source="W §3.2",
    kind="formula",
    expected="refuted",
    statement="1 + (R - r) / s = 1 + (R / s - 1) * r / s.",
)
@evidence("exhaustive", scope="s dividing r, r up to 8, m up to 6")
def middle_of_equation_1() -> object:
    return smallest(
        ((r, s, m) for r, s, m in sized(8) if r % s == 0),
        lambda r, s, m: 1 + Fraction(m * r - r, s) == 1 + (Fraction(m * r, s) - 1) * Fraction(r, s),
    )


@claim(
    "coverage.eq1_middle_corrected",
    source="O coverage",
    kind="formula",
    corrects="coverage.eq1_middle",
    statement="1 + (R - r) / s = 1 + (R / r - 1) * r / s.",
)
@evidence("exhaustive", scope="r up to 12, m up to 6")
def middle_of_equation_1_corrected() -> object:
    return smallest(
        sized(12),
        lambda r, s, m: 1 + Fraction(m * r - r, s) == 1 + (Fraction(m * r, r) - 1) * Fraction(r, s),
    )


@claim(
    "coverage.tumbling_count",
    source="W §3.2",
    kind="formula",
    statement="A tumbling window recurs R / r times, and reads eta * R events over the period (also footnote 6).",
)
@evidence("exhaustive", scope="ranges up to 12, m up to 6")
def tumbling_count() -> object:
    return smallest(
        by_size(range(1, 13), range(1, 7)),
        lambda r, m: counted(Window(r, r), m * r) == m and counted(Window(r, r), m * r) * r == m * r,
    )


@claim(
    "coverage.fn4",
    source="W fn 4",
    kind="statement",
    expected="refuted",
    statement="If r is no multiple of s, 1 + (m - 1) * r / s is an integer only if m - 1 is a multiple of s.",
)
@evidence("exhaustive", scope="s < r up to 12, m up to 6")
def footnote_4() -> object:
    return smallest(
        ((r, s, m) for r, s, m in sized(12) if r % s),
        lambda r, s, m: ((m - 1) * r) % s != 0 or (m - 1) % s == 0,
    )


@claim(
    "coverage.fn4_corrected",
    source="O coverage",
    kind="statement",
    corrects="coverage.fn4",
    statement="1 + (m - 1) * r / s is an integer if and only if m - 1 is a multiple of s / gcd(r, s).",
)
@evidence("exhaustive", scope="s <= r up to 20, m up to 6")
def footnote_4_corrected() -> object:
    return smallest(
        sized(20), lambda r, s, m: (((m - 1) * r) % s == 0) == ((m - 1) % (s // math.gcd(r, s)) == 0)
    )


def steps_of_one_instance(w1: Window, w2: Window) -> int:
    return len(intervals(w2, 0, w1.range))


@claim(
    "coverage.obs1",
    source="W Obs 1",
    kind="formula",
    expected="refuted",
    statement="Computed from a window W2 that covers it, one instance of W1 costs n1 * M(W1, W2).",
    remark="The factor n1 belongs to the cost over the period, as lines 3 and 5 of Algorithm 1 have it.",
)
@evidence("exhaustive", scope="pairs of windows with ranges up to 6, over the lcm of the two ranges")
def observation_1() -> object:
    def holds(r1: int, s1: int, r2: int, s2: int) -> bool:
        w1, w2 = Window(r1, s1), Window(r2, s2)
        if w1 == w2 or not by_definition_1(w1, w2):
            return True
        n1 = counted(w1, math.lcm(r1, r2))
        return steps_of_one_instance(w1, w2) == n1 * multiplier(w1, w2)

    return smallest(pairs(6, multiple=True), holds)


@claim(
    "coverage.obs1_corrected",
    source="O coverage",
    kind="formula",
    corrects="coverage.obs1",
    statement="""One instance of W1 costs M(W1, W2) from a window that covers it and eta * r1 from the stream; the least of these is
    its cost, and for eta >= 1 the stream is never the cheaper one.""",
)
@evidence("exhaustive", scope="pairs of windows with ranges up to 8")
def observation_1_corrected() -> object:
    def holds(r1: int, s1: int, r2: int, s2: int) -> bool:
        w1, w2 = Window(r1, s1), Window(r2, s2)
        if w1 == w2 or not by_definition_1(w1, w2):
            return True
        graph = min_cost([w1, w2], "min", factor_windows=False)
        return graph.steps_of(w1) == steps_of_one_instance(w1, w2) == multiplier(w1, w2) <= r1

    return smallest(pairs(), holds)


# Algorithm 1


def algorithm_1_as_printed(windows: Sequence[Window], events: int) -> tuple[int, list[list[int]]]:
    """The cost, and for each window the windows whose edges are left, self-loops and ties as the text has them."""
    period = period_of(windows)
    total, left = 0, []
    for w in windows:
        n = counted(w, period)
        edges = {k: n * inside(w, v) for k, v in enumerate(windows) if by_definition_1(w, v)}
        cost = min([n * events * w.range, *edges.values()])
        total += cost
        left.append([k for k, edge in edges.items() if edge == cost])
    return total, left


def small_sets(most: int, limit: int) -> Iterator[list[Window]]:
    """Sets of up to `most` windows with slides that divide their ranges, smallest first."""
    windows = [Window(r, s) for r in range(1, limit + 1) for s in range(1, r + 1) if r % s == 0]
    sets = [c for size in range(1, most + 1) for c in itertools.combinations(windows, size)]
    sets.sort(key=lambda c: (len(c), sum(w.range + w.slide for w in c)))
    return (list(chosen) for chosen in sets)


@claim(
    "coverage.alg1_edges",
    source="W Alg 1",
    kind="algorithm",
    expected="refuted",
    statement="""Over the graph with an edge for every two windows of which one is covered by the other (W §2.3), the costs of lines
    3 to 5 can be reached: a window is computed from the stream or from another one.""",
    remark="Every window is covered by itself, so that the graph has loops: each window costs one step from itself.",
)
@evidence("exhaustive", scope="sets of up to 2 windows with ranges up to 6, eta = 1 and 2")
def algorithm_1_with_loops() -> object:
    def holds(windows: list[Window], events: int) -> bool:
        return algorithm_1_as_printed(windows, events)[0] == cheapest_parents(windows, events)

    cases = ((w, events) for w in small_sets(2, 6) for events in (1, 2))
    found = smallest(cases, holds)
    return found and f"{shown(*found['windows'])}, eta = {found['events']}"


def cheapest_parents(windows: Sequence[Window], events: int) -> int:
    """The least cost over all ways to give each window the stream or another window that covers it, cycles excluded."""
    period = period_of(windows)
    options = [[None, *(v for v in windows if v != w and joined(w, v))] for w in windows]
    best = None
    for chosen in itertools.product(*options):
        parent = dict(zip(windows, chosen, strict=True))
        if any(_cyclic(w, parent) for w in windows):
            continue
        total = sum(
            counted(w, period) * (events * w.range if p is None else steps_of_one_instance(w, p))
            for w, p in parent.items()
        )
        best = total if best is None else min(best, total)
    assert best is not None
    return best


def _cyclic(window: Window, parent: dict[Window, Window | None]) -> bool:
    seen: set[Window] = set()
    while (above := parent[window]) is not None:
        if above in seen:
            return True
        seen.add(above)
        window = above
    return False


@claim(
    "coverage.alg1",
    source="W §4.3",
    kind="algorithm",
    corrects="coverage.alg1_edges",
    statement="""Without loops, Algorithm 1 is optimal among the graphs without factor windows: no way to give each window the stream
    or another window that covers it is cheaper.""",
)
@evidence("exhaustive", scope="sets of up to 3 windows with ranges up to 6, eta = 1 and 3")
def algorithm_1_is_optimal() -> object:
    return smallest(
        ((w, events) for w in small_sets(3, 6) for events in (1, 3)),
        lambda windows, events: (
            min_cost(windows, "min", events, factor_windows=False).cost == cheapest_parents(windows, events)
        ),
    )


@claim(
    "coverage.thm7",
    source="W Thm 7",
    kind="theorem",
    expected="refuted",
    statement="""After Algorithm 1 every window has at most one incoming edge, because all that do not give its cost are removed:
    the graph is a forest (loops left aside).""",
    remark="Two windows may be equally cheap parents, and then both edges give the cost.",
)
@evidence("exhaustive", scope="sets of up to 3 windows with ranges up to 6")
def theorem_7_as_printed() -> object:
    def holds(windows: list[Window]) -> bool:
        period = period_of(windows)
        for w in windows:
            n = counted(w, period)
            edges = [n * inside(w, v) for v in windows if v != w and by_definition_1(w, v)]
            cost = min([n * w.range, *edges])
            if edges.count(cost) > 1:
                return False
        return True

    found = smallest(((w,) for w in small_sets(3, 6)), holds)
    return found and shown(*found["windows"])


@claim(
    "coverage.thm7_corrected",
    source="O coverage",
    kind="theorem",
    corrects="coverage.thm7",
    statement="If one edge of the cheapest is kept for each window, the graph is a forest, whose edges all stand in the relation.",
)
@evidence(
    "exhaustive",
    scope="sets of up to 3 windows with ranges up to 6, min and sum, with factor windows and without",
)
def graphs_are_forests() -> object:
    def holds(windows: list[Window]) -> bool:
        for name, related in (("min", joined), ("sum", lambda a, b: joined(a, b) and apart(a, b))):
            for with_factors in (False, True):
                parent = min_cost(windows, name, 2, factor_windows=with_factors).parent
                if any(_cyclic(w, dict(parent)) or (p and not related(w, p)) for w, p in parent.items()):
                    return False
        return True

    return smallest(((w,) for w in small_sets(3, 6)), holds)


@claim(
    "coverage.tumbling_semantics",
    source="W Ex 6",
    kind="statement",
    statement="Of two tumbling windows, one is covered by the other if and only if it is partitioned by it.",
)
@evidence("exhaustive", scope="ranges up to 24")
def tumbling_semantics_coincide() -> object:
    sizes = range(1, 25)
    return smallest(
        by_size(sizes, sizes),
        lambda r1, r2: (
            covered_by(Window(r1, r1), Window(r2, r2)) == partitioned_by(Window(r1, r1), Window(r2, r2))
        ),
    )


EX6, EX7 = [W10, W20, W30, W40], [W20, W30, W40]
numbers(
    "coverage.ex6",
    "W Ex 6",
    """For tumbling windows of 10, 20, 30 and 40 the period is 120, they recur 12, 6, 4 and 3 times, cost 480 alone, the
    multipliers are 2, 3, 4 and 2, and the min-cost graph costs 120 + 12 + 12 + 6 = 150.""",
    ("the period", lambda: period_of(EX6), 120),
    ("the recurrence counts", lambda: [counted(w, 120) for w in EX6], [12, 6, 4, 3]),
    ("the cost alone", lambda: sum(counted(w, 120) * w.range for w in EX6), 480),
    (
        "the multipliers",
        lambda: [steps_of_one_instance(a, b) for a, b in ((W20, W10), (W30, W10), (W40, W10), (W40, W20))],
        [2, 3, 4, 2],
    ),
    ("the cost", lambda: cheapest_parents(EX6, 1), 150),
    ("the parts", lambda: [min_cost(EX6, factor_windows=False).cost_of(w) for w in EX6], [120, 12, 12, 6]),
)
numbers(
    "coverage.ex6_percent",
    "W Ex 6",
    "From 480 to 150 is a reduction of 62.5 %.",
    (
        "the reduction in percent",
        lambda: Fraction(100 * (480 - cheapest_parents(EX6, 1)), 480),
        Fraction(125, 2),
    ),
    expected="refuted",
)
numbers(
    "coverage.ex6_percent_corrected",
    "O coverage",
    "From 480 to 150 is a reduction of 68.75 %.",
    (
        "the reduction in percent",
        lambda: Fraction(100 * (480 - cheapest_parents(EX6, 1)), 480),
        Fraction(275, 4),
    ),
    corrects="coverage.ex6_percent",
)
numbers(
    "coverage.ex7",
    "W Ex 7",
    """For tumbling windows of 20, 30 and 40 the cost is 360 alone, 246 with Algorithm 1 (31.7 % less), and 150 with the factor
    window W<10, 10>: 58.3 % less than 360 and 39 % less than 246. No other factor windows are cheaper.""",
    ("the cost alone", lambda: sum(counted(w, 120) * w.range for w in EX7), 360),
    ("the cost with Algorithm 1", lambda: cheapest_parents(EX7, 1), 246),
    ("the first reduction", lambda: round(100 * (360 - 246) / 360, 1), 31.7),
    ("the cost with W<10, 10>", lambda: cheapest_parents(EX6, 1), 150),
    ("the best cost", lambda: min_cost(EX7, "min").cost, 150),
    ("the factor windows", lambda: min_cost(EX7, "min").factors, (W10,)),
    ("the second reduction", lambda: round(100 * (360 - 150) / 360, 1), 58.3),
    ("the third reduction", lambda: round(100 * (246 - 150) / 246), 39),
    remark="That no other is cheaper is ours.",
)


# Factor windows


@claim(
    "coverage.root",
    source="W §4.1",
    kind="statement",
    statement="W<1, 1> covers every window, is covered by no other, and costs eta * R over any period R.",
)
@evidence("exhaustive", scope="ranges and slides up to 8; periods up to 20")
def the_root_covers_all() -> object:
    def holds(r: int, s: int) -> bool:
        window = Window(r, s)
        covers = s > r or by_definition_1(window, STREAM)
        return covers and (window == STREAM or not by_definition_1(STREAM, window))

    found = smallest(by_size(SIZES, SIZES), holds)
    return found or smallest(((p,) for p in range(1, 21)), lambda period: counted(STREAM, period) == period)


def neighbourhoods(
    limit: int, most: int, relation: str
) -> Iterator[tuple[Window, Window, list[Window], int]]:
    """(factor, window, those below, period) as in W Fig 9, smallest first."""
    windows = [Window(r, s) for r in range(1, limit + 1) for s in range(1, r + 1) if r % s == 0]
    related = by_definition_5 if relation == PARTITIONED else by_definition_1
    above = {w: [v for v in windows if v != w and related(w, v)] for w in windows}
    found = []
    for factor in windows:
        below = [w for w in windows if w != factor and factor in above[w]]
        for window in above[factor]:
            for size in range(1, most + 1):
                for chosen in itertools.combinations(below, size):
                    for longer in (1, 2, 3):
                        period = longer * math.lcm(*(w.range for w in chosen))
                        found.append((factor, window, list(chosen), period))
    found.sort(key=lambda c: (len(c[2]), c[3], sum(w.range + w.slide for w in (c[0], c[1], *c[2]))))
    return iter(found)


def cost_around(factor: Window | None, window: Window, below: Sequence[Window], period: int) -> int:
    """What those below cost from the window, or from the factor window and it from the window; by counting."""
    source = factor or window
    total = sum(counted(w, period) * steps_of_one_instance(w, source) for w in below)
    return total + (counted(factor, period) * steps_of_one_instance(factor, window) if factor else 0)


@claim(
    "coverage.eq2",
    source="W Eq 2",
    kind="formula",
    statement="""A factor window between W and K windows below it changes the cost by n_f * (sum of n_j / n_f * (r_j / s_f - k_f -
    r_j / s_W + k_W) + 1 + r_f / s_W - k_W).""",
)
@evidence(
    "exhaustive",
    scope="windows with ranges up to 8, K up to 2, periods up to three times the lcm; and `change`",
)
def equation_2() -> object:
    def holds(factor: Window, window: Window, below: list[Window], period: int) -> bool:
        n_f, k_f, k_w = (
            counted(factor, period),
            Fraction(factor.range, factor.slide),
            Fraction(window.range, window.slide),
        )
        inner = sum(
            Fraction(counted(w, period), n_f)
            * (Fraction(w.range, factor.slide) - k_f - Fraction(w.range, window.slide) + k_w)
            for w in below
        )
        printed = n_f * (inner + 1 + Fraction(factor.range, window.slide) - k_w)
        true = cost_around(factor, window, below, period) - cost_around(None, window, below, period)
        return printed == true == change(factor, window, below, period)

    return smallest(neighbourhoods(6, 2, "covered by"), holds)


@claim(
    "coverage.eq3",
    source="W Eq 3",
    kind="formula",
    expected="refuted",
    statement="A factor window makes the graph cheaper if and only if the bracket of Equation 2 is at most 0.",
    remark="At 0 nothing is gained; with < in place of <= it is true.",
)
@evidence("exhaustive", scope="windows with ranges up to 8, K up to 2")
def equation_3() -> object:
    def holds(factor: Window, window: Window, below: list[Window], period: int) -> bool:
        cheaper = cost_around(factor, window, below, period) < cost_around(None, window, below, period)
        return cheaper == (change(factor, window, below, period) <= 0)

    return told(smallest(neighbourhoods(8, 2, PARTITIONED), holds))


@claim(
    "coverage.eq3_corrected",
    source="O coverage",
    kind="formula",
    corrects="coverage.eq3",
    statement="A factor window makes the graph cheaper if and only if Equation 2 is negative, and dearer if and only if it is positive.",
)
@evidence("exhaustive", scope="windows with ranges up to 6, K up to 2")
def equation_3_corrected() -> object:
    def holds(factor: Window, window: Window, below: list[Window], period: int) -> bool:
        with_it, without = (
            cost_around(factor, window, below, period),
            cost_around(None, window, below, period),
        )
        found = change(factor, window, below, period)
        return (with_it < without) == (found < 0) and (with_it > without) == (found > 0)

    return smallest(neighbourhoods(6, 2, "covered by"), holds)


def told(found: dict[str, Any] | None) -> str | None:
    """A neighbourhood in the paper's notation."""
    if found is None:
        return None
    return (
        f"W_f = {shown(found['factor'])}, W = {shown(found['window'])}, below {shown(*found['below'])}, "
        f"R = {found['period']}"
    )


@claim(
    "coverage.candidates",
    source="W §4.2.1",
    kind="statement",
    statement="""Where slides divide ranges: a factor window between W and the windows below it has a slide that divides all theirs
    and is a multiple of s_W, and a range that is a multiple of its slide and at most their least range.""",
)
@evidence("exhaustive", scope="windows with ranges up to 8, the factor window any with slide <= range")
def candidate_generation() -> object:
    windows = [Window(r, s) for r in SIZES for s in range(1, r + 1) if r % s == 0]
    factors = [Window(r, s) for r in SIZES for s in range(1, r + 1)]

    def holds(factor: Window, window: Window, w1: Window, w2: Window) -> bool:
        fits = by_definition_1(factor, window) and all(by_definition_1(w, factor) for w in (w1, w2))
        slide = math.gcd(w1.slide, w2.slide) % factor.slide == 0 and factor.slide % window.slide == 0
        extent = factor.range % factor.slide == 0 and factor.range <= min(w1.range, w2.range)
        return not fits or (slide and extent)

    above = {w: [f for f in factors if by_definition_1(w, f)] for w in {*windows, *factors}}
    return smallest(
        (
            (f, w, w1, w2)
            for w1, w2 in itertools.combinations(windows, 2)
            for f in above[w1]
            if f in above[w2]
            for w in above[f]
        ),
        holds,
    )


@claim(
    "coverage.alg2_not_optimal",
    source="W §4.3",
    kind="statement",
    statement="Some window set has a cheaper graph with factor windows than the better one of Algorithms 1 and 2 finds.",
)
@evidence("exhaustive", scope="sets of up to 3 windows with ranges up to 6, until one is found")
def algorithm_2_is_not_optimal() -> object:
    for windows in small_sets(3, 6):
        if min_cost(windows, "min", 2).cost < paper_cost(windows, "covered by", 2)[1]:
            return None
    return "none up to this size"


@claim(
    "coverage.alg2_never_worse",
    source="W §4.3",
    kind="statement",
    statement="The better one of Algorithms 1 and 2 is never dearer than Algorithm 1 (WCG-FW is no worse than WCG, W §5.3).",
)
@evidence("exhaustive", scope="sets of up to 3 windows with ranges up to 6, both relations, eta = 2")
def algorithm_2_is_never_worse() -> object:
    def holds(windows: list[Window], relation: str) -> bool:
        plain, with_factors = paper_cost(windows, relation, 2)
        return with_factors <= plain

    return smallest(((w, r) for w in small_sets(3, 6) for r in ("covered by", PARTITIONED)), holds)


claim(
    "coverage.np_hard",
    source="W §4.3",
    kind="complexity",
    expected="open",
    reason="""That a problem is a case of an NP-hard one does not make it NP-hard, and the costs here are far from arbitrary; the
    paper gives no reduction, and we have neither one nor a polynomial algorithm.""",
    statement="Finding the min-cost graph with factor windows is NP-hard, being a case of the Steiner tree problem.",
)


@claim(
    "coverage.search_optimal",
    source="O coverage",
    kind="algorithm",
    statement="""`min_cost` finds a graph that no choice of factor windows on any levels makes cheaper, wherever it says `optimal`: over
    the period and in the steady state, for covers and partitions, with offsets and gaps.""",
)
@evidence(
    "property",
    scope="{count} random sets of 3 windows, against the exact tree over all windows there are",
    count=60,
)
@evidence(
    "property",
    scope="{count} random sets of 3 windows, against the exact tree over all windows there are",
    count=1500,
    profile="nightly",
)
def search_is_optimal(count: int) -> object:
    rng = random.Random(20)
    for _ in range(count):
        windows = sorted({_some_window(rng) for _ in range(3)}, key=repr)
        relation, name = rng.choice([("covered by", "min"), (PARTITIONED, "sum")])
        events, minimize = rng.choice([1, 5, Fraction(1, 3)]), rng.choice(["cost", "rate"])
        network = Network.of(windows, every_window_above(windows, relation), relation, events, minimize)
        cheapest = Fraction(network.cost(steiner(network)), network.scale)
        graph = min_cost(windows, name, events, minimize=minimize)
        found = graph.cost if minimize == "cost" else graph.rate
        if not graph.optimal or found != cheapest:
            return {
                "windows": windows,
                "aggregate": name,
                "events": events,
                "found": found,
                "cheapest": cheapest,
            }
    return None


def _some_window(rng: random.Random) -> Window:
    slide = rng.randint(1, 8)
    extent = rng.choice([slide * rng.randint(1, 3), rng.randint(1, 20)])
    return Window(extent, slide, rng.choice([0, rng.randrange(slide)]))


def every_window_above(windows: Sequence[Window], relation: str) -> list[Window]:
    """All windows from which one of these can be computed, by way of any others."""
    related = covered_by if relation == "covered by" else partitioned_by
    found: set[Window] = set()
    waiting = list(windows)
    while waiting:
        w = waiting.pop()
        above = (Window(r, s, w.offset) for s in range(1, w.slide + 1) for r in range(1, w.range + 1))
        new = {v for v in above if related(w, v)} - found
        found |= new
        waiting += new
    return sorted(found, key=repr)


@claim(
    "coverage.steiner",
    source="O coverage",
    kind="algorithm",
    statement="The recursion over sets of terminals gives the cheapest of all subsets of the candidates.",
)
@evidence("property", scope="60 random networks with up to 8 candidates, against every subset")
def steiner_is_the_cheapest_subset() -> object:
    rng = random.Random(21)
    for _ in range(60):
        windows = sorted({_some_window(rng) for _ in range(3)}, key=repr)
        relation = rng.choice(["covered by", PARTITIONED])
        extra = every_window_above(windows, relation)
        rng.shuffle(extra)
        network = Network.of(windows, extra[:8], relation, rng.choice([1, 5]), "cost")
        others = [node for node in range(len(network.nodes)) if node not in network.asked]
        subsets = (c for size in range(len(others) + 1) for c in itertools.combinations(others, size))
        if network.cost(steiner(network)) != min(map(network.cost, subsets)):
            return {"windows": windows, "candidates": extra[:8]}
    return None


@claim(
    "coverage.bound",
    source="O coverage",
    kind="statement",
    statement="No graph costs less than `bound_of_any`, which is what `gap` rests on where the optimum is not known.",
)
@evidence("property", scope="200 random sets of 3 windows, against the optimum")
def bound_is_one() -> object:
    rng = random.Random(22)
    for _ in range(200):
        windows = sorted({_some_window(rng) for _ in range(3)}, key=repr)
        events = rng.choice([1, 5, Fraction(1, 3)])
        for minimize in ("cost", "rate"):
            graph = min_cost(windows, "min", events, minimize=minimize)
            if bound_of_any(windows, events, minimize) > getattr(graph, minimize):
                return {"windows": windows, "events": events, "minimize": minimize}
    return None


@claim(
    "coverage.evaluate",
    source="O coverage",
    kind="algorithm",
    statement="""A graph of `min_cost`, evaluated by way of its sub-aggregates, gives the answers of re-evaluation: for every
    aggregate, with empty instances, nulls, equal times and keys.""",
)
@evidence("property", scope="300 random sets of up to 5 windows and streams of 30 events")
def graphs_answer_as_naive_does() -> object:
    rng = random.Random(23)
    names = (
        "min",
        "max",
        "spread",
        "first",
        "last",
        "sum",
        "count",
        "mean",
        "variance",
        "top_k(2)",
        "median",
    )
    for _ in range(300):
        unit = rng.choice([1, 2, 3])
        windows = []
        for _ in range(rng.randint(1, 5)):
            slide = unit * rng.randint(1, 5)
            windows.append(
                Window(rng.choice([slide * rng.randint(1, 4), unit]), slide, rng.choice([0, unit]))
            )
        graph = min_cost(windows, rng.choice(names), 5, minimize=rng.choice(["cost", "rate"]))
        time, stream = -9, []
        for _ in range(30):
            time += rng.choice([0, 0, 1, 1, 2, 7])
            stream.append((time, rng.choice([None, 1, -2, 3, 3]), rng.choice("xy")))
        found = evaluate(graph, stream)
        for window in graph.windows:
            wanted = naive([Query(repr(window), graph.aggregate, window)], stream)
            if sorted(map(repr, wanted)) != sorted(map(repr, found[window])):
                return {"graph": dict(graph.parent), "aggregate": graph.aggregate.name, "stream": stream}
    return None
