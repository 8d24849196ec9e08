"""The cheapest tree that reaches some nodes: Dreyfus and Wagner's recursion, on a network without cycles.

For each node, children first, and each set of terminals below it: the least cost of a tree that reaches them from this
node. Such a tree begins with one edge, or is two trees for two parts of the set. With k terminals below it a node takes
3**k / 2 steps, so `work` says what a network takes before it is begun. (S. Dreyfus, R. Wagner: The Steiner problem in
graphs, 1971; here with directions, and a terminal may stand above others.)
"""

from __future__ import annotations

from swagcore.coverage.network import Network


def work(network: Network) -> int:
    """How many steps `steiner` takes, about.

    >>> from swagcore.windows import Window
    >>> work(Network.of([Window(4, 4)], [Window(2, 2)], "partitioned by", 1, "cost"))
    11
    """
    reach = reached(network)
    sizes: list[int] = [mask.bit_count() for mask in reach]
    edges = sum(2 ** sizes[node] for node, above in enumerate(network.above) for _ in above)
    sets = sum(int(3**size) // 2 + int(2**size) for size in [*sizes, len(network.asked)])
    return int(edges + sets)


def reached(network: Network) -> list[int]:
    """The windows asked for at or below each node, as bits in the order of the nodes."""
    reach = [0] * len(network.nodes)
    for bit, node in enumerate(sorted(network.asked)):
        reach[node] |= 1 << bit
    for node in reversed(range(len(reach))):
        for parent in network.above[node]:
            reach[parent] |= reach[node]
    return reach


def steiner(network: Network) -> frozenset[int]:
    """The factor windows of a cheapest graph.

    >>> from swagcore.windows import Window
    >>> network = Network.of([Window(4, 4), Window(6, 6)], [Window(1, 1), Window(2, 2)], "partitioned by", 9, "cost")
    >>> [network.nodes[node] for node in steiner(network)]
    [Window(range=2, slide=2)]
    """
    terminals = sorted(network.asked)
    own = {node: 1 << bit for bit, node in enumerate(terminals)}
    reach = reached(network)
    below: list[list[tuple[int, int]]] = [[] for _ in reach]
    for node, above in enumerate(network.above):
        for parent, cost in above.items():
            if reach[node]:
                below[parent].append((node, cost))
    trees: dict[int, _Trees] = {}
    for node in reversed(range(len(reach))):
        if reach[node]:
            trees[node] = _Trees(below[node], reach[node] & ~own.get(node, 0), own, reach, trees)
    root = [(node, network.stream[node]) for node in range(len(reach)) if reach[node]]
    everything = (1 << len(terminals)) - 1
    found: set[int] = set()
    _Trees(root, everything, own, reach, trees).collect(everything, trees, own, found)
    return frozenset(found - network.asked)


class _Trees:
    """Of one node: for each set of terminals below it, the cheapest tree and how it begins."""

    def __init__(
        self,
        edges: list[tuple[int, int]],
        everything: int,
        own: dict[int, int],
        reach: list[int],
        trees: dict[int, _Trees],
    ) -> None:
        first: dict[int, int] = {}  # the cheapest tree that begins with one edge
        self.edge: dict[int, int] = {}
        for node, cost in edges:
            bit, known = own.get(node, 0), trees[node].cost
            rest = reach[node] & ~bit
            part = rest
            while True:  # every subset of what is below that edge
                terminals, total = part | bit, cost + known[part]
                if terminals and (terminals not in first or total < first[terminals]):
                    first[terminals], self.edge[terminals] = total, node
                if not part:
                    break
                part = (part - 1) & rest
        never = 1 + sum(first.values())  # more than any tree, however large the costs are
        self.cost: dict[int, int] = {0: 0}
        self.split: dict[int, int] = {}
        for terminals in sorted(_subsets(everything)):  # a subset is a smaller number
            best, split = first.get(terminals, never), 0
            lowest = terminals & -terminals
            others = part = terminals ^ lowest
            while part:  # two trees: one has the lowest terminal, the other has `part`
                total = first.get(terminals ^ part, never) + self.cost[part]
                if total < best:
                    best, split = total, part
                part = (part - 1) & others
            self.cost[terminals] = best
            if split:
                self.split[terminals] = split

    def collect(self, terminals: int, trees: dict[int, _Trees], own: dict[int, int], found: set[int]) -> None:
        """Add the nodes of the cheapest tree for a set."""
        while terminals:
            split = self.split.get(terminals, 0)
            node = self.edge[terminals ^ split]
            found.add(node)
            trees[node].collect((terminals ^ split) & ~own.get(node, 0), trees, own, found)
            terminals = split


def _subsets(mask: int) -> list[int]:
    found, part = [], mask
    while part:
        found.append(part)
        part = (part - 1) & mask
    return found
