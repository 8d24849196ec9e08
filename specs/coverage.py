"""Window coverage: the paper W whole, statement by statement, and what replaces those that are false.

Windows of the paper start at 0 and have slide <= range; `Window(range, slide)` is its W<r, s>. Relations are judged on
the instances themselves, costs by counting instances. What holds for all integers is proved in proofs/coverage.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from swagcore.algebra import Aggregate, aggregate, same
from swagcore.algebra.wrappers import words
from swagcore.coverage import covered_by, evaluate, min_cost, multiplier, partitioned_by
from swagcore.coverage.graph import Graph
from swagcore.coverage.relation import PARTITIONED
from swagcore.ledger import by_size, claim, evidence, smallest
from swagcore.naive import naive
from swagcore.windows import Query, Window

SIZES = range(1, 9)
W10, W20, W30, W40 = (Window(size, size) for size in (10, 20, 30, 40))


def pairs(limit: int = 8, *, multiple: bool = False) -> Iterator[tuple[int, int, int, int]]:
    """(r1, s1, r2, s2) of two windows of the paper, smallest first; `multiple`: every range one of its slide."""
    sizes = range(1, limit + 1)
    for r1, s1, r2, s2 in by_size(sizes, sizes, sizes, sizes):
        if s1 <= r1 and s2 <= r2 and not (multiple and (r1 % s1 or r2 % s2)):
            yield r1, s1, r2, s2


PAIRS = "all pairs of windows with slide <= range <= 8"


def intervals(window: Window, first: int, before: int) -> list[tuple[int, int]]:
    """The instances that lie inside [first, before), one by one."""
    return [
        (t, t + window.range)
        for t in range(first, before - window.range + 1)
        if (t - window.offset) % window.slide == 0
    ]


def instances_of(w1: Window, w2: Window) -> list[tuple[int, int]]:
    """As many instances of `w1` as there are residues modulo slide2: later ones repeat them."""
    starts = (w1.offset + k * w1.slide for k in range(w2.slide))
    return [(start, start + w1.range) for start in starts]


def by_definition_1(w1: Window, w2: Window) -> bool:
    """W Def 1, word by word: the same window, or a larger one each of whose intervals begins and ends with one of w2's."""
    if w1 == w2:
        return True
    return w1.range > w2.range and all(
        any(u == a and v < b for u, v in intervals(w2, a, b))
        and any(v == b and u > a for u, v in intervals(w2, a, b))
        for a, b in instances_of(w1, w2)
    )


def by_definition_5(w1: Window, w2: Window) -> bool:
    """W Def 5: covered, and no two intervals of a covering set overlap."""
    return by_definition_1(w1, w2) and all(
        all(v <= u for (_, v), (u, _) in itertools.pairwise(intervals(w2, a, b)))
        for a, b in instances_of(w1, w2)
    )


def joined(w1: Window, w2: Window) -> bool:
    """Every instance of `w1` is the union of the instances of `w2` inside it."""
    return all(
        {t for u, v in intervals(w2, a, b) for t in range(u, v)} == set(range(a, b))
        for a, b in instances_of(w1, w2)
    )


def apart(w1: Window, w2: Window) -> bool:
    """No two instances of `w2` inside one of `w1` overlap."""
    return all(
        sum(v - u for u, v in intervals(w2, a, b))
        == len({t for u, v in intervals(w2, a, b) for t in range(u, v)})
        for a, b in instances_of(w1, w2)
    )


def shown(*windows: Window) -> str:
    return ", ".join(f"W<{w.range}, {w.slide}>" for w in windows)


# The relation: definitions, Theorems 1 to 4, Examples 2 to 5


