"""The graph that the search works on: made by hand, so that every cost can be added up on paper."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from swagcore.coverage import covered_by, partitioned_by
from swagcore.coverage.network import Network
from swagcore.windows import Window


def made(
    stream: list[int],
    above: list[dict[int, int]],
    asked: set[int],
    weights: list[int] | None = None,
    linked: bool = True,
) -> Network:
    """A network with these costs; which windows its nodes are plays no part."""
    nodes = [Window(size, size) for size in range(1, len(stream) + 1)]
    return Network(nodes, frozenset(asked), weights or [1] * len(nodes), stream, above, 1, linked)


# 0 and 1 are candidates; 2 and 3 come from them, 4 comes from the stream only.
FIVE = made([6, 9, 10, 10, 10], [{}, {0: 2}, {0: 5, 1: 1}, {1: 4}, {}], {2, 3, 4})
FOUR = made([6, 9, 10, 10], [{}, {0: 2}, {0: 5, 1: 1}, {1: 4}], {2, 3})


@pytest.mark.parametrize(
    ("chosen", "cost"),
    [([], 30), ([0], 6 + 5 + 10 + 10), ([1], 9 + 1 + 4 + 10), ([0, 1], 6 + 2 + 1 + 4 + 10)],
)
def test_each_node_takes_its_cheapest_parent(chosen: list[int], cost: int) -> None:
    assert FIVE.cost(chosen) == cost


def test_the_graph_of_a_choice() -> None:
    nodes = FIVE.nodes
    assert FIVE.parents([]) == {nodes[2]: None, nodes[3]: None, nodes[4]: None}
    found = FIVE.parents([0, 1])
    assert found == {
        nodes[0]: None,
        nodes[1]: nodes[0],
        nodes[2]: nodes[1],
        nodes[3]: nodes[1],
        nodes[4]: None,
    }
    assert list(found) == nodes  # parents first


@pytest.mark.parametrize(
    ("stream", "above", "parent"),
    [
        ([9, 9, 9], {0: 3, 1: 4}, 0),
        ([9, 9, 9], {0: 3, 1: 3}, 1),  # of equally cheap ones the larger window
        ([9, 9, 3], {0: 3, 1: 4}, 0),  # the stream only where it is cheaper
        ([9, 9, 2], {0: 3, 1: 4}, None),
        ([9, 9, 2], {}, None),
    ],
)
def test_which_parent(stream: list[int], above: dict[int, int], parent: int | None) -> None:
    network = made(stream, [{}, {}, above], {0, 1, 2})
    assert network.parents([])[network.nodes[2]] == (None if parent is None else network.nodes[parent])


def test_nodes_that_nothing_is_computed_from_are_left_out() -> None:
    # 1 is the parent of none, and 0 of none but 1
    idle = made([1, 1, 5], [{}, {0: 1}, {1: 9}], {2})
    assert idle.used([0, 1]) == frozenset()
    assert idle.parents([0, 1]) == {idle.nodes[2]: None}
    assert FIVE.used([0, 1]) == {0, 1}
    assert FIVE.used([0]) == {0}
    assert FIVE.used([0, 2, 3]) == {0}  # those asked for are there anyway
    beside = made([1, 1, 5], [{}, {}, {0: 2, 1: 3}], {2})
    assert beside.used([0, 1]) == {0}


def test_improvement_adds_what_saves_most_and_removes_what_it_made_needless() -> None:
    # 0 saves 4 for each of four windows and costs 3: the best of the first round. 1 and 2 then save 10 each and cost 9.
    # After them nothing reads 0.
    pairs = made(
        [3, 9, 9, 10, 10, 10, 10],
        [{}, {}, {}, {0: 6, 1: 1}, {0: 6, 1: 1}, {0: 6, 2: 1}, {0: 6, 2: 1}],
        {3, 4, 5, 6},
    )
    assert pairs.improved() == {1, 2}
    assert pairs.cost([1, 2]) == 22 < pairs.cost([0]) == 27
    assert FIVE.improved() == {0, 1}


def test_improvement_keeps_what_is_still_read() -> None:
    # 1 comes from 0, at 1 instead of 8: without 0 the graph would be dearer by 7 - 5.
    chain = made([5, 8, 20, 20, 20], [{}, {0: 1}, {0: 6, 1: 2}, {0: 6, 1: 2}, {0: 6}], {2, 3, 4})
    assert chain.improved() == {0, 1}
    # 0 costs just what it saves: it is not added
    even = made([6, 10, 10], [{}, {0: 7}, {0: 7}], {1, 2})
    assert even.cost([0]) == even.cost([]) and even.improved() == frozenset()
    # after 1 and 2 it makes no difference whether 0 is there for the last window: what does not help is not done
    needed = made(
        [3, 9, 9, 10, 10, 10, 10, 10],
        [{}, {}, {}, {0: 6, 1: 1}, {0: 6, 1: 1}, {0: 6, 2: 1}, {0: 6, 2: 1}, {0: 7}],
        {3, 4, 5, 6, 7},
    )
    assert needed.cost([1, 2]) == needed.cost([0, 1, 2])
    assert needed.improved() == {0, 1, 2}
    # of two the one that saves more, though it comes later, and then the other saves nothing
    later = made([6, 5, 10, 10], [{}, {}, {0: 3, 1: 3}, {0: 3, 1: 3}], {2, 3})
    assert later.improved() == {1}


def test_bounds_count_the_cheapest_edges_and_one_from_the_stream() -> None:
    assert (
        FOUR.bound() == (1 + 4) + 6
    )  # one of the stream's edges has to be there, the one to 0 is the cheapest
    assert FOUR.cost([0, 1]) == 13
    assert FIVE.bound() == 1 + 4 + 10  # 4 reads the stream as it is
    # the window asked for that reads the stream gives up an edge of 4
    asked_alone = made([6, 9], [{}, {0: 4}], {0, 1})
    assert asked_alone.bound() == 6 + 4
    assert made([6, 10], [{}, {0: 1}], {1}).bound() == 1 + 6
    dear = made([60, 9], [{}, {0: 4}], {1})
    assert dear.bound() == 4 + (9 - 4)


@pytest.mark.parametrize(
    ("limit", "linked", "not_linked"),
    [
        (11, [2, 3], [2, 3]),
        (12, [0, 2, 3], [0, 2, 3]),  # with 0 at least 5 + 6
        (
            13,
            [0, 2, 3],
            [0, 1, 2, 3],
        ),  # with 1 at least 5 + 6, and its own edge: 2, or a weight of 1 if none is known
        (14, [0, 1, 2, 3], [0, 1, 2, 3]),
    ],
)
def test_nodes_of_a_graph_cheaper_than_a_limit(limit: int, linked: list[int], not_linked: list[int]) -> None:
    assert FOUR.promising(limit) == linked
    unknown = Network(FOUR.nodes, FOUR.asked, FOUR.weights, FOUR.stream, FOUR.above, 1, linked=False)
    assert unknown.promising(limit) == not_linked


def test_a_cheap_edge_from_the_stream_makes_a_node_promising() -> None:
    # from the stream 2 costs 7 in all, from 0 it would cost 3 and the 6 of 0
    short = made([6, 9, 7, 10], [{}, {}, {0: 3}, {0: 4, 2: 1}], {3})
    assert short.promising(8) == [0, 3] and short.promising(9) == [0, 2, 3]


def test_a_network_restricted_to_some_nodes() -> None:
    weighted = made([6, 9, 10, 12, 11], FIVE.above, {2, 3, 4}, weights=[5, 4, 3, 2, 1], linked=False)
    some = weighted.restricted([1])
    assert some.nodes == weighted.nodes[1:]
    assert some.asked == {1, 2, 3}
    assert (some.weights, some.stream) == ([4, 3, 2, 1], [9, 10, 12, 11])
    assert some.above == [{}, {0: 1}, {0: 4}, {}]
    assert (some.scale, some.linked) == (1, False)


@pytest.mark.parametrize(
    ("minimize", "stream", "above", "weights", "scale"),
    [
        # a time unit: instances in 4 units, times 2, the denominator of the rate; a step costs twice that weight
        ("rate", [12, 12, 12, 36], [{}, {0: 8}, {0: 8, 1: 4}, {0: 24, 1: 12}], [8, 4, 2, 4], 8),
        # over the period 12 there are 12, 6, 3 and 4 instances
        ("cost", [36, 36, 36, 72], [{}, {0: 24}, {0: 24, 1: 12}, {0: 48, 1: 24}], [24, 12, 6, 8], 2),
    ],
)
def test_costs_of_a_network(minimize: str, stream: Any, above: Any, weights: Any, scale: int) -> None:
    windows, extra = [Window(6, 2), Window(4, 4)], [Window(2, 2), Window(1, 1)]
    found = Network.of(windows, extra, "partitioned by", Fraction(3, 2), minimize)
    assert found.nodes == [Window(1, 1), Window(2, 2), Window(4, 4), Window(6, 2)]
    assert found.asked == {2, 3} and found.linked
    assert (found.stream, found.above) == (stream, above)
    assert (found.weights, found.scale) == (weights, scale)
    half = Network.of(windows, extra, "partitioned by", Fraction(3, 2), minimize, linked=False)
    assert half.above == [{}, {}, *above[2:]] and not half.linked
    assert (half.stream, half.weights, half.scale) == (stream, weights, scale)


def test_a_window_of_the_same_range_and_a_larger_slide_replaces_another() -> None:
    windows = [Window(6, 4), Window(6, 8)]
    extra = [Window(2, 1), Window(2, 2), Window(6, 1), Window(6, 2), Window(1, 1)]
    network = Network.of(windows, extra, "covered by", 1, "rate")
    left = [(network.nodes[node].range, network.nodes[node].slide) for node in network.undominated()]
    # W<6, 2> for W<6, 1>, and then W<6, 4> itself for W<6, 2>. W<2, 1> stays: W<6, 1> was below it when it was judged.
    assert left == [(1, 1), (2, 1), (2, 2), (6, 4), (6, 8)]


def test_a_window_stays_where_no_other_is_above_all_that_it_is_above() -> None:
    def left(windows: list[Window], extra: list[Window]) -> list[Window]:
        network = Network.of(windows, extra, "covered by", 1, "rate")
        return [network.nodes[node] for node in network.undominated()]

    # W<2, 2> for W<2, 1>, unless something with an odd slide or offset is below
    assert left([Window(6, 2)], [Window(2, 1), Window(2, 2)]) == [Window(2, 2), Window(6, 2)]
    assert left([Window(6, 2), Window(6, 2, 1)], [Window(2, 1), Window(2, 2)]) == [
        *(Window(2, 1), Window(2, 2)),
        *(Window(6, 2), Window(6, 2, 1)),
    ]
    # of another range none, whatever its slide; and those asked for always
    assert left([Window(6, 6)], [Window(3, 3), Window(2, 2)]) == [Window(2, 2), Window(3, 3), Window(6, 6)]
    assert left([Window(6, 2), Window(6, 6)], []) == [Window(6, 2), Window(6, 6)]


def test_the_network_has_just_the_edges_of_the_relation() -> None:
    for relation, related in (("covered by", covered_by), ("partitioned by", partitioned_by)):
        some = [Window(r, s, o) for r in range(1, 6) for s in range(1, 5) for o in range(s)]
        network = Network.of(some[:3], some[3:], relation, 1, "rate")
        for node, window in enumerate(network.nodes):
            parents = {p for p, other in enumerate(network.nodes) if p != node and related(window, other)}
            assert set(network.above[node]) == parents
