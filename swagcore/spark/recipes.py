"""What each aggregate is on Spark: its parts, and the expression that makes an answer of them, with its type.

Integers are exact. A total of bigints is kept in limbs of 32 bits, each a sum of bigints that cannot overflow before a
window has 2**29 events; so it does not matter in which order they come, and an answer that does not fit its type is an
error that says so. Means of integers are correctly rounded; variances of integers are made of exact totals and lose at
most 4 units of 2**-53 by rounding. Sums of floats are plain: within (n - 1) * 2**-53 * sum|x| of the exact one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from swagcore.algebra import Aggregate
from swagcore.errors import InvalidArgument, UnknownName
from swagcore.spark.parts import (
    MASK,
    Part,
    added,
    added_decimals,
    chosen,
    chosen_by,
    collected,
    magnitude,
    moments,
    multiplied,
    placed,
)

SMALL = ("tinyint", "smallint", "int")
INTEGRAL = (*SMALL, "bigint")
FLOATS = ("float", "double")
ORDERED = (*INTEGRAL, *FLOATS, "boolean", "string", "binary", "date", "timestamp", "timestamp_ntz")
WIDE = "decimal(38,0)"


@dataclass(frozen=True)
class Recipe:
    """The parts of an aggregate; `lower` over the payloads `{0}`, `{1}`, ... of all of them; the type of the answer,
    and the answer over no events.

    >>> recipe_of("n", "count", "v0", "double").lower
    '{0}'
    """

    parts: tuple[Part, ...]
    lower: str
    type: str
    empty: str = "NULL"

    @property
    def shared(self) -> bool:
        """Whether it can be put together from slices; else all events of a window are needed."""
        return all(part.fold for part in self.parts)

    @property
    def idempotent(self) -> bool:
        """Whether pieces may overlap."""
        return all(part.idempotent for part in self.parts)


def recipe_of(
    query: str,
    function: str | Aggregate,
    value: str,
    type: str,
    by: str | None = None,
    by_type: str | None = None,
    order: str = "t",
) -> Recipe:
    """The recipe of an aggregate over a column `value` of a Spark type; `order` is by what events are ordered.

    >>> recipe_of("q", "sum", "v0", "int").type, recipe_of("q", "mean", "v0", "int").type
    ('bigint', 'double')
    >>> recipe_of("q", "sum", "v0", "string")
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: value column of query 'q' is 'string'; expected a column of numbers, for 'sum'
    """
    name = function if isinstance(function, str) else function.name
    family, _, rest = name.partition("(")
    make = RECIPES.get(family)
    if make is None:
        raise UnknownName(f"aggregate of query {query!r} on Spark", name, RECIPES)
    return make(_Column(query, name, rest.rstrip(") "), value, type, by, by_type, order))


@dataclass(frozen=True)
class _Column:
    """What a recipe is made for."""

    query: str
    name: str
    argument: str
    value: str
    type: str
    by: str | None
    by_type: str | None
    order: str

    def need(
        self, accepted: tuple[str, ...], what: str, type: str | None = None, role: str = "value"
    ) -> None:
        type = self.type if type is None else type
        plain = "decimal" if type.startswith("decimal") else type
        if plain not in accepted:
            raise InvalidArgument(
                f"{role} column of query {self.query!r}", type, f"{what}, for {self.name!r}"
            )

    def need_number(self) -> None:
        self.need((*INTEGRAL, *FLOATS, "decimal"), "a column of numbers")

    def need_order(self) -> None:
        self.need((*ORDERED, "decimal"), "a column of numbers, text, bytes, dates, timestamps or booleans")

    def fails(self, what: str, type: str = "bigint") -> str:
        name = self.query.replace("\\", "\\\\").replace("'", "\\'")
        name = name.replace("{", "{{").replace("}", "}}")  # payloads are put into the braces of a lowering
        return f"raise_error('swagcore: query \\'{name}\\': {what} does not fit its type, {type}')"

    @property
    def as_double(self) -> str:
        return self.value if self.type == "double" else f"CAST({self.value} AS double)"


# Integers in limbs


def _total(column: _Column) -> tuple[tuple[Part, ...], str, str]:
    """The parts of a total of integers; the total as a wide decimal; whether it is small enough for a double."""
    v = column.value
    if column.type in SMALL:
        return (added(f"sum({v})", "bigint"),), f"CAST({{0}} AS {WIDE})", "abs({0}) <= 9007199254740992L"
    parts = added(f"sum(shiftright({v}, 32))", "bigint"), added(f"sum({v} & {MASK})", "bigint")
    wide = "(CAST({0} AS decimal(20,0)) * 4294967296BD + {1})"
    return parts, wide, f"{HIGH} BETWEEN -2097152L AND 2097151L"


HIGH = "({0} + shiftright({1}, 32))"
"""The upper limb of a total of bigints, with what the lower one carries."""


def _squares(column: _Column, first: int) -> tuple[tuple[Part, ...], str]:
    """The parts of a total of squares, and the total as a wide decimal, NULL where that overflows."""
    v = f"CAST({column.value} AS bigint)" if column.type in SMALL else column.value
    if column.type in SMALL:
        limbs = [f"({v} * {v}) & {MASK}", f"shiftright({v} * {v}, 32)"]
    else:
        # v = a * 2**32 + b with b in [-2**31, 2**31): all products of a and b are below 2**63.
        b = f"(({v} & {MASK}) - CASE WHEN ({v} & 2147483648L) <> 0 THEN 4294967296L ELSE 0L END)"
        a = f"(shiftright({v}, 32) + CASE WHEN ({v} & 2147483648L) <> 0 THEN 1L ELSE 0L END)"
        limbs = [
            f"({b} * {b}) & {MASK}",
            f"shiftright({b} * {b}, 32) + 2L * (({a} * {b}) & {MASK})",
            f"2L * shiftright({a} * {b}, 32) + (({a} * {a}) & {MASK})",
            f"shiftright({a} * {a}, 32)",
        ]
    # Horner's rule from the upper limb down: no intermediate is larger than the total, but for a carry.
    total = f"CAST({{{first + len(limbs) - 1}}} AS {WIDE})"
    for limb in range(len(limbs) - 2, -1, -1):
        total = f"try_add(try_multiply({total}, 4294967296BD), CAST({{{first + limb}}} AS {WIDE}))"
        total = f"CAST({total} AS {WIDE})"
    return tuple(added(f"sum({limb})", "bigint") for limb in limbs), total


def _count(column: _Column) -> Part:
    return added(f"count({column.value})", "bigint")


def _rounded_quotient(total: str, count: str) -> str:
    """total / count for a wide decimal and a bigint, correctly rounded to a double.

    The quotient is scaled by a power of two to 56 to 58 bits, cut, and its last bit set where something was cut off:
    from there one rounding to 53 bits is the right one.
    """
    size = f"abs({total})"
    power = f"(56 - CAST(floor(log2(CAST({size} AS double) / {count})) AS int))"
    raised = f"CAST(CAST({size} AS decimal(38,0)) * CAST(pow(2D, greatest({power}, 0)) AS decimal(20,0)) AS {WIDE})"
    over = f"CAST(CAST({count} AS decimal(20,0)) * CAST(pow(2D, greatest(-{power}, 0)) AS decimal(20,0)) AS {WIDE})"
    whole = f"(({raised} div {over}) | CASE WHEN {raised} % {over} <> 0BD THEN 1L ELSE 0L END)"
    return f"CAST(sign({total}) AS double) * CAST({whole} AS double) / pow(2D, {power})"


# The aggregates


def _make_count(c: _Column) -> Recipe:
    return Recipe((_count(c),), "{0}", "bigint", empty="0")


def _make_sum(c: _Column) -> Recipe:
    c.need_number()
    if c.type in FLOATS:
        return Recipe((added(f"sum({c.as_double})", "double"),), "{0}", "double")
    if c.type not in INTEGRAL:
        type = _decimal(c.type, 10)
        return Recipe((added_decimals(c.value, type),), "{0}", type)
    parts, _, _ = _total(c)
    if c.type in SMALL:
        return Recipe(parts, "{0}", "bigint")
    lower = (
        f"CASE WHEN {{0}} IS NULL THEN NULL WHEN {HIGH} BETWEEN -2147483648L AND 2147483647L "
        f"THEN shiftleft({HIGH}, 32) + ({{1}} & {MASK}) ELSE {c.fails('a sum')} END"
    )
    return Recipe(parts, lower, "bigint")


# Decimals


def _digits(type: str) -> tuple[int, int]:
    precision, scale = (int(size) for size in type.removeprefix("decimal(").rstrip(")").split(","))
    return precision, scale


def _decimal(type: str, wider: int) -> str:
    precision, scale = _digits(type)
    return f"decimal({min(precision + wider, 38)},{scale})"


def _quotient(type: str, total: str, digits: int) -> str:
    """The type of a mean of decimals: four digits more, as Spark's own, where the division of the total by a whole number
    of so many digits is that exact; else that of the division, rounded there.

    >>> _quotient("decimal(10,2)", "decimal(20,2)", 20), _quotient("decimal(38,18)", "decimal(38,18)", 20)
    ('decimal(14,6)', 'decimal(38,18)')
    """
    precision, scale = _digits(type)
    wide, _ = _digits(total)
    given = min(
        max(6, scale + digits + 1), max(38 - (wide - scale), 6)
    )  # Spark's rule: 38 digits, 6 of them behind
    exact = precision + 4 <= 38 and given >= scale + min(4, digits)
    return f"decimal({precision + 4},{scale + 4})" if exact else f"decimal(38,{given})"


def _narrowed(operand: str, type: str) -> str:
    """With a digit less, so that Spark has all digits of a sum or a difference; NULL where that does not hold it."""
    precision, scale = _digits(type)
    return f"try_cast({operand} AS decimal({min(precision, 37)},{min(scale, 37)}))"


def _make_mean(c: _Column) -> Recipe:
    c.need_number()
    if c.type in FLOATS:
        return Recipe((added(f"sum({c.as_double})", "double"), _count(c)), "try_divide({0}, {1})", "double")
    if c.type not in INTEGRAL:
        total = _decimal(c.type, 10)
        type = _quotient(c.type, total, 20)
        quotient = f"try_cast(try_divide({{0}}, CAST({{1}} AS decimal(20,0))) AS {type})"
        lower = f"CASE WHEN {{1}} > 0 THEN coalesce({quotient}, {c.fails('a mean', type)}) END"
        return Recipe((added_decimals(c.value, total), _count(c)), lower, type)
    parts, wide, is_small = _total(c)
    count = f"{{{len(parts)}}}"
    as_double = "{0}" if c.type in SMALL else f"(shiftleft({HIGH}, 32) + ({{1}} & {MASK}))"
    lower = (
        f"CASE WHEN {count} = 0 THEN NULL WHEN {is_small} THEN CAST({as_double} AS double) / {count} "
        f"ELSE {_rounded_quotient(wide, count)} END"
    )
    return Recipe((*parts, _count(c)), lower, "double")


def _make_sum_squares(c: _Column) -> Recipe:
    c.need_number()
    if c.type not in INTEGRAL:
        return Recipe((added(f"sum({c.as_double} * {c.as_double})", "double"),), "{0}", "double")
    parts, total = _squares(c, 0)
    lower = (
        f"CASE WHEN {{0}} IS NULL THEN NULL WHEN {total} <= 9223372036854775807BD THEN CAST({total} AS bigint) "
        f"ELSE {c.fails('a sum of squares')} END"
    )
    return Recipe(parts, lower, "bigint")


def _make_variance(c: _Column) -> Recipe:
    c.need_number()
    if c.type not in INTEGRAL:
        return Recipe((moments(c.as_double),), "CASE WHEN {0} > 1 THEN {2} / ({0} - 1) END", "double")
    totals, wide, _ = _total(c)
    squares, all_squares = _squares(c, len(totals))
    n = f"{{{len(totals) + len(squares)}}}"
    # Around the whole part q of the mean, with total = q * n + r: squares - q * (total + r), less r * r / n.
    n_wide = f"CAST({n} AS decimal(20,0))"
    r = f"({wide} % {n_wide})"
    q = f"CAST(({wide} - {r}) / {n_wide} AS {WIDE})"
    around = f"CAST({all_squares} - {q} * ({wide} + {r}) AS {WIDE})"
    exact = f"try_subtract(try_multiply({around}, {n_wide}), CAST({r} * {r} AS {WIDE}))"
    numerator = f"coalesce(CAST({exact} AS double), CAST({around} AS double) * {n})"
    too_large = c.fails("a sum of squares", WIDE)
    lower = (
        f"CASE WHEN {n} < 2 THEN NULL WHEN {all_squares} IS NULL THEN {too_large} "
        f"ELSE {numerator} / (CAST({n} AS double) * ({n} - 1)) END"
    )
    return Recipe((*totals, *squares, _count(c)), lower, "double")


def _make_stddev(c: _Column) -> Recipe:
    variance = _make_variance(c)
    return Recipe(variance.parts, f"sqrt({variance.lower})", "double")


def _make_product(c: _Column) -> Recipe:
    c.need_number()
    if c.type not in INTEGRAL:
        return Recipe((multiplied(c.as_double), _count(c)), "CASE WHEN {1} > 0 THEN {0} END", "double")
    v = f"CAST({c.value} AS bigint)"
    parts = (
        magnitude(v),
        added(f"count_if({v} < 0)", "bigint"),
        added(f"count_if({v} = 0)", "bigint"),
        _count(c),
    )
    lower = (
        f"CASE WHEN {{3}} = 0 THEN NULL WHEN {{2}} > 0 THEN 0L WHEN {{0}} = 0 THEN {c.fails('a product')} "
        "WHEN {1} % 2 = 1 THEN {0} "
        f"WHEN {{0}} = (-9223372036854775807L - 1L) THEN {c.fails('a product')} ELSE -{{0}} END"
    )
    return Recipe(parts, lower, "bigint")


def _make_geometric_mean(c: _Column) -> Recipe:
    c.need_number()
    v = c.as_double
    logarithm = f"CASE WHEN {v} > 0 THEN ln({v}) WHEN {v} = 0 THEN double('-Infinity') WHEN {v} < 0 THEN double('NaN') END"
    return Recipe((added(f"sum({logarithm})", "double"), _count(c)), "exp(try_divide({0}, {1}))", "double")


def _chooser(kind: str) -> Callable[[_Column], Recipe]:
    def make(c: _Column) -> Recipe:
        c.need_order()
        return Recipe((chosen(kind, c.value, c.type),), "{0}", c.type)

    return make


def _make_spread(c: _Column) -> Recipe:
    accepted = (*INTEGRAL, *FLOATS, "decimal")
    c.need(accepted, "a column of numbers")
    parts = chosen("min", c.value, c.type), chosen("max", c.value, c.type)
    if c.type in SMALL:
        return Recipe(parts, "CAST({1} AS bigint) - CAST({0} AS bigint)", "bigint")
    if c.type == "bigint":
        difference = "try_subtract({1}, {0})"
        lower = (
            f"CASE WHEN {{0}} IS NULL THEN NULL WHEN {difference} IS NULL THEN {c.fails('a spread')} "
            f"ELSE {difference} END"
        )
        return Recipe(parts, lower, "bigint")
    if c.type in FLOATS:
        return Recipe(parts, "CAST({1} AS double) - CAST({0} AS double)", "double")
    type = _decimal(c.type, 1)
    difference = f"try_cast(try_subtract({_narrowed('{1}', c.type)}, {_narrowed('{0}', c.type)}) AS {type})"
    lower = f"CASE WHEN {{0}} IS NOT NULL THEN coalesce({difference}, {c.fails('a spread', type)}) END"
    return Recipe(parts, lower, type)


def _chooser_by(kind: str) -> Callable[[_Column], Recipe]:
    def make(c: _Column) -> Recipe:
        if c.by is None or c.by_type is None:
            raise InvalidArgument(f"by of query {c.query!r}", None, f"the column by which {c.name} chooses")
        accepted = (*ORDERED, "decimal")
        what = "a column of numbers, text, bytes, dates, timestamps or booleans"
        c.need(accepted, what, c.by_type, "by")
        c.need(accepted, what)
        return Recipe((chosen_by(kind, c.by, c.by_type, c.value, c.type, c.order),), "{0}", c.type)

    return make


def _placer(kind: str) -> Callable[[_Column], Recipe]:
    def make(c: _Column) -> Recipe:
        c.need_order()
        return Recipe((placed(kind, c.value, c.type, c.order),), "{0}", c.type)

    return make


def _truth(kind: str) -> Callable[[_Column], Recipe]:
    def make(c: _Column) -> Recipe:
        c.need((*INTEGRAL, *FLOATS, "decimal", "boolean"), "a column of booleans or numbers")
        truth = c.value if c.type == "boolean" else f"({c.value} <> 0)"
        return Recipe((chosen(kind, truth, "boolean"),), "{0}", "boolean")

    return make


# Those that need all the events of a window


def _make_count_distinct(c: _Column) -> Recipe:
    c.need_order()
    return Recipe((collected(f"count(DISTINCT {c.value})", "bigint"),), "{0}", "bigint", empty="0")


def _make_quantile(c: _Column) -> Recipe:
    c.need_order()
    phi = Fraction(c.argument)
    over = f"{phi.denominator}BD"
    rank = f"CAST((size({{0}}) * {phi.numerator}BD + {phi.denominator - 1}BD) div {over} AS int)"
    lower = f"CASE WHEN size({{0}}) > 0 THEN element_at({{0}}, {rank}) END"
    return Recipe((_sorted(c),), lower, c.type)


def _sorted(c: _Column) -> Part:
    return collected(f"sort_array(collect_list({c.value}))", f"array<{c.type}>")


def _make_median(c: _Column) -> Recipe:
    c.need_number()
    low = "element_at({0}, CAST((size({0}) + 1) div 2 AS int))"
    high = "element_at({0}, CAST(size({0}) div 2 + 1 AS int))"
    if c.type in INTEGRAL:
        both = f"(CAST({low} AS {WIDE}) + CAST({high} AS {WIDE}))"
        middle = (
            f"CASE WHEN abs({both}) <= 9007199254740992BD THEN CAST({both} AS double) / 2 "
            f"ELSE {_rounded_quotient(both, '2L')} END"
        )
        type = "double"
    elif c.type in FLOATS:
        a, b = f"CAST({low} AS double)", f"CAST({high} AS double)"
        middle = f"CASE WHEN abs({a} + {b}) < 1e300D THEN ({a} + {b}) / 2 ELSE {a} / 2 + {b} / 2 END"
        type = "double"
    else:
        both = f"try_add({_narrowed(low, c.type)}, {_narrowed(high, c.type)})"
        type = _quotient(c.type, _decimal(c.type, 1), 1)
        middle = f"coalesce(try_cast(try_divide({both}, 2BD) AS {type}), {c.fails('a median', type)})"
    return Recipe((_sorted(c),), f"CASE WHEN size({{0}}) > 0 THEN {middle} END", type)


def _make_top_k(c: _Column) -> Recipe:
    c.need_order()
    part = collected(
        f"slice(sort_array(collect_list({c.value}), false), 1, {int(c.argument)})", f"array<{c.type}>"
    )
    return Recipe((part,), "{0}", f"array<{c.type}>", empty="array()")


def _in_order(c: _Column) -> str:
    rows = f"collect_list(CASE WHEN {c.value} IS NOT NULL THEN struct({c.order}, {c.value} AS value) END)"
    return f"transform(array_sort({rows}), row -> row.value)"


def _make_concat(c: _Column) -> Recipe:
    c.need(("string",), "a column of text")
    return Recipe((collected(f"array_join({_in_order(c)}, '')", "string"),), "{0}", "string", empty="''")


def _make_collect_distinct(c: _Column) -> Recipe:
    c.need_order()
    type = f"array<{c.type}>"
    return Recipe((collected(f"array_distinct({_in_order(c)})", type),), "{0}", type, empty="array()")


RECIPES: dict[str, Callable[[_Column], Recipe]] = {
    "count": _make_count,
    "sum": _make_sum,
    "fast_sum": _make_sum,
    "sum_squares": _make_sum_squares,
    "product": _make_product,
    "mean": _make_mean,
    "variance": _make_variance,
    "stddev": _make_stddev,
    "geometric_mean": _make_geometric_mean,
    "min": _chooser("min"),
    "max": _chooser("max"),
    "spread": _make_spread,
    "arg_min": _chooser_by("min"),
    "arg_max": _chooser_by("max"),
    "first": _placer("first"),
    "last": _placer("last"),
    "any": _truth("max"),
    "all": _truth("min"),
    "count_distinct": _make_count_distinct,
    "collect_distinct": _make_collect_distinct,
    "concat": _make_concat,
    "median": _make_median,
    "quantile": _make_quantile,
    "top_k": _make_top_k,
}
"""The aggregates that Spark can do, by the names of the built-ins."""
