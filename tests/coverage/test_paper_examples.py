"""The worked examples of W, number by number; where the paper's number is wrong, both and why."""

from __future__ import annotations

from fractions import Fraction

from swagcore.coverage import covered_by, min_cost, multiplier, partitioned_by
from swagcore.coverage.cost import recurrences
from swagcore.coverage.paper import best_factor, change, factor_windows, helps, paper_cost
from swagcore.coverage.relation import parts_of
from swagcore.windows import Window

W10, W20, W30, W40 = (Window(minutes, minutes) for minutes in (10, 20, 30, 40))


def test_example_1_two_tuples_of_10_minutes_give_20() -> None:
    assert partitioned_by(W20, W10) and multiplier(W20, W10) == 2
    graph = min_cost([W10, W20, W30, W40], "min")
    assert graph.parent == {W10: None, W20: W10, W30: W10, W40: W20}  # Figure 2


def test_examples_2_to_5() -> None:
    w1, w2 = Window(10, 2), Window(8, 2)
    assert list(w1.starts(9))[-5:][0] == 0 and covered_by(w1, w2)
    assert list(parts_of(w1, w2, 0)) == [0, 2]  # its first interval: the first and second of the other
    assert list(parts_of(w1, w2, 2)) == [2, 4]
    assert (w1.slide // w2.slide, (w1.range - w2.range) // w2.slide) == (1, 1)  # Example 3
    assert multiplier(w1, w2) == 2
    assert (w1.slide // w2.slide, w1.range // w2.slide) == (1, 5)  # Example 5
    assert not partitioned_by(w1, w2)


def test_example_6() -> None:
    windows = [W10, W20, W30, W40]
    graph = min_cost(windows, "sum", factor_windows=False)
    assert graph.period == 120
    assert [recurrences(w, 120) for w in windows] == [12, 6, 4, 3]
    assert [multiplier(*pair) for pair in ((W20, W10), (W30, W10), (W40, W10), (W40, W20))] == [2, 3, 4, 2]
    assert sum(recurrences(w, 120) * w.range for w in windows) == 480
    assert [graph.cost_of(w) for w in windows] == [120, 12, 12, 6]
    assert graph.cost == 150
    reduction = Fraction(480 - 150, 480)
    assert reduction == Fraction(6875, 10000)  # 68.75 %
    assert reduction != Fraction(625, 1000)  # printed: 62.5 %


def test_example_7() -> None:
    windows = [W20, W30, W40]
    assert sum(recurrences(w, 120) * w.range for w in windows) == 360
    plain = min_cost(windows, "sum", factor_windows=False)
    assert (plain.period, plain.cost) == (120, 246)
    assert round(100 * (360 - 246) / 360, 1) == 31.7
    graph = min_cost(windows, "sum")
    assert (graph.cost, graph.factors, graph.optimal) == (150, (W10,), True)
    assert round(100 * (360 - 150) / 360, 1) == 58.3
    assert round(100 * (246 - 150) / 246) == 39
    assert paper_cost(windows, "partitioned by") == paper_cost(windows, "covered by") == (246, 150)


def test_example_8() -> None:
    stream, below = Window(1, 1), [W20, W30]  # 40 is below 20, not below the stream
    without = sum(recurrences(w, 120) * multiplier(w, stream) for w in below)
    assert without == 240
    costs = {}
    for size in (2, 5, 10):
        factor = Window(size, size)
        assert helps(factor, stream, below, 120)
        assert change(factor, stream, below, 120) <= 0
        costs[size] = without + change(factor, stream, below, 120)
    assert costs == {2: 240, 5: 168, 10: 144}
    # Footnote 8 prints 150 for W<10, 10>, a reduction of 37.5 %: that is the whole query, with the 6 of W<40, 40>.
    assert costs[10] + recurrences(W40, 120) * multiplier(W40, W20) == 150
    assert Fraction(240 - costs[10], 240) == Fraction(2, 5)
    assert Fraction(240 - costs[5], 240) == Fraction(3, 10)
    assert best_factor(stream, below, "partitioned by", 120) == W10
    assert factor_windows([*below, W40], "partitioned by") == [W10]
