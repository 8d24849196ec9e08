"""CI-COUNT, CI-SUM and the exact filter, against counting; the error bounds, as stated and tight."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from swagcore.errors import InvalidArgument, SwagError
from swagcore.substreams import CICount, CISum, PerKey, SubstreamFilter

PS = [1, 2, 3, 5]

Events = list[tuple[int, str, int]]
events = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc"), st.integers(0, 9)), max_size=60).map(
    lambda steps: [
        (sum(wait for wait, _, _ in steps[: i + 1]), key, value) for i, (_, key, value) in enumerate(steps)
    ]
)


def measured(stream: Events, aggregate: str, range_: int, now: int) -> dict[str, int]:
    """By the definition: what each key has in [now - range + 1, now]."""
    found: dict[str, int] = {}
    for time, key, value in stream:
        if now - range_ + 1 <= time <= now:
            found[key] = found.get(key, 0) + (1 if aggregate == "count" else value)
    return found


@given(
    st.sampled_from(["count", "sum"]),
    st.sampled_from(PS),
    events,
    st.integers(0, 40),
    st.integers(1, 40),
    st.data(),
)
def test_against_counting(
    aggregate: str, p: int, stream: Events, v: int, range_: int, data: st.DataObject
) -> None:
    longest = data.draw(st.none() | st.integers(range_, 60))
    exact = SubstreamFilter(aggregate, p, longest)
    for time, key, value in stream:
        exact.insert(key, time, value)
    index = exact.index
    index._check()
    now = (stream[-1][0] if stream else 0) + data.draw(st.integers(0, 5))
    truth = measured(stream, aggregate, range_, now)
    more = {key for key, amount in truth.items() if amount > v}
    fewer = {key for key, amount in truth.items() if 0 < amount < v}
    assert exact.above(v, range_, now) == more
    assert exact.below(v, range_, now) == fewer
    assert exact.plain.above(v, range_, now) == more
    assert exact.plain.below(v, range_, now) == fewer
    # The index alone: a superset, within its error.
    proposed = index.above(v, range_, now)
    assert more <= proposed
    assert all(truth.get(key, 0) > (1 - index.error) * v for key in proposed)
    proposed = index.below(v, range_, now)
    assert fewer <= proposed
    assert all(0 < truth.get(key, 0) < v / (1 - index.error) for key in proposed)
    if v < p:
        assert index.above(v, range_, now) == more


def fewest_above(p: int, v: int, lengths: range) -> int:
    """The fewest events that a key returned by `above(v)` can have, over streams of all these lengths."""
    fewest = v + 1
    for length in lengths:
        index = CICount(p)
        for time in range(1, length + 1):
            index.insert("k", time)
        for count in range(1, min(length, v) + 1):
            if index.above(v, count, length):
                fewest = min(fewest, count)
                break
    return fewest


@pytest.mark.parametrize("p", [1, 2, 3, 4])
def test_the_error_is_tight(p: int) -> None:
    """The counts that pass for more than v come as near to (1 - ε) v as one likes, and never reach it."""
    error = CICount(p).error
    shares = {v: Fraction(fewest_above(p, v, range(v, v + 2 * v + 2)), v) for v in range(1, 46)}
    assert all(share > 1 - error for share in shares.values())
    assert min(shares.values()) - (1 - error) < Fraction(1, 20)


def test_below_with_one_level_a_width_lets_four_times_as_many_pass() -> None:
    index = CICount(p=1)
    for time in range(1, 7):
        index.insert("k", time)
    assert index.below(3, range=6, now=6) == {"k"}  # 6 events: 4 * 3 - 6


@pytest.mark.parametrize(
    ("v", "count", "expected"),
    [(0, 0, set()), (0, 1, {"k"}), (1, 1, {"k"}), (1, 2, {"k"}), (2, 1, set()), (3, 1, set()), (2, 3, {"k"})],
)
def test_small_v(v: int, count: int, expected: set[str]) -> None:
    index = CICount(p=1)
    for time in range(1, count + 1):
        index.insert("k", time)
    assert index.above(v, range=10, now=10) == expected


def test_the_window_begins_after_now_minus_range() -> None:
    index = CICount()
    index.insert("k", 86)
    assert index.above(0, range=20, now=106) == set()
    assert index.above(0, range=21, now=106) == {"k"}


def test_example_4_1() -> None:
    """A Example 4.1: at time 106, more than 11 in the last 20. The stamps of level 2 decide; k2 is one too many."""
    streams = {
        "k1": [*range(88, 91), *range(91, 107)],
        "k2": [80, 81, 82, 83, 84, 85, 86, 87, 89, 91, 93, 95, 97, 99, 101],
        "k3": [*range(60, 69), 70, 72, 74, 76, 80, 85, 90, 95, 100],
    }
    exact = SubstreamFilter("count")
    for time, key in sorted((time, key) for key, times in streams.items() for time in times):
        exact.insert(key, time)
    assert exact.index.above(11, range=20, now=106) == {"k1", "k2"}
    assert exact.above(11, range=20, now=106) == {"k1"}


class SumMachine(RuleBasedStateMachine):
    """Sums with lookups between: the index never falls out of step with the plain way."""

    def __init__(self) -> None:
        super().__init__()
        self.filter = SubstreamFilter("sum", p=2, longest=20)
        self.plain = PerKey("sum")
        self.now = 0

    @rule(key=st.sampled_from("abcd"), wait=st.integers(0, 4), value=st.integers(0, 2**40))
    def insert(self, key: str, wait: int, value: int) -> None:
        self.now += wait
        self.filter.insert(key, self.now, value)
        self.plain.insert(key, self.now, value)

    @rule(v=st.integers(0, 2**41), range_=st.integers(1, 20))
    def look(self, v: int, range_: int) -> None:
        assert self.filter.above(v, range_, self.now) == self.plain.above(v, range_, self.now)
        assert self.filter.below(v, range_, self.now) == self.plain.below(v, range_, self.now)

    @invariant()
    def holds_together(self) -> None:
        self.filter.index._check()


SumMachine.TestCase.settings = settings(max_examples=30, stateful_step_count=30)
TestSums = SumMachine.TestCase


def filled() -> CICount:
    index = CICount(longest=50)
    index.insert("k", 10)
    return index


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: CICount(p=0), "p is 0; expected an integer, 1 or more"),
        (lambda: CICount(p=1.5), "p is 1.5"),
        (lambda: CICount(p=True), "p is True"),
        (lambda: CICount(longest=-1), "longest is -1"),
        (lambda: filled().insert("k", 9), "time is 9; expected an integer that is not before 10"),
        (lambda: filled().insert("k", 10.5), "time is 10.5"),
        (lambda: filled().insert("k", None), "time is None"),
        (lambda: filled().insert(["k"], 10), "key is ['k']; expected a hashable value"),
        (lambda: filled().above(-1, 5, 10), "v is -1; expected an integer, 0 or more"),
        (lambda: filled().above(1, 0, 10), "range is 0; expected an integer, 1 or more"),
        (lambda: filled().above(1, 51, 10), "range is 51; expected at most 50"),
        (lambda: filled().below(1, 5, 9), "now is 9; expected an integer that is not before 10"),
        (lambda: filled().below(None, 5, 10), "v is None"),
        (lambda: CISum().insert("k", 1, -3), "value is -3; expected an integer, 0 or more"),
        (lambda: CISum().insert("k", 1, 2.5), "value is 2.5"),
        (lambda: SubstreamFilter("max"), "aggregate is 'max'; expected one of count, sum"),
    ],
)
def test_bad_input(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        call()
    assert str(refused.value).startswith(said)
    assert isinstance(refused.value, SwagError)


def test_what_is_refused_changes_nothing() -> None:
    exact = SubstreamFilter("sum")
    exact.insert("k", 5, 3)
    before = exact.index._state()
    for key, time, value in [("k", 4, 1), ("k", 6, -1), ("k", 6, None), (["k"], 6, 1)]:
        with pytest.raises(InvalidArgument):
            exact.insert(key, time, value)  # type: ignore[arg-type]
    assert exact.index._state() == before
    assert exact.above(2, range=1, now=5) == {"k"}
