"""The strategies give only what is legal, and all that matters."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

import swagcore as sw
from swagcore.errors import InvalidArgument
from swagcore.testing import check_against_naive, strategies
from swagcore.testing.interleavings import legal, legal_steps

BUILT_IN = [*sw.aggregates(), "quantile(0.9)", "top_k(2)"]


def occurs(strategy, wanted):
    """Some example is like that; which one is of no interest, so it is not shrunk."""
    return find(
        strategy, wanted, settings=settings(max_examples=4_000, phases=[Phase.generate], database=None)
    )


@pytest.mark.parametrize("name", BUILT_IN)
@settings(max_examples=25)
@given(data=st.data())
def test_values_are_of_the_aggregates_domain_and_do_not_mix(name, data):
    values = data.draw(st.lists(strategies.values_for(name), max_size=8))
    sw.aggregate(name).over(values)
    kinds = {type(value) for value in values if value is not None}
    assert len(kinds) <= 1


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("sum", lambda value: value is None),
        ("sum", lambda value: value is not None and value != value),
        ("max", lambda value: value == math.inf),
        ("min", lambda value: value == -math.inf),
        ("count", lambda value: value == 0 and isinstance(value, float) and math.copysign(1, value) < 0),
        ("sum", lambda value: isinstance(value, int) and abs(value) > 2**70),
        ("sum", lambda value: isinstance(value, float) and 0 < value < 1e-310),
        ("max", lambda value: value == ""),
        ("concat", lambda value: isinstance(value, str) and len(value) > 1),
        ("arg_max", lambda pair: pair is not None and pair[0] != pair[0]),
        ("any", lambda value: value is True),
        ("geometric_mean", lambda value: isinstance(value, int) and value > 0),
    ],
)
def test_values_that_matter_occur(name, wanted):
    occurs(strategies.values_for(name), wanted)


def test_values_for_several_suit_all():
    both = strategies.values_for("concat", "max", nulls=False)
    assert find(both, lambda value: isinstance(value, str)) == "a"
    with pytest.raises(InvalidArgument, match="aggregates that take the same values"):
        strategies.values_for("arg_max", "sum")
    with pytest.raises(InvalidArgument, match="one or more aggregates"):
        strategies.values_for()


@given(strategies.events(), strategies.events(keys=st.sampled_from("xy")))
def test_events_are_streams(plain, keyed):
    sw.naive([sw.Query("n", "count", sw.Window(3, 2))], plain)
    assert all(len(event) == 2 for event in plain)
    assert all(len(event) == 3 for event in keyed)
    assert keyed == sorted(keyed, key=lambda event: event[0])


@pytest.mark.parametrize(
    "wanted",
    [
        lambda stream: not stream,
        lambda stream: len(stream) > 2 and len({time for time, _ in stream}) == 1,
        lambda stream: len(stream) > 1 and stream[0][0] < 0 < stream[-1][0],
        lambda stream: any(b[0] - a[0] > 20 for a, b in itertools.pairwise(stream)),
        lambda stream: len(stream) > 1 and all(value is None for _, value in stream),
    ],
)
def test_events_that_matter_occur(wanted):
    occurs(strategies.events(), wanted)


@given(strategies.windows(), strategies.windows(lags=False, counts=False, max_range=3, max_slide=2))
def test_windows_are_windows(window, plain):
    assert isinstance(window, sw.Window)
    assert 0 <= window.offset < window.slide
    assert plain.range <= 3
    assert plain.slide <= 2
    assert not plain.lag
    assert not plain.by_count


@pytest.mark.parametrize(
    "wanted",
    [
        lambda window: window.slide > window.range,
        lambda window: window.range > window.slide > 1 and window.range % window.slide,
        lambda window: window.range % window.slide == 0 and window.slide > 1,
        lambda window: window.offset and window.lag,
        lambda window: window.by_count and window.slide > window.range,
        lambda window: window.slide == 1 and window.range > 5,
    ],
)
def test_windows_that_matter_occur(wanted):
    occurs(strategies.windows(), wanted)


@settings(max_examples=60)
@given(strategies.problems())
def test_problems_can_be_answered(problem):
    asked, stream = problem
    assert len({query.name for query in asked}) == len(asked) >= 1
    check_against_naive(sw.naive, asked, stream)


@pytest.mark.parametrize(
    "wanted",
    [
        lambda problem: len({query.window for query in problem[0]}) < len(problem[0]),
        lambda problem: len({query.aggregate for query in problem[0]}) > 2,
        lambda problem: len({event[2:] for event in problem[1]}) > 1,
        lambda problem: any(query.emit_empty for query in problem[0]),
    ],
)
def test_problems_that_matter_occur(wanted):
    occurs(strategies.problems(), wanted)


def test_problems_of_one_kind_of_data():
    numbers = strategies.problems(["sum", "max"], data="ints", nulls=False)
    occurs(
        numbers, lambda problem: len(problem[1]) > 1 and all(type(event[1]) is int for event in problem[1])
    )
    with pytest.raises(InvalidArgument, match="data that one of the aggregates takes"):
        strategies.problems(["sum"], data="strings")


@given(strategies.interleavings(), strategies.steps(strategies.values_for("max")))
def test_interleavings_are_legal(names, steps):
    assert names == legal(names)
    assert len(steps) == len(legal_steps(steps))
    assert {step[0] for step in steps} <= {"insert", "evict", "query"}


def sizes(names: list[str]) -> list[int]:
    """How many elements the window holds after each step."""
    held, found = 0, []
    for name in names:
        held += (name == "insert") - (name == "evict")
        found.append(held)
    return found


@pytest.mark.parametrize(
    "wanted",
    [
        lambda names: (
            max(sizes(names), default=0) >= 3 and 0 in sizes(names)[5:] and sizes(names)[-1] >= 2
        ),  # refill
        lambda names: names.count("evict") > 3 and max(sizes(names)) == 1,  # window of one
        lambda names: len(names) > 6 and set(names) == {"insert"},  # growth
        lambda names: names.count("query") == 1 and len(names) > 8 and names[-1] == "query",  # asked late
        lambda names: len(names) > 6 and names[1::2] == ["query"] * (len(names) // 2),  # asked always
    ],
)
def test_interleavings_that_matter_occur(wanted):
    occurs(strategies.interleavings(), wanted)
