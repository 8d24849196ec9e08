"""The papers' algorithms and formulas as printed, shown wrong where they are wrong, each on a smallest input."""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import permutations, product
from math import factorial

import pytest

from specs.printed.flatfit import AsPrinted
from specs.printed.slickdeque import AsPrintedInv, AsPrintedNonInv
from swagcore.aggregators.slickdeque_noninv import SlickDequeNonInv
from swagcore.algebra import aggregate

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def words_right(machine, ranges, steps):
    """Whether each answer is the word of the newest n letters, once there are n; strings are joined."""
    for count, letter in enumerate(LETTERS[:steps], start=1):
        answers = machine.step(letter, ranges)
        for n, answer in zip(ranges, answers, strict=True):
            if answer != LETTERS[max(0, count - n) : count]:
                return False
    return True


# FlatFIT, S Algorithm 1


@pytest.mark.parametrize(
    ("window", "ranges", "step"),
    [(1, [1], 1), (2, [2, 1], 1), (3, [1], 1), (5, [5, 2], 1)],  # the last is Example 4 itself
)
def test_flatfit_pops_an_empty_stack(window, ranges, step):
    """Lines 35-43: where the first jump ends at currInd, one pop empties the stack, and line 42 pops again."""
    machine = AsPrinted(window, max, float("-inf"))
    for value in range(step - 1):
        machine.step(value, ranges)
    with pytest.raises(IndexError, match="pop from empty list"):
        machine.step(0, ranges)


def test_flatfit_combines_in_the_wrong_order():
    """Lines 38 and 43: newer before older. Two letters are enough; Max does not show it."""
    machine = AsPrinted(2, operator.add, "")
    machine.step("a", [2])
    assert machine.step("b", [2]) == ["ba"]
    machine = AsPrinted(3, max, float("-inf"))
    assert [machine.step(value, [3])[0] for value in (3, 1, 2, 0)] == [3, 3, 3, 2]


def test_flatfit_initializes_one_cell_too_many():
    with pytest.raises(IndexError, match="out of range"):
        AsPrinted(3, max, 0, to_wsize=True)


@pytest.mark.parametrize("window", range(1, 7))
def test_flatfit_mended_is_right(window):
    """With those corrections: all sets of ranges, over words."""
    for chosen in product((False, True), repeat=window - 1):
        ranges = [window, *(n for n, there in enumerate(chosen, start=1) if there)]
        for order in (ranges, sorted(ranges)):
            assert words_right(AsPrinted(window, operator.add, "", mended=True), order, 4 * window)


@pytest.mark.parametrize("window", range(2, 20))
def test_flatfit_resets_every_n_plus_1_slides(window):
    """S §3.3.1: n - 1, 1, 2 (n - 2 times), 1; the stack of §3.2.2 holds n positions, then at most 3, not n - 1 and 2."""
    machine = AsPrinted(window, max, 0, mended=True)
    costs, depths = [], []
    for value in range(2 * (window + 1)):
        machine.operations = machine.deepest = 0
        machine.step(value, [window])
        costs.append(machine.operations)
        depths.append(machine.deepest)
    assert costs == [window - 1, 1, *[2] * (window - 2), 1] * 2
    assert depths == [window, 2, *[3] * (window - 2), 2] * 2
    assert Fraction(sum(costs), len(costs)) == Fraction(3 * (window - 1), window + 1)
    printed = Fraction(
        3 * (window - 1) * window, (window - 1) * window
    )  # times n, over n - 1; a slide: over n
    assert printed == 3 != Fraction(sum(costs), len(costs))


@pytest.mark.parametrize("window", range(2, 9))
def test_the_optimized_reset(window):
    """S §3.2.2: "until currInd is reached" has to include it, and from initVal that is n operations."""
    for through, right in ((False, False), (True, True)):
        machine = AsPrinted(window, operator.add, "", mended=True)
        for place in range(window):
            machine.Partials[place], machine.Pointers[place] = LETTERS[place], (place + 1) % window
        assert (machine.wReset(through) == LETTERS[:window]) is right
        assert machine.operations == (window if through else window - 1)


