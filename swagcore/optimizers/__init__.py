"""From queries to a plan: one file a family, all of them through `optimize`.

An optimizer is a function of one `Problem` that returns a `Plan`. It stands under its own name in the module that
`OPTIMIZERS` gives for it, and is imported when it is first asked for: to add one, write the function and add its line.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import cast

from swagcore.cost import CostModel
from swagcore.errors import UnknownName
from swagcore.optimizers.problem import Problem
from swagcore.plan import Plan, Tree
from swagcore.windows import Query

__all__ = ["OPTIMIZERS", "Plan", "Problem", "Tree", "optimize", "optimizers"]

OPTIMIZERS: dict[str, str] = {
    "no_share": "no_share",
    "shared": "shared",
    "random": "random",
    "local_search": "local_search",
    "insert_then_weave": "insert_then_weave",
    "weave_share": "weave_share",
    "tri_weave": "tri_weave",
    "exhaustive": "exhaustive",
    "pairing": "pairing",
    "contiguous": "contiguous",
} | dict.fromkeys(
    [
        "g_rand",
        "w_rand",
        "wg_rand",
        "g_rr",
        "w_rr",
        "wg_rr",
        "g_tl",
        "w_tl",
        "wg_tl",
        "w_tn",
        "wg_tn",
        "w_i",
        "wg_i",
    ],
    "distributed",
)
"""Every optimizer by name, and the module of this room that has it."""


def optimizers() -> list[str]:
    """The names that `optimize` takes.

    >>> {"no_share", "weave_share", "wg_tn"} <= set(optimizers())
    True
    """
    return list(OPTIMIZERS)


def optimize(
    queries: Iterable[Query],
    rate: int | float | Fraction = 1,
    optimizer: str = "weave_share",
    technique: str = "panes",
    slicing: str = "pairs",
    nodes: int = 1,
    seed: int = 0,
    omega: str = "counted",
) -> Plan:
    """A plan for the queries: which share a tree, on which node, and what it costs.

    `rate` is the number of events a time unit (lambda). `technique` and `omega` say what a final aggregation costs:
    "paper" as printed, "counted" as corrected by counting (see `swagcore.cost`). An optimizer for one node is given
    several by placing its trees, from the most expensive on, each on the node that costs least so far. `seed` decides
    what the randomized ones do. All queries are taken to be of aggregates that can share partials.

    >>> from swagcore.windows import Window
    >>> queries = [Query("six", "max", Window(6, 2)), Query("eight", "max", Window(8, 4))]
    >>> plan = optimize(queries, rate=1)
    >>> [tree.names for tree in plan.trees], plan.cost
    ([['six', 'eight']], Fraction(11, 4))
    >>> optimize(queries, optimizer="weave_shared")
    Traceback (most recent call last):
        ...
    swagcore.errors.UnknownName: optimizer is 'weave_shared'; expected one of ... (did you mean 'weave_share'?)
    """
    if not isinstance(optimizer, str) or optimizer not in OPTIMIZERS:
        raise UnknownName("optimizer", optimizer, OPTIMIZERS)
    model = CostModel(rate=rate, technique=technique, slicing=slicing, omega=omega)
    problem = Problem(queries, model, nodes=nodes, seed=seed)
    module = importlib.import_module(f"swagcore.optimizers.{OPTIMIZERS[optimizer]}")
    plan = cast(Callable[[Problem], Plan], getattr(module, optimizer))
    return plan(problem)
