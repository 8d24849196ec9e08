"""Contracts on small pure functions, searched by CrossHair: pre- and postconditions in the docstrings.

Each function calls one function of the package and states what it must give; boxes keep the paths finite. CrossHair runs them on
symbolic arguments. `confirmed` is its own word for having gone through all paths within the box; where it has not, it
searched for the time given and found nothing. Both are said in specs/contracts.py, which runs this file.
"""

from __future__ import annotations

import math

from swagcore.coverage.relation import covered_by, multiplier, partitioned_by
from swagcore.edges.overlap import common, fragments, overlap
from swagcore.slicing import pairs
from swagcore.substreams.levels import level_beyond, level_of, level_within
from swagcore.windows import Window


def overlap_is_symmetric(a: int, m: int, b: int, n: int) -> bool:
    """
    pre: 1 <= m <= 3
    pre: 1 <= n <= 3
    pre: 0 <= a < m
    pre: 0 <= b < n
    post: _ == any(t % m == a and t % n == b for t in range(9))
    """
    return overlap((a, m), (b, n)) and overlap((b, n), (a, m))


def common_is_what_both_have(a: int, m: int, b: int, n: int) -> bool:
    """
    pre: 1 <= m <= 3
    pre: 1 <= n <= 3
    pre: 0 <= a < m
    pre: 0 <= b < n
    post: _
    """
    found = common((a, m), (b, n))
    both = [t for t in range(9) if t % m == a and t % n == b]
    if found is None:
        return not both
    residue, modulus = found
    return both == [t for t in range(9) if (t - residue) % modulus == 0]


def fragments_make_a_slide(range: int, slide: int) -> tuple[int, ...]:
    """
    pre: 1 <= range <= 40
    pre: 1 <= slide <= 40
    post: sum(_) == slide and 1 <= len(_) <= 2 and all(piece > 0 for piece in _)
    """
    return fragments(range, slide)


def fragments_are_the_pairs_from_an_end_on(range: int, slide: int) -> bool:
    """
    pre: 1 <= range <= 5
    pre: 1 <= slide <= 5
    post: _
    """
    return list(fragments(range, slide)) == pairs(Window(range, slide))[::-1]


def edges_of_one_slide(range: int, slide: int, offset: int) -> list[tuple[int, int]]:
    """
    pre: 1 <= range <= 5
    pre: 1 <= slide <= 5
    pre: 0 <= offset < slide
    post: {r for r, _m in _} == {offset, (offset + range) % slide} and all(m == slide for _r, m in _)
    """
    return Window(range, slide, offset).edges("pairs")


def partitioned_implies_covered(r1: int, s1: int, r2: int, s2: int) -> bool:
    """
    pre: 1 <= r1 <= 4
    pre: 1 <= s1 <= 4
    pre: 1 <= r2 <= 4
    pre: 1 <= s2 <= 4
    post: _
    """
    w1, w2 = Window(r1, s1), Window(r2, s2)
    return not partitioned_by(w1, w2) or covered_by(w1, w2)


def multiplier_is_what_it_takes(r1: int, s1: int, r2: int, s2: int) -> bool:
    """
    pre: 1 <= r1 <= 4
    pre: 1 <= s1 <= 4
    pre: 1 <= r2 <= 4
    pre: 1 <= s2 <= 4
    post: _
    """
    w1, w2 = Window(r1, s1), Window(r2, s2)
    if not covered_by(w1, w2):
        return True
    inside = [start for start in range(0, r1 + 1, s2) if start + r2 <= r1]
    return multiplier(w1, w2) == len(inside)


def level_holds_its_distance(distance: int, p: int) -> bool:
    """
    pre: 1 <= p <= 4
    pre: 1 <= distance <= 64
    post: _
    """
    one = level_of(distance, p)
    return one.nearest <= distance <= one.farthest and one.width == 2 ** (one.number // p)


def levels_around_a_count(count: int, p: int) -> bool:
    """
    pre: 1 <= p <= 3
    pre: 1 <= count <= 40
    post: _
    """
    before, beyond = level_within(count, p), level_beyond(count, p)
    return before.farthest <= count <= beyond.nearest and beyond.number - before.number <= 2


def starts_contain_the_time(range: int, slide: int, offset: int, time: int) -> bool:
    """
    pre: 1 <= range <= 4
    pre: 1 <= slide <= 4
    pre: 0 <= offset < slide
    pre: -4 <= time <= 4
    post: _
    """
    starts = Window(range, slide, offset).starts(time)
    return all(start <= time < start + range and (start - offset) % slide == 0 for start in starts)


def panes_divide(range: int, slide: int) -> bool:
    """
    pre: 1 <= range <= 5
    pre: 1 <= slide <= 5
    post: _
    """
    ((_, step),) = Window(range, slide).edges("panes")
    return range % step == 0 and slide % step == 0 and step == math.gcd(range, slide)
