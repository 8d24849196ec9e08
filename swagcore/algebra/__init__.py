"""Aggregates as algebra: what they are (aggregate.py), the built-ins, their names (registry.py) and the law check."""

from swagcore.algebra.aggregate import Aggregate, Partial, same
from swagcore.algebra.laws import check_laws
from swagcore.algebra.ordered import quantile, top_k
from swagcore.algebra.registry import aggregate, aggregates, register
from swagcore.algebra.wrappers import Counting, intervals, words

__all__ = [
    "Aggregate",
    "Counting",
    "Partial",
    "aggregate",
    "aggregates",
    "check_laws",
    "intervals",
    "quantile",
    "register",
    "same",
    "top_k",
    "words",
]
