"""Weave Share against the textbook's loop, and the rules that make it fast."""

from __future__ import annotations

import builtins
import random
import sys
from fractions import Fraction
from itertools import combinations

import pytest

import swagcore as sw
from swagcore.cost import OMEGAS, TECHNIQUES, CostModel
from swagcore.optimizers import optimize, textbook, weaving
from swagcore.optimizers.bunches import Loom
from swagcore.optimizers.lower_bounds import bound_for
from swagcore.windows import Query, Window
from tests.optimizers.query_sets import any_slicing, queries, query_sets


def a_rate(source: random.Random) -> Fraction:
    return Fraction(source.choice([1, 2, 5, 10, 50]), source.choice([1, 3, 10, 40]))


@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize("omega", OMEGAS)
@pytest.mark.parametrize("tri", [False, True])
def test_the_textbooks_plan(technique: str, omega: str, tri: bool) -> None:
    # Ties are common: slides up to 3, equal windows, windows of one slice.
    for asked, source in query_sets(25, 8, seed=1):
        model = CostModel(a_rate(source), technique, any_slicing(source), omega)
        loom = Loom(model, asked, model.edge_rate(asked) if tri else None)
        begun = loom.units()
        if technique == "panes" and not tri:
            # Here that equal edges go together is a theorem, and the textbook finds it by itself.
            begun = [loom.bunch([position]) for position in range(len(asked))]
        expected = [bunch.members for bunch in textbook.greedy(loom, begun)]
        assert [bunch.members for bunch in weaving.weave(loom, loom.units())] == expected, asked


def test_a_window_of_one_slice_is_tied_with_all() -> None:
    # Once grouped with its equals, although every merge of it saves lambda.
    windows = [Window(6, 1), Window(1, 2), Window(2, 2), Window(7, 3)]
    asked = [Query(f"q{number}", "max", window) for number, window in enumerate(windows)]
    model = CostModel(Fraction(1, 3), slicing="cutty")
    loom = Loom(model, asked)
    expected = textbook.greedy(loom, [loom.bunch([position]) for position in range(4)])
    assert (
        [bunch.members for bunch in weaving.weave(loom, loom.units())]
        == [bunch.members for bunch in expected]
        == [[0, 1], [2], [3]]
    )


