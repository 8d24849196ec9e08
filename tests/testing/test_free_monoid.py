"""The free monoid as an oracle."""

from __future__ import annotations

import itertools
from collections import deque

import pytest
from hypothesis import given

from swagcore.algebra import check_laws
from swagcore.errors import EmptyWindow, InvalidArgument
from swagcore.testing import (
    Mismatch,
    ReferenceWindow,
    SpanWindow,
    check_words,
    intervals,
    spans,
    strategies,
    words,
)


@given(strategies.interleavings())
def test_the_reference_gives_the_right_words(steps):
    assert check_words(ReferenceWindow, steps) == len(steps) + 1
    assert check_words(ReferenceWindow, steps, every_step=False) == steps.count("query")


class Reversed(ReferenceWindow):
    def query(self):
        return self.aggregate.over(reversed(self.values))


class LosesTheMiddle(ReferenceWindow):
    def query(self):
        kept = list(self.values)
        return self.aggregate.over(kept if len(kept) < 3 else [kept[0], *kept[2:]])


class Fails(ReferenceWindow):
    def query(self):
        raise KeyError("x")


@pytest.mark.parametrize(
    ("window", "said"),
    [
        (Reversed, r"after insert, insert: query\(\) is \(1, 0\), expected the word \(0, 1\)"),
        (
            LosesTheMiddle,
            r"after insert, insert, insert: query\(\) is \(0, 2\), expected the word \(0, 1, 2\)",
        ),
        (Fails, r"at the beginning: query\(\) raised KeyError\('x'\), expected the word \(\)"),
    ],
)
def test_the_wrong_word_is_shown_with_the_way_to_it(window, said):
    with pytest.raises(Mismatch, match=said):
        check_words(window, ["insert", "insert", "insert"])


@pytest.mark.parametrize(
    ("steps", "said"),
    [(["evict"], "no evict of an empty window"), (["inset"], "'insert', 'evict' or 'query'")],
)
def test_bad_steps(steps, said):
    with pytest.raises(InvalidArgument, match=said):
        check_words(ReferenceWindow, steps)


def test_spans_keep_their_laws():
    assert check_laws(spans) > 1_000


def test_spans_are_words_in_short():
    """On every sequence of four letters a span is right exactly where the word is unbroken."""
    for letters in itertools.product(range(5), repeat=4):
        unbroken = list(letters) == list(range(letters[0], letters[0] + 4))
        assert (spans.over(letters) == (letters[0], letters[0] + 4)) == unbroken


def test_spans_forgive_what_is_not_used_and_intervals_do_not():
    assert spans.combine((3, 4), (0, 1)) == "torn"
    assert spans.combine("torn", (0, 1)) == spans.combine((0, 1), "torn") == "torn"
    with pytest.raises(AssertionError):
        intervals.combine((3, 4), (0, 1))


@given(strategies.interleavings())
def test_the_span_window_is_the_reference_of_spans_and_intervals(steps):
    quick, slow, strict = SpanWindow(), ReferenceWindow(spans), ReferenceWindow(intervals)
    letters: deque[int] = deque()
    inserted = 0
    for step in steps:
        if step == "insert":
            letters.append(inserted)
            for window in (quick, slow, strict):
                window.insert(inserted)
            inserted += 1
        elif step == "evict":
            letters.popleft()
            for window in (quick, slow, strict):
                window.evict()
        assert quick.query() == slow.query() == strict.query()
        assert words.over(letters) == tuple(range(*(quick.query() or (0, 0))))
        assert len(quick) == len(letters)


def test_the_span_window_takes_consecutive_positions():
    window = SpanWindow()
    with pytest.raises(EmptyWindow):
        window.evict()
    window.insert(4)
    with pytest.raises(InvalidArgument, match="5, the one after 4"):
        window.insert(6)


def test_no_module_hides_a_public_name():
    import types

    from swagcore import testing

    modules = {name for name in testing.__all__ if isinstance(getattr(testing, name), types.ModuleType)}
    assert modules == {"strategies"}
    assert testing.words is words
