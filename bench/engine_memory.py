"""The engine's memory over a long stream: bounded by the windows, whatever the number of events.

A stream of some millions of events, made as it is read, is pushed into an engine; answers are counted and let go. At the
marks (tenths of the stream) the number of slices held and the memory that Python has allocated are noted. The first
tenth fills the windows; from then on both must not grow. Then, without tracing, a stream of at most
200,000 events gives the speed, beside that of a bare loop which does the same combines inline.

    python bench/engine_memory.py [--events N] [--keys N]       # --events 10000000 --keep: the figures in results/
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import swagcore as sw

RESULTS = Path(__file__).parent / "results"


def queries() -> list[sw.Query]:
    """Windows of many sorts; the longest range is 10,000 events."""
    windows = [
        sw.Window(10_000, 500),
        sw.Window(3_000, 700, 13),
        sw.Window(100, 250),
        sw.Window(2_000, 333, lag=5_000),
    ]
    aggregates = ["max", "mean", "count", "sum"]
    return [
        sw.Query(f"q{n}", name, window)
        for n, (name, window) in enumerate(zip(aggregates, windows, strict=True))
    ]


def stream(events: int, keys: int) -> Iterator[tuple[Any, ...]]:
    """One event a time unit; values and keys without a pattern, and the same in every run."""
    state = 1
    for at in range(events):
        state = state * 1_103_515_245 + 12_345 & 0x7FFFFFFF
        yield (at, state % 1_000_003) if keys == 1 else (at, state % 1_000_003, state >> 8 & keys - 1)


def slices(engine: sw.Engine) -> int:
    """How many slices an engine holds."""
    return sum(len(substream.slices()) for group in engine._groups for substream in group.substreams.values())


def memory(events: int, keys: int) -> list[dict[str, int]]:
    """What is held at every tenth of the stream."""
    tracemalloc.start()
    engine = sw.Engine(queries())
    answers, marks = 0, []
    for number, event in enumerate(stream(events, keys), 1):
        answers += len(engine.push(event))
        if number % (events // 10) == 0:
            gc.collect()
            held, peak = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            marks.append(
                {
                    "events": number,
                    "answers": answers,
                    "slices": slices(engine),
                    "bytes": held,
                    "peak_bytes": peak,
                }
            )
    tracemalloc.stop()
    return marks


def bare(events: int, keys: int) -> float:
    """Seconds of a loop that does what the engine does to an event inside a slice: a combine for max, total and count."""
    begin = time.perf_counter()
    largest = total = count = 0
    for event in stream(events, keys):
        value = event[1]
        largest = value if value > largest else largest
        total = total + value
        count = count + 1
    return time.perf_counter() - begin


def speed(events: int, keys: int) -> dict[str, float]:
    """Seconds of the engine and of the bare loop, by turns in one run, the best of three."""
    engine, loop = float("inf"), float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        for _ in sw.run(queries(), stream(events, keys)):
            pass
        engine = min(engine, time.perf_counter() - begin)
        loop = min(loop, bare(events, keys))
    return {"events": events, "engine_seconds": engine, "bare_loop_seconds": loop, "ratio": engine / loop}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--keys", type=int, default=1, help="a power of two")
    parser.add_argument("--keep", action="store_true", help="write bench/results/engine_memory.json and .md")
    asked = parser.parse_args()
    if asked.events < 10 or asked.keys < 1 or asked.keys & asked.keys - 1:
        parser.error("expected at least 10 events, and a power of two as the number of keys")
    marks = memory(asked.events, asked.keys)
    pace = speed(min(asked.events, 200_000), asked.keys)
    print(table(marks))
    print(f"\nengine {pace['ratio']:.1f} times a bare loop over the same events, {pace['events']} of them")
    settled = marks[1:]
    grown = max(mark["bytes"] for mark in settled) / min(mark["bytes"] for mark in settled)
    print(f"memory from the second mark on: the most is {grown:.2f} times the least")
    if asked.keep:
        keep(asked.keys, marks, pace, grown)


def table(marks: list[dict[str, int]]) -> str:
    lines = [
        "| events | answers | slices held | KB held | KB at most since the last mark |",
        "|---:|---:|---:|---:|---:|",
    ]
    for mark in marks:
        kilobytes = [f"{mark[name] / 1000:,.0f}" for name in ("bytes", "peak_bytes")]
        lines.append(
            f"| {mark['events']:,} | {mark['answers']:,} | {mark['slices']} | {kilobytes[0]} | {kilobytes[1]} |"
        )
    return "\n".join(lines)


def keep(keys: int, marks: list[dict[str, int]], pace: dict[str, float], grown: float) -> None:
    RESULTS.mkdir(exist_ok=True)
    asked = [f"{query.name}: {query.aggregate} over {query.window}" for query in queries()]
    data = {
        "python": platform.python_version(),
        "keys": keys,
        "queries": asked,
        "marks": marks,
        "speed": pace,
        "grown": grown,
    }
    (RESULTS / "engine_memory.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    text = f"""# The engine's memory over {marks[-1]["events"]:,} events

Made by `python bench/engine_memory.py --events {marks[-1]["events"]} --keep` (Python {platform.python_version()}, memory by
tracemalloc). Queries:

{chr(10).join(f"- {line}" for line in asked)}

{table(marks)}

From the second mark on, the most memory held is {grown:.2f} times the least. In a run of its own, without tracing, the
engine takes {pace["ratio"]:.1f} times as long as a bare loop over the same {pace["events"]:,} events that does the same combines
inline.
"""
    (RESULTS / "engine_memory.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
