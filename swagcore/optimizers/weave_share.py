"""Weave Share: merge the two trees that save most, until no two save anything. C §2.4, S §2.4.2."""

from __future__ import annotations

from swagcore.optimizers.bunches import Loom
from swagcore.optimizers.problem import Problem
from swagcore.optimizers.weaving import weave
from swagcore.plan import Plan


def weave_share(problem: Problem) -> Plan:
    """The greedy plan of C §2.4, exactly: the best pair of all is merged at every step.

    Which queries are together from the start is said at `Loom.units`, how the best pair is found without looking at all
    at `swagcore.optimizers.weaving`. Of pairs that save the same the one whose first tree has the earliest query is
    merged, then the one whose second has. C gives O(n^2) for all of it, which the textbook's loop is not: that
    costs O(n^2) pairs before each of up to n - 1 merges.

    >>> from swagcore.optimizers import optimize
    >>> from swagcore.windows import Query, Window
    >>> queries = [Query("a", "max", Window(6, 6)), Query("b", "max", Window(5, 5)), Query("c", "max", Window(9, 3))]
    >>> [tree.names for tree in optimize(queries, rate=0.3).trees]
    [['a', 'c'], ['b']]
    """
    loom = Loom(problem.model, problem.queries)
    return problem.of_bunches(weave(loom, loom.units()), "weave_share")
