"""The worker without Spark: what it chooses and adds, over every type that Arrow brings."""

from __future__ import annotations

import math
import random
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import swagcore as sw
from tests.spark.gathered import compared

pa = pytest.importorskip("pyarrow")
worker = pytest.importorskip("swagcore.spark.worker")

DAY = datetime(1969, 12, 31, tzinfo=UTC)
COLUMNS = {
    "long": (pa.int64(), [-(2**63), 2**63 - 1, 2**53 + 1, 0]),
    "double": (pa.float64(), [math.nan, math.inf, -math.inf, 0.5, -2.0, 5e-324]),
    "float": (pa.float32(), [math.nan, 0.5, -2.0]),
    "text": (pa.string(), ["", "a", "aa", "é", "\U0001f600", "￿"]),
    "bytes": (pa.binary(), [b"", b"\x00", b"\xff", b"a"]),
    "truth": (pa.bool_(), [True, False]),
    "decimal": (pa.decimal128(20, 2), [Decimal("-1.50"), Decimal("12345678901234567.25"), Decimal("0.00")]),
    "date": (pa.date32(), [date(1960, 1, 1), date(2024, 2, 29)]),
    "moment": (pa.timestamp("us", tz="UTC"), [DAY, DAY + timedelta(microseconds=1), DAY + timedelta(days=9)]),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_choosing(name: str) -> None:
    """Against naive, with nulls: the value, by itself and beside another column."""
    type, values = COLUMNS[name]
    chosen = random.Random(name)
    rows = [(time, chosen.choice([None, *values]), chosen.choice([None, 1, 2, 3])) for time in range(60)]
    kinds = {
        "min": "min",
        "max": "max",
        "first": "first",
        "last": "last",
        "min_by": "arg_min",
        "max_by": "arg_max",
    }
    window = (7, 3, 1)
    parts = [(fold, 2, 2 if fold.endswith("_by") else 1) for fold in kinds]
    queries = [(n, [(1 if fold.endswith("_by") else 0, n, 0)]) for n, fold in enumerate(kinds)]
    plan = worker.Plan(
        keys=0, parts=parts, windows=[(*window, queries)], types=[2, 3], longest=7, piece=10**6
    )
    times, column, others = zip(*rows, strict=True)
    table = pa.table(
        [pa.array([0] * 60), pa.array(times), pa.array(column, type), pa.array(others)],
        names=["p", "s", "v", "w"],
    )
    found = []
    for batch in worker.answers(table.to_batches(), plan):
        for row in batch.to_pylist():
            fold = list(kinds)[row["q"]]
            value = row["d1"] if fold.endswith("_by") else row["d0"]
            found.append(sw.Answer(fold, row["start"], row["start"] + 7, value))
    asked = [
        sw.Query(
            fold,
            aggregate,
            sw.Window(*window),
            "w" if "arg" in aggregate else "v",
            "v" if "arg" in aggregate else None,
        )
        for fold, aggregate in kinds.items()
    ]
    wanted = [a for a in sw.naive(asked, [(t, {"v": v, "w": w}, None) for t, v, w in rows]) if a.start >= 0]
    assert compared(found, wanted) > 100


def test_decimals_are_added_in_128_bits() -> None:
    chosen = random.Random(2)
    values = [chosen.choice([None, chosen.randrange(-(10**36), 10**36)]) for _ in range(50)]
    type = pa.decimal128(38, 2)
    column = pa.array([v if v is None else Decimal(f"{v}e-2") for v in values], type).slice(3)
    plan = worker.Plan(
        keys=0,
        parts=[("add", 2, 1)],
        windows=[(9, 2, 0, [(0, [(0, 0, 0)])])],
        types=[2],
        longest=9,
        piece=10**6,
    )
    table = pa.table([pa.array([0] * 47), pa.array(range(47)), column], names=["p", "s", "v"])
    found = [
        sw.Answer("q", row["start"], row["start"] + 9, row["d0"])
        for batch in worker.answers(table.to_batches(), plan)
        for row in batch.to_pylist()
    ]
    events = [(time, None if v is None else Fraction(v, 100)) for time, v in enumerate(values[3:])]
    wanted = [a for a in sw.naive([sw.Query("q", "sum", sw.Window(9, 2))], events) if a.start >= 0]
    assert compared(found, wanted) > 20


def test_a_total_beyond_its_type_or_limbs_is_refused() -> None:
    def total(column: Any) -> list[Any]:
        plan = worker.Plan(
            keys=0,
            parts=[("add", 2, 1)],
            windows=[(9, 9, 0, [(0, [(0, 0, 0)])])],
            types=[2],
            longest=9,
            piece=10**6,
        )
        table = pa.table(
            [pa.array([0] * len(column)), pa.array(range(len(column))), column], names=["p", "s", "v"]
        )
        return [row["d0"] for batch in worker.answers(table.to_batches(), plan) for row in batch.to_pylist()]

    narrow = pa.array([Decimal(9), Decimal(9)], pa.decimal128(1, 0))
    with pytest.raises(OverflowError, match="a sum does not fit its type"):
        total(narrow)
    with pytest.raises(OverflowError, match="too many events"):
        total(pa.array([2**62, 2**62]))
    assert total(pa.array([2**61, 2**61])) == [2**62]
    assert total(pa.array([2**62, *[1] * 8])) == [2**62 + 8]  # one slice with most of the events
    assert total(pa.array([None, None], pa.int64())) == [None]
