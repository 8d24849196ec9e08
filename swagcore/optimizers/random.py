"""Random: merge random trees as long as that pays. C §2.4, after Guirguis et al. (CIKM 2011)."""

from __future__ import annotations

from swagcore.optimizers.bunches import Loom
from swagcore.optimizers.problem import Problem
from swagcore.plan import Plan


def random(problem: Problem) -> Plan:
    """Start without sharing, merge two trees picked at random, and stop at the first pair that saves nothing. O(n) counts.

    >>> from swagcore.optimizers import optimize
    >>> from swagcore.windows import Query, Window
    >>> queries = [Query(name, "max", Window(6, 2)) for name in "abc"]
    >>> len(optimize(queries, optimizer="random", seed=1).trees)
    1
    """
    loom = Loom(problem.model, problem.queries)
    bunches = [loom.bunch([position]) for position in range(len(problem.queries))]
    while len(bunches) > 1:
        one, other = problem.random.sample(range(len(bunches)), 2)
        both = loom.joined(bunches[one], bunches[other])
        if loom.saving(bunches[one], bunches[other], both) <= 0:
            break
        bunches[one] = both
        del bunches[other]
    return problem.of_bunches(bunches, "random")
