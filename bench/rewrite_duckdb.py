"""DuckDB's time for a query of many windows as it is written, and as `swagcore.coverage.rewrite` writes it.

Two queries over one table of events (a day, 100 keys): five tumbling windows with five aggregates, and ten hopping
windows. Original and rewritten query take turns in one process; before the clock starts their rows are compared. The
hopping original is in the fastest of the forms that are recognised (the starts unnested in a subquery); the form that
joins them (`FROM t, unnest(...)`) takes about five times as long.

    python bench/rewrite_duckdb.py [--rows N] [--turns N] [--ten-million] [--save]

`--save` writes bench/results/rewrite_duckdb.json and .md.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from pathlib import Path
from typing import Any

import duckdb

from swagcore.coverage.sql import rewriting

RESULTS = Path(__file__).parent / "results"
AGGREGATES = "max(v) AS high, min(v) AS low, sum(v) AS total, avg(v) AS mean, count(*) AS n"
TUMBLING = [5, 10, 15, 30, 60]
HOPPING = [(10, 5), (15, 5), (20, 5), (30, 5), (40, 10), (45, 15), (60, 10), (60, 15), (90, 30), (120, 30)]
AT_LEAST = {"five tumbling windows": 2.0, "ten hopping windows": 5.0}


def tumbling(minutes: int) -> str:
    return (
        f"SELECT {minutes} AS range, time_bucket(INTERVAL '{minutes} minutes', ts) AS start, k, {AGGREGATES} "
        "FROM events GROUP BY 2, 3"
    )


def hopping(minutes: int, slide: int) -> str:
    bucket = f"time_bucket(INTERVAL '{slide} minutes', ts)"
    starts = f"generate_series({bucket} - INTERVAL '{minutes - slide} minutes', {bucket}, INTERVAL '{slide} minutes')"
    return (
        f"SELECT {minutes} AS range, {slide} AS slide, start, k, {AGGREGATES} "
        f"FROM (SELECT *, unnest({starts}) AS start FROM events) GROUP BY 3, 4"
    )


def compared(connection: Any, original: str, rewritten: str) -> int:
    """How many rows both give; an error if one differs."""
    for name, sql in (("ours", rewritten), ("theirs", original)):
        connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {sql}")
    for one, other in (("ours", "theirs"), ("theirs", "ours")):
        extra = connection.sql(f"SELECT count(*) FROM (FROM {one} EXCEPT ALL FROM {other})").fetchall()[0][0]
        if extra:
            raise SystemExit(f"{extra} rows of {one} are not in {other}")
    count: int = connection.sql("SELECT count(*) FROM ours").fetchall()[0][0]
    return count


def seconds(connection: Any, sql: str) -> float:
    """The time of a query, with all its rows brought to this process."""
    begin = time.perf_counter()
    connection.sql(sql).to_arrow_table()
    return time.perf_counter() - begin


def measured(connection: Any, name: str, original: str, turns: int) -> dict[str, Any]:
    rewritten = rewriting(original, "duckdb")
    assert rewritten.reason is None
    answers = compared(connection, original, rewritten.sql)
    times: dict[str, list[float]] = {"original": [], "rewritten": []}
    for turn in range(turns):
        pair = [("original", original), ("rewritten", rewritten.sql)]
        for which, sql in pair if turn % 2 else reversed(pair):
            times[which].append(seconds(connection, sql))
    ratios = [a / b for a, b in zip(times["original"], times["rewritten"], strict=True)]
    return {
        "query": name,
        "answers": answers,
        "seconds": {which: round(statistics.median(found), 3) for which, found in times.items()},
        "ratio": round(statistics.median(ratios), 2),
        "worst ratio": round(min(ratios), 2),
        "at least": AT_LEAST[name],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--ten-million", action="store_true", help="ten million rows")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--save", action="store_true")
    asked = parser.parse_args()
    rows = 10_000_000 if asked.ten_million else asked.rows
    with duckdb.connect() as connection:
        connection.execute("SET threads = 2; SET preserve_insertion_order = false; SELECT setseed(0.5)")
        connection.execute(
            "CREATE TABLE events AS SELECT TIMESTAMP '2024-02-29' + to_microseconds((random() * 86.4e9)::BIGINT) AS ts, "
            f"(random() * 100)::INTEGER AS k, (random() * 1e6)::INTEGER AS v FROM range({rows})"
        )
        union = "\nUNION ALL\n"
        queries = {
            "five tumbling windows": union.join(map(tumbling, TUMBLING)),
            "ten hopping windows": union.join(hopping(*sizes) for sizes in HOPPING),
        }
        found = [measured(connection, name, sql, asked.turns) for name, sql in queries.items()]
    lines = [
        f"{rows:,} events, 100 keys, one day; DuckDB {duckdb.__version__}, 2 threads; the median of {asked.turns} turns.",
        "",
        "| query | answers | original, s | rewritten, s | times as fast | worst turn | at least |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in found:
        lines.append(
            f"| {one['query']} | {one['answers']:,} | {one['seconds']['original']} | {one['seconds']['rewritten']} "
            f"| {one['ratio']} | {one['worst ratio']} | {one['at least']} |"
        )
    print("\n".join(lines))
    if asked.save:
        RESULTS.mkdir(exist_ok=True)
        record = {
            "rows": rows,
            "turns": asked.turns,
            "duckdb": duckdb.__version__,
            "machine": platform.machine(),
        }
        (RESULTS / "rewrite_duckdb.json").write_text(
            json.dumps({**record, "queries": found}, indent=1) + "\n"
        )
        (RESULTS / "rewrite_duckdb.md").write_text(
            "# Rewritten queries on DuckDB\n\n" + "\n".join(lines) + "\n"
        )


if __name__ == "__main__":
    main()
