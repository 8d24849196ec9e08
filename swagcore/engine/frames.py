"""Tables of pandas, Arrow and Polars: a table of events in, a table of answers of the same library out.

- `windows(table, queries, time=..., value=..., keys=[...])`: all answers in one table.
- `tables(...)`: the same as one table a query, each with its own type of value.
- `events(...)`: a table's rows as events, for `run` and `Engine`.

None of the three libraries is needed to import this, and each needs only itself. Times are integers, or timestamps:
those are counted in microseconds, exactly, the windows have to be durations, and the answers' windows are timestamps
again. Rows are sorted by time, those of one time stay in their order; a row without a time is left out, as in SQL. In a
pandas column of floats NaN means that there is no value, as it does to pandas itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from swagcore.engine.engine import run
from swagcore.errors import InvalidArgument, SwagError, UnknownName
from swagcore.windows import Answer, Query, query_set

ANSWER_COLUMNS = ("query", "window_start", "window_end", "value")


def windows(
    table: Any,
    queries: Iterable[Query],
    *,
    time: str,
    value: str | None = None,
    keys: Iterable[str] = (),
    unit: str | None = None,
    technique: str = "auto",
    slicing: str = "pairs",
    optimizer: Any = None,
) -> Any:
    """The answers over a table's rows, as a table with query, the keys, window_start, window_end and value.

    `value` is the column that queries without columns of their own see. All values have to be of one type; where
    queries differ in theirs, an error names the types, and `tables` gives each query its own table.

    >>> import polars
    >>> from swagcore.windows import Window
    >>> trades = polars.DataFrame({"ts": [0, 1, 3], "price": [3, 8, 5]})
    >>> windows(trades, [Query("high", "max", Window(4, 2))], time="ts", value="price").rows()
    [('high', -2, 2, 8), ('high', 0, 4, 8), ('high', 2, 6, 5)]
    """
    rows = _rows(table, queries, time, value, keys, unit)
    counting = {query.window.by_count for query in rows.queries}
    if rows.timestamps and len(counting) == 2:
        raise InvalidArgument(
            "queries",
            [query.name for query in rows.queries],
            "all over time or all over counts; or use tables()",
        )
    answers = list(run(rows.queries, rows.events, technique, slicing, optimizer))
    return _answer_table(rows, answers, rows.timestamps and True not in counting)


def tables(
    table: Any,
    queries: Iterable[Query],
    *,
    time: str,
    value: str | None = None,
    keys: Iterable[str] = (),
    unit: str | None = None,
    technique: str = "auto",
    slicing: str = "pairs",
    optimizer: Any = None,
) -> dict[str, Any]:
    """The answers as one table a query, by its name, computed together.

    >>> import polars
    >>> from swagcore.windows import Window
    >>> trades = polars.DataFrame({"ts": [0, 1, 3], "price": [3, 8, 5]})
    >>> asked = [Query(name, name, Window(4, 4)) for name in ("mean", "count")]
    >>> {name: found["value"].to_list() for name, found in tables(trades, asked, time="ts", value="price").items()}
    {'mean': [5.333333333333333], 'count': [3]}
    """
    rows = _rows(table, queries, time, value, keys, unit)
    answers: dict[str, list[Answer]] = {query.name: [] for query in rows.queries}
    for answer in run(rows.queries, rows.events, technique, slicing, optimizer):
        answers[answer.query].append(answer)
    return {
        query.name: _answer_table(rows, answers[query.name], rows.timestamps and not query.window.by_count)
        for query in rows.queries
    }


def events(
    table: Any, *, time: str, value: str | list[str] | None = None, keys: Iterable[str] = ()
) -> list[tuple[int, Any, Any]]:
    """A table's rows as events (time, value, key), sorted by time; timestamps in microseconds since 1970.

    `value` is a column, or a list of columns: then a value is a dict of them, for queries with columns of their own. The
    key is None without key columns, a value with one, a tuple with several.

    >>> import polars
    >>> trades = polars.DataFrame({"ts": [3, 1], "price": [5, 8], "symbol": ["a", "b"]})
    >>> events(trades, time="ts", value="price", keys=["symbol"])
    [(1, 8, 'b'), (3, 5, 'a')]
    """
    library = _library(table)
    return _events(library, table, _times(library, table, time)[0], value, _names("keys", keys))


def _events(
    library: str, table: Any, times: list[int | None], value: str | list[str] | None, keys: list[str]
) -> list[tuple[int, Any, Any]]:
    key_columns = [_column(library, table, key) for key in keys]
    of_value: Callable[[int], Any]
    if value is None:
        of_value = lambda row: None
    elif isinstance(value, str):
        of_value = _column(library, table, value).__getitem__
    else:
        columns = {name: _column(library, table, name) for name in _names("value", value)}
        of_value = lambda row: {name: column[row] for name, column in columns.items()}
    order = sorted((moment, row) for row, moment in enumerate(times) if moment is not None)
    return [(moment, of_value(row), _key([column[row] for column in key_columns])) for moment, row in order]


class _Rows(NamedTuple):
    """What a call is about: the queries in the stream's unit, its events, and how to make a table like the one given."""

    queries: list[Query]
    events: list[tuple[int, Any, Any]]
    library: str
    keys: list[str]
    timestamps: bool
    zone: str | None


