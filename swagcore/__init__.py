"""Sliding-window aggregates: reference implementations, executable specifications, and a kit to test your own.

>>> import swagcore as sw
>>> trades = [(0, 10), (1, 12), (4, 9), (5, 11)]
>>> for answer in sw.naive([sw.Query("high", "max", sw.Window(range=4, slide=2))], trades):
...     print(answer.start, answer.end, answer.value)
-2 2 12
0 4 12
2 6 11
4 8 11
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from swagcore.aggregators import fifo, techniques
from swagcore.algebra import Aggregate, aggregate, aggregates, quantile, register, top_k
from swagcore.errors import SwagError
from swagcore.naive import naive
from swagcore.windows import Answer, Query, Window

if TYPE_CHECKING:
    from swagcore import coverage, edges, spark, substreams, testing
    from swagcore.engine import Engine, run
    from swagcore.optimizers import optimize

__version__ = "0.1.0"

aggregator = fifo

# Imported when first asked for: somebody who only wants a window should not wait for the rest.
_ROOMS = ("coverage", "edges", "spark", "substreams", "testing")
_LATER = {"Engine": "engine", "run": "engine", "optimize": "optimizers"}

__all__ = [
    "Aggregate",
    "Answer",
    "Engine",
    "Query",
    "SwagError",
    "Window",
    "__version__",
    "aggregate",
    "aggregates",
    "aggregator",
    "coverage",
    "edges",
    "fifo",
    "naive",
    "optimize",
    "quantile",
    "register",
    "run",
    "spark",
    "substreams",
    "techniques",
    "testing",
    "top_k",
]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"swagcore.{name}")
    if name in _LATER:
        return getattr(importlib.import_module(f"swagcore.{_LATER[name]}"), name)
    raise AttributeError(f"module 'swagcore' has no attribute {name!r}")