def test_without_numpy_the_same_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = queries(7, random.Random(3))
    expected = optimize(asked, rate=1)
    imported = builtins.__import__

    def without(name: str, *more: object, **named: object) -> object:
        if name == "numpy":
            raise ImportError(name)
        return imported(name, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    assert optimize(asked, rate=1) == expected


def test_more_than_at_once_are_woven_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = queries(40, random.Random(5), largest=30)
    monkeypatch.setattr(weaving, "MOST_AT_ONCE", 10)
    monkeypatch.setattr(weaving, "BLOCK", 8)
    plan = optimize(asked, rate=1)
    assert sorted(query.name for tree in plan.trees for query in tree.queries) == sorted(
        q.name for q in asked
    )
    assert plan.cost < optimize(asked, rate=1, optimizer="no_share").cost
    assert all(len(tree.queries) <= 40 for tree in plan.trees)


@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize("omega", OMEGAS)
def test_lower_bounds_are_below(technique: str, omega: str) -> None:
    import numpy as np

    for asked, source in query_sets(25, 8, seed=2):
        loom = Loom(CostModel(1, technique, any_slicing(source), omega), asked)
        columns_of, lower = bound_for(loom)
        units = loom.units()
        pairs = [loom.joined(units[number], units[number + 1]) for number in range(0, len(units) - 1, 2)]
        fours = [loom.joined(pairs[number], pairs[number + 1]) for number in range(0, len(pairs) - 1, 2)]
        apart = [(one, other) for found in (units, pairs) for one, other in combinations(found, 2)]
        apart += [(one, other) for one in fours for other in units if not {*other.members} & {*one.members}]
        for one, other in apart:
            both = loom.joined(one, other)
            fewest = source.choice([max(one.edge_rate, other.edge_rate), both.edge_rate])
            bound = lower(
                np.array(columns_of(one)), np.array(columns_of(other))[:, None], np.array([float(fewest)])
            )
            assert bound[0] <= float(both.final) * (1 + 1e-12) + 1e-12, (asked, one.members, other.members)


def test_the_fastest_window_of_flatfit_may_come_to_be_walked() -> None:
    # The slide of 2 is one slice of its tree; with the slide of 3 beside it, it is not, and then it walks most.
    import numpy as np

    asked = [Query(f"q{slide}", "max", Window(slide, slide)) for slide in (2, 6, 3)]
    loom = Loom(CostModel(1, "flatfit"), asked)
    columns_of, lower = bound_for(loom)
    two = loom.joined(loom.bunch([0]), loom.bunch([1]))
    both = loom.joined(two, loom.bunch([2]))
    columns = [np.array(columns_of(bunch)) for bunch in (two, loom.bunch([2]))]
    assert both.final == Fraction(1, 6)
    assert lower(columns[0], columns[1][:, None], np.array([2 / 3]))[0] <= 1 / 6 + 1e-12


@pytest.mark.parametrize("whole", [False, True])
def test_overlaps_are_the_edges_in_common(whole: bool) -> None:
    for asked, source in query_sets(10, 8, seed=3, whole=whole):
        loom = Loom(CostModel(1, slicing=any_slicing(source)), asked)
        units = loom.units()
        import numpy as np

        found = weaving.overlaps(units, np.array([float(unit.edge_rate) for unit in units]))
        for (i, one), (j, other) in combinations(enumerate(units), 2):
            common = one.edge_rate + other.edge_rate - loom.joined(one, other).edge_rate
            assert found[i, j] == found[j, i] == pytest.approx(float(common), abs=1e-12)


def test_slides_whose_composite_slide_has_a_hundred_digits() -> None:
    # Products of primes: nothing in common, and nothing of that length is ever walked.
    slides = [10**18 + 9, 10**18 + 3, 2**61 - 1, 10**24 + 7, 3**70, 10**350 + 1]
    asked = [Query(f"q{number}", "max", Window(3 * slide, slide)) for number, slide in enumerate(slides)]
    for optimizer in ("weave_share", "tri_weave", "shared", "insert_then_weave", "pairing"):
        plan = optimize(asked, rate=1, optimizer=optimizer)
        assert sum(len(tree.queries) for tree in plan.trees) == 6
        assert "cost" in plan.explain()


def test_everything_into_one_tree_where_the_rate_is_high() -> None:
    asked = queries(60, random.Random(8), largest=50)
    assert len(optimize(asked, rate=10**9).trees) == 1
    assert optimize(asked, rate=10**9).cost == optimize(asked, rate=10**9, optimizer="shared").cost


def test_the_shortcut_is_the_textbooks_end(monkeypatch: pytest.MonkeyPatch) -> None:
    for asked, source in query_sets(20, 8, seed=9):
        rate = source.choice([1, 3, 10, 30, 100])
        quick = optimize(asked, rate=rate)
        with monkeypatch.context() as patched:
            patched.setattr(weaving.Weaving, "_all_merge", lambda self, everything: False)
            assert optimize(asked, rate=rate) == quick


def test_progress_only_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from swagcore.optimizers import progress

    monkeypatch.setattr(progress, "PATIENCE", -1)
    optimize(queries(5, random.Random(1)), rate=1)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    optimize(queries(5, random.Random(1)), rate=1)
    assert "weaving" in capsys.readouterr().err


def test_at_least_a_quarter_of_the_best_saving() -> None:
    """C Theorem 1, on its conditions: random instances; bench/weave_quality.py searches for the worst."""
    worst = Fraction(1)
    source = random.Random(11)
    for _ in range(60):
        slides = [source.randint(1, 20) for _ in range(source.randint(2, 6))]
        asked = [Query(f"q{number}", "max", Window(slide, slide)) for number, slide in enumerate(slides)]
        model = CostModel(omega="paper")
        largest = max(model.edge_rate(pair) for pair in combinations(asked, 2))
        rate = 2 * largest * Fraction(source.choice([2, 2, 3, 5]), 2)
        plans = {
            name: optimize(asked, rate=rate, optimizer=name, omega="paper")
            for name in ("no_share", "weave_share", "exhaustive")
        }
        merges, best_merges = (len(asked) - len(plans[name].trees) for name in ("weave_share", "exhaustive"))
        if 2 * merges < best_merges:
            continue
        saved = plans["no_share"].cost - plans["weave_share"].cost
        most = plans["no_share"].cost - plans["exhaustive"].cost
        assert 4 * saved >= most
        if most:
            worst = min(worst, saved / most)
    assert worst < 1  # it did come across plans that are not the best


def test_it_is_never_below_the_best_and_never_above_no_sharing() -> None:
    for asked, source in query_sets(12, 7, seed=4):
        rate = a_rate(source)
        best = optimize(asked, rate=rate, optimizer="exhaustive").cost
        assert (
            best <= optimize(asked, rate=rate).cost <= optimize(asked, rate=rate, optimizer="no_share").cost
        )


def test_running_its_plan_gives_the_answers() -> None:
    for asked, source in query_sets(6, 5, seed=6):
        events = sorted((source.randint(-10, 40), source.randint(0, 9)) for _ in range(25))
        if asked:
            assert list(sw.run(asked, events, optimizer="weave_share")) == list(sw.naive(asked, events))
