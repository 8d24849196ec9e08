"""Single points of the batch plans: bounds of integers, ties, clocks, keys, pieces of time, wrong arguments."""

from __future__ import annotations

import itertools
import math
import random
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

import swagcore as sw
from swagcore.errors import InvalidArgument, SwagError, UnknownName
from swagcore.spark import slices, worker
from tests.spark.gathered import SPRING, compared, frame, gathered, session_setting

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SHARED_PLANS = ["naive", "slices", "coverage"]
Q, W = sw.Query, sw.Window


def integers(
    spark: SparkSession, rows: list[tuple[Any, ...]], schema: str = "t long, v long, k string"
) -> DataFrame:
    return spark.createDataFrame(rows, schema)


def answers(df: DataFrame, queries: list[sw.Query], **more: Any) -> list[sw.Answer]:
    return gathered(sw.spark.windows(df, queries, time="t", **more), more.get("keys", ["k"]))


def python_naive(queries: list[sw.Query], rows: list[tuple[Any, ...]]) -> list[sw.Answer]:
    """`naive` on rows (t, v, key...) by the rule for ties without order columns: by value, nulls first."""
    known = [(row[0], row[1], tuple(row[2:])) for row in rows if row[0] is not None]
    return sw.naive(queries, sorted(known, key=lambda e: (e[0], e[1] is not None, e[1] or 0)))


# Integers to their bounds

LEAST, MOST = -(2**63), 2**63 - 1
FITTING = [  # values in one window, in an order in which adding or multiplying from left to right overflows
    ("sum", [MOST, MOST, -MOST, LEAST + 1, 5], 5),
    ("sum", [LEAST, LEAST, MOST, MOST, -7], -9),
    ("sum", [MOST], MOST),
    ("sum", [LEAST], LEAST),
    ("mean", [LEAST, LEAST, LEAST], float(LEAST)),
    ("mean", [MOST, MOST - 1], float(MOST)),
    ("mean", [2**53 + 1, 2**53 + 1, 2**53 + 2], (3 * 2**53 + 4) / 3),
    ("mean", [2**60 + 1, -(2**60), 2**55 + 1, 2**54 - 1, 2**54 + 3], (2**56 + 4) / 5),
    (
        "mean",
        [2**60 + 128, 2**60 + 128, 2**60 + 129],
        2.0**60 + 256,
    ),  # a third above the middle of two doubles
    ("product", [2**62, 2, -1], LEAST),
    ("product", [2**40, 2**40, 0], 0),
    ("product", [LEAST, 1, 1], LEAST),
    ("product", [-3, 5, -7], 105),
    ("sum_squares", [3037000499, 1], 3037000499**2 + 1),
    ("spread", [LEAST + 1, 0], MOST),
    ("variance", [-(2**62), -(2**62), 2 - 2**62], 4 / 3),
    ("variance", [10**18, 10**18 + 1, 10**18 + 2], 1.0),
]
OVERFLOWING = [
    ("sum", [MOST, 1]),
    ("sum", [LEAST, -1]),
    ("product", [2**62, 2]),
    ("product", [LEAST, -1]),
    ("sum_squares", [3037000500]),
    ("spread", [LEAST, 0]),
    ("variance", [LEAST, MOST, MOST, LEAST]),
]


@pytest.mark.parametrize("plan", SHARED_PLANS)
def test_a_total_that_fits_is_returned_whatever_the_order(spark: SparkSession, plan: str) -> None:
    # Each case is a key; its values are spread over slices of one window, in both directions.
    rows = []
    for number, (_, values, _) in enumerate(FITTING):
        for way, ordered in (("up", values), ("down", values[::-1])):
            rows += [(3 * place, value, f"{number} {way}") for place, value in enumerate(ordered)]
    names = sorted({name for name, _, _ in FITTING})
    df = integers(spark, rows)
    found: dict[Any, Any] = {}
    for name in names:
        wanted = [number for number, case in enumerate(FITTING) if case[0] == name]
        mine = df.where(f"CAST(split(k, ' ')[0] AS int) IN ({', '.join(map(str, wanted))})")
        # Windows of all values, and one that contains none but cuts between them.
        queries = [Q(name, name, W(15, 15)), Q("wider", name, W(30, 15)), Q("between", name, W(1, 3, 1))]
        for answer in answers(mine, queries, plan=plan):
            if answer.start == 0:
                found[answer.query, answer.key[0]] = answer.value
    for number, (name, _, value) in enumerate(FITTING):
        for way in ("up", "down"):
            assert found[name, f"{number} {way}"] == value, (
                name,
                number,
                way,
                found[name, f"{number} {way}"],
            )


