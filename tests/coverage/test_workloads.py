"""The generators of W §5.2: what they promise, from any seed, and again from the same one."""

from __future__ import annotations

from typing import Any

import pytest

from swagcore.coverage import covered_by, partitioned_by
from swagcore.coverage.workloads import chain_gen, random_gen, random_graph_gen, star_gen
from swagcore.errors import SwagError

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


@pytest.mark.parametrize(
    ("generate", "arguments", "message"),
    [
        (random_gen, {"count": 0, "seed": 1}, "count is 0"),
        (random_gen, {"count": 3, "seed": 1, "s_max": 1}, "s_max is 1"),
        (random_gen, {"count": 3, "seed": 1, "k_max": 0}, "k_max is 0"),
        (random_gen, {"count": 9, "seed": 1, "s_max": 3, "k_max": 2}, "did not come about"),
        (random_graph_gen, {"seed": 1, "chance": 0}, "chance is 0"),
        (random_graph_gen, {"seed": 1, "levels": 0}, "levels is 0"),
    ],
)
def test_what_cannot_be_made_is_refused(generate: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SwagError) as caught:
        generate(**arguments)
    assert message in str(caught.value)
