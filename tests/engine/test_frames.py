"""Tables in, tables out: pandas, Arrow and Polars say the same, and the same as `naive`."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import swagcore as sw
from swagcore.engine import frames

EPOCH = datetime(1970, 1, 1)


def pandas_table(columns: dict[str, list[Any]]) -> Any:
    return pandas.DataFrame(columns).convert_dtypes()  # integers beside nulls


def rows(table: Any) -> list[tuple[Any, ...]]:
    """A table's rows in Python's own values."""
    if isinstance(table, pandas.DataFrame):
        columns = [[None if pandas.isna(x) else x for x in table[name].tolist()] for name in table.columns]
        columns = [
            [x.to_pydatetime() if isinstance(x, pandas.Timestamp) else x for x in column]
            for column in columns
        ]
        return list(zip(*columns, strict=True))
    if isinstance(table, polars.DataFrame):
        return table.rows()
    return [tuple(row.values()) for row in table.to_pylist()]


MAKERS = {"pandas": pandas_table, "polars": polars.DataFrame, "arrow": pyarrow.table}
each_library = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)

COLUMNS = {
    "ts": [5, 0, 3, 3, 9, 11],
    "price": [3, 8, 5, None, 1, 2],
    "symbol": ["a", "b", "a", "b", "a", "b"],
    "venue": ["x", "x", "x", "y", "x", "x"],
}
EVENTS = [(0, 8, "b"), (3, 5, "a"), (3, None, "b"), (5, 3, "a"), (9, 1, "a"), (11, 2, "b")]
HIGH = sw.Query("high", "max", sw.Window(6, 3))
COUNT = sw.Query("n", "count", sw.Window(4, 4))


def expected(queries: list[sw.Query], events: list[Any] = EVENTS) -> list[tuple[Any, ...]]:
    return [(a.query, a.key, a.start, a.end, a.value) for a in sw.naive(queries, events)]


@each_library
def test_integers(make: Any) -> None:
    """Rows are sorted by time, nulls are nulls, and the answers come in the library of the table."""
    table = make(COLUMNS)
    found = frames.windows(table, [HIGH, COUNT], time="ts", value="price", keys=["symbol"])
    assert type(found) is type(table)
    assert rows(found) == expected([HIGH, COUNT])
    names = found.column_names if isinstance(found, pyarrow.Table) else list(found.columns)
    assert names == ["query", "symbol", "window_start", "window_end", "value"]


@each_library
def test_a_table_a_query(make: Any) -> None:
    queries = [HIGH, sw.Query("avg", "mean", sw.Window(6, 6)), sw.Query("c", "count", sw.Window.count(2, 1))]
    found = frames.tables(make(COLUMNS), queries, time="ts", value="price", keys=["symbol"], slicing="cutty")
    assert list(found) == ["high", "avg", "c"]
    for query in queries:
        assert rows(found[query.name]) == expected([query])


@each_library
def test_own_columns_and_several_keys(make: Any) -> None:
    """A query without a column of its own sees the table's value."""
    queries = [HIGH, sw.Query("where", "arg_max", sw.Window(6, 3), value="venue", by="price")]
    found = frames.tables(make(COLUMNS), queries, time="ts", value="price", keys=["symbol", "venue"])
    events = sorted(
        ((t, {"price": p, "venue": v}, (s, v)) for t, p, s, v in zip(*COLUMNS.values(), strict=True)),
        key=lambda event: event[0],
    )
    own = sw.Query("high", "max", sw.Window(6, 3), value="price")
    for query in (own, queries[1]):
        answers = sw.naive([query], events)
        assert rows(found[query.name]) == [(a.query, *a.key, a.start, a.end, a.value) for a in answers]


ZONES = [None, "UTC", "America/New_York"]


def stamped(library: str, moments: list[datetime | None], zone: str | None, unit: str = "us") -> Any:
    """A table whose times are timestamps."""
    if library == "pandas":
        series = pandas.Series(moments).astype(f"datetime64[{unit}]")
        series = series.dt.tz_localize("UTC").dt.tz_convert(zone) if zone else series
        return pandas.DataFrame({"ts": series, "v": range(len(moments))})
    if library == "polars":
        column = polars.Series("ts", moments, dtype=polars.Datetime(unit))
        column = column.dt.replace_time_zone("UTC").dt.convert_time_zone(zone) if zone else column
        return polars.DataFrame([column, polars.Series("v", range(len(moments)))])
    column = pyarrow.array(moments, type=pyarrow.timestamp(unit)).cast(pyarrow.timestamp(unit, tz=zone))
    return pyarrow.table({"ts": column, "v": list(range(len(moments)))})


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("library", MAKERS)
@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_timestamps(library: str, zone: str | None, unit: str) -> None:
    """Timestamps become microseconds, exactly, also before 1970; answers are timestamps in the same zone."""
    moments = [EPOCH + timedelta(milliseconds=ms) for ms in (-1500, 0, 250, 4000)] + [None]
    query = sw.Query("n", "sum", sw.Window("2 s", "1 s"))
    found = rows(frames.windows(stamped(library, moments, zone, unit), [query], time="ts", value="v"))
    answers = sw.naive([query], [(-1_500_000, 0), (0, 1), (250_000, 2), (4_000_000, 3)], unit="us")
    moment = lambda us: (EPOCH.replace(tzinfo=UTC) if zone else EPOCH) + timedelta(microseconds=us)
    assert found == [(a.query, moment(a.start), moment(a.end), a.value) for a in answers]
    assert not zone or {str(row[1].tzinfo) for row in found} == {zone}


