"""Plans for several nodes: the thirteen optimizers of S Table 7.

Three ways to put a query on a node: *group* (G: a tree of its own), *weave* (W: into the one tree of the node), or both
(WG: whichever is better, or drawn). Five ways to choose the node: at random (RAND), in turn (RR), the one that
costs least so far (TL), as Weave Share goes on merging (TN), by trying all (I). Equal costs: the first node, the first
tree. Every query is planned once, whether there are more nodes than queries or fewer.

The pseudocode of S §6.5 loses or repeats queries; this is what the text around it means:

- Algorithm 4 goes through t_0 .. t_T, T = Q - N, which are the trees that were placed before, and one too many; the
  trees that remain are meant. With more nodes than queries, T is negative.
- Algorithm 5 merges while anything is saved, down to one tree; the text of W_TN and WG_TN stops at one tree a node. Here it
  is as in the algorithm: less total cost, never more. Its inner loop also weaves a tree with itself (i = j).
- Algorithm 6 sets the best weave cost to infinity once, not for each query: once the costs have grown, nothing is below it,
  and the query of an earlier round is woven again in place of the present one. It also weaves within the loops over nodes
  and trees, once for each. Both happen here once a query, after the loops.
- WG_I: Algorithm 6 compares the new cost of the node that the query would be grouped to with the new cost of the node where it
  would be woven; the text compares what they add to the total. Here it is as in the algorithm.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from swagcore.errors import InvalidArgument
from swagcore.optimizers.bunches import Bunch, Loom
from swagcore.optimizers.problem import Problem
from swagcore.optimizers.weaving import weave
from swagcore.plan import Plan

MOST_TRIALS = 5_000_000
"""W_TN, W_I and WG_I try pairs of trees; where there may be more of them than that, they refuse."""


def _refuse_many(optimizer: str, trials: int) -> None:
    if trials > MOST_TRIALS:
        raise InvalidArgument(
            "optimizer",
            optimizer,
            f"one that tries fewer pairs of trees than {trials}, such as 'wg_tn': at most {MOST_TRIALS} are tried",
        )


class Nodes:
    """Bunches on nodes, and what each node costs so far; only as many nodes as there are queries are ever used."""

    def __init__(self, problem: Problem, optimizer: str) -> None:
        self.problem = problem
        self.optimizer = optimizer
        self.loom = Loom(problem.model, problem.queries)
        self.singles = [self.loom.bunch([position]) for position in range(len(problem.queries))]
        self.bunches: list[list[Bunch]] = [[] for _ in range(min(problem.nodes, max(1, len(self.singles))))]
        self.costs = [Fraction(0)] * len(self.bunches)
        self._cheapest = [(Fraction(0), node) for node in range(len(self.bunches))]

    def group(self, bunch: Bunch, node: int) -> None:
        """Put a bunch on a node as a tree of its own."""
        self.bunches[node].append(bunch)
        self._costs_now(node, self.costs[node] + self.loom.cost(bunch))

    def weave(self, node: int, place: int, both: Bunch) -> None:
        """Let a joined bunch take the place of the one that it was woven into."""
        woven = self.bunches[node][place]
        self.bunches[node][place] = both
        self._costs_now(node, self.woven_cost(node, woven, both))

    def woven_cost(self, node: int, woven: Bunch, both: Bunch) -> Fraction:
        """What the node would cost with a joined bunch in place of another."""
        return self.costs[node] - self.loom.cost(woven) + self.loom.cost(both)

    def _costs_now(self, node: int, cost: Fraction) -> None:
        self.costs[node] = cost
        heapq.heappush(self._cheapest, (cost, node))

    def cheapest(self) -> int:
        """The node that costs least so far, of equal ones the first. O(log nodes) amortized."""
        while self._cheapest[0][0] != self.costs[self._cheapest[0][1]]:
            heapq.heappop(self._cheapest)
        return self._cheapest[0][1]

    def by_cost(self) -> list[Bunch]:
        """The queries, each on its own, the most expensive first."""
        return sorted(self.singles, key=lambda bunch: -self.loom.cost(bunch))

    def plan(self) -> Plan:
        """The plan of what is on the nodes now."""
        queries, model = self.problem.queries, self.problem.model
        trees = [
            model.tree((queries[member] for member in bunch.members), node=node)
            for node, bunches in enumerate(self.bunches)
            for bunch in bunches
        ]
        return self.problem.plan(trees, self.optimizer)


# Random and round robin: no cost is looked at


Choice = Callable[[int], int]
"""A way to choose one of 0 .. n - 1, given n."""


class _InTurn:
    """The numbers below n in turn, whatever n is each time."""

    def __init__(self) -> None:
        self.asked = -1

    def __call__(self, n: int) -> int:
        self.asked += 1
        return self.asked % n


def _without_cost(
    problem: Problem, optimizer: str, node_of: Choice, tree_of: Callable[[], Choice] | None
) -> Plan:
    """Each query to a node; `tree_of` makes, for a node, the choice between a new tree and each one it has.

    Without it, queries are gathered, and each node's are one tree: nothing is woven step by step that nobody asks about.
    """
    nodes = Nodes(problem, optimizer)
    if tree_of is None:
        gathered: list[list[int]] = [[] for _ in nodes.bunches]
        for position in range(len(nodes.singles)):
            gathered[node_of(len(gathered))].append(position)
        for node, members in enumerate(gathered):
            if members:
                nodes.group(nodes.loom.bunch(members), node)
        return nodes.plan()
    choices = [tree_of() for _ in nodes.bunches]
    for single in nodes.singles:
        node = node_of(len(nodes.bunches))
        place = choices[node](len(nodes.bunches[node]) + 1) - 1
        if place < 0:
            nodes.group(single, node)
        else:
            nodes.weave(node, place, nodes.loom.joined(nodes.bunches[node][place], single))
    return nodes.plan()


def _new_tree(_: int) -> int:
    return 0


def g_rand(problem: Problem) -> Plan:
    """Each query, as a tree of its own, to a node drawn at random. S §6.4."""
    return _without_cost(problem, "g_rand", problem.random.randrange, lambda: _new_tree)


def w_rand(problem: Problem) -> Plan:
    """Each query into the one tree of a node drawn at random. S §6.4."""
    return _without_cost(problem, "w_rand", problem.random.randrange, None)


def wg_rand(problem: Problem) -> Plan:
    """Each query to a node drawn at random, as a new tree or into one of the node's, drawn with equal chances. S §6.4."""
    return _without_cost(problem, "wg_rand", problem.random.randrange, lambda: problem.random.randrange)