@claim(
    "coverage.covered_by",
    source="O coverage",
    kind="definition",
    statement="""For windows of any range, slide and offset, gaps included: every instance of w1 is the union of the
    instances of w2 inside it if and only if slide1, offset1 - offset2 and range1 - range2 are multiples of slide2,
    range1 >= range2, and slide2 <= range2 or range1 = range2. `covered_by` says just this.""",
)
@evidence("exhaustive", scope="ranges and slides up to {limit}, every offset", limit=4)
@evidence("exhaustive", scope="ranges and slides up to {limit}, every offset", limit=6, profile="full")
def covered_by_is_its_definition(limit: int) -> object:
    def holds(w1: Window, w2: Window) -> bool:
        return covered_by(w1, w2) == joined(w1, w2)

    return smallest(itertools.product(with_offsets(limit), repeat=2), holds)


@claim(
    "coverage.partitioned_by",
    source="O coverage",
    kind="definition",
    statement="""For windows of any range, slide and offset: w1 is covered by w2 and no two instances of w2 inside one of w1
    overlap, if and only if w1 is covered and slide2 = range2 or range1 = range2. `partitioned_by` says just this.""",
)
@evidence("exhaustive", scope="ranges and slides up to {limit}, every offset", limit=4)
@evidence("exhaustive", scope="ranges and slides up to {limit}, every offset", limit=6, profile="full")
def partitioned_by_is_its_definition(limit: int) -> object:
    def holds(w1: Window, w2: Window) -> bool:
        return partitioned_by(w1, w2) == (joined(w1, w2) and apart(w1, w2))

    return smallest(itertools.product(with_offsets(limit), repeat=2), holds)


def with_offsets(limit: int) -> list[Window]:
    sizes = range(1, limit + 1)
    return [Window(r, s, o) for r, s, o in by_size(sizes, sizes, range(limit)) if o < s]


@claim(
    "coverage.def1",
    source="W Def 1",
    kind="definition",
    statement="""Coverage by the paper's definition is coverage by ours, but for two different windows of the same range:
    these the definition leaves out, though every instance of the sparser one is one of the other.""",
)
@evidence("exhaustive", scope=PAIRS)
def definition_1_and_ours() -> object:
    def holds(r1: int, s1: int, r2: int, s2: int) -> bool:
        w1, w2 = Window(r1, s1), Window(r2, s2)
        return by_definition_1(w1, w2) == (covered_by(w1, w2) and (r1 != r2 or w1 == w2))

    return smallest(pairs(), holds)


@claim(
    "coverage.fn1",
    source="W fn 1",
    kind="statement",
    statement="If W1 is covered by W2, each interval [a, b) of W1 has one interval of W2 that starts at a, and one that ends at b.",
)
@evidence("exhaustive", scope=PAIRS)
def the_two_intervals_are_unique() -> object:
    def holds(r1: int, s1: int, r2: int, s2: int) -> bool:
        w1, w2 = Window(r1, s1), Window(r2, s2)
        return not by_definition_1(w1, w2) or all(
            sum(u == a for u, _ in intervals(w2, a, b)) == sum(v == b for _, v in intervals(w2, a, b)) == 1
            for a, b in instances_of(w1, w2)
        )

    return smallest(pairs(), holds)


@claim(
    "coverage.thm1",
    source="W Thm 1",
    kind="theorem",
    expected="refuted",
    statement="W1 is covered by W2 if and only if s1 is a multiple of s2 and r1 - r2 is a multiple of s2.",
)
@evidence("exhaustive", scope=PAIRS)
def theorem_1_as_printed() -> object:
    def holds(r1: int, s1: int, r2: int, s2: int) -> bool:
        printed = s1 % s2 == 0 and (r1 - r2) % s2 == 0
        return by_definition_1(Window(r1, s1), Window(r2, s2)) == printed

    return smallest(pairs(), holds)


