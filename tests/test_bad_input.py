"""What a user can do wrong, in one table: each mistake gives a `SwagError` that is one clear sentence.

A row is what is wrong, how it is done, and pieces that the message must contain: what was given, and what would be
accepted. The mistakes in files are made twice, through Python and through the command line.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import swagcore as sw
from swagcore.algebra import Counting, check_laws
from swagcore.cli import app, main
from swagcore.durations import microseconds
from swagcore.files import Stream, evaluate, read_events, read_queries, write_answers
from swagcore.testing import ReferenceWindow, check_against_naive, check_fifo, check_words, data_for

NAN = math.nan


def window(*sizes: Any, **more: Any) -> Callable[[], Any]:
    return lambda: sw.Window(*sizes, **more)


def asked(aggregate: Any, *events: Any, window: sw.Window | None = None, **more: Any) -> Callable[[], Any]:
    """One query over the events."""
    return lambda: sw.naive([sw.Query("q", aggregate, window or sw.Window(10, 10), **more)], events)


def of_values(aggregate: str, *values: Any) -> Callable[[], Any]:
    return asked(aggregate, *enumerate(values))


def ran(*events: Any, window: sw.Window | None = None, **how: Any) -> Callable[[], Any]:
    """One query over the events, by the engine."""
    queries = [sw.Query("q", "max", window or sw.Window(10, 10))]
    return lambda: list(sw.run(queries, events or [(0, 1)], **how))


class NoRepr:
    """A value that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError


