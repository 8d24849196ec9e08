"""Queries over many windows, as they are and rewritten, on DuckDB: the same rows."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from fuzz.campaigns.frame import Campaign, Case, without_one
from swagcore.coverage.sql import rewriting
from swagcore.testing import Mismatch

COVERED = ("min(v)", "max(v)", "max(v) - min(v)")
DIVIDED = (*COVERED, "sum(v)", "count(*)", "count(v)", "avg(v)", "sum(v * 2)", "max(v) - count(*)")


@cache
def database() -> Any:
    """One connection for the whole run."""
    import duckdb

    return duckdb.connect(config={"threads": 1})


def draw(chance: random.Random) -> Case:
    """Related windows, items, a key or none, and rows at edges of windows and beside."""
    base = chance.choice((1, 1, 2, 3, 7))
    windows = []
    for _ in range(chance.randint(1, 5)):
        slide = base * chance.randint(1, 4)
        range_ = chance.choice((slide, slide, 2 * slide, 3 * slide, slide + base))
        windows.append([range_, slide, chance.choice((0, 0, 0, base))])
    items = chance.choice((COVERED, DIVIDED))
    rows = [
        [
            None
            if chance.random() < 0.05
            else 10_000 * chance.randint(-12, 40) + chance.choice((0, 0, 1, -1)),
            chance.choice(("a", "b", None)),
            None if chance.random() < 0.1 else chance.randint(-50, 50),
        ]
        for _ in range(chance.randint(0, 30))
    ]
    return {
        "windows": windows,
        "items": chance.sample(items, min(len(items), chance.randint(1, 3))),
        "keyed": chance.random() < 0.5,
        "where": chance.choice(("", "WHERE v > 0", "WHERE ts IS NOT NULL")),
        "rows": rows,
    }


def sql_of(case: Case) -> str:
    """The query, a union of one SELECT for each window; sizes are tens of seconds."""
    selects = []
    keys = ", k" if case["keyed"] else ""
    for range_, slide, offset in case["windows"]:
        step, third = f"INTERVAL '{10 * slide} seconds'", f", INTERVAL '{10 * offset} seconds'" * bool(offset)
        items = ", ".join(f"{item} AS c{place}" for place, item in enumerate(case["items"]))
        bucket = f"time_bucket({step}, ts{third})"
        if range_ == slide:
            selects.append(
                f"SELECT {bucket} AS start, {bucket} + {step} AS stop{keys}, {items} FROM t {case['where']} GROUP BY ALL"
            )
            continue
        reach = f"INTERVAL '{10 * range_} seconds'"
        first = f"time_bucket({step}, ts - {reach}{third}) + {step}"
        series = f"unnest(generate_series({first}, {bucket}, {step}))"
        selects.append(
            f"SELECT start, start + {reach} AS stop{keys}, {items} FROM t, {series} AS w(start) {case['where']} "
            f"GROUP BY start{keys}"
        )
    return "\nUNION ALL\n".join(selects)


def check(case: Case) -> int:
    """How many rows are the same; 0 where the query is left as it was."""
    connection, sql = database(), sql_of(case)
    rewritten = rewriting(sql, "duckdb")
    connection.execute("CREATE OR REPLACE TABLE t (ts TIMESTAMP, k VARCHAR, v INTEGER)")
    if case["rows"]:
        connection.executemany("INSERT INTO t SELECT make_timestamp(1000 * $1::BIGINT), $2, $3", case["rows"])
    original = Counter(connection.execute(sql).fetchall())
    found = Counter(connection.execute(rewritten.sql).fetchall())
    if original != found:
        raise Mismatch(f"{sorted(map(repr, original - found))} became {sorted(map(repr, found - original))}")
    return 0 if rewritten.reason is not None else sum(original.values())


def smaller(case: Case) -> Iterator[Case]:
    """Fewer windows, items and rows."""
    for name in ("windows", "items", "rows"):
        for fewer in without_one(case[name]):
            if fewer or name == "rows":
                yield {**case, name: fewer}
    if case["keyed"] or case["where"]:
        yield {**case, "keyed": False, "where": ""}


CAMPAIGN = Campaign("rewrites", draw, check, smaller)
