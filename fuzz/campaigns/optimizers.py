"""Optimizers on random queries: a partition, at the cost it says, none cheaper than the cheapest.

The oracle knows nothing of how edges are counted: it writes down the edges of a period, one by one, and counts them. Omega is
that of `swagcore.cost`. The best plans are found by looking at all partitions.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from fuzz.campaigns import draws
from fuzz.campaigns.frame import Campaign, Case, without_one
from swagcore import Query, Window, optimize
from swagcore.cost import OMEGAS, TECHNIQUES, CostModel
from swagcore.optimizers import Plan, optimizers
from swagcore.plan import partition_error
from swagcore.testing import Mismatch

Groups = list[list[int]]
NO_WORSE_THAN_APART = (
    "random",
    "local_search",
    "insert_then_weave",
    "weave_share",
    "pairing",
    "contiguous",
    "exhaustive",
)
"""They merge only what saves, so that on one node none of them costs more than no sharing at all."""


def draw(chance: random.Random) -> Case:
    """Few queries of small slides, so that all partitions can be looked at, and how they are costed."""
    largest = chance.choice((3, 6, 10))
    windows = []
    for _ in range(chance.randint(1, 5)):
        slide = chance.randint(1, largest)
        windows.append([chance.randint(1, 4 * largest), slide, chance.randrange(slide)])
    return {
        "windows": windows,
        "rate": [chance.randint(1, 40), chance.choice((1, 10))],
        "technique": chance.choice(TECHNIQUES),
        "slicing": chance.choice(draws.SLICINGS),
        "omega": chance.choice(OMEGAS),
        "nodes": chance.choice((1, 1, 2, 3, 7)),
        "seed": chance.randrange(100),
        "optimizers": chance.sample(optimizers(), 4),
    }


class Oracle:
    """What trees cost, their edges counted one by one."""

    def __init__(self, case: Case, queries: list[Query]) -> None:
        self.queries = queries
        self.model = CostModel(Fraction(*case["rate"]), case["technique"], case["slicing"], case["omega"])
        self.period = math.lcm(*(query.window.slide for query in queries))

    def edge_rate(self, members: list[int]) -> Fraction:
        """Edges a time unit."""
        classes = {edge for m in members for edge in self.queries[m].window.edges(self.model.slicing)}
        period = math.lcm(self.period, *(modulus for _, modulus in classes))
        edges = {time for residue, modulus in classes for time in range(residue % modulus, period, modulus)}
        return Fraction(len(edges), period)

    def final(self, members: list[int]) -> Fraction:
        """Final aggregations a time unit."""
        rate = self.edge_rate(members)
        return rate * self.model.omega_of([self.queries[m].window for m in members], rate)

    def cost(self, groups: Groups) -> Fraction:
        """What the trees cost together, each with a sub-aggregation of its own."""
        return sum((self.model.rate + self.final(members) for members in groups), Fraction(0))

    def fed(self, groups: Groups) -> Fraction:
        """What the trees of one node cost that share a sub-aggregation, as TriWeave's do."""
        everything = self.edge_rate([m for members in groups for m in members])
        own = sum((everything - self.edge_rate(g) + self.final(g) for g in groups), Fraction(0))
        return self.model.rate + own


def partitions(items: list[int]) -> Iterator[Groups]:
    """All partitions.

    >>> [len(list(partitions(list(range(n))))) for n in range(5)]
    [1, 1, 2, 5, 15]
    """
    if not items:
        yield []
        return
    for others in partitions(items[1:]):
        yield [[items[0]], *others]
        for place, group in enumerate(others):
            yield [*others[:place], [items[0], *group], *others[place + 1 :]]


def check(case: Case) -> int:
    """How many plans were judged."""
    queries = [Query(f"q{number}", "max", Window(*sizes)) for number, sizes in enumerate(case["windows"])]
    oracle = Oracle(case, queries)
    model = oracle.model

    def planned(name: str, nodes: int) -> Plan:
        return optimize(
            queries, model.rate, name, model.technique, model.slicing, nodes, case["seed"], model.omega
        )

    for name in case["optimizers"]:
        plan = planned(name, case["nodes"])
        if wrong := partition_error(plan, queries):
            raise Mismatch(f"{name}: {wrong}")
        nodes = [[[int(one[1:]) for one in tree.names] for tree in trees] for trees in plan.by_node]
        right = [
            (oracle.fed if name == "tri_weave" else oracle.cost)(groups) if groups else Fraction(0)
            for groups in nodes
        ]
        if plan.costs != right or plan.cost != sum(right) or plan.max_node_cost != max(right):
            raise Mismatch(f"{name}: its nodes cost {plan.costs}, counted {right}")
        if plan != planned(name, case["nodes"]):
            raise Mismatch(f"{name}: another plan for the same seed")
    named = {*case["optimizers"], *NO_WORSE_THAN_APART, "no_share", "shared"} - {"tri_weave"}
    _best(oracle, {name: planned(name, 1).cost for name in sorted(named)})
    return len(case["optimizers"]) + len(named)


def _best(oracle: Oracle, costs: dict[str, Fraction]) -> None:
    """On one node: the exact ones are the best of their kind, and nobody is better than the best."""
    everything = list(range(len(oracle.queries)))
    tree = cache(lambda members: oracle.cost([list(members)]))
    found = [
        (groups, sum((tree(tuple(members)) for members in groups), Fraction(0)))
        for groups in partitions(everything)
    ]
    least = {
        "exhaustive": min(cost for _, cost in found),
        "pairing": min(cost for groups, cost in found if max(map(len, groups)) <= 2),
        "contiguous": min(
            cost for groups, cost in found if all(max(g) - min(g) == len(g) - 1 for g in groups)
        ),
        "no_share": oracle.cost([[m] for m in everything]),
        "shared": oracle.cost([everything]),
    }
    for name, right in least.items():
        if costs[name] != right:
            raise Mismatch(f"{name}: its plan costs {costs[name]}, the best of its kind {right}")
    for name, one in costs.items():
        if one < least["exhaustive"] or (name in NO_WORSE_THAN_APART and one > least["no_share"]):
            raise Mismatch(
                f"{name}: its plan costs {one}, the best {least['exhaustive']}, apart {least['no_share']}"
            )


def smaller(case: Case) -> Iterator[Case]:
    """Fewer queries, optimizers and nodes, smaller windows."""
    for fewer in without_one(case["windows"]):
        if fewer:
            yield {**case, "windows": fewer}
    for fewer in without_one(case["optimizers"]):
        yield {**case, "optimizers": fewer}
    if case["nodes"] > 1:
        yield {**case, "nodes": 1}
    if case["rate"] != [1, 1]:
        yield {**case, "rate": [1, 1]}
    for place, (range_, slide, offset) in enumerate(case["windows"]):
        for window in ([range_ // 2, slide, offset], [range_, slide // 2, offset], [range_, slide, 0]):
            if min(window[:2]) >= 1 and window != [range_, slide, offset]:
                yield {
                    **case,
                    "windows": [*case["windows"][:place], window, *case["windows"][place + 1 :]],
                }


CAMPAIGN = Campaign("optimizers", draw, check, smaller)
