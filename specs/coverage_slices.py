"""Window coverage: slicing costs, the generators, and what the figures are said to show (W §5)."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from specs.coverage import SIZES, intervals, shown
from specs.coverage_costs import small_sets
from swagcore.coverage import covered_by, min_cost
from swagcore.coverage.paper import factor_windows, paper_cost
from swagcore.coverage.relation import PARTITIONED
from swagcore.coverage.slices import own_slices, slice_cost
from swagcore.coverage.workloads import chain_gen, random_gen, random_graph_gen, random_window
from swagcore.ledger import by_size, claim, evidence, smallest
from swagcore.windows import Window

# Slices: W §5.1 and Table 1


def cuts_of(windows: Sequence[Window], slicing: str, before: int) -> list[int]:
    return [t for t in range(before) if any(t % m == c for w in windows for c, m in w.edges(slicing))]


def slices_read(windows: Sequence[Window], cut: Sequence[Window], slicing: str) -> list[int]:
    """For each window, the slices that its instances read over the lcm of the slides, cut at the edges of `cut`."""
    period = math.lcm(*(w.slide for w in windows))
    cuts = cuts_of(cut, slicing, period + max(w.range for w in windows))
    return [
        sum(1 for start in range(0, period, w.slide) for t in cuts if start <= t < start + w.range)
        for w in windows
    ]


def edges_in_period(windows: Sequence[Window], slicing: str) -> int:
    return len(cuts_of(windows, slicing, math.lcm(*(w.slide for w in windows))))


def sliced_sets(limit: int) -> Iterator[tuple[list[Window]]]:
    windows = [Window(r, s) for r in range(1, limit + 1) for s in range(1, r + 1)]
    sets = [*((w,) for w in windows), *itertools.combinations(windows, 2)]
    sets.sort(key=lambda c: (len(c), sum(w.range + w.slide for w in c)))
    return ((list(chosen),) for chosen in sets)


@claim(
    "coverage.panes",
    source="W §5.1",
    kind="statement",
    statement="The paned window has s / g slices of length g = gcd(r, s) in a slide; instances begin and end with slices.",
)
@evidence("exhaustive", scope="ranges and slides up to 12")
def panes() -> object:
    def holds(r: int, s: int) -> bool:
        g = math.gcd(r, s)
        cuts = cuts_of([Window(r, s)], "panes", r + s + 1)
        return cuts[: s // g] == list(range(0, s, g)) and r in cuts and r + s in cuts

    return smallest(((r, s) for r, s in by_size(range(1, 13), range(1, 13)) if s <= r), holds)


@claim(
    "coverage.pairs",
    source="W §5.1",
    kind="statement",
    statement="""The paired window has slices of length z_2 = r mod s and z_1 = s - z_2 in a slide, one of length s where z_2 = 0;
    instances begin and end with slices.""",
    remark='Printed "z_1 = s - s_2".',
)
@evidence("exhaustive", scope="ranges and slides up to 12")
def pairs_of_slices() -> object:
    def holds(r: int, s: int) -> bool:
        rest = r % s
        cuts = cuts_of([Window(r, s)], "pairs", r + s + 1)
        lengths = sorted(b - a for a, b in itertools.pairwise([*cuts[: 2 if rest else 1], s]))
        return lengths == sorted([rest, s - rest] if rest else [s]) and r in cuts

    return smallest(((r, s) for r, s in by_size(range(1, 13), range(1, 13)) if s <= r), holds)


@claim(
    "coverage.table1.unshared_panes",
    source="W Table 1",
    kind="table",
    statement="Unshared panes: over S, the windows' instances read the sum of (S / s_i) * (r_i / g_i) slices.",
    remark='Printed "r / g", without the index.',
)
@evidence("exhaustive", scope="sets of up to 2 windows with slide <= range <= 6")
def unshared_panes() -> object:
    def holds(windows: list[Window]) -> bool:
        period = math.lcm(*(w.slide for w in windows))
        printed = [Fraction(period, w.slide) * Fraction(w.range, math.gcd(w.range, w.slide)) for w in windows]
        read = [period // w.slide * slices_read([w], [w], "panes")[0] for w in windows]
        return read == printed

    return smallest(sliced_sets(6), holds)


@claim(
    "coverage.table1.unshared_pairs",
    source="W Table 1",
    kind="table",
    expected="refuted",
    statement="Unshared pairs: over S, the windows' instances read the sum of (S / s_i) * ceil(2 * r_i / s_i) slices.",
)
@evidence("exhaustive", scope="one window with slide <= range <= 12")
def unshared_pairs() -> object:
    return smallest(
        ((r, s) for r, s in by_size(range(1, 13), range(1, 13)) if s <= r),
        lambda r, s: slices_read([Window(r, s)], [Window(r, s)], "pairs")[0] == -(-2 * r // s),
    )


@claim(
    "coverage.table1.unshared_pairs_corrected",
    source="O coverage",
    kind="table",
    corrects="coverage.table1.unshared_pairs",
    statement="Unshared pairs: an instance reads r / s slices where s divides r, else 2 * floor(r / s) + 1.",
)
@evidence("exhaustive", scope="one window with range and slide up to 12; and `own_slices`")
def unshared_pairs_corrected() -> object:
    def holds(r: int, s: int) -> bool:
        true = 2 * (r // s) + 1 if r % s else r // s
        return (
            slices_read([Window(r, s)], [Window(r, s)], "pairs")[0]
            == true
            == own_slices(Window(r, s), "pairs")
        )

    return smallest(by_size(range(1, 13), range(1, 13)), holds)


for _slicing in ("panes", "pairs"):

    def shared_as_printed(slicing: str) -> object:
        def holds(windows: list[Window]) -> bool:
            edges = edges_in_period(windows, slicing)
            printed = [edges * Fraction(w.range, w.slide) for w in windows]
            return slices_read(windows, windows, slicing) == printed

        found = smallest(sliced_sets(8), holds)
        return found and shown(*found["windows"])

    def shared_corrected(slicing: str) -> object:
        def holds(windows: list[Window]) -> bool:
            period = math.lcm(*(w.slide for w in windows))
            edges = edges_in_period(windows, slicing)
            read = slices_read(windows, windows, slicing)
            whole = all(
                n == edges * w.range // w.slide
                for n, w in zip(read, windows, strict=True)
                if w.range % w.slide == 0
            )
            return whole and slice_cost(windows, 1, slicing, shared=True).final * period == sum(read)

        return smallest(sliced_sets(5), holds)

    claim(
        f"coverage.table1.shared_{_slicing}",
        source="W Table 1",
        kind="table",
        expected="refuted",
        statement=f"Shared {_slicing}: with E edges in S, the instances of window i read E * r_i / s_i slices over S.",
        remark="True where s_i divides r_i, which the paper assumes in its section 3, though not here.",
    ).by(
        "exhaustive",
        shared_as_printed,
        scope="sets of up to 2 windows with slide <= range <= 8",
        slicing=_slicing,
    )
    claim(
        f"coverage.table1.shared_{_slicing}_corrected",
        source="O coverage",
        kind="table",
        corrects=f"coverage.table1.shared_{_slicing}",
        statement=f"""Shared {_slicing}: the instances of window i read E * floor(r_i / s_i) slices over S, and those once more that begin
        in the first r_i mod s_i times of a slide; where s_i divides r_i that is E * r_i / s_i.""",
    ).by(
        "exhaustive",
        shared_corrected,
        scope="sets of up to 2 windows with slide <= range <= 5",
        slicing=_slicing,
    )


@claim(
    "coverage.pairs_beat_panes",
    source="W §5.2",
    kind="statement",
    statement="Paired slices are never worse than panes, shared or not.",
)
@evidence("exhaustive", scope="sets of up to 2 windows with slide <= range <= 6")
def pairs_are_never_worse() -> object:
    return smallest(
        sliced_sets(6),
        lambda windows: all(
            slice_cost(windows, 1, "pairs", shared).rate <= slice_cost(windows, 1, "panes", shared).rate
            for shared in (False, True)
        ),
    )


@claim(
    "coverage.fewest_edges",
    source="W §5.1",
    kind="statement",
    statement="""No slices with fewer edges than the shared pairs can be combined to all instances: every edge of the pairs is a start or
    an end of an instance.""",
    remark="Slices are read as closed pieces; Cutty, which also reads the partial of an open slice, needs starts alone.",
)
@evidence(
    "exhaustive", scope="sets of up to 2 windows with slide <= range <= 6, a period after the first instances"
)
def pairs_have_the_fewest_edges() -> object:
    def holds(windows: list[Window]) -> bool:
        period = math.lcm(*(w.slide for w in windows))
        late = max(w.range for w in windows) + period
        needed = {t for w in windows for u, v in intervals(w, 0, 3 * late) for t in (u, v)}
        cuts = cuts_of(windows, "pairs", late)
        return {t for t in cuts if t >= late - period} == {t for t in needed if late - period <= t < late}

    return smallest(sliced_sets(6), holds)


# Generators and what the figures are said to show


@claim(
    "coverage.alg5",
    source="W Alg 5",
    kind="algorithm",
    statement="Algorithm 5 makes windows with s_min <= s <= s_max and a range of 1 to k_max slides.",
)
@evidence("property", scope="2,000 windows")
def algorithm_5() -> object:
    rng = random.Random(5)
    for _ in range(2000):
        least = rng.randint(1, 9)
        most, ratio = least + rng.randint(0, 9), rng.randint(1, 6)
        window = random_window(rng, least, most, ratio)
        if window is None or not (
            least <= window.slide <= most and window.range in {window.slide * k for k in range(1, ratio + 1)}
        ):
            return {"least": least, "most": most, "ratio": ratio, "window": window}
    return None


@claim(
    "coverage.alg6_levels",
    source="W Alg 6",
    kind="algorithm",
    expected="refuted",
    statement="With B = 2, Delta = 2 and L = 3, Algorithm 6 makes 3 levels with 2, 4 and 6 windows.",
    remark="Line 7 counts B down to 0, so that line 11 has Delta * l; and l runs from 1 to L, above the base.",
)
@evidence("exhaustive", scope="the counters of the algorithm, as printed")
def algorithm_6_levels() -> object:
    b, delta, levels = 2, 2, []
    levels.append(b)
    b = 0
    for level in range(1, 3 + 1):
        levels.append(b + delta * level)
    return None if levels == [2, 4, 6] else f"levels of {', '.join(map(str, levels))} windows"


@claim(
    "coverage.alg6_antichain",
    source="W Alg 6",
    kind="algorithm",
    expected="refuted",
    statement="A window that is not covered by the windows of its level can be added, and no window of the level is covered by another.",
    remark="The window that is added may cover one that is there.",
)
@evidence("exhaustive", scope="two windows with ranges up to 8, slides from 2 on")
def algorithm_6_antichain() -> object:
    windows = [Window(r, s) for r in SIZES for s in range(2, r + 1) if r % s == 0]
    cases = sorted(itertools.permutations(windows, 2), key=lambda c: sum(w.range + w.slide for w in c))
    found = smallest(cases, lambda there, added: covered_by(added, there) or not covered_by(there, added))
    return found and f"{shown(found['there'])} is there, {shown(found['added'])} is added"


@claim(
    "coverage.alg6_edges",
    source="W Alg 6",
    kind="algorithm",
    expected="refuted",
    statement="A window with a slide from the lcm of the slides in S on (line 14, 15) is covered by the windows of S.",
)
@evidence("exhaustive", scope="S of one window with range up to 8, slides from 2 on")
def algorithm_6_edges() -> object:
    windows = [Window(r, s) for r in SIZES for s in range(2, r + 1) if r % s == 0]
    cases = sorted(itertools.product(windows, repeat=2), key=lambda c: sum(w.range + w.slide for w in c))
    found = smallest(
        ((a, b) for a, b in cases if b.slide >= a.slide), lambda below, made: covered_by(made, below)
    )
    return found and f"S = {shown(found['below'])}, {shown(found['made'])} is made"


def levels_of(seed: int) -> list[list[Window]]:
    made = random_graph_gen(seed, levels=3, base=2, growth=2, s_max=6, k_max=4)
    return [made[:2], made[2:6], made[6:]]


def each_level(holds: Callable[[list[Window], list[Window]], bool]) -> object:
    """The first of 20 graphs with a level, and the one below it, of which something does not hold."""
    for seed in range(20):
        levels = levels_of(seed)
        for below, level in zip([[], *levels], levels, strict=False):
            if not holds(below, level):
                return {"seed": seed, "below": below, "level": level}
    return None


@claim(
    "coverage.alg6_levels_corrected",
    source="O coverage",
    kind="algorithm",
    corrects="coverage.alg6_levels",
    statement="With a base of 2 and a growth of 2, `random_graph_gen` makes 3 levels with 2, 4 and 6 windows.",
)
@evidence("property", scope="20 graphs")
def levels_as_promised() -> object:
    return smallest(range(20), lambda seed: [len(level) for level in levels_of(seed)] == [2, 4, 6])


@claim(
    "coverage.alg6_antichain_corrected",
    source="O coverage",
    kind="algorithm",
    corrects="coverage.alg6_antichain",
    statement="In a level of `random_graph_gen` no window is covered by another.",
)
@evidence("property", scope="20 graphs")
def levels_are_antichains() -> object:
    return each_level(
        lambda below, level: not any(covered_by(a, b) for a, b in itertools.permutations(level, 2))
    )


@claim(
    "coverage.alg6_edges_corrected",
    source="O coverage",
    kind="algorithm",
    corrects="coverage.alg6_edges",
    statement="Every window of `random_graph_gen` above the base is covered by one of the level below.",
)
@evidence("property", scope="20 graphs")
def levels_are_covered() -> object:
    return each_level(
        lambda below, level: not below or all(any(covered_by(w, v) for v in below) for w in level)
    )


@claim(
    "coverage.fig12_up",
    source="W Fig 12",
    kind="statement",
    statement="For tumbling windows, unshared paired slices are the same as or worse than the stream.",
)
@evidence("exhaustive", scope="sets of up to 3 tumbling windows with ranges up to 12, eta = 1 and 100")
def unshared_slices_of_tumbling_windows() -> object:
    windows = [Window(r, r) for r in range(1, 13)]
    sets = [list(c) for size in (1, 2, 3) for c in itertools.combinations(windows, size)]
    return smallest(
        ((s, events) for s in sets for events in (1, 100)),
        lambda windows, events: (
            slice_cost(windows, events, "pairs", shared=False).rate >= events * len(windows)
        ),
    )


@claim(
    "coverage.fig11_ten_times",
    source="W §5.3",
    kind="statement",
    expected="refuted",
    statement="On some set of five windows, shared paired slices cost less than a tenth of the unshared ones.",
    remark="They save n - 1 of n times the events, and read no fewer slices: at most n times can be gained.",
)
@evidence("property", scope="200 random sets of five windows, general and tumbling, eta = 1 and 100")
def more_than_ten_times() -> object:
    best = Fraction(0)
    for seed in range(50):
        for tumbling in (False, True):
            windows = random_gen(5, seed, s_max=20, k_max=5, tumbling=tumbling)
            for events in (1, 100):
                unshared, shared = (slice_cost(windows, events, "pairs", s).rate for s in (False, True))
                best = max(best, unshared / shared)
    return None if best > 10 else f"the largest factor found is {float(best):.3f}, below 5"


@claim(
    "coverage.sharing_gains_at_most_n",
    source="O coverage",
    kind="statement",
    corrects="coverage.fig11_ten_times",
    statement="Shared slices of n windows without gaps cost at least 1 / n of the unshared ones, by pairs or panes.",
)
@evidence("exhaustive", scope="sets of up to 2 windows with slide <= range <= 6, eta = 1 and 100")
def sharing_gains_at_most_n_times() -> object:
    return smallest(
        (
            (w, events, slicing)
            for (w,) in sliced_sets(6)
            for events in (1, 100)
            for slicing in ("panes", "pairs")
        ),
        lambda windows, events, slicing: (
            slice_cost(windows, events, slicing, True).rate * len(windows)
            >= slice_cost(windows, events, slicing, False).rate
        ),
    )


@claim(
    "coverage.fig13_tumbling_chains",
    source="W Fig 13",
    kind="statement",
    statement="""For chains of tumbling windows no factor window is needed: the min-cost graph without them is optimal among all with
    them.""",
)
@evidence("property", scope="60 chains of up to 6 tumbling windows, eta = 1 and 100")
def tumbling_chains_need_no_factor_windows() -> object:
    for seed in range(30):
        windows = chain_gen(2 + seed % 5, seed, tumbling=True)
        for events in (1, 100):
            graph = min_cost(windows, "sum", events)
            if not graph.optimal or graph.cost != min_cost(windows, "sum", events, factor_windows=False).cost:
                return {"windows": windows, "events": events, "factors": graph.factors}
    return None


@claim(
    "coverage.alg2_below_ours",
    source="O coverage",
    kind="statement",
    statement="`min_cost` is never dearer than the paper's algorithms, mended: over the period, for both relations.",
)
@evidence("exhaustive", scope="sets of up to 3 windows with ranges up to 6, eta = 2")
def never_dearer_than_the_paper() -> object:
    def holds(windows: list[Window], relation: str, name: str) -> bool:
        found = factor_windows(windows, relation)
        assert not set(found) & set(windows)
        return min_cost(windows, name, 2).cost <= paper_cost(windows, relation, 2)[1]

    cases = (("covered by", "min"), (PARTITIONED, "sum"))
    return smallest(((w, r, n) for w in small_sets(3, 6) for r, n in cases), holds)