def g_rr(problem: Problem) -> Plan:
    """The queries to the nodes in turn, each as a tree of its own. S §6.4."""
    return _without_cost(problem, "g_rr", _InTurn(), lambda: _new_tree)


def w_rr(problem: Problem) -> Plan:
    """The queries to the nodes in turn, each node's in one tree. S §6.4."""
    return _without_cost(problem, "w_rr", _InTurn(), None)


def wg_rr(problem: Problem) -> Plan:
    """The queries to the nodes in turn; at a node a new tree and the trees there are take their turns. S §6.4."""
    return _without_cost(problem, "wg_rr", _InTurn(), _InTurn)


# To lowest: from the most expensive query on, to the node that costs least so far


def g_tl(problem: Problem) -> Plan:
    """Each query a tree of its own. S §6.5.1, Algorithm 4, GroupOnly. O(n log n).

    >>> from swagcore.optimizers import optimize
    >>> from swagcore.windows import Query, Window
    >>> queries = [Query(f"q{slide}", "max", Window(6 * slide, slide)) for slide in (1, 2, 3, 4)]
    >>> [[tree.names for tree in trees] for trees in optimize(queries, optimizer="g_tl", nodes=2).by_node]
    [[['q1'], ['q4']], [['q2'], ['q3']]]
    """
    nodes = Nodes(problem, "g_tl")
    for single in nodes.by_cost():
        nodes.group(single, nodes.cheapest())
    return nodes.plan()


def w_tl(problem: Problem) -> Plan:
    """Each query into the one tree of the node. S §6.5.1, Algorithm 4, WeaveOnly."""
    nodes = Nodes(problem, "w_tl")
    for single in nodes.by_cost():
        node = nodes.cheapest()
        if nodes.bunches[node]:
            nodes.weave(node, 0, nodes.loom.joined(nodes.bunches[node][0], single))
        else:
            nodes.group(single, node)
    return nodes.plan()


