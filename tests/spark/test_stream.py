"""Streams against `naive`: the same answers for the windows that the watermark has closed, bounded state, refusals."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import swagcore as sw
from tests.spark.gathered import SCHEMA, SECOND, WINDOWS, compared, expected, gathered, session_setting
from tests.spark.gathered import stream as awkward
from tests.spark.test_batch import bounds_for

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

Q, W = sw.Query, sw.Window
HOUR = 3600 * SECOND
SMALL_SCHEMA = "time long, k string, v long"
Row = tuple[Any, ...]


def feed(spark: SparkSession, where: Path, files: Sequence[Sequence[Row]], schema: str) -> DataFrame:
    """A stream of these files, one a batch, in order; their time as a timestamp column `ts`."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark.sql.pandas.types import to_arrow_schema

    source = where / "events"
    source.mkdir()
    columns = to_arrow_schema(spark.createDataFrame([], schema).schema)
    for number, rows in enumerate(files):
        named = [dict(zip(columns.names, row, strict=True)) for row in rows]
        path = source / f"{number:04}.parquet"
        pq.write_table(pa.Table.from_pylist(named, columns), path)
        os.utime(path, (1_000_000 + number, 1_000_000 + number))  # the source takes the oldest first
    reader = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1)
    return reader.parquet(str(source)).selectExpr("timestamp_micros(time) AS ts", "*")


def run(answers: DataFrame, where: Path) -> tuple[DataFrame, StreamingQuery]:
    """All that the stream gives out until its files are used up, and the ended query."""
    sink = str(where / "answers")
    writer = answers.writeStream.format("parquet").option("checkpointLocation", str(where / "checkpoint"))
    running = writer.trigger(availableNow=True).start(sink)
    running.awaitTermination()
    return answers.sparkSession.read.schema(answers.schema).parquet(sink), running


def closed(
    answers: Sequence[sw.Answer], queries: Sequence[sw.Query], rows: Sequence[Row], delay: int
) -> list[sw.Answer]:
    """The answers that are due before the watermark, which Spark keeps in whole milliseconds."""
    watermark = max(row[0] for row in rows if row[0] is not None) // 1000 * 1000 - delay
    lags = {query.name: query.window.to_unit("us").lag for query in queries}
    return [answer for answer in answers if answer.end + lags[answer.query] <= watermark]


def late_stream() -> list[Row]:
    """The awkward rows after 1970, nearly in order: each comes at most two minutes after its turn."""
    chosen = random.Random(7)
    rows = [(None if row[0] is None else row[0] + HOUR, *row[1:]) for row in awkward()]
    rows.sort(key=lambda row: (row[0] or 0) + chosen.randrange(120 * SECOND))
    return rows


BY_TYPE = {
    "bigint": [
        *((name, "big", None) for name in ("count", "min", "max", "first", "last")),
        *((name, "small", None) for name in ("sum", "sum_squares", "spread", "sum", "count")),
        ("arg_max", "big", "money"),
    ],
    "double": [
        *((name, "big", None) for name in ("mean", "variance", "stddev")),
        *((name, "real", None) for name in ("sum", "fast_sum", "mean", "variance", "sum_squares")),
        *((name, "real", None) for name in ("geometric_mean", "min", "max", "spread", "first", "last")),
        *((name, "narrow", None) for name in ("sum", "product")),
        ("arg_max", "real", "word"),
    ],
    "string": [("min", "word", None), ("max", "word", None), ("arg_min", "word", "narrow")],
    "boolean": [("any", "flag", None), ("all", "small", None), ("any", "real", None), ("min", "flag", None)],
    "decimal(20,2)": [("sum", "money", None)] * 3,
}


@pytest.mark.parametrize(
    "type", ["bigint", "double", *(pytest.param(t, marks=pytest.mark.slow) for t in [*BY_TYPE][2:])]
)
def test_the_closed_windows_are_those_of_naive(spark: SparkSession, tmp_path: Path, type: str) -> None:
    kinds = itertools.cycle(WINDOWS.items())
    queries = [
        Q(f"{number} {aggregate} {column} {kind}", aggregate, window, value=column, by=by)
        for number, ((aggregate, column, by), (kind, window)) in enumerate(
            zip(BY_TYPE[type], kinds, strict=False)
        )
    ]
    rows = late_stream()
    files = [rows[:100], rows[100:150], rows[150:]]
    assert any(row[0] and row[0] < max(t for t, *_ in files[0] if t) for row in files[1]), "none is late"
    df = feed(spark, tmp_path, files, SCHEMA)
    answers = sw.spark.stream(df, queries, value=None, watermark="2 minutes", order=["seq"])
    assert answers.isStreaming
    assert answers.columns == ["query", "k", "window_start", "window_end", "value"]
    found, ended = run(answers, tmp_path)
    assert sw.spark.dropped(ended) == 0
    wanted = closed(expected(queries, rows), queries, rows, 120 * SECOND)
    assert compared(gathered(found), wanted, bounds_for(queries, rows)) > 30 * len(queries)
    assert {answer.query for answer in wanted} == {query.name for query in queries}


