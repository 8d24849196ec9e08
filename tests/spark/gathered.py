"""What the tests of the batch plans share: an awkward stream, its queries, and answers gathered in one job."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import swagcore as sw
from swagcore.algebra.aggregate import same
from swagcore.spark.job import job_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SECOND = 1_000_000
SPRING = 1_711_846_800_000_000  # 2024-03-31 01:00 UTC: clocks of Berlin jump from 2:00 to 3:00
AUTUMN = 1_729_990_800_000_000  # 2024-10-27 01:00 UTC: and back from 3:00 to 2:00
SCHEMA = (
    "time long, k string, seq int, big long, small int, real double, narrow float, word string, flag boolean, "
    "money decimal(10,2), unit short"
)

WINDOWS = {
    "no multiple": sw.Window("70 s", "40 s"),
    "sliding": sw.Window("2 min", "30 s"),
    "gaps": sw.Window("10 s", "25 s", "3 s"),
    "tumbling": sw.Window("1 min", "1 min", "7 s"),
    "ending": sw.Window.ending("100 s", "40 s", lag="1 min"),
    "odd": sw.Window("77777777 us", "33333331 us", "1234567 us"),
}

Row = tuple[Any, ...]


def stream(seed: int = 1, size: int = 240) -> list[Row]:
    """Rows of SCHEMA: gaps, equal times, microseconds beside edges, before 1970, nulls everywhere, one large key."""
    chosen = random.Random(seed)
    rows: list[Row] = []
    for seq in range(size):
        origin = chosen.choice([0, 0, SPRING, AUTUMN])
        on_an_edge = chosen.randrange(-40, 40) * 5 * SECOND + chosen.choice([-1, 0, 1])
        time: int | None = origin + chosen.choice([on_an_edge, chosen.randrange(-90, 90) * SECOND // 2])
        key = chosen.choices(["a", "b", None, "it's \\ ✓"], [90, 4, 4, 2])[0]
        values = [
            chosen.randrange(-(2**54), 2**54) * chosen.choice([0, 1, 1]),
            chosen.randrange(-(2**28), 2**28) if chosen.random() < 0.2 else chosen.randrange(-9, 9),
            chosen.choice([math.nan, math.inf, -math.inf, -0.0, 0.0])
            if chosen.random() < 0.1
            else chosen.gauss(9, 3),
            chosen.choice([math.nan, -0.0, 0.0, 0.5, 1.25, 3.0, -2.5]),
            chosen.choice(["", "a", "aa", "b", "é", "z", "\U0001f600", "￿"]),
            chosen.random() < 0.5,
            Decimal(chosen.randrange(-10_000, 10_000)).scaleb(-2),
            chosen.choice([-1, -1, 1, 1, 1, 2]),
        ]
        values = [None if chosen.random() < 0.15 else value for value in values]
        if chosen.random() < 0.04:
            time = None
        rows.append((time, key, seq, *values))
    rows.append((SPRING, "lonely", size, 1, 1, 1.0, 1.0, "x", True, Decimal("1.00"), 1))
    rows.append((30 * 60 * SECOND, "a", size + 1, *[None] * 8))  # a window of nulls alone
    chosen.shuffle(rows)
    return rows


def frame(spark: SparkSession, rows: Sequence[Row], schema: str = SCHEMA) -> DataFrame:
    """The rows, their time as a timestamp column `ts`."""
    from pyspark.sql import functions as F

    return spark.createDataFrame(list(rows), schema).withColumn("ts", F.timestamp_micros("time"))


def by_type(frame: DataFrame, queries: Iterable[sw.Query], order: Sequence[str]) -> list[list[sw.Query]]:
    """The queries grouped by the types of their answers, as `windows` takes them."""
    job = job_of(frame, list(queries), "ts", None, ["k"], order, None)
    groups: dict[str, list[sw.Query]] = {}
    for one, query in zip(job.asked, queries, strict=True):
        groups.setdefault(one.recipe.type, []).append(query)
    return list(groups.values())


def gathered(answers: DataFrame, keys: Sequence[str] = ("k",), query: str | None = None) -> list[sw.Answer]:
    """All rows as answers; timestamps as microseconds since 1970; `query` names a table without that column."""
    from pyspark.sql import functions as F

    if answers.schema["window_start"].dataType.simpleString() == "timestamp":
        for bound in ("window_start", "window_end"):
            answers = answers.withColumn(bound, F.unix_micros(bound))
    return [
        sw.Answer(
            query or row["query"],
            row["window_start"],
            row["window_end"],
            row["value"],
            tuple(row[key] for key in keys),
        )
        for row in answers.collect()
    ]


def expected(
    queries: Iterable[sw.Query], rows: Sequence[Row], schema: str = SCHEMA, keys: Sequence[str] = ("k",)
) -> list[sw.Answer]:
    """What `naive` says of the rows in the order of time and seq; decimals as fractions."""
    names = [field.split()[0] for field in schema.split(", ")]
    events = []
    for row in rows:
        named = dict(zip(names, row, strict=True))
        if named["time"] is not None:
            values = {
                name: Fraction(value) if isinstance(value, Decimal) else value
                for name, value in named.items()
            }
            events.append((named["time"], values, tuple(named[key] for key in keys)))
    events.sort(key=lambda event: (event[0], event[1].get("seq", 0)))
    return sw.naive(queries, events, unit="us")


def compared(
    found: Iterable[sw.Answer], wanted: Iterable[sw.Answer], bounds: dict[str, Any] | None = None
) -> int:
    """Assert that both have the same answers; for queries in `bounds`, a function of the wanted answer says how
    much the values may differ. Gives how many were compared.
    """
    place = lambda answer: (answer.query, answer.start, answer.end, repr(answer.key))
    found = list(found)
    theirs, ours = {place(a): a for a in found}, {place(a): a for a in wanted}
    assert len(theirs) == len(found), "an answer is there twice"
    assert set(theirs) == set(ours), sorted(set(theirs) ^ set(ours))[:5]
    for where, answer in ours.items():
        other = theirs[where].value
        if isinstance(other, Decimal):
            other = Fraction(other)
        bound = (bounds or {}).get(answer.query)
        if bound is None or answer.value is None or other is None or not math.isfinite(answer.value):
            assert same(other, answer.value), (where, other, answer.value)
            assert isinstance(other, bool) == isinstance(answer.value, bool), (where, other, answer.value)
        else:
            assert abs(Fraction(other) - Fraction(answer.value)) <= bound(answer), (
                where,
                other,
                answer.value,
            )
    return len(ours)


@contextmanager
def session_setting(spark: SparkSession, key: str, value: str) -> Iterator[None]:
    """A setting of the session, until the end of a block."""
    before = spark.conf.get(key)
    spark.conf.set(key, value)
    try:
        yield
    finally:
        spark.conf.set(key, before)
