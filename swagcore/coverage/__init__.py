"""Window coverage: answers of one window put together from those of another (W: Wu et al.).

- `covered_by`, `partitioned_by`, `multiplier`: of two windows. `min_cost`: the cheapest graph of many.
- `evaluate`: what a graph means. `choose`: the cheapest of stream, graph and slices. `rewrite`: the graph as SQL.
"""

from typing import Any

from swagcore.coverage.choose import Choice, choose
from swagcore.coverage.evaluate import evaluate
from swagcore.coverage.graph import Graph, min_cost
from swagcore.coverage.relation import covered_by, multiplier, partitioned_by

__all__ = [
    "Choice",
    "Graph",
    "choose",
    "covered_by",
    "evaluate",
    "min_cost",
    "multiplier",
    "partitioned_by",
    "rewrite",
]


def __getattr__(name: str) -> Any:
    """`rewrite`, imported when it is first asked for: it needs sqlglot, which the others do not."""
    if name == "rewrite":
        from swagcore.coverage.sql import rewrite

        return rewrite
    raise AttributeError(f"module 'swagcore.coverage' has no attribute {name!r}")
