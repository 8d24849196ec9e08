"""Query pairing: the cheapest plan whose trees have at most two queries. C appendix."""

from __future__ import annotations

import math
from itertools import combinations

from swagcore.errors import SwagError
from swagcore.optimizers.bunches import Bunch, Loom
from swagcore.optimizers.problem import Problem
from swagcore.plan import Plan


def pairing(problem: Problem) -> Plan:
    """A maximum weight matching in the graph of queries, an edge's weight what its two queries save as one tree.

    Exact: the weights are scaled to integers. O(n^2) counts and a matching in O(n^3). Needs networkx.

    >>> from swagcore.optimizers import optimize
    >>> from swagcore.windows import Query, Window
    >>> queries = [Query(name, "max", Window(slide, slide)) for name, slide in [("a", 6), ("b", 4), ("c", 3), ("d", 2)]]
    >>> sorted(tree.names for tree in optimize(queries, rate=1, optimizer="pairing").trees)
    [['a', 'c'], ['b', 'd']]
    """
    try:
        import networkx
    except ImportError:
        raise SwagError(
            "optimizer 'pairing' needs networkx, which is not installed; install it, or choose another optimizer"
        ) from None
    loom = Loom(problem.model, problem.queries)
    alone = [loom.bunch([position]) for position in range(len(problem.queries))]
    pairs: dict[tuple[int, int], Bunch] = {}
    savings = {}
    for one, other in combinations(range(len(alone)), 2):
        both = loom.joined(alone[one], alone[other])
        saving = loom.saving(alone[one], alone[other], both)
        if saving > 0:
            pairs[one, other], savings[one, other] = both, saving
    scale = math.lcm(*(saving.denominator for saving in savings.values()))
    graph = networkx.Graph()
    graph.add_weighted_edges_from((*pair, int(saving * scale)) for pair, saving in savings.items())
    matched = {(min(pair), max(pair)) for pair in networkx.max_weight_matching(graph)}
    taken = {position for pair in matched for position in pair}
    bunches = [pairs[pair] for pair in matched]
    bunches += [bunch for position, bunch in enumerate(alone) if position not in taken]
    return problem.of_bunches(bunches, "pairing")
