"""The worst mean of a cycle: what an endless walk through a graph costs a step, at the most, in the long run."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def worst_mean(edges: Mapping[Node, Sequence[tuple[Node, int]]]) -> Fraction:
    """The greatest mean cost of a cycle, exactly; every node has at least one edge (to, cost), and `to` is a node.

    Howard's policy iteration: follow one edge a node, find the cycles that this leads to and what each node gains on
    its way there, take a better edge wherever there is one, until there is none.

    >>> worst_mean({"a": [("b", 1), ("a", 2)], "b": [("a", 4)]})
    Fraction(5, 2)
    """
    chosen = {node: max(ways, key=lambda way: way[1]) for node, ways in edges.items()}
    while True:
        mean, gain = _evaluated(chosen)
        better = {
            node: max(ways, key=lambda way: (mean[way[0]], way[1] + gain[way[0]]))
            for node, ways in edges.items()
        }
        changed = False
        for node, (to, cost) in better.items():
            if (mean[to], cost + gain[to] - mean[to]) > (mean[node], gain[node]):
                chosen[node] = (to, cost)
                changed = True
        if not changed:
            return max(mean.values())


def _evaluated(chosen: Mapping[Node, tuple[Node, int]]) -> tuple[dict[Node, Fraction], dict[Node, Fraction]]:
    """Of each node the mean of the cycle that its edges lead to, and what it costs more than that until it is there."""
    mean: dict[Node, Fraction] = {}
    gain: dict[Node, Fraction] = {}
    for start in chosen:
        path: dict[Node, int] = {}
        node = start
        while node not in mean and node not in path:
            path[node] = len(path)
            node = chosen[node][0]
        nodes = list(path)
        if node not in mean:  # a new cycle, which begins here
            cycle = nodes[path[node] :]
            mean[node] = Fraction(sum(chosen[member][1] for member in cycle), len(cycle))
            gain[node] = Fraction(0)
        for member in reversed(nodes):
            if member not in mean:
                to, cost = chosen[member]
                mean[member], gain[member] = mean[to], gain[to] + cost - mean[to]
    return mean, gain
