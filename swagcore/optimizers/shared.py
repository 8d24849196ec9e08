"""Shared: all queries in one tree. C §2.2 (shared partial aggregation)."""

from __future__ import annotations

from swagcore.optimizers.problem import Problem
from swagcore.plan import Plan


def shared(problem: Problem) -> Plan:
    """The plan of one tree. It costs one count of the edges of all queries together.

    >>> from swagcore.optimizers import optimize
    >>> from swagcore.windows import Query, Window
    >>> optimize([Query("a", "max", Window(6, 2)), Query("b", "max", Window(8, 4))], optimizer="shared").cost
    Fraction(11, 4)
    """
    trees = [problem.model.tree(problem.queries)] if problem.queries else []
    return problem.place(trees, "shared")
