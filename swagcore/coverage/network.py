"""Windows asked for and candidates, with what each costs from each: the graph that the search works on.

Costs are whole numbers: those of `minimize`, times `scale`. A node is a position in `nodes`, where parents stand before
children; sets of nodes are frozensets.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from swagcore.coverage.cost import Exact, period_of, recurrences
from swagcore.coverage.relation import COVERED
from swagcore.windows import Window


@dataclass(frozen=True)
class Network:
    """`stream[i]` is what node i costs from the stream, `above[i]` what it costs from each node that it may come from.

    `weights[i]` is what one step an instance costs. Where the network is not `linked`, only the nodes asked for have their
    edges: that is enough to leave out most of the others.
    """

    nodes: list[Window]
    asked: frozenset[int]
    weights: list[int]
    stream: list[int]
    above: list[dict[int, int]]
    scale: int
    linked: bool

    @classmethod
    def of(
        cls,
        windows: Sequence[Window],
        extra: Iterable[Window],
        relation: str,
        events: Exact,
        minimize: str,
        linked: bool = True,
    ) -> Network:
        """The network of the windows asked for and some more.

        >>> tree = Network.of([Window(4, 4)], [Window(2, 2)], "partitioned by", 1, "rate")
        >>> tree.nodes[0], tree.stream, tree.above, tree.scale
        (Window(range=2, slide=2), [4, 4], [{}, {0: 2}], 4)
        """
        nodes = sorted({*windows, *extra}, key=lambda w: (w.range, w.slide, w.offset))
        weights, scale = _weights(nodes, windows, minimize)
        events = Fraction(events)
        stream = [weight * events.numerator * w.range for w, weight in zip(nodes, weights, strict=True)]
        weights = [weight * events.denominator for weight in weights]
        scale *= events.denominator

        overlap = relation == COVERED
        by_slide: dict[int, list[tuple[int, Window]]] = {}
        for position, window in enumerate(nodes):
            by_slide.setdefault(window.slide, []).append((position, window))
        asked = set(windows)
        below = [(i, window) for i, window in enumerate(nodes) if linked or window in asked]
        above: list[dict[int, int]] = [{} for _ in nodes]
        for slide, parents in by_slide.items():
            for position, window in below:
                if window.slide % slide:
                    continue
                for other, parent in parents:
                    more = window.range - parent.range
                    if (
                        more < 0
                        or other == position
                        or more % slide
                        or (window.offset - parent.offset) % slide
                        or (more and (slide != parent.range if not overlap else slide > parent.range))
                    ):
                        continue
                    above[position][other] = weights[position] * (1 + more // slide)
        terminals = frozenset(i for i, w in enumerate(nodes) if w in asked)
        return cls(nodes, terminals, weights, stream, above, scale, linked)

    def cost(self, chosen: Iterable[int]) -> int:
        """What the windows asked for and the chosen ones cost, each from its cheapest parent."""
        present = self.asked.union(chosen)
        return sum(self._least(node, present) for node in present)

    def _least(self, node: int, present: Iterable[int]) -> int:
        above = self.above[node]
        return min([self.stream[node], *[above[p] for p in present if p in above]])

    def used(self, chosen: Iterable[int]) -> frozenset[int]:
        """The chosen nodes from which something asked for is computed, directly or not."""
        present = set(self.asked.union(chosen))
        parents = self._parents(present)
        while True:
            read = {parents[node] for node in present}
            idle = {node for node in present if node not in self.asked and node not in read}
            if not idle:
                return frozenset(present - self.asked)
            present -= idle

    def _parents(self, present: Iterable[int]) -> dict[int, int | None]:
        """The cheapest parent of each; of equally cheap ones the largest window, the stream only if it is cheaper."""
        present = sorted(present)
        found: dict[int, int | None] = {}
        for node in present:
            above = self.above[node]
            best = min((p for p in present if p in above), key=lambda p: (above[p], -p), default=None)
            found[node] = best if best is not None and above[best] <= self.stream[node] else None
        return found

    def parents(self, chosen: Iterable[int]) -> dict[Window, Window | None]:
        """The graph: the windows, each after its parent."""
        found = self._parents(self.asked.union(self.used(chosen)))
        return {
            self.nodes[node]: None if parent is None else self.nodes[parent] for node, parent in found.items()
        }

    def improved(self) -> frozenset[int]:
        """The factor windows after the best additions and removals, one at a time, from none until none helps."""
        chosen: set[int] = set()
        least = {node: self._least(node, self.asked) for node in self.asked}
        below: list[list[tuple[int, int]]] = [[] for _ in self.nodes]
        for node, above in enumerate(self.above):
            for parent, cost in above.items():
                below[parent].append((node, cost))
        while True:
            best, change = 0, None
            for node in range(len(self.nodes)):
                if node in least:
                    continue
                saved = sum(
                    least[child] - cost
                    for child, cost in below[node]
                    if child in least and cost < least[child]
                )
                gain = saved - self._least(node, least) if saved else 0
                if gain > best:
                    best, change = gain, node
            for node in chosen:
                rest = [other for other in least if other != node]
                gain = least[node] + sum(
                    least[child] - self._least(child, rest) for child, _ in below[node] if child in least
                )
                if gain > best:
                    best, change = gain, node
            if change is None:
                return frozenset(chosen)
            chosen ^= {change}
            present = self.asked | chosen
            least = {node: self._least(node, present) for node in present}

    def bound(self) -> int:
        """No graph costs less: each window asked for takes its cheapest edge, and one window comes from the stream."""
        return self._floor() + self._root()

    def _floor(self) -> int:
        return sum(self._least(node, self.above[node]) for node in self.asked)

    def _root(self) -> int:
        """The least that one edge of the stream adds: a factor window, or a window asked for that gives up a cheaper one."""
        return min(
            cost - (self._least(node, self.above[node]) if node in self.asked else 0)
            for node, cost in enumerate(self.stream)
        )

    def promising(self, limit: int) -> list[int]:
        """The nodes that a graph cheaper than `limit` may have: with any other it costs that much already."""
        floor, root = self._floor(), self._root()
        return [
            node
            for node, cost in enumerate(self.stream)
            if node in self.asked or floor + min(cost, self._from_above(node) + root) < limit
        ]

    def _from_above(self, node: int) -> int:
        """The least that a node costs if it does not read the stream."""
        return (
            min(self.above[node].values(), default=self.stream[node]) if self.linked else self.weights[node]
        )

    def undominated(self) -> list[int]:
        """The nodes but those that one of the same range and a larger slide can replace, above all that they are above.

        The other has fewer instances, each of which costs the same, and of which fewer are read. Whatever is above the one
        is above the other: its instances are some of the one's.
        """
        below = [0] * len(self.nodes)  # sets of nodes as bits: this is asked of many pairs
        for node, parents in enumerate(self.above):
            for parent in parents:
                below[parent] |= 1 << node
        same_range: dict[int, list[int]] = {}
        for node, window in enumerate(self.nodes):
            same_range.setdefault(window.range, []).append(node)
        gone = 0
        for group in same_range.values():
            for node in group:
                if node in self.asked:
                    continue
                wider = [other for other in group if (below[node] & ~gone) >> other & 1]
                if any(not below[node] & ~(gone | below[other] | 1 << other) for other in wider):
                    gone |= 1 << node
        return [node for node in range(len(self.nodes)) if not gone >> node & 1]

    def restricted(self, kept: Iterable[int]) -> Network:
        """The network without all other nodes but those asked for."""
        keep = sorted(self.asked.union(kept))
        place = {node: position for position, node in enumerate(keep)}
        return Network(
            [self.nodes[node] for node in keep],
            frozenset(place[node] for node in self.asked),
            [self.weights[node] for node in keep],
            [self.stream[node] for node in keep],
            [{place[p]: cost for p, cost in self.above[node].items() if p in place} for node in keep],
            self.scale,
            self.linked,
        )


def _weights(nodes: Sequence[Window], windows: Sequence[Window], minimize: str) -> tuple[list[int], int]:
    """How often each window recurs, as whole numbers, and what these are multiples of."""
    if minimize == "cost":
        period = period_of(windows)
        return [int(recurrences(window, period)) for window in nodes], 1
    scale = math.lcm(*(window.slide for window in windows))
    return [scale // window.slide for window in nodes], scale
