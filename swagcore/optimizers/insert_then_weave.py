"""Insert-then-Weave: queries join one by one where they cost least. C §2.4, after Guirguis et al. (CIKM 2011); S §6.5.3."""

from __future__ import annotations

from swagcore.optimizers.bunches import Bunch, Loom
from swagcore.optimizers.problem import Problem
from swagcore.optimizers.progress import progress
from swagcore.plan import Plan


def insert_then_weave(problem: Problem) -> Plan:
    """Each query, in the order given, goes into the tree that grows least in cost by it, or into one of its own.

    Of equal trees the first, and a tree that is there rather than a new one. O(n * trees) counts of edges.

    >>> from swagcore.optimizers import optimize
    >>> from swagcore.windows import Query, Window
    >>> queries = [Query("a", "max", Window(6, 6)), Query("b", "max", Window(5, 5)), Query("c", "max", Window(9, 3))]
    >>> [tree.names for tree in optimize(queries, rate=0.25, optimizer="insert_then_weave").trees]
    [['a', 'c'], ['b']]
    """
    loom = Loom(problem.model, problem.queries)
    bunches: list[Bunch] = []
    with progress("inserting", len(problem.queries)) as say:
        for position in range(len(problem.queries)):
            say(position)
            query = loom.bunch([position])
            joined = [loom.joined(bunch, query) for bunch in bunches]
            growth = [loom.cost(both) - loom.cost(bunch) for both, bunch in zip(joined, bunches, strict=True)]
            best = min(range(len(bunches)), key=growth.__getitem__, default=None)
            if best is None or growth[best] > loom.cost(query):
                bunches.append(query)
            else:
                bunches[best] = joined[best]
    return problem.of_bunches(bunches, "insert_then_weave")
