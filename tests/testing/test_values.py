"""Data and interleavings that matter, seeded."""

from __future__ import annotations

import itertools
import random

import pytest

import swagcore as sw
from swagcore.errors import InvalidArgument
from swagcore.testing import DATA, PATTERNS, data_for
from swagcore.testing.fifo import AGGREGATES
from swagcore.testing.interleavings import draw_interleaving, legal
from swagcore.testing.values import data_of

BUILT_IN = [
    *sw.aggregates(),
    "quantile(0.9)",
    "top_k(2)",
    "total",
    "total_squares",
    "total_logarithms",
    "factors",
]


@pytest.mark.parametrize("name", BUILT_IN)
def test_an_aggregate_takes_its_data(name):
    for data in data_for(name):
        for seed in range(6):
            values = data.draw(random.Random(seed), 9)
            assert len(values) == 9
            sw.aggregate(name).over(values)
            assert len({type(value) for value in values}) == 1


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_built_in_is_forgotten(name):
    assert data_for(name)[0].name in DATA  # and not "values", made of its examples


def test_streams_tie_rise_fall_and_stand_still():
    streams = [DATA["ints"].draw(random.Random(seed), 12) for seed in range(60)]
    assert any(len(set(stream)) == 1 for stream in streams)
    assert any(len(set(stream)) == 2 for stream in streams)
    assert any(len(set(stream)) > 4 and stream == sorted(stream) for stream in streams)
    assert any(len(set(stream)) > 4 and stream == sorted(stream, reverse=True) for stream in streams)
    assert any(stream not in (sorted(stream), sorted(stream, reverse=True)) for stream in streams)


def test_letters_tell_positions_apart():
    letters = DATA["letters"].draw(random.Random(0), 60)
    assert letters[:3] == ["a", "b", "c"]
    assert letters[26] == "a1"
    assert len(set(letters)) == 60


def test_own_values():
    assert data_of([2, 1]).ordered
    assert not data_of([1, "a"]).ordered
    with pytest.raises(InvalidArgument, match="values is 5; expected a list"):
        data_of(5)


def test_an_aggregate_of_a_users_own_is_probed():
    longest = sw.Aggregate("longest", lift=len, combine=max, identity=0)
    assert [data.name for data in data_for(longest)] == ["strings", "pairs"]
    assert data_for(sw.Aggregate("sum", lift=int, combine=max, identity=0, examples=[None, 7]))[
        0
    ].simplest == (7,)


def test_the_usual_aggregates_have_most_combinations_of_laws():
    functions = [sw.aggregate(function) for function in AGGREGATES]
    laws = {(f.commutative, f.invertible, f.selective) for f in functions}
    assert {(True, True, False), (True, False, True), (False, True, False), (False, False, True)} <= laws
    assert (False, False, False) in laws
    assert (True, False, False) in laws


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_are_legal_and_asked(pattern):
    for seed in range(40):
        for size in (1, 2, 7):
            steps = draw_interleaving(random.Random(seed), pattern, size)
            assert steps == legal(steps)
            assert steps[-1] == "query"
            assert "insert" in steps or pattern in ("sawtooth", "walk")


def held(steps):
    now, sizes = 0, []
    for step in steps:
        now += (step == "insert") - (step == "evict")
        sizes.append(now)
    return sizes


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("slide", lambda sizes: sizes.count(5) > 5 and max(sizes) <= 6),
        ("drain_and_refill", lambda sizes: 0 in sizes[3:-1] and max(sizes) > 2),
        ("sawtooth", lambda sizes: max(sizes) > 3),
        ("window_of_one", lambda sizes: max(sizes) <= 2),
        ("alternating", lambda sizes: max(sizes) > 5),
        ("long_growth", lambda sizes: max(sizes) == 15),
        ("walk", lambda sizes: len(sizes) > 15),
    ],
)
def test_patterns_are_what_they_are_called(pattern, wanted):
    drawn = [held(draw_interleaving(random.Random(seed), pattern, 5)) for seed in range(20)]
    assert any(map(wanted, drawn))


def test_queries_come_always_seldom_twice_and_at_the_end():
    drawn = [draw_interleaving(random.Random(seed), "slide", 4) for seed in range(80)]
    assert any(steps.count("query") == 1 for steps in drawn)
    assert any(steps[0] == "query" for steps in drawn)
    assert any(steps[1::2] == ["query"] * (len(steps) // 2) for steps in drawn)
    pairs = [list(itertools.pairwise(steps)) for steps in drawn]
    assert any(("query", "query") in pair for pair in pairs)
