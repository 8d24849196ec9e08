"""Files: queries in TOML; events in CSV, JSON Lines or Parquet; answers in any of the three, or as a table.

What a file says is data: nothing of it is ever executed. What it says wrong is a `FileError`, one sentence that names
the file and the place. Answers are written whole or not at all.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

from swagcore.algebra.registry import _BUILT_IN
from swagcore.durations import unit_named
from swagcore.engine import run
from swagcore.errors import EventError, FileError, InvalidArgument, SwagError, UnknownName, shown
from swagcore.windows import Answer, Query, Window, replace_offset

PathLike: TypeAlias = str | os.PathLike[str]

SUFFIXES = (".csv", ".jsonl", ".parquet")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
QUERY_KEYS = (
    "name", "aggregate", "range", "slide", "offset", "lag", "align", "count", "value", "by", "emit_empty"
)  # fmt: skip
REQUIRED = {
    "name": "a string",
    "aggregate": 'the name of one, such as "max"',
    "range": 'an integer, or a duration such as "5 minutes"',
    "slide": 'an integer, or a duration such as "1 minute"',
}
ANSWER_COLUMNS = ("query", "window_start", "window_end", "value")


@dataclass(frozen=True, slots=True)
class Stream:
    """Which columns of a file are the time, the value and the keys of its events; the unit of a time in plain integers.

    >>> Stream(time="ts", value="price", keys=("symbol",))
    Stream(time='ts', value='price', keys=('symbol',), unit=None)
    """

    time: str
    value: str | None = None
    keys: tuple[str, ...] = ()
    unit: str | None = None

    def __post_init__(self) -> None:
        for name, column in (("time", self.time), ("value", self.value)):
            if (column is not None or name == "time") and not (isinstance(column, str) and column):
                raise InvalidArgument(name, column, "the name of a column")
        keys = self.keys
        if not isinstance(keys, (list, tuple)) or not all(isinstance(key, str) and key for key in keys):
            raise InvalidArgument("keys", keys, 'a list of names of columns, such as ["symbol"]')
        for key in keys:
            if keys.count(key) > 1:
                raise InvalidArgument("keys", list(keys), f"each column once; {key!r} is there twice")
            if key in ANSWER_COLUMNS:
                raise InvalidArgument(
                    "keys", list(keys), f"other names than {key!r}, a column that answers have"
                )
        object.__setattr__(self, "keys", tuple(keys))
        if self.unit is not None:
            object.__setattr__(self, "unit", unit_named(self.unit))


@dataclass(frozen=True, slots=True)
class Events:
    """The events of a file, `(time, value, key)` in time order; those at one time are in the order of the file.

    `timestamps`: the times are microseconds since 1970 in UTC, and windows have to be durations. `dropped` counts the
    events without a time, which are in no window. `lines` says where each event stood.

    >>> list(Events("trades.csv", [(0, 10, None)]))
    [(0, 10, None)]
    """

    path: str
    rows: list[tuple[int, Any, Any]]
    timestamps: bool = False
    unit: str | None = None
    dropped: int = 0
    lines: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[tuple[int, Any, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


# Queries


def read_queries(path: PathLike) -> tuple[Stream, list[Query]]:
    """The stream and the queries of a TOML file.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "queries.toml"
    >>> _ = file.write_text('''
    ... [stream]
    ... time = "ts"
    ... value = "price"
    ... [[query]]
    ... name = "high"
    ... aggregate = "max"
    ... range = "5 minutes"
    ... slide = "1 minute"
    ... ''')
    >>> stream, queries = read_queries(file)
    >>> queries[0].window
    Window(range='300000000 us', slide='60000000 us')
    """
    try:
        tables = tomllib.loads(_text(path))
    except (ValueError, RecursionError) as problem:
        if isinstance(problem, SwagError):
            raise
        raise FileError(path, f"it is not valid TOML: {problem or 'too deep'}") from problem
    with _said_of(path):
        _accept("table", tables, ("stream", "query"))
    with _said_of(path, "[stream]"):
        stream = _stream(tables.get("stream"))
    found = tables.get("query")
    if not isinstance(found, list) or not found or not all(isinstance(table, dict) for table in found):
        raise FileError(path, "it has no [[query]]; expected one or more such tables, in double brackets")
    queries: list[Query] = []
    for position, table in enumerate(found, 1):
        name = table.get("name")
        with _said_of(path, f"query {shown(name) if name else position}"):
            if any(query.name == name for query in queries):
                raise InvalidArgument("name", name, "a name that no other query of the file has")
            queries.append(_query(table, stream))
    if any(query.by is not None or query.value != stream.value for query in queries):
        return stream, queries
    # No query has columns of its own: events are then values, not rows.
    return stream, [
        Query(query.name, query.aggregate, query.window, emit_empty=query.emit_empty) for query in queries
    ]


def _stream(table: Any) -> Stream:
    if not isinstance(table, dict):
        given = "it is missing" if table is None else f"it is {shown(table)}"
        raise SwagError(f'{given}; expected a table with at least time = "the name of a column"')
    _accept("key", table, ("time", "value", "keys", "unit"))
    if "time" not in table:
        raise SwagError("time is missing; expected the name of a column")
    return Stream(**table)


def _query(table: Mapping[str, Any], stream: Stream) -> Query:
    _accept("key", table, QUERY_KEYS)
    for key, accepted in REQUIRED.items():
        if key not in table:
            raise SwagError(f"{key} is missing; expected {accepted}")
    for key in ("name", "aggregate", "value", "by"):
        if key in table and not (isinstance(table[key], str) and table[key]):
            raise InvalidArgument(key, table[key], "a string that is not empty")
    for key in ("count", "emit_empty"):
        if not isinstance(table.get(key, False), bool):
            raise InvalidArgument(key, table[key], "true or false")
    align = table.get("align", "start")
    if align not in ("start", "end"):
        raise UnknownName("align", align, ("start", "end"))
    window = Window(
        table["range"],
        table["slide"],
        table.get("offset", 0),
        lag=table.get("lag", 0),
        unit=stream.unit,
        by_count=table.get("count", False),
    )
    if align == "end":
        window = replace_offset(window, window.offset - window.range)
    value, by = table.get("value", stream.value), table.get("by")
    if value is None:
        raise SwagError("value is missing; expected the name of a column, here or in [stream]")
    query = Query(table["name"], table["aggregate"], window, value, by, table.get("emit_empty", False))
    if query.function.name in ("arg_min", "arg_max"):
        if by is None:
            raise SwagError(
                f"by is missing; expected the name of the column by which {query.aggregate} chooses"
            )
    elif by is not None and query.function.name.partition("(")[0] in _BUILT_IN:
        raise InvalidArgument("by", by, f"no such key, because {query.aggregate} takes one column: value")
    return query


def _accept(what: str, table: Mapping[str, Any], known: Sequence[str]) -> None:
    for name in table:
        if name not in known:
            raise UnknownName(what, name, known)


@contextlib.contextmanager
def _said_of(path: PathLike, place: str | None = None) -> Iterator[None]:
    """Errors inside are about this file, and this place in it."""
    try:
        yield
    except FileError:
        raise
    except SwagError as problem:
        raise FileError(path, f"{place}: {problem}" if place else str(problem)) from problem


# Events


@dataclass(frozen=True, slots=True)
class _Table:
    """Columns of a file as lists. `typed` ones hold their final values; the cells of CSV are texts still."""

    columns: dict[str, list[Any]]
    times: list[Any]  # the first of the columns, where timestamps of Parquet are _Microseconds
    lines: list[int]
    place: str  # what a row is called: "line" in a text, "row" in Parquet
    typed: bool

    def at(self, row: int) -> str:
        return f"{self.place} {self.lines[row]}"


def read_events(path: PathLike, stream: Stream, queries: Iterable[Query]) -> Events:
    """The events of a .csv, .jsonl or .parquet file, sorted by time.

    An event's value is the stream's value column, or a row (a mapping) where queries name columns of their own; its
    key is None without key columns, a value with one, a tuple with several. Times are integers, or timestamps in
    ISO 8601 (UTC where they do not say), which become microseconds since 1970. An event without a time is dropped,
    as in SQL. A column of a CSV file is integers, else floats, else booleans (true, false), else text; an empty cell
    is null, and a number with a leading zero is text, since it is a name.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "trades.csv"
    >>> _ = file.write_text("ts,price\\n3,10\\n1,12.5\\n")
    >>> list(read_events(file, Stream("ts", "price"), []))
    [(1, 12.5, None), (3, 10.0, None)]
    """
    _check_stream(stream)
    queries = _listed(queries)
    own = [column for query in queries for column in (query.value, query.by) if column is not None]
    values = list(dict.fromkeys(own or ([stream.value] if stream.value else [])))
    table = _read(path, list(dict.fromkeys([stream.time, *values, *stream.keys])))

    times, timestamps = _times(path, table, stream.time)
    unit: str | None = "us"  # of timestamps, and harmless where there are no events
    if any(time is not None for time in times):
        _check_units(path, stream, queries, timestamps)
        unit = "us" if timestamps else stream.unit

    remarks: list[str] = []
    columns = {name: _typed(path, table, name, remarks) for name in dict.fromkeys([*values, *stream.keys])}
    timed = sorted(((time, row) for row, time in enumerate(times) if time is not None))  # rows decide ties
    value_of: Callable[[int], Any]
    if own:
        value_of = lambda row: {name: columns[name][row] for name in values}
    else:
        value_of = columns[stream.value].__getitem__ if stream.value else lambda row: None
    key_columns = [columns[name] for name in stream.keys]
    rows = [(time, value_of(row), _key([column[row] for column in key_columns])) for time, row in timed]
    lines = [table.at(row) for _, row in timed]
    return Events(os.fspath(path), rows, timestamps, unit, len(times) - len(rows), lines, remarks)


def evaluate(queries: Iterable[Query], events: Events) -> list[Answer]:
    """The answers over the events of a file; one that cannot be aggregated is named by its line.

    >>> evaluate([Query("n", "count", Window(10, 10))], Events("trades.csv", [(3, 10, None)]))
    [Answer(query='n', start=0, end=10, value=1, key=None)]
    """
    if not isinstance(events, Events):
        raise InvalidArgument("events", events, "the Events of a file, as read_events gives them")
    try:
        return list(run(queries, events, unit=events.unit))
    except EventError as error:
        problem = str(error).removeprefix(f"event {error.position}, {shown(error.event)}: ")
        place = events.lines[error.position] if events.lines else f"event {error.position}"
        raise FileError(events.path, "; ".join([f"{place}: {problem}", *events.remarks])) from error


def _check_stream(stream: object) -> None:
    if not isinstance(stream, Stream):
        raise InvalidArgument("stream", stream, "a Stream, as read_queries gives it")


def _listed(queries: Iterable[Query]) -> list[Query]:
    try:
        found = list(queries)
    except TypeError:
        raise InvalidArgument("queries", queries, "a list of Query") from None
    for query in found:
        if not isinstance(query, Query):
            raise InvalidArgument("query", query, "a Query")
    return found


def _key(values: list[Any]) -> Any:
    """One object for every NaN, so that those are one key."""
    values = [math.nan if value != value else value for value in values]
    return None if not values else values[0] if len(values) == 1 else tuple(values)


def _check_units(path: PathLike, stream: Stream, queries: Sequence[Query], timestamps: bool) -> None:
    if timestamps and stream.unit not in (None, "us"):
        raise FileError(
            path,
            f"unit is {stream.unit!r}, but column {stream.time!r} holds timestamps, which need none; "
            "expected integer times, or no unit",
        )
    for query in queries:
        if timestamps and query.window.unit is None and not query.window.by_count and stream.unit is None:
            raise FileError(
                path,
                f"column {stream.time!r} holds timestamps, but the window of query {query.name!r} has the plain "
                f"number {query.window.range} as its range; expected durations such as '5 minutes'",
            )
        if not timestamps and query.window.unit is not None and stream.unit is None:
            raise FileError(
                path,
                f"column {stream.time!r} holds integers, but the window of query {query.name!r} is given in "
                'durations; expected a unit of the stream, such as unit = "s"',
            )


def _read(path: PathLike, names: list[str]) -> _Table:
    readers = dict(zip(SUFFIXES, (_read_csv, _read_jsonl, _read_parquet), strict=True))
    return readers[_suffix(path)](path, names)


def _suffix(path: PathLike) -> str:
    suffix = _path(path).suffix.lower()
    if suffix not in SUFFIXES:
        if Path(path).is_dir():
            raise FileError(path, f"it is a directory; expected a {_one_of(SUFFIXES)} file")
        raise FileError(path, f"its name ends in {suffix!r}; expected {_one_of(SUFFIXES)}")
    return suffix


def _path(path: PathLike) -> Path:
    try:
        found = Path(path)
    except TypeError:
        raise InvalidArgument("path", path, "the path of a file, as a string or a Path") from None
    if "\0" in str(found):
        raise InvalidArgument("path", path, "the path of a file, without a zero character")
    return found


def _one_of(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _text(path: PathLike) -> str:
    file = _path(path)
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        byte = problem.object[problem.start]
        raise FileError(
            path, f"it is not UTF-8: byte {problem.start} is 0x{byte:02x}; expected UTF-8"
        ) from None
    except (OSError, ValueError) as problem:
        raise _unreadable(path, problem) from problem


def _unreadable(path: PathLike, problem: Exception) -> FileError:
    if isinstance(problem, IsADirectoryError) or Path(path).is_dir():
        return FileError(path, "it is a directory; expected a file")
    if isinstance(problem, FileNotFoundError):
        return FileError(path, "there is no such file; expected one that can be read")
    return FileError(path, f"it cannot be read ({getattr(problem, 'strerror', None) or _line(problem)})")


def _line(problem: object) -> str:
    return " ".join(str(problem).split())


def _check_columns(path: PathLike, wanted: Iterable[str], present: Iterable[str]) -> None:
    present = list(present)
    for name in wanted:
        if name not in present:
            expected = str(UnknownName("column", name, present)).partition("; ")[2]
            raise FileError(path, f"it has no column {name!r}; {expected}")


def _read_csv(path: PathLike, names: list[str]) -> _Table:
    rows = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
    lines: list[int] = []
    try:
        header = next(rows, None)
        if not header:
            raise FileError(path, "its first line is empty; expected a header with the names of the columns")
        for name in header:
            if header.count(name) > 1:
                raise FileError(path, f"line 1: column {name!r} is there twice; expected each name once")
        _check_columns(path, names, header)
        places = [header.index(name) for name in names]
        columns: list[list[str]] = [[] for _ in names]
        for row in rows:
            if len(row) != len(header):
                if not row:
                    continue  # a blank line
                raise FileError(
                    path,
                    f"line {rows.line_num}: it has {len(row)} cells; expected {len(header)}, as in the header",
                )
            lines.append(rows.line_num)
            for column, place in zip(columns, places, strict=True):
                column.append(row[place])
    except csv.Error as problem:
        raise FileError(path, f"line {rows.line_num}: it is not valid CSV ({problem})") from problem
    return _Table(dict(zip(names, columns, strict=True)), columns[0], lines, "line", typed=False)


def _read_jsonl(path: PathLike, names: list[str]) -> _Table:
    columns: dict[str, list[Any]] = {name: [] for name in names}
    lines: list[int] = []
    present: dict[str, None] = {}
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, parse_float=_finite)
        except (ValueError, RecursionError) as problem:
            reason = problem.msg if isinstance(problem, json.JSONDecodeError) else _line(problem)
            raise FileError(
                path, f"line {number}: it is not valid JSON ({reason}): {shown(line)}"
            ) from problem
        if not isinstance(row, dict):
            raise FileError(path, f"line {number}: it is {shown(row)}; expected a JSON object")
        lines.append(number)
        present |= dict.fromkeys(row)
        for name, column in columns.items():
            column.append(row.get(name))
    if lines:
        _check_columns(path, names, present)
    return _Table(columns, columns[names[0]], lines, "line", typed=True)


def _read_parquet(path: PathLike, names: list[str]) -> _Table:
    arrow, parquet = _pyarrow(path)
    try:
        if Path(path).is_dir():
            raise IsADirectoryError
        with parquet.ParquetFile(os.fspath(path)) as file:
            _check_columns(path, names, file.schema_arrow.names)
            table = file.read(columns=names)
        columns = {name: table.column(name).to_pylist() for name in names}
        times = columns[names[0]]
        when = table.column(names[0])
        if arrow.types.is_timestamp(when.type) or arrow.types.is_date(when.type):
            when = when.cast(arrow.timestamp("us")).cast(arrow.int64())  # exactly, or an error
            times = [None if us is None else _Microseconds(us) for us in when.to_pylist()]
    except (OSError, ValueError, KeyError, arrow.ArrowException) as problem:
        if isinstance(problem, SwagError):
            raise
        if isinstance(problem, OSError) and (problem.errno or isinstance(problem, IsADirectoryError)):
            raise _unreadable(path, problem) from problem
        raise FileError(path, f"it cannot be read as Parquet ({_line(problem)})") from problem
    return _Table(columns, times, list(range(1, len(times) + 1)), "row", typed=True)


def _pyarrow(path: PathLike) -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as problem:
        raise FileError(
            path,
            'Parquet needs pyarrow, which is not installed; run: pip install pyarrow (the extra "spark" has it)',
        ) from problem
    return pyarrow, parquet


# Times


class _Microseconds(int):
    """A time that was a timestamp in its file."""


_INTEGER = re.compile(r"[+-]?[0-9]+")
_TIMESTAMP = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,](?P<fraction>\d+))?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)
_TIMES = "an integer, or a timestamp such as 2024-05-01T09:30:00Z"


def timestamp(text: str) -> int:
    """A timestamp in ISO 8601 as microseconds since 1970, exactly; one without an offset is in UTC.

    >>> timestamp("1970-01-01T00:00:01.5Z"), timestamp("1970-01-01 01:00:00+01:00"), timestamp("1969-12-31")
    (1500000, 0, -86400000000)
    """
    match = _TIMESTAMP.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        raise InvalidArgument("time", text, _TIMES)
    if (match["fraction"] or "")[6:].strip("0"):
        raise InvalidArgument("time", text, "a timestamp in whole microseconds")
    try:
        moment = datetime.fromisoformat(match[0])
    except ValueError as problem:
        raise InvalidArgument("time", text, f"one that exists ({problem})") from None
    return (moment.replace(tzinfo=moment.tzinfo or UTC) - EPOCH) // timedelta(microseconds=1)


def iso(microseconds: int) -> str:
    """Microseconds since 1970 as a timestamp in ISO 8601.

    >>> iso(1_500_000), iso(-1_000_000)
    ('1970-01-01T00:00:01.500000Z', '1969-12-31T23:59:59Z')
    """
    return _moment(microseconds).replace(tzinfo=None).isoformat() + "Z"


def _moment(microseconds: int) -> datetime:
    try:
        return EPOCH + timedelta(microseconds=microseconds)
    except TypeError:
        raise InvalidArgument("time", microseconds, "whole microseconds since 1970") from None
    except OverflowError:
        raise InvalidArgument(
            "time",
            f"{shown(microseconds)} us since 1970",
            "one in the years 1 to 9999, which timestamps can write",
        ) from None


def _times(path: PathLike, table: _Table, name: str) -> tuple[list[int | None], bool]:
    """The times as integers, and whether they were timestamps; all are of one form."""
    times: list[int | None] = []
    first: tuple[bool, int] | None = None  # the form of the first time, and its row
    for row, cell in enumerate(table.times):
        if cell is None or (not table.typed and not cell.strip()):
            times.append(None)
            continue
        with _said_of(path, table.at(row)):
            time, is_timestamp = _time(name, cell, table.typed)
        if first is None:
            first = is_timestamp, row
        elif first[0] != is_timestamp:
            form, other = ("a timestamp", "an integer") if is_timestamp else ("an integer", "a timestamp")
            raise FileError(
                path,
                f"{table.at(row)}: {name} is {shown(cell)}, {form}, but {other} in {table.at(first[1])}; "
                "expected one form in all of the column",
            )
        times.append(time)
    return times, first is not None and first[0]


def _time(name: str, cell: Any, typed: bool) -> tuple[int, bool]:
    if isinstance(cell, str):
        try:
            if not typed and _INTEGER.fullmatch(cell.strip()):
                return int(cell), False
            return timestamp(cell), True
        except InvalidArgument as problem:
            raise InvalidArgument(name, cell, str(problem).partition("; expected ")[2]) from None
        except ValueError:  # int() refuses thousands of digits
            raise InvalidArgument(name, cell, _TIMES) from None
    if isinstance(cell, int) and not isinstance(cell, bool):
        return int(cell), isinstance(cell, _Microseconds)
    raise InvalidArgument(name, cell, _TIMES)


# Values

_WHOLE = re.compile(r"[+-]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(
    r"[+-]?(?:(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|infinity)|nan", re.IGNORECASE
)
_TRUTH = re.compile(r"true|false", re.IGNORECASE)
_KINDS = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "text",
    dict: "an object",
    list: "a list",
}


def _finite(text: str) -> float:
    """A float as written; one too large for a float is an error, not infinity."""
    number = float(text)
    if math.isinf(number) and "inf" not in text.lower():
        raise InvalidArgument("number", text, "one that a float can hold, up to 1.8e308")
    return number


def _typed(path: PathLike, table: _Table, name: str, remarks: list[str]) -> list[Any]:
    """A column with values of one type. Why a column with numbers is text all the same goes to the remarks."""
    cells = table.columns[name]
    if table.typed:
        return _of_one_kind(path, table, name)
    texts = [cell.strip() for cell in cells]
    for pattern, convert in ((_WHOLE, int), (_FLOAT, _finite), (_TRUTH, lambda text: text.lower() == "true")):
        if all(not text or pattern.fullmatch(text) for text in texts):
            return [
                _converted(path, table, row, name, convert) if text else None
                for row, text in enumerate(texts)
            ]
    numbers = sum(_FLOAT.fullmatch(text) is not None for text in texts)
    if numbers:
        row = next(row for row, text in enumerate(texts) if text and not _FLOAT.fullmatch(text))
        remarks.append(f"column {name!r} is text because {table.at(row)} has {shown(cells[row])}")
    return [cell if text else None for cell, text in zip(cells, texts, strict=True)]


def _converted(path: PathLike, table: _Table, row: int, name: str, convert: Callable[[str], Any]) -> Any:
    text = table.columns[name][row].strip()
    try:
        return convert(text)
    except ValueError as problem:  # int() refuses thousands of digits, _finite a float without bounds
        raise FileError(
            path,
            f"{table.at(row)}: {name} is {shown(text)}; expected a number that fits a float, or has fewer digits",
        ) from problem


def _of_one_kind(path: PathLike, table: _Table, name: str) -> list[Any]:
    """JSON and Parquet say the types; integers among floats become floats, and others do not mix."""
    cells = table.columns[name]
    first: dict[str, int] = {}  # each kind, and the row where it stands first
    types = set()
    for row, cell in enumerate(cells):
        if cell is not None:
            types.add(type(cell))
            first.setdefault(_KINDS.get(type(cell), type(cell).__name__), row)
    if len(first) > 1:
        (kind, row), (other, other_row) = list(first.items())[:2]
        raise FileError(
            path,
            f"{table.at(other_row)}: {name} is {shown(cells[other_row])}, {other}, but {kind} in {table.at(row)}; "
            "expected one type in all of the column",
        )
    if types != {int, float}:
        return cells
    try:
        return [float(cell) if type(cell) is int else cell for cell in cells]
    except OverflowError as problem:
        raise FileError(path, f"column {name!r} has floats, and an integer too large to be one") from problem


# Answers


def check_out(path: PathLike, *sources: PathLike) -> None:
    """Whether answers can be written there, asked before the work is done: a known suffix, a directory that exists.

    >>> check_out("answers.txt")
    Traceback (most recent call last):
        ...
    swagcore.errors.FileError: answers.txt: its name ends in '.txt'; expected .csv, .jsonl or .parquet
    """
    if _suffix(path) == ".parquet":
        _pyarrow(path)
    if Path(path).is_dir():
        raise FileError(path, "it is a directory; expected a file to write")
    if not Path(os.path.realpath(path)).parent.is_dir():
        raise FileError(path, "its directory does not exist; expected one that does")
    for source in sources:
        if Path(path).exists() and Path(source).exists() and os.path.samefile(path, source):
            raise FileError(path, "it is one of the inputs; expected another file for the answers")


def write_answers(
    path: PathLike | None,
    answers: Iterable[Answer],
    stream: Stream,
    queries: Iterable[Query],
    *,
    timestamps: bool = False,
) -> None:
    """Write the answers to a .csv, .jsonl or .parquet file, whole or not at all; with no path, print a table.

    The columns are query, those of the key, window_start, window_end and value. With `timestamps`, starts and ends
    of time windows are timestamps in UTC. JSON has no NaN nor infinities: they are the strings "NaN", "Infinity" and
    "-Infinity", as in Spark. A list is JSON in a cell of CSV, and a null is an empty one.

    >>> write_answers(None, [Answer("high", 0, 10, 7, "a")], Stream("ts", "price", ("symbol",)), [])
    query  symbol  window_start  window_end  value
    high   a       0             10          7
    """
    _check_stream(stream)
    counting = {query.name for query in _listed(queries) if query.window.by_count}
    rows = [_row(answer, stream, timestamps and answer.query not in counting) for answer in answers]
    names = ["query", *stream.keys, "window_start", "window_end", "value"]
    if path is None:
        _print_table(names, [[_cell(value, "null") for value in row] for row in rows])
        return
    check_out(path)
    suffix = _suffix(path)
    with _said_of(path), _replacing(path) as half:
        if suffix == ".csv":
            with open(half, "x", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(
                    [names, *([_cell(value) for value in row] for row in rows)]
                )
        elif suffix == ".jsonl":
            with open(half, "x", encoding="utf-8", newline="\n") as file:
                file.writelines(_json(dict(zip(names, row, strict=True))) + "\n" for row in rows)
        else:
            _write_parquet(path, half, names, rows, timestamps and not counting)


def _row(answer: Answer, stream: Stream, timestamps: bool) -> list[Any]:
    keys = {0: [], 1: [answer.key]}.get(len(stream.keys), answer.key)
    bounds = [_moment(at) if timestamps else at for at in (answer.start, answer.end)]
    return [answer.query, *keys, *bounds, answer.value]


@contextlib.contextmanager
def _replacing(path: PathLike) -> Iterator[Path]:
    """A name to write to, which takes the place of the path if all goes well and is removed if not."""
    target = Path(os.path.realpath(path))
    half = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        yield half
        os.replace(half, target)
    except OSError as problem:
        raise FileError(path, f"it cannot be written ({problem.strerror or _line(problem)})") from problem
    finally:
        half.unlink(missing_ok=True)


def _plain(value: Any) -> Any:
    """The value in the types of JSON."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(element) for element in value]
    if isinstance(value, dict):
        return {str(name): _plain(element) for name, element in value.items()}
    if isinstance(value, datetime) and value.tzinfo is UTC:
        return value.replace(tzinfo=None).isoformat() + "Z"
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    raise InvalidArgument(
        "value", value, f"a number, text, a date, true, false or a list, not {type(value).__name__}"
    )