@pytest.mark.parametrize(("name", "values"), OVERFLOWING)
def test_a_total_that_does_not_fit_is_an_error(spark: SparkSession, name: str, values: list[int]) -> None:
    rows = [(3 * place, value, "k") for place, value in enumerate(values)]
    df = integers(spark, rows)
    for plan in ("naive", "slices"):
        with pytest.raises(Exception, match="does not fit its type"):
            sw.spark.windows(df, [Q("it's", name, W(15, 15))], time="t", plan=plan).collect()


def test_an_error_comes_without_ansi_too(spark: SparkSession) -> None:
    df = integers(spark, [(0, MOST, "k"), (3, 1, "k")])
    with session_setting(spark, "spark.sql.ansi.enabled", "false"):
        for plan in ("naive", "slices"):
            with pytest.raises(Exception, match="a sum does not fit its type, bigint"):
                sw.spark.windows(df, [Q("q", "sum", W(15, 15))], time="t", plan=plan).collect()


def test_decimals_of_full_width(spark: SparkSession) -> None:
    nearly, schema = 9 * 10**37, "t long, v decimal(38,0), k string"
    queries = [Q("q", "sum", W(10, 10)), Q("between", "sum", W(1, 3, 1))]
    fits = integers(
        spark, [(0, Decimal(nearly), "k"), (3, Decimal(-nearly), "k"), (20, Decimal(1), "k")], schema
    )
    too_large = integers(spark, [(0, Decimal(nearly), "k"), (3, Decimal(nearly), "k")], schema)
    for plan in ("naive", "slices"):
        assert {a.start: a.value for a in answers(fits, queries, plan=plan)} == {0: 0, 20: 1}
        with pytest.raises(
            Exception, match=r"a sum does not fit its type|NUMERIC_VALUE_OUT_OF_RANGE|ARITHMETIC_OVERFLOW"
        ):
            answers(too_large, queries, plan=plan)


def test_a_total_of_decimals_that_spark_gives_up_is_an_error(spark: SparkSession) -> None:
    """Without ANSI, Spark's sum of too many digits is NULL: a slice that has it would be left out of its windows."""
    rows = [(0, Decimal(9 * 10**37), "k"), (1, Decimal(9 * 10**37), "k"), (5, Decimal(7), "k")]
    df = integers(spark, rows, "t long, v decimal(38,0), k string")
    queries = [Q("all", "sum", W(10, 10)), Q("cut", "sum", W(5, 5))]
    with session_setting(spark, "spark.sql.ansi.enabled", "false"):
        for plan in SHARED_PLANS:
            with pytest.raises(Exception, match=r"a sum does not fit its type, decimal\(38,0\)"):
                answers(df, queries, plan=plan)


WIDE = {  # of 1.000000000000000001, 0 and 1.000000000000000001, which Spark's operators round to 17 digits
    "spread": "1.000000000000000001",
    "median": "1.000000000000000001",
    "sum": "2.000000000000000002",
    "mean": "0.666666666666666667",
}


def test_no_digit_of_wide_decimals_is_lost(spark: SparkSession) -> None:
    rows = [(0, Decimal("1.000000000000000001"), "k"), (1, Decimal(0), "k")]
    df = integers(spark, [*rows, rows[0]], "t long, v decimal(38,18), k string")
    tables = sw.spark.tables(df, [Q(name, name, W(10, 10)) for name in WIDE], time="t", plan="naive")
    for name, wanted in WIDE.items():
        assert [row.value for row in tables[name].collect()] == [Decimal(wanted)], name


def test_a_mean_of_decimals_that_does_not_fit_is_an_error(spark: SparkSession) -> None:
    df = integers(spark, [(0, Decimal(10**37), "k")], "t long, v decimal(38,0), k string")
    for name in ("mean", "median"):
        with pytest.raises(Exception, match=f"a {name} does not fit its type, decimal"):
            answers(df, [Q("q", name, W(5, 5))])


