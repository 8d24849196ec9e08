"""What specs/coverage.py says of windows that are put together from others, for all integers.

Time is counted from the start of an instance of W1. Multiples are given as witnesses, as in proofs/coverage.py:
slide1 = A * slide2, range1 - range2 = B * slide2. The parts of an instance, the instances of W2 inside it, are
those from i * slide2 on, i = 0 .. B (coverage.thm3).
"""

from __future__ import annotations

from typing import Any

from proofs.coverage import ALL, conditions_are_necessary, first_failure, two
from proofs.z3_tools import proved
from swagcore.coverage import relation
from swagcore.ledger import evidence


def paper_windows() -> tuple[Any, Any, Any, Any, Any, Any, list[Any]]:
    """Two windows of the paper: they start at 0, and no slide exceeds its range."""
    import z3

    r1, s1, r2, s2, a, b = z3.Ints("r1 s1 r2 s2 A B")
    return r1, s1, r2, s2, a, b, [s1 > 0, s2 > 0, r1 >= s1, r2 >= s2]


@evidence(
    "proof",
    of="coverage.thm4_corrected",
    scope=ALL + ": only if; the witnesses are those of W Thm 1, corrected",
)
def partitioned_only_if() -> object:
    """W Def 5 asks that W1 is W2, or is covered with r1 > r2, which gives the witnesses (coverage.thm1_corrected)
    and B >= 1: parts 0 and 1 are there, and do not overlap, so r2 <= s2."""
    import z3

    r1, s1, r2, s2, a, b, given = paper_windows()
    covered = [*given, r1 > r2, s1 == a * s2, r1 - r2 == b * s2]
    second = lambda: proved(b >= 1, given=covered, twin=b >= 2)
    apart = lambda: proved(
        z3.And(r2 == s2, r1 == (b + 1) * s2, s1 == a * s2),
        given=[*covered, b >= 1, 0 * s2 + r2 <= 1 * s2],
        twin=r1 == b * s2,
    )
    return first_failure(second, apart)


@evidence("proof", of="coverage.thm4_corrected", scope=ALL + ": if")
def partitioned_if() -> object:
    """With r2 = s2, s1 = A * s2 and r1 = K * s2: K = 1 is the same window; else r1 > r2 and there are witnesses,
    and no part begins before the one before it ends. A window has one part inside each instance of its own, which
    overlaps no other."""
    import z3

    r1, s1, r2, s2, a, _, given = paper_windows()
    k, i = z3.Ints("K i")
    given += [r2 == s2, s1 == a * s2, r1 == k * s2]
    counts = lambda: proved(z3.And(k >= 1, a >= 1), given=given, twin=k >= 2)
    # A * s2 <= s2 and A >= 1 leave A = 1.
    one = lambda: proved(z3.And(r1 == r2, s1 == s2), given=[*given, k == 1, a >= 1], twin=s1 < s2)
    more = lambda: proved(
        z3.And(r1 > r2, r1 - r2 == (k - 1) * s2), given=[*given, k >= 2], twin=r1 == r2 + s2
    )
    apart = lambda: proved((i + 1) * s2 >= i * s2 + r2, given=given, twin=(i + 1) * s2 > i * s2 + r2)
    alone = lambda: proved(i == 0, given=[s2 > 0, i * s2 >= 0, i * s2 + r1 <= r1], twin=i == 1)
    return first_failure(counts, one, more, apart, alone)


