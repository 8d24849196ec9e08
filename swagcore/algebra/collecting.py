"""Aggregates that collect: strings joined, distinct elements in their order or counted.

Elements are distinct by `==`, except that NaN equals itself. Partials grow with the window: these are holistic.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from swagcore.algebra.aggregate import Aggregate, NotLiftable

VALUES = (1, 2, 2.0, "a", "b", math.nan, float("nan"))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise NotLiftable("a string")
    return value


def _element(value: Any) -> Any:
    """The element, hashable; every NaN becomes the same object, which a set or dict then finds again."""
    try:
        hash(value)
    except TypeError:
        raise NotLiftable("a hashable value") from None
    return value if value == value else math.nan


concat = Aggregate(
    "concat",
    lift=_text,
    combine=operator.add,
    identity="",
    inverse=lambda total, oldest: total[len(oldest) :],
    examples=("a", "b", "", "ba"),
)
collect_distinct = Aggregate(
    "collect_distinct",
    lift=lambda value: {_element(value): None},
    combine=operator.or_,  # of dicts: the keys of the first in their order, then the new ones of the second
    lower=list,
    identity={},
    idempotent=True,
    equal=lambda a, b: list(a) == list(b),
    examples=VALUES,
)
count_distinct = Aggregate(
    "count_distinct",
    lift=lambda value: frozenset((_element(value),)),
    combine=operator.or_,
    lower=len,
    identity=frozenset(),
    commutative=True,
    idempotent=True,
    examples=VALUES,
)