@pytest.mark.parametrize("library", ["polars", "arrow"])  # pandas keeps dates as objects
def test_dates(library: str) -> None:
    day = datetime(1970, 1, 2).date()
    column = [day, day + timedelta(days=1)]
    table = MAKERS[library]({"d": column})
    assert [event[0] for event in frames.events(table, time="d")] == [86_400_000_000, 172_800_000_000]


@pytest.mark.parametrize("library", MAKERS)
def test_nanoseconds_are_not_cut_off(library: str) -> None:
    if library == "pandas":
        table = pandas.DataFrame({"ts": pandas.to_datetime([1], unit="ns")})
    elif library == "polars":
        table = polars.DataFrame({"ts": polars.Series([1]).cast(polars.Datetime("ns"))})
    else:
        table = pyarrow.table({"ts": pyarrow.array([1], type=pyarrow.timestamp("ns"))})
    with pytest.raises(sw.SwagError, match="whole microseconds"):
        frames.events(table, time="ts")


@each_library
def test_no_rows(make: Any) -> None:
    table = make({"ts": [1], "v": [1]})
    empty = table.slice(0, 0) if isinstance(table, pyarrow.Table) else table[:0]
    found = frames.windows(empty, [HIGH], time="ts", value="v")
    assert rows(found) == [] and type(found) is type(table)


def test_nan_in_a_float_column() -> None:
    """To pandas it is no value; Polars and Arrow have nulls for that, and there NaN is a number above all others."""
    columns = {"ts": [0, 1], "v": [1.0, float("nan")]}
    largest = {
        name: rows(
            frames.windows(make(columns), [sw.Query("m", "max", sw.Window(2, 2))], time="ts", value="v")
        )[0][-1]
        for name, make in {**MAKERS, "pandas": pandas.DataFrame}.items()
    }
    assert largest["pandas"] == 1.0
    assert largest["polars"] != largest["polars"] and largest["arrow"] != largest["arrow"]


@each_library
def test_answers_that_are_null_keep_their_type(make: Any) -> None:
    """Integers stay exact beside nulls, which they would not as floats."""
    large = 2**53 + 1
    table = make({"ts": [0, 5], "v": [large, large], "w": [large, None]})
    query = sw.Query("w", "sum", sw.Window(1, 1), value="v")
    assert [row[-1] for row in rows(frames.windows(table, [query], time="ts"))] == [large, large]
    empty = sw.Query("w", "sum", sw.Window(1, 1), value="v", emit_empty=True)
    assert [row[-1] for row in rows(frames.windows(table, [empty], time="ts"))] == [large, *[None] * 4, large]


@each_library
def test_events(make: Any) -> None:
    assert frames.events(make(COLUMNS), time="ts", value="price", keys=["symbol"]) == EVENTS
    assert frames.events(make({"ts": [2, 1]}), time="ts") == [(1, None, None), (2, None, None)]


def test_an_arrow_batch() -> None:
    batch = pyarrow.table(COLUMNS).to_batches()[0]
    assert frames.events(batch, time="ts", value="price", keys=["symbol"]) == EVENTS


TABLE = polars.DataFrame(COLUMNS)
STAMPS = stamped("polars", [EPOCH], None)
WRONG: list[tuple[str, Any, str]] = [
    ("no table", lambda: frames.windows([1], [HIGH], time="ts"), "a table of pandas, Polars or Arrow"),
    ("a lazy one", lambda: frames.windows(TABLE.lazy(), [HIGH], time="ts"), "collected, not lazy"),
    ("no such column", lambda: frames.windows(TABLE, [HIGH], time="tss"), "did you mean 'ts'"),
    ("keys as text", lambda: frames.windows(TABLE, [HIGH], time="ts", keys="venue"), "such as ['venue']"),
    ("times as text", lambda: frames.events(TABLE, time="venue"), "integers, or timestamps"),
    (
        "several types",
        lambda: frames.windows(
            TABLE, [HIGH, sw.Query("m", "mean", sw.Window(9, 9))], time="ts", value="price"
        ),
        "['float', 'int']",
    ),
    (
        "numbers over timestamps",
        lambda: frames.windows(STAMPS, [HIGH], time="ts", value="v"),
        "one in durations",
    ),
    (
        "durations over numbers",
        lambda: frames.windows(
            TABLE, [sw.Query("q", "max", sw.Window("1 s", "1 s"))], time="ts", value="price"
        ),
        "a unit such as 's'",
    ),
    (
        "a unit of timestamps",
        lambda: frames.windows(STAMPS, [], time="ts", value="v", unit="s"),
        "column 'ts' holds timestamps",
    ),
    (
        "a key that hides a column",
        lambda: frames.windows(TABLE, [], time="ts", keys=["value"]),
        "a column that answers have",
    ),
    (
        "integers that do not fit",
        lambda: frames.windows(
            polars.DataFrame({"ts": [0, 1, 2], "big": [2**62, 2**62, 2**62]}),
            [sw.Query("p", "product", sw.Window(99, 99), value="big")],
            time="ts",
        ),
        "values that a column can hold",
    ),
]


@pytest.mark.parametrize(("wrong", "said"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_mistakes(wrong: Any, said: str) -> None:
    with pytest.raises(sw.SwagError) as refusal:
        wrong()
    assert said in str(refusal.value)


def test_no_library_is_needed_to_import() -> None:
    """In a fresh process: the engine and its tables import none of the three."""
    program = (
        "import sys, swagcore.engine.frames, swagcore as sw\n"
        "list(sw.run([sw.Query('q', 'max', sw.Window(2, 2))], [(0, 1)]))\n"
        "assert not {'pandas', 'polars', 'pyarrow', 'numpy'} & set(sys.modules), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