@claim(
    "coverage.thm1_corrected",
    source="O coverage",
    kind="theorem",
    corrects="coverage.thm1",
    statement="""W1 is covered by W2 as in the paper's definition if and only if they are the same, or r1 > r2 and both s1 and
    r1 - r2 are multiples of s2.""",
)
@evidence("exhaustive", scope=PAIRS)
def theorem_1_corrected() -> object:
    def holds(r1: int, s1: int, r2: int, s2: int) -> bool:
        true = (r1, s1) == (r2, s2) or (r1 > r2 and s1 % s2 == 0 and (r1 - r2) % s2 == 0)
        return by_definition_1(Window(r1, s1), Window(r2, s2)) == true

    return smallest(pairs(), holds)


@claim(
    "coverage.thm1_if_step",
    source="W §A.1",
    kind="statement",
    expected="refuted",
    statement="If r1 - r2 is a multiple of s2, it is k * s2 for an integer k >= 1.",
)
@evidence("exhaustive", scope=PAIRS)
def a_multiple_is_positive() -> object:
    return smallest(
        pairs(), lambda r1, s1, r2, s2: (r1 - r2) % s2 != 0 or any(r1 - r2 == k * s2 for k in range(1, 10))
    )


@claim(
    "coverage.thm1_if_corrected",
    source="O coverage",
    kind="statement",
    corrects="coverage.thm1_if_step",
    statement="If r1 - r2 is a multiple of s2, it is k * s2 for an integer k >= 1 if and only if r1 > r2.",
)
@evidence("exhaustive", scope=PAIRS)
def a_positive_multiple_is() -> object:
    return smallest(
        ((r1, s1, r2, s2) for r1, s1, r2, s2 in pairs() if (r1 - r2) % s2 == 0),
        lambda r1, s1, r2, s2: (r1 > r2) == any(r1 - r2 == k * s2 for k in range(1, 10)),
    )


@claim(
    "coverage.thm1_only_if_step",
    source="W §A.1",
    kind="statement",
    expected="refuted",
    statement="For one interval, number m1 of W1: since m1 and m2 = m1 * (s1 / s2) are integers, so is s1 / s2.",
)
@evidence("exhaustive", scope="m1 up to 6, slides up to 8")
def one_interval_is_not_enough() -> object:
    return smallest(by_size(range(7), SIZES, SIZES), lambda m1, s1, s2: (m1 * s1) % s2 != 0 or s1 % s2 == 0)


@claim(
    "coverage.thm1_only_if_corrected",
    source="O coverage",
    kind="statement",
    corrects="coverage.thm1_only_if_step",
    statement="If m1 * (s1 / s2) is an integer for every m1 >= 0, then so is s1 / s2: the interval m1 = 1 shows it.",
)
@evidence("exhaustive", scope="slides up to 30")
def all_intervals_are_enough() -> object:
    sizes = range(1, 31)
    return smallest(
        by_size(sizes, sizes), lambda s1, s2: any((m * s1) % s2 for m in range(31)) or s1 % s2 == 0
    )


@claim(
    "coverage.thm2.reflexive",
    source="W Thm 2",
    kind="theorem",
    statement="Every window is covered by itself.",
)
@evidence("exhaustive", scope="ranges and slides up to 8, every offset")
def coverage_is_reflexive() -> object:
    return smallest(((w,) for w in with_offsets(8)), lambda w: covered_by(w, w) and joined(w, w))


@claim(
    "coverage.thm2.antisymmetric",
    source="W Thm 2",
    kind="theorem",
    statement="Two windows that cover each other are the same; offsets included.",
)
@evidence("exhaustive", scope="ranges and slides up to 5, every offset")
def coverage_is_antisymmetric() -> object:
    return smallest(
        itertools.product(with_offsets(5), repeat=2),
        lambda w1, w2: w1 == w2 or not (covered_by(w1, w2) and covered_by(w2, w1)),
    )