IN_PYTHON: list[tuple[str, Callable[[], Any], list[str]]] = [
    # Windows
    ("range zero", window(0, 1), ["range is 0", "a positive integer"]),
    ("range negative", window(-5, 1), ["range is -5", "a positive integer"]),
    ("range a float", window(1.5, 1), ["range is 1.5", "an integer"]),
    ("range a whole float", window(2.0, 1), ["range is 2.0", "an integer"]),
    ("range NaN", window(NAN, 1), ["range is nan", "an integer"]),
    ("range infinite", window(math.inf, 1), ["range is inf", "an integer"]),
    ("range a boolean", window(True, 1), ["range is True", "an integer"]),
    ("range missing", window(None, 1), ["range is None", "an integer"]),
    ("range a list", window([3], 1), ["range is [3]", "an integer"]),
    ("slide zero", window(5, 0), ["slide is 0", "a positive integer"]),
    ("slide negative", window(5, -1), ["slide is -1", "a positive integer"]),
    ("slide a float", window(5, 0.5), ["slide is 0.5", "an integer"]),
    ("slide NaN", window(5, NAN), ["slide is nan", "an integer"]),
    ("slide a boolean", window(5, False), ["slide is False", "an integer"]),
    ("slide None", window(5, None), ["slide is None", "an integer"]),
    ("offset a float", window(5, 5, 0.5), ["offset is 0.5", "an integer"]),
    ("lag negative", window(5, 5, lag=-1), ["lag is -1", "not negative"]),
    ("a count window of nothing", lambda: sw.Window.count(0, 1), ["range is 0", "positive"]),
    ("a count window of time", lambda: sw.Window.count("5 s", 1), ["5 s", "whole numbers of events"]),  # type: ignore[arg-type]
    ("an end-aligned window of nothing", lambda: sw.Window.ending(5, 0), ["slide is 0", "positive"]),
    ("a duration without a unit", window("5", "1 s"), ["'5'", "5 minutes"]),
    (
        "a duration in no unit there is",
        window("5 parsecs", "1 s"),
        ["'5 parsecs'", "us, ms, s, min, h and d"],
    ),
    ("a duration of nothing", window("0 s", "1 s"), ["range is '0 s'", "longer than zero"]),
    ("a duration below zero", window("-5 s", "1 s"), ["'-5 s'", "5 minutes"]),
    ("an empty duration", window("", "1 s"), ["''", "5 minutes"]),
    ("units in the wrong order", window("30 min 1 h", "1 s"), ["'30 min 1 h'", "1 h 30 min"]),
    ("a duration and a number", window("5 s", 1), ["slide is 1", "durations"]),
    ("a duration no multiple of the unit", window("90 s", "1 min", unit="min"), ["'90 s'", "'min'"]),
    ("a unit that does not exist", window("5 s", "1 s", unit="sec0nds"), ["'sec0nds'", "min", "us"]),
    ("a window too fine for its stream", lambda: sw.Window("1 ms", "1 ms").to_unit("s"), ["whole", "'s'"]),
    (
        "an unknown slicing",
        lambda: sw.Window(5, 5).edges("pears"),
        ["slicing is 'pears'", "did you mean 'pairs'?"],
    ),
    # Queries
    ("an unknown aggregate", lambda: sw.aggregate("maxx"), ["aggregate is 'maxx'", "did you mean 'max'?"]),
    ("another unknown aggregate", lambda: sw.aggregate("averge"), ["'averge'", "expected one of"]),
    ("an aggregate in capitals", lambda: sw.aggregate("MAX"), ["'MAX'", "did you mean 'max'?"]),
    ("an aggregate that is no name", lambda: sw.aggregate(3), ["aggregate is 3", "max"]),  # type: ignore[arg-type]
    ("an aggregate of the query", asked("meen"), ["'meen'", "did you mean 'mean'?"]),
    ("a quantile of no rank", lambda: sw.quantile(0), ["phi is 0", "above 0 and not above 1"]),
    ("a quantile above one", lambda: sw.aggregate("quantile(1.5)"), ["phi is '1.5'", "not above 1"]),
    ("a quantile of text", lambda: sw.aggregate("quantile(half)"), ["phi is 'half'", "a number"]),
    ("a quantile NaN", lambda: sw.quantile(NAN), ["phi is nan", "a number"]),
    ("the top none", lambda: sw.top_k(0), ["k is 0", "a positive integer"]),
    ("the top half", lambda: sw.aggregate("top_k(0.5)"), ["k is '0.5'", "a positive integer"]),
    (
        "a query without a name",
        lambda: sw.Query("", "max", sw.Window(1, 1)),
        ["name of a query is ''", "non-empty"],
    ),
    ("a query without a window", lambda: sw.Query("q", "max", (5, 1)), ["(5, 1)", "a Window"]),  # type: ignore[arg-type]
    (
        "by without value",
        lambda: sw.Query("q", "arg_max", sw.Window(1, 1), by="b"),
        ["value of query 'q'", "a column"],
    ),
    (
        "emit_empty of text",
        asked("max", emit_empty="no"),
        ["emit_empty of query 'q' is 'no'", "True or False"],
    ),
    (
        "two queries of one name",
        lambda: sw.naive([sw.Query("q", "max", sw.Window(1, 1))] * 2, []),
        ["'q'", "no other"],
    ),
    ("a string for queries", lambda: sw.naive("max", []), ["query is 'm'", "a Query"]),  # type: ignore[arg-type]
    ("no list of queries", lambda: sw.naive(5, []), ["queries is 5", "a list of Query"]),  # type: ignore[arg-type]
    (
        "durations over integers",
        asked("max", (1, 2), window=sw.Window("5 s", "1 s")),
        ["unit", "durations", "'s'"],
    ),
    # Aggregates of one's own
    (
        "an aggregate without a name",
        lambda: sw.Aggregate("", lift=int, combine=max),
        ["name is ''", "non-empty"],
    ),
    (
        "an aggregate without combine",
        lambda: sw.Aggregate("a", lift=int),
        ["combine of aggregate 'a' is None"],
    ),
    (
        "an inverse that is none",
        lambda: sw.Aggregate("a", lift=int, combine=max, inverse=3),
        ["inverse", "3"],
    ),  # type: ignore[arg-type]
    (
        "a law neither true nor false",
        lambda: sw.Aggregate("a", lift=int, combine=max, commutative=1),
        ["is 1", "True"],
    ),  # type: ignore[arg-type]
    (
        "a built-in's name",
        lambda: sw.register(sw.Aggregate("max", lift=int, combine=max)),
        ["'max'", "no built-in"],
    ),
    ("no aggregate to register", lambda: sw.register("max"), ["'max'", "an Aggregate"]),  # type: ignore[arg-type]
    (
        "a false law",
        lambda: sw.register(
            sw.Aggregate(
                "minus",
                lift=int,
                combine=lambda a, b: a - b,
                identity=0,
                commutative=True,
                examples=[1, 2, 3],
            )
        ),
        ["aggregate 'minus' is not", "combine("],
    ),
    # Events
    ("events out of order", asked("max", (3, 1), (2, 1)), ["event 1, (2, 1)", "before 3", "sort"]),
    ("a time that is a float", asked("max", (0.5, 1)), ["event 0, (0.5, 1)", "integer"]),
    ("a time that is NaN", asked("max", (NAN, 1)), ["event 0, (nan, 1)", "integer"]),
    ("a time that is text", asked("max", ("1", 1)), ["event 0, ('1', 1)", "integer"]),
    ("a time that is a boolean", asked("max", (True, 1)), ["event 0, (True, 1)", "integer"]),
    ("a time that is null", asked("max", (None, 1)), ["event 0, (None, 1)", "integer"]),
    ("an event of one", asked("max", (1,)), ["event 0, (1,)", "(time, value)"]),
    ("an event of four", asked("max", (1, 2, 3, 4)), ["event 0, (1, 2, 3, 4)", "(time, value, key)"]),
    ("an event that is text", asked("max", "ab"), ["event 0, 'ab'", "(time, value)"]),
    ("an event that is a number", asked("max", 5), ["event 0, 5", "(time, value)"]),
    ("events that are no list", lambda: sw.naive([], 5), ["events is 5", "an iterable"]),  # type: ignore[arg-type]
    ("a key that cannot be one", asked("max", (1, 2, ["k"])), ["event 0, (1, 2, ['k'])", "hashable"]),
    ("a value that cannot be shown", of_values("sum", NoRepr()), ["event 0", "NoRepr", "an int"]),
    # Values
    ("text into sum", of_values("sum", 1, "2"), ["event 1", "'2'", "an int, a float", "query 'q'"]),
    ("text into mean", of_values("mean", "2"), ["event 0", "'mean'", "'2'", "an int, a float"]),
    ("text into median", of_values("median", "2"), ["event 0", "'2'", "an int, a float"]),
    ("a complex number into sum", of_values("sum", 1j), ["1j", "an int, a float"]),
    ("a number into concat", of_values("concat", "a", 7), ["event 1", "7", "a string"]),
    ("no pair into arg_max", of_values("arg_max", 5), ["event 0", "5", "a pair (by, value)"]),
    ("a triple into arg_min", of_values("arg_min", (1, 2, 3)), ["(1, 2, 3)", "a pair (by, value)"]),
    ("a dict into max", of_values("max", {"a": 1}), ["{'a': 1}", "order"]),
    ("a dict by which to choose", of_values("arg_max", ({}, 1)), ["({}, 1)", "order"]),
    ("a list into count_distinct", of_values("count_distinct", []), ["[]", "hashable"]),
    ("text and numbers in max", of_values("max", 1, "a"), ["'a'", "compared with 1", "do not mix types"]),
    ("text and numbers in min", of_values("min", "a", 1), ["'a'", "1", "do not mix types"]),
    ("text and numbers in quantile", of_values("quantile(0.5)", 1, "a"), ["'a'", "1", "do not mix types"]),
    ("text and numbers in top_k", of_values("top_k(2)", 3, 2, "a"), ["'a'", "do not mix types"]),
    ("text in spread", of_values("spread", "a", "b"), ["'spread'", "'a'", "a difference"]),
    ("text into any", of_values("any", "yes"), ["'yes'", "True, False or a number"]),
    (
        "a row without the column",
        asked("sum", (1, {"prise": 2}), value="price"),
        ["'price'", "did you mean 'prise'?"],
    ),
    (
        "a value where rows are expected",
        asked("sum", (1, 2), value="price"),
        ["event 0, 2", "a mapping with price"],
    ),
    # Techniques, and the engine
    (
        "an unknown technique",
        lambda: sw.fifo("dabba", "max"),
        ["technique is 'dabba'", "did you mean 'daba'?"],
    ),
    ("no technique", lambda: sw.fifo(None, "max"), ["technique is None", "expected one of"]),  # type: ignore[arg-type]
    ("a technique of an unknown aggregate", lambda: sw.fifo("daba", "mx"), ["'mx'", "did you mean 'max'?"]),
    (
        "a technique whose law is missing",
        lambda: sw.fifo("subtract_on_evict", "max"),
        ["'subtract_on_evict'", "needs an inverse", "'max'"],
    ),
    (
        "a choice where there is none",
        lambda: sw.fifo("slickdeque_noninv", "sum"),
        ["'slickdeque_noninv'", "selective", "'sum'"],
    ),
    ("text into a window", lambda: sw.fifo("daba", "sum").insert("x"), ["'sum'", "'x'", "an int, a float"]),
    ("more than the window has", lambda: sw.fifo("flatfit", "max").query(5), ["n is 5", "from 0 to 0"]),
    ("ranges of nothing", lambda: sw.fifo("slickdeque_inv", "sum", ranges=[0]), ["[0]", "positive integers"]),
    ("an unknown technique to run", ran(technique="dabba"), ["'dabba'", "did you mean 'daba'?"]),
    ("an unknown slicing to run", ran(slicing="pears"), ["'pears'", "did you mean 'pairs'?"]),
    ("no slicing to run", ran(slicing=None), ["slicing is None", "pairs"]),
    ("an unknown optimizer to run", ran(optimizer="weeve_share"), ["did you mean 'weave_share'?"]),
    ("a law that is missing to run", ran(technique="subtract_on_evict"), ["needs an inverse", "'max'"]),
    ("no queries to run", lambda: list(sw.run(5, [])), ["queries is 5", "a list of Query"]),  # type: ignore[arg-type]
    ("no events to run", lambda: list(sw.run([], 5)), ["events is 5", "an iterable"]),  # type: ignore[arg-type]
    ("events out of order to run", ran((3, 1), (2, 1)), ["event 1, (2, 1)", "before 3", "sort"]),
    ("a time that is a float to run", ran((0.5, 1)), ["event 0, (0.5, 1)", "integer"]),
    ("a dict to run", ran((0, {})), ["event 0", "{}", "order"]),
    (
        "an unknown technique for an engine",
        lambda: sw.Engine([sw.Query("q", "max", sw.Window(1, 1))], technique="x"),
        ["technique is 'x'", "expected one of"],
    ),
    ("an event that is none", lambda: sw.Engine([]).push(5), ["event 0, 5", "(time, value)"]),  # type: ignore[arg-type]
    ("a time that is text to advance to", lambda: sw.Engine([]).advance("x"), ["'x'", "an integer"]),  # type: ignore[arg-type]
    ("a snapshot that is none", lambda: sw.Engine.restore({"a": 1}), ["snapshot", "Engine.snapshot()"]),
    # Wrong types where the rest of the package would not get far
    ("starts of no time", lambda: sw.Window(5, 1).starts(1.5), ["time is 1.5", "an integer"]),  # type: ignore[arg-type]
    ("ends of no time", lambda: sw.Window(5, 1).ends(0, None), ["(0, None)", "two integers"]),  # type: ignore[arg-type]
    ("a duration that is a number", lambda: microseconds(5), ["duration is 5", "5 minutes"]),  # type: ignore[arg-type]
    ("laws of a name", lambda: check_laws("sum"), ["'sum'", "an Aggregate"]),  # type: ignore[arg-type]
    ("a count of nothing", lambda: Counting(None), ["None", "an Aggregate"]),  # type: ignore[arg-type]
    ("a file that is a number", lambda: read_queries(5), ["path is 5", "the path of a file"]),  # type: ignore[arg-type]
    ("a file of a zero character", lambda: read_queries("a\0b"), ["'a\\x00b'", "zero character"]),
    ("events for no stream", lambda: read_events("e.csv", None, []), ["stream is None", "a Stream"]),  # type: ignore[arg-type]
    ("answers of no events", lambda: evaluate([], []), ["events is []", "read_events"]),  # type: ignore[arg-type]
    ("a window that is none", lambda: check_words(5, []), ["factory is 5", "a function"]),  # type: ignore[arg-type]
    ("an engine that is none", lambda: check_against_naive([], [], []), ["run is []", "a function"]),  # type: ignore[arg-type]
    ("data of no kind", lambda: data_for("max", only="intz"), ["'intz'", "did you mean 'ints'?"]),
    # Sizes
    (
        "a window with a trillion answers to run",
        ran((1, 2), window=sw.Window(10**12, 1)),
        ["range=1000000000000, slide=1", "at most 50000000"],
    ),
    ("a range of ten thousand digits", window(-(10**10_000), 1), ["range is <int", "a positive integer"]),
    (
        "a window with a trillion answers",
        asked("max", (1, 2), window=sw.Window(10**12, 1)),
        ["range=1000000000000, slide=1", "at most 50000000 answers"],
    ),
    (
        "a trillion empty instances",
        asked("max", (0, 1), (10**12, 2), window=sw.Window(1, 1), emit_empty=True),
        ["range=1, slide=1", "at most 50000000 answers"],
    ),
]


