"""`sw.spark.stream` and `sw.spark.dropped`: the same queries on Structured Streaming.

Two stateful steps, both Spark's own aggregation in append mode:

1. events into slices: the stream is cut at the edges of all windows together, and an event is aggregated once;
2. slices into windows: a slice, closed by the watermark, is merged into the instances that contain it, of all windows in
   one step; an instance is given out when the watermark passes its end (plus lag).

Slices and instances are found by arithmetic, and the columns that hold their ends are given the metadata by which Spark
knows the event time. Nothing leaves the JVM.

This form was chosen by measurement: bench/spark_stream.py runs the other forms that Spark offers beside it, on one stream, and
requires identical answers. Nine queries, 100 keys, 200,000 events a batch, and how much longer a batch took:

- `window()` over `window_time()`, 6.3 times: it does the same for one window, but many are a union, and each branch of a
  union reads the events and has a state of its own: nothing is shared.
- `window()` over the events, a query at a time, 3.7 times: it shares nothing either, and aggregates an event once for each
  instance.
- transformWithState with slices as the state of a key, 2.4 times: it holds less state, a row a key, but every event goes
  through a Python worker. The partials of the batch plans, which are SQL, would be written
  a second time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from swagcore.durations import microseconds
from swagcore.errors import InvalidArgument
from swagcore.slicing import Cuts
from swagcore.spark.batch import text
from swagcore.spark.job import Asked, Job, job_of, quoted
from swagcore.spark.parts import Part, column
from swagcore.windows import Query, Window

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

OTHERS = "raise_error('swagcore: the checkpoint is of other queries; expected a new one, or the queries it was made with')"

LONGEST_DELAY = 10_000 * 365 * 86_400_000
"""Ten thousand years, in milliseconds: beyond it a timestamp less the delay is no timestamp."""


def stream(
    df: DataFrame,
    queries: Iterable[Query],
    time: str = "ts",
    value: str | None = "v",
    keys: Sequence[str] = ("k",),
    watermark: str | None = None,
    order: Sequence[str] | None = None,
) -> DataFrame:
    """The answers of all queries as one streaming DataFrame: query, keys..., window_start, window_end, value.

    An answer is given out once, when the watermark (the latest time seen, less `watermark`) has passed the window's end,
    or end + lag; it is the answer of :func:`windows` over the same events. Start it in append mode, which is the default::

        events = spark.readStream.schema("ts timestamp, v double, k string").parquet("events/")
        answers = sw.spark.stream(events, queries, watermark="10 minutes")
        running = answers.writeStream.format("parquet").option("checkpointLocation", "state/").start("answers/")

    Started again with the same checkpoint and the same queries, it goes on where it was, also after a kill: each answer
    is in the sink once. Read a file sink by Spark, because other readers also see files of batches that did not end.
    Other queries need a new checkpoint. On an old one they end in an error, as soon as something that it holds of the
    queries before is due.

    - `time`: a timestamp or a date. Rows with a null time are left out; a null key is a key.
    - `watermark`: how late an event may come. One that is no later counts in all of its windows. Of later ones, those
      whose slice is closed are dropped, from all their windows; :func:`dropped` tells how many. Spark's watermark
      begins in 1970: what is before is dropped, too.
    - `order`: as in :func:`windows`.
    - Aggregates: those that can be merged from slices in constant space. Not: the ones that need all events of a window
      (count_distinct, median, quantile, top_k, concat, collect_distinct) and products of integers.

    State for each key: the slices that the watermark has not closed, and for each different window about
    (range + lag) / slide + 1 instances; of a variance of floats, an instance keeps its slices. It does not grow with the
    length of the stream. It has as many partitions as `spark.sql.shuffle.partitions` said at the first start.

    >>> stream([(0, 1.5)], [Query("high", "max", Window("1 min", "10 s"))], watermark="10 minutes")
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: df is [(0, 1.5)]; expected a streaming DataFrame, such as spark.readStream gives
    """
    from pyspark.sql import functions as F

    delay = _delay(watermark)
    _check_frame(df, time)
    job = job_of(df, queries, time, value, keys, order, None)
    _check_queries(job.asked)
    windows = list(dict.fromkeys(one.window for one in job.asked))
    names = {part: f"p{n}" for n, part in enumerate(_parts(job.asked))}

    events = job.events if job.clock == "timestamp" else job.events.withColumn("ts", F.timestamp_micros("t"))
    timed = events.withWatermark("ts", f"{delay} milliseconds")
    event_time = timed.schema["ts"].metadata
    mine = stamp(job)
    cut = timed.select(
        "*",
        F.expr(slice_end(windows)).alias("cut", metadata=event_time),
        F.expr(f"{mine}L + pmod(t, 1L)").alias("stamp"),  # as a literal it would be no part of the state
    ).drop("ts")
    slices = cut.groupBy(*job.key_columns, "cut", "stamp").agg(
        *(column(part.aggregate).alias(name) for part, name in names.items())
    )

    # All instances that contain the last microsecond of a slice contain the whole of it.
    last = slices.withColumn("t", F.unix_micros("cut") - 1)
    instances = f"CASE WHEN stamp = {mine}L THEN {_instances(windows, mine)} ELSE {OTHERS} END"
    placed = last.selectExpr(*job.key_columns, *names.values(), f"inline({instances})")
    due = F.timestamp_micros("due").alias("due", metadata=event_time)
    merging = placed.select(*job.key_columns, *names.values(), "w", "start", due)
    merged = merging.groupBy(*job.key_columns, "w", "start", "due").agg(
        *(column(str(part.merge).format(p=name)).alias(name) for part, name in names.items())
    )
    return _finished(job, merged, windows, names, mine)


def dropped(query: StreamingQuery | Sequence[dict[str, Any]]) -> int:
    """How much came too late: the events of one key and slice that came too late in one batch count as one.

    That is the sum of `numRowsDroppedByWatermark` over the reports of progress, which Spark takes after the events of a
    batch have met in their slices. Of a running or ended query these are the latest, 100 unless
    `spark.sql.streaming.numRecentProgressUpdates` says otherwise, since its last start; give a list of reports that a
    listener has kept to have all.

    >>> dropped([{"stateOperators": [{"numRowsDroppedByWatermark": 0}, {"numRowsDroppedByWatermark": 2}]}])
    2
    """
    reports = query if isinstance(query, (list, tuple)) else getattr(query, "recentProgress", None)
    try:
        steps = [step for report in reports for step in report["stateOperators"]]  # type: ignore[union-attr]
        return sum(step["numRowsDroppedByWatermark"] for step in steps)
    except (TypeError, KeyError):
        raise InvalidArgument(
            "query", query, "a StreamingQuery, or a list of its reports of progress"
        ) from None


def stamp(job: Job) -> int:
    """A number for what the state of a stream means, which all of its rows have: state that has another one is of other
    queries, or of other columns. Names of queries and the delay may change. The window's number is added to it.
    """
    meaning = (
        [(w.range, w.slide, w.offset, w.lag) for w in (one.window for one in job.asked)],
        [(part.aggregate, part.merge) for one in job.asked for part in one.recipe.parts],
        (job.time, job.keys, job.columns, job.order),
    )
    return int.from_bytes(hashlib.sha256(repr(meaning).encode()).digest()[:5]) << 20


def slice_end(windows: Iterable[Window]) -> str:
    """The expression for the end of the slice of time `t`, in microseconds, as a timestamp.

    >>> slice_end([Window(10, 10)])
    'timestamp_micros(t + 10L - pmod(t - 0L, 10L))'
    >>> slice_end([Window(10, 7)])
    'timestamp_micros(least(t + 7L - pmod(t - 3L, 7L), t + 7L - pmod(t - 0L, 7L)))'
    """
    ends = [f"t + {m}L - pmod(t - {residue}L, {m}L)" for residue, m in Cuts.of(windows).classes]
    first = ends[0] if len(ends) == 1 else f"least({', '.join(ends)})"
    return f"timestamp_micros({first})"


def _instances(windows: list[Window], mine: int) -> str:
    """The expression for all instances that contain time `t`: structs of the window's stamped number, the start, and the
    time at which the answer is due.
    """
    arrays = []
    for number, w in enumerate(windows):
        last = f"t - pmod(t - {w.offset}L, {w.slide}L)"
        if w.slide >= w.range:  # one instance at the most
            starts = f"filter(array({last}), start -> t < start + {w.range}L)"
        else:
            first = f"t - {w.range - 1}L + pmod({w.offset + w.range - 1}L - t, {w.slide}L)"
            starts = f"sequence({first}, {last}, {w.slide}L)"
        one = f"struct({mine + number}L AS w, start, start + {w.range + w.lag}L AS due)"
        arrays.append(f"transform({starts}, start -> {one})")
    return f"concat({', '.join(arrays)})"


def _finished(
    job: Job, merged: DataFrame, windows: list[Window], names: dict[Part, str], mine: int
) -> DataFrame:
    """The answers of each query out of the merged partials of its window."""
    by_window = [[one.number for one in job.asked if one.window == window] for window in windows]
    queries = ", ".join(f"array({', '.join(map(str, numbers))})" for numbers in by_window)
    number = f"CASE WHEN w BETWEEN {mine}L AND {mine + len(windows) - 1}L THEN CAST(w - {mine}L AS int) ELSE {OTHERS} END"
    each = merged.selectExpr("*", f"explode(get(array({queries}), {number})) AS q")
    lowered = []
    for one in job.asked:
        payloads = [payload.format(p=names[part]) for part in one.recipe.parts for payload, _ in part.payload]
        lowered.append(f"CAST({one.recipe.lower.format(*payloads)} AS {one.recipe.type})")
    ranges = [f"{one.window.range}L" for one in job.asked]
    keys = [f"{inside} AS {quoted(key)}" for inside, key in zip(job.key_columns, job.keys, strict=True)]
    return each.selectExpr(
        f"{_of_query([text(one.query.name) for one in job.asked])} AS query",
        *keys,
        f"{job.restored('start')} AS window_start",
        f"{job.restored(f'(start + {_of_query(ranges)})')} AS window_end",
        f"{_of_query(lowered)} AS value",
    )


def _of_query(cases: list[str]) -> str:
    """The expression that belongs to the query of a row."""
    return f"CASE q {' '.join(f'WHEN {number} THEN {case}' for number, case in enumerate(cases))} END"


def _parts(asked: Iterable[Asked]) -> list[Part]:
    return list(dict.fromkeys(part for one in asked for part in one.recipe.parts))


def _delay(watermark: Any) -> int:
    """The delay in milliseconds, the unit of Spark's watermark."""
    if watermark is None:
        raise InvalidArgument("watermark", None, 'how late an event may come, such as "10 minutes"')
    delay, rest = divmod(microseconds(watermark, "watermark"), 1000)
    if rest or delay > LONGEST_DELAY:
        raise InvalidArgument("watermark", watermark, "whole milliseconds, and at most 3650000 days")
    return delay