def _rows(
    table: Any, queries: Iterable[Query], time: str, value: str | None, keys: Iterable[str], unit: str | None
) -> _Rows:
    library, names = _library(table), _names("keys", keys)
    for name in names:
        if name in ANSWER_COLUMNS:
            raise InvalidArgument("keys", names, f"other names than {name!r}, a column that answers have")
    times, zone = _times(library, table, time)
    timestamps = zone is not None
    asked = list(queries)
    if timestamps and unit not in (None, "us"):
        raise InvalidArgument("unit", unit, f"none, because column {time!r} holds timestamps")
    own = [column for query in asked for column in (query.value, query.by) if column is not None]
    if own and value is not None:
        own.append(value)
        # Those without a column of their own see the table's.
        asked = [
            query
            if query.value is not None
            else Query(query.name, query.aggregate, query.window, value, None, query.emit_empty)
            for query in asked
        ]
    for query in asked:
        if timestamps and query.window.unit is None and not query.window.by_count:
            raise InvalidArgument(
                f"window of query {query.name!r}",
                query.window,
                f"one in durations such as '5 minutes', because column {time!r} holds timestamps",
            )
    found = _events(library, table, times, list(dict.fromkeys(own)) or value, names)
    asked = query_set(asked, "us" if timestamps else unit)
    return _Rows(asked, found, library, names, timestamps, zone or None)


def _names(what: str, given: Iterable[str]) -> list[str]:
    if isinstance(given, str):
        raise InvalidArgument(what, given, f"a list of columns, such as [{given!r}]")
    names = list(given)
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise InvalidArgument(what, names, "names of columns, each once")
    return names


def _key(values: list[Any]) -> Any:
    return None if not values else values[0] if len(values) == 1 else tuple(values)


# What differs from library to library


def _library(table: Any) -> str:
    kind = type(table)
    found = kind.__module__.partition(".")[0], kind.__name__
    for library, names in (
        ("pandas", ("DataFrame",)),
        ("polars", ("DataFrame",)),
        ("pyarrow", ("Table", "RecordBatch")),
    ):
        if found[0] == library and found[1] in names:
            return library
    raise InvalidArgument(
        "table", type(table).__name__, "a table of pandas, Polars or Arrow (collected, not lazy)"
    )


def _named(library: str, table: Any, name: str) -> Any:
    present = list(map(str, table.column_names if library == "pyarrow" else table.columns))
    if name not in present:
        raise UnknownName("column", name, present)
    return table.column(name) if library == "pyarrow" else table[name]


def _column(library: str, table: Any, name: str) -> list[Any]:
    """A column as Python's own values, None for a null."""
    column = _named(library, table, name)
    if library == "pandas":
        return [None if null else x for x, null in zip(column.tolist(), column.isna().tolist(), strict=True)]
    return list(column.to_list() if library == "polars" else column.to_pylist())


def _times(library: str, table: Any, name: str) -> tuple[list[int | None], str | None]:
    """The times as integers, None for a null; and for timestamps their time zone, "" if they have none."""
    column = _named(library, table, name)
    kind = str(column.type if library == "pyarrow" else column.dtype)
    if kind.lower().startswith(("int", "uint")):
        return _column(library, table, name), None
    problem: Exception | None = None
    if kind.lower().startswith(("datetime", "timestamp", "date")):
        try:
            return _microseconds(library, column)
        except (ValueError, OverflowError, ArithmeticError) as inexact:
            if isinstance(inexact, SwagError):
                raise
            problem = inexact
    raise InvalidArgument(
        f"column {name!r}",
        kind,
        "integers, or timestamps in whole microseconds" + (f" ({problem})" if problem else ""),
    )