TOML = """
[stream]
time = "ts"
value = "price"
keys = ["symbol"]

[[query]]
name = "high"
aggregate = "max"
range = 10
slide = 5
"""
CSV = "ts,price,symbol\n1,10,A\n2,11,B\n"


def toml(old: str, new: str) -> dict[str, Any]:
    """The good file with one thing replaced."""
    assert old in TOML
    return {"q.toml": TOML.replace(old, new, 1)}


def events(content: str | bytes, name: str = "e.csv") -> dict[str, Any]:
    return {"events": name, name: content}


def times(*cells: str, **more: Any) -> dict[str, Any]:
    return events("ts,price,symbol\n" + "".join(f"{cell},1,A\n" for cell in cells)) | more


DURATIONS = TOML.replace("range = 10", 'range = "10 s"').replace("slide = 5", 'slide = "5 s"')

# What is wrong, what the files hold (q.toml and e.csv are good unless given; None: a directory), pieces of the message.
IN_FILES: list[tuple[str, dict[str, Any], list[str]]] = [
    # The queries
    (
        "a typo in a key of a query",
        toml("slide", "silde"),
        ["query 'high'", "'silde'", "did you mean 'slide'?"],
    ),
    ("a typo in a key of the stream", toml("time", "tiem"), ["[stream]", "'tiem'", "did you mean 'time'?"]),
    ("a typo in a table", toml("[[query]]", "[[queries]]"), ["table is 'queries'", "did you mean 'query'?"]),
    ("a query in single brackets", toml("[[query]]", "[query]"), ["[[query]]", "double brackets"]),
    ("no query", {"q.toml": '[stream]\ntime = "ts"\n'}, ["no [[query]]", "one or more"]),
    ("no stream", {"q.toml": TOML[TOML.index("[[query]]") :]}, ["[stream]", "missing", "time = "]),
    ("a stream that is no table", {"q.toml": "stream = 3\n"}, ["[stream]", "3", "a table"]),
    ("an empty file", {"q.toml": ""}, ["[stream]", "a table"]),
    ("no time", toml('time = "ts"', ""), ["[stream]", "time is missing", "the name of a column"]),
    ("a time that is no name", toml('"ts"', "3"), ["[stream]", "time is 3", "the name of a column"]),
    (
        "a value that is no name",
        toml('"price"', "false"),
        ["[stream]", "value is False", "the name of a column"],
    ),
    ("no value at all", toml('value = "price"', ""), ["query 'high'", "value is missing", "in [stream]"]),
    ("keys in no list", toml('["symbol"]', '"symbol"'), ["keys is 'symbol'", "a list of names"]),
    ("a key that is no name", toml('["symbol"]', "[1]"), ["keys is [1]", "a list of names"]),
    ("a key twice", toml('["symbol"]', '["a", "a"]'), ["keys is ['a', 'a']", "each column once"]),
    (
        "a key that answers have",
        toml('["symbol"]', '["query"]'),
        ["keys is ['query']", "other names than 'query'"],
    ),
    ("an unknown unit", toml("[[query]]", 'unit = "sx"\n[[query]]'), ["unit is 'sx'", "us"]),
    ("a unit that is a number", toml("[[query]]", "unit = 1\n[[query]]"), ["unit is 1", "us"]),
    ("no name", toml('name = "high"', ""), ["query 1", "name is missing", "a string"]),
    ("a name that is a number", toml('"high"', "7"), ["query 7", "name is 7", "a string"]),
    (
        "no aggregate",
        toml('aggregate = "max"', ""),
        ["query 'high'", "aggregate is missing", 'such as "max"'],
    ),
    ("no range", toml("range = 10", ""), ["query 'high'", "range is missing", "5 minutes"]),
    ("no slide", toml("slide = 5", ""), ["query 'high'", "slide is missing", "1 minute"]),
    ("an unknown aggregate", toml('"max"', '"maxx"'), ["query 'high'", "'maxx'", "did you mean 'max'?"]),
    ("an aggregate that is a number", toml('"max"', "3"), ["query 'high'", "aggregate is 3", "a string"]),
    ("range zero", toml("10", "0"), ["query 'high'", "range is 0", "positive"]),
    ("range a float", toml("10", "1.5"), ["query 'high'", "range is 1.5", "an integer"]),
    ("range NaN", toml("10", "nan"), ["query 'high'", "range is nan", "an integer"]),
    ("range a boolean", toml("10", "true"), ["query 'high'", "range is True", "an integer"]),
    ("range a date", toml("10", "1979-05-27"), ["query 'high'", "1979, 5, 27", "an integer"]),
    ("slide negative", toml("5", "-5"), ["query 'high'", "slide is -5", "positive"]),
    ("a duration in no unit", toml("10", '"10 ticks"'), ["query 'high'", "'10 ticks'", "5 minutes"]),
    ("a duration and a number", toml("10", '"10 s"'), ["query 'high'", "slide is 5", "durations"]),
    ("an unknown alignment", toml("10", '10\nalign = "ends"'), ["align is 'ends'", "did you mean 'end'?"]),
    ("count that is a number", toml("10", "10\ncount = 1"), ["count is 1", "true or false"]),
    (
        "emit_empty that is text",
        toml("10", '10\nemit_empty = "yes"'),
        ["emit_empty is 'yes'", "true or false"],
    ),
    (
        "a count of durations",
        {"q.toml": DURATIONS + "count = true"},
        ["query 'high'", "whole numbers of events"],
    ),
    ("arg_max without by", toml('"max"', '"arg_max"'), ["query 'high'", "by is missing", "arg_max chooses"]),
    (
        "by where nothing chooses",
        toml("10", '10\nby = "size"'),
        ["query 'high'", "by is 'size'", "max takes one"],
    ),
    (
        "two queries of one name",
        {"q.toml": TOML + TOML[TOML.index("[[query]]") :]},
        ["query 'high'", "no other"],
    ),
    ("no TOML", {"q.toml": "time: ts\n"}, ["not valid TOML", "line 1"]),
    ("a key twice in a table", toml("10", "10\nrange = 11"), ["not valid TOML", "line 11"]),
    ("queries that are not UTF-8", {"q.toml": b'x = "\xff"'}, ["not UTF-8", "byte 5 is 0xff"]),
    ("a directory for queries", {"q.toml": None}, ["q.toml", "a directory", "expected a file"]),
    ("no queries there", {"queries": "nowhere.toml"}, ["nowhere.toml", "no such file"]),
    # The events
    ("no events there", {"events": "nowhere.csv"}, ["nowhere.csv", "no such file"]),
    ("a directory for events", {"e.csv": None}, ["e.csv", "a directory", "expected a file"]),
    (
        "a directory without a suffix",
        {"events": "d", "d": None},
        ["d", "a directory", ".csv, .jsonl or .parquet"],
    ),
    (
        "a directory of Parquet",
        {"events": "d.parquet", "d.parquet": None},
        ["a directory", "expected a file"],
    ),
    ("an unknown suffix", events("", "e.txt"), ["'.txt'", ".csv, .jsonl or .parquet"]),
    ("no suffix", events("", "e"), ["''", ".csv, .jsonl or .parquet"]),
    ("events that are not UTF-8", events(b"ts,price\n1,\xe9\n"), ["not UTF-8", "0xe9"]),
    ("no header", events(""), ["first line is empty", "a header"]),
    ("a missing column", events("ts,prices,symbol\n"), ["no column 'price'", "did you mean 'prices'?"]),
    ("a missing time column", events("time,price,symbol\n"), ["no column 'ts'", "expected one of"]),
    ("a column twice", events("ts,ts,price,symbol\n"), ["'ts'", "twice"]),
    ("a row too short", events(CSV + "3,4\n"), ["line 4", "2 cells", "expected 3"]),
    ("a row too long", events(CSV + "3,4,A,B\n"), ["line 4", "4 cells", "expected 3"]),
    ("a quotation without an end", events(CSV + '3,4,"A\n'), ["line", "not valid CSV"]),
    ("a time that is a float", times("1", "2.5"), ["line 3", "ts is '2.5'", "an integer, or a timestamp"]),
    ("a time that is text", times("noon"), ["line 2", "ts is 'noon'", "an integer, or a timestamp"]),
    ("a time NaN", times("nan"), ["line 2", "ts is 'nan'", "an integer, or a timestamp"]),
    ("digits of another script", times("١"), ["line 2", "an integer, or a timestamp"]),
    ("a time of many digits", times("1" * 100_000), ["line 2", "an integer, or a timestamp"]),
    ("a day that does not exist", times("2023-02-29"), ["line 2", "'2023-02-29'", "one that exists"]),
    ("an hour that does not exist", times("2023-02-28T25:00"), ["line 2", "one that exists"]),
    ("nanoseconds", times("2023-02-28T00:00:00.123456789"), ["line 2", "whole microseconds"]),
    (
        "an integer after a timestamp",
        times("2024-05-01", "7"),
        ["line 3", "ts is '7'", "a timestamp in line 2"],
    ),
    (
        "a timestamp after an integer",
        times("7", "2024-05-01"),
        ["line 3", "'2024-05-01'", "an integer in line 2"],
    ),
    ("timestamps, windows of numbers", times("2024-05-01"), ["'ts'", "'high'", "10", "durations such as"]),
    (
        "timestamps that are given a unit",
        times("2024-05-01", **toml("[[", 'unit="s"\n[[')),
        ["unit is 's'", "none"],
    ),
    ("integers, windows of durations", {"q.toml": DURATIONS}, ["'ts'", "'high'", 'unit = "s"']),
    (
        "text in a column of numbers",
        events(CSV + "3,n/a,A\n") | toml("max", "sum"),
        ["line 2", "'10'", "line 4", "'n/a'"],
    ),
    (
        "a number beyond floats",
        events(CSV + "3,1e999,A\n"),
        ["line 4", "price is '1e999'", "a number that fits"],
    ),
    ("no JSON", events('{"ts": 1}\n{"ts": \n', "e.jsonl"), ["line 2", "not valid JSON"]),
    ("JSON that is no object", events("[1, 2]\n", "e.jsonl"), ["line 1", "[1, 2]", "a JSON object"]),
    ("JSON too deep", events("[" * 100_000, "e.jsonl"), ["line 1", "not valid JSON"]),
    (
        "JSON without the column",
        events('{"ts": 1, "prise": 2, "symbol": "A"}\n', "e.jsonl"),
        ["'price'", "'prise'?"],
    ),
    (
        "a time in quotes",
        events('{"ts": "1", "price": 2, "symbol": 1}', "e.jsonl"),
        ["line 1", "ts is '1'", "an integer"],
    ),
    (
        "a time true",
        events('{"ts": true, "price": 2, "symbol": 1}', "e.jsonl"),
        ["line 1", "ts is True", "an integer"],
    ),
    (
        "a time 1.0",
        events('{"ts": 1.0, "price": 2, "symbol": 1}', "e.jsonl"),
        ["line 1", "ts is 1.0", "an integer"],
    ),
    (
        "numbers and text in one column",
        events('{"ts": 1, "price": 2, "symbol": 1}\n\n{"ts": 1, "price": "2", "symbol": 1}\n', "e.jsonl"),
        ["line 3", "price is '2', text", "a number in line 1", "one type"],
    ),
    ("a list for a key", events('{"ts": 1, "price": 2, "symbol": [1]}', "e.jsonl"), ["line 1", "hashable"]),
    ("a dict into max", events('{"ts": 1, "price": {}, "symbol": 1}', "e.jsonl"), ["line 1", "{}", "order"]),
    ("no Parquet", events("ts,price\n", "e.parquet"), ["cannot be read as Parquet"]),
    (
        "a window with a trillion answers",
        toml("range = 10", f"range = {10**12}"),
        ["1000000000000", "at most"],
    ),
    # Where the answers go
    ("answers into an unknown suffix", {"out": "a.txt"}, ["a.txt", "'.txt'", ".csv, .jsonl or .parquet"]),
    ("answers into a directory", {"out": "d.csv", "d.csv": None}, ["d.csv", "a directory"]),
    ("answers into no directory", {"out": "no/a.csv"}, ["its directory does not exist"]),
    ("answers over the events", {"out": "e.csv"}, ["e.csv", "one of the inputs"]),
    (
        "answers of two types in Parquet",
        {
            "q.toml": TOML
            + TOML[TOML.index("[[query]]") :].replace('"high"', '"all"').replace('"max"', '"top_k(2)"')
        }
        | {"out": "a.parquet"},
        ["a.parquet", "value is ['int', 'list']", ".jsonl"],
    ),
    (
        "an integer too large for Parquet",
        events(CSV + f"3,{10**30},A\n") | {"out": "a.parquet"},
        ["a.parquet", "value", ".jsonl"],
    ),
]