def test_two_queries_fill_the_stack_as_one_does():
    """S §3.3.2: n/2 positions with two queries, half of that with each one more; ranges n and 1 need n."""
    for window in (4, 8, 16, 32):
        machine = AsPrinted(window, max, 0, mended=True)
        for value in range(3 * window):
            machine.step(value, [window])
        machine.deepest = 0
        for value in range(3 * window):
            machine.step(value, [window, 1])
        assert machine.deepest == window > window // 2


def test_the_cost_of_leaving_the_first_position_as_it_is():
    """Lines 42-44, all ranges 1 .. 16: asked from the longest on, n - 1 operations a slide; from the shortest on, 22."""
    for order, cost in ((range(16, 0, -1), 15), (range(1, 17), 22)):
        machine = AsPrinted(16, max, 0, mended=True)
        for value in range(100):
            machine.operations = 0
            machine.step(value, list(order))
        assert machine.operations == cost
    costs = []
    machine = AsPrinted(7, max, 0, mended=True)
    for value in range(110):
        machine.operations = 0
        machine.step(value, [7, 4])
        costs.append(machine.operations)
    assert costs[-10:] == costs[-5:] * 2
    assert Fraction(sum(costs[-5:]), 5) == Fraction(17, 5)


# SlickDeque, S Algorithms 2 and 3


def all_ranges_right(step, combine, ranges, values):
    for count, value in enumerate(values, start=1):
        answers = step(value)
        for n in ranges:
            newest = values[max(0, count - n) : count]
            expected = newest[0]
            for other in newest[1:]:
                expected = combine(expected, other)
            if answers[n] != expected:
                return False
    return True


@pytest.mark.parametrize("ranges", [[1], [2], [1, 2], [2, 3], [1, 2, 3, 4], [3, 5]])
def test_slickdeque_inv_is_right_as_printed(ranges):
    values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]
    assert all_ranges_right(
        AsPrintedInv(ranges, operator.add, operator.sub, 0).step, operator.add, ranges, values
    )


def test_slickdeque_inv_with_minus_needs_commutativity():
    """x - y as x + (-y) takes the newest off: strings, with an inverse at the wrong end; at the old end it is right."""

    def strip_end(total, oldest):
        return total.removesuffix(oldest)

    def strip_beginning(total, oldest):
        return total.removeprefix(oldest)

    assert not all_ranges_right(
        AsPrintedInv([2], operator.add, strip_end, "").step, operator.add, [2], "abcab"
    )
    assert all_ranges_right(
        AsPrintedInv([2], operator.add, strip_beginning, "").step, operator.add, [2], "abcab"
    )


def test_slickdeque_noninv_answers_over_one_partial_too_many():
    """Lines 31 and 36: a range below wSize. Smallest: window 2, range 1, values 1, 0; and Example 6, steps 4 and 5."""
    machine = AsPrintedNonInv([2, 1], max)
    assert machine.step(1) == {2: 1, 1: 1}
    assert machine.step(0) == {2: 1, 1: 1}  # the newest one is 0
    machine = AsPrintedNonInv([5, 3], max)
    printed = [machine.step(value)[3] for value in (6, 5, 0, 1, 3, 4, 2, 7)]
    assert printed == [6, 6, 6, 6, 5, 4, 4, 7]
    assert printed != [6, 6, 6, 5, 3, 4, 4, 7]  # Figure 22


@pytest.mark.parametrize("window", range(1, 6))
def test_slickdeque_noninv_mended_is_right(window):
    """All ranges at once, and all orders of six values, ties included."""
    ranges = list(range(1, window + 1))
    for values in product((0, 1, 2), repeat=6):
        assert all_ranges_right(AsPrintedNonInv(ranges, max, mended=True).step, max, ranges, values)


def test_slickdeque_noninv_takes_equal_for_identical():
    """Line 16 asks ==: of 1 and True, both 1, the first should be kept, and the second comes out."""
    machine = AsPrintedNonInv([2], aggregate("max").combine, mended=True)
    machine.step(1)
    assert machine.step(True) == {2: True}
    assert machine.d[0][1] is True
    assert aggregate("max").combine(1, True) is not True
    window = SlickDequeNonInv(aggregate("max"))
    for value in (1, True, 1.0):
        window.insert(value)
        assert type(window.query()) is int
    assert [type(window.query(n)) for n in (1, 2, 3)] == [float, bool, int]


