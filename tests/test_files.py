"""Files: what a column becomes, that the three formats say the same, and that answers are written whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import os
import random
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import swagcore as sw
from swagcore.algebra import registry
from swagcore.errors import FileError
from swagcore.files import Events, Stream, evaluate, iso, read_events, read_queries, timestamp, write_answers

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

HEAD = '[stream]\ntime = "ts"\nvalue = "price"\n'
in_one_directory = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def queries_of(directory: Path, *tables: str, head: str = HEAD) -> tuple[Stream, list[sw.Query]]:
    file = directory / "q.toml"
    file.write_text(head + "".join(f"[[query]]\n{table}\n" for table in tables), encoding="utf-8")
    return read_queries(file)


def column(directory: Path, *cells: str) -> list[Any]:
    """What a column of CSV with these cells becomes."""
    file = directory / "e.csv"
    with open(file, "w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows([["ts", "v"], *enumerate(cells)])
    return [value for _, value, _ in read_events(file, Stream("ts", "v"), [])]


def write_events(file: Path, rows: list[dict[str, Any]]) -> None:
    if file.suffix == ".csv":
        with open(file, "w", encoding="utf-8", newline="") as opened:
            writer = csv.DictWriter(opened, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    elif file.suffix == ".jsonl":
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        parquet.write_table(arrow.Table.from_pylist(rows), file)


# Queries


NAMED = 'name = "q"\naggregate = "max"\n'
WINDOWS = [
    ("range = 10\nslide = 4", sw.Window(10, 4)),
    ("range = 10\nslide = 4\noffset = 3", sw.Window(10, 4, 3)),
    ("range = 10\nslide = 4\noffset = -3", sw.Window(10, 4, 1)),
    ("range = 10\nslide = 4\nlag = 7", sw.Window(10, 4, lag=7)),
    ('range = 10\nslide = 4\nalign = "end"', sw.Window.ending(10, 4)),
    ('range = 11\nslide = 4\nalign = "end"', sw.Window(11, 4, 1)),
    ('range = 10\nslide = 4\nalign = "end"\noffset = 1', sw.Window.ending(10, 4, 1)),
    ('range = 10\nslide = 4\nalign = "start"', sw.Window(10, 4)),
    ("range = 10\nslide = 4\ncount = true", sw.Window.count(10, 4)),
    ('range = 10\nslide = 4\ncount = true\nalign = "end"', sw.Window.count(10, 4, 2)),
    ('range = "5 minutes"\nslide = "1 h 30 min"', sw.Window("5 minutes", "1 h 30 min")),
    ('range = "5 minutes"\nslide = "1 min"\noffset = "-5 s"\nlag = "1 s"', sw.Window("5 min", "1 min", "55 s", lag="1 s")),
    ('range = "5 minutes"\nslide = "2 min"\nalign = "end"', sw.Window.ending("5 minutes", "2 min")),
]  # fmt: skip


@pytest.mark.parametrize(("written", "window"), WINDOWS)
def test_windows(written: str, window: sw.Window, tmp_path: Path) -> None:
    _, [query] = queries_of(tmp_path, NAMED + written)
    assert query == sw.Query("q", "max", window)


def test_a_unit_turns_durations_into_numbers(tmp_path: Path) -> None:
    stream, [query] = queries_of(
        tmp_path, NAMED + 'range = "5 min"\nslide = "1 min"\nalign = "end"', head=HEAD + 'unit = "seconds"\n'
    )
    assert stream.unit == "s"
    assert query.window == sw.Window(300, 60)


def test_columns_of_their_own(tmp_path: Path) -> None:
    size = "range = 1\nslide = 1\n"
    plain = f'name = "plain"\naggregate = "max"\n{size}'
    own = f'name = "own"\naggregate = "sum"\nvalue = "size"\nemit_empty = true\n{size}'
    best = f'name = "best"\naggregate = "arg_max"\nby = "size"\n{size}'
    _, [query] = queries_of(tmp_path, plain)
    assert (query.value, query.by, query.emit_empty) == (None, None, False)
    _, queries = queries_of(tmp_path, plain, own, best)
    assert [(q.value, q.by, q.emit_empty) for q in queries] == [
        ("price", None, False),
        ("size", None, True),
        ("price", "size", False),
    ]
    _, [query] = queries_of(tmp_path, own, head='[stream]\ntime = "ts"\n')
    assert query.value == "size"


def test_by_is_open_to_aggregates_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weighted = sw.Aggregate(
        "weighted", lift=lambda pair: pair[0] * pair[1], combine=lambda a, b: a + b, identity=0
    )
    monkeypatch.setitem(registry._NAMED, "weighted", weighted)
    _, [query] = queries_of(
        tmp_path, 'name = "w"\naggregate = "weighted"\nby = "weight"\nrange = 1\nslide = 1'
    )
    assert query.by == "weight"


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "q.toml").write_text(HEAD + f"[[query]]\n{NAMED}range = 1\nslide = 1", encoding="utf-8-sig")
    stream, queries = read_queries(tmp_path / "q.toml")
    (tmp_path / "e.csv").write_text("ts,price\n1,2\n", encoding="utf-8-sig")
    assert list(read_events(tmp_path / "e.csv", stream, queries)) == [(1, 2, None)]


# Columns of CSV

COLUMNS: list[tuple[list[str], list[Any]]] = [
    (["1", "-2", "+3"], [1, -2, 3]),
    (["1", "", "3"], [1, None, 3]),
    (["1", " 2 ", "  "], [1, 2, None]),
    (["1", "2.5"], [1.0, 2.5]),
    (["1", "2."], [1.0, 2.0]),
    ([".5", "-1e3", "1E-2"], [0.5, -1000.0, 0.01]),
    (["1", "inf", "-Infinity"], [1.0, math.inf, -math.inf]),
    ([str(2**70)], [2**70]),
    (["true", "FALSE", ""], [True, False, None]),
    (["true", "1"], ["true", "1"]),
    (["1", "x", ""], ["1", "x", None]),
    (["007", "1"], ["007", "1"]),  # a name, not a number
    (["0", "-0"], [0, 0]),
    (["1_000"], ["1_000"]),
    (["0x10"], ["0x10"]),
    (["١"], ["١"]),
    (["1,5", "a\nb", 'say "x"'], ["1,5", "a\nb", 'say "x"']),
    (["", ""], [None, None]),
    (["__import__('os')"], ["__import__('os')"]),
]


@pytest.mark.parametrize(("cells", "values"), COLUMNS)
def test_columns_of_csv(cells: list[str], values: list[Any], tmp_path: Path) -> None:
    found = column(tmp_path, *cells)
    assert found == values
    assert [type(value) for value in found] == [type(value) for value in values]


def test_nan_in_csv(tmp_path: Path) -> None:
    nan, one = column(tmp_path, "NaN", "1")
    assert math.isnan(nan)
    assert one == 1.0


@in_one_directory
@given(numbers=st.lists(st.floats(allow_nan=False) | st.integers(-(10**300), 10**300), min_size=1))
def test_numbers_survive_csv(numbers: list[float], tmp_path: Path) -> None:
    expected = [float(x) for x in numbers] if any(isinstance(x, float) for x in numbers) else numbers
    assert column(tmp_path, *map(repr, numbers)) == expected


# Times

TIMES: list[tuple[str, int]] = [
    ("1970-01-01T00:00:00Z", 0),
    ("1970-01-01", 0),
    ("1970-01-01 00:00", 0),
    ("1970-01-01T00:00:00", 0),
    ("1970-01-01T01:00:00+01:00", 0),
    ("1970-01-01T01:00:00+0100", 0),
    ("1969-12-31T19:00:00-05", 0),
    ("1970-01-01T00:00:00.000001", 1),
    ("1970-01-01T00:00:00,5", 500_000),
    ("1970-01-01T00:00:00.123456000Z", 123_456),
    ("1969-12-31T23:59:59.999999", -1),
    ("0001-01-01T00:00:00+12:00", -62_135_596_800_000_000 - 12 * 3_600_000_000),
    ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
]


@pytest.mark.parametrize(("text", "microseconds"), TIMES)
def test_timestamps(text: str, microseconds: int) -> None:
    assert timestamp(text) == microseconds


@pytest.mark.parametrize(
    "text", ["1970-1-1", "19700101", "1970-W01-1", "1970-01-01T", "1970-01-01TZ", "12:00", "now"]
)
def test_what_is_no_timestamp(text: str) -> None:
    with pytest.raises(sw.SwagError, match="a timestamp such as"):
        timestamp(text)


@given(
    moment=st.datetimes(),
    offset=st.none()
    | st.integers(-24 * 60 + 1, 24 * 60 - 1).map(lambda minutes: timezone(timedelta(minutes=minutes))),
    separator=st.sampled_from(" T"),
)
def test_timestamps_are_exact(moment: datetime, offset: timezone | None, separator: str) -> None:
    written = moment.replace(tzinfo=offset).isoformat(separator)
    elapsed = moment - datetime(1970, 1, 1) - (offset.utcoffset(None) if offset else timedelta(0))
    exact = Fraction(elapsed.days) * 86_400_000_000 + elapsed.seconds * 1_000_000 + elapsed.microseconds
    assert timestamp(written) == exact
    if offset is None:
        assert timestamp(iso(timestamp(written))) == exact


def test_arrow_and_text_agree_on_times(tmp_path: Path) -> None:
    texts = ["1950-06-01T12:00:00.000001", "2024-05-01T09:30:00"]
    moments = [datetime.fromisoformat(text) for text in texts]
    expected = [timestamp(text) for text in texts]
    berlin = arrow.timestamp("us", tz="Europe/Berlin")
    for when in [
        arrow.array(moments, arrow.timestamp("us")),
        arrow.array(moments, arrow.timestamp("ns")),
        arrow.array([moment.replace(tzinfo=UTC) for moment in moments], berlin),
        arrow.array(texts),
        arrow.array(texts).dictionary_encode(),
    ]:
        parquet.write_table(arrow.table({"ts": when, "v": [1, 2]}), tmp_path / "e.parquet")
        events = read_events(tmp_path / "e.parquet", Stream("ts", "v"), [])
        assert events.timestamps
        assert [time for time, _, _ in events] == expected
    days = arrow.table({"ts": arrow.array([date(1970, 1, 2)]), "v": [1]})
    parquet.write_table(days, tmp_path / "e.parquet")
    assert list(read_events(tmp_path / "e.parquet", Stream("ts", "v"), [])) == [(86_400_000_000, 1, None)]


def test_nanoseconds_are_not_cut_off(tmp_path: Path) -> None:
    parquet.write_table(arrow.table({"ts": arrow.array([1], arrow.timestamp("ns"))}), tmp_path / "e.parquet")
    with pytest.raises(FileError, match="would lose data"):
        read_events(tmp_path / "e.parquet", Stream("ts"), [])


# Events


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_order_nulls_and_keys(suffix: str, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"ts": 5, "v": 1, "a": "x", "b": 1},
        {"ts": None, "v": 2, "a": "x", "b": 1},
        {"ts": 3, "v": None, "a": "y", "b": 2},
        {"ts": 5, "v": 4, "a": None, "b": 3},
        {"ts": 3, "v": 5, "a": "x", "b": 1},
    ]
    file = tmp_path / f"e{suffix}"
    write_events(file, rows)
    events = read_events(file, Stream("ts", "v"), [])
    assert list(events) == [(3, None, None), (3, 5, None), (5, 1, None), (5, 4, None)]
    assert (len(events), events.dropped, events.timestamps, events.unit) == (4, 1, False, None)
    first = 1 if suffix == ".parquet" else 1 + (suffix == ".csv")
    place = "row" if suffix == ".parquet" else "line"
    assert events.lines == [f"{place} {first + row}" for row in (2, 4, 0, 3)]

    one = read_events(file, Stream("ts", "v", ("a",)), [])
    assert [key for _, _, key in one] == ["y", "x", "x", None]
    two = read_events(file, Stream("ts", "v", ("b", "a")), [])
    assert [key for _, _, key in two] == [(2, "y"), (1, "x"), (1, "x"), (3, None)]

    query = sw.Query("q", "arg_max", sw.Window(10, 10), value="a", by="v")
    assert [value for _, value, _ in read_events(file, Stream("ts"), [query])][:2] == [
        {"a": "y", "v": None},
        {"a": "x", "v": 5},
    ]
    assert [value for _, value, _ in read_events(file, Stream("ts"), [])] == [None] * 4


def test_every_nan_is_one_key(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("ts,v,k,l\n1,1,nan,1\n2,1,nan,1\n3,1,2,1\n")
    for keys in (("k",), ("k", "l")):
        events = read_events(tmp_path / "e.csv", Stream("ts", "v", keys), [])
        assert [answer.value for answer in evaluate([sw.Query("n", "count", sw.Window(9, 9))], events)] == [
            2,
            1,
        ]


def test_integers_among_floats_in_json_are_floats(tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text('{"ts": 1, "v": 1}\n{"ts": 2, "v": 2.5}\n{"ts": 3}\r\n')
    values = [value for _, value, _ in read_events(tmp_path / "e.jsonl", Stream("ts", "v"), [])]
    assert values == [1.0, 2.5, None]
    assert type(values[0]) is float


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_no_events_in_json(content: str, tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text(content)
    query = sw.Query("q", "max", sw.Window("1 s", "1 s"))
    assert list(read_events(tmp_path / "e.jsonl", Stream("ts", "v"), [query])) == []


def test_no_events_in_csv(tmp_path: Path) -> None:
    """Nothing says whether the times are integers, so durations are no error."""
    (tmp_path / "e.csv").write_text("ts,v\n")
    query = sw.Query("q", "max", sw.Window("1 s", "1 s"))
    events = read_events(tmp_path / "e.csv", Stream("ts", "v"), [query])
    assert list(events) == []
    assert evaluate([query], events) == []


def test_the_time_column_may_be_the_value_too(tmp_path: Path) -> None:
    write_events(tmp_path / "e.parquet", [{"ts": datetime(2024, 5, 1)}])
    assert list(read_events(tmp_path / "e.parquet", Stream("ts", "ts"), [])) == [
        (timestamp("2024-05-01"), datetime(2024, 5, 1), None)
    ]


@in_one_directory
@given(
    rows=st.lists(
        st.tuples(st.integers(-50, 50), st.none() | st.integers(-9, 9), st.sampled_from("ab")),
        min_size=1,
        max_size=12,
    ),
    sizes=st.tuples(st.integers(1, 20), st.integers(1, 20)),
    suffix=st.sampled_from([".csv", ".jsonl", ".parquet"]),
    in_seconds=st.booleans(),
)
def test_all_formats_mean_the_same(
    rows: list[tuple[int, int | None, str]],
    sizes: tuple[int, int],
    suffix: str,
    in_seconds: bool,
    tmp_path: Path,
) -> None:
    """The answers from a file are those of `naive` over its rows sorted by time."""
    size = sw.Window(*(f"{n} s" for n in sizes)) if in_seconds else sw.Window(*sizes)
    queries = [sw.Query(name, name, size) for name in ("sum", "count", "collect_distinct")]
    file = tmp_path / f"e{suffix}"
    if file.exists():
        file.unlink()
    write_events(file, [{"ts": time, "v": value, "k": key} for time, value, key in rows])
    if suffix == ".parquet" and all(value is None for _, value, _ in rows):
        return  # a column without a type
    events = read_events(file, Stream("ts", "v", ("k",), "s" if in_seconds else None), queries)
    in_order = sorted(rows, key=lambda row: row[0])
    plain = [sw.Query(name, name, sw.Window(*sizes)) for name in ("sum", "count", "collect_distinct")]
    assert evaluate(queries, events) == sw.naive(plain, in_order)


# Answers

STREAM = Stream("ts", "v", ("k",))
ANSWERS = [
    sw.Answer("q", 0, 10, 1.5, "a,b"),
    sw.Answer("q", 5, 15, None, None),
    sw.Answer("q", 9, 19, math.inf, "é"),
]


def test_csv(tmp_path: Path) -> None:
    write_answers(tmp_path / "a.csv", ANSWERS, STREAM, [])
    assert (tmp_path / "a.csv").read_bytes().decode() == (
        'query,k,window_start,window_end,value\nq,"a,b",0,10,1.5\nq,,5,15,\nq,é,9,19,Infinity\n'
    )


def test_jsonl(tmp_path: Path) -> None:
    write_answers(tmp_path / "a.jsonl", ANSWERS, STREAM, [])
    lines = (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line, parse_constant=pytest.fail) for line in lines] == [
        {"query": "q", "k": "a,b", "window_start": 0, "window_end": 10, "value": 1.5},
        {"query": "q", "k": None, "window_start": 5, "window_end": 15, "value": None},
        {"query": "q", "k": "é", "window_start": 9, "window_end": 19, "value": "Infinity"},
    ]


def test_parquet(tmp_path: Path) -> None:
    write_answers(tmp_path / "a.parquet", ANSWERS, STREAM, [])
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.schema.names == ["query", "k", "window_start", "window_end", "value"]
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        (query, key, start, end, value) for query, start, end, value, key in ANSWERS
    ]


def test_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    write_answers(None, ANSWERS, STREAM, [])
    assert capsys.readouterr().out == (
        "query  k     window_start  window_end  value\n"
        "q      a,b   0             10          1.5\n"
        "q      null  5             15          null\n"
        "q      é     9             19          Infinity\n"
    )


@pytest.mark.parametrize("keys", [(), ("k",), ("k", "l")])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_no_answers(keys: tuple[str, ...], suffix: str, tmp_path: Path) -> None:
    write_answers(tmp_path / f"a{suffix}", [], Stream("ts", "v", keys), [])
    if suffix == ".parquet":
        table = parquet.read_table(tmp_path / f"a{suffix}")
        assert table.schema.names == ["query", *keys, "window_start", "window_end", "value"]
        assert table.num_rows == 0


def test_several_keys_and_none() -> None:
    for keys, key in [((), None), (("k", "l"), ("x", 1))]:
        write_answers(None, [sw.Answer("q", 0, 1, 2, key)], Stream("ts", "v", keys), [])


def test_timestamps_come_back(tmp_path: Path) -> None:
    """But those of a window that counts events are no times."""
    queries = [sw.Query("t", "max", sw.Window("1 s", "1 s")), sw.Query("c", "max", sw.Window.count(2, 2))]
    answers = [sw.Answer("t", 0, 1_000_000, 7), sw.Answer("c", 0, 2, 7)]
    write_answers(tmp_path / "a.csv", answers, Stream("ts", "v"), queries, timestamps=True)
    assert (tmp_path / "a.csv").read_text().splitlines()[1:] == [
        "t,1970-01-01T00:00:00Z,1970-01-01T00:00:01Z,7",
        "c,0,2,7",
    ]
    write_answers(tmp_path / "a.parquet", answers[:1], Stream("ts", "v"), queries[:1], timestamps=True)
    assert parquet.read_table(tmp_path / "a.parquet").schema.field("window_end").type == arrow.timestamp(
        "us", tz="UTC"
    )
    with pytest.raises(FileError, match=r"window_start is \['datetime', 'int'\]"):
        write_answers(tmp_path / "a.parquet", answers, Stream("ts", "v"), queries, timestamps=True)


def test_a_window_outside_the_calendar(tmp_path: Path) -> None:
    with pytest.raises(sw.SwagError, match="the years 1 to 9999"):
        write_answers(None, [sw.Answer("q", -(10**18), 0, 1)], Stream("ts", "v"), [], timestamps=True)


PLAIN = [
    (True, "true"),
    ([1, None, math.nan], '[1, null, "NaN"]'),
    ((1, 2), "[1, 2]"),
    ({"a": -math.inf}, '{"a": "-Infinity"}'),
    (date(2024, 5, 1), "2024-05-01"),
    (datetime(2024, 5, 1, 9), "2024-05-01T09:00:00"),
    (Decimal("1.10"), "1.10"),
    (10**30, str(10**30)),
]


@pytest.mark.parametrize(("value", "written"), PLAIN)
def test_values_in_csv(value: Any, written: str, tmp_path: Path) -> None:
    write_answers(tmp_path / "a.csv", [sw.Answer("q", 0, 1, value)], Stream("ts", "v"), [])
    rows = list(csv.reader(io.StringIO((tmp_path / "a.csv").read_text(encoding="utf-8"))))
    assert rows[1] == ["q", "0", "1", written]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_answers_that_cannot_be_written_leave_the_old_ones(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"a{suffix}"
    file.write_bytes(b"old")
    good = [sw.Answer("q", 0, 1, 2)] * 1000
    with pytest.raises(FileError, match="a"):
        write_answers(file, [*good, sw.Answer("q", 0, 1, object())], Stream("ts", "v"), [])
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [file.name]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_at_the_end_leaves_the_old_answers(
    suffix: str, problem: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / f"a{suffix}"
    file.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise problem

    monkeypatch.setattr("swagcore.files.os.replace", fail)
    with pytest.raises((FileError, KeyboardInterrupt)) as raised:
        write_answers(file, ANSWERS[:1], STREAM, [])
    assert isinstance(raised.value, KeyboardInterrupt) or "No space left" in str(raised.value)
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [file.name]


def test_answers_go_where_a_link_points(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "a.csv").symlink_to("real.csv")
    write_answers(tmp_path / "a.csv", ANSWERS, STREAM, [])
    assert (tmp_path / "a.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text(encoding="utf-8").startswith("query,")


@pytest.mark.parametrize(
    "act",
    [lambda path: read_events(path, STREAM, []), lambda path: write_answers(path, ANSWERS, STREAM, [])],
    ids=["read", "write"],
)
def test_parquet_without_pyarrow(
    act: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FileError, match=r'needs pyarrow.*pip install pyarrow.*the extra "spark"'):
        act(tmp_path / "e.parquet")


def test_an_event_is_named_by_its_line() -> None:
    events = Events("e.csv", [(1, 1, None), (2, "x", None)], lines=["line 7", "line 3"], remarks=["a remark"])
    with pytest.raises(FileError, match=r"^e.csv: line 3: value for aggregate 'sum' is 'x'; .*; a remark$"):
        evaluate([sw.Query("q", "sum", sw.Window(5, 5))], events)


# Anything at all in a file is read, or refused with a sentence.

SCRAPS = st.lists(
    st.sampled_from(
        ["ts", "price", "k", ",", "\n", "\r\n", '"', "1", "-2.5", "x", "", "{", "}", ":", "[", "]", "null", "=", " ",
         "[stream]\n", "[[query]]\n", 'time = "ts"\n', 'value = "price"\n', 'name = "q"\n', 'aggregate = "max"\n',
         "range = 1\n", "slide = ", '"1 s"', '{"ts": 1, "price": 2}', "2024-05-01", "1e999", "NaN", "\0", "\ufeff", "é"]
    ),
    max_size=30,
).map("".join)  # fmt: skip


def read_or_refused(read: Callable[[], object]) -> None:
    with contextlib.suppress(FileError):  # and no other
        read()


@in_one_directory
@given(
    content=SCRAPS.map(str.encode) | st.binary(),
    name=st.sampled_from(["f.csv", "f.jsonl", "f.parquet", "f.toml"]),
)
def test_anything_is_read_or_refused(content: bytes, name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    query = sw.Query("q", "max", sw.Window(5, 2))
    if name == "f.toml":
        read_or_refused(lambda: read_queries(file))
    else:
        read_or_refused(lambda: evaluate([query], read_events(file, Stream("ts", "price"), [query])))


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "e.parquet"
    write_events(file, [{"ts": time, "price": str(time)} for time in range(100)])
    good = file.read_bytes()
    chance = random.Random(0)
    for _ in range(200):
        damaged = bytearray(good)
        damaged[chance.randrange(len(good))] ^= 1 << chance.randrange(8)
        file.write_bytes(damaged)
        read_or_refused(lambda: read_events(file, Stream("ts", "price"), []))
