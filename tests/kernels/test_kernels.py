"""The kernels, compiled and by numpy, against one line of Python each."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import swagcore as sw
from swagcore.naive import instances

np = pytest.importorskip("numpy")
folds = pytest.importorskip("swagcore.kernels.folds")
found_windows = pytest.importorskip("swagcore.kernels.instances")

U = Fraction(1, 2**53)


@pytest.fixture(params=["compiled", "numpy"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if request.param == "compiled":
        pytest.importorskip("numba")
    for module in (folds, found_windows):
        monkeypatch.setattr(module, "COMPILED", request.param == "compiled")
    yield request.param


examples = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
runs = st.lists(st.sets(st.integers(-40, 40), min_size=1, max_size=12).map(sorted), min_size=1, max_size=4)
shapes = st.tuples(st.integers(1, 15), st.integers(1, 15), st.integers(0, 14)).map(
    lambda s: (s[0], s[1], s[2] % s[1])
)


@examples
@given(runs, shapes, st.integers(1, 50), st.tuples(st.integers(-50, 0), st.integers(1, 50)))
def test_windows(
    way: str, runs: list[list[int]], shape: tuple[int, int, int], most: int, wanted: tuple[int, int]
) -> None:
    times = np.array([time for run in runs for time in run])
    bounds = np.append(0, np.cumsum([len(run) for run in runs]))
    first, before = (np.full(len(runs), bound) for bound in wanted)
    got = []
    for some in found_windows.windows(times, bounds, first, before, shape, most):
        assert 0 < len(some.run) <= most
        got += list(zip(*(column.tolist() for column in some), strict=True))
    expected = []
    for number, run in enumerate(runs):
        for start in instances(sw.Window(*shape), run):
            if wanted[0] <= start < wanted[1]:
                inside = [row for row, time in enumerate(run) if start <= time < start + shape[0]]
                expected.append((number, start, bounds[number] + inside[0], bounds[number] + inside[-1] + 1))
    assert got == expected


def test_a_gap_of_a_million_years_costs_nothing(way: str) -> None:
    times, far = np.array([0, 10**18]), np.array([2 * 10**18])
    [some] = found_windows.windows(times, np.array([0, 2]), -far, far, (2, 1, 0))
    assert some.start.tolist() == [-1, 0, 10**18 - 1, 10**18]


pieces = st.integers(1, 25).flatmap(
    lambda size: st.tuples(
        st.just(size),
        st.lists(st.tuples(st.integers(0, size - 1), st.integers(1, size)), min_size=1, max_size=20).map(
            lambda pairs: [
                (lo, hi)
                for lo, hi in zip(sorted(p[0] for p in pairs), sorted(p[1] for p in pairs), strict=True)
                if lo < hi
            ]
        ),
    )
)


def bounds_of(pairs: list[tuple[int, int]]) -> tuple[Any, Any]:
    return np.array([lo for lo, _ in pairs], np.int64), np.array([hi for _, hi in pairs], np.int64)


LARGE = st.integers(-(2**57), 2**57)


@examples
@given(pieces, st.data())
def test_add_integers(way: str, pieces: Any, data: st.DataObject) -> None:
    size, pairs = pieces
    values = data.draw(st.lists(LARGE, min_size=size, max_size=size))
    got = folds.add(np.array(values, np.int64), *bounds_of(pairs))
    assert got.tolist() == [sum(values[lo:hi]) for lo, hi in pairs]


@examples
@given(pieces, st.data())
def test_add_floats_within_the_bound(way: str, pieces: Any, data: st.DataObject) -> None:
    size, pairs = pieces
    floats = st.floats(-1e300, 1e300) | st.sampled_from([math.inf, -math.inf, math.nan])
    values = data.draw(st.lists(floats, min_size=size, max_size=size))
    got = folds.add(np.array(values), *bounds_of(pairs))
    for found, (lo, hi) in zip(got.tolist(), pairs, strict=True):
        inside = values[lo:hi]
        if all(map(math.isfinite, inside)):
            exact, sizes = sum(map(Fraction, inside)), sum(abs(Fraction(value)) for value in inside)
            assert abs(Fraction(found) - exact) <= (len(inside) - 1) * U * sizes
        else:  # what is not finite in a window is there, and nothing is left of it after
            wanted = sum(value for value in inside if not math.isfinite(value))
            assert found == wanted or (found != found and wanted != wanted)


@examples
@given(pieces, st.data())
def test_multiply_magnitudes(way: str, pieces: Any, data: st.DataObject) -> None:
    size, pairs = pieces
    some = st.sampled_from(
        [1, 2, 3, 2**31, 2**32, 2**62, 2**63 - 1, 2**63, 3037000499, 3037000500]
    ) | st.integers(1, 9)
    values = data.draw(st.lists(some, min_size=size, max_size=size))
    got = folds.multiply_magnitudes(np.array([-value for value in values], np.int64), *bounds_of(pairs))
    products = [math.prod(values[lo:hi]) for lo, hi in pairs]
    assert got.tolist() == [-product if product <= 2**63 else 0 for product in products]


@examples
@given(pieces, st.data())
def test_multiply(way: str, pieces: Any, data: st.DataObject) -> None:
    size, pairs = pieces
    values = data.draw(st.lists(st.sampled_from([0.5, 2.0, -1.0, 4.0, 0.0]), min_size=size, max_size=size))
    assert folds.multiply(np.array(values), *bounds_of(pairs)).tolist() == [
        math.prod(values[lo:hi]) for lo, hi in pairs
    ]


@examples
@given(pieces, st.data())
def test_choose(way: str, pieces: Any, data: st.DataObject) -> None:
    size, pairs = pieces
    ranks = data.draw(st.lists(st.integers(-3, 3) | LARGE, min_size=size, max_size=size))
    known = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    got = folds.choose(np.array(ranks, np.int64), np.array(known), *bounds_of(pairs))
    rows = [[row for row in range(lo, hi) if known[row]] for lo, hi in pairs]
    assert got.tolist() == [min(inside, key=lambda row: ranks[row]) if inside else -1 for inside in rows]


@examples
@given(pieces, st.data())
def test_moments(way: str, pieces: Any, data: st.DataObject) -> None:
    size, pairs = pieces
    slices = data.draw(st.lists(st.lists(st.integers(-9, 9), max_size=3), min_size=size, max_size=size))
    count = np.array([len(values) for values in slices])
    mean = np.array([sum(values) / len(values) if values else 0.0 for values in slices])
    squares = np.array(
        [sum((v - m) ** 2 for v in values) for values, m in zip(slices, mean, strict=True)], float
    )
    n, middle, spread = folds.moments(count, mean, squares, *bounds_of(pairs))
    for number, (lo, hi) in enumerate(pairs):
        values = [value for some in slices[lo:hi] for value in some]
        assert n[number] == len(values)
        if values:
            exact = Fraction(sum(values), len(values))
            assert middle[number] == pytest.approx(float(exact), abs=1e-12)
            assert spread[number] == pytest.approx(float(sum((v - exact) ** 2 for v in values)), abs=1e-9)
