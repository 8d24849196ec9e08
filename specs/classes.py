"""What the papers say of kinds of aggregates: distributive, algebraic, holistic, invertible, associative.

An operation on n elements 0 .. n-1 is a table; statements about all operations are judged on all tables.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from swagcore.algebra import Aggregate, aggregate, top_k
from swagcore.ledger import by_size, claim, evidence, smallest

Table = tuple[tuple[int, ...], ...]


def lists(values: tuple[Any, ...], longest: int, shortest: int = 1) -> Iterator[tuple[Any, ...]]:
    """Every list of these values, the shortest first."""
    for length in range(shortest, longest + 1):
        yield from itertools.product(values, repeat=length)


# Distributive, algebraic, holistic

JOINED: dict[str, Callable[[Any, Any], Any]] = {
    **{"count": operator.add, "sum": operator.add, "sum_squares": operator.add, "product": operator.mul},
    **{"max": max, "min": min},
}
"""How the answers over two halves give the answer over the whole."""


def splits(function: str, values: tuple[int, ...]) -> bool:
    g = aggregate(function)
    return all(
        JOINED[function](g.over(values[:cut]), g.over(values[cut:])) == g.over(values)
        for cut in range(1, len(values))
    )


@claim(
    "classes.a_distributive",
    source="A §2",
    kind="statement",
    statement="SUM, COUNT, MAX and MIN of a bag can be computed from their answers over any two parts of it.",
)
@claim(
    "classes.s_distributive",
    source="S §2.1",
    kind="statement",
    statement="""Count, Sum, Sum of Squares, Product and Max are distributive: the answer over a set follows from the
    answers over the two subsets that it is split into.""",
)
@evidence("exhaustive", scope="every list of -2, 0, 1, 3 with two to five elements, cut anywhere")
def distributive() -> object:
    cases = ((name, values) for values in lists((0, 1, -2, 3), 5, 2) for name in JOINED)
    return smallest(cases, splits)


@claim(
    "classes.s_sum_of_ten",
    source="S §2.1",
    kind="example",
    statement="Of ten numbers the first seven have the sum 20 and the others 15: all ten have the sum 35.",
)
@evidence("exhaustive", scope="every seven numbers from 0 to 3 with the sum 20, every three with the sum 15")
def sum_of_ten() -> object:
    sevens = [v for v in itertools.product(range(4), repeat=7) if sum(v) == 20]
    threes = [v for v in itertools.product(range(4, 7), repeat=3) if sum(v) == 15]
    return smallest(
        itertools.product(sevens, threes), lambda first, rest: aggregate("sum").over(first + rest) == 35
    )


@claim(
    "classes.s_algebraic",
    source="S §2.1",
    kind="formula",
    statement="""Average follows from Sum and Count, Standard Deviation from Sum of Squares, Sum and Count, Geometric Mean
    (of positive numbers) from Product and Count, Range from Max and Min.""",
)
@evidence("exhaustive", scope="every list of 1, 2, 5, 11 with two to five elements; roots within 1e-12")
def algebraic() -> object:
    def holds(*values: int) -> bool:
        answer = {name: aggregate(name).over(values) for name in JOINED}
        n, total, squares = answer["count"], answer["sum"], answer["sum_squares"]
        variance = (squares - Fraction(total * total, n)) / (n - 1)
        return (
            aggregate("mean").over(values) == total / n
            and aggregate("variance").over(values) == float(variance)
            and math.isclose(aggregate("stddev").over(values), math.sqrt(variance), rel_tol=1e-12)
            and math.isclose(
                aggregate("geometric_mean").over(values), answer["product"] ** (1 / n), rel_tol=1e-12
            )
            and aggregate("range").over(values) == answer["max"] - answer["min"]
        )

    return smallest(lists((1, 2, 5, 11), 5, 2), holds)


@claim(
    "classes.geometric_mean_of_floats",
    source="O classes",
    kind="statement",
    statement="The n-th root of a product of n positive floats, computed in floats, is their geometric mean to 12 digits.",
    expected="refuted",
    remark="S §2.1 makes the geometric mean of Product and Count, which is right for exact numbers.",
)
@evidence("exhaustive", scope="two out of eight powers of ten")
def plain_products_leave_the_floats() -> object:
    def holds(a: float, b: float) -> bool:
        return math.isclose(math.sqrt(a * b), aggregate("geometric_mean").over([a, b]), rel_tol=1e-12)

    powers = [10.0**e for e in (0, 1, -1, 100, -100, 200, -200, 300)]
    return smallest(by_size(powers, powers), holds)


@claim(
    "classes.geometric_mean_by_logarithms",
    source="O classes",
    kind="statement",
    statement="""Made of the exact total of logarithms and the count, the geometric mean of positive floats is right to 12
    digits wherever it is a float itself.""",
    corrects="classes.geometric_mean_of_floats",
)
@evidence("exhaustive", scope="up to three out of eight powers of ten, whose mean exponent is known")
def logarithms_stay_in_the_floats() -> object:
    def holds(*exponents: int) -> bool:
        mean = Fraction(sum(exponents), len(exponents))
        answer = aggregate("geometric_mean").over([10.0**e for e in exponents])
        return math.isclose(answer, 10.0 ** float(mean), rel_tol=1e-12)

    return smallest(lists((0, 1, -1, 100, -100, 200, -200, 300), 3), holds)


@claim(
    "classes.a_quantile_holistic",
    source="A §2",
    kind="statement",
    statement="""QUANTILE is holistic: of any two different bags of one size, some bag added to both makes the quantiles
    differ. So there are as many synopses as bags, more than any constant memory has states.""",
    remark="Of 0 < phi < 1, and of the median; the quantile for phi = 1 is MAX, which is distributive.",
)
@evidence(
    "exhaustive",
    scope="every two bags of up to {size} elements from 0 to 3; median, quantile 1/3, 0.9",
    size=3,
)
def bags_are_told_apart(size: int = 3) -> object:
    """Enough elements below or above all others move the asked rank to wherever the two bags differ."""

    def holds(name: str, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        g = aggregate(name)
        return any(
            g.over((*one, *added)) != g.over((*other, *added))
            for low, high in by_size(range(30), range(7))
            for added in [(-1,) * low + (9,) * high]
        )

    bags = [list(itertools.combinations_with_replacement(range(4), n)) for n in range(1, size + 1)]
    pairs = (pair for same_size in bags for pair in itertools.combinations(same_size, 2))
    names = ("median", "quantile(1/3)", "quantile(0.9)")
    return smallest(((name, *pair) for pair in pairs for name in names), holds)


@claim(
    "classes.s_top_k_holistic",
    source="S §2.1",
    kind="statement",
    statement="""Top-K is neither distributive nor algebraic: there is no k for which a synopsis of at most k elements of each
    of two bags gives that of both together.""",
    expected="refuted",
    remark="""Read as the k largest. The k most frequent, which others mean by Top-K (G §2.2.1), are holistic.""",
)
@evidence("exhaustive", scope="k = 1, two lists of up to three elements out of 0, 1, 2")
def no_small_synopsis() -> object:
    """A counterexample is a k for which there is such a synopsis, the k largest themselves."""
    return smallest([1], lambda k: merge_failure(k, 3) is not None)


@claim(
    "classes.top_k_algebraic",
    source="O classes",
    kind="statement",
    statement="""Top-K, the k largest with duplicates, is distributive: the answers over two parts, at most k elements each,
    give the answer over both.""",
    corrects="classes.s_top_k_holistic",
)
@evidence("exhaustive", scope="k from 1 to 3, two lists of up to three elements out of 0, 1, 2")
def the_k_largest_merge() -> object:
    return next((failure for k in (1, 2, 3) if (failure := merge_failure(k, 3)) is not None), None)


def merge_failure(k: int, longest: int) -> dict[str, Any] | None:
    """Two lists whose k largest do not give those of both, or are more than k."""

    def holds(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        ours, theirs = top_k(k).over(one), top_k(k).over(other)
        return max(len(ours), len(theirs)) <= k and top_k(k).over(one + other) == top_k(k).over(ours + theirs)

    every = list(lists((0, 1, 2), longest, 0))
    return smallest(by_size(every, every), holds)


# Invertible


def forgets(g: Aggregate, *triples: tuple[list[Any], list[Any], list[Any]]) -> dict[str, Any] | None:
    """(oldest, rest, other) with one total and two different answers over the rests: no function tells them apart."""
    for oldest, rest, other in triples:
        totals = [g.fold(map(g.partial, oldest + newer)) for newer in (rest, other)]
        if g.equal(*totals) and g.over(rest) != g.over(other):
            return {"oldest": oldest, "rest": rest, "other": other}
    return None


def some_triples(values: tuple[Any, ...]) -> list[tuple[list[Any], list[Any], list[Any]]]:
    """One or two oldest, and two rests that are one value, another one, or both."""
    alone = [([a], [b], [c]) for a, b, c in by_size(values, values, values)]
    return alone + [
        ([a, b], [c], other)
        for a, b, c, d in by_size(values, values, values, values)
        for other in ([d], [c, d])
    ]


BY_COSINE = [(math.cos(x), x) for x in range(5)]
BY_SQUARE = [(x * x, x) for x in (0, 1, -2, 3)]


@claim(
    "classes.a_subtractable",
    source="A §3.2",
    kind="statement",
    statement="""SUM, COUNT and AVG are subtractable: their synopsis of a bag less a part of it follows from those of both.
    MAX and MIN are not.""",
)
@claim(
    "classes.s_invertible",
    source="S §4.1",
    kind="statement",
    statement="""Sum, Count, Average and Standard Deviation are invertible, the last two by way of what they are made of; Max,
    Min, Range, Alphabetical Max, ArgMax of the cosine and ArgMin of the square are not.""",
    remark="Product, which stands in the same list, is a claim of its own.",
)
@evidence(
    "exhaustive",
    scope="every list of up to four integers from -1 to 2, cut anywhere; a lost answer for each other",
)
def invertible() -> object:
    def taken_off(name: str, values: tuple[int, ...]) -> bool:
        g = aggregate(name)
        total = g.fold(map(g.partial, values))
        return all(
            g.inverse is not None
            and g.lower(g.inverse(total, g.fold(map(g.partial, values[:cut])))) == g.over(values[cut:])
            for cut in range(len(values) + 1)
        )

    names = ("sum", "count", "mean", "stddev", "variance")
    kept = smallest(((name, v) for v in lists((0, 1, 2, -1), 4) for name in names), taken_off)
    if kept is not None:
        return kept
    domains: dict[str, tuple[Any, ...]] = {
        **{"max": (0, 1, 2), "min": (0, 1, 2), "range": (0, 1, 2, 3)},
        **{"arg_max": tuple(BY_COSINE), "arg_min": tuple(BY_SQUARE)},
    }
    texts: tuple[Any, ...] = ("a", "b", "c")
    return smallest(
        [*domains.items(), ("max", texts)],
        lambda name, values: forgets(aggregate(name), *some_triples(values)) is not None,
    )


@claim(
    "classes.s_product",
    source="S §4.1",
    kind="statement",
    statement="Product is invertible: some operation gives x from the product x * y and y, for all numbers x and y.",
    expected="refuted",
)
@evidence("exhaustive", scope="integers from 0 to 4")
def product_as_a_number() -> object:
    def holds(y: int, x: int, other: int) -> bool:
        return x * y != other * y or x == other

    return smallest(by_size(*[range(5)] * 3), holds)


def tables(n: int) -> Iterator[Table]:
    rows = list(itertools.product(range(n), repeat=n))
    return itertools.product(rows, repeat=n)


def associative(op: Table) -> bool:
    every = range(len(op))
    return all(op[op[x][y]][z] == op[x][op[y][z]] for x in every for y in every for z in every)


def with_identity(op: Table) -> bool:
    """Whether 0 is neutral: the names of the elements do not matter, so it may be that one."""
    return all(op[0][x] == x == op[x][0] for x in range(len(op)))


def takes_newest_off(op: Table) -> bool:
    """Whether some operation gives x from (x + y, y), for all x and y: no two x have one total."""
    every = range(len(op))
    return all(len({op[x][y] for x in every}) == len(op) for y in every)


def takes_oldest_off(op: Table) -> bool:
    return all(len(set(row)) == len(op) for row in op)


def chooses(op: Table) -> bool:
    return all(op[x][y] in (x, y) for x in range(len(op)) for y in range(len(op)))


@functools.cache
def semigroups() -> list[tuple[Table]]:
    """Every associative operation on up to three elements, each as a case of its own."""
    return [(op,) for n in (1, 2, 3) for op in tables(n) if associative(op)]


def monoids() -> list[tuple[Table]]:
    return [(op,) for (op,) in semigroups() if with_identity(op)]


@claim(
    "classes.s_not_invertible_chooses",
    source="S §2.1",
    kind="statement",
    statement="An operation of bounded size that is not invertible returns one of its two operands.",
    expected="refuted",
    remark="""Found on three elements: the multiplication of 1, -1 and 0, named 0, 1 and 2 there, where -1 times -1 is
    neither and 0 forgets. Counting up to a limit, the bitwise or, and Range are of this kind, too.""",
)
@evidence("exhaustive", scope="every associative operation with an identity on up to three elements")
def not_invertible_but_no_choice() -> object:
    return smallest(monoids(), lambda operation: takes_newest_off(operation) or chooses(operation))


@claim(
    "classes.choice_is_not_invertible",
    source="O classes",
    kind="theorem",
    statement="""An operation with an identity that returns one of its two operands is not invertible, unless the identity is
    all there is.""",
    corrects="classes.s_not_invertible_chooses",
)
@evidence("exhaustive", scope="every associative operation with an identity on up to three elements")
def choices_forget() -> object:
    return smallest(
        monoids(),
        lambda operation: len(operation) == 1 or not (chooses(operation) and takes_newest_off(operation)),
    )


@claim(
    "classes.s_oldest",
    source="S §2.3.2",
    kind="statement",
    statement="""Where an associative operation is invertible in the sense of S §2.1, (x + y) - y = x for all x and y, the
    expiring partial y, which is the oldest, can be taken off a running answer y + x.""",
    expected="refuted",
    remark="""On two elements already: x + y = x, the first. Taking the newest off is no work, and what came after the
    oldest is lost.""",
)
@evidence("exhaustive", scope="every associative operation on up to three elements")
def newest_is_not_oldest() -> object:
    return smallest(
        semigroups(), lambda operation: not takes_newest_off(operation) or takes_oldest_off(operation)
    )


@claim(
    "classes.oldest_if_commutative",
    source="O classes",
    kind="theorem",
    statement="""Where an associative operation is commutative and (x + y) - y = x for all x and y, the oldest partial can be
    taken off a running answer.""",
    corrects="classes.s_oldest",
)
@evidence("exhaustive", scope="every associative operation on up to three elements")
def commutative_ones_do() -> object:
    def holds(operation: Table) -> bool:
        order = all(x == y for x, y in zip(zip(*operation, strict=True), operation, strict=True))
        return not (order and takes_newest_off(operation)) or takes_oldest_off(operation)

    return smallest(semigroups(), holds)


@claim(
    "classes.s_or",
    source="S §3.1",
    kind="statement",
    statement="""Max, Min, Concatenate, First, Last, CountDistinct, CollectDistinct, ArgMax and ArgMin are not invertible or
    not commutative.""",
    remark="""It says "and" there, and "or" in the next sentence; with "and", Max is a counterexample: it is commutative.""",
)
@evidence("exhaustive", scope="one or two values each, out of three")
def not_invertible_or_not_commutative() -> object:
    domains: dict[str, tuple[Any, ...]] = {
        **dict.fromkeys(("max", "min", "first", "last", "count_distinct", "collect_distinct"), (0, 1, 2)),
        **dict.fromkeys(("arg_max", "arg_min"), ((0, "a"), (0, "b"), (1, "c"))),
        "concat": ("a", "b", "c"),
    }

    def holds(name: str, values: tuple[Any, ...]) -> bool:
        g = aggregate(name)
        swapped = any(g.over((a, b)) != g.over((b, a)) for a, b in by_size(values, values))
        return swapped or forgets(g, *some_triples(values)) is not None

    return smallest(domains.items(), holds)


# Associative


@claim(
    "classes.s_all_associative",
    source="S §2.2",
    kind="statement",
    statement="All operations that can be executed on a window of values are associative.",
    expected="refuted",
    remark="""Plain addition of floats is executed on windows everywhere. The exact sum keeps the law.""",
)
@evidence("exhaustive", scope="addition of tenths up to 0.9, as floats")
def plain_addition() -> object:
    tenths = [n / 10 for n in range(10)]
    return smallest(by_size(tenths, tenths, tenths), lambda x, y, z: (x + y) + z == x + (y + z))


NOT_ASSOCIATIVE: dict[str, tuple[Callable[[int, int], Any], range]] = {
    "subtraction": (operator.sub, range(3)),
    "division": (Fraction, range(1, 4)),
    "exponentiation": (operator.pow, range(4)),
    "nand": (lambda x, y: int(not (x and y)), range(2)),
    "nor": (lambda x, y: int(not (x or y)), range(2)),
}


@claim(
    "classes.s_not_associative",
    source="S §2.2",
    kind="statement",
    statement="Subtraction, division, exponentiation, NAND and NOR are not associative.",
)
@evidence("exhaustive", scope="numbers up to 3: each has its counterexample there")
def not_associative() -> object:
    def holds(name: str) -> bool:
        op, few = NOT_ASSOCIATIVE[name]
        return any(op(op(x, y), z) != op(x, op(y, z)) for x, y, z in itertools.product(few, repeat=3))

    return smallest(NOT_ASSOCIATIVE, holds)
