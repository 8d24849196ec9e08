"""What a plan costs: C = m * lambda + sum of E_i * Omega_i. S Eq 2.1 and 7.1, C Eq 2; Omega: S §7.2, Table 11.

Costs are operations a time unit. A tree pays lambda, one operation an event, to make its partials; E (edges a time unit,
`swagcore.edges`) times Omega (operations an edge) to make its answers of them. TriWeave makes the partials once: see
`swagcore.optimizers.tri_weave` for what it costs.

Omega comes in two versions, over the number of slices that a window of query i has, n_i:

| technique | omega="paper", n_i = r_i * E | omega="counted" |
|---|---|---|
| panes | sum of r_i/s_i | sum of (n_i - 1) / (s_i * E) |
| flatfat | sum of ⌊log2(n_i - 1)⌋ + (n_i - 1) / 2^⌊log2 n_i⌋ | h(n_max) + sum of h(n_i) / (s_i * E) |
| flatfit | 3 * queries | 1 - f + sum of (3 - 6 / (q_i + 1) + u_i) / (s_i * E) |
| slickdeque_inv | different n_i | 2 * different ⌊n_i⌋ and ⌈n_i⌉, less 2 where the largest but one is one less than the largest |
| slickdeque_noninv | 2 - 2/n_max + queries + sum of 1/i!, i <= n_max | 2 - 2/n_max |

with h(n) = (⌊log2 n⌋ - 1 + n / 2^⌊log2 n⌋) / 2; for flatfit q_i = ⌊r_i/s_i⌋, u_i = 1 where a rest is left and 0 elsewhere, f the
largest 1 / (s_i * E) of those with q_i > 0, one with q_i = 0 counts as under panes, and one of one slice not at all.

"counted" counts calls of `combine` and `inverse` when the techniques of this package run over a shared plan, where a
query is asked at the 1 / (s_i * E) of the edges at which it has an answer. There n_i is the mean, linear in E
(`slices_by_rate`): exact where the slide divides the range, for a query on its own, and where every time is an edge;
else off by less than the edges of one slide. Given n_i

- panes is exact;
- flatfat is exact as the mean over the positions, modulo a power of two, at which the stream may begin;
- slickdeque_noninv is the expectation for values that are independent and all different, where n_max does not vary;
- slickdeque_inv is exact where the windows of a query differ by at most one slice;
- flatfit is exact for a query on its own, and an estimate for more.
"""

from __future__ import annotations

import itertools
import math
import numbers
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from swagcore.aggregators import technique_for
from swagcore.algebra import aggregate
from swagcore.algebra.wrappers import Counting, intervals
from swagcore.edges import TooHard, density
from swagcore.errors import InvalidArgument, UnknownName
from swagcore.plan import Tree
from swagcore.slicing import Edge, SharedPlan
from swagcore.windows import Query, Window

Classes: TypeAlias = frozenset[tuple[int, int]]
SECONDS = 2.0
"""How long the edges of one tree are counted, the first time, before an upper bound has to do."""

TECHNIQUES = ("panes", "flatfat", "flatfit", "slickdeque_inv", "slickdeque_noninv")
OMEGAS = ("counted", "paper")
SLICINGS = ("panes", "pairs", "cutty")


