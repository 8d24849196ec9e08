"""How many operations everything costs: the stored table, the formulas of the docstrings for n = 1 .. 64, the bounds."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import pairwise

import pytest

from bench.combine_counts import MULTI, RESULTS, SINGLE, SIZES, agrees, counted, log
from swagcore.aggregators.b_int import BInt
from swagcore.aggregators.daba import Daba
from swagcore.aggregators.daba_lite import DabaLite
from swagcore.aggregators.flatfat import FlatFat
from swagcore.aggregators.flatfit import FlatFit
from swagcore.aggregators.l_int import LInt
from swagcore.aggregators.psoup import PSoup
from swagcore.algebra import Counting, intervals, words
from swagcore.testing.closure import every_range, steady_state
from tests.aggregators.kit import BLIND, maker

TABLE = json.loads((RESULTS / "combine_counts.json").read_text())
ROWS = [("single", row) for row in SINGLE] + [("all_ranges", row) for row in MULTI]
NAMED = [f"{setting} {row.technique}" for setting, row in ROWS]


def stored(setting, technique, n):
    found = TABLE[setting][technique]
    return int(found["worst"][n - 1]), Fraction(found["amortized"][n - 1])


@pytest.mark.parametrize(("setting", "row"), ROWS, ids=NAMED)
def test_the_stored_table_is_what_is_counted(setting, row):
    for n in (1, 2, 3, 5, 8, 12, 17, 24):
        assert counted(row.technique, n, multi=setting == "all_ranges") == stored(setting, row.technique, n)


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "row"), ROWS, ids=NAMED)
def test_the_whole_stored_table_is_what_is_counted(setting, row):
    for n in SIZES:
        assert counted(row.technique, n, multi=setting == "all_ranges") == stored(setting, row.technique, n)


@pytest.mark.parametrize(("setting", "row"), ROWS, ids=NAMED)
def test_the_formulas_hold_for_1_to_64(setting, row):
    for n in range(1, 65):
        assert agrees(row, n, *stored(setting, row.technique, n)), n


def test_the_table_is_complete():
    assert TABLE["sizes"] == list(range(1, 65))
    assert [row.technique for row in SINGLE] == list(TABLE["single"])
    assert {*BLIND, "slickdeque_noninv"} - set(TABLE["single"]) == {"l_int declared"}
    readable = (RESULTS / "combine_counts.md").read_text()
    for _, row in ROWS:
        for formula in (row.worst, row.amortized):
            assert formula is None or f"| {formula.text} |" in readable


@pytest.mark.parametrize(
    ("technique", "formula"),
    [
        (FlatFat, "k + ones(n) - 1 at worst"),
        (FlatFat, "k + n / 2^k - 1 amortized"),
        (FlatFat, "nk/2 - 3(n - k - 1)/4 amortized, nk/2 at worst"),
        (BInt, "k + ones(n) - 1 at worst"),
        (BInt, "nk - 5n/2 + 3k/2 + 5/2 amortized"),
        (Daba, "amortized 5 - 8/n for even n, 5 - 6/(n - 1) for odd n > 1, none for n = 1"),
        (DabaLite, "amortized 4 - 6/n for even n, 4 - 4/(n - 1)"),
        (FlatFit, "3(n - 1)/(n + 1) amortized"),
        (LInt, "3k - 5 + (n + 2) / 2^k amortized, 2^(k+1) - 3 at"),
    ],
)
def test_the_docstrings_say_the_same(technique, formula):
    """The formulas that are tested are those that stand there."""
    assert formula in " ".join(technique.__doc__.split()) or formula in technique.__doc__


# What single operations cost


def ones(number):
    return number.bit_count()


@pytest.mark.parametrize("size", range(1, 65))
def test_operations_of_flatfat_and_b_int(size):
    """Insert at p, query from l up to r: the exact numbers that the docstrings state, at every place of a slide."""
    for technique in (FlatFat, BInt):
        counting = Counting(intervals)
        window = technique(counting.aggregate)
        for position in range(size + 70):
            if len(window) == size:
                window.evict()
            counting.reset()
            window.insert((position, position + 1))
            newest = window._tail - 1  # as the technique counts positions
            assert counting.combines == INSERT[technique](newest, window._head)
            for n in {1, 2, 3, size // 2, size - 1, size} & set(range(1, len(window) + 1)):
                counting.reset()
                assert window.query(n) == (position + 1 - n, position + 1)
                assert counting.combines == QUERY[technique](newest + 1 - n, newest)
                assert counting.combines <= BOUND[technique](n)


@pytest.mark.parametrize(
    ("technique", "costs"), [(FlatFat, [0, 1, 1, 2, 1, 2, 2, 3]), (BInt, [0, 1, 0, 2, 0, 1, 0, 3])]
)
def test_positions_count_from_0_whenever_a_window_starts(technique, costs):
    """Eight inserts into a new window, and into one that was drained wherever it was: the same blocks, the same costs."""
    for slid in range(9):
        counting = Counting(intervals)
        window = technique(counting.aggregate)
        for position in range(slid):
            window.insert((position, position + 1))
        for _ in range(slid):
            window.evict()
        found = []
        for position in range(8):
            counting.reset()
            window.insert((position, position + 1))
            found.append(counting.combines)
        assert found == costs


def flatfat_insert(p, head):
    """One for each 1 in p for which the block up to p, p with that bit and all below cleared, begins inside the window."""
    return sum(p >> bit & 1 and (p >> bit + 1 << bit + 1) >= head for bit in range(p.bit_length()))


def flatfat_query(l, p):
    width = 1 << (l ^ p).bit_length()  # the smallest block that holds both
    middle = l - l % width + width // 2
    return 0 if l % width == 0 else ones(middle - l)


def b_int_insert(p, head):
    """One for each 1 at the low end of p whose interval begins inside the window."""
    low = (~p & (p + 1)).bit_length() - 1
    return sum(((p >> bit + 1) << bit + 1) >= head for bit in range(low))


def b_int_query(l, p):
    middle = max(range(l + 1, p + 2), key=lambda m: m & -m)
    return ones(middle - l) + ones(p + 1 - middle) - 1


INSERT = {FlatFat: flatfat_insert, BInt: b_int_insert}
QUERY = {FlatFat: flatfat_query, BInt: b_int_query}
BOUND = {
    FlatFat: log,
    BInt: lambda n: log(n + 2) + log((n + 2) // 3) - 1,
}


def test_the_bound_of_a_look_up_in_b_int_is_met():
    """Over up to n partials, somewhere, it costs just that (over just 7, never 3: over 6)."""
    worst = [max(b_int_query(l, l + n - 1) for l in range(256)) for n in range(1, 65)]
    assert [max(worst[:n]) for n in range(1, 65)] == [BOUND[BInt](n) for n in range(1, 65)]
    assert (worst[5], worst[6]) == (3, 2)


@pytest.mark.parametrize(("technique", "insert", "evict", "slide"), [(Daba, 4, 3, 8), (DabaLite, 3, 2, 6)])
def test_daba_is_constant_whatever_happens(technique, insert, evict, slide):
    """Growing and shrinking at random, through resizings: no step is above its bound, and each bound is met."""
    import random

    chance = random.Random(2)
    counting = Counting(intervals)
    window = technique(counting.aggregate)
    worst, position, up = {"insert": 0, "evict": 0, "query": 0}, 0, 0.6
    for _ in range(30_000):
        if chance.random() < 0.01:
            up = chance.choice((0.3, 0.5, 0.7))
        kind = (
            "query"
            if chance.random() < 0.2
            else "insert"
            if chance.random() < up or not len(window)
            else "evict"
        )
        counting.reset()
        if kind == "insert":
            window.insert((position, position + 1))
            position += 1
        elif kind == "evict":
            window.evict()
        else:
            window.query()
        worst[kind] = max(worst[kind], counting.combines)
    assert worst == {"insert": insert, "evict": evict, "query": 1}
    assert steady_state(technique, 64).worst == slide


@pytest.mark.parametrize("name", ["two_stacks", "two_stacks_lite"])
def test_a_query_is_free_where_front_or_back_is_empty(name):
    """None and one partial, and what an evict has just made the front; one more in the back costs a combine."""
    counting = Counting(words)
    window = maker(name)(counting.aggregate)
    costs = []
    for step in "qiqeqiieqiq":
        counting.reset()
        if step == "i":
            window.insert(("a",))
        elif step == "e":
            window.evict()
        else:
            window.query()
            costs.append(counting.combines)
    assert costs == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("size", [*range(1, 20), 31, 32, 33, 63, 64])
def test_bounds_of_psoup(size):
    counting = Counting(words)
    window = PSoup(counting.aggregate)
    for place in range(3 * size):
        if len(window) == size:
            height = window._root.height
            counting.reset()
            window.evict()
            assert counting.combines <= max(2 * (height - 1), 0)
        height = window._root.height if window._root else 0
        counting.reset()
        window.insert((place,))
        assert counting.combines <= height + 2
        height, held = window._root.height, len(window)
        assert height <= 1.4405 * math.log2(held + 2)
        counting.reset()
        window.query()
        assert counting.combines == 0
        for n in range(1, held + 1):
            counting.reset()
            window.query(n)
            assert counting.combines <= max(height - 1, 0)
        for n, lag in ((held // 2, held // 4), (1, held - 1), (held // 3, held // 3)):
            counting.reset()
            window.query(n, lag)
            assert counting.combines <= max(2 * height - 3, 0)


def test_a_slide_of_psoup():
    for n in range(1, 65):
        assert stored("single", "psoup", n)[0] <= 2 * (n - 1).bit_length() + 2


@pytest.mark.parametrize("width", [1, 2, 3, 5, 8, 20])
@pytest.mark.parametrize("widest", ["equal", "one more", "twice"])
def test_bounds_of_a_part_of_l_int(width, widest):
    """A declared part: below 3 - 3/w amortized over w inserts, w at worst, one for a query of its ranges."""
    widest = {"equal": width, "one more": width + 1, "twice": 2 * width}[widest]
    if widest > 2 * width:
        return
    counting = Counting(intervals)
    window = LInt(counting.aggregate, ranges=[width, widest])
    costs = []
    for position in range(12 * width):
        if len(window) > 5 * width:
            window.evict()
        counting.reset()
        window.insert((position, position + 1))
        costs.append(counting.combines)
        for n in range(width, min(widest, len(window)) + 1):
            counting.reset()
            window.query(n)
            assert counting.combines <= 1
    assert max(costs) <= width
    for begin in range(0, len(costs) - width, width):
        assert sum(costs[begin : begin + width]) <= 3 * (width - 1)


@pytest.mark.parametrize("width", [1, 2, 3, 5, 8])
def test_what_a_part_of_l_int_costs_exactly(width):
    """Insert by insert: nothing since the oldest position, one since each later landmark, w - 2 at the last of w."""
    for widest in range(width, 2 * width + 1):
        counting = Counting(intervals)
        window = LInt(counting.aggregate, ranges=[width, widest])
        found = []
        for position in range(5 * width):
            counting.reset()
            window.insert((position, position + 1))
            found.append(counting.combines)
        # Up to the first landmark, all words that end there; those since the oldest position are of no use.
        first = [*[0] * (width - 1), width - 1]
        since = [0, *[1] * (width - 1)]
        until = [*[0] * (width - 1), max(width - 2, 0)]
        second = [a + b for a, b in zip(since, until, strict=True)]
        third = [cost + (widest > width + 1) for cost in second]
        assert found == first + second + 3 * third, widest


def test_l_int_has_a_part_for_each_power_of_two():
    """Made when the window gets that long, dropped when it is shorter than half of that."""
    window, grown, shrunk = LInt(intervals), [], []
    for position in range(17):
        window.insert((position, position + 1))
        grown.append(window._parts[-1].width)
    for _ in range(16):
        window.evict()
        shrunk.append(window._parts[-1].width)
    assert grown == [1, 2, 2, 4, 4, 4, 4, *[8] * 8, 16, 16]
    assert shrunk == [*[16] * 9, *[8] * 4, 4, 4, 2]  # at lengths 16 .. 8, 7 .. 4, 3 and 2, 1


@pytest.mark.parametrize(
    ("ranges", "n", "least", "most"),
    [
        ([3], 2, 1, 1),
        ([3], 9, 2, 3),  # 3 3 3 from a landmark on, 2 3 3 1 or 1 3 3 2 elsewhere
        ([3], 10, 3, 3),  # 3 3 3 1, 2 3 3 2 or 1 3 3 3
        ([3, 6], 9, 1, 2),  # 3 6, 2 6 1 or 1 6 2
    ],
)
def test_what_another_range_of_l_int_costs(ranges, n, least, most):
    """Not declared: n - 1 where no part is so narrow, else one for each landmark interval but the first."""
    counting = Counting(intervals)
    window = LInt(counting.aggregate, ranges)
    for position in range(30):
        window.insert((position, position + 1))
    costs = []
    for lag in range(18):
        counting.reset()
        assert window.query(n, lag) == (30 - lag - n, 30 - lag)
        costs.append(counting.combines)
    assert (min(costs), max(costs)) == (least, most)


def test_all_parts_of_l_int():
    for n in range(2, 65):
        worst, amortized = stored("single", "l_int", n)
        assert amortized < 3 * log(n) + 1
        assert worst <= 2 * n
        assert stored("all_ranges", "l_int", n)[0] <= worst + n - 1


@pytest.mark.parametrize(
    "n", [4, 5, 8, 20]
)  # in windows of 2 and 3, other walks are of single steps only, too
def test_the_reset_without_a_stack_happens_once_in_n_plus_1_slides(n, monkeypatch):
    """S §3.2.2: the manual reset replaces the walk that fills the stack, and no other."""
    resets = []
    usual = FlatFit._reset
    monkeypatch.setattr(FlatFit, "_reset", lambda self, start: resets.append(start) or usual(self, start))
    window = FlatFit(intervals, stack_free=True)
    for position in range(n + 10 * (n + 1)):
        if position >= n:
            window.evict()
        window.insert((position, position + 1))
        if position >= n - 1:
            window.query()
    assert len(resets) == 11
    assert {later - earlier for earlier, later in pairwise(resets)} == {n + 1}
    window = FlatFit(intervals)
    for position in range(3 * n):
        window.insert((position, position + 1))
        window.query()
    assert len(resets) == 11  # not without being asked for


def test_a_range_that_begins_with_the_newest_of_a_reset_is_reset_too(monkeypatch):
    """Where the walk has ended only single steps follow, from the last position of the walk on, and from no earlier one."""
    resets = []
    usual = FlatFit._reset
    monkeypatch.setattr(FlatFit, "_reset", lambda self, start: resets.append(start) or usual(self, start))
    for n, again in ((5, False), (4, True), (3, True)):
        window = FlatFit(intervals, stack_free=True)
        for position in range(5):
            window.insert((position, position + 1))
        window.query()
        for position in range(5, 8):
            window.insert((position, position + 1))
        resets.clear()
        assert window.query(n) == (8 - n, 8)
        assert resets == ([8 - n] if again else [])


def test_flatfit_all_ranges_in_any_order():
    """n - 1 operations, whatever comes first."""
    for n in range(1, 33):
        for asks in (every_range, lambda length: every_range(length)[::-1]):
            cycle = steady_state(FlatFit, n, asks=asks)
            assert (cycle.worst, cycle.amortized) == (n - 1, n - 1)


@pytest.mark.parametrize("name", BLIND)
def test_a_resizing_combines_nothing(name, monkeypatch):
    """The same steps, in arrays that are never resized and in arrays that are resized often: the same operations."""
    totals = []
    for smallest in (1024, 2):
        for module in ("daba", "flatfat", "flatfit", "b_int"):
            monkeypatch.setattr(f"swagcore.aggregators.{module}.SMALLEST", smallest)
        counting = Counting(words)
        window = maker(name)(counting.aggregate)
        place = 0
        for size in (5, 3, 33, 2, 17, 70, 9):
            while len(window) > size:
                window.evict()
            while len(window) < size:
                window.insert((place,))
                place += 1
                if not place % 3:
                    window.query()
        totals.append(counting.operations)
    if name in ("flatfat", "b_int"):  # there the alignment of the blocks may differ
        assert abs(totals[0] - totals[1]) <= totals[0] // 4
    else:
        assert totals[0] == totals[1]