def wg_tl(problem: Problem) -> Plan:
    """Each query into the cheapest tree of the node or beside it, whichever costs less; woven where equal. S §6.5.1."""
    nodes = Nodes(problem, "wg_tl")
    loom = nodes.loom
    for single in nodes.by_cost():
        node = nodes.cheapest()
        trees = nodes.bunches[node]
        if not trees:
            nodes.group(single, node)
            continue
        place = min(range(len(trees)), key=lambda place: loom.cost(trees[place]))
        both = loom.joined(trees[place], single)
        if nodes.costs[node] + loom.cost(single) < nodes.woven_cost(node, trees[place], both):
            nodes.group(single, node)
        else:
            nodes.weave(node, place, both)
    return nodes.plan()


# To nodes: Weave Share, then on to the number of nodes


def w_tn(problem: Problem) -> Plan:
    """Weave Share, then the merges that cost least until there is one tree a node. S §6.5.2, Algorithm 5, WeaveOnly.

    The merges beyond Weave Share look at all pairs of its trees once, and at those of a merged tree after each.
    """
    nodes = Nodes(problem, "w_tn")
    loom = nodes.loom
    bunches: list[Bunch | None] = [*weave(loom, loom.units())]
    left = len(bunches)
    if left > problem.nodes:
        _refuse_many("w_tn", left * (left - 1))
    pairs = [
        (-loom.saving(one, other, both), i, j, 0, 0, both)
        for j, other in enumerate(bunches)
        for i, one in enumerate(bunches[:j])
        if left > problem.nodes and one and other and (both := loom.joined(one, other))
    ]
    heapq.heapify(pairs)
    age = [0] * len(bunches)
    while left > problem.nodes:
        _, i, j, born_i, born_j, both = heapq.heappop(pairs)
        if not bunches[i] or not bunches[j] or (age[i], age[j]) != (born_i, born_j):
            continue
        bunches[i], bunches[j] = both, None
        age[i] += 1
        left -= 1
        for k, other in enumerate(bunches):
            if other and k != i:
                low, high = min(i, k), max(i, k)
                joined = loom.joined(both, other)
                heapq.heappush(
                    pairs, (-loom.saving(both, other, joined), low, high, age[low], age[high], joined)
                )
    for node, bunch in enumerate(bunch for bunch in bunches if bunch):
        nodes.group(bunch, node)
    return nodes.plan()


def wg_tn(problem: Problem) -> Plan:
    """Weave Share, its trees from the most expensive on to the node that costs least so far. S §6.5.2, WeaveAndGroup."""
    loom = Loom(problem.model, problem.queries)
    woven = weave(loom, loom.units())
    trees = [problem.model.tree(problem.queries[member] for member in bunch.members) for bunch in woven]
    placed = problem.place(trees, "wg_tn")
    return replace(placed, trees=tuple(sorted(placed.trees, key=lambda tree: tree.node)))


# Inserted: one query after the other, where it costs least


class Spot(NamedTuple):
    """Where a query could be woven: what its node would cost then, and which bunch it would be part of."""

    cost: Fraction
    node: int
    place: int
    both: Bunch


def _inserted(problem: Problem, optimizer: str, grouping: bool) -> Plan:
    nodes = Nodes(problem, optimizer)
    order = nodes.singles
    _refuse_many(optimizer, len(order) * (len(order) // 2 if grouping else len(nodes.bunches)))
    first = set(problem.random.sample(range(len(order)), min(len(order), len(nodes.bunches))))
    for node, position in enumerate(sorted(first)):
        nodes.group(order[position], node)
    for position, single in enumerate(order):
        if position in first:
            continue
        spot = min(_spots(nodes, single), key=lambda spot: spot[:3])
        node = nodes.cheapest()
        if grouping and nodes.costs[node] + nodes.loom.cost(single) < spot.cost:
            nodes.group(single, node)
        else:
            nodes.weave(spot.node, spot.place, spot.both)
    return nodes.plan()


def _spots(nodes: Nodes, single: Bunch) -> list[Spot]:
    """All spots where a query could be woven."""
    spots = []
    for node, bunches in enumerate(nodes.bunches):
        for place, bunch in enumerate(bunches):
            both = nodes.loom.joined(bunch, single)
            spots.append(Spot(nodes.woven_cost(node, bunch, both), node, place, both))
    return spots


def w_i(problem: Problem) -> Plan:
    """One query, drawn at random, a node; each other one into the tree whose node then costs least. S §6.5.3."""
    return _inserted(problem, "w_i", grouping=False)


def wg_i(problem: Problem) -> Plan:
    """As `w_i`, or as a new tree on the node that costs least so far, where that node then costs less. S §6.5.3."""
    return _inserted(problem, "wg_i", grouping=True)
