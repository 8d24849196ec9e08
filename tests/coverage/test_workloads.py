"""The generators of W §5.2: what they promise, from any seed, and again from the same one."""

from __future__ import annotations

from typing import Any

import pytest

from swagcore.coverage import covered_by, partitioned_by, workloads
from swagcore.coverage.workloads import chain_gen, random_gen, random_graph_gen, star_gen
from swagcore.errors import SwagError
from swagcore.windows import Window

SEEDS = range(8)


@pytest.mark.parametrize("generate", [random_gen, chain_gen, star_gen])
@pytest.mark.parametrize("tumbling", [False, True])
@pytest.mark.parametrize("count", [1, 5, 10])
def test_sets_of_the_size_asked_for(generate: Any, tumbling: bool, count: int) -> None:
    for seed in SEEDS:
        made = generate(count, seed, tumbling=tumbling)
        assert made == generate(count, seed, tumbling=tumbling)
        assert len(set(made)) == count
        for window in made:
            assert window.slide >= 2 and window.range % window.slide == 0 and window.offset == 0
            assert window.range <= window.slide * (1 if tumbling else 10)
    assert generate(5, 1) != generate(5, 2)


@pytest.mark.parametrize("tumbling", [False, True])
def test_chains_and_stars(tumbling: bool) -> None:
    for seed in SEEDS:
        chain = chain_gen(6, seed, tumbling=tumbling)
        assert all(covered_by(chain[i + 1], chain[i]) for i in range(5))
        star = star_gen(6, seed, tumbling=tumbling)
        assert all(covered_by(window, star[0]) for window in star)
        if tumbling:
            assert all(partitioned_by(chain[i + 1], chain[i]) for i in range(5))


def test_slides_of_random_sets_reach_their_bounds() -> None:
    slides = {window.slide for seed in range(60) for window in random_gen(5, seed, s_max=6, k_max=3)}
    ratios = {w.range // w.slide for seed in range(60) for w in random_gen(5, seed, s_max=6, k_max=3)}
    assert slides == {2, 3, 4, 5, 6} and ratios == {1, 2, 3}


@pytest.mark.parametrize("tumbling", [False, True])
def test_graphs_have_levels(tumbling: bool) -> None:
    for seed in SEEDS:
        made = random_graph_gen(seed, tumbling=tumbling)
        assert made == random_graph_gen(seed, tumbling=tumbling)
        levels = [made[:2], made[2:6], made[6:]]
        assert [len(level) for level in levels] == [2, 4, 6]
        for below, level in zip([[], *levels], levels, strict=False):
            for window in level:
                assert not any(covered_by(window, other) for other in level if other != window)
                assert not below or any(covered_by(window, other) for other in below)


def test_the_first_slide_is_from_2_to_its_bound() -> None:
    for generate in (random_gen, chain_gen, star_gen):
        assert {generate(1, seed, s_max=3)[0].slide for seed in range(20)} == {2, 3}
        assert generate(1, 1, s_max=2, k_max=1)[0] == Window(2, 2)
    # a star leaves room for the others: its first slide is a share of the bound, but not below 2
    assert {star_gen(5, seed, s_max=15)[0].slide for seed in range(20)} == {2, 3}
    assert {star_gen(5, seed, s_max=10)[0].slide for seed in range(20)} == {2}
    assert {star_gen(5, seed, s_max=8)[0].slide for seed in range(20)} == {2}


def test_graphs_of_the_least_size() -> None:
    assert len(random_graph_gen(1, levels=1, base=1)) == 1
    for seed in SEEDS:
        made = random_graph_gen(seed, levels=2, base=2, growth=0, chance=1)
        assert len(made) == 4
        assert all(covered_by(window, below) for window in made[2:] for below in made[:2])


def test_a_set_is_begun_a_hundred_times(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    monkeypatch.setattr(workloads, "random_window", lambda *sizes, **options: drawn.append(sizes))
    with pytest.raises(SwagError, match="s_max is 9; expected a larger one: 2 windows of this sort"):
        random_gen(2, 1, s_max=9)
    assert len(drawn) == 100 * 500


@pytest.mark.parametrize(
    ("generate", "arguments", "message"),
    [
        (random_gen, {"count": 0, "seed": 1}, "count is 0; expected a whole number from 1 on"),
        (random_gen, {"count": 3, "seed": 1, "s_max": 1}, "s_max is 1; expected a whole number from 2 on"),
        (random_gen, {"count": 3, "seed": 1, "k_max": 0}, "k_max is 0; expected a whole number from 1 on"),
        (random_gen, {"count": 9, "seed": 1, "s_max": 3, "k_max": 2}, "did not come about"),
        (random_graph_gen, {"seed": 1, "chance": 0}, "chance is 0"),
        (random_graph_gen, {"seed": 1, "chance": 1.5}, "chance is 1.5; expected a probability above 0"),
        (random_graph_gen, {"seed": 1, "levels": 0}, "levels is 0; expected a whole number from 1 on"),
        (random_graph_gen, {"seed": 1, "growth": -1}, "growth is -1; expected a whole number from 0 on"),
    ],
)
def test_what_cannot_be_made_is_refused(generate: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SwagError) as caught:
        generate(**arguments)
    assert message in str(caught.value)
