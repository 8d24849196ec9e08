"""The recursion over sets of terminals, against all choices one by one."""

from __future__ import annotations

import itertools
import random

import pytest

from swagcore.coverage.network import Network
from swagcore.coverage.steiner import reached, steiner, work
from swagcore.windows import Window


def made(stream: list[int], above: list[dict[int, int]], asked: set[int]) -> Network:
    nodes = [Window(size, size) for size in range(1, len(stream) + 1)]
    return Network(nodes, frozenset(asked), [1] * len(nodes), stream, above, 1, True)


# 0 and 1 are candidates, 2, 3 and 4 are asked for; 4 comes from 2.
TREE = made([6, 9, 10, 10, 10], [{}, {0: 2}, {0: 5, 1: 1}, {1: 4}, {2: 3}], {2, 3, 4})


def test_what_is_below_a_node() -> None:
    # the bits 1, 2, 4 are the nodes 2, 3, 4
    assert reached(TREE) == [0b111, 0b111, 0b101, 0b010, 0b100]
    assert reached(made([1, 1], [{}, {}], {1})) == [0, 1]


@pytest.mark.parametrize(
    ("network", "steps"),
    [
        # one node: 3 // 2 + 2; the root the same
        (made([1], [{}], {0}), 3 + 3),
        # nodes with 3, 3, 2, 1, 1 terminals and the root with 3: 3**k // 2 + 2**k each; an edge 2**k of its lower node
        (TREE, (21 + 21 + 8 + 3 + 3 + 21) + (8 + 4 + 4 + 2 + 2)),
        # a node above nothing that is asked for takes a single step
        (made([1, 1], [{}, {}], {1}), 1 + 3 + 3),
    ],
)
def test_steps_are_estimated_before_they_are_taken(network: Network, steps: int) -> None:
    assert work(network) == steps


@pytest.mark.parametrize(
    ("network", "chosen"),
    [
        (TREE, {0, 1}),  # 6 + 2 + 1 + 4 + 3
        (made([6, 6, 9, 9], [{}, {}, {0: 1}, {0: 1, 1: 1}], {2, 3}), {0}),  # one for both, not one each
        (made([9, 9, 9], [{}, {0: 9}, {0: 9}], {1, 2}), set()),  # the stream is cheaper
        (made([5, 3, 9], [{}, {}, {0: 1, 1: 4}], {2}), {0}),  # 5 + 1, not 3 + 4
        (made([1, 1, 1], [{}, {}, {}], {0, 1, 2}), set()),
        # a chain of 10 + 4 + 4 beside a factor window of 10 and three edges of 3
        (made([10, 10, 99, 99], [{}, {0: 3}, {0: 3, 1: 4}, {0: 3, 2: 4}], {1, 2, 3}), set()),
        # a node from which nothing asked for can be computed
        (made([1, 1, 9], [{}, {0: 1}, {0: 2}], {2}), {0}),
        # costs of any size
        (made([2 << 900, 9 << 900], [{}, {0: 1 << 900}], {1}), {0}),
    ],
)
def test_the_cheapest_choice(network: Network, chosen: set[int]) -> None:
    assert steiner(network) == chosen


def test_no_choice_is_cheaper_whatever_the_costs() -> None:
    rng = random.Random(4)
    with_factors = 0
    for _ in range(250):
        size = rng.randint(2, 7)
        above = [
            {parent: rng.randint(1, 6) for parent in range(node) if rng.random() < 0.6}
            for node in range(size)
        ]
        asked = {node for node in range(size) if rng.random() < 0.6} or {size - 1}
        network = made([rng.randint(1, 25) for _ in range(size)], above, asked)
        others = [node for node in range(size) if node not in asked]
        choices = (c for n in range(len(others) + 1) for c in itertools.combinations(others, n))
        found = steiner(network)
        assert network.cost(found) == min(map(network.cost, choices)), network
        assert found == network.used(found), network  # nothing that is not read
        with_factors += bool(found)
    assert with_factors > 50
