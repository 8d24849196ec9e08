"""Partials on Spark: how each is aggregated from events, merged, sent to a kernel, and read by a lowering.

The same parts serve all plans. `naive` aggregates them from the events of each window, `slices` from those of each
slice and folds them in a kernel, `coverage` merges them from window to window.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column

MASK = "4294967295L"


@dataclass(frozen=True)
class Part:
    """One distributive partial. In all expressions `{p}` is its column.

    - `aggregate`: over the events, which have columns `t`, `o0`, `o1`, ... and the values `v0`, `v1`, ...
    - `merge`: over partials of pieces, in any order. None: it cannot be merged, only aggregated from events.
    - `fold`: the kernel that merges rows of slices, which are in order of time, and what it reads (`shipped`).
    - `payload`: (expression, type) of what a lowering reads, and what the kernel returns.
    """

    aggregate: str
    merge: str | None
    fold: str | None
    shipped: tuple[tuple[str, str], ...]
    payload: tuple[tuple[str, str], ...]
    idempotent: bool = False


def added(aggregate: str, type: str) -> Part:
    """A partial that adds: a count, a total, a limb of a wide total.

    >>> added("count(v0)", "bigint").merge
    'sum({p})'
    """
    return Part(aggregate, "sum({p})", "add", (("{p}", type),), (("{p}", type),))


def added_decimals(value: str, type: str) -> Part:
    """A total of decimals. Where Spark's sum can overflow it is NULL or an error, as the session has it: here an error.

    >>> added_decimals("v0", "decimal(20,2)").merge
    'cast(sum({p}) AS decimal(20,2))'
    """
    # A sum has ten digits more than its parts, up to 38; Spark would widen it again with every merge.
    aggregate, merge = "sum({p})", f"cast(sum({{p}}) AS {type})"
    if type.startswith("decimal(38,"):
        fails = f"raise_error('swagcore: a sum does not fit its type, {type}')"
        whole = f"CASE WHEN count({{p}}) > 0 THEN coalesce(try_cast(try_sum({{p}}) AS {type}), {fails}) END"
        aggregate = merge = whole
    return Part(aggregate.format(p=value), merge, "add", (("{p}", type),), (("{p}", type),))


def multiplied(value: str) -> Part:
    """A product of doubles.

    >>> multiplied("v0").fold
    'multiply'
    """
    return Part(
        f"product({value})",
        "product({p})",
        "multiply",
        (("{p}", "double"),),
        (("{p}", "double"),),
    )


def magnitude(value: str) -> Part:
    """The magnitude of a product of integers that are not zero, as its negative; 0 where it is beyond 2**63.

    So kept, it is exact whatever the order: no factor is below one, so what is beyond stays beyond.

    >>> magnitude("v0").fold
    'multiply_magnitudes'
    """
    fold = (
        "aggregate(collect_list({source}), -1L, (a, x) -> CASE WHEN a = 0 OR x = 0 THEN 0L WHEN a = -1 THEN x "
        "WHEN x = -1 THEN a WHEN x = {least} THEN 0L ELSE coalesce(try_multiply(a, -x), 0L) END)"
    )
    least = "(-9223372036854775807L - 1L)"
    # -|x|, which every long has
    negated = f"CASE WHEN {value} <> 0 THEN (CASE WHEN {value} > 0 THEN -{value} ELSE {value} END) END"
    return Part(
        fold.format(source=f"CAST({negated} AS bigint)", least=least),
        fold.format(source="{p}", least=least),
        "multiply_magnitudes",
        (("{p}", "bigint"),),
        (("{p}", "bigint"),),
    )


def chosen(kind: str, value: str, type: str) -> Part:
    """The smallest or the largest value: `kind` is "min" or "max".

    >>> chosen("max", "v0", "double").aggregate
    'max(v0)'
    """
    return Part(
        f"{kind}({value})", f"{kind}({{p}})", kind, (("{p}", type),), (("{p}", type),), idempotent=True
    )


def placed(kind: str, value: str, type: str, order: str) -> Part:
    """The value of the first or the last event: `kind` is "first" or "last"; nulls are skipped.

    Events of one time are ordered by the order columns, then by the value itself.

    >>> placed("first", "v0", "double", "t, o0").aggregate
    'min(CASE WHEN v0 IS NOT NULL THEN struct(t, o0, v0 AS value) END)'
    """
    least = "min" if kind == "first" else "max"
    payload = (("{p}.value", type),)
    return Part(
        f"{least}(CASE WHEN {value} IS NOT NULL THEN struct({order}, {value} AS value) END)",
        f"{least}({{p}})",
        kind,
        payload,
        payload,
        idempotent=True,
    )


def chosen_by(kind: str, by: str, by_type: str, value: str, type: str, order: str) -> Part:
    """The value beside the smallest or largest `by`, of equal ones the earliest: `kind` is "min" or "max".

    >>> chosen_by("min", "v0", "bigint", "v1", "double", "t").aggregate
    'min(CASE WHEN v0 IS NOT NULL THEN struct(v0 AS rank, t, v1 AS value, v0 AS by) END)'
    """
    rank = by if kind == "min" else descending(by, by_type)
    if by_type in ("float", "double"):
        rank = (
            f"{rank} + 0.0D" if kind == "min" else rank
        )  # so that -0.0 is 0.0 in a comparison of structs, too
    return Part(
        f"min(CASE WHEN {by} IS NOT NULL THEN struct({rank} AS rank, {order}, {value} AS value, {by} AS by) END)",
        "min({p})",
        f"{kind}_by",
        (("{p}.by", by_type), ("{p}.value", type)),
        (("{p}.value", type),),
        idempotent=True,
    )


def moments(value: str) -> Part:
    """Count, mean and sum of squared differences from the mean, of doubles.

    >>> moments("v0").fold
    'moments'
    """
    total = "(a.n + x.n)"
    step = (
        f"named_struct('n', {total}, 'mean', a.mean + (x.mean - a.mean) * (x.n / {total}), 'squares', "
        f"a.squares + x.squares + (x.mean - a.mean) * (x.mean - a.mean) * (a.n * (x.n / {total})))"
    )
    return Part(
        f"CASE WHEN count({value}) > 0 THEN named_struct('n', count({value}), 'mean', avg({value}), "
        f"'squares', var_pop({value}) * count({value})) END",
        "reduce(slice(collect_list({p}), 2, greatest(size(collect_list({p})) - 1, 0)), "
        f"get(collect_list({{p}}), 0), (a, x) -> {step})",
        "moments",
        (("{p}.n", "bigint"), ("{p}.mean", "double"), ("{p}.squares", "double")),
        (("{p}.n", "bigint"), ("{p}.mean", "double"), ("{p}.squares", "double")),
    )


def collected(aggregate: str, type: str) -> Part:
    """What only all the events of a window tell: it is aggregated from them, and never merged.

    >>> collected("count(DISTINCT v0)", "bigint").fold is None
    True
    """
    return Part(aggregate, None, None, (), (("{p}", type),))


def descending(column: str, type: str) -> str:
    """An expression that sorts the other way round, on every value of the type.

    >>> descending("v0", "bigint"), descending("v0", "boolean")
    ('~v0', 'NOT v0')
    """
    if type in ("tinyint", "smallint", "int", "bigint"):
        return f"~{column}"  # -x - 1, which never overflows
    if type in ("float", "double"):
        return f"struct(NOT isnan({column}) AS number, 0.0D - {column} AS value)"  # 0.0 - x is never -0.0
    if type.startswith("decimal"):
        return f"-{column}"
    if type == "boolean":
        return f"NOT {column}"
    if type == "date":
        return f"~unix_date({column})"
    if type == "timestamp":
        return f"~unix_micros({column})"
    if type == "timestamp_ntz":
        return f"struct(~unix_date(CAST({column} AS date)) AS day, ~hour({column}) AS hour, ~minute({column}) AS minute, -extract(SECOND FROM {column}) AS second)"
    # Text and bytes: the digits of the bytes turned round, and an end that is above every digit.
    return f"concat(translate(hex({column}), '0123456789ABCDEF', 'FEDCBA9876543210'), 'G')"


def column(aggregate: str) -> Column:
    """An aggregate as a column. Spark's product has a function, but no name in SQL."""
    from pyspark.sql import functions as F

    if aggregate.startswith("product("):
        return F.product(F.expr(aggregate.removeprefix("product(").removesuffix(")")))
    return F.expr(aggregate)
