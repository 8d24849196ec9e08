"""No Share: every query its own tree. C §2.2 (unshared partial aggregation), S §6.5.1."""

from __future__ import annotations

from swagcore.optimizers.problem import Problem
from swagcore.plan import Plan


def no_share(problem: Problem) -> Plan:
    """The plan without sharing, against which savings are counted. O(n).

    >>> from swagcore.optimizers import optimize
    >>> from swagcore.windows import Query, Window
    >>> optimize([Query("a", "max", Window(6, 2)), Query("b", "max", Window(8, 4))], optimizer="no_share").cost
    Fraction(13, 4)
    """
    return problem.place([problem.model.tree([query]) for query in problem.queries], "no_share")