def test_late_events_count_within_the_watermark_and_are_dropped_and_counted_after(
    spark: SparkSession, tmp_path: Path
) -> None:
    def row(seconds: int, value: int) -> Row:
        return HOUR + seconds * SECOND, "a", value

    within, too_late = [row(41, 10), row(49, 20)], [row(29, 100), row(28, 200), row(12, 400)]
    before_1970 = (-5 * SECOND, "a", 800)
    files = [
        [row(0, 1), row(60, 2), before_1970],  # the watermark is at 40 after this batch
        [row(61, 3)],
        [*within, *too_late, row(200, 4)],
        [row(400, 5)],
    ]
    queries = [Q("n", "count", W("10 s", "10 s"), "v"), Q("s", "sum", W("2 min", "1 min"), "v")]
    df = feed(spark, tmp_path, files, SMALL_SCHEMA)
    found, ended = run(sw.spark.stream(df, queries, watermark="20 s"), tmp_path)
    kept = [row for file in files for row in file if row not in too_late and row != before_1970]
    wanted = closed(expected(queries, kept, SMALL_SCHEMA), queries, kept, 20 * SECOND)
    # The sums over two minutes are still open when the late ones come: they are in none of the windows.
    assert compared(gathered(found), wanted) == 9
    assert sw.spark.dropped(ended) == 3  # 28 and 29 in one slice, 12, and the one before 1970
    assert sw.spark.dropped([*ended.recentProgress]) == 3


@pytest.mark.parametrize("batches", [16, pytest.param(240, marks=pytest.mark.slow)])
def test_state_is_bounded_by_the_largest_window(spark: SparkSession, tmp_path: Path, batches: int) -> None:
    files = [
        [(HOUR + (batch * 60 + second) * SECOND, key, batch) for second in range(0, 60, 5) for key in "ab"]
        for batch in range(batches)
    ]
    queries = [Q("s", "sum", W("3 min", "1 min"), "v"), Q("m", "max", W("90 s", "30 s", lag="1 min"), "v")]
    df = feed(spark, tmp_path, files, SMALL_SCHEMA)
    with session_setting(spark, "spark.sql.streaming.numRecentProgressUpdates", str(2 * batches)):
        found, ended = run(sw.spark.stream(df, queries, watermark="30 s"), tmp_path)
    rows = [row for file in files for row in file]
    wanted = closed(expected(queries, rows, SMALL_SCHEMA), queries, rows, 30 * SECOND)
    assert compared(gathered(found), wanted) > batches * 2 * 3 - 20
    steps = [[step["numRowsTotal"] for step in report["stateOperators"]] for report in ended.recentProgress]
    assert len(steps) >= batches
    in_windows, in_slices = (max(rows) for rows in zip(*steps, strict=True))
    # A key's slices are 30 s: two of the delay, two of a new batch, two beside the edges. Its instances:
    # (range + lag) / slide + 1 of each window, and those that are due within the delay and a batch.
    assert 0 < in_slices <= 2 * 6
    assert 0 < in_windows <= 2 * ((3 + 1 + 2) + (5 + 1 + 3))
    assert max(max(step) for step in steps[10:]) <= max(max(step) for step in steps[4:10])


def later(spark: SparkSession, where: Path, seconds: Sequence[int]) -> None:
    """One more file of a stream, with events at these seconds."""
    rows = [(HOUR + second * SECOND, "a", second) for second in seconds]
    spark.createDataFrame(rows, SMALL_SCHEMA).write.mode("append").parquet(str(where / "events"))


@pytest.mark.parametrize(
    ("asked", "seconds", "others", "more"),
    [
        pytest.param(
            Q("m", "max", W("10 s", "10 s"), "v"),
            [1, 12, 22],
            Q("m", "min", W("20 s", "20 s"), "v"),  # [0, 20) would be 12
            [33],
            id="in a slice",
        ),
        pytest.param(
            Q("m", "max", W("10 s", "10 s", lag="55 s"), "v"),
            [1, 60],
            Q("m", "max", W("20 s", "20 s", lag="45 s"), "v"),
            [66],
            id="in an instance, due before the slice of 60 is closed",
        ),
    ],
)
def test_the_checkpoint_of_other_queries_is_refused(
    spark: SparkSession,
    tmp_path: Path,
    asked: sw.Query,
    seconds: list[int],
    others: sw.Query,
    more: list[int],
) -> None:
    from pyspark.errors import StreamingQueryException

    df = feed(spark, tmp_path, [], SMALL_SCHEMA)
    later(spark, tmp_path, seconds)
    run(sw.spark.stream(df, [asked], keys=[], watermark="0 s"), tmp_path)
    later(spark, tmp_path, more)
    with pytest.raises(StreamingQueryException, match="the checkpoint is of other queries"):
        run(sw.spark.stream(df, [others], keys=[], watermark="0 s"), tmp_path)


