"""S Examples 3 to 6 (Figures 10, 20 and 22), step by step: arrays, deques, answers, and the number of operations.

The figures are those of the algorithms as printed, mended where they do not run, so these are run beside the techniques:
the structures of the figures must come out of the first, the answers and the operations of both.
"""

from __future__ import annotations

import math
import operator

import pytest

from specs.printed.flatfit import AsPrinted
from specs.printed.slickdeque import AsPrintedInv, AsPrintedNonInv
from swagcore.aggregators.flatfit import FlatFit
from swagcore.aggregators.recompute import Recompute
from swagcore.aggregators.slickdeque_inv import SlickDequeInv
from swagcore.aggregators.slickdeque_noninv import SlickDequeNonInv
from swagcore.algebra import Aggregate, Counting, aggregate

LOW = -math.inf
MAX = Aggregate("max", lift=float, combine=max, identity=LOW)
SUM = Aggregate("sum", lift=float, combine=operator.add, inverse=operator.sub, identity=0)

FIGURE_10 = [2, 4, 0, 3, 7, 6, 1, 8, 9, 5]
# Of each step: Pointers, Partials, the answers of Q1 (range 5) and Q2 (range 2), the operations of Q1 and of Q2.
FLATFIT_STEPS = [
    ([1, 0, 0, 0, 0], [LOW, 2, 2, 2, 2], 2, 2, 4, 0),
    ([1, 0, 0, 0, 0], [4, 2, 2, 2, 2], 4, 4, 1, 1),
    ([2, 2, 0, 0, 0], [4, 0, 2, 2, 2], 4, 4, 2, 0),
    ([3, 2, 3, 0, 0], [4, 0, 3, 2, 2], 4, 3, 2, 1),
    ([4, 2, 3, 4, 0], [7, 0, 3, 7, 2], 7, 7, 2, 1),
    ([4, 2, 3, 4, 0], [7, 0, 3, 7, 6], 7, 7, 1, 1),
    ([1, 2, 1, 1, 1], [1, 0, 7, 7, 6], 7, 6, 4, 0),
    ([1, 2, 1, 1, 1], [1, 8, 7, 7, 6], 8, 8, 1, 1),
    ([1, 3, 3, 1, 1], [1, 9, 9, 7, 6], 9, 9, 2, 0),
    ([1, 4, 3, 4, 1], [1, 9, 9, 5, 6], 9, 9, 2, 1),
]


def test_figure_10():
    """Examples 3 and 4: the arrays after every step, with both queries; Q2 writes nothing, so they serve Q1 alone too."""
    machine = AsPrinted(5, max, LOW, mended=True)
    assert (machine.Pointers, machine.Partials) == ([1, 2, 3, 4, 0], [LOW] * 5)  # step 0
    counts = []
    for value, (pointers, partials, *answers, _, _) in zip(FIGURE_10, FLATFIT_STEPS, strict=True):
        counts.append([])
        machine.Partials[machine.prevInd], machine.Pointers[machine.prevInd] = value, machine.currInd
        got = []
        for asked in (5, 2):
            before = machine.operations
            got.append(machine.answer(asked))
            counts[-1].append(machine.operations - before)
        machine.prevInd, machine.currInd = machine.currInd, (machine.currInd + 1) % 5
        assert got == answers
        assert (machine.Pointers, machine.Partials) == (pointers, partials)
    assert counts == [list(step[4:]) for step in FLATFIT_STEPS]
    assert (sum(q1 for q1, _ in counts), sum(q2 for _, q2 in counts)) == (21, 6)  # as the text says


def started(technique, counting, window=5):
    """The window as the paper starts it: full of initial values; its steps evict, insert and ask."""
    for _ in range(window):
        technique.insert(counting.aggregate.identity)
    counting.reset()


@pytest.mark.parametrize("stack_free", [False, True])
def test_example_3_by_the_technique(stack_free):
    counting = Counting(MAX)
    window = FlatFit(counting.aggregate, stack_free=stack_free)
    started(window, counting)
    counts = []
    for value, step in zip(FIGURE_10, FLATFIT_STEPS, strict=True):
        counting.reset()
        window.evict()
        window.insert(value)
        assert window.query() == step[2]
        counts.append(counting.combines)
    assert counts == [4, 1, 2, 2, 2, 1, 4, 1, 2, 2]
    assert sum(counts) == 21


def test_example_4_by_the_technique():
    """Every position of a walk is lengthened here, that of Q2 too: 26 operations, where the figure's arrays need 21 + 6."""
    counting = Counting(MAX)
    window = FlatFit(counting.aggregate)
    started(window, counting)
    counts = []
    for value, (_, _, first, second, _, _) in zip(FIGURE_10, FLATFIT_STEPS, strict=True):
        counting.reset()
        window.evict()
        window.insert(value)
        assert (window.query(5), window.query(2)) == (first, second)
        counts.append(counting.combines)
    assert counts == [4, 2, 2, 3, 3, 2, 2, 3, 3, 2]  # no reset at step 7: the figure has 4 there