def test_a_query_may_be_named_with_braces(spark: SparkSession) -> None:
    df = integers(spark, [(0, MOST, "k")])
    assert [a.query for a in answers(df, [Q("a{b} {0}", "sum", W(5, 5))])] == ["a{b} {0}"]
    with pytest.raises(Exception, match=r"query 'a\{b\}': a spread does not fit"):
        answers(integers(spark, [(0, MOST, "k"), (0, LEAST, "k")]), [Q("a{b}", "spread", W(5, 5))])


# Ties, nulls and keys


@pytest.mark.parametrize("plan", SHARED_PLANS)
def test_without_order_columns_ties_go_by_value(spark: SparkSession, plan: str) -> None:
    chosen = random.Random(3)
    rows = [
        (chosen.randrange(-9, 9), chosen.choice([None, *range(-3, 4)]), chosen.choice(["a", "b", None]))
        for _ in range(120)
    ]
    queries = [Q("first", "first", W(6, 4)), Q("last", "last", W(5, 2, 1)), Q("n", "count", W(2, 3))]
    df = integers(spark, rows)
    assert compared(answers(df, queries, plan=plan), python_naive(queries, rows)) > 40


@pytest.mark.parametrize("plan", SHARED_PLANS)
def test_windows_that_count(spark: SparkSession, plan: str) -> None:
    chosen = random.Random(4)
    rows = [(chosen.randrange(50), chosen.randrange(9), chosen.choice("ab")) for _ in range(60)]
    queries = [
        Q("sum", "sum", W.count(7, 3)),
        Q("max", "max", W.count(4, 5, 1)),
        Q("time", "last", W(20, 10)),
    ]
    assert compared(answers(integers(spark, rows), queries, plan=plan), python_naive(queries, rows)) > 30


def test_a_column_without_an_order_is_counted(spark: SparkSession) -> None:
    rows = [(0, {"a": 1}, "k"), (0, None, "k"), (1, {}, "k")]
    df = integers(spark, rows, "t long, v map<string,int>, k string")
    found = answers(df, [Q("n", "count", W.count(2, 2)), Q("all", "count", W(5, 5))])
    assert sorted(a[:4] for a in found) == [("all", 0, 5, 2), ("n", 0, 2, 1), ("n", 2, 4, 1)]


def test_empty_instances(spark: SparkSession) -> None:
    rows = [(0, 1, "a"), (40, 2, "a"), (7, 3, None), (8, None, None), (90, 4, None), (-5, 5, "once")]
    queries = [Q(name, name, W(6, 4, 1), emit_empty=True) for name in ("count", "sum", "count_distinct")]
    df = integers(spark, rows)
    wanted = python_naive(queries, rows)
    for plan in SHARED_PLANS:
        assert compared(answers(df, queries, plan=plan), wanted) == len(wanted)


