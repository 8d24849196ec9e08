"""W Algorithms 2 - 4, mended, against counting and against the search."""

from __future__ import annotations

import itertools
import math

import pytest

from swagcore.coverage import min_cost
from swagcore.coverage.paper import (
    STREAM,
    best_factor,
    change,
    factor_windows,
    helps,
    paper_cost,
    paper_factors,
)
from swagcore.coverage.relation import holds
from swagcore.coverage.workloads import random_gen, star_gen
from swagcore.errors import SwagError
from swagcore.windows import Window


def test_algorithm_3_says_whether_the_cost_grows() -> None:
    tried = {True: 0, False: 0}
    for unit, times in itertools.product((1, 2), range(2, 6)):
        factor, window = Window(unit * times, unit * times), Window(unit, unit)
        below = [
            Window(r * factor.range, s * factor.range)
            for r in range(1, 7)
            for s in range(1, r + 1)
            if r % s == 0 and r > 1
        ]
        for chosen in itertools.chain(itertools.combinations(below, 1), itertools.combinations(below, 2)):
            for longer in (1, 2, 3):
                period = longer * math.lcm(*(w.range for w in chosen))
                answer = helps(factor, window, chosen, period)
                assert answer == (change(factor, window, chosen, period) <= 0)
                tried[answer] += 1
    assert min(tried.values()) > 50


@pytest.mark.parametrize("relation", ["covered by", "partitioned by"])
def test_the_best_factor_window_is_the_best_of_all(relation: str) -> None:
    below_all = [Window(s * k, s) for s in (2, 3, 4, 6) for k in (1, 2, 3)]
    found = 0
    for below in itertools.combinations(below_all, 2):
        period = math.lcm(*(w.range for w in below))
        candidates = [
            Window(r, s)
            for s in range(1, 7)
            for r in range(s, 19)
            if Window(r, s) not in (STREAM, *below) and all(holds(relation, w, Window(r, s)) for w in below)
        ]
        if relation == "partitioned by":
            candidates = [c for c in candidates if c.range == c.slide]
        best = best_factor(STREAM, below, relation, period)
        changes = [change(c, STREAM, below, period) for c in candidates]
        if best is None:
            assert all(c > 0 for c in changes) or any(w.range == w.slide for w in below)
        else:
            assert change(best, STREAM, below, period) == min(changes)
            found += 1
    assert found > 10


def test_min_cost_is_never_worse() -> None:
    better = 0
    for seed in range(12):
        windows = random_gen(4, seed, s_max=12, k_max=4)
        for relation, name in (("covered by", "min"), ("partitioned by", "sum")):
            plain, with_factors = paper_cost(windows, relation, 3)
            assert with_factors <= plain == min_cost(windows, name, 3, factor_windows=False).cost
            ours = min_cost(windows, name, 3).cost
            assert ours <= with_factors
            better += ours < with_factors
    assert better > 3


def test_factor_windows_stand_in_the_relation() -> None:
    for seed in range(10):
        for windows in (random_gen(5, seed), star_gen(5, seed)):
            for relation in ("covered by", "partitioned by"):
                for factor in factor_windows(windows, relation):
                    assert factor not in windows
                    assert any(holds(relation, w, factor) for w in windows)


@pytest.mark.parametrize(
    ("windows", "found"),
    [
        # W<2, 1> would take as many steps as it makes itself, and one more
        ([Window(2, 2)], []),
        # between the two: 2 instances of one step, and 2 steps instead of 4 for the one of W<6, 3>. Equal is good enough.
        ([Window(3, 1), Window(6, 3)], [Window(3, 3)]),
        # 11 instances of 2 steps, and 9 of 3 steps instead of 6; W<2, 2> would be cheaper still, but not from W<3, 1>
        ([Window(3, 1), Window(8, 2)], [Window(4, 2)]),
        # what is below another window is not below the stream: with W<4, 1>, or with W<6, 2>, there would be one
        ([Window(3, 1), Window(4, 1), Window(2, 2)], []),
        ([Window(4, 2), Window(6, 2)], []),
    ],
)
def test_what_algorithm_2_adds(windows: list[Window], found: list[Window]) -> None:
    assert factor_windows(windows, "covered by") == found


def test_of_equally_cheap_choices_the_one_with_fewer_factor_windows_is_taken() -> None:
    # W<3, 3> costs what it saves; the stream's own window does not
    assert paper_factors([Window(3, 1), Window(6, 3)], "covered by", 9) == [STREAM]
    assert paper_cost([Window(3, 1), Window(6, 3)], "covered by", 9) == (4 * 27 + 4, 54 + 12 + 4)


def test_windows_that_the_paper_does_not_have() -> None:
    for window in (Window(4, 2, 1), Window(2, 4), Window(3, 2)):
        with pytest.raises(SwagError, match="starts at 0"):
            factor_windows([window], "covered by")