class CostModel:
    """What trees cost under a rate, a technique, a slicing and a version of Omega.

    - `tree(queries)`: the tree with its edge rate, Omega and cost. `plan_cost(trees)`: C of a plan.
    - `edge_rate(queries)`, `omega_of(queries, edge_rate)`: the two factors. Edge rates are kept, class set by class set.

    >>> model = CostModel(rate=10, omega="paper")
    >>> tree = model.tree([Query("a", "max", Window(12, 9)), Query("b", "max", Window(10, 6))])
    >>> tree.edge_rate, tree.omega, tree.cost
    (Fraction(4, 9), Fraction(3, 1), Fraction(34, 3))
    """

    def __init__(
        self,
        rate: int | float | Fraction = 1,
        technique: str = "panes",
        slicing: str = "pairs",
        omega: str = "counted",
    ) -> None:
        self.rate = _positive(rate)
        self.technique = "panes" if technique == "recompute" else technique
        if self.technique not in TECHNIQUES:
            raise UnknownName("technique", technique, TECHNIQUES)
        if slicing not in SLICINGS:
            raise UnknownName("slicing", slicing, SLICINGS)
        if omega not in OMEGAS:
            raise UnknownName("omega", omega, OMEGAS)
        self.slicing = slicing
        self.omega = omega
        self._rates: dict[Classes, Fraction] = {}
        self._bounds: dict[Classes, tuple[Fraction, Fraction]] = {}

    def tree(self, queries: Iterable[Query], node: int = 0) -> Tree:
        """The tree of these queries, costed."""
        listed = tuple(queries)
        classes = self.classes([query.window for query in listed])
        edge_rate = self.class_rate(classes)
        omega = self.omega_of((query.window for query in listed), edge_rate)
        return Tree(listed, edge_rate, omega, self.rate + edge_rate * omega, node, self._bounds.get(classes))

    def edge_rate(self, queries: Iterable[Query]) -> Fraction:
        """Edges a time unit, each once: E."""
        return self.class_rate(self.classes([query.window for query in queries]))

    def classes(self, windows: Iterable[Window]) -> Classes:
        """Where the windows cut the stream together, as (residue, modulus)."""
        return frozenset(edge for window in set(windows) for edge in window.edges(self.slicing))

    def class_rate(self, classes: Classes) -> Fraction:
        """The share of times that are in one of the classes (residue, modulus).

        Where they are too hard to count (see `swagcore.edges`), an upper bound, which `tree` then says.
        """
        known = self._rates.get(classes)
        if known is None:
            try:
                # Where some were too hard, others will be: less time for each, so that all of them end.
                known = density(classes, seconds=max(SECONDS / 20, SECONDS / (1 + len(self._bounds))))
            except TooHard as hard:
                known = Fraction(hard.high)
                self._bounds[classes] = Fraction(hard.low), known
            self._rates[classes] = known
        return known

    def omega_of(self, windows: Iterable[Window], edge_rate: Fraction) -> Fraction:
        """Final aggregations an edge, of a tree with these windows and that many edges a time unit."""
        counts = windows if isinstance(windows, Counter) else Counter(windows)
        return (
            _FORMULAS[self.omega, self.technique](counts, edge_rate, self.slicing) if counts else Fraction(0)
        )

    def plan_cost(self, trees: Iterable[Sequence[Query]]) -> Fraction:
        """C of the plan that has these groups of queries as its trees: S Eq 2.1, C Eq 2.

        >>> CostModel(rate=2).plan_cost([[Query("a", "max", Window(6, 2))], [Query("b", "max", Window(8, 4))]])
        Fraction(21, 4)
        """
        return sum((self.tree(tree).cost for tree in trees), Fraction(0))


def _positive(rate: object) -> Fraction:
    """The rate, exactly: 0.1 is one tenth."""
    wanted = "a positive number, of events a time unit"
    if isinstance(rate, bool) or not isinstance(rate, numbers.Real):
        raise InvalidArgument("rate", rate, wanted)
    if isinstance(rate, numbers.Rational):
        exact = Fraction(rate)
    elif math.isfinite(rate):
        exact = Fraction(repr(float(rate)))
    else:
        raise InvalidArgument("rate", rate, wanted)
    if exact <= 0:
        raise InvalidArgument("rate", rate, wanted)
    return exact


# How many slices a window has


def slices_by_rate(window: Window, slicing: str = "pairs") -> tuple[Fraction, Fraction]:
    """The (b, a) of n = b * E + a: how the mean number of slices of a window grows with the edge rate of its tree.

    A whole slide has E * slide edges. The times left over, from a start up to an end, have some of the window's own;
    those of other windows are taken to be spread evenly over the times where it has none.

    >>> slices_by_rate(Window(8, 4)), slices_by_rate(Window(9, 4)), slices_by_rate(Window(11, 4))
    ((Fraction(8, 1), Fraction(0, 1)), (Fraction(8, 1), Fraction(1, 1)), (Fraction(12, 1), Fraction(-1, 1)))
    """
    slide = window.slide
    whole, rest = divmod(window.range, slide)
    if not rest or slicing == "panes":  # panes cut the times left over as often as all others
        return Fraction(window.range), Fraction(0)
    own = len(window.edges(slicing))
    if own == slide:
        return Fraction(window.range), Fraction(0)  # every time is an edge, and E is 1
    # From a start on, up to the end that is `rest` later, a window cuts once, at the start.
    others = Fraction(rest - 1, slide - own)
    return (whole + others) * slide, 1 - own * others


