"""Aggregates by name: the built-ins, the two families with a parameter, and what users register."""

from __future__ import annotations

import re
from collections.abc import Callable

from swagcore.algebra import collecting, numeric, ordered
from swagcore.algebra.aggregate import Aggregate
from swagcore.algebra.laws import check_laws
from swagcore.errors import InvalidArgument, UnknownName

_NAMED: dict[str, Aggregate] = {
    built_in.name: built_in
    for built_in in (
        numeric.count,
        numeric.sum,
        numeric.fast_sum,
        numeric.sum_squares,
        numeric.product,
        numeric.mean,
        numeric.variance,
        numeric.stddev,
        numeric.geometric_mean,
        ordered.min,
        ordered.max,
        ordered.spread,
        ordered.arg_min,
        ordered.arg_max,
        ordered.first,
        ordered.last,
        collecting.concat,
        numeric.any,
        numeric.all,
        collecting.count_distinct,
        collecting.collect_distinct,
        ordered.median,
    )
}
_ALIASES = {"range": "spread"}
_PARTS = {
    part.name: part
    for part in (
        numeric.total,
        numeric.total_squares,
        numeric.total_logarithms,
        numeric.fast_total,
        numeric.factors,
    )
}
_FAMILIES: dict[str, Callable[[str], Aggregate]] = {
    "quantile": ordered.quantile,
    "top_k": lambda text: ordered.top_k(_whole(text)),
}
_BUILT_IN = {*_NAMED, *_ALIASES, *_PARTS, *_FAMILIES}


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidArgument("k", text, "a positive integer") from None


def aggregates() -> list[str]:
    """The names that `aggregate` takes, aliases and registered ones included; beside them "quantile(phi)", "top_k(k)".

    >>> {"sum", "max", "range", "median"} <= set(aggregates())
    True
    """
    return sorted([*_NAMED, *_ALIASES])


def aggregate(name: str | Aggregate) -> Aggregate:
    """The aggregate of that name; an Aggregate is returned as it is.

    >>> aggregate("max"), aggregate("range"), aggregate("quantile(0.9)"), aggregate("top_k(3)")
    (<aggregate max>, <aggregate spread>, <aggregate quantile(0.9)>, <aggregate top_k(3)>)
    >>> aggregate("maximum")
    Traceback (most recent call last):
        ...
    swagcore.errors.UnknownName: aggregate is 'maximum'; expected one of ... (did you mean 'max'?)
    """
    if isinstance(name, Aggregate):
        return name
    if isinstance(name, str):
        found = _NAMED.get(_ALIASES.get(name, name)) or _PARTS.get(name)
        if found:
            return found
        call = re.fullmatch(r"\s*(\w+)\s*\(\s*([^()]*?)\s*\)\s*", name)
        if call and call[1] in _FAMILIES:
            return _FAMILIES[call[1]](call[2])
    raise UnknownName("aggregate", name, [*aggregates(), "quantile(phi)", "top_k(k)"])


def register(user_aggregate: Aggregate) -> Aggregate:
    """Name a user's aggregate, after its declared laws were tried on its examples; a false one is refused.

    >>> longest = Aggregate("longest_word", lift=str, lower=str, identity="", selective=True, idempotent=True,
    ...                     combine=lambda a, b: b if len(b) > len(a) else a, examples=["a", "bb", "cc"])
    >>> register(longest) is aggregate("longest_word")
    True
    >>> register(Aggregate("latest", lift=str, combine=lambda a, b: b or a, identity="", commutative=True,
    ...                    examples=["a", "b"]))
    Traceback (most recent call last):
        ...
    swagcore.errors.LawViolation: aggregate 'latest' is not commutative: combine('a', 'b') is 'b', combine('b', 'a') is 'a'
    """
    if not isinstance(user_aggregate, Aggregate):
        raise InvalidArgument("aggregate to register", user_aggregate, "an Aggregate")
    name = user_aggregate.name
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise InvalidArgument("name of an aggregate to register", name, "letters, digits and underscores")
    if name in _BUILT_IN:
        raise InvalidArgument("name of an aggregate to register", name, "one that no built-in has")
    check_laws(user_aggregate)
    _NAMED[name] = user_aggregate
    return user_aggregate
