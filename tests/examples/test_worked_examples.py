"""The papers' worked examples, as far as they state answers or the contents of windows, against `naive`.

S is Shein's thesis, A is Arasu and Widom, W is Wu et al. The steps of a figure are the arrivals: step n shows the
answers once n tuples are there. An instance over ordinals that ends at n has seen just those.
"""

from __future__ import annotations

from typing import Any

import pytest

import swagcore as sw
from swagcore.algebra.wrappers import words

W = sw.Window
Q = sw.Query


def steps(aggregate: str, range: int, tuples: list[int]) -> list[Any]:
    """The answer after each arrival, of a query with a slide of one tuple."""
    answers = sw.naive([Q("q", aggregate, W.count(range, 1))], enumerate(tuples))
    return [answer.value for answer in answers if answer.end <= len(tuples)]


FIGURE_10 = [2, 4, 0, 3, 7, 6, 1, 8, 9, 5]
FIGURES_20_22 = [6, 5, 0, 1, 3, 4, 2, 7]


@pytest.mark.parametrize(
    ("aggregate", "range", "tuples", "answers"),
    [
        pytest.param("max", 5, FIGURE_10, [2, 4, 4, 4, 7, 7, 7, 8, 9, 9], id="S Example 3, Figure 10, Q1"),
        pytest.param("max", 2, FIGURE_10, [2, 4, 4, 3, 7, 7, 6, 8, 9, 9], id="S Example 4, Figure 10, Q2"),
        pytest.param("sum", 3, FIGURES_20_22, [6, 11, 11, 6, 4, 8, 9, 13], id="S Example 5, Figure 20, Q1"),
        pytest.param(
            "sum", 5, FIGURES_20_22, [6, 11, 11, 12, 15, 13, 10, 17], id="S Example 5, Figure 20, Q2"
        ),
        pytest.param("max", 3, FIGURES_20_22, [6, 6, 6, 5, 3, 4, 4, 7], id="S Example 6, Figure 22, Q1"),
        pytest.param("max", 5, FIGURES_20_22, [6, 6, 6, 6, 6, 5, 4, 7], id="S Example 6, Figure 22, Q2"),
    ],
)
def test_step_tables(aggregate: str, range: int, tuples: list[int], answers: list[int]) -> None:
    assert steps(aggregate, range, tuples) == answers


def test_s_example_1() -> None:
    """Average prices of the past 5 seconds, every 3 seconds."""
    prices = [(second, 10 * second) for second in range(12)]
    answers = sw.naive([Q("avg", "mean", W.ending("5 s", "3 s"))], prices, unit="s")
    assert [(answer.end, answer.value) for answer in answers if answer.end <= 12] == [
        (3, 10),  # seconds 0, 1, 2: the stream has just begun
        (6, 30),  # 1 .. 5
        (9, 60),
        (12, 90),
    ]


def test_s_example_2() -> None:
    """Slide 2 and range 6, slide 4 and range 8: three and four partials of two tuples each."""
    prices = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]
    partials = [max(pair) for pair in zip(prices[::2], prices[1::2], strict=True)]
    queries = [Q("first", "max", W.count(6, 2)), Q("second", "max", W.count(8, 4))]
    answers = {(a.query, a.end): a.value for a in sw.naive(queries, enumerate(prices))}
    for seen in range(1, 9):
        assert answers["first", 2 * seen] == max(partials[max(seen - 3, 0) : seen])
    for seen in range(2, 9, 2):
        assert answers["second", 2 * seen] == max(partials[max(seen - 4, 0) : seen])


def test_a_example_1_1() -> None:
    """The average of the last 4 trades (10,000 in the paper), and of those between 1 and 2 minutes ago."""
    trades = [(0, 100), (40, 300), (70, 600), (100, 400), (130, 500), (170, 300)]
    queries = [Q("last", "mean", W.count(4, 1)), Q("ago", "mean", W(60, 1, lag=60))]
    answers = {(a.query, a.end): a.value for a in sw.naive(queries, trades)}
    assert answers["last", 6] == (600 + 400 + 500 + 300) / 4  # after all six trades
    # At time 170 the window S[120, 60] reaches from 51 to 110; its instance ends there, and is reported at 171.
    assert answers["ago", 111] == (600 + 400) / 2
    assert answers["ago", 101] == (600 + 400) / 2  # at time 160: 41 to 100
    assert answers["ago", 100] == (300 + 600) / 2  # at time 159: 40 to 99, without the trade at 100


def test_a_example_2_1() -> None:
    """AVG over S[120, 0]: the last 120 time units; SUM over S_k[300, 0] above 1000: which substreams those are."""
    events = [
        (0, 300, "a"),
        (1, 600, "b"),
        (119, 500, "a"),
        (120, 400, "a"),
        (200, 400, "b"),
        (299, 101, "a"),
    ]
    average = sw.naive([Q("avg", "mean", W(120, 1))], [event[:2] for event in events])
    by_end = {answer.end: answer.value for answer in average}
    assert by_end[120] == (300 + 600 + 500) / 3  # at time 119: 0 to 119
    assert by_end[121] == (600 + 500 + 400) / 3  # at time 120: 1 to 120
    totals = {(a.key, a.end): a.value for a in sw.naive([Q("sum", "sum", W(300, 1))], events)}
    assert (totals["a", 300], totals["b", 300]) == (1301, 1000)
    assert [key for key in "ab" if totals[key, 300] > 1000] == [
        "a"
    ]  # HAVING SUM(A) > 1000, as its SQL has it
    assert totals["a", 301] == 1001  # the first event has left


def test_w_section_2_1_1() -> None:
    """The intervals of W<10, 2> are [0, 10), [2, 12), [4, 14), ..."""
    every = sw.naive([Q("q", words, W(10, 2))], [(time, time) for time in range(30)])
    full = [(a.start, a.end, a.value) for a in every if a.start >= 0 and a.end <= 30]
    assert full == [(start, start + 10, tuple(range(start, start + 10))) for start in range(0, 21, 2)]


def test_w_example_1() -> None:
    """MIN over 20 minutes from two answers over 10 minutes, over 40 from two over 20, over 30 from three over 10."""
    temperatures = [(minute, 150 - minute) for minute in range(0, 120, 3)]
    queries = [Q(str(size), "min", W(size, size)) for size in (10, 20, 30, 40)]
    answers = {(a.query, a.start): a.value for a in sw.naive(queries, temperatures)}
    for size, smaller in ((20, 10), (40, 20), (30, 10)):
        for start in range(0, 120, size):
            pieces = [answers[str(smaller), at] for at in range(start, start + size, smaller)]
            assert answers[str(size), start] == min(pieces)
            inside = [value for minute, value in temperatures if start <= minute < start + size]
            assert answers[str(size), start] == min(inside)


def test_w_example_2() -> None:
    """The first two intervals of W<10, 2> from the first three of W<8, 2>."""
    queries = [Q("w1", words, W(10, 2)), Q("w2", words, W(8, 2))]
    inside = {
        (a.query, a.start): set(a.value) for a in sw.naive(queries, [(time, time) for time in range(14)])
    }
    assert [inside["w1", 0], inside["w1", 2]] == [set(range(10)), set(range(2, 12))]
    assert [inside["w2", m] for m in (0, 2, 4)] == [set(range(8)), set(range(2, 10)), set(range(4, 12))]
    assert inside["w1", 0] == inside["w2", 0] | inside["w2", 2]
    assert inside["w1", 2] == inside["w2", 2] | inside["w2", 4]
