"""Plan `slices`: one groupBy cuts the stream at the edges of all windows, then kernels put windows together.

The stream is cut where any window starts or ends (S §2.4.1, pairs of all queries together), so an event is aggregated
once, however many windows contain it. Slices are then brought together by key and, so that one long key can be shared
out among tasks, by pieces of time of `PIECES` times the longest range. A window belongs to the piece in which it
starts; so that it finds all of its slices there, the slices at the beginning of a piece are also sent to the one before.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from swagcore.slicing import Cuts
from swagcore.spark.job import Job
from swagcore.spark.parts import Part, column
from swagcore.spark.ship import shipped
from swagcore.spark.slots import Slots, slots_of
from swagcore.spark.worker import Plan
from swagcore.windows import Window

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PIECES = 16
"""A piece of time is that many times the longest range: one slice in that many is sent twice."""


def answers(job: Job) -> DataFrame:
    """The answers of all queries: the number `q`, keys, `start`, and payloads in slots `d0`, `d1`, ..."""
    from pyspark.sql import functions as F

    parts = list(dict.fromkeys(part for one in job.asked for part in one.recipe.parts))
    keys = job.key_columns
    slots = slots_of(job.asked)
    cut = job.events.withColumn("slice", F.expr(slice_start([one.window for one in job.asked])))
    sliced = cut.groupBy(*keys, "slice").agg(
        *(column(part.aggregate).alias(f"p{n}") for n, part in enumerate(parts))
    )
    longest = max(one.window.range for one in job.asked)
    piece = PIECES * longest
    plan, columns = _plan(job, parts, slots, longest, piece)
    # A slice near the beginning of its piece is also in reach of windows that start in the piece before.
    number = f"(slice - pmod(slice, {piece}L)) div {piece}L"
    near = f"pmod(slice, {piece}L) < {longest}L"
    placed = sliced.selectExpr(
        *keys,
        f"explode(CASE WHEN {near} THEN array({number}, {number} - 1L) ELSE array({number}) END) AS piece",
        "slice",
        *columns,
    )
    together = placed.repartition(*keys, "piece").sortWithinPartitions(*keys, "piece", "slice")
    schema = [
        "q int",
        *(f"{key} {type}" for key, type in zip(keys, job.key_types, strict=True)),
        "start bigint",
    ]
    schema += [f"d{slot} {type}" for slot, type in enumerate(slots.types)]
    return together.mapInArrow(shipped(dict(plan)), ", ".join(schema))


def slice_start(windows: list[Window]) -> str:
    """The expression for the start of the slice of time `t`: the last cut before it.

    >>> slice_start([Window(10, 4), Window(6, 2)])
    't - pmod(t - 0L, 2L)'
    >>> slice_start([Window(10, 7)])
    'greatest(t - pmod(t - 3L, 7L), t - pmod(t - 0L, 7L))'
    """
    starts = [f"t - pmod(t - {residue}L, {modulus}L)" for residue, modulus in cuts(windows)]
    return starts[0] if len(starts) == 1 else f"greatest({', '.join(starts)})"


def cuts(windows: list[Window]) -> list[tuple[int, int]]:
    """Where the stream is cut, as (residue, modulus): at the edges of all windows; or, where that gives no more than
    twice as many slices, at the multiples of their greatest common divisor, which takes one operation.

    >>> cuts([Window(10, 4), Window(6, 2)]), cuts([Window(10, 7)])
    ([(0, 2)], [(3, 7), (0, 7)])
    """
    classes = Cuts.of(windows).classes
    step = math.gcd(*(modulus for _, modulus in classes), *(r - classes[0][0] for r, _ in classes))
    if len(classes) > 1 and sum(step / modulus for _, modulus in classes) >= 0.5:
        classes = [(classes[0][0] % step, step)]
    return classes


def _plan(job: Job, parts: list[Part], slots: Slots, longest: int, piece: int) -> tuple[Plan, list[str]]:
    """What the worker is told, and the columns that it is sent beside keys, piece and slice."""
    columns: list[str] = []
    types: list[str] = []
    first_of: dict[Part, int] = {}
    described = []
    ahead = len(job.keys) + 2
    for number, part in enumerate(parts):
        first_of[part] = ahead + len(columns)
        described.append((str(part.fold), ahead + len(columns), len(part.shipped)))
        for expression, type in part.shipped:
            columns.append(f"{expression.format(p=f'p{number}')} AS c{len(columns)}")
            types.append(type)
    by_window: dict[tuple[int, int, int], list[tuple[int, list[tuple[int, int, int]]]]] = {}
    for one in job.asked:
        results = [
            (parts.index(part), which) for part in one.recipe.parts for which in range(len(part.payload))
        ]
        mine = [(slot, *result) for slot, result in zip(slots.of_query[one.number], results, strict=True)]
        w = one.window
        by_window.setdefault((w.range, w.slide, w.offset), []).append((one.number, mine))
    plan = Plan(
        keys=len(job.keys),
        parts=described,
        windows=[(*window, queries) for window, queries in by_window.items()],
        types=[ahead + types.index(type) for type in slots.types],
        longest=longest,
        piece=piece,
    )
    return plan, columns
