"""Plan against plan inside Spark, millions of answers: identical, by count and two checksums of every key and query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import swagcore as sw

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Q, W = sw.Query, sw.Window
# All answers are bigints, so identical means identical.
QUERIES = [
    Q("sum", "sum", W(3, 1)),
    Q("max", "max", W(4, 1, 0)),
    Q("count", "count", W(2, 1)),
    Q("min", "min", W(5, 1)),
    Q("spread", "spread", W(7, 3, 2)),
    Q("gaps", "sum_squares", W(2, 3)),
]


def events(spark: SparkSession, size: int, keys: int, span: int) -> DataFrame:
    """Events of some keys at pseudo-random ticks; some values and keys are null."""
    return spark.range(size).selectExpr(
        f"pmod(xxhash64(id, 1), {span}L) - {span // 3}L AS t",
        "CASE WHEN id % 19 = 0 THEN NULL ELSE pmod(xxhash64(id, 2), 2000003L) - 1000000L END AS v",
        f"CASE WHEN id % {keys} = 0 THEN NULL ELSE CAST(id % {keys} AS string) END AS k",
    )


def checksums(answers: DataFrame) -> list[tuple[object, ...]]:
    """For every query and key: how many answers, and two sums over hashes of whole rows."""
    from pyspark.sql import functions as F

    hashed = answers.selectExpr("query", "k", "xxhash64(*) AS long", "hash(*) AS short")
    sums = hashed.groupBy("query", "k").agg(F.count("*"), F.expr("bit_xor(long)"), F.sum("short"))
    return sorted((tuple(row) for row in sums.collect()), key=repr)


def compare(spark: SparkSession, size: int, keys: int, span: int, plans: list[str]) -> int:
    df = events(spark, size, keys, span)
    reference, *others = (checksums(sw.spark.windows(df, QUERIES, time="t", plan=plan)) for plan in plans)
    assert len(reference) == len(QUERIES) * keys
    for plan, other in zip(plans[1:], others, strict=True):
        assert other == reference, plan
    return sum(int(str(row[2])) for row in reference)


def test_ten_million_answers(spark: SparkSession) -> None:
    assert compare(spark, 970_000, 40, 97_000, ["slices", "naive"]) > 10_000_000


@pytest.mark.slow
def test_two_hundred_million_answers(spark: SparkSession) -> None:
    assert compare(spark, 30_000_000, 80, 620_000, ["slices", "naive", "coverage"]) > 200_000_000
