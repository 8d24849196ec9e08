"""Plan `coverage`: windows computed from the answers of other windows, by the min-cost graph of swagcore.coverage.

DataFrame operations alone, no Python workers. Parts that may overlap (minima, maxima, the first and the last) need
windows that cover one another, the others windows that partition one another: two graphs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from swagcore.coverage import Graph, min_cost
from swagcore.spark.job import Asked, Job
from swagcore.spark.naive import payloads, with_instances
from swagcore.spark.parts import Part, column
from swagcore.windows import Window

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

RATE = 10
"""Events of a key in the greatest common divisor of all sizes, as the graph assumes: streams are dense."""


def graphs(job: Job) -> list[tuple[Graph, tuple[Asked, ...]]]:
    """The min-cost graphs, and the queries that each serves."""
    found = []
    for idempotent in (True, False):
        mine = tuple(one for one in job.asked if one.recipe.idempotent == idempotent)
        if not mine:
            continue
        unit = math.gcd(*(size for one in mine for size in _sizes(one.window)))
        scaled = {bare(one.window, unit): None for one in mine}  # small numbers, which are searched faster
        aggregate = "max" if idempotent else "sum"
        rate = 1 if job.by_count else RATE
        found.append((_in_units(min_cost(scaled, aggregate, rate, minimize="rate"), unit), mine))
    return found


def answers(job: Job, keep: Callable[[DataFrame], DataFrame]) -> list[tuple[DataFrame, tuple[Asked, ...]]]:
    """The answers of each query, as plan naive gives them. `keep` is called on what several others are made from."""
    found = []
    for graph, mine in graphs(job):
        asked: dict[Window, list[Asked]] = {window: [] for window in graph.order}
        for one in mine:
            asked[bare(one.window)].append(one)
        frames: dict[Window, DataFrame] = {}
        for window in graph.order:
            parts = _needed(graph, window, asked)
            names = {part: f"p{number}" for number, part in enumerate(_all_parts(mine))}
            parent = graph.parent[window]
            frame = (
                _from_stream(job, window, parts, names)
                if parent is None
                else _from_parent(job, frames[parent], window, parent, parts, names)
            )
            readers = len(graph.children(window)) + len(asked[window])
            frames[window] = keep(frame) if readers > 1 else frame
            for one in asked[window]:
                alone = job.only([one])
                found.append((payloads(job, frames[window], alone.asked[0], names), alone.asked))
    return found


def _from_stream(job: Job, window: Window, parts: list[Part], names: dict[Part, str]) -> DataFrame:

    events = with_instances(job, window)
    return events.groupBy(*job.key_columns, "start").agg(
        *(column(part.aggregate).alias(names[part]) for part in parts)
    )


def _from_parent(
    job: Job, frame: DataFrame, window: Window, parent: Window, parts: list[Part], names: dict[Part, str]
) -> DataFrame:
    """Each instance of the parent goes to those of the window that contain it."""
    from pyspark.sql import functions as F

    slide, offset = window.slide, window.offset
    spare = window.range - parent.range
    last = f"start - pmod(start - {offset}L, {slide}L)"
    first = f"start - {spare}L + pmod({offset + spare}L - start, {slide}L)"
    named = [names[part] for part in parts]
    if spare < slide:  # one at the most
        inside = frame.selectExpr(*job.key_columns, f"{last} AS begin", "start", *named)
        inside = inside.where(f"begin >= start - {spare}L")
    else:
        inside = frame.selectExpr(
            *job.key_columns, f"explode(sequence({first}, {last}, {slide}L)) AS begin", *named
        )
    grouped = inside.withColumn("start", F.col("begin")).groupBy(*job.key_columns, "start")
    merges = [str(part.merge).format(p=names[part]) for part in parts]
    return grouped.agg(*(column(merge).alias(names[part]) for merge, part in zip(merges, parts, strict=True)))


def _needed(graph: Graph, window: Window, asked: dict[Window, list[Asked]]) -> list[Part]:
    """The parts of a window's own queries, and of all that are computed from it."""
    found = dict.fromkeys(_all_parts(asked[window]))
    for child in graph.children(window):
        found.update(dict.fromkeys(_needed(graph, child, asked)))
    return list(found)


def _all_parts(asked: list[Asked] | tuple[Asked, ...]) -> list[Part]:
    return list(dict.fromkeys(part for one in asked for part in one.recipe.parts))


def _sizes(window: Window) -> tuple[int, int, int]:
    return window.range, window.slide, window.offset


def bare(window: Window, unit: int = 1) -> Window:
    """The window without its lag, in units."""
    return Window(*(size // unit for size in _sizes(window)), by_count=window.by_count)


def _in_units(graph: Graph, unit: int) -> Graph:
    """A graph over windows that were given in units, in the unit of time itself."""

    def whole(window: Window) -> Window:
        return Window(*(size * unit for size in _sizes(window)), by_count=window.by_count)

    return replace(
        graph,
        windows=tuple(whole(window) for window in graph.windows),
        factors=tuple(whole(window) for window in graph.factors),
        parent={whole(window): above and whole(above) for window, above in graph.parent.items()},
        events=Fraction(graph.events) / unit,
    )
