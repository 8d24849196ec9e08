"""Data that matters: the values on which windows go wrong, by name, each list with its simplest value first.

Negatives, zeros, ties, runs that rise or fall, NaN and infinities, huge and tiny floats, huge integers, strings.
`data_for` says which of them an aggregate takes. Values of one stream are of one kind, so a case draws from one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from swagcore.algebra import Aggregate, aggregate
from swagcore.errors import InvalidArgument, SwagError, UnknownName
from swagcore.testing.free_monoid import spans, words


@dataclass(frozen=True)
class Data:
    """One kind of data: its values, simplest first, and a way to draw a stream of them.

    >>> DATA["ints"].simplest[:4]
    (0, 1, 2, 3)
    >>> DATA["ints"].draw(random.Random(1), 5) == DATA["ints"].draw(random.Random(1), 5)
    True
    """

    name: str
    simplest: tuple[Any, ...]
    ordered: bool = False
    number_them: Callable[[int], Any] | None = field(default=None, repr=False)
    """Where a value is its position under another name: the value of the i-th insert."""

    def draw(self, chance: random.Random, length: int) -> list[Any]:
        """A stream of that many values: mixed, of a few values only, constant, rising or falling."""
        if self.number_them:
            return [self.number_them(position) for position in range(length)]
        shape = chance.choice(("mixed", "mixed", "ties", "constant", "rising", "falling"))
        pool = list(self.simplest)
        if shape == "ties":
            pool = chance.sample(pool, min(2, len(pool)))
        elif shape == "constant":
            pool = [chance.choice(pool)]
        values = chance.choices(pool, k=length)
        if self.ordered and shape in ("rising", "falling"):
            values.sort(key=lambda value: (value != value, value), reverse=shape == "falling")
        return values


def _letter(position: int) -> str:
    """a, b, ... z, a1, b1, ..."""
    turn, letter = divmod(position, 26)
    return chr(ord("a") + letter) + (str(turn) if turn else "")


def _pairs(bys: Iterable[Any]) -> tuple[Any, ...]:
    """Pairs whose second half tells them apart where the first is equal."""
    return tuple((by, name) for by in bys for name in ("a", "b"))


DATA: dict[str, Data] = {
    data.name: data
    for data in (
        Data("ints", (0, 1, 2, 3, -1, -2, -3, 7, -8, 10), ordered=True),
        Data("positives", (1, 2, 3, 4, 5, 8, 9), ordered=True),
        Data(
            "huge", (0, 1, -1, 2**31, 2**53 + 1, 2**63, -(2**63), 2**64 - 1, 10**30, -(10**30)), ordered=True
        ),
        Data("floats", (0.0, 1.0, 2.0, 3.0, -1.0, -2.0, 0.5, -2.5, -0.0, 0.1, 0.2, 0.3), ordered=True),
        Data("wide", (0.0, 1.0, -1.0, 0.1, 1e16, -1e16, 1e-300, 5e-324, 1.7e308, -1.7e308), ordered=True),
        Data("specials", (0.0, 1.0, 2.0, -1.0, -0.0, math.inf, -math.inf, math.nan), ordered=True),
        Data("strings", ("a", "b", "c", "", "ab", "ba", "B", "é"), ordered=True),
        Data("bools", (False, True), ordered=True),
        Data("pairs", _pairs((0, 1, 2, -1, -5))),
        Data("special_pairs", _pairs((0.0, 1.0, -1.0, -0.0, math.inf, -math.inf, math.nan))),
        Data("letters", (), number_them=_letter),
        Data("positions", (), number_them=lambda position: position),
    )
}
"""The kinds of data by name."""

_NUMBERS = ("ints", "floats", "huge", "wide", "specials")
_ORDERED = (*_NUMBERS, "strings")
_ANYTHING = (*_ORDERED, "bools")
_PAIRS = ("pairs", "special_pairs")
_TAKEN_BY = {
    **dict.fromkeys(
        ("sum", "fast_sum", "sum_squares", "mean", "variance", "stddev", "spread", "median"), _NUMBERS
    ),
    **dict.fromkeys(("total", "total_squares", "fast_total"), _NUMBERS),
    **dict.fromkeys(("product", "factors", "geometric_mean", "total_logarithms"), ("positives", *_NUMBERS)),
    **dict.fromkeys(("min", "max", "quantile", "top_k"), _ORDERED),
    **dict.fromkeys(("any", "all"), ("bools", *_NUMBERS)),
    **dict.fromkeys(("count", "first", "last", "count_distinct", "collect_distinct"), _ANYTHING),
    **dict.fromkeys(("arg_min", "arg_max"), _PAIRS),
    "concat": ("letters", "strings"),
}


def data_for(function: Aggregate | str, only: Iterable[str] | str | None = None) -> list[Data]:
    """The kinds of data that an aggregate takes; `only` names those that are wanted.

    A built-in takes all kinds of its domain. An aggregate of your own takes its `examples`; without examples, what
    it lifts of integers, strings, booleans and pairs (not floats: whether its laws hold on them is not known).

    >>> [data.name for data in data_for("concat")], [data.name for data in data_for("max", only="ints")]
    (['letters', 'strings'], ['ints'])
    >>> data_for(Aggregate("mine", lift=int, combine=max, identity=0, examples=[1, 2]))[0].simplest
    (1, 2)
    """
    function = aggregate(function)
    found = _taken_by(function)
    if only is None:
        return found
    if not isinstance(only, Iterable):
        raise InvalidArgument("data", only, f"names of data, some of {', '.join(DATA)}")
    names = [only] if isinstance(only, str) else list(only)
    for name in names:
        if name not in DATA:
            raise UnknownName("data", name, DATA)
    chosen = [data for data in found if data.name in names]
    if not chosen:
        taken = ", ".join(data.name for data in found)
        raise InvalidArgument("data", names, f"some that aggregate {function.name!r} takes, one of {taken}")
    return chosen


def data_of(values: Iterable[Any]) -> Data:
    """A user's own values as a kind of data, the simplest first as given.

    >>> data_of([5, 7]).simplest
    (5, 7)
    """
    try:
        pool = tuple(values)
    except TypeError:
        pool = ()
    if not pool:
        raise InvalidArgument("values", values, "a list of one or more values to draw from")
    try:
        sorted(pool)
    except TypeError:
        return Data("values", pool)
    return Data("values", pool, ordered=True)


def built_in(function: Aggregate) -> bool:
    """Whether this very aggregate, not one of the same name, is found by its name.

    >>> built_in(aggregate("max")), built_in(Aggregate("max", lift=int, combine=max, identity=0))
    (True, False)
    """
    try:
        return aggregate(function.name) is function
    except SwagError:
        return False


def _taken_by(function: Aggregate) -> list[Data]:
    if function is words:
        return [DATA["letters"]]
    if function is spans:
        return [DATA["positions"]]
    names = _TAKEN_BY.get(function.name.partition("(")[0])
    if names and built_in(function):
        return [DATA[name] for name in names]
    if function.examples:
        return [data_of(value for value in function.examples if value is not None)]
    found = [DATA[name] for name in ("ints", "strings", "bools", "pairs") if _takes(function, DATA[name])]
    if not found:
        raise InvalidArgument(
            f"examples of aggregate {function.name!r}",
            function.examples,
            "values that it can lift, to test it with",
        )
    return found


def _takes(function: Aggregate, data: Data) -> bool:
    try:
        function.over(data.simplest)
    except Exception:
        return False
    return True
