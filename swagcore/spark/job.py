"""What a user asked for, checked, and the events under names that the plans use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from swagcore.algebra import aggregate
from swagcore.errors import InvalidArgument, UnknownName
from swagcore.naive import MOST_ANSWERS
from swagcore.spark.recipes import INTEGRAL, ORDERED, Recipe, recipe_of
from swagcore.windows import Query, Window, query_set

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

EPOCH = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"
OWN_COLUMNS = ("query", "window_start", "window_end", "value")
FURTHEST = 2**62
LONGEST = 2**57
"""Integer times up to FURTHEST from zero, and ranges and slides up to LONGEST, leave room for all sums of them in a bigint."""


@dataclass(frozen=True)
class Asked:
    """One query in the stream's unit, its number among all, and its recipe."""

    number: int
    query: Query
    recipe: Recipe

    @property
    def window(self) -> Window:
        """The window, in the unit of the events' times."""
        return self.query.window


@dataclass(frozen=True)
class Job:
    """All queries over one frame. In `events` the keys are `k0`, `k1`, ..., the time is `t`, a bigint that is not null,
    values are `v0`, ... and order columns `o0`, ...; `clock` says what the time column was: "timestamp",
    "timestamp_ntz" or "integer".
    """

    frame: DataFrame
    time: str
    keys: tuple[str, ...]
    key_types: tuple[str, ...]
    columns: tuple[str, ...]
    order: tuple[str, ...]
    clock: str
    asked: tuple[Asked, ...]
    by_count: bool = False

    @property
    def key_columns(self) -> list[str]:
        """The names of the keys in `events`."""
        return [f"k{position}" for position in range(len(self.keys))]

    @property
    def event_order(self) -> list[str]:
        """By what events are ordered: time, then the order columns."""
        return ["t", *(f"o{position}" for position in range(len(self.order)))]

    @cached_property
    def events(self) -> DataFrame:
        """The events with a time; `ts` is that time as a timestamp, where it was one."""
        when = quoted(self.time)
        named = [
            f"{quoted(name)} AS {letter}{position}"
            for letter, columns in (("k", self.keys), ("v", self.columns), ("o", self.order))
            for position, name in enumerate(columns)
        ]
        if self.clock == "timestamp":
            named += [f"unix_micros({when}) AS t", f"{when} AS ts"]
        elif self.clock == "timestamp_ntz":  # a date is its midnight
            named.append(f"{wall_clock(f'CAST({when} AS timestamp_ntz)')} AS t")
        else:  # beyond the furthest time, the ends of windows would not fit a bigint
            fits = f"{when} BETWEEN -{FURTHEST}L AND {FURTHEST}L"
            refused = f"raise_error('swagcore: a time is beyond {FURTHEST}, the largest accepted')"
            named.append(f"CASE WHEN {fits} THEN CAST({when} AS bigint) ELSE {refused} END AS t")
        found = self.frame.where(f"{when} IS NOT NULL").selectExpr(*named)
        return self._numbered(found) if self.by_count else found

    def _numbered(self, found: DataFrame) -> DataFrame:
        """Events with their ordinal 0, 1, 2, ... of their key in place of their time."""
        from pyspark.sql import Window as Over
        from pyspark.sql import functions as F

        # Ties by value, as everywhere; of a type without an order, only `count` takes values: nulls are first.
        by = list(self.event_order)
        for position, name in enumerate(self.columns):
            plain = _plain(self.frame.schema[name].dataType.simpleString())
            by.append(f"v{position}" if plain else f"v{position} IS NOT NULL")
        over = Over.partitionBy(*self.key_columns).orderBy(*(F.expr(each).asc_nulls_first() for each in by))
        return found.withColumn("t", F.row_number().over(over).cast("bigint") - 1)

    def restored(self, time: str) -> str:
        """The expression for a time of the plans as the time column has it; a count stays a count."""
        if self.by_count or self.clock == "integer":
            return time
        return (
            f"timestamp_micros({time})"
            if self.clock == "timestamp"
            else f"timestampadd(MICROSECOND, {time}, {EPOCH})"
        )

    def only(self, asked: Iterable[Asked]) -> Job:
        """The same for some of the queries, which are numbered anew."""
        return replace(self, asked=tuple(replace(one, number=number) for number, one in enumerate(asked)))

    def split(self) -> list[Job]:
        """Windows over time and windows that count share nothing: a job for each that is there."""
        counting = [one for one in self.asked if one.window.by_count]
        timed = [one for one in self.asked if not one.window.by_count]
        jobs = [self.only(timed)] if timed else []
        return [*jobs, replace(self.only(counting), by_count=True)] if counting else jobs


