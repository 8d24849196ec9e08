"""Rewritten SQL on Spark itself, beside the original: the same names, types and rows."""

from __future__ import annotations

import random
from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("sqlglot")

from swagcore.coverage.sql import rewriting

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def events(spark: SparkSession) -> SparkSession:
    """Events of three keys, many on the edges of windows; nulls everywhere, and a key of nulls alone."""
    from pyspark.sql import functions as F

    chosen = random.Random(7)
    found: list[tuple[Any, ...]] = []
    for _ in range(150):
        time = chosen.choice([0, 1_709_164_800_000_000]) + chosen.randrange(-40, 120) * 30_000_000
        found.append(
            (
                chosen.choice([None, *[time + chosen.choice([-1, 0, 0, 1, 12_345_678])] * 9]),
                chosen.choice([None, "a", "b"]),
                chosen.choice([None, chosen.randrange(-100, 100), chosen.randrange(-100, 100)]),
                chosen.choice([None, Decimal(chosen.randrange(-(10**6), 10**6)) / 100]),
                chosen.choice([None, chosen.randrange(-400, 400) / 4]),  # sums of these are exact
                chosen.choice([None, True, False]),
            )
        )
    found += [(time * 60_000_000, "nulls", None, None, None, None) for time in range(0, 30, 7)]
    frame = spark.createDataFrame(found, "time long, k string, v int, d decimal(10, 2), x double, b boolean")
    frame = frame.select(F.timestamp_micros("time").alias("ts"), "k", "v", "d", "x", "b").cache()
    frame.createOrReplaceTempView("events")
    frame.selectExpr("CAST(ts AS TIMESTAMP_NTZ) AS ts", "k", "v").createOrReplaceTempView("local_events")
    frame.where("false").createOrReplaceTempView("no_events")
    return spark


TUMBLING = ["'5 minutes'", "'10 minutes'", "'15 minutes'", "'30 minutes'", "'1 hour'"]
HOPPING = [
    "'10 minutes', '5 minutes'",
    "'15 minutes', '5 minutes'",
    "'30 minutes', '10 minutes'",
    "'40 minutes', '10 minutes', '3 minutes'",
]


def union(select: str, windows: list[str]) -> str:
    return "\nUNION ALL\n".join(select.replace("{w}", f"window(ts, {sizes})") for sizes in windows)


ALL = """SELECT window.start AS s, window.end AS e, k, min(v) AS lo, max(d) AS hi, sum(v) AS total, count(*) AS n,
  count(x) AS xs, avg(v) AS mean, avg(x) AS mean_x, sum(x) AS total_x, bool_or(b) AS some, every(b) AS every,
  sum(v) FILTER (WHERE v > 0) AS positive, max(v) - min(v) AS spread
FROM events WHERE v > -90 OR v IS NULL GROUP BY {w}, k"""
CASES = {
    "everything, tumbling": union(ALL, TUMBLING[:3]),
    "everything, hopping": union(ALL, [*HOPPING[1:3], TUMBLING[0]]),
    "min and max over hopping windows": union(
        "SELECT window, k, min(v) AS lo, max(x) AS hi FROM events GROUP BY {w}, k",
        [*HOPPING[:3], "'20 minutes'"],
    ),
    "names that Spark gives": union(
        "SELECT window, K, Max(V), count(*), sum(events.x), min(`d`) AS d FROM events GROUP BY {w}, K",
        TUMBLING,
    ),
    "an alias, and a position": union(
        "SELECT {w} AS w, upper(k) AS u, max(v) AS m FROM events GROUP BY w, 2 HAVING count(*) > 1", TUMBLING
    ),
    "decimals of a type that is written": union(
        "SELECT window, sum(CAST(d AS DECIMAL(10, 2))) AS total, avg(CAST(d AS DECIMAL(10, 2))) AS mean "
        "FROM events GROUP BY {w}",
        TUMBLING,
    ),
    "timestamps without a time zone": union(
        "SELECT window.start, k, max(v) AS m, count(v) AS n FROM local_events GROUP BY {w}, k", HOPPING
    ),
    "no events": union("SELECT window, count(*) AS n FROM no_events GROUP BY {w}", HOPPING),
    "ordered and cut": union("SELECT window.start AS s, k, max(v) AS m FROM events GROUP BY {w}, k", TUMBLING)
    + "\nORDER BY s, k, m LIMIT 7",
}


@pytest.mark.parametrize("name", CASES)
def test_the_rows_are_those_of_the_original(events: SparkSession, name: str) -> None:
    original = events.sql(CASES[name])
    rewritten = rewriting(CASES[name], "spark")
    assert rewritten.reason is None
    ours = events.sql(rewritten.sql)
    assert [(f.name, f.dataType) for f in ours.schema] == [(f.name, f.dataType) for f in original.schema]
    theirs = Counter(tuple(row) for row in original.collect())
    assert Counter(tuple(row) for row in ours.collect()) == theirs
    assert theirs or name == "no events"


def test_an_azure_query(events: SparkSession) -> None:
    sql = """SELECT k, System.Window().Id AS id, System.Timestamp() AS stop, MIN(v) AS lo, AVG(x) AS mean
    FROM events TIMESTAMP BY ts GROUP BY k, Windows(Window('10', TumblingWindow(minute, 10)),
    Window('20', HoppingWindow(minute, 20, 10)), Window('30', TumblingWindow(Duration(minute, 30), Offset(minute, 1))))"""
    written = rewriting(sql, "spark")
    assert written.reason is None
    by_hand = """SELECT k, '10' AS id, window.end AS stop, min(v) AS lo, avg(x) AS mean FROM events
      GROUP BY k, window(ts, '10 minutes')
    UNION ALL SELECT k, '20', window.end, min(v), avg(x) FROM events GROUP BY k, window(ts, '20 minutes', '10 minutes')
    UNION ALL SELECT k, '30', window.end, min(v), avg(x) FROM events
      GROUP BY k, window(ts, '30 minutes', '30 minutes', '1 minute')"""
    expected = events.sql(by_hand)
    for text in (written.sql, written.naive):
        found = events.sql(text)
        assert [(f.name, f.dataType) for f in found.schema] == [(f.name, f.dataType) for f in expected.schema]
        assert Counter(tuple(row) for row in found.collect()) == Counter(
            tuple(row) for row in expected.collect()
        )


def test_sums_of_decimals_whose_type_is_not_written(events: SparkSession) -> None:
    """As documented: the values are the same, the precision is wider."""
    sql = union("SELECT window, sum(d) AS total FROM events GROUP BY {w}", TUMBLING)
    ours, theirs = events.sql(rewriting(sql, "spark").sql), events.sql(sql)
    assert str(theirs.schema["total"].dataType) == "DecimalType(20,2)"
    assert str(ours.schema["total"].dataType) == "DecimalType(38,2)"
    assert Counter(tuple(row) for row in ours.collect()) == Counter(tuple(row) for row in theirs.collect())