@evidence(
    "induction",
    of="coverage.thm5",
    scope=ALL + ", any number of parts: over the free monoid the words are those of the stream",
)
def parts_join_to_the_instance() -> object:
    """A word is an interval, and two of them join where they are adjacent. Base: part 0 is the word from 0 to
    range2. Step: parts 0 .. i are the word up to i * slide2 + range2, which is where part i + 1 begins; the last, i
    = B, ends where the instance does. `disjoint` itself, on symbols, gives what is needed: slide2 = range2, or
    there is one part only."""
    import z3

    w1, w2, (_, b, _), given, covered = two()
    i = z3.Int("i")
    s2, r2 = w2.slide, w2.range
    given += [*covered, relation.disjoint(w1, w2)]
    base = lambda: proved(0 * s2 + r2 == r2, given=[s2 > 0], twin=s2 + r2 == r2)
    single = lambda: proved(z3.Implies(w1.range == w2.range, b == 0), given=[s2 > 0, covered[2]], twin=b == 0)
    step = lambda: proved(
        (i + 1) * s2 == i * s2 + r2,
        given=[*given, i >= 0, i < b, z3.Implies(w1.range == w2.range, b == 0)],
        twin=(i + 1) * s2 == i * s2,
    )
    end = lambda: proved(b * s2 + r2 == w1.range, given=given, twin=b * s2 == w1.range)
    return first_failure(base, single, step, end)


@evidence("proof", of="coverage.thm5", scope=ALL + ": otherwise a word lacks a letter, or has one twice")
def otherwise_a_word_is_wrong() -> object:
    """An event at every time. Where W1 is not covered, some time of an instance is in no part: were the times that
    `conditions_are_necessary` looks at all in some part, W1 would be covered. Where it is covered and parts
    overlap, time slide2 is in parts 0 and 1."""
    import z3

    w1, w2, (_, b, _), given, covered = two()
    s2, r2 = w2.slide, w2.range
    given += [*covered, z3.Not(relation.disjoint(w1, w2))]
    there = lambda: proved(b >= 1, given=given, twin=b >= 2)
    shorter = lambda: proved(s2 < r2, given=given, twin=s2 + 1 < r2)
    within = lambda: proved(s2 + r2 <= w1.range, given=[*given, b >= 1], twin=s2 + r2 < w1.range)
    twice = lambda: proved(
        z3.And(s2 >= 0, s2 < 0 + r2, s2 <= s2, s2 < s2 + r2), given=[*given, s2 < r2], twin=2 * s2 < r2
    )
    return first_failure(conditions_are_necessary, there, shorter, within, twice)


@evidence("induction", of="coverage.thm7_corrected", scope=ALL + ", any number of windows")
def every_edge_leads_to_a_smaller_window() -> object:
    """From a window to its parent, another one by which it is covered, (range, slide) becomes smaller, the range
    first: a partition is a cover too. So does it along a path of any length, by induction on that; a path that came
    back would make it smaller than itself. With one edge a window and no cycle the graph is a forest. That edges
    stand in the relation is what they are chosen from."""
    import z3

    w1, w2, (a, _, c), given, covered = two()
    smaller = lambda x, y: z3.Or(x.range < y.range, z3.And(x.range == y.range, x.slide < y.slide))
    other = z3.Or(w1.range != w2.range, w1.slide != w2.slide, w1.offset != w2.offset)
    multiple = lambda: proved(
        z3.And(a >= 1, w1.slide >= w2.slide), given=[*given, covered[0]], twin=w1.slide > w2.slide
    )
    # Offsets are below the slide: where the slides are equal, they differ by no multiple of it but 0.
    offsets = lambda: proved(
        z3.Implies(w1.slide == w2.slide, c == 0), given=[*given, covered[1]], twin=c == 0
    )
    edge = lambda: proved(
        smaller(w2, w1),
        given=[
            *given,
            covered[1],
            w1.range >= w2.range,
            w1.slide >= w2.slide,
            other,
            z3.Implies(w1.slide == w2.slide, c == 0),
        ],
        twin=w2.range < w1.range,
    )
    w3 = type(w1)(range=z3.Int("range3"), slide=z3.Int("slide3"))
    path = lambda: proved(smaller(w3, w1), given=[smaller(w2, w1), smaller(w3, w2)], twin=smaller(w1, w3))
    cycle = lambda: proved(z3.Not(smaller(w1, w1)), given=given, twin=smaller(w1, w1))
    return first_failure(multiple, offsets, edge, path, cycle)