def run(queries: str, events: str, out: str) -> None:
    """What the command does, in Python."""
    stream, wanted = read_queries(queries)
    write_answers(out, evaluate(wanted, read_events(events, stream, wanted)), stream, wanted)


def one_clear_sentence(message: str, pieces: list[str]) -> None:
    assert message
    assert "\n" not in message
    assert len(message) < 700
    assert "Traceback" not in message
    for piece in pieces:
        assert piece in message, f"{piece!r} is not in: {message}"


@pytest.mark.parametrize(
    ("mistake", "pieces"), [row[1:] for row in IN_PYTHON], ids=[row[0] for row in IN_PYTHON]
)
def test_in_python(mistake: Callable[[], Any], pieces: list[str]) -> None:
    with pytest.raises(sw.SwagError) as raised:
        mistake()
    assert isinstance(raised.value, ValueError)
    one_clear_sentence(str(raised.value), pieces)


NONSENSE = [None, -1, 0, 10**400, 1.5, NAN, True, "", "x", [], {}, (), object()]
TAKERS: dict[str, Callable[[Any], Any]] = {
    "Window": lambda x: sw.Window(x, x, x),
    "Window.ending": lambda x: sw.Window.ending(x, x),
    "Window.count": lambda x: sw.Window.count(x, x),
    "Window.starts": lambda x: sw.Window(5, 2).starts(x),
    "Window.ends": lambda x: sw.Window(5, 2).ends(x, x),
    "Window.edges": lambda x: sw.Window(5, 2).edges(x),
    "Window.to_unit": lambda x: sw.Window("5 s", "1 s").to_unit(x),
    "Query": lambda x: sw.Query(x, x, x),
    "Query.pick": lambda x: sw.Query("q", "max", sw.Window(1, 1), value="v").pick(x),
    "aggregate": sw.aggregate,
    "quantile": sw.quantile,
    "top_k": sw.top_k,
    "register": sw.register,
    "Aggregate": lambda x: sw.Aggregate(x, lift=x, combine=x),
    "Aggregate.over": lambda x: sw.aggregate("sum").over([x]),
    "Aggregate, parts": lambda x: sw.Aggregate("a", parts=x),
    "check_laws": check_laws,
    "Counting": Counting,
    "naive, queries": lambda x: sw.naive(x, []),
    "naive, events": lambda x: sw.naive([sw.Query("q", "max", sw.Window(1, 1))], x),
    "naive, unit": lambda x: sw.naive([], [], unit=x),
    "microseconds": microseconds,
    "fifo": lambda x: sw.fifo(x, x),
    "run": lambda x: list(sw.run(x, x)),
    "run, technique": lambda x: list(sw.run([], [], technique=x)),
    "run, slicing": lambda x: list(sw.run([], [], slicing=x)),
    "Engine": sw.Engine,
    "read_queries": read_queries,
    "read_events": lambda x: read_events(x, x, x),
    "evaluate": lambda x: evaluate(x, x),
    "write_answers": lambda x: write_answers("answers.csv", [], x, x),
    "check_fifo": lambda x: check_fifo(x, max_examples=1),
    "check_fifo, aggregates": lambda x: check_fifo(ReferenceWindow, aggregates=x, max_examples=1),
    "check_words": lambda x: check_words(x, []),
    "check_against_naive": lambda x: check_against_naive(x, x, x),
    "data_for": lambda x: data_for("max", only=x),
}