@claim(
    "coverage.thm2.transitive",
    source="W Thm 2",
    kind="theorem",
    statement="If W1 is covered by W2 and W2 by W3, then W1 is covered by W3; offsets and gaps included.",
)
@evidence("exhaustive", scope="ranges and slides up to 4, every offset")
def coverage_is_transitive() -> object:
    return smallest(
        itertools.product(with_offsets(4), repeat=3),
        lambda w1, w2, w3: not (covered_by(w1, w2) and covered_by(w2, w3)) or covered_by(w1, w3),
    )


@claim(
    "coverage.partition_transitive",
    source="O coverage",
    kind="statement",
    expected="refuted",
    statement="If w1 is partitioned by w2 and w2 by w3, then w1 is partitioned by w3.",
    remark="""So it is for the paper's windows, where w3 is tumbling or the same as w2. A tumbling window may be read off a
    hopping one of its range.""",
)
@evidence("exhaustive", scope="ranges and slides up to 4")
def partitioning_is_transitive() -> object:
    some = [Window(r, s) for r, s in by_size(range(1, 5), range(1, 5))]
    return smallest(
        itertools.product(some, repeat=3),
        lambda w1, w2, w3: not (partitioned_by(w1, w2) and partitioned_by(w2, w3)) or partitioned_by(w1, w3),
    )


@claim(
    "coverage.def2",
    source="W Def 2",
    kind="statement",
    statement="The covering set of an interval has the two intervals of Definition 1, and its size is the same for all intervals.",
)
@evidence("exhaustive", scope=PAIRS)
def covering_sets_are_of_one_size() -> object:
    def holds(r1: int, s1: int, r2: int, s2: int) -> bool:
        w1, w2 = Window(r1, s1), Window(r2, s2)
        if not by_definition_1(w1, w2):
            return True
        sets = [(a, b, intervals(w2, a, b)) for a, b in instances_of(w1, w2)]
        ends = all(found[0][0] == a and found[-1][1] == b for a, b, found in sets)
        return ends and len({len(found) for _, _, found in sets}) == 1

    return smallest(pairs(), holds)


