"""The relation between two windows, against its definition on the instances."""

from __future__ import annotations

import itertools

import pytest

from swagcore.algebra import aggregate
from swagcore.coverage import covered_by, multiplier, partitioned_by
from swagcore.coverage.relation import holistic, parts_of, relation_for
from swagcore.errors import InvalidArgument
from swagcore.windows import Window
from tests.coverage import instances


def windows(most: int) -> list[Window]:
    sizes = range(1, most + 1)
    return [Window(r, s, o) for r in sizes for s in sizes for o in range(s)]


def test_the_relations_are_their_definitions_on_all_small_windows() -> None:
    seen = set()
    for w1, w2 in itertools.product(windows(5), repeat=2):
        covered, partitioned = instances.covered(w1, w2), instances.partitioned(w1, w2)
        assert (covered_by(w1, w2), partitioned_by(w1, w2)) == (covered, partitioned), (w1, w2)
        if covered:
            for start in instances.starts(w1, w2):
                found = instances.parts(w1, w2, start)
                assert list(parts_of(w1, w2, start)) == found
                assert multiplier(w1, w2) == len(found)
        seen.add((covered, partitioned))
    assert seen == {(False, False), (True, False), (True, True)}


def test_coverage_is_a_partial_order() -> None:
    some = windows(4)
    below = {w: {v for v in some if covered_by(v, w)} for w in some}
    for w in some:
        assert w in below[w]
        for v in below[w]:
            assert below[v] <= below[w]
            assert v == w or w not in below[v]


def test_partitioning_is_not_transitive() -> None:
    """A tumbling window may be read off a hopping one, and partitions what the hopping one only covers."""
    assert partitioned_by(Window(4, 2), Window(2, 2))
    assert partitioned_by(Window(2, 2), Window(2, 1))
    assert not partitioned_by(Window(4, 2), Window(2, 1))


@pytest.mark.parametrize(
    ("w1", "w2", "covered", "partitioned"),
    [
        (Window(10, 2), Window(8, 2), True, False),
        (Window(8, 2), Window(10, 2), False, False),  # W Thm 1 has no range1 >= range2
        (Window(1, 1), Window(2, 1), False, False),
        (Window(2, 2), Window(2, 1), True, True),  # equal up to the slide: every second answer
        (Window(2, 1), Window(2, 2), False, False),
        (Window(2, 1), Window(2, 1), True, True),  # itself, though not tumbling
        (Window(6, 4, 1), Window(2, 2), False, False),  # other starts
        (Window(6, 4, 1), Window(2, 2, 1), True, True),
        (Window(5, 4), Window(3, 2), True, False),  # ranges that are no multiples of the slide
        (Window(6, 4), Window(2, 4), False, False),  # gaps
        (Window(2, 8), Window(2, 4), True, True),  # gaps, but each instance is one of the other's
        (Window(6, 4, lag=3), Window(2, 2, lag=9), True, True),  # the lag says when, not what
        (Window.count(6, 4), Window.count(2, 2), True, True),
        (Window.count(6, 4), Window(2, 2), False, False),
    ],
)
def test_cases(w1: Window, w2: Window, covered: bool, partitioned: bool) -> None:
    assert covered_by(w1, w2) is covered
    assert partitioned_by(w1, w2) is partitioned


def test_multiplier_of_what_is_not_covered_is_an_error() -> None:
    with pytest.raises(InvalidArgument, match=r"w1 is .*; expected a window that is covered by"):
        multiplier(Window(8, 2), Window(10, 2))


def test_durations_and_integers_cannot_be_compared() -> None:
    with pytest.raises(InvalidArgument, match="both in durations"):
        covered_by(Window("10 s", "5 s"), Window(5, 5))
    assert covered_by(Window("10 s", "5 s"), Window("5 s", "5 s"))
    with pytest.raises(InvalidArgument, match="w2 is 5; expected a Window"):
        covered_by(Window(10, 5), 5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "relation"),
    [
        *((name, "covered by") for name in ("min", "max", "spread", "first", "last", "arg_max", "any")),
        *((name, "partitioned by") for name in ("sum", "count", "mean", "variance", "product", "top_k(2)")),
    ],
)
def test_idempotent_aggregates_need_a_cover_others_a_partition(name: str, relation: str) -> None:
    assert relation_for(aggregate(name)) == relation
    assert holistic(aggregate(name)) is None


@pytest.mark.parametrize("name", ["median", "quantile(0.9)", "count_distinct", "collect_distinct", "concat"])
def test_holistic_ones_say_why(name: str) -> None:
    assert f"{name!r} is holistic" in str(holistic(aggregate(name)))