def slices(window: Window, edge_rate: Fraction, slicing: str = "pairs") -> Fraction:
    """The mean number of slices of a window in a tree with that many edges a time unit; see the head of this file.

    >>> slices(Window(14, 8), Fraction(2, 8)), slices(Window(6, 2), Fraction(1, 2)), slices(Window(14, 8), Fraction(1))
    (Fraction(3, 1), Fraction(3, 1), Fraction(14, 1))
    """
    growth, constant = slices_by_rate(window, slicing)
    return growth * edge_rate + constant


# Omega as printed: each takes the windows of a tree, with how many queries have each


def _paper_panes(windows: Counter[Window], edge_rate: Fraction, slicing: str) -> Fraction:
    return overlap(windows)


def _paper_flatfat(windows: Counter[Window], edge_rate: Fraction, slicing: str) -> Fraction:
    """S Eq 7.4. Below two partials its logarithm is that of a number below 1: such a query counts nothing here."""
    total = Fraction(0)
    for window, times in windows.items():
        n = edge_rate * window.range
        if n >= 2:
            total += times * (_floor_log2(n - 1) + (n - 1) / (1 << _floor_log2(n)))
    return total


def _paper_flatfit(windows: Counter[Window], edge_rate: Fraction, slicing: str) -> Fraction:
    return Fraction(3 * windows.total())


def _paper_slickdeque_inv(windows: Counter[Window], edge_rate: Fraction, slicing: str) -> Fraction:
    """S Eq 7.6, which has lost the factor 2 of the text before it. As many n_i differ as ranges do."""
    return Fraction(len({window.range for window in windows}))


def _paper_slickdeque_noninv(windows: Counter[Window], edge_rate: Fraction, slicing: str) -> Fraction:
    n = max(Fraction(1), edge_rate * max(window.range for window in windows))
    return 2 - 2 / n + windows.total() + _inverse_factorials(min(math.floor(n), 25))


@cache
def _inverse_factorials(n: int) -> Fraction:
    """1/1! + ... + 1/n!; beyond n = 25 it would change in the 27th decimal."""
    return sum((Fraction(1, math.factorial(i)) for i in range(1, n + 1)), Fraction(0))


def overlap(windows: Counter[Window]) -> Fraction:
    """The sum of range / slide: the tree overlap factor of C §2.3.

    >>> overlap(Counter([Window(12, 9), Window(10, 6)]))
    Fraction(3, 1)
    """
    ranges: dict[int, int] = {}
    for window, times in windows.items():
        ranges[window.slide] = ranges.get(window.slide, 0) + times * window.range
    return sum((Fraction(total, slide) for slide, total in ranges.items()), Fraction(0))


# Omega as counted


def _counted_panes(windows: Counter[Window], edge_rate: Fraction, slicing: str) -> Fraction:
    growth, constant = linear_panes(windows, slicing)
    return growth - constant / edge_rate


def linear_panes(windows: Counter[Window], slicing: str = "pairs") -> tuple[Fraction, Fraction]:
    """The (W, F) of E * Omega = W * E - F for panes, as counted. Both are sums over the windows, so a plan decides E only.

    >>> linear_panes(Counter([Window(6, 2), Window(8, 4)]))
    (Fraction(5, 1), Fraction(3, 4))
    """
    sums: dict[int, tuple[Fraction | int, Fraction | int]] = {}
    for window, times in windows.items():
        slide = window.slide
        growth: Fraction | int = window.range
        constant: Fraction | int = 0
        if growth % slide:
            growth, constant = slices_by_rate(window, slicing)
        so_far = sums.get(slide, (0, 0))
        sums[slide] = so_far[0] + times * growth, so_far[1] + times * (1 - constant)
    return (
        sum((Fraction(growth) / slide for slide, (growth, _) in sums.items()), Fraction(0)),
        sum((Fraction(constant) / slide for slide, (_, constant) in sums.items()), Fraction(0)),
    )


def _counted_flatfat(windows: Counter[Window], edge_rate: Fraction, slicing: str) -> Fraction:
    found = [(slices(window, edge_rate, slicing), times, window.slide) for window, times in windows.items()]
    asked = sum(times * half_path(n) / slide for n, times, slide in found)
    return half_path(max(n for n, _, _ in found)) + asked / edge_rate


def _counted_flatfit(windows: Counter[Window], edge_rate: Fraction, slicing: str) -> Fraction:
    """The partials between two answers are walked once, by whom it may be; then a query jumps over its own slides."""
    asked, most = Fraction(0), Fraction(0)
    for window in windows:
        whole, rest = divmod(window.range, window.slide)
        n = slices(window, edge_rate, slicing)
        if n == 1:
            continue
        if whole:
            most = max(most, Fraction(1, window.slide))
            asked += (3 - Fraction(6, whole + 1) + bool(rest)) / window.slide
        else:
            asked += (n - 1) / window.slide
    return (1 if most else 0) + (asked - most) / edge_rate