@claim(
    "coverage.thm3",
    source="W Thm 3",
    kind="theorem",
    statement="If W1 is covered by W2, an interval of W1 contains 1 + (r1 - r2) / s2 intervals of W2.",
)
@evidence("exhaustive", scope="ranges and slides up to 6, offsets too, and `multiplier`")
def theorem_3() -> object:
    def holds(w1: Window, w2: Window) -> bool:
        if not covered_by(w1, w2):
            return True
        counts = {len(intervals(w2, a, b)) for a, b in instances_of(w1, w2)}
        return counts == {multiplier(w1, w2)} == {1 + (w1.range - w2.range) // w2.slide}

    return smallest(itertools.product(with_offsets(6), repeat=2), holds)


@claim(
    "coverage.def3",
    source="W Def 3",
    kind="statement",
    statement="If W1 is covered by W2, every interval of W1 is the union of its covering set (used in the proof of Theorem 3).",
)
@evidence("exhaustive", scope=PAIRS)
def covering_sets_cover() -> object:
    return smallest(
        pairs(),
        lambda r1, s1, r2, s2: (
            not by_definition_1(Window(r1, s1), Window(r2, s2)) or joined(Window(r1, s1), Window(r2, s2))
        ),
    )


@claim(
    "coverage.def5",
    source="W Def 5",
    kind="definition",
    statement="""Partitioning by the paper's definition is partitioning by ours, but for two different windows of the same
    range.""",
)
@evidence("exhaustive", scope=PAIRS)
def definition_5_and_ours() -> object:
    def holds(r1: int, s1: int, r2: int, s2: int) -> bool:
        w1, w2 = Window(r1, s1), Window(r2, s2)
        return by_definition_5(w1, w2) == (partitioned_by(w1, w2) and (r1 != r2 or w1 == w2))

    return smallest(pairs(), holds)


@claim(
    "coverage.thm4",
    source="W Thm 4",
    kind="theorem",
    expected="refuted",
    statement="W1 is partitioned by W2 if and only if s1 and r1 are multiples of s2 and r2 = s2.",
    remark="A hopping window is covered by itself, by the set of one interval, which is disjoint.",
)
@evidence("exhaustive", scope=PAIRS)
def theorem_4_as_printed() -> object:
    def holds(r1: int, s1: int, r2: int, s2: int) -> bool:
        printed = s1 % s2 == 0 and r1 % s2 == 0 and r2 == s2
        return by_definition_5(Window(r1, s1), Window(r2, s2)) == printed

    return smallest(pairs(), holds)


@claim(
    "coverage.thm4_corrected",
    source="O coverage",
    kind="theorem",
    corrects="coverage.thm4",
    statement="""W1 is partitioned by W2 as in the paper's definition if and only if they are the same, or s1 and r1 are
    multiples of s2 and r2 = s2.""",
)
@evidence("exhaustive", scope=PAIRS)
def theorem_4_corrected() -> object:
    def holds(r1: int, s1: int, r2: int, s2: int) -> bool:
        true = (r1, s1) == (r2, s2) or (s1 % s2 == 0 and r1 % s2 == 0 and r2 == s2)
        return by_definition_5(Window(r1, s1), Window(r2, s2)) == true

    return smallest(pairs(), holds)


@claim(
    "coverage.thm4_step",
    source="W §A.4",
    kind="statement",
    expected="refuted",
    statement="If W1 is covered by W2 and a covering set is disjoint, then r2 = s2.",
)
@evidence("exhaustive", scope=PAIRS)
def disjoint_implies_tumbling() -> object:
    return smallest(
        pairs(), lambda r1, s1, r2, s2: not by_definition_5(Window(r1, s1), Window(r2, s2)) or r2 == s2
    )


@claim(
    "coverage.thm4_step_corrected",
    source="O coverage",
    kind="statement",
    corrects="coverage.thm4_step",
    statement="If W1 is covered by W2, r1 > r2 and a covering set is disjoint, then r2 = s2.",
)
@evidence("exhaustive", scope=PAIRS)
def disjoint_and_larger_implies_tumbling() -> object:
    return smallest(
        ((r1, s1, r2, s2) for r1, s1, r2, s2 in pairs() if r1 > r2),
        lambda r1, s1, r2, s2: not by_definition_5(Window(r1, s1), Window(r2, s2)) or r2 == s2,
    )


def numbers(
    id: str, source: str, statement: str, *facts: tuple[str, Callable[[], object], object], **more: Any
) -> None:
    """A claim about numbers: (what it is, how we get it, what is printed)."""

    def check() -> object:
        return next(
            (
                f"{what} is {value}, not {printed}"
                for what, get, printed in facts
                if (value := get()) != printed
            ),
            None,
        )

    check.__name__ = check.__qualname__ = id.replace(".", "_")
    claim(id, source=source, kind="example", statement=statement, **more).by(
        "exhaustive", check, scope="the numbers of the example"
    )


EX1, EX2 = Window(10, 2), Window(8, 2)
numbers(
    "coverage.ex1",
    "W Ex 1",
    "The 20-minute tumbling window is made of two tuples of the 10-minute one; 30 is computed from 10, 40 from 20.",
    ("the tuples for 20", lambda: multiplier(W20, W10), 2),
    (
        "the parents",
        lambda: dict(min_cost([W10, W20, W30, W40]).parent),
        {W10: None, W20: W10, W30: W10, W40: W20},
    ),
)
numbers(
    "coverage.ex2",
    "W Ex 2",
    """W<10, 2> begins with [0, 10), [2, 12) and W<8, 2> with [0, 8), [2, 10), [4, 12); the first of W1 is covered by the
    first two of W2, the second by the second and third.""",
    ("W1", lambda: intervals(EX1, 0, 12), [(0, 10), (2, 12)]),
    ("W2", lambda: intervals(EX2, 0, 12), [(0, 8), (2, 10), (4, 12)]),
    ("coverage", lambda: by_definition_1(EX1, EX2), True),
)
numbers(
    "coverage.ex3",
    "W Ex 3",
    "For W<10, 2> and W<8, 2>, s1 / s2 = 1 and (r1 - r2) / s2 = 1.",
    ("s1 / s2", lambda: Fraction(EX1.slide, EX2.slide), 1),
    ("(r1 - r2) / s2", lambda: Fraction(EX1.range - EX2.range, EX2.slide), 1),
)
numbers(
    "coverage.ex4",
    "W Ex 4",
    "The covering sets of the first two intervals of W<10, 2> are the first and second, and the second and third, of W<8, 2>.",
    ("the first", lambda: intervals(EX2, 0, 10), [(0, 8), (2, 10)]),
    ("the second", lambda: intervals(EX2, 2, 12), [(2, 10), (4, 12)]),
)
numbers(
    "coverage.ex5",
    "W Ex 5",
    "For W<10, 2> and W<8, 2>, s1 / s2 = 1 and r1 / s2 = 5, and W1 is not partitioned by W2.",
    ("s1 / s2", lambda: Fraction(EX1.slide, EX2.slide), 1),
    ("r1 / s2", lambda: Fraction(EX1.range, EX2.slide), 5),
    ("partitioning", lambda: by_definition_5(EX1, EX2), False),
)


# Aggregates over a cover


def pieces(values: Sequence[int], *, overlapping: bool) -> Iterator[list[Sequence[int]]]:
    """Ways to cut a list into pieces that together have all of it, in the order of their starts."""
    n = len(values)
    spans = [(i, j) for i in range(n) for j in range(i + 1, n + 1)]
    for count in (1, 2, 3):
        for chosen in itertools.combinations(spans, count):
            starts, ends = [i for i, _ in chosen], [j for _, j in chosen]
            if starts[0] != 0 or ends[-1] != n or sorted(ends) != ends:
                continue
            touching = all(
                s == e if not overlapping else s <= e for s, e in zip(starts[1:], ends, strict=False)
            )
            if touching:
                yield [values[i:j] for i, j in chosen]


VALUES = [list(v) for size in (1, 2, 3, 4) for v in itertools.product((0, 1, 3), repeat=size)]


def combined(name: str, parts: list[Sequence[int]]) -> Any:
    function = aggregate(name)
    return function.lower(function.fold(function.fold(map(function.partial, part)) for part in parts))


@claim(
    "coverage.distributive",
    source="W §3.1",
    kind="statement",
    statement="""Over any division of the values into disjoint pieces, MIN, MAX and SUM of the pieces' answers are the answer, and
    for COUNT it is the SUM of the counts.""",
)
@evidence("exhaustive", scope="lists of up to 4 values out of 0, 1, 3, up to 3 pieces")
def distributive() -> object:
    def holds(values: list[int], parts: list[Sequence[int]]) -> bool:
        outer = {"min": "min", "max": "max", "sum": "sum", "count": "sum"}
        return all(
            aggregate(g).over([aggregate(f).over(part) for part in parts]) == aggregate(f).over(values)
            for f, g in outer.items()
        )

    return smallest(((v, parts) for v in VALUES for parts in pieces(v, overlapping=False)), holds)


@claim(
    "coverage.algebraic",
    source="W §3.1",
    kind="statement",
    statement="""AVG and STDEV are answered from small partials of disjoint pieces: sum and count; and the sum of squares.""",
)
@evidence("exhaustive", scope="lists of up to 4 values out of 0, 1, 3, up to 3 pieces")
def algebraic() -> object:
    def holds(values: list[int], parts: list[Sequence[int]]) -> bool:
        return all(same(combined(name, parts), aggregate(name).over(values)) for name in ("mean", "stddev"))

    return smallest(((v, parts) for v in VALUES for parts in pieces(v, overlapping=False)), holds)


def forced(w1: Window, w2: Window, function: Aggregate) -> Graph:
    """The graph that computes w1 from w2, whatever that gives."""
    return Graph((w1, w2), function, 1, {w2: None, w1: w2}, (), PARTITIONED, None, "cost", 0)


def answered(w1: Window, w2: Window, function: Aggregate, stream: list[tuple[int, Any]]) -> bool:
    """Whether w1, computed from w2, has the answers of re-evaluation."""
    found = [answer._replace(query="q") for answer in evaluate(forced(w1, w2, function), stream)[w1]]
    wanted = sorted(naive([Query("q", function, w1)], stream), key=lambda answer: answer.start)
    return len(found) == len(wanted) and all(
        a[:3] == b[:3] and same(a.value, b.value) for a, b in zip(found, wanted, strict=True)
    )


STREAM_OF_LETTERS = [(time, time) for time in (0, 1, 1, 2, 4, 5, 6, 6, 9, 10, 11, 12)]


@claim(
    "coverage.thm5",
    source="W Thm 5",
    kind="theorem",
    statement="""If W1 is partitioned by W2, the answers over W1 are put together from the partials over W2, for every associative
    operation: over the free monoid the words are those of the stream. Otherwise, some word is not.""",
    remark="""The free monoid stands for every distributive and algebraic aggregate: a technique that only combines cannot tell
    one from another. "Otherwise" is ours.""",
)
@evidence("exhaustive", scope="ranges and slides up to 5, every offset; a stream with gaps and equal times")
def theorem_5() -> object:
    dense = [(time, time) for time in range(12)]

    def holds(w1: Window, w2: Window) -> bool:
        if w1 == w2:
            return True
        if partitioned_by(w1, w2):
            return answered(w1, w2, words, STREAM_OF_LETTERS) and answered(w1, w2, words, dense)
        return not answered(w1, w2, words, dense)

    return smallest(itertools.product(with_offsets(5), with_offsets(5)[:40]), holds)


@claim(
    "coverage.thm6",
    source="W Thm 6",
    kind="theorem",
    statement="MIN and MAX of overlapping pieces are put together from the answers of the pieces.",
)
@evidence("exhaustive", scope="lists of up to 4 values out of 0, 1, 3, up to 3 pieces that may overlap")
def theorem_6() -> object:
    def holds(values: list[int], parts: list[Sequence[int]]) -> bool:
        return all(combined(name, parts) == aggregate(name).over(values) for name in ("min", "max"))

    return smallest(((v, parts) for v in VALUES for parts in pieces(v, overlapping=True)), holds)


@claim(
    "coverage.idempotent",
    source="O coverage",
    kind="theorem",
    statement="""Over overlapping pieces in the order of their starts and of their ends, as instances of one window are, every associative and idempotent operation gives the answer,
    commutative or not; first, last, arg_max and collect_distinct among them. Sum, count, mean and top_k do not.""",
)
@evidence("exhaustive", scope="lists of up to 4 values out of 0, 1, 3, up to 3 pieces that may overlap")
def idempotent_is_what_a_cover_needs() -> object:
    cases = [(v, parts) for v in VALUES for parts in pieces(v, overlapping=True)]

    def holds(name: str) -> bool:
        function = aggregate(name)
        pick = (lambda v: (v, v)) if name.startswith("arg") else (lambda v: v)
        right = all(
            same(
                function.lower(
                    function.fold(function.fold(map(function.partial, map(pick, p))) for p in parts)
                ),
                function.over(map(pick, v)),
            )
            for v, parts in cases
        )
        return right == function.idempotent

    names = ("min", "max", "first", "last", "arg_max", "arg_min", "any", "all", "spread", "collect_distinct")
    return smallest(
        [*names, "count_distinct", "sum", "count", "mean", "top_k(2)", "product", "variance"], holds
    )
