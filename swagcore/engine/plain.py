"""Partials as plain data: what a snapshot holds is None, booleans, numbers, strings, lists and dicts, and so is JSON.

Everything else an aggregate of ours keeps is written as a dict with one key that names its type.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from typing import Any

from swagcore.algebra.exact import Factors, Scaled
from swagcore.errors import InvalidArgument

LARGE = 1 << 1024
"""Integers from here on are written in hexadecimal: Python refuses to write very long decimals."""

_READERS: dict[str, Callable[[Any], Any]] = {
    "int": lambda text: int(text, 16),
    "float": float,
    "fraction": lambda pair: Fraction(*map(from_plain, pair)),
    "decimal": Decimal,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
    "tuple": lambda elements: tuple(map(from_plain, elements)),
    "set": lambda elements: frozenset(map(from_plain, elements)),
    "dict": lambda pairs: {from_plain(key): from_plain(value) for key, value in pairs},
    "scaled": lambda fields: Scaled(*map(from_plain, fields)),
    "factors": lambda fields: Factors(*map(from_plain, fields)),
}
_SEQUENCES = {tuple: "tuple", frozenset: "set", Scaled: "scaled", Factors: "factors"}
_TEXTS = {date: "date", datetime: "datetime", time: "time"}


def to_plain(value: Any) -> Any:
    """The value as plain data; what cannot be written so is an error that names it.

    >>> to_plain((1, 2.5, "a", None, frozenset([3])))
    {'tuple': [1, 2.5, 'a', None, {'set': [3]}]}
    >>> to_plain(float("nan")), to_plain(Decimal("1.50"))
    ({'float': 'nan'}, {'decimal': '1.50'})
    """
    kind = type(value)
    if value is None or kind in (bool, str):
        return value
    if kind is int:
        return value if -LARGE < value < LARGE else {"int": hex(value)}
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if kind is list:
        return [to_plain(element) for element in value]
    if kind is dict:
        return {"dict": [[to_plain(key), to_plain(element)] for key, element in value.items()]}
    if kind in _SEQUENCES:
        return {_SEQUENCES[kind]: [to_plain(element) for element in value]}
    if kind is Fraction:
        return {"fraction": [to_plain(value.numerator), to_plain(value.denominator)]}
    if kind is Decimal:
        return {"decimal": str(value)}
    if kind in _TEXTS:
        return {_TEXTS[kind]: value.isoformat()}
    raise InvalidArgument(
        "partial or key to snapshot",
        value,
        "None, numbers, strings, dates, and lists, tuples, dicts and frozensets of them",
    )


def from_plain(data: Any) -> Any:
    """The value that `to_plain` wrote.

    >>> from_plain(to_plain({"a": (1, Fraction(1, 3))}))
    {'a': (1, Fraction(1, 3))}
    """
    if isinstance(data, list):
        return [from_plain(element) for element in data]
    if isinstance(data, dict):
        ((name, content),) = data.items() if len(data) == 1 else (("", None),)
        if name not in _READERS:
            raise InvalidArgument("value in a snapshot", data, f"a dict with one of {', '.join(_READERS)}")
        return _READERS[name](content)
    return data