def _microseconds(library: str, column: Any) -> tuple[list[int | None], str]:
    """Timestamps, exactly, or a ValueError."""
    if library == "pyarrow":
        import pyarrow

        zone = getattr(column.type, "tz", None) or ""
        exact = column.cast(
            pyarrow.timestamp("us", tz=zone or None)
        )  # an error where something would be lost
        return exact.cast(pyarrow.int64()).to_pylist(), zone
    if library == "polars":
        import polars

        zone = getattr(column.dtype, "time_zone", None) or ""
        if getattr(column.dtype, "time_unit", "us") == "ns":
            nanoseconds = column.dt.epoch("ns")
            if (nanoseconds % 1000 != 0).any():
                raise ValueError("nanoseconds would be lost")
            return (nanoseconds // 1000).to_list(), zone
        return column.cast(polars.Datetime("us", zone or None)).dt.epoch("us").to_list(), zone
    zone = str(getattr(column.dtype, "tz", None) or "")
    plain = column.dt.tz_convert("UTC").dt.tz_localize(None) if zone else column
    exact = plain.astype("datetime64[us]")
    if (exact.astype(plain.dtype) != plain)[plain.notna()].any():
        raise ValueError("nanoseconds would be lost")
    nulls = exact.isna().tolist()
    return [
        None if null else us for us, null in zip(exact.astype("int64").tolist(), nulls, strict=True)
    ], zone


def _answer_table(rows: _Rows, answers: list[Answer], timestamps: bool) -> Any:
    values = [answer.value for answer in answers]
    kinds = sorted({type(value).__name__ for value in values if value is not None})
    if len(kinds) > 1:
        raise InvalidArgument(
            "types of the answers", kinds, "one, in a table; use tables() for one table a query"
        )
    columns: dict[str, list[Any]] = {"query": [answer.query for answer in answers]}
    for place, name in enumerate(rows.keys):
        columns[name] = [answer.key[place] if len(rows.keys) > 1 else answer.key for answer in answers]
    columns["window_start"] = [answer.start for answer in answers]
    columns["window_end"] = [answer.end for answer in answers]
    columns["value"] = values
    try:
        return _MAKERS[rows.library](columns, kinds, timestamps, rows.zone)
    except (ValueError, TypeError, OverflowError, ArithmeticError) as problem:
        raise InvalidArgument(
            "types of the answers", kinds, f"values that a column can hold ({problem})"
        ) from problem


def _pandas(columns: dict[str, list[Any]], kinds: list[str], timestamps: bool, zone: str | None) -> Any:
    import pandas

    frame = pandas.DataFrame(
        {name: pandas.Series(column, dtype=None if column else object) for name, column in columns.items()}
    )
    # pandas makes floats of integers with nulls; its own nullable types keep them exact.
    if kinds in (["int"], ["bool"]) and None in columns["value"]:
        frame["value"] = pandas.array(columns["value"], dtype="Int64" if kinds == ["int"] else "boolean")
    for bound in ("window_start", "window_end"):
        moments = frame[bound].astype("int64")
        if timestamps:
            moments = moments.astype("datetime64[us]")
            moments = moments.dt.tz_localize("UTC").dt.tz_convert(zone) if zone else moments
        frame[bound] = moments
    return frame


def _polars(columns: dict[str, list[Any]], kinds: list[str], timestamps: bool, zone: str | None) -> Any:
    import polars

    frame = polars.DataFrame(
        {
            name: polars.Series(name, column, strict=True)
            for name, column in columns.items()
            if not name.startswith("window_")
        }
    )
    bounds = [
        polars.Series(name, columns[name], dtype=polars.Int64) for name in ("window_start", "window_end")
    ]
    if timestamps:
        bounds = [bound.cast(polars.Datetime("us")) for bound in bounds]
        if zone:
            bounds = [bound.dt.replace_time_zone("UTC").dt.convert_time_zone(zone) for bound in bounds]
    return frame.with_columns(bounds).select(list(columns))


def _pyarrow(columns: dict[str, list[Any]], kinds: list[str], timestamps: bool, zone: str | None) -> Any:
    import pyarrow

    types = {"query": pyarrow.string(), "window_start": pyarrow.int64(), "window_end": pyarrow.int64()}
    arrays = {name: pyarrow.array(column, type=types.get(name)) for name, column in columns.items()}
    if timestamps:
        for bound in ("window_start", "window_end"):
            arrays[bound] = arrays[bound].cast(pyarrow.timestamp("us", tz=zone or None))
    return pyarrow.table(arrays)


_MAKERS: dict[str, Callable[[dict[str, list[Any]], list[str], bool, str | None], Any]] = {
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _pyarrow,
}
