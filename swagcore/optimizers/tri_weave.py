"""TriWeave: Weave Share over partials that are made once for all trees. S §2.4.2, after Guirguis et al. (ICDE 2012)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from swagcore.optimizers.bunches import Loom
from swagcore.optimizers.problem import Problem
from swagcore.optimizers.weaving import weave
from swagcore.plan import Plan, Tree


def tri_weave(problem: Problem) -> Plan:
    """Greedy merging, where the events are aggregated once, along the edges of all queries together.

    What it costs, from first principles, for S gives no formula. Let E be the edge rate of all queries together.

    - Once: lambda, one operation an event, makes E partials a time unit.
    - Each tree i has its edges among those. It joins the partials between two of them: E partials become E_i, and k
      partials become one by k - 1 combines, so that is E - E_i operations.
    - Each tree makes its answers as in Weave Share: E_i * Omega_i.

    C = lambda + sum of (E - E_i + E_i * Omega_i). With m trees that is less than with Weave Share's m * lambda as far as
    the E - E_i are less than lambda; one tree costs the same. Of partials it counts all, as the other formulas do,
    also those without events; where events are fewer than edges, it overstates.

    The trees on a node of several share the partials of that node: there E is the edge rate of its queries.

    >>> from swagcore.optimizers import optimize
    >>> from swagcore.windows import Query, Window
    >>> queries = [Query("a", "max", Window(600, 6)), Query("b", "max", Window(500, 5))]
    >>> plan = optimize(queries, rate=10, optimizer="tri_weave")
    >>> plan.node_cost, [tree.cost for tree in plan.trees]
    (Fraction(10, 1), [Fraction(50, 3), Fraction(299, 15)])
    """
    model = problem.model
    everything = model.edge_rate(problem.queries)
    loom = Loom(model, problem.queries, shared_rate=everything)
    trees = [
        model.tree(problem.queries[member] for member in bunch.members) for bunch in weave(loom, loom.units())
    ]
    placed = problem.place([_fed(tree, everything) for tree in trees]).trees
    nodes: dict[int, list[Tree]] = {}
    for tree in placed:
        nodes.setdefault(tree.node, []).append(tree)
    rates = {
        node: everything
        if len(nodes) == 1
        else model.edge_rate(query for tree in found for query in tree.queries)
        for node, found in nodes.items()
    }
    return Plan(
        tuple(_fed(tree, rates[tree.node]) for tree in placed),
        problem.nodes,
        "tri_weave",
        node_cost=model.rate,
    )


def _fed(tree: Tree, edge_rate: Fraction) -> Tree:
    """The tree, when it gets its partials along so many edges a time unit."""
    return replace(tree, cost=edge_rate - tree.edge_rate + tree.edge_rate * tree.omega)