def job_of(
    df: Any,
    queries: Iterable[Query],
    time: str,
    value: str | None,
    keys: Sequence[str],
    order: Sequence[str] | None,
    unit: str | None,
) -> Job:
    """The job, or an error that names what is wrong with it."""
    from pyspark.sql import DataFrame

    if not isinstance(df, DataFrame):
        raise InvalidArgument("df", df, "a Spark DataFrame")
    keys = _names("keys", keys)
    ordered_by = _names("order", order if order is not None else ())
    types = {field.name: field.dataType.simpleString() for field in df.schema.fields}
    named = [("time", time), *(("keys", key) for key in keys), *(("order", column) for column in ordered_by)]
    twice = _twice(df)
    for argument, name in named:
        _check(argument, name, types, twice)
    for key in keys:
        if key.lower() in OWN_COLUMNS:  # Spark takes names that differ in case for one
            raise InvalidArgument("keys", list(keys), f"other names than {key!r}, a column that answers have")
        if not _plain(types[key]):
            raise InvalidArgument(
                f"type of key {key!r}", types[key], "numbers, text, bytes, dates or booleans"
            )
    for column in ordered_by:
        if not _plain(types[column]):
            raise InvalidArgument(
                f"type of order column {column!r}", types[column], "numbers, text, bytes, dates or booleans"
            )
    clock = _clock(time, types[time])
    found = _in_unit(queries, clock, unit, time)
    if not found:
        raise InvalidArgument("queries", found, "at least one Query")

    columns: dict[str, int] = {}  # each column that is aggregated, and its number
    order_sql = ", ".join(["t", *(f"o{position}" for position in range(len(ordered_by)))])
    asked = []
    for number, query in enumerate(found):
        mine = query.value if query.value is not None else value
        if mine is None:
            raise InvalidArgument(
                "value", None, f"the name of a column, because query {query.name!r} has none of its own"
            )
        for role, wanted in (("value", mine), ("by", query.by)):
            if wanted is not None:
                _check(
                    f"{role} of query {query.name!r}" if wanted != value else "value", wanted, types, twice
                )
                columns.setdefault(wanted, len(columns))
        function = query.function
        if not _built_in(function.name) or aggregate(function.name) is not function:
            raise InvalidArgument(
                f"aggregate of query {query.name!r}",
                function,
                "a built-in one: Spark cannot run one of your own",
            )
        _check_window(query)
        recipe = recipe_of(
            query.name,
            function,
            f"v{columns[mine]}",
            types[mine],
            None if query.by is None else f"v{columns[query.by]}",
            None if query.by is None else types[query.by],
            order_sql,
        )
        asked.append(Asked(number, query, recipe))
    key_types = tuple(types[key] for key in keys)
    return Job(df, time, keys, key_types, tuple(columns), ordered_by, clock, tuple(asked))


def wall_clock(ntz: str) -> str:
    """The microseconds from 1970 to a timestamp without a zone. (`timestampdiff` would ask the session's zone.)

    >>> wall_clock("ts").startswith("(unix_date(CAST(ts AS date)) * 86400000000L")
    True
    """
    return (
        f"(unix_date(CAST({ntz} AS date)) * 86400000000L + hour({ntz}) * 3600000000L "
        f"+ minute({ntz}) * 60000000L + CAST(extract(SECOND FROM {ntz}) * 1000000 AS bigint))"
    )


def quoted(name: str) -> str:
    """A column's name as Spark takes it, whatever characters it has.

    >>> quoted("a.b"), quoted("tick`s")
    ('`a.b`', '`tick``s`')
    """
    return f"`{name.replace('`', '``')}`"


def _built_in(name: str) -> bool:
    try:
        aggregate(name)
    except InvalidArgument:
        return False
    return True


def _plain(type: str) -> bool:
    return type in ORDERED or type.startswith("decimal(")


def _names(argument: str, given: Any) -> tuple[str, ...]:
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, (list, tuple)) or not all(isinstance(name, str) and name for name in given):
        raise InvalidArgument(argument, given, 'a list of names of columns, such as ["symbol"]')
    for name in given:
        if given.count(name) > 1:
            raise InvalidArgument(argument, list(given), f"each column once; {name!r} is there twice")
    return tuple(given)


def _twice(df: DataFrame) -> list[str]:
    """The names that Spark finds more than one column under."""
    cased = df.sparkSession.conf.get("spark.sql.caseSensitive") == "true"
    met = [name if cased else name.lower() for name in df.columns]
    return [name for name, found in zip(df.columns, met, strict=True) if met.count(found) > 1]


def _check(argument: str, column: Any, types: dict[str, str], twice: list[str]) -> None:
    if not isinstance(column, str) or not column:
        raise InvalidArgument(argument, column, "the name of a column")
    if column not in types:
        raise UnknownName(argument, column, types)
    if column in twice:
        raise InvalidArgument(argument, column, "a name that one column of df has; more than one does")


def _check_window(query: Query) -> None:
    window = query.window
    if max(window.range, window.slide) > LONGEST:
        raise InvalidArgument(
            f"window of query {query.name!r}",
            window,
            f"a range and a slide of at most {LONGEST} units of time",
        )
    if window.range > window.slide * MOST_ANSWERS:
        raise InvalidArgument(
            f"window of query {query.name!r}",
            window,
            f"a slide with which an event is in at most {MOST_ANSWERS} instances",
        )


def _clock(time: str, type: str) -> str:
    if type in INTEGRAL:
        return "integer"
    if type == "timestamp":
        return "timestamp"
    if type in ("timestamp_ntz", "date"):
        return "timestamp_ntz"
    raise InvalidArgument(f"type of time column {time!r}", type, "a timestamp, a date or an integer")


def _in_unit(queries: Iterable[Query], clock: str, unit: str | None, time: str) -> list[Query]:
    if clock == "integer":
        return query_set(queries, unit)
    if unit is not None:
        raise InvalidArgument(
            "unit", unit, f"None, because column {time!r} holds timestamps, which need none"
        )
    given = list(queries) if isinstance(queries, Iterable) else queries
    found = query_set(given, "us")
    for query in given:
        if query.window.unit is None and not query.window.by_count:
            raise InvalidArgument(
                f"window of query {query.name!r}",
                query.window,
                f"durations such as '5 minutes', because column {time!r} holds timestamps",
            )
    return found
