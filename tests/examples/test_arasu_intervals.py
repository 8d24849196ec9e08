"""A Section 3, worked out: base intervals, landmark intervals, running intervals, as the examples and figures state them.

The paper counts positions from 1, the techniques from 0: an interval (l, r) is `query` over l - 1 .. r - 1.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from swagcore.aggregators.b_int import BInt
from swagcore.aggregators.b_int_qnt import BIntQuantiles
from swagcore.aggregators.l_int import LInt
from swagcore.aggregators.landmarks import partition
from swagcore.aggregators.r_int import RInt
from swagcore.algebra import Counting, aggregate, intervals, quantile


def filled(window, elements):
    for position in range(elements):
        window.insert((position, position + 1))
    return window


def base_intervals(window, left, right):
    """The base intervals that `query` would combine for (l, r), counted from 1."""
    return [(low + 1, high) for low, high in window._intervals(left - 1, right)]


def is_base(interval):
    left, right = interval
    width = right - left + 1
    return width & (width - 1) == 0 and (left - 1) % width == 0


def test_example_3_1():
    """Eight base intervals are given for (1, 43); they are a right union, and twice as many as are needed."""
    given = [(1, 2), (3, 4), (5, 8), (9, 16), (17, 32), (33, 40), (41, 42), (43, 43)]
    assert all(map(is_base, given))
    assert [left for left, _ in given] == [1, *(right + 1 for _, right in given[:-1])]
    assert base_intervals(filled(BInt(intervals), 64), 1, 43) == [(1, 32), (33, 40), (41, 42), (43, 43)]


def fewest(left, right):
    """The least number of base intervals that make up (l, r), by trying all ways."""
    best = {left: 0}
    for begin in range(left, right + 1):
        if begin in best:
            for end in range(begin, right + 1):
                if is_base((begin, end)):
                    best[end + 1] = min(best.get(end + 1, right), best[begin] + 1)
    return best[right + 1]


def test_theorem_3_1_for_all_intervals_up_to_40():
    """A disjoint union in order, of the fewest base intervals, and no more than the bound that the docstring states."""
    window = filled(BInt(intervals), 40)
    for left in range(1, 41):
        for right in range(left, 41):
            found = base_intervals(window, left, right)
            assert all(map(is_base, found))
            assert found[0][0] == left and found[-1][1] == right
            assert all(a[1] + 1 == b[0] for a, b in pairwise(found))
            assert len(found) == fewest(left, right)
            n = right - left + 1
            assert len(found) <= (n + 2).bit_length() - 1 + ((n + 2) // 3).bit_length() - 1


def test_an_update_adds_as_many_base_intervals_as_the_paper_says():
    """z + 1 of them, where 2^z is the largest power of two that divides the length; each but the first by one combine."""
    counting = Counting(intervals)
    window = BInt(counting.aggregate)
    known = set()
    for length in range(1, 65):
        counting.reset()
        window.insert((length - 1, length))
        now = set(window._active())
        z = (length & -length).bit_length() - 1
        assert len(now - known) == z + 1
        assert counting.combines == z
        known = now


@pytest.mark.parametrize(
    ("interval", "is_landmark"),
    [((75, 999), True), ((1762, 2999), True), ((5000, 6542), True), ((5000, 7162), False)],
)
def test_landmark_intervals_of_the_text(interval, is_landmark):
    """W_min 1000, W_max 2000: one that begins at a multiple of 1000, or ends just before one, no wider than 2000."""
    left, right = interval
    touches = left % 1000 == 0 or (right + 1) % 1000 == 0
    assert (touches and right - left + 1 <= 2000) is is_landmark


def test_example_3_2():
    """(3257, 5164) is (3257, 3999) and (4000, 5164): one combine, of just these two."""
    combined = []

    def combine(a, b):
        combined.append((a, b))
        return intervals.combine(a, b)

    counting = Counting(intervals)
    window = LInt(counting.aggregate, ranges=[1000, 2000])
    filled(window, 5165)  # positions 0 .. 5164, so that landmarks are the multiples of 1000
    for part in window._parts:
        part.combine = combine
    assert window.query(5164 - 3257 + 1, 0) == (3257, 5165)
    assert combined == [((3257, 4000), (4000, 5165))]


def test_theorem_3_3_for_all_small_widths():
    """W_min <= width <= W_max <= 2 W_min: at most two landmark intervals, at all places; with widths up to W_max, inclusive."""
    for narrowest in range(1, 7):
        for widest in range(narrowest, 2 * narrowest + 1):
            counting = Counting(intervals)
            window = filled(LInt(counting.aggregate, ranges=[narrowest, widest]), 5 * widest)
            for n in range(narrowest, widest + 1):
                for lag in range(5 * widest - n + 1):
                    counting.reset()
                    assert window.query(n, lag) == (5 * widest - lag - n, 5 * widest - lag)
                    assert counting.combines <= 1


def unions(left, right, landmark):
    """Whether (l, r) is one landmark interval, or two."""
    return landmark(left, right) or any(
        landmark(left, middle) and landmark(middle + 1, right) for middle in range(left, right)
    )


def test_theorem_3_3_by_the_readings_of_the_definition():
    """Widths up to W_max: true. "Less than W_max", as the text after Definition 3.2 says: false for W_min = W_max = 1 only."""
    failures = {True: set(), False: set()}
    for narrowest in range(1, 7):
        for widest in range(narrowest, 13):
            for inclusive in (True, False):

                def landmark(left, right, spacing=narrowest, limit=widest + inclusive):
                    return right - left + 1 < limit and (left % spacing == 0 or (right + 1) % spacing == 0)

                for left in range(narrowest, 3 * narrowest):  # every place within a period, and the next
                    for width in range(narrowest, widest + 1):
                        if not unions(left, left + width - 1, landmark):
                            failures[inclusive].add((narrowest, widest))
    assert failures == {True: set(), False: {(1, 1)}}


@pytest.mark.parametrize(
    ("ranges", "parts"),
    [
        ([1000, 2000], [(1000, 2000)]),
        ([5], [(5, 5)]),
        ([1, 2, 3, 4, 8, 9], [(1, 2), (3, 4), (8, 9)]),
        (range(1, 65), [(1, 2), (3, 6), (7, 14), (15, 30), (31, 62), (63, 64)]),  # gamma = O(log N_max)
    ],
)
def test_partitions_by_the_ratio_of_widths(ranges, parts):
    assert partition(ranges) == parts


def test_figure_6():
    """R-INT: f(l, r) from f(1, l - 1) and f(1, r), one inverse; the active running intervals are N_max + 1."""
    counting = Counting(intervals)
    window = RInt(counting.aggregate)
    for position in range(10):
        window.insert((position, position + 1))
        if position >= 4:
            counting.reset()
            assert window.query(4) == (position - 3, position + 1)
            assert (counting.combines, counting.inverses) == (0, 1)
            counting.reset()
            assert window.query(2, 2) == (position - 3, position - 1)  # a historical one, [4, 2]
            assert counting.inverses == 1
        if position >= 4:
            window.evict()
    assert window._state()["totals"] == [
        (0, 6),
        (0, 7),
        (0, 8),
        (0, 9),
        (0, 10),
    ]  # m - N_max <= r <= m: five for 4


def test_section_3_3():
    """The element at a rank of the union, from the sorted arrays of its base intervals; several phi at once."""
    window = BIntQuantiles()
    values = [(7 * i) % 23 for i in range(43)]
    for value in values:
        window.insert(value)
    assert len(window._base._intervals(0, 43)) == 4
    phis = [0.01, 0.25, 0.5, 0.75, 1]
    ordered = sorted(values)
    assert window.query(phis) == [ordered[0], ordered[10], ordered[21], ordered[32], ordered[42]]
    assert window.query([0.5], n=10, lag=3) == [quantile(0.5).over(values[30:40])]


def test_the_printed_rank_of_a_quantile():
    """floor(phi N) is 0, no position, for N = 1 and every phi below 1; as corrected it is ceil(phi N)."""
    assert int(0.5 * 1) == 0
    assert aggregate("quantile(0.5)").over([7]) == 7
