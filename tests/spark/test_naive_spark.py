"""`naive` against Spark's own `window()`: the same instances, the same nulls, before and after 1970."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import swagcore as sw

if TYPE_CHECKING:
    import pytest
    from pyspark.sql import SparkSession

MINUTE = 60_000_000
# All that Spark accepts: slide <= range. Its startTime is our offset.
WINDOWS = {
    "tumbling": sw.Window("1 min", "1 min"),
    "sliding": sw.Window("2 min", "30 s"),
    "no multiple": sw.Window("70 s", "40 s"),
    "offset": sw.Window("90 s", "1 min", "25 s"),
    "negative offset": sw.Window("1 min", "1 min", "-1 s"),
    "ending": sw.Window.ending("100 s", "40 s"),
    "odd microseconds": sw.Window("77777777 us", "33333331 us", "1234567 us"),
    "one microsecond of overlap": sw.Window("60000001 us", "1 min"),
    "late": sw.Window("3 min", "2 min", lag="1 min"),
}
AGGREGATES = ("count", "sum", "min", "max")


def events() -> list[tuple[int, int | None, str]]:
    """Events of three keys around 1970 and around 2024, many of them right on an edge or beside it."""
    chosen = random.Random(1)
    found: list[tuple[int, int | None, str]] = []
    for origin in (0, -86_400_000_000 * 3, 1_709_164_800_000_000):
        for _ in range(70):
            on_an_edge = chosen.randrange(-60, 60) * 5_000_000 + chosen.choice([-1, 0, 1])
            anywhere = chosen.randrange(-5 * MINUTE, 5 * MINUTE)
            value = chosen.choice([None, chosen.randrange(-100, 100), chosen.randrange(-100, 100)])
            found.append((origin + chosen.choice([on_an_edge, anywhere]), value, chosen.choice("abc")))
    found += [
        (30 * MINUTE, None, "d"),
        (-30 * MINUTE - 1, None, "d"),
        (50 * MINUTE, 1, "d"),
    ]  # windows of nulls alone
    return sorted(found, key=lambda event: event[0])


def test_the_answers_are_those_of_spark(spark: SparkSession) -> None:
    from pyspark.sql import functions as F

    stream = events()
    frame = spark.createDataFrame(stream, "time long, v long, k string")
    frame = frame.select(F.timestamp_micros("time").alias("ts"), "v", "k")
    selects = []
    for name, window in WINDOWS.items():
        in_us = [f"{size} microseconds" for size in (window.range, window.slide, window.offset)]
        selects.append(
            frame.groupBy(F.window("ts", *in_us).alias("w"), "k")
            .agg(*(getattr(F, aggregate)("v").alias(aggregate) for aggregate in AGGREGATES))
            .select(F.lit(name), F.unix_micros("w.start"), F.unix_micros("w.end"), "k", *AGGREGATES)
        )
    union = selects[0]
    for select in selects[1:]:
        union = union.unionAll(select)
    theirs = sorted(tuple(row) for row in union.collect())

    ours: dict[tuple[Any, ...], list[Any]] = {}
    for aggregate in AGGREGATES:
        queries = [sw.Query(name, aggregate, window) for name, window in WINDOWS.items()]
        for answer in sw.naive(queries, stream, unit="us"):
            ours.setdefault((answer.query, answer.start, answer.end, answer.key), []).append(answer.value)
    assert sorted((*where, *values) for where, values in ours.items()) == theirs
    assert {row[0] for row in theirs} == set(WINDOWS)
    assert any(row[1] < 0 for row in theirs)
    assert any(row[4:] == (0, None, None, None) for row in theirs)


def test_many_instances_are_not_planned_one_by_one(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyspark.sql import functions as F

    asked: list[Any] = []
    window = F.window
    monkeypatch.setattr(F, "window", lambda *sizes: asked.append(sizes[1:]) or window(*sizes))
    df = spark.range(2).selectExpr("timestamp_micros(id * 500) AS ts", "id AS v")
    for size, times in ((64, 1), (65, 0), (3600, 0)):
        asked.clear()
        queries = [sw.Query("q", "median", sw.Window(f"{size} ms", "1 ms"))]
        assert sw.spark.windows(df, queries, keys=[]).count() == size
        assert len(asked) == times