def _counted_slickdeque_inv(windows: Counter[Window], edge_rate: Fraction, slicing: str) -> Fraction:
    counts: set[int] = set()
    for window in windows:
        n = slices(window, edge_rate, slicing)
        counts |= {math.floor(n), math.ceil(n)}
    if counts == {1}:
        return Fraction(1)  # a window of one partial has nothing to take off
    # The answer of one less than the longest is what is left of it when the oldest goes: it costs nothing.
    return Fraction(2 * len(counts) - 2 * (max(counts) - 1 in counts))


def _counted_slickdeque_noninv(windows: Counter[Window], edge_rate: Fraction, slicing: str) -> Fraction:
    return 2 - 2 / max(slices(window, edge_rate, slicing) for window in windows)


def half_path(n: Fraction) -> Fraction:
    """Half of what FlatFAT needs a slide of a window of n: the insert's share, and that of the query.

    >>> [half_path(Fraction(n)) for n in (1, 2, 6, 8)]
    [Fraction(0, 1), Fraction(1, 2), Fraction(5, 4), Fraction(3, 2)]
    """
    k = _floor_log2(n)
    return (k - 1 + n / (1 << k)) / 2


def _floor_log2(x: Fraction) -> int:
    """⌊log2 x⌋ for x >= 1, exactly."""
    return math.floor(x).bit_length() - 1


_FORMULAS: dict[tuple[str, str], Callable[[Counter[Window], Fraction, str], Fraction]] = {
    ("paper", "panes"): _paper_panes,
    ("paper", "flatfat"): _paper_flatfat,
    ("paper", "flatfit"): _paper_flatfit,
    ("paper", "slickdeque_inv"): _paper_slickdeque_inv,
    ("paper", "slickdeque_noninv"): _paper_slickdeque_noninv,
    ("counted", "panes"): _counted_panes,
    ("counted", "flatfat"): _counted_flatfat,
    ("counted", "flatfit"): _counted_flatfit,
    ("counted", "slickdeque_inv"): _counted_slickdeque_inv,
    ("counted", "slickdeque_noninv"): _counted_slickdeque_noninv,
}


# Omega as it is


def measured_omega(
    queries: Sequence[Query], technique: str, slicing: str = "pairs", edges: int = 2000, seed: int = 0
) -> Fraction:
    """Operations an edge, counted in a run of the technique over the shared plan of the queries.

    The window holds the closed slices of the longest query. Counting begins when it is full, and goes on for so many edges,
    rounded up to whole composite slides. Values are independent and different, which matters to slickdeque_noninv only.

    >>> queries = [Query("six", "max", Window(6, 2)), Query("eight", "max", Window(8, 4))]
    >>> measured_omega(queries, "panes"), CostModel().tree(queries).omega
    (Fraction(7, 2), Fraction(7, 2))
    """
    plan = SharedPlan(queries, slicing)
    windows = {query.name: query.window for query in queries}

    def closed(edge: Edge, name: str) -> int:
        """How many of an answer's slices are closed: under Cutty a window may end inside one, which is read while it is open."""
        asked = windows[name]
        return edge.answers[name] - ((edge.time - asked.offset - asked.range) % asked.slide != 0)

    asked_for = {closed(edge, name) for edge in plan.one_period() for name in edge.answers} - {0}
    selective = technique == "slickdeque_noninv"
    counting = Counting(aggregate("max") if selective else intervals)
    window = technique_for(
        technique, counting.aggregate, asked_for if technique == "slickdeque_inv" else None
    )
    combine = counting.aggregate.combine
    longest, values = max(asked_for, default=1), random.Random(seed)
    per_period = plan.edges_per_period()
    filling = -(-longest // per_period) * per_period
    counted = -(-edges // per_period) * per_period
    for number, edge in enumerate(itertools.islice(plan.edges(), filling + counted)):
        if number == filling:
            counting.reset()
        if len(window) == longest:
            window.evict()
        window.insert(values.random() if selective else (number, number + 1))
        for name, n in edge.answers.items():
            of_closed = closed(edge, name)
            if 0 < of_closed <= len(window):
                answer = window.query(of_closed)  # type: ignore[call-arg]  # all of these take an n
                if of_closed < n:
                    combine(answer, values.random() if selective else (number + 1, number + 2))
    return Fraction(counting.operations, counted)
