"""The workload generators: what they draw from, and that a seed decides all."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

from swagcore.errors import SwagError
from swagcore.optimizers.workloads import factor_slides, prime_slides, workload


def windows(*arguments: Any, **options: Any) -> list[tuple[int, int]]:
    return [(query.window.range, query.window.slide) for query in workload(*arguments, **options)]


def test_a_seed_decides_all() -> None:
    assert windows(50, 100, 10, seed=7) == windows(50, 100, 10, seed=7) != windows(50, 100, 10, seed=8)
    assert [query.name for query in workload(3, 5, 5)] == ["q0", "q1", "q2"]


def test_primes_and_divisors() -> None:
    for largest in range(2, 200):
        primes = [n for n in range(2, largest + 1) if all(n % d for d in range(2, n))]
        assert prime_slides(largest) == primes
        assert factor_slides(largest) == [n for n in range(1, largest + 1) if largest % n == 0]


@pytest.mark.parametrize("generator", ["normal", "diverse", "factors"])
def test_all_slides_and_overlaps_are_drawn_and_no_others(generator: str) -> None:
    drawn = windows(4000, 12, 3, generator=generator)
    expected = {"normal": range(1, 13), "diverse": [2, 3, 5, 7, 11], "factors": [1, 2, 3, 4, 6, 12]}[
        generator
    ]
    assert {slide for _, slide in drawn} == set(expected)
    assert {range_ // slide for range_, slide in drawn} == {1, 2, 3}
    assert all(range_ % slide == 0 for range_, slide in drawn)


def test_fragments_leave_every_rest() -> None:
    drawn = windows(3000, 4, 2, fragments=True)
    assert {range_ % slide for range_, slide in drawn if slide == 4} == {0, 1, 2, 3}
    assert {range_ // slide for range_, slide in drawn} == {1, 2}


def test_the_skew_is_zipf_from_the_largest_down() -> None:
    counts = Counter(slide for _, slide in windows(60_000, 5, 1, skew=1, seed=3))
    total = sum(1 / k for k in range(1, 6))
    for rank, slide in enumerate((5, 4, 3, 2, 1), 1):
        share = 1 / rank / total
        assert abs(counts[slide] / 60_000 - share) < 5 * math.sqrt(share / 60_000)
    even = Counter(slide for _, slide in windows(60_000, 5, 1, skew=0, seed=3))
    assert all(abs(count / 60_000 - 0.2) < 0.01 for count in even.values())
    assert {slide for _, slide in windows(200, 500, 1, skew=100)} == {500}
    assert {slide for _, slide in windows(200, 500, 1, skew=-100_000)} == {1}  # no overflow either


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((-1, 5, 5), "count is -1"),
        ((1.5, 5, 5), "count is 1.5"),
        ((5, 0, 5), "largest_slide is 0"),
        ((5, 10**12, 5), "largest_slide is 1000000000000; expected at most"),
        ((5, 5, 0), "largest_overlap is 0"),
        ((5, 5, 5, math.nan), "skew is nan"),
        ((5, 5, 5, "1"), "skew is '1'"),
        (
            (5, 5, 5, 0, "norml"),
            "generator is 'norml'; expected one of diverse, factors, normal (did you mean 'normal'?)",
        ),
    ],
)
def test_bad_input(arguments: tuple[Any, ...], said: str) -> None:
    with pytest.raises(SwagError) as refused:
        workload(*arguments)
    assert str(refused.value).startswith(said)


def test_nothing_asked_nothing_given() -> None:
    assert workload(0, 5, 5) == []
