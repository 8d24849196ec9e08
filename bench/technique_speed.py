"""Rounds of evict, insert and query: each constant-time technique beside a bare deque that does as many operations.

The bare loop appends to a `collections.deque` and pops from it, and calls `combine` (or `inverse`) as often as the
technique did, in a loop of its own: it keeps no aggregate and answers nothing. The two take turns in one run; the
figure is CPU time, the best of several turns, and what counts is their ratio: the speed of the technique as a share of the bare
loop's. The aggregates are ones that swagcore ships, whose `combine` is a Python function, and beside them the cheapest
that there is, `operator.add` on integers, where nearly all time is the technique's own.

    python bench/technique_speed.py [--rounds N] [--window N]   # writes results/technique_speed.json and .md
"""

from __future__ import annotations

import argparse
import json
import operator
import random
import time
from collections import deque
from collections.abc import Callable
from itertools import repeat
from pathlib import Path
from typing import Any

from swagcore.aggregators import Technique, technique_for
from swagcore.algebra import Aggregate, Counting, aggregate

RESULTS = Path(__file__).parent / "results"
REQUIRED = 1 / 3
POOL = 100_000
"""So many partials are drawn; longer runs go through them again and again."""
PLUS = Aggregate("+", lift=int, combine=operator.add, inverse=operator.sub, identity=0)
KEEP = Aggregate("keep larger", lift=int, combine=max, identity=-1, selective=True)
# Of each technique: an aggregate that ships, then the cheapest one that it takes.
AGGREGATES: dict[str, tuple[Aggregate, Aggregate]] = {
    "subtract_on_evict": (aggregate("sum"), PLUS),
    "r_int": (aggregate("sum"), PLUS),
    "slickdeque_inv": (aggregate("sum"), PLUS),
    "two_stacks": (aggregate("max"), PLUS),
    "two_stacks_lite": (aggregate("max"), PLUS),
    "daba": (aggregate("max"), PLUS),
    "daba_lite": (aggregate("max"), PLUS),
    "flatfit": (aggregate("max"), PLUS),
    "slickdeque_noninv": (aggregate("max"), KEEP),
}


def filled(name: str, function: Aggregate, partials: list[Any]) -> Technique:
    window = technique_for(name, function, [len(partials)] if name == "slickdeque_inv" else None)
    for partial in partials:
        window.insert(partial)
    return window


def slide(target: Technique, arriving: list[Any], laps: int) -> None:
    evict, insert, query = target.evict, target.insert, target.query
    for _ in repeat(None, laps):
        for partial in arriving:
            evict()
            insert(partial)
            query()


def bare(function: Aggregate, counts: Counting, held: deque[Any], arriving: list[Any], laps: int) -> None:
    """The same partials through a deque, and the same number of calls."""
    append, popleft, combine, inverse = held.append, held.popleft, function.combine, function.inverse
    for _ in repeat(None, laps):
        for partial in arriving:
            popleft()
            append(partial)
    a, b = held[0], held[-1]
    for _ in repeat(None, counts.combines):
        combine(a, b)
    if inverse is not None:
        for _ in repeat(None, counts.inverses):
            inverse(a, b)


def seconds(run: Callable[..., None], *arguments: Any) -> float:
    begin = time.process_time()
    run(*arguments)
    return time.process_time() - begin


def measured(name: str, function: Aggregate, rounds: int, window: int, turns: int) -> dict[str, Any]:
    """Nanoseconds a round, of the technique and of the bare loop, and the ratio of their speeds."""
    laps = max(1, rounds // POOL)
    chance = random.Random(1)
    partials = [function.partial(chance.randrange(1_000_000)) for _ in range(window + rounds // laps)]
    first, arriving = partials[:window], partials[window:]
    counting = Counting(function)
    target = filled(name, counting.aggregate, first)
    counting.reset()
    slide(target, arriving, laps)
    best = {"technique": float("inf"), "bare": float("inf")}
    for _ in range(turns):
        taken = seconds(slide, filled(name, function, first), arriving, laps)
        best["technique"] = min(best["technique"], taken)
        taken = seconds(bare, function, counting, deque(first), arriving, laps)
        best["bare"] = min(best["bare"], taken)
    done = laps * len(arriving)
    return {
        "aggregate": function.name,
        "operations_a_round": round(counting.operations / done, 3),
        "ns_a_round": round(best["technique"] / done * 1e9),
        "ns_a_round_bare": round(best["bare"] / done * 1e9),
        "speed": round(best["bare"] / best["technique"], 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--window", type=int, default=1024)
    parser.add_argument("--turns", type=int, default=5)
    asked = parser.parse_args()
    figures: dict[str, list[dict[str, Any]]] = {}
    lines = [
        "| technique | aggregate | operations a round | ns a round | bare ns | speed |",
        "|---|---|---|---|---|---|",
    ]
    for name, functions in AGGREGATES.items():
        figures[name] = [
            measured(name, function, asked.rounds, asked.window, asked.turns) for function in functions
        ]
        for found in figures[name]:
            cells = [name, *found.values()]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    slow = [name for name, (shipped, _) in figures.items() if shipped["speed"] < REQUIRED]
    verdict = f"Below a third of the bare loop, on the shipped aggregate: {', '.join(slow) or 'none'}."
    size = {"rounds": asked.rounds, "window": asked.window, "turns": asked.turns}
    said = f"{asked.rounds} rounds of evict, insert, query in a window of {asked.window}, the best of {asked.turns} turns."
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "technique_speed.json").write_text(
        json.dumps({**size, "techniques": figures}, indent=1) + "\n"
    )
    text = "\n".join([f"# {str(__doc__).splitlines()[0]}", "", said, verdict, "", *lines]) + "\n"
    (RESULTS / "technique_speed.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
