"""The batch plans against `naive` in Python, on a stream that has everything awkward in it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

import swagcore as sw
from tests.spark.gathered import WINDOWS, by_type, compared, expected, frame, gathered, stream

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

U = Fraction(1, 2**53)

# (aggregate, column, by): each meets one of the windows in turn.
SHARED = [
    *((name, "big", None) for name in ("count", "sum", "mean", "variance", "min", "max", "first", "last")),
    *((name, "small", None) for name in ("sum", "mean", "sum_squares", "stddev", "spread", "any", "all")),
    *(
        (name, "real", None)
        for name in ("sum", "fast_sum", "mean", "variance", "sum_squares", "geometric_mean")
    ),
    *((name, "real", None) for name in ("min", "max", "spread", "first", "last", "any", "all")),
    *((name, "narrow", None) for name in ("max", "sum", "product")),
    *((name, "word", None) for name in ("min", "max", "last", "count")),
    *((name, "flag", None) for name in ("any", "all", "min")),
    *((name, "money", None) for name in ("min", "max", "sum", "spread")),
    ("product", "unit", None),
    ("arg_min", "word", "big"),
    ("arg_max", "word", "narrow"),
    ("arg_min", "word", "narrow"),
    ("arg_max", "real", "word"),
    ("arg_max", "money", "flag"),
    ("arg_max", "big", "money"),
]
COLLECTING = [
    ("count_distinct", "narrow", None),
    ("median", "big", None),
    ("median", "real", None),
    ("quantile(0.7)", "small", None),
    ("quantile(1/3)", "word", None),
    ("top_k(3)", "narrow", None),
    ("concat", "word", None),
    ("collect_distinct", "word", None),
]


def queries_for(wanted: list[tuple[str, str, str | None]], turn: int) -> list[sw.Query]:
    kinds = itertools.cycle([*WINDOWS.items()][turn:] + [*WINDOWS.items()][:turn])
    return [
        sw.Query(f"{aggregate} {column} {by} {kind}", aggregate, window, value=column, by=by)
        for (aggregate, column, by), (kind, window) in zip(wanted, kinds, strict=False)
    ]


def bounds_for(queries: list[sw.Query], rows: list[Any]) -> dict[str, Callable[[sw.Answer], Fraction]]:
    """How far a float may be from the exact answer, query by query, as the documentation of the plans says."""
    found: dict[str, Callable[[sw.Answer], Fraction]] = {}
    for query in queries:
        name, column = query.function.name, query.value
        if name == "median":  # the middle one of an odd number of integers, as the nearest double
            found[query.name] = lambda answer: abs(Fraction(float(answer.value)) - Fraction(answer.value))
        elif name in ("variance", "stddev") and column in ("big", "small"):  # of exact totals
            found[query.name] = lambda answer: 4 * U * abs(Fraction(answer.value))
        elif column in ("real", "narrow") and name in PLAIN_BOUNDS:
            sizes, bound = sizes_of(query, rows), PLAIN_BOUNDS[name]
            found[query.name] = lambda answer, sizes=sizes, bound=bound: bound(  # type: ignore[misc]
                abs(Fraction(answer.value)), **sizes[answer.start, answer.key]
            )
    return found


# By the answer's size, the number n of values, sum|x| and sum x*x.
PLAIN_BOUNDS: dict[str, Callable[..., Fraction]] = {
    "sum": lambda value, n, x, xx: (n - 1) * U * x,
    "fast_sum": lambda value, n, x, xx: (n - 1) * U * x,
    "mean": lambda value, n, x, xx: (n - 1) * U * x / n + U * value,
    "sum_squares": lambda value, n, x, xx: n * U * xx,
    "variance": lambda value, n, x, xx: 8 * n * U * xx / (n - 1),
    "product": lambda value, n, x, xx: 2 * n * U * value,
    "geometric_mean": lambda value, n, x, xx: 50 * n * U * value,
}


def sizes_of(query: sw.Query, rows: list[Any]) -> dict[Any, dict[str, Any]]:
    """By window and key: how many values, and the totals of their magnitudes and squares; exactly."""
    column = query.value
    assert column is not None
    asked = [
        sw.Query("n", "count", query.window, column),
        sw.Query("x", "sum", query.window, "size"),
        sw.Query("xx", "sum", query.window, "square"),
    ]
    with_sizes = []
    for row in rows:
        value = row[SCHEMA_NAMES.index(column)]
        size = abs(Fraction(value)) if value is not None and abs(value) < math.inf else None
        with_sizes.append((*row[:3], value, size, size and size * size))
    schema = f"time long, k string, seq int, {column} double, size double, square double"
    found: dict[Any, dict[str, Any]] = {}
    for answer in expected(asked, with_sizes, schema):
        found.setdefault((answer.start, answer.key), {})[answer.query] = answer.value or 0
    return found


SCHEMA_NAMES = ["time", "k", "seq", "big", "small", "real", "narrow", "word", "flag", "money", "unit"]


@pytest.mark.parametrize(("plan", "turn"), [("naive", 0), ("slices", 1), ("coverage", 2)])
def test_every_aggregate(spark: SparkSession, plan: str, turn: int) -> None:
    rows = stream()
    queries = queries_for(SHARED, turn)
    if plan == "naive":
        queries += queries_for(COLLECTING, turn)
    df = frame(spark, rows)
    found = []
    for group in by_type(df, queries, ["seq"]):
        found += gathered(sw.spark.windows(df, group, value=None, plan=plan, order=["seq"]))
    wanted = expected(queries, rows)
    assert compared(found, wanted, bounds_for(queries, rows)) > 3000
    assert {answer.query for answer in found} == {query.name for query in queries}