def _check_frame(df: Any, time: str) -> None:
    """What is required of a stream beyond what the batch plans require."""
    from pyspark.sql import DataFrame

    if not isinstance(df, DataFrame):
        raise InvalidArgument("df", df, "a streaming DataFrame, such as spark.readStream gives")
    if not df.isStreaming:
        raise InvalidArgument("df", df, "a streaming DataFrame; for this one use sw.spark.windows")
    for field in df.schema.fields:
        if "spark.watermarkDelayMs" in field.metadata:
            raise InvalidArgument(
                "df", df, f"a frame without a watermark of its own, such as the one on {field.name!r}"
            )
        type = field.dataType.simpleString()
        if field.name == time and type not in ("timestamp", "timestamp_ntz", "date"):
            raise InvalidArgument(
                f"type of time column {time!r}", type, "a timestamp or a date, because a watermark needs one"
            )


def _check_queries(asked: Sequence[Asked]) -> None:
    """Refuse what cannot be made of slices in constant space, or cannot be known when the watermark passes."""
    for one in asked:
        name, function = one.query.name, one.query.function.name
        if one.window.by_count:
            raise InvalidArgument(
                f"window of query {name!r}",
                one.window,
                "a window over time: events of a stream come in no certain order and have no ordinal",
            )
        if one.query.emit_empty:
            raise InvalidArgument(
                f"emit_empty of query {name!r}", True, "False: a stream answers where there are events"
            )
        # A list of all the events of a slice is no partial of constant size.
        if any(part.merge is None or "collect_list" in part.aggregate for part in one.recipe.parts):
            raise InvalidArgument(
                f"aggregate of query {name!r}",
                function,
                "one that a stream can merge from slices in constant space, such as count, sum, mean, min or max",
            )
    if len({one.recipe.type for one in asked}) > 1:
        named = ", ".join(f"{one.query.name!r}: {one.recipe.type}" for one in asked)
        raise InvalidArgument(
            "types of the answers",
            sorted({one.recipe.type for one in asked}),
            f"one type ({named}); make a stream for each",
        )