def test_slickdeque_noninv_needs_more_than_a_missing_inverse():
    """The union of sets has no inverse, and is not selective: of {1} and {2} the first is the answer."""
    machine = AsPrintedNonInv([2], frozenset.union, mended=True)
    machine.step(frozenset({1}))
    assert machine.step(frozenset({2})) == {2: frozenset({1})}


def cost_of_last(values):
    """The operations of the last value, in a window of all of them."""
    machine = AsPrintedNonInv([len(values)], max)
    for value in values[:-1]:
        machine.step(value)
    machine.operations = 0
    machine.step(values[-1])
    return machine.operations


@pytest.mark.parametrize("n", range(2, 8))
def test_the_chance_of_the_worst_step(n):
    """S §4.3.1: n operations, 1 in n!; it is n - 1, 2 in n!. The mean over all orders is 2 - 2/n."""
    costs = [cost_of_last(order) for order in permutations(range(n))]
    assert max(costs) == n - 1
    assert costs.count(n - 1) == 2
    assert Fraction(sum(costs), factorial(n)) == 2 - Fraction(2, n)


def test_a_costly_step_needs_no_ordered_run():
    """S §4.3.1: k operations need k + 1 partials in order, 1 in (k + 1)!; in a window of 5, 2 or more: 9 in 20."""
    costs = [cost_of_last(order) for order in permutations(range(5))]
    assert Fraction(sum(cost >= 2 for cost in costs), len(costs)) == Fraction(9, 20) > Fraction(1, 6)


# FlatFAT, S §2.3.2


def covered_by(first, last, capacity):
    """The fewest nodes of a tree over the leaves that cover first .. last, by walking down from the root."""

    def walk(low, high):
        if last < low or high < first:
            return 0
        if first <= low and high <= last:
            return 1
        middle = (low + high) // 2
        return walk(low, middle) + walk(middle + 1, high)

    return walk(0, capacity - 1)


@pytest.mark.parametrize("k", range(7))
def test_the_exact_cost_of_all_ranges_in_flatfat(k):
    """Printed: n log n - 3n/2 + 5 log n / 2 + 5/2. Counted: less by n + log n, with the root for the whole window."""
    n = 2**k
    total = 0
    for newest in range(n):
        total += k  # the update, from the leaf to the root
        for width in range(1, n):
            oldest = newest - width + 1
            if oldest >= 0:
                nodes = covered_by(oldest, newest, n)
            else:
                nodes = covered_by(0, newest, n) + covered_by(oldest + n, n - 1, n)
            total += nodes - 1
    counted = Fraction(total, n)
    printed = n * k - Fraction(3 * n, 2) + Fraction(5 * k, 2) + Fraction(5, 2)
    assert counted == n * k - Fraction(5 * n, 2) + Fraction(3 * k, 2) + Fraction(5, 2)
    assert printed - counted == n + k


class AsPrintedFlatFat:
    """The tree of S Figure 5: leaves in a circle, every node above a new leaf updated, the root for the whole window."""

    def __init__(self, window):
        self.capacity = 1 << (window - 1).bit_length()
        self.tree, self.next = [""] * (2 * self.capacity), 0

    def step(self, letter):
        node = self.capacity + self.next
        self.next = (self.next + 1) % self.capacity
        self.tree[node] = letter
        while node > 1:
            node //= 2
            self.tree[node] = self.tree[2 * node] + self.tree[2 * node + 1]
        return self.tree[1]


def test_the_root_of_flatfat_is_the_answer_until_the_window_wraps():
    """Then its halves are in the wrong order; and with n below the capacity it holds what has expired."""
    machine = AsPrintedFlatFat(2)
    assert [machine.step(letter) for letter in "abc"] == ["a", "ab", "cb"]  # the window is bc
    machine = AsPrintedFlatFat(3)
    assert [machine.step(letter) for letter in "abcd"][-1] == "abcd"  # the window is bcd


@pytest.mark.parametrize(("n", "space"), [(5, 16), (9, 32), (17, 64), (2**20 + 1, 2**22)])
def test_the_space_of_flatfat_is_not_3n(n, space):
    assert 2 ** ((n - 1).bit_length() + 1) == space > 3 * n
