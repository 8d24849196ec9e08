"""The reference window, and the comparison of anything with `naive`."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given

import swagcore as sw
from swagcore.errors import EmptyWindow
from swagcore.testing import Mismatch, ReferenceWindow, check_against_naive, strategies

HIGH = sw.Query("high", "max", sw.Window(4, 2))
SUM = sw.Query("sum", "sum", sw.Window(4, 2))
EVENTS = [(0, 3), (1, 8), (3, 5)]  # answers at -2, 0 and 2


def test_reference_window_is_re_evaluation():
    window = ReferenceWindow("concat")
    assert window.query() == ""
    for letter in "abc":
        window.insert(letter)
    window.evict()
    assert (window.query(), len(window)) == ("bc", 2)
    window.evict()
    window.evict()
    with pytest.raises(EmptyWindow):
        window.evict()


@given(strategies.problems())
def test_naive_agrees_with_itself_in_any_order_and_as_tuples(problem):
    asked, stream = problem
    answers = sw.naive(asked, stream)
    assert check_against_naive(lambda queries, events: iter(answers), asked, stream) == len(answers)
    backwards = [tuple(answer) for answer in reversed(answers)]
    assert check_against_naive(lambda queries, events: backwards, asked, stream, ordered=False) == len(
        answers
    )


def changed(position, **fields):
    def run(queries, events):
        answers = sw.naive(queries, events)
        answers[position] = answers[position]._replace(**fields)
        return answers

    return run


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (changed(1, value=7), r"answer 1 of 3 differs\n  expected: .*start=0.*value=8.*\n  got: .*value=7"),
        (
            changed(1, start=1),
            r"answer 1 of 3 should not be there\n  expected: .*start=0.*\n  got: .*start=1",
        ),
        (
            lambda q, e: sw.naive(q, e)[:-1],
            r"answer 2 of 3 is missing\n  expected: .*start=2.*\n  got: +no more answers",
        ),
        (
            lambda q, e: sw.naive(q, e)[1:],
            r"answer 0 of 3 is missing\n  expected: .*start=-2.*\n  got: .*start=0",
        ),
        (
            lambda q, e: sw.naive(q, e) * 2,
            r"answer 3 of 3 should not be there\n  expected: no more answers\n  got: .*=-2",
        ),
        (
            lambda q, e: sw.naive(q, e)[::-1],
            r"answer 0 of 3 is out of order\n  expected: .*start=-2.*\n  got: .*start=2",
        ),
        (lambda q, e: [5], "5 is no answer"),
        (lambda q, e: [], "answer 0 of 3 is missing"),
    ],
)
def test_the_first_difference_is_shown(run, said):
    with pytest.raises(Mismatch) as caught:
        check_against_naive(run, [HIGH], EVENTS)
    assert re.match(said, str(caught.value)), str(caught.value)


def test_a_failure_is_an_assertion_and_a_swag_error():
    with pytest.raises(AssertionError) as caught:
        check_against_naive(changed(1, value=7), [HIGH], EVENTS)
    assert isinstance(caught.value, sw.SwagError)
    assert caught.value.expected.value == 8
    assert caught.value.got.value == 7


def test_nan_equals_itself():
    assert check_against_naive(sw.naive, [HIGH], [(0, math.nan)]) == 2


def plain_sums(queries, events):
    """An engine that adds floats plainly, per key."""
    return [
        answer._replace(
            value=sum(v for t, v, *key in events if answer.start <= t < answer.end and key == [answer.key])
        )
        for answer in sw.naive(queries, events)
    ]


def test_rounding_is_forgiven_where_it_is_asked_for():
    stream = [(0, 0.1, "x"), (1, 0.2, "x"), (1, 1e9, "y"), (1, 0.3, "x")]
    assert check_against_naive(plain_sums, [SUM], stream, rounding=True) == 4
    with pytest.raises(Mismatch, match=r"0\.6000000000000001"):
        check_against_naive(plain_sums, [SUM], stream)
    # what another key would allow is not allowed here
    with pytest.raises(Mismatch):
        check_against_naive(changed(0, value=0.6 + 1e-8), [SUM], stream, rounding=True)


def test_rounding_by_count():
    query = sw.Query("sum", "sum", sw.Window.count(3, 3))
    stream = [(0, 0.1), (0, 0.2), (9, 0.3)]
    run = lambda queries, events: [sw.Answer("sum", 0, 3, 0.1 + 0.2 + 0.3)]
    assert check_against_naive(run, [query], stream, rounding=True) == 1


def test_durations_need_their_unit():
    query = sw.Query("n", "count", sw.Window("1 min", "1 min"))
    assert check_against_naive(sw.naive, [query], [(0, 1), (70, 1)], unit="s") == 2
