"""Local Search: from a random partition, move single queries while that pays. C §2.4, after Guirguis et al. (CIKM 2011)."""

from __future__ import annotations

from swagcore.optimizers.bunches import Bunch, Loom
from swagcore.optimizers.problem import Problem
from swagcore.optimizers.progress import progress
from swagcore.plan import Plan


def local_search(problem: Problem) -> Plan:
    """Every query starts in a random one of n trees, then moves to the tree, or a new one, where the plan costs least.

    Rounds over all queries go on until one changes nothing; every move lowers the cost, so that comes. The plan cannot be
    made cheaper by moving one query. O(rounds * n * trees) counts of edges.

    >>> from swagcore.optimizers import optimize
    >>> from swagcore.windows import Query, Window
    >>> queries = [Query("a", "max", Window(6, 6)), Query("b", "max", Window(5, 5)), Query("c", "max", Window(9, 3))]
    >>> [tree.names for tree in optimize(queries, rate=0.3, optimizer="local_search").trees]
    [['a', 'c'], ['b']]
    """
    loom = Loom(problem.model, problem.queries)
    size = len(problem.queries)
    homes = [problem.random.randrange(size) for _ in range(size)]
    trees: dict[int, Bunch] = {
        home: loom.bunch(position for position in range(size) if homes[position] == home)
        for home in set(homes)
    }
    alone = [loom.bunch([position]) for position in range(size)]
    moved = True
    with progress("moving queries", size) as say:
        while moved:
            moved = False
            for position in range(size):
                say(position)
                home = homes[position]
                without = [member for member in trees[home].members if member != position]
                left = loom.bunch(without) if without else None
                gained = loom.cost(trees[home]) - (loom.cost(left) if left else 0)
                # Where it could go, and by how much that tree would grow: a new tree is one that has no number yet.
                options = {
                    other: loom.joined(tree, alone[position])
                    for other, tree in trees.items()
                    if other != home
                }
                growth = {other: loom.cost(both) - loom.cost(trees[other]) for other, both in options.items()}
                if left:
                    new = next(number for number in range(size) if number not in trees)
                    options[new], growth[new] = alone[position], loom.cost(alone[position])
                best = min(growth, key=lambda other: (growth[other], other), default=None)
                if best is not None and growth[best] < gained:
                    moved = True
                    homes[position], trees[best] = best, options[best]
                    if left:
                        trees[home] = left
                    else:
                        del trees[home]
    return problem.of_bunches(trees.values(), "local_search")