def test_empty_instances_in_blocks(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("swagcore.spark.batch.BLOCK", 3)
    for rows in ([(0, 1, "k"), (last, 2, "k")] for last in (4, 25, 26, 28, 100)):
        queries = [Q("q", "count", W(2, 3), emit_empty=True)]
        wanted = python_naive(queries, rows)
        assert compared(answers(integers(spark, rows), queries), wanted) == len(wanted)


KEYED = [
    (0, 1, 1.5, None, True),
    (1, 2, math.nan, b"x", True),
    (2, 3, math.nan, b"x", True),
    (3, 4, -0.0, None, None),
    (4, 5, 0.0, None, None),
    (9, 6, None, b"", False),
]


def test_several_keys_of_all_types_and_none(spark: SparkSession) -> None:
    df = integers(spark, KEYED, "t long, v long, x double, y binary, z boolean")
    queries = [Q("s", "sum", W(6, 3)), Q("m", "max", W(4, 2))]

    def tidy(x: float | None, y: bytes | None, z: bool | None) -> tuple[Any, ...]:
        """A key that can be compared: one NaN, one zero."""
        return x if x is None else "NaN" if x != x else x + 0.0, y if y is None else bytes(y), z

    wanted = python_naive(queries, [(t, v, *tidy(*key)) for t, v, *key in KEYED])
    alone = python_naive(queries, [row[:2] for row in KEYED])
    for plan in SHARED_PLANS:
        found = answers(df, queries, keys=["x", "y", "z"], plan=plan)
        assert compared([a._replace(key=tidy(*a.key)) for a in found], wanted) > 10
        assert compared(answers(df, queries, keys=[], plan=plan), alone) > 5


@pytest.mark.parametrize("plan", SHARED_PLANS)
def test_no_events_no_answers(spark: SparkSession, plan: str) -> None:
    queries = [Q("s", "sum", W(6, 3)), Q("m", "max", W(4, 2)), Q("l", "last", W(4, 2))]
    for rows in ([], [(None, 1, "k")]):
        found = sw.spark.windows(integers(spark, rows), queries, time="t", plan=plan)
        assert found.collect() == []
        assert found.columns == ["query", "k", "window_start", "window_end", "value"]


# Clocks


def test_the_time_zone_of_the_session_plays_no_part(spark: SparkSession) -> None:
    rows = [(SPRING + step * 600_000_000, step, "k") for step in range(-12, 12)]
    queries = [Q("d", "sum", W("1 d", "12 h")), Q("h", "sum", W("3 h", "1 h", "30 min"))]
    wanted = sw.naive(queries, [(t, v, (k,)) for t, v, k in rows], unit="us")
    df = frame(spark, rows, "time long, v long, k string")
    for zone, plan in itertools.product(["Europe/Berlin", "America/St_Johns"], SHARED_PLANS):
        with session_setting(spark, "spark.sql.session.timeZone", zone):
            assert compared(gathered(sw.spark.windows(df, queries, plan=plan)), wanted) > 9


def test_timestamps_without_a_zone_and_dates(spark: SparkSession) -> None:
    from datetime import datetime

    queries = [Q("h", "sum", W("3 h", "2 h")), Q("n", "count", W("2 h", "1 h"))]
    rows = [(f"2024-03-31 0{hour}:30:00", hour) for hour in range(6)]
    with session_setting(spark, "spark.sql.session.timeZone", "Europe/Berlin"):
        df = spark.createDataFrame(rows, "s string, v long").selectExpr("CAST(s AS timestamp_ntz) AS ts", "v")
        for plan in SHARED_PLANS:
            found = sw.spark.windows(df, queries, keys=[], plan=plan).where("query = 'h'").collect()
            assert sorted((row.window_start, row.value) for row in found) == [
                (datetime(2024, 3, 30, 22), 0),
                (datetime(2024, 3, 31, 0), 0 + 1 + 2),
                (datetime(2024, 3, 31, 2), 2 + 3 + 4),
                (datetime(2024, 3, 31, 4), 4 + 5),
            ]
        days = spark.createDataFrame([("2024-03-31", 1), ("2024-04-01", 2)], "s string, v long")
        days = days.selectExpr("CAST(s AS date) AS ts", "v")
        got = (
            sw.spark.windows(days, [Q("d", "sum", W("2 d", "1 d"))], keys=[])
            .orderBy("window_start")
            .collect()
        )
        assert [(row.window_start.day, row.value) for row in got] == [(30, 1), (31, 3), (1, 2)]


def test_integer_times_need_a_unit_for_durations(spark: SparkSession) -> None:
    df = integers(spark, [(0, 1, "k"), (61, 2, "k")])
    queries = [Q("q", "sum", W("1 min", "1 min"))]
    with pytest.raises(InvalidArgument, match="unit of the stream is None"):
        sw.spark.windows(df, queries, time="t")
    assert sorted(a[1:4] for a in answers(df, queries, unit="s")) == [(0, 60, 1), (60, 120, 2)]


def test_times_at_both_ends_of_what_is_accepted(spark: SparkSession) -> None:
    furthest = 2**62
    rows = [(furthest, 1, "k"), (-furthest, 2, "k"), (furthest - 3, 3, "k")]
    queries = [
        Q("short", "sum", W(4, 3, 1)),
        Q("long", "sum", W(2**57, 2**57 - 1, 7)),
        Q("gap", "sum", W(2, 5)),
    ]
    wanted = python_naive(queries, sorted(rows))
    too_far = integers(spark, [(2**63 - 1, 1, "k"), (-(2**63), 2, "k")])
    for plan in SHARED_PLANS:
        assert compared(answers(integers(spark, rows), queries, plan=plan), wanted) == len(wanted)
        with pytest.raises(Exception, match="swagcore: a time is beyond 4611686018427387904"):
            answers(too_far, queries, plan=plan)


# Size and skew


@pytest.mark.parametrize("rows_held", [1, 7, 1 << 18])
def test_a_run_longer_than_what_a_worker_holds(rows_held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker itself, on batches of three rows: the answers do not depend on how much it holds at a time."""
    import pyarrow as pa

    chosen = random.Random(5)
    shapes = [(5, 2, 1), (9, 9, 0), (2, 7, 3), (30, 3, 0)]
    runs = {
        key: sorted(chosen.sample(range(-60, 60), size))
        for key, size in (("a", 1), ("b", 70), ("c", 2), ("d", 40))
    }
    cells = [(key, 0, time, chosen.randrange(9)) for key, times in runs.items() for time in times]
    plan = worker.Plan(
        keys=1,
        parts=[("add", 3, 1)],
        windows=[(*shape, [(number, [(0, 0, 0)])]) for number, shape in enumerate(shapes)],
        types=[3],
        longest=30,
        piece=10**6,
    )
    moved = [(key, -1 if time < 0 else 0, time, value) for key, _, time, value in cells]
    # As slices.py sends them: a slice near the beginning of a piece is in the piece before, too.
    moved += [(key, -1, time, value) for key, piece, time, value in moved if piece == 0 and time < 30]
    moved.sort()
    table = pa.table(
        {name: list(column) for name, column in zip("kpsv", zip(*moved, strict=True), strict=True)}
    )
    monkeypatch.setattr(worker, "ROWS", rows_held)
    monkeypatch.setattr(worker, "WINDOWS", 5)
    found = []
    for batch in worker.answers(table.to_batches(max_chunksize=3), plan):
        found += [
            sw.Answer(str(r["q"]), r["start"], r["start"] + shapes[r["q"]][0], r["d0"], r["k0"])
            for r in batch.to_pylist()
        ]
    queries = [Q(str(number), "sum", W(*shape)) for number, shape in enumerate(shapes)]
    events = sorted(((time, value, key) for key, _, time, value in cells), key=lambda event: event[0])
    assert compared(found, sw.naive(queries, events)) > 100


def test_pieces_of_time(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key is shared out among pieces that are no longer than the longest window, and windows cross them."""
    monkeypatch.setattr(slices, "PIECES", 1)
    chosen = random.Random(6)
    rows = [(chosen.randrange(-100, 100), chosen.randrange(9), "k") for _ in range(90)]
    queries = [Q("a", "sum", W(10, 3)), Q("b", "last", W(7, 7, 2)), Q("c", "count", W(3, 8))]
    assert compared(answers(integers(spark, rows), queries, plan="slices"), python_naive(queries, rows)) > 100


def test_many_keys_and_one_large_one(spark: SparkSession) -> None:
    """Between plans, inside Spark: 30,000 keys with a few events, and one with most of them."""
    df = spark.range(60_000).selectExpr(
        "id * 37 % 9973 AS t",
        "id % 101 AS v",
        "CASE WHEN id % 2 = 0 THEN 'large' ELSE CAST(id AS string) END AS k",
    )
    queries = [Q("s", "sum", W(100, 40)), Q("m", "max", W(60, 60)), Q("n", "count", W(1000, 700))]
    found = {plan: sw.spark.windows(df, queries, time="t", plan=plan) for plan in ("naive", "slices")}
    assert (
        found["naive"].exceptAll(found["slices"]).unionAll(found["slices"].exceptAll(found["naive"])).count()
        == 0
    )
    assert found["slices"].count() > 100_000


# Tables, explain, wrong arguments


def test_tables_have_their_own_types_and_are_computed_once(spark: SparkSession) -> None:
    df = integers(spark, [(0, 1, "a"), (3, 4, "b"), (9, 2, "a")])
    queries = [
        Q("low", "min", W(5, 5)),
        Q("avg", "mean", W(5, 5)),
        Q("mid", "median", W(10, 10)),
        Q("c", "count", W.count(2, 2)),
    ]
    tables = sw.spark.tables(df, queries, time="t", plan="slices")
    assert list(tables) == ["low", "avg", "mid", "c"]
    types = {name: table.schema["value"].dataType.simpleString() for name, table in tables.items()}
    assert types == {"low": "bigint", "avg": "double", "mid": "double", "c": "bigint"}
    assert tables["low"].columns == ["k", "window_start", "window_end", "value"]
    for query in queries:
        assert compared(
            gathered(tables[query.name], query=query.name),
            python_naive([query], [(0, 1, "a"), (3, 4, "b"), (9, 2, "a")]),
        )
    assert len(tables._kept) == 1  # what `low` and `avg` share
    tables.unpersist()
    assert not tables._kept


def test_explain_says_what_is_chosen_and_why(spark: SparkSession) -> None:
    df = integers(spark, [(0, 1, "a")])
    many = [Q(f"q{size}", "max", W(size, slide)) for size, slide in ((21, 7), (35, 11), (100, 13))]
    told = sw.spark.explain(df, [*many, Q("m", "median", W(7, 7))], time="t")
    assert told.startswith("plan slices for 3 queries: an event is aggregated once")
    assert "estimated rows aggregated for each event: naive" in told
    assert "q100: max over Window(range=100, slide=13)" in told
    assert "plan naive for 1 query: these need all the events of a window" in told
    assert sw.spark.explain(df, [Q("t", "max", W(7, 7))], time="t").startswith("plan naive for 1 query: ")
    assert "Window(range=14, slide=14)" in sw.spark.explain(
        df, [Q("a", "max", W(7, 7)), Q("b", "max", W(14, 14))], time="t", plan="coverage"
    )


def test_explain_shows_durations_over_timestamps(spark: SparkSession) -> None:
    df = frame(spark, [(0, 1, "k")], "time long, v long, k string")
    queries = [Q("a", "max", W("90 s", "1 min", "1 s")), Q("b", "max", W("1 h", "500 ms", lag="2 h"))]
    assert sw.spark.explain(df, queries, plan="slices").splitlines()[2:] == [
        "  events, cut every 500 ms",
        "    slices, by key and piece of time, in Python workers",
        "      a: max over Window('90 s', '1 min', '1 s')",
        "      b: max over Window('1 h', '500 ms', lag='2 h')",
    ]
    told = sw.spark.explain(df, [Q("a", "max", W("70 s", "1 min", "1 s"))], plan="slices")
    assert "events, cut every 1 min from 11 s, every 1 min from 1 s\n" in told
    asked = [
        Q("low", "min", W("4 h", "4 h")),
        Q("high", "max", W("6 h", "6 h", lag="1 d")),
        Q("sum", "sum", W("8 h", "8 h")),
    ]
    assert sw.spark.explain(df, asked, plan="coverage").splitlines()[2:] == [
        "  events",
        "    Window('2 h', '2 h'), of which others are made",
        "      low: min over Window('4 h', '4 h')",
        "      high: max over Window('6 h', '6 h', lag='1 d')",
        "  events",
        "    sum: sum over Window('8 h', '8 h')",
    ]


LONGEST = Q("longest", sw.Aggregate("longest", lift=len, combine=max, identity=0), W(5, 5))
WRONG: list[tuple[dict[str, Any], type[SwagError], str]] = [
    ({"df": 1}, InvalidArgument, "df is 1; expected a Spark DataFrame"),
    ({"time": "tt"}, UnknownName, r"time is 'tt'; expected one of .*t.*"),
    ({"time": "k"}, InvalidArgument, "type of time column 'k' is 'string'; expected a timestamp"),
    ({"value": "w"}, UnknownName, "value is 'w'; expected one of"),
    ({"value": None}, InvalidArgument, "value is None; expected the name of a column"),
    ({"keys": ["k", "k"]}, InvalidArgument, "each column once"),
    ({"keys": [3]}, InvalidArgument, "keys is .* expected a list of names"),
    ({"keys": ["m"]}, InvalidArgument, "type of key 'm' is 'map<string,int>'"),
    ({"order": ["none"]}, UnknownName, "order is 'none'"),
    ({"plan": "fast"}, UnknownName, "plan is 'fast'; expected one of auto, coverage, naive, slices"),
    ({"unit": "parsec"}, UnknownName, "unit is 'parsec'"),
    ({"queries": []}, InvalidArgument, r"queries is \[\]; expected at least one Query"),
    ({"queries": 5}, InvalidArgument, "queries is 5; expected a list of Query"),
    ({"queries": [Q("q", "sum", W(5, 5)), Q("q", "max", W(5, 5))]}, InvalidArgument, "name of a query is 'q'"),
    ({"queries": [LONGEST]}, InvalidArgument, "aggregate of query 'longest' is <aggregate longest>; expected a built-in"),
    ({"queries": [Q("q", "sum", W(5, 5), value="k")]}, InvalidArgument, "value column of query 'q' is 'string'; expected a column of numbers"),
    ({"queries": [Q("q", "arg_max", W(5, 5))]}, InvalidArgument, "by of query 'q' is None"),
    ({"queries": [Q("q", "sum", W(5, 5)), Q("r", "mean", W(5, 5))]}, InvalidArgument, "types of the answers is .*'q': bigint, 'r': double"),
    ({"keys": ["Query"]}, InvalidArgument, "expected other names than 'Query'"),
    ({"keys": ["u"]}, InvalidArgument, "keys is 'u'; expected a name that one column of df has"),
    ({"queries": [Q("q", "sum", W(2**57 + 1, 5))]}, InvalidArgument, "window of query 'q' is .* at most 144115188075855872"),
    ({"queries": [Q("q", "sum", W(86_400_000_000, 1))]}, InvalidArgument, "window of query 'q' is .* in at most 50000000 instances"),
    ({"queries": [Q("q", "max", W(5, 5), value="m")]}, InvalidArgument, "value column of query 'q' is 'map<string,int>'"),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "error", "message"), WRONG)
def test_wrong_arguments(
    spark: SparkSession, wrong: dict[str, Any], error: type[SwagError], message: str
) -> None:
    schema = "t long, v long, k string, m map<string,int>, u int, U int, Query int"
    df = integers(spark, [(0, 1, "k", {}, 1, 1, 1)], schema)
    given: dict[str, Any] = {"df": df, "queries": [Q("q", "sum", W(5, 5))], "time": "t"}
    with pytest.raises(error, match=message):
        sw.spark.windows(**{**given, **wrong})


def test_a_stream_is_refused(spark: SparkSession) -> None:
    df = spark.readStream.format("rate").load()
    with pytest.raises(
        InvalidArgument, match=r"df is .*; expected a DataFrame that ends; for a stream use sw.spark.stream"
    ):
        sw.spark.windows(df, [Q("q", "sum", W("5 s", "5 s"))], time="timestamp", value="value", keys=[])


def test_plain_windows_over_timestamps_are_refused(spark: SparkSession) -> None:
    df = frame(spark, [(0, 1, "k")], "time long, v long, k string")
    with pytest.raises(
        InvalidArgument, match=r"window of query 'q' is .* expected durations such as '5 minutes'"
    ):
        sw.spark.windows(df, [Q("q", "sum", W(5, 5))])
    with pytest.raises(
        InvalidArgument, match="unit is 's'; expected None, because column 'ts' holds timestamps"
    ):
        sw.spark.windows(df, [Q("q", "sum", W("5 s", "5 s"))], unit="s")


def test_column_names_may_be_anything(spark: SparkSession) -> None:
    df = spark.createDataFrame([(0, 1, "x"), (4, 2, "x")], "`t.i me` long, `v``1` long, `a b.c` string")
    queries = [Q("it's \\", "sum", W(5, 5)), Q("q", "max", W(10, 5))]
    for plan in SHARED_PLANS:
        found = sw.spark.windows(df, queries, time="t.i me", value="v`1", keys=["a b.c"], plan=plan)
        assert found.columns[1] == "a b.c"
        assert sorted(tuple(row) for row in found.collect()) == [
            ("it's \\", "x", 0, 5, 3), ("q", "x", -5, 5, 2), ("q", "x", 0, 10, 2)
        ]  # fmt: skip
