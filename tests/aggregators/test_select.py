"""`select` of B-INT-QNT: every rank of all small families of sorted arrays, and large ones at random."""

from __future__ import annotations

import math
import random
from itertools import combinations_with_replacement, pairwise, product

import pytest

from swagcore.aggregators.b_int_qnt import _pivot, select


def arrays_up_to(length, values):
    return [array for size in range(1, length + 1) for array in combinations_with_replacement(values, size)]


@pytest.mark.parametrize(("count", "length"), [(1, 4), (2, 3), (3, 2)])
def test_all_small_ones(count, length):
    for arrays in product(arrays_up_to(length, (0, 1, 2)), repeat=count):
        union = sorted(element for array in arrays for element in array)
        assert [select(arrays, rank) for rank in range(1, len(union) + 1)] == union


def test_large_ones():
    chance = random.Random(6)
    for _ in range(100):
        spread = chance.choice((3, 50, 10_000))
        arrays = [
            sorted(chance.randrange(spread) for _ in range(chance.choice((1, 2, 8, 64))))
            for _ in range(chance.randint(1, 9))
        ]
        union = sorted(element for array in arrays for element in array)
        for rank in {1, len(union), *(chance.randint(1, len(union)) for _ in range(5))}:
            assert select(arrays, rank) == union[rank - 1]


def test_nan_is_above_all():
    arrays = [(1.0, math.inf, math.nan), (0.0, math.nan), (math.nan,)]
    found = [select(arrays, rank) for rank in range(1, 7)]
    assert found[:3] == [0.0, 1.0, math.inf]
    assert all(math.isnan(element) for element in found[3:])


@pytest.mark.parametrize(("count", "longest"), [(1, 20), (2, 12), (3, 6), (4, 4)])
def test_every_pivot_rules_out_a_quarter(count, longest):
    """So the rounds are at most logarithmic. Distinct elements, in every order of the arrays and every mix of lengths."""
    for lengths in product(range(1, longest + 1), repeat=count):
        ends = [sum(lengths[:place]) for place in range(count + 1)]
        apart = [(range(low, high), 0, high - low) for low, high in pairwise(ends)]
        across = [(range(place, 100, count), place, place + n) for place, n in enumerate(lengths)]
        for parts in (apart, across):
            union = [element for array, low, high in parts for element in array[low:high]]
            pivot = _pivot(parts)
            assert 4 * sum(element <= pivot for element in union) >= len(union), parts
            assert 4 * sum(element >= pivot for element in union) >= len(union), parts
