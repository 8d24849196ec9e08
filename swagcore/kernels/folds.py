"""Folds over the pieces `[lo, hi)` of arrays, where both bounds rise from window to window.

Each is two stacks laid flat: `back[i]` is the fold of the rows from i to `middle`, made once when a window begins beyond
the middle, and `front` is the fold of the rows from the middle on. So a row is combined at most three times, whatever
the window's length; nothing is ever subtracted, so NaN and infinities leave when their rows do. `lo` and `hi` have to
rise together and `lo < hi`; windows of different runs then need no care, since a new run begins beyond the middle.

Without numba: `reduceat`, which is a pass over each window's rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiled import COMPILED, compiled

Array = np.ndarray[Any, np.dtype[Any]]


def add(values: Array, lo: Array, hi: Array) -> Array:
    """The sum of each piece, of int64 or float64. Of n floats, in n - 1 additions: its error is (n-1)u * sum|x|.

    >>> add(np.array([1, 2, 3, 4]), np.array([0, 1, 1]), np.array([2, 3, 4])).tolist()
    [3, 5, 9]
    """
    return _add(values, lo, hi) if COMPILED else _reduced(np.add, values, lo, hi)


def multiply(values: Array, lo: Array, hi: Array) -> Array:
    """The product of each piece of float64.

    >>> multiply(np.array([1.0, 2.0, 3.0]), np.array([0, 1]), np.array([3, 3])).tolist()
    [6.0, 6.0]
    """
    return _multiply(values, lo, hi) if COMPILED else _reduced(np.multiply, values, lo, hi)


def multiply_magnitudes(values: Array, lo: Array, hi: Array) -> Array:
    """The product of magnitudes up to 2**63, each kept as its negative; 0 stands for all that is beyond.

    The magnitude 2**63 has a negative in int64 but no positive. A product beyond stays beyond: no magnitude is zero.

    >>> multiply_magnitudes(np.array([-2, -3, -(2**62)]), np.array([0, 0]), np.array([2, 3])).tolist()
    [-6, 0]
    """
    if COMPILED:
        return _multiply_magnitudes(values, lo, hi)
    exact = np.array([-int(value) for value in values], object)
    products = _reduced(np.multiply, np.where(values == 0, 1 << 64, exact), lo, hi)
    return np.array([-int(p) if p <= 1 << 63 else 0 for p in products], np.int64)


def choose(ranks: Array, known: Array, lo: Array, hi: Array) -> Array:
    """The row of the smallest rank of each piece among the known ones, the earliest of equals; -1 where none is known.

    >>> choose(np.array([5, 3, 3]), np.array([True, True, True]), np.array([0, 2]), np.array([3, 3])).tolist()
    [1, 2]
    """
    if COMPILED:
        return _choose(ranks, known, lo, hi)
    # Ranks and rows in one order: the place of each row among all, unknown ones last.
    order = np.lexsort((np.arange(len(ranks)), ranks, ~known))
    places = np.empty(len(ranks), np.int64)
    places[order] = np.arange(len(ranks))
    least = _reduced(np.minimum, places, lo, hi)
    return np.where(least < int(known.sum()), order[least], -1)


def moments(count: Array, mean: Array, squares: Array, lo: Array, hi: Array) -> tuple[Array, Array, Array]:
    """Count, mean and sum of squared differences from the mean, of pieces whose rows have theirs (Chan et al.).

    >>> one = np.array([1, 1, 1])
    >>> moments(one, np.array([1.0, 2.0, 6.0]), np.zeros(3), np.array([0]), np.array([3]))
    (array([3]), array([3.]), array([14.]))
    """
    if COMPILED:
        return _moments(count, mean, squares, lo, hi)
    total = _reduced(np.add, count, lo, hi)
    middle = np.zeros(len(lo))
    spread = np.zeros(len(lo))
    for number, (first, last) in enumerate(zip(lo.tolist(), hi.tolist(), strict=True)):
        rows = slice(first, last)
        if total[number]:
            middle[number] = (count[rows] * mean[rows]).sum() / total[number]
            away = count[rows] * (mean[rows] - middle[number]) ** 2
            spread[number] = (squares[rows] + away)[count[rows] > 0].sum()
    return total, middle, spread


def _reduced(function: Any, values: Array, lo: Array, hi: Array) -> Array:
    if not len(lo):
        return values[:0]
    # reduceat takes pairs of bounds; the last may not be the end of the array, so that one gets a row more.
    pairs = np.stack([lo, hi], axis=1).ravel()
    with np.errstate(all="ignore"):
        return np.asarray(function.reduceat(np.append(values, values[:1]), pairs)[::2])


@compiled
def _add(values: Array, lo: Array, hi: Array) -> Array:
    found = np.empty(len(lo), values.dtype)
    back = np.empty(len(values), values.dtype)
    middle, end = 0, 0
    front = values.dtype.type(0)
    for number in range(len(lo)):
        first, last = lo[number], hi[number]
        if first >= middle:
            total = values[last - 1]
            back[last - 1] = total
            for row in range(last - 2, first - 1, -1):
                total = values[row] + total
                back[row] = total
            middle = end = last
            front = values.dtype.type(0)
            found[number] = total
        else:
            for row in range(end, last):
                front = front + values[row]
            found[number] = back[first] + front
            end = last
    return found


@compiled
def _multiply(values: Array, lo: Array, hi: Array) -> Array:
    found = np.empty(len(lo), values.dtype)
    back = np.empty(len(values), values.dtype)
    middle, end = 0, 0
    front = 1.0
    for number in range(len(lo)):
        first, last = lo[number], hi[number]
        if first >= middle:
            product = 1.0
            for row in range(last - 1, first - 1, -1):
                product = values[row] * product
                back[row] = product
            middle = end = last
            front = 1.0
        else:
            for row in range(end, last):
                front = front * values[row]
            end = last
        found[number] = back[first] * front
    return found


@compiled
def _times(a: Any, b: Any) -> Any:
    """The product of two magnitudes kept as negatives, 0 being beyond."""
    if a == 0 or b == 0:
        return np.int64(0)
    if a == -1:
        return b
    if b == -1:
        return a
    if a == -(2**63) or b == -(2**63):  # the other one is 2 at the least
        return np.int64(0)
    if np.uint64(-b) > np.uint64(2**63) // np.uint64(-a):
        return np.int64(0)
    return a * -b


@compiled
def _multiply_magnitudes(values: Array, lo: Array, hi: Array) -> Array:
    found = np.empty(len(lo), np.int64)
    back = np.empty(len(values), np.int64)
    middle, end = 0, 0
    front = np.int64(-1)
    for number in range(len(lo)):
        first, last = lo[number], hi[number]
        if first >= middle:
            product = np.int64(-1)
            for row in range(last - 1, first - 1, -1):
                product = _times(values[row], product)
                back[row] = product
            middle = end = last
            front = np.int64(-1)
        else:
            for row in range(end, last):
                front = _times(front, values[row])
            end = last
        found[number] = _times(back[first], front)
    return found


@compiled
def _choose(ranks: Array, known: Array, lo: Array, hi: Array) -> Array:
    found = np.empty(len(lo), np.int64)
    back = np.empty(len(ranks), np.int64)
    middle, end = 0, 0
    front = -1
    for number in range(len(lo)):
        first, last = lo[number], hi[number]
        if first >= middle:
            best = -1
            for row in range(last - 1, first - 1, -1):
                if known[row] and (best < 0 or ranks[row] <= ranks[best]):
                    best = row
                back[row] = best
            middle = end = last
            front = -1
        else:
            for row in range(end, last):
                if known[row] and (front < 0 or ranks[row] < ranks[front]):
                    front = row
            end = last
        earlier = back[first]
        if earlier < 0 or (front >= 0 and ranks[front] < ranks[earlier]):
            earlier = front
        found[number] = earlier
    return found


@compiled
def _joined(count: Any, mean: Any, squares: Any, more: Any, its_mean: Any, its_squares: Any) -> Any:
    if count == 0:
        return more, its_mean, its_squares
    if more == 0:
        return count, mean, squares
    total = count + more
    difference = its_mean - mean
    return (
        total,
        mean + difference * (more / total),
        squares + its_squares + difference * difference * (count * (more / total)),
    )


@compiled
def _moments(count: Array, mean: Array, squares: Array, lo: Array, hi: Array) -> tuple[Array, Array, Array]:
    counts, means, spreads = np.empty(len(lo), np.int64), np.empty(len(lo)), np.empty(len(lo))
    back_count, back_mean, back_squares = (
        np.empty(len(count), np.int64),
        np.empty(len(count)),
        np.empty(len(count)),
    )
    middle, end = 0, 0
    n, m, s = np.int64(0), 0.0, 0.0
    for number in range(len(lo)):
        first, last = lo[number], hi[number]
        if first >= middle:
            n, m, s = np.int64(0), 0.0, 0.0
            for row in range(last - 1, first - 1, -1):
                n, m, s = _joined(count[row], mean[row], squares[row], n, m, s)
                back_count[row], back_mean[row], back_squares[row] = n, m, s
            middle = end = last
            n, m, s = np.int64(0), 0.0, 0.0
        else:
            for row in range(end, last):
                n, m, s = _joined(n, m, s, count[row], mean[row], squares[row])
            end = last
        counts[number], means[number], spreads[number] = _joined(
            back_count[first], back_mean[first], back_squares[first], n, m, s
        )
    return counts, means, spreads