def test_with_another_name_and_delay_a_query_goes_on_from_its_checkpoint(
    spark: SparkSession, tmp_path: Path
) -> None:
    df = feed(spark, tmp_path, [], SMALL_SCHEMA)
    for name, delay, seconds in [("m", "5 s", [1, 12, 22]), ("n", "6 s", [23, 41])]:
        later(spark, tmp_path, seconds)
        queries = [Q(name, "max", W("10 s", "10 s"), "v")]
        found, _ = run(sw.spark.stream(df, queries, keys=[], watermark=delay), tmp_path)
    assert sorted((row.query, row.value) for row in found.collect()) == [("m", 1), ("n", 12), ("n", 23)]


def test_dates_and_times_without_a_zone(spark: SparkSession, tmp_path: Path) -> None:
    days = [(day * 86_400 * SECOND, "a", day) for day in (1, 2, 2, 3, 5, 6, 40)]
    df = feed(spark, tmp_path, [days], SMALL_SCHEMA).selectExpr("CAST(ts AS date) AS ts", "v")
    queries = [Q("s", "sum", W("2 d", "1 d")), Q("rare", "count", W("1 d", "3 d"))]
    found, _ = run(sw.spark.stream(df, queries, keys=[], watermark="0 s"), tmp_path)
    assert found.schema["window_start"].dataType.simpleString() == "timestamp_ntz"
    theirs = sorted(
        (row.query, row.window_start.day, row.window_end.day, row.value) for row in found.collect()
    )
    # 1970-01-02 is day 1.
    sums = [(1, 3, 1), (2, 4, 5), (3, 5, 7), (4, 6, 3), (5, 7, 5), (6, 8, 11), (7, 9, 6)]
    assert theirs == [("rare", 4, 5, 1), ("rare", 7, 8, 1), *(("s", *row) for row in sums)]


def refused(message: str, **changes: Any) -> Any:
    return pytest.param(changes, message, id=message)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        refused("watermark is None; expected how late", watermark=None),
        refused("watermark is '10'; expected a duration", watermark="10"),
        refused("watermark is 10; expected a duration", watermark=10),
        refused("watermark is '5 us'; expected whole milliseconds", watermark="5 us"),
        refused("watermark is '99999999 d'; expected whole", watermark="99999999 d"),
        refused("queries is \\[\\]; expected at least one", queries=[]),
        refused("window of query 'q' is Window.count", queries=[Q("q", "sum", W.count(9, 3))]),
        refused("window of query 'q' is Window.*expected durations", queries=[Q("q", "sum", W(9, 3))]),
        refused("emit_empty of query 'q' is True", queries=[Q("q", "sum", W("9 s", "3 s"), emit_empty=True)]),
        refused("aggregate of query 'q' is 'median'", queries=[Q("q", "median", W("9 s", "3 s"))]),
        refused("aggregate of query 'q' is 'product'", queries=[Q("q", "product", W("9 s", "3 s"))]),
        refused(
            "types of the answers is .*'q': bigint, 'r': double",
            queries=[Q("q", "sum", W("9 s", "3 s")), Q("r", "mean", W("9 s", "3 s"))],
        ),
        refused("type of time column 'time' is 'bigint'; expected a timestamp", time="time"),
        refused("time is 'when'; expected one of", time="when"),
        refused("value is 'price'; expected one of", value="price"),
        refused("keys is 'symbol'; expected one of", keys=["symbol"]),
    ],
)
def test_what_a_stream_cannot_do_is_said_in_one_sentence(
    spark: SparkSession, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    df = feed(spark, tmp_path, [], SMALL_SCHEMA)
    given: dict[str, Any] = {"queries": [Q("q", "sum", W("9 s", "3 s"))], "watermark": "1 min"}
    with pytest.raises(sw.SwagError, match=f"^{message}"):
        sw.spark.stream(df, **(given | changes))


def test_a_frame_that_is_no_stream_or_has_a_watermark(spark: SparkSession, tmp_path: Path) -> None:
    queries = [Q("q", "sum", W("9 s", "3 s"))]
    df = feed(spark, tmp_path, [], SMALL_SCHEMA)
    for frame, message in [
        (spark.range(3), "expected a streaming DataFrame; for this one use sw.spark.windows"),
        (
            df.withWatermark("ts", "1 minute"),
            "expected a frame without a watermark of its own, such as the one on 'ts'",
        ),
        ([(1, 2)], "expected a streaming DataFrame, such as spark.readStream gives"),
    ]:
        with pytest.raises(sw.SwagError, match=message):
            sw.spark.stream(frame, queries, watermark="1 min")  # type: ignore[arg-type]
    for query in (None, 3, [3], ["x"], [{}]):
        with pytest.raises(sw.SwagError, match=r"^query is .*expected a StreamingQuery"):
            sw.spark.dropped(query)  # type: ignore[arg-type]