def _json(value: Any) -> str:
    return json.dumps(_plain(value), ensure_ascii=False, allow_nan=False)


def _cell(value: Any, null: str = "") -> str:
    plain = _plain(value)
    if plain is None:
        return null
    return plain if isinstance(plain, str) else _json(plain)


def _print_table(names: list[str], rows: list[list[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    for row in [names, *rows]:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print(line.rstrip())


def _write_parquet(
    path: PathLike, half: Path, names: list[str], rows: list[list[Any]], timestamps: bool
) -> None:
    arrow, parquet = _pyarrow(path)
    when = arrow.timestamp("us", tz="UTC") if timestamps else arrow.int64()
    types = {"query": arrow.string(), "window_start": when, "window_end": when}
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    arrays = []
    for name, column in zip(names, columns, strict=True):
        kinds = {type(value).__name__ for value in column if value is not None}
        if len(kinds) > 1 and kinds != {"int", "float"}:
            raise InvalidArgument(
                name, sorted(kinds), "one type in a column of Parquet; .jsonl takes several"
            )
        try:
            arrays.append(arrow.array(column, type=types.get(name)))
        except (arrow.ArrowException, OverflowError, ValueError, TypeError) as problem:
            raise InvalidArgument(
                name,
                sorted(kinds),
                f"values that a column of Parquet can hold ({_line(problem)}); .jsonl takes all",
            ) from problem
    parquet.write_table(arrow.table(arrays, names=names), half)