@pytest.mark.parametrize("nonsense", NONSENSE, ids=lambda value: f"{value!r:.9}")
@pytest.mark.parametrize("name", TAKERS)
def test_nonsense_is_refused_in_a_sentence_or_makes_sense(
    name: str, nonsense: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No traceback of ours, nothing written; where nothing is refused, the argument was one that can be taken."""
    monkeypatch.chdir(tmp_path)
    try:
        TAKERS[name](nonsense)
    except sw.SwagError as refusal:
        one_clear_sentence(str(refusal).partition("\n")[0], [])
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("files", "pieces"), [row[1:] for row in IN_FILES], ids=[row[0] for row in IN_FILES])
def test_in_files(
    files: dict[str, Any],
    pieces: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if ".parquet" in str(files):
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    settings = {"queries": "q.toml", "events": "e.csv", "out": "answers.csv"}
    for name, content in {"q.toml": TOML, "e.csv": CSV, **files}.items():
        if name in settings:
            settings[name] = content
        elif content is None:
            Path(name).mkdir()
        else:
            Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}

    with pytest.raises(SystemExit) as ended:
        main(["run", settings["queries"], settings["events"], "--out", settings["out"]])
    assert ended.value.code == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    one_clear_sentence(printed.err.removesuffix("\n"), ["swag: ", *pieces])
    assert {
        path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()
    } == before  # nothing half-written

    if settings["out"] == "e.csv":
        return  # only the command knows its inputs
    with pytest.raises(sw.SwagError) as raised:
        run(**settings)
    assert isinstance(raised.value, ValueError)
    one_clear_sentence(str(raised.value), pieces)


def test_the_files_of_the_table_are_good_where_nothing_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "q.toml").write_text(TOML)
    (tmp_path / "e.csv").write_text(CSV)
    result = CliRunner().invoke(app, ["run", str(tmp_path / "q.toml"), str(tmp_path / "e.csv")])
    assert result.exit_code == 0, result.output


# Wrong usage, rather than wrong input: exit code 2, and no traceback.
USAGE = [
    (["run"], "Missing argument"),
    (["run", "q.toml"], "Missing argument"),
    (["run", "q.toml", "e.csv", "more"], "unexpected extra argument"),
    (["run", "q.toml", "e.csv", "--outt", "a.csv"], "No such option"),
    (["run", "q.toml", "e.csv", "--engine", "sparc"], "'sparc'"),
    (["claims", "--verdict", "maybe"], "'maybe'"),
    (["verify", "--profile", "slow"], "'slow'"),
    (["rum"], "No such command 'rum'"),
]


@pytest.mark.parametrize(("arguments", "piece"), USAGE)
def test_wrong_usage(arguments: list[str], piece: str) -> None:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert piece in result.output


@pytest.mark.parametrize(
    ("options", "pieces"),
    [
        (["--engine", "spark"], ["engine 'spark' writes Parquet", "--out with the name of a directory"]),
        (["--master", "local"], ["master is 'local'", "none, as --engine is python"]),
    ],
)
def test_options_that_do_not_go_together(
    options: list[str], pieces: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    queries = tmp_path / "q.toml"
    queries.write_text(
        '[stream]\ntime = "ts"\nvalue = "v"\n\n[[query]]\nname = "a"\naggregate = "max"\nrange = 5\nslide = 5\n'
    )
    with pytest.raises(SystemExit) as ended:
        main(["run", str(queries), "e.csv", *options])
    assert ended.value.code == 1
    one_clear_sentence(capsys.readouterr().err.removesuffix("\n"), pieces)


@pytest.mark.parametrize("column", ["time", "value"])
def test_a_stream_made_in_python(column: str) -> None:
    with pytest.raises(sw.SwagError, match=f"{column} is ''; expected the name of a column"):
        Stream(**{"time": "ts", column: ""})
