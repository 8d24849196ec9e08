"""From a stream to partials: panes, pairs, Cutty and the composite slide. S §2.3.1, §2.4.1, Table 1; C §2.1, §2.2.

What holds for all integers is proved in proofs/slicing.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import accumulate

from swagcore.ledger import claim, evidence, smallest
from swagcore.slicing import Cuts, SharedPlan, cutty, pairs, panes, partials
from swagcore.windows import Query, Window

BOX = "range and slide up to 14, every offset"


def box() -> Iterator[tuple[int, int, int]]:
    """Every (range, slide, offset), the smallest first."""
    sizes = sorted(((r, s) for r in range(1, 15) for s in range(1, 15)), key=sum)
    return ((r, s, o) for r, s in sizes for o in range(s))


def counted(range_: int, slide: int, offset: int, slicing: str) -> set[int]:
    """How many slices the instances of a window have, by counting the edges in each."""
    window = Window(range_, slide, offset)
    cuts = Cuts.of([window], slicing)
    return {
        sum(time in cuts for time in range(start, start + range_))
        for start in range(offset, offset + 3 * slide, slide)
    }


TABLE: dict[str, tuple[Callable[[int, int], int], str]] = {
    "panes": (lambda r, s: r // math.gcd(r, s), "range / gcd(range, slide)"),
    "pairs": (lambda r, s: 2 * (r // s) + 1, "2 floor(range / slide) + 1"),
    "cutty": (lambda r, s: -(-r // s), "ceil(range / slide)"),
}


def table_1(slicing: str, divides: bool) -> object:
    formula = (lambda r, s: r // s) if divides else TABLE[slicing][0]

    def holds(range_: int, slide: int, offset: int) -> bool:
        return (range_ % slide == 0) != divides or counted(range_, slide, offset, slicing) == {
            formula(range_, slide)
        } == {partials(Window(range_, slide, offset), slicing)}

    return smallest(box(), holds)


for _slicing, (_, _formula) in TABLE.items():
    claim(
        f"slicing.{_slicing}.divides",
        source="S Table 1",
        kind="table",
        statement=f"Under {_slicing} a window has range / slide partials where the slide divides the range.",
    ).by("exhaustive", table_1, scope=BOX, slicing=_slicing, divides=True)
    claim(
        f"slicing.{_slicing}.rest",
        source="S Table 1",
        kind="table",
        statement=f"Under {_slicing} a window has {_formula} partials where the slide does not divide the range.",
        remark="Also where the slide is larger than the range.",
    ).by("exhaustive", table_1, scope=BOX, slicing=_slicing, divides=False)


@claim(
    "slicing.cutty_best",
    source="S §2.6",
    kind="statement",
    statement="""Where the slide divides the range all three cut alike; else Cutty has the fewest partials, pairs no more than panes
    or at most one more: panes, pairs and Cutty differ in that order.""",
    remark="Where range mod slide is half a slide, or gcd(range, slide) is, panes and pairs have the same number.",
)
@evidence("exhaustive", scope=BOX)
def cutty_best() -> object:
    def holds(r: int, s: int, _: int) -> bool:
        p, q, c = (TABLE[name][0](r, s) for name in ("panes", "pairs", "cutty"))
        return c <= q <= p if r % s else True

    return smallest(box(), holds)


# Fragments


@claim(
    "slicing.fragments",
    source="S §2.3.1",
    kind="formula",
    statement="""Pairs cut a slide, from the start of a window on, into f1 = range mod slide and f2 = slide - f1; every instance
    starts and ends at an edge.""",
)
@evidence("exhaustive", scope=BOX)
def fragments() -> object:
    def holds(range_: int, slide: int, offset: int) -> bool:
        window = Window(range_, slide, offset)
        f1 = range_ % slide
        lengths = [f1, slide - f1] if f1 else [slide]
        cuts = Cuts.of([window], "pairs")
        ends = list(accumulate(lengths, initial=offset))
        return (
            pairs(window) == lengths
            and [t for t in range(offset, offset + slide + 1) if t in cuts] == ends
            and all(offset + k * slide + range_ in cuts for k in range(4))
        )

    return smallest(box(), holds)


@claim(
    "slicing.figure_3",
    source="S Fig 3",
    kind="example",
    expected="refuted",
    statement="For range 14 and slide 8, f1 = 2 and f2 = 6, by f1 = range mod slide.",
)
@evidence("exhaustive", scope="the example")
def figure_3() -> object:
    found = 14 % 8, 8 - 14 % 8
    return None if found == (2, 6) else {"f1": found[0], "f2": found[1]}


@claim(
    "slicing.figure_3_mended",
    source="O slicing",
    kind="example",
    corrects="slicing.figure_3",
    statement="For range 14 and slide 8, f1 = 6 and f2 = 2; a window is then cut into 6, 2 and 6.",
)
@evidence("exhaustive", scope="the example")
def figure_3_mended() -> object:
    window = Window(14, 8)
    cuts = Cuts.of([window])
    found = pairs(window), [time for time in range(15) if time in cuts]
    return None if found == ([6, 2], [0, 6, 8, 14]) else found


@claim(
    "slicing.order_at_start",
    source="C §2.1",
    kind="statement",
    expected="refuted",
    statement="""Fragments range mod slide and then the rest, counted from time 0, put an edge at every start and end also of windows that
    end at the multiples of the slide.""",
    remark="""S §2.3.1 and C §2.1 put range mod slide first, S §5.2.3 and W §5.1 second: each is right for one alignment, and the
    papers do not say which they mean.""",
)
@evidence("exhaustive", scope="range and slide up to 8, windows that end at the multiples")
def order_at_start() -> object:
    return first_wrong(first=True, ending=True)


@claim(
    "slicing.order_at_end",
    source="S §5.2.3",
    kind="statement",
    expected="refuted",
    statement="""Fragments slide - range mod slide and then the rest, counted from time 0, put an edge at every start and end also of
    windows that start at the multiples of the slide.""",
)
@evidence("exhaustive", scope="range and slide up to 8, windows that start at the multiples")
def order_at_end() -> object:
    return first_wrong(first=False, ending=False)


@claim(
    "slicing.order",
    source="O slicing",
    kind="statement",
    corrects="slicing.order_at_start",
    statement="""Counted from time 0, range mod slide comes first for windows that start at the multiples of the slide, and second
    for windows that end there.""",
)
@evidence("exhaustive", scope="range and slide up to 8")
def order() -> object:
    return first_wrong(first=True, ending=False) or first_wrong(first=False, ending=True)


def first_wrong(first: bool, ending: bool) -> object:
    """A window whose starts or ends are not all edges, where the fragments come in that order from 0 on."""

    def holds(range_: int, slide: int) -> bool:
        f1 = range_ % slide
        inner = f1 if first else slide - f1
        edges = {0, inner % slide}
        window = Window.ending(range_, slide) if ending else Window(range_, slide)
        return all(time % slide in edges for time in (window.offset, window.offset + range_))

    return smallest(sorted(((r, s) for r in range(1, 9) for s in range(1, 9)), key=sum), holds)


@claim(
    "slicing.twice",
    source="C §2.1",
    kind="formula",
    statement="A final aggregation under pairs uses at most ceil(2 range / slide) partials.",
)
@evidence("exhaustive", scope=BOX)
def twice() -> object:
    return smallest(box(), lambda r, s, o: max(counted(r, s, o, "pairs")) <= -(-2 * r // s))


@claim(
    "slicing.figure_4",
    source="S Fig 4",
    kind="example",
    statement="Cutty with range 5 and slide 3: slices of 3, and an answer from two of them, the last one open with 2 in it.",
)
@evidence("exhaustive", scope="the example")
def figure_4() -> object:
    window = Window(5, 3)
    found = cutty(window), partials(window, "cutty"), (0 + 5) - 3
    return None if found == ([3], 2, 2) else found


@claim(
    "slicing.panes_length",
    source="S §2.3.1",
    kind="formula",
    statement="The slices of panes are gcd(range, slide) long; with all of them a window of range 4 and slide 1 has 4.",
)
@evidence("exhaustive", scope=BOX)
def panes_length() -> object:
    def holds(r: int, s: int, o: int) -> bool:
        return set(panes(Window(r, s, o))) == {math.gcd(r, s)}

    wrong = smallest(box(), holds)
    return wrong if wrong is not None or partials(Window(4, 1), "panes") == 4 else "Figure 2"


# The composite slide


@claim(
    "slicing.example_2",
    source="S Ex 2",
    kind="example",
    statement="""Slide 2 and range 6 with slide 4 and range 8: a composite slide of 4 with a partial every 2 tuples; the first query takes
    the last three, the second the last four.""",
)
@evidence("exhaustive", scope="the example")
def example_2() -> object:
    plan = SharedPlan([Query("first", "max", Window(6, 2)), Query("second", "max", Window(8, 4))])
    lengths = {edge.length for edge in plan.first(8)}
    found = plan.period, lengths, plan.counts()
    return None if found == (4, {2}, {"first": {3}, "second": {4}}) else found


@claim(
    "slicing.composite",
    source="C §2.2",
    kind="statement",
    statement="""The edges of several queries together, each cut by pairs, repeat with the least common multiple of their slides; each is
    an edge of some query, marked once, and every answer is made of whole partials between edges.""",
)
@evidence("exhaustive", scope="all pairs of windows with range and slide up to 6, starting at 0")
def composite() -> object:
    def holds(one: tuple[int, int], other: tuple[int, int]) -> bool:
        windows = [Window(*one), Window(*other)]
        cuts = Cuts.of(windows)
        period = math.lcm(one[1], other[1])
        marked = {
            time
            for time in range(2 * period)
            if any((time - r) % m == 0 for w in windows for r, m in w.edges())
        }
        walked = {time for time in range(2 * period) if time in cuts}
        repeats = {time + period for time in marked if time < period} == {
            time for time in marked if time >= period
        }
        whole = all(
            w.offset + k * w.slide + d in cuts for w in windows for k in range(3) for d in (0, w.range)
        )
        return marked == walked and repeats and whole

    sizes = [(r, s) for r in range(1, 7) for s in range(1, 7)]
    return smallest(((a, b) for a in sizes for b in sizes), holds)


@claim(
    "slicing.counts_differ",
    source="S §3.2.1",
    kind="statement",
    expected="refuted",
    statement="In a shared plan a query is always answered from the same number of partials, its range in partials.",
    remark="Algorithms 1 to 3 give each query one range in partials, q.range.",
)
@evidence("exhaustive", scope="all pairs of windows with range and slide up to 4")
def counts_differ() -> object:
    def holds(one: tuple[int, int], other: tuple[int, int]) -> bool:
        plan = SharedPlan([Query("a", "max", Window(*one)), Query("b", "max", Window(*other))])
        return all(len(numbers) == 1 for numbers in plan.counts().values())

    sizes = sorted(((r, s) for r in range(1, 5) for s in range(1, 5)), key=sum)
    return smallest(((a, b) for a in sizes for b in sizes), holds)


@claim(
    "slicing.counts_by_edge",
    source="O slicing",
    kind="statement",
    corrects="slicing.counts_differ",
    statement="""At an edge where it is answered, a query takes as many partials as there are edges from the start of its instance on
    and before its end; that number differs from edge to edge, and repeats with the composite slide.""",
)
@evidence("exhaustive", scope="all pairs of windows with range and slide up to 6, two composite slides")
def counts_by_edge() -> object:
    def holds(one: tuple[int, int], other: tuple[int, int]) -> bool:
        windows = {"a": Window(*one), "b": Window(*other)}
        plan = SharedPlan([Query(name, "max", window) for name, window in windows.items()])
        seen: dict[tuple[str, int], int] = {}
        for edge in plan.edges():
            if edge.time >= 2 * plan.period:
                return True
            for name, number in edge.answers.items():
                inside = sum(time in plan.cuts for time in range(edge.time - windows[name].range, edge.time))
                if number != inside or seen.setdefault((name, edge.time % plan.period), number) != number:
                    return False
        return False

    sizes = sorted(((r, s) for r in range(1, 7) for s in range(1, 7)), key=sum)
    return smallest(((a, b) for a in sizes for b in sizes), holds)
