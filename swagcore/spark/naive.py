"""Plan `naive`: each query by itself, all the events of each window. The meaning of the other plans.

Spark's own `window()` finds the instances where it can: over timestamps, no slide longer than its range, and no more than
`PROJECTIONS` instances for an event. Elsewhere they are written out by arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from swagcore.spark.job import Asked, Job
from swagcore.spark.parts import Part, column
from swagcore.windows import Window

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PROJECTIONS = 64
"""`window()` plans a projection for each instance that an event is in: a thousand of them take Spark 20 seconds to plan,
over whatever data."""


def answers(job: Job, one: Asked) -> DataFrame:
    """The answers of one query: its number `q`, keys, `start`, and the payloads of its parts, `d0`, `d1`, ..."""
    names = {part: f"p{number}" for number, part in enumerate(one.recipe.parts)}
    grouped = with_instances(job, one.window).groupBy(*job.key_columns, "start")
    found = grouped.agg(*(column(part.aggregate).alias(name) for part, name in names.items()))
    return payloads(job, found, one, names)


def payloads(job: Job, frame: DataFrame, one: Asked, names: Mapping[Part, str]) -> DataFrame:
    """The answers of a query out of a frame that has its parts as columns of those names."""
    read = [expression.format(p=names[part]) for part in one.recipe.parts for expression, _ in part.payload]
    named = [f"{payload} AS d{number}" for number, payload in enumerate(read)]
    return frame.selectExpr(f"{one.number} AS q", *job.key_columns, "start", *named)


def with_instances(job: Job, window: Window) -> DataFrame:
    """The events, each once for every instance of the window that contains it, whose start is `start`."""
    from pyspark.sql import functions as F

    events, w = job.events, window
    few = w.slide <= w.range <= PROJECTIONS * w.slide
    if job.clock == "timestamp" and not job.by_count and few:
        sizes = [f"{size} microseconds" for size in (w.range, w.slide, w.offset)]
        in_windows = events.withColumn("w", F.window("ts", *sizes))
        return in_windows.withColumn("start", F.expr("unix_micros(w.start)")).drop("w")
    last = f"t - pmod(t - {w.offset}L, {w.slide}L)"
    if w.slide >= w.range:  # one instance at the most
        return events.withColumn("start", F.expr(last)).where(f"t < start + {w.range}L")
    first = f"t - {w.range - 1}L + pmod({w.offset + w.range - 1}L - t, {w.slide}L)"
    return events.withColumn("start", F.expr(f"explode(sequence({first}, {last}, {w.slide}L))"))
