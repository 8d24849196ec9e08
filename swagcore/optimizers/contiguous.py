"""Contiguous sharing: the cheapest plan whose trees are runs of queries in the order given. C appendix."""

from __future__ import annotations

from fractions import Fraction

from swagcore.optimizers.bunches import Bunch, Loom
from swagcore.optimizers.problem import Problem
from swagcore.optimizers.progress import progress
from swagcore.plan import Plan


def contiguous(problem: Problem) -> Plan:
    """Dynamic programming from right to left: the first tree ends somewhere, and the rest is planned already.

    O(n^2) counts of edges. Of equal plans the one whose first tree is shortest. When the first query leaves, the plan of
    the others is known: it is what the recursion has for the second one.

    >>> from swagcore.optimizers import optimize
    >>> from swagcore.windows import Query, Window
    >>> queries = [Query(name, "max", Window(slide, slide)) for name, slide in [("a", 6), ("b", 3), ("c", 5)]]
    >>> [tree.names for tree in optimize(queries, rate=0.3, optimizer="contiguous").trees]
    [['a', 'b'], ['c']]
    """
    loom = Loom(problem.model, problem.queries)
    size = len(problem.queries)
    alone = [loom.bunch([position]) for position in range(size)]
    least: list[Fraction] = [Fraction(0)] * (size + 1)
    first: list[Bunch | None] = [None] * size
    ends = [size] * size
    with progress("cutting the sequence", size) as say:
        for begin in reversed(range(size)):
            say(size - begin)
            run = alone[begin]
            least[begin], first[begin], ends[begin] = loom.cost(run) + least[begin + 1], run, begin + 1
            for end in range(begin + 2, size + 1):
                run = loom.joined(run, alone[end - 1])
                cost = loom.cost(run) + least[end]
                if cost < least[begin]:
                    least[begin], first[begin], ends[begin] = cost, run, end
    bunches, begin = [], 0
    while begin < size:
        chosen = first[begin]
        assert chosen is not None
        bunches.append(chosen)
        begin = ends[begin]
    return problem.of_bunches(bunches, "contiguous")
