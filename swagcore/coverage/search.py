"""Which factor windows to add, so that the graph is the cheapest.

Given the factor windows, every window takes its cheapest parent, as in W Algorithm 1. Choosing them is a Steiner tree
problem on the graph of "covered by" or "partitioned by" (W §4.3): the stream is the root, the windows asked for are the
terminals, and an edge costs what its lower window does from its upper one.

What is guaranteed:

- never dearer than W Algorithm 1: its graph, without factor windows, is among those compared;
- optimal over all factor windows, on any number of levels, where `Found.gap` is 0: the candidates are complete (see
  coverage.factors) and the recursion over sets of terminals (coverage.steiner) went through them, or through those that a
  graph cheaper than the best one known may have. Under "partitioned by" that is so up to some 14 windows, in less than a
  second. Under "covered by" it is so for 10 windows unless their slides have very many divisors in common, in seconds;
- else within `gap` of the optimum, by a bound that counts for every window its cheapest edge and one edge of the stream;
  and still the cheapest graph with tumbling factor windows for every set of windows, and those of ranges asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from swagcore.coverage.cost import Exact, period_of, recurrences, whole_if_possible
from swagcore.coverage.factors import complete, likely
from swagcore.coverage.network import Network
from swagcore.coverage.steiner import steiner, work
from swagcore.windows import Window

MOST_STEPS, MOST_NODES = 5_000_000, 1_200
"""Of the recursion, and in its network: some seconds. A larger one is not begun."""


@dataclass(frozen=True)
class Found:
    """Parents, each window after its own, and by how much no other choice can be cheaper."""

    parent: Mapping[Window, Window | None]
    gap: Exact


def search(
    windows: Sequence[Window], relation: str | None, events: Exact, minimize: str, factor_windows: bool
) -> Found:
    """The cheapest graph found for distinct windows without lags, at `events` a time unit.

    >>> search([Window(20, 20), Window(30, 30)], "partitioned by", 1, "cost", True)
    Found(parent={Window(range=10, slide=10): None, Window(range=20, slide=20): Window(range=10, slide=10), \
Window(range=30, slide=30): Window(range=10, slide=10)}, gap=0)
    """
    if relation is None:
        return Found(dict.fromkeys(windows), 0)
    if not factor_windows:
        return Found(Network.of(windows, [], relation, events, minimize).parents([]), 0)
    network = Network.of(windows, likely(windows, relation), relation, events, minimize)
    chosen = _best(network)[0]
    least = network.cost(chosen)
    bound = Fraction(bound_of_any(windows, events, minimize))
    everything = complete(windows, relation)
    if everything is not None:
        # A graph with a window that is left out from here on costs `least` or more.
        sketch = _left(Network.of(windows, everything, relation, events, minimize, linked=False), least)
        bound = max(bound, Fraction(min(least, sketch.bound()), sketch.scale))
        if len(sketch.nodes) <= MOST_NODES:
            linked = Network.of(windows, sketch.nodes, relation, events, minimize)
            linked = _left(linked.restricted(linked.undominated()), least)
            better, exact = _best(linked)
            if linked.cost(better) < least:
                network, chosen, least = linked, better, linked.cost(better)
            if exact:
                return Found(network.parents(chosen), 0)
            bound = max(bound, Fraction(min(least, linked.bound()), linked.scale))
    value = Fraction(least, network.scale)
    return Found(network.parents(chosen), whole_if_possible(value - min(value, bound)))


def _best(network: Network) -> tuple[frozenset[int], bool]:
    """The cheapest choice out of a network, and whether it is certainly that."""
    if work(network) <= MOST_STEPS:
        return steiner(network), True
    return network.improved(), False


def _left(network: Network, limit: int) -> Network:
    """The network without the nodes that no graph cheaper than the limit has; that raises the bound, and leaves out more."""
    while True:
        kept = network.promising(limit)
        if len(kept) == len(network.nodes):
            return network
        network = network.restricted(kept)


def bound_of_any(windows: Sequence[Window], events: Exact, minimize: str) -> Exact:
    """No graph costs less, whatever factor windows it has.

    Every window makes at least one step an instance. Those without gaps come, over whatever windows, from one without
    gaps that reads the stream: all of it in the steady state, and half of the period at the least, as n instances of
    range r and slide <= r inside a period R have n * r >= max(r, R - r + 1).

    >>> bound_of_any([Window(20, 20), Window(30, 30)], 1, "cost")
    Fraction(71, 2)
    """
    period = period_of(windows)
    often = [
        Fraction(recurrences(w, period) if minimize == "cost" else Fraction(1, w.slide)) for w in windows
    ]
    least = sum((n * min(1, events * w.range) for n, w in zip(often, windows, strict=True)), Fraction(0))
    if all(w.slide > w.range for w in windows):
        return least
    reading = Fraction(period + 1, 2) * events if minimize == "cost" else Fraction(events)
    instead = [n * (events * w.range - 1) for n, w in zip(often, windows, strict=True)]
    return least + max(Fraction(0), min(reading, *instead))