FIGURES_20_22 = [6, 5, 0, 1, 3, 4, 2, 7]
INV_STEPS = [  # the circular array, and the answers of ranges 3 and 5
    ([6, 0, 0, 0, 0], 6, 6),
    ([6, 5, 0, 0, 0], 11, 11),
    ([6, 5, 0, 0, 0], 11, 11),
    ([6, 5, 0, 1, 0], 6, 12),
    ([6, 5, 0, 1, 3], 4, 15),
    ([4, 5, 0, 1, 3], 8, 13),
    ([4, 2, 0, 1, 3], 9, 10),
    ([4, 2, 7, 1, 3], 13, 17),
]


def test_figure_20():
    """Example 5: SlickDeque (Inv) on Sum, 32 operations."""
    printed, counting = AsPrintedInv([3, 5], operator.add, operator.sub, 0), Counting(SUM)
    window = SlickDequeInv(counting.aggregate, ranges=[3, 5])
    started(window, counting)
    for value, (partials, third, fifth) in zip(FIGURES_20_22, INV_STEPS, strict=True):
        assert printed.step(value) == {3: third, 5: fifth}
        assert printed.partials == partials
        window.evict()
        window.insert(value)
        assert (window.query(3), window.query(5), window.query()) == (third, fifth, fifth)
    assert printed.operations == counting.operations == 32
    assert (counting.combines, counting.inverses) == (16, 16)


NONINV_STEPS = [  # the deque as (position modulo 5, value), the answers of ranges 3 and 5, the operations
    ([(0, 6)], 6, 6, 0),
    ([(0, 6), (1, 5)], 6, 6, 1),
    ([(0, 6), (1, 5), (2, 0)], 6, 6, 1),
    ([(0, 6), (1, 5), (3, 1)], 5, 6, 2),
    ([(0, 6), (1, 5), (4, 3)], 3, 6, 2),
    ([(1, 5), (0, 4)], 4, 5, 2),
    ([(0, 4), (1, 2)], 4, 4, 1),
    ([(2, 7)], 7, 7, 2),
]


def test_figure_22():
    """Example 6: SlickDeque (Non-Inv) on Max, 11 operations."""
    mended, counting = AsPrintedNonInv([3, 5], max, mended=True), Counting(aggregate("max"))
    window = SlickDequeNonInv(counting.aggregate)
    for step, (value, (nodes, third, fifth, operations)) in enumerate(
        zip(FIGURES_20_22, NONINV_STEPS, strict=True)
    ):
        assert mended.step(value) == {3: third, 5: fifth}
        assert list(mended.d) == nodes
        counting.reset()
        if len(window) == 5:
            window.evict()
        window.insert(value)
        assert window.query() == fifth
        assert window.query(min(3, len(window))) == third
        assert counting.operations == operations
        oldest = max(0, step - 4)
        assert [((position + oldest) % 5, kept) for position, kept in window._state()["nodes"]] == nodes
    assert mended.operations == sum(step[3] for step in NONINV_STEPS) == 11


@pytest.mark.parametrize(
    ("function", "values", "ranges", "operations"),
    [(MAX, FIGURE_10, [5], 40), (MAX, FIGURE_10, [2], 10), (SUM, FIGURES_20_22, [3, 5], 48)],
    ids=["Example 3", "Example 4, Q2", "Examples 5 and 6"],
)
def test_what_panes_needs(function, values, ranges, operations):
    counting = Counting(function)
    window = Recompute(counting.aggregate)
    started(window, counting)
    for value in values:
        window.evict()
        window.insert(value)
        for n in ranges:
            window.query(n)
    assert counting.operations == operations


def test_figure_21():
    """The update that the figure shows: 8 expires; 4 throws out 2 and 3; 5 is the answer."""
    window = SlickDequeNonInv(aggregate("max"))
    for value in (8, 5, 3, 2):
        window.insert(value)
    window.evict()
    window.insert(4)
    assert [kept for _, kept in window._state()["nodes"]] == [5, 4]
    assert window.query() == 5


def test_figure_9():
    """A range of 9 partials at index 5 of 12: two jumps, from 8 to 1 and from 1 to 5."""
    machine = AsPrinted(12, operator.add, "", mended=True)
    machine.Pointers[8], machine.Partials[8] = 1, "older"
    machine.Pointers[1], machine.Partials[1] = 5, "newer"
    machine.currInd = 5
    assert machine.answer(9) == "oldernewer"
    assert (machine.deepest, machine.operations) == (2, 1)
