"""Windows, queries and answers: the words in which questions about a stream are put.

Time is an integer. Window instances are half-open intervals `[start, start + range)`, one every `slide`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from swagcore.algebra import Aggregate, aggregate
from swagcore.durations import MICROSECONDS, microseconds, unit_named
from swagcore.errors import InvalidArgument, UnknownName

Steps: TypeAlias = range  # the built-in, under a name that no attribute of Window hides


@dataclass(frozen=True, init=False, slots=True)
class Window:
    """The instances `[offset + k*slide, offset + k*slide + range)` for every integer k, also before time 0.

    Range and slide are positive integers in the stream's unit, or durations; the offset is kept modulo the slide.
    `slide > range` is legal: events in the gaps are then in no window. `lag`: the same instances, reported that much
    later, so the historical window `[T_L, T_R]` is `Window(T_L - T_R, slide, lag=T_R)`.

    - Make one: `Window(...)`, `Window.ending` (its ends on the multiples of the slide), `Window.count` (of events).
    - Ask it: `starts` (which instances contain a time), `edges` (where it cuts the stream), `to_unit`.

    A window given in durations is kept in microseconds (`unit == "us"`) until the stream's unit is known; `unit="s"`
    says at once that the stream's times are whole seconds.

    >>> Window(10, 4, offset=6)
    Window(range=10, slide=4, offset=2)
    >>> Window("5 minutes", "1 minute", unit="s") == Window(300, 60)
    True
    """

    range: int
    slide: int
    offset: int
    lag: int
    by_count: bool
    unit: str | None

    def __init__(
        self,
        range: int | str,
        slide: int | str,
        offset: int | str = 0,
        *,
        lag: int | str = 0,
        unit: str | None = None,
        by_count: bool = False,
    ) -> None:
        given = {"range": range, "slide": slide, "offset": offset, "lag": lag}
        if not isinstance(by_count, bool):
            raise InvalidArgument("by_count", by_count, "True or False")
        if unit is not None:
            unit = unit_named(unit)
        if any(isinstance(size, str) for size in given.values()):
            if by_count:
                raise InvalidArgument(
                    "a window that counts events", given, "whole numbers of events, not durations"
                )
            sizes, kept_unit = _durations(given, unit), "us" if unit is None else None
        else:
            sizes, kept_unit = {name: _integer(name, size) for name, size in given.items()}, None
        for name in ("range", "slide"):
            if sizes[name] <= 0:
                raise InvalidArgument(name, given[name], "a positive integer, or a duration longer than zero")
        if sizes["lag"] < 0:
            raise InvalidArgument("lag", lag, "an integer that is not negative")
        sizes["offset"] %= sizes["slide"]
        for name, size in {**sizes, "by_count": by_count, "unit": kept_unit}.items():
            object.__setattr__(self, name, size)

    @classmethod
    def ending(
        cls,
        range: int | str,
        slide: int | str,
        offset: int | str = 0,
        *,
        lag: int | str = 0,
        unit: str | None = None,
    ) -> Window:
        """The window whose ends, not starts, are on the multiples of the slide (plus offset): "at 10, the last 7".

        >>> Window.ending(10, 4), Window.ending("10 s", "4 s", unit="s")
        (Window(range=10, slide=4, offset=2), Window(range=10, slide=4, offset=2))
        """
        window = cls(range, slide, offset, lag=lag, unit=unit)
        return replace_offset(window, window.offset - window.range)

    @classmethod
    def count(cls, range: int, slide: int, offset: int = 0, *, lag: int = 0) -> Window:
        """A window over the events' ordinals 0, 1, 2, ... (per key) in place of their times.

        >>> Window.count(100, 10)
        Window.count(range=100, slide=10)
        """
        return cls(range, slide, offset, lag=lag, by_count=True)

    def starts(self, time: int) -> Steps:
        """The starts of the instances that contain a time, in order.

        >>> list(Window(10, 4).starts(9)), list(Window(2, 5).starts(3)), list(Window(2, 1).starts(-1))
        ([0, 4, 8], [], [-2, -1])
        """
        try:
            first = time - self.range + 1  # the earliest start whose instance still reaches the time
            return Steps(first + (self.offset - first) % self.slide, time + 1, self.slide)
        except TypeError:
            raise InvalidArgument("time", time, "an integer") from None

    def ends(self, first: int, before: int) -> Steps:
        """The ends of instances from a time on and before another, in order.

        >>> list(Window(10, 4).ends(0, 12)), list(Window(2, 5, 1).ends(0, 10))
        ([2, 6, 10], [3, 8])
        """
        try:
            return Steps(first + (self.offset + self.range - first) % self.slide, before, self.slide)
        except TypeError:
            raise InvalidArgument("first and before", (first, before), "two integers") from None

    def edges(self, slicing: str = "pairs") -> list[tuple[int, int]]:
        """Where the window cuts the stream, as (residue, modulus): cuts at every t with t % modulus == residue.

        Pairs cut at starts and ends, Cutty at starts alone, panes at every gcd(range, slide).

        >>> Window(10, 4).edges(), Window(10, 4).edges("cutty"), Window(10, 4, 1).edges("panes")
        ([(0, 4), (2, 4)], [(0, 4)], [(1, 2)])
        """
        if slicing == "pairs":
            return [
                (residue, self.slide)
                for residue in sorted({self.offset, (self.offset + self.range) % self.slide})
            ]
        if slicing == "cutty":
            return [(self.offset, self.slide)]
        if slicing == "panes":
            step = math.gcd(self.range, self.slide)
            return [(self.offset % step, step)]
        raise UnknownName("slicing", slicing, ["panes", "pairs", "cutty"])

    def to_unit(self, unit: str | None) -> Window:
        """The window in the stream's unit: a window in plain integers, or one that counts, is there already.

        >>> Window("5 minutes", "1 minute").to_unit("s")
        Window(range=300, slide=60)
        >>> Window("1500 ms", "1 s").to_unit("s")
        Traceback (most recent call last):
            ...
        swagcore.errors.InvalidArgument: range is '1500000 us'; expected a whole number of the stream's unit, 's'
        """
        if unit is not None:
            unit = unit_named(unit)
        if self.unit is None:
            return self
        if unit is None:
            raise InvalidArgument(
                "unit of the stream", None, f"a unit such as 's', because {self!r} is given in durations"
            )
        range, slide, offset, lag = (f"{size} us" for size in (self.range, self.slide, self.offset, self.lag))
        return Window(range, slide, offset, lag=lag, unit=unit)

    def __repr__(self) -> str:
        shown = [f"range={self.range}", f"slide={self.slide}"]
        shown += [f"{name}={getattr(self, name)!r}" for name in ("offset", "lag") if getattr(self, name)]
        if self.unit:
            shown = [f"{piece.replace('=', '=' + chr(39))} {self.unit}'" for piece in shown]
        return f"Window{'.count' if self.by_count else ''}({', '.join(shown)})"


def replace_offset(window: Window, offset: int) -> Window:
    """The same window with other starts.

    >>> replace_offset(Window(10, 4), 7)
    Window(range=10, slide=4, offset=3)
    """
    moved = Window(window.range, window.slide, offset, lag=window.lag, by_count=window.by_count)
    object.__setattr__(moved, "unit", window.unit)
    return moved


def _integer(name: str, value: Any) -> int:
    if isinstance(value, bool):
        raise InvalidArgument(name, value, "an integer")
    try:
        return operator.index(value)
    except TypeError:
        raise InvalidArgument(name, value, 'an integer, or a duration such as "5 minutes"') from None


def _durations(given: Mapping[str, Any], unit: str | None) -> dict[str, int]:
    """All of them in one unit; a bare number among durations has none, unless it is zero."""
    step = 1 if unit is None else MICROSECONDS[unit]
    sizes = {}
    for name, size in given.items():
        if isinstance(size, str):
            sizes[name], rest = divmod(microseconds(size, name, signed=name == "offset"), step)
            if rest:
                raise InvalidArgument(name, size, f"a whole number of the stream's unit, {unit!r}")
        elif _integer(name, size) == 0:
            sizes[name] = 0
        else:
            raise InvalidArgument(
                name, size, "a duration such as '5 minutes', because the window is given in durations"
            )
    return sizes


@dataclass(frozen=True, slots=True)
class Query:
    """A question about a stream: one aggregate over one window.

    `value` and `by` name columns of its own, where events carry rows (mappings) instead of values: the query sees
    `row[value]`, or the pair `(row[by], row[value])`. `emit_empty`: also answer, per key, for the empty instances
    between that key's first and last event.

    >>> Query(name="high", aggregate="max", window=Window(10, 4)).function
    <aggregate max>
    """

    name: str
    aggregate: str | Aggregate
    window: Window
    value: str | None = None
    by: str | None = None
    emit_empty: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise InvalidArgument("name of a query", self.name, "a non-empty string")
        if not isinstance(self.window, Window):
            raise InvalidArgument(f"window of query {self.name!r}", self.window, "a Window")
        for column in (self.value, self.by):
            if column is not None and not isinstance(column, str):
                raise InvalidArgument(
                    f"column of query {self.name!r}", column, "the name of a column, or None"
                )
        if self.by is not None and self.value is None:
            raise InvalidArgument(f"value of query {self.name!r}", None, "a column, because by names one")
        if not isinstance(self.emit_empty, bool):
            raise InvalidArgument(f"emit_empty of query {self.name!r}", self.emit_empty, "True or False")
        aggregate(self.aggregate)

    @property
    def function(self) -> Aggregate:
        """The aggregate itself, where `aggregate` may be its name."""
        return aggregate(self.aggregate)

    def pick(self, value: Any) -> Any:
        """What of an event's value this query sees.

        >>> Query("v", "sum", Window(5, 5), value="price").pick({"price": 3, "size": 8})
        3
        """
        if self.value is None or value is None:
            return value
        columns = [self.value] if self.by is None else [self.by, self.value]
        if not isinstance(value, Mapping):
            raise InvalidArgument("value of an event", value, f"a mapping with {', '.join(columns)}")
        for column in columns:
            if column not in value:
                raise UnknownName(f"column of query {self.name!r}", column, map(str, value))
        return value[self.value] if self.by is None else (value[self.by], value[self.value])


class Answer(NamedTuple):
    """What a query says of one window instance `[start, end)` and one key.

    >>> Answer("high", 0, 10, 7)
    Answer(query='high', start=0, end=10, value=7, key=None)
    """

    query: str
    start: int
    end: int
    value: Any
    key: Any = None


def query_set(queries: Iterable[Query], unit: str | None = None) -> list[Query]:
    """The queries as a list, with windows in the stream's unit; two of one name are an error.

    >>> query_set([Query("a", "max", Window("1 min", "30 s"))], unit="s")[0].window
    Window(range=60, slide=30)
    """
    try:
        found = list(queries)
    except TypeError:
        raise InvalidArgument("queries", queries, "a list of Query") from None
    names: set[str] = set()
    for query in found:
        if not isinstance(query, Query):
            raise InvalidArgument("query", query, "a Query")
        if query.name in names:
            raise InvalidArgument("name of a query", query.name, "a name that no other query of the set has")
        names.add(query.name)
    return [replace(query, window=query.window.to_unit(unit)) for query in found]
