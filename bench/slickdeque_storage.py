"""Where SlickDeque (Non-Inv) keeps its nodes: a plain deque, chunks as in S §4.2.1.2, or two lists.

Each round inserts, evicts and answers `query()`, or `query(n)` for a random n, on two inputs: random values, where
few nodes are kept, and falling ones, where all are. The storages take turns in one run; the figures are nanoseconds a
round, and the ratio to the plain deque that the technique uses.

    python bench/slickdeque_storage.py [--rounds N] [--window N]    # writes results/slickdeque_storage.json and .md
"""

from __future__ import annotations

import argparse
import json
import random
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from swagcore.aggregators.slickdeque_noninv import SlickDequeNonInv
from swagcore.algebra import Aggregate

RESULTS = Path(__file__).parent / "results"


class Chunked:
    """A deque of lists of at most `chunk` nodes; S §4.3.2 finds that about the square root of the window is best."""

    def __init__(self, aggregate: Aggregate, chunk: int) -> None:
        self._combine, self._chunk = aggregate.combine, chunk
        self._chunks: deque[list[tuple[int, Any]]] = deque([[]])
        self._first = self._head = self._tail = 0

    def insert(self, partial: Any) -> None:
        chunks, combine = self._chunks, self._combine
        last = chunks[-1]
        while True:
            if not last or (last is chunks[0] and len(last) <= self._first):
                if last is chunks[0]:
                    last.clear()
                    self._first = 0
                    break
                chunks.pop()
                last = chunks[-1]
            elif combine(last[-1][1], partial) is partial:
                last.pop()
            else:
                break
        if len(last) == self._chunk:
            last = []
            chunks.append(last)
        last.append((self._tail, partial))
        self._tail += 1

    def evict(self) -> None:
        first = self._chunks[0]
        if first[self._first][0] == self._head:
            self._first += 1
            if self._first == len(first) and len(self._chunks) > 1:
                self._chunks.popleft()
                self._first = 0
        self._head += 1

    def query(self, n: int | None = None) -> Any:
        chunks = self._chunks
        if n is None:
            return chunks[0][self._first][1]
        start = (self._tail - n,)
        place = max(0, bisect_left(chunks, start, key=lambda chunk: chunk[0]) - 1)
        chunk = chunks[place]
        at = bisect_left(chunk, start, 0 if place else self._first)
        return chunk[at][1] if at < len(chunk) else chunks[place + 1][0][1]


class Lists:
    """A list of positions and one of partials; what is dead at their beginning is cut off once it is half of them."""

    def __init__(self, aggregate: Aggregate) -> None:
        self._combine = aggregate.combine
        self._positions: list[int] = []
        self._partials: list[Any] = []
        self._first = self._head = self._tail = 0

    def insert(self, partial: Any) -> None:
        positions, partials, combine, first = self._positions, self._partials, self._combine, self._first
        while len(partials) > first and combine(partials[-1], partial) is partial:
            partials.pop()
            positions.pop()
        positions.append(self._tail)
        partials.append(partial)
        self._tail += 1

    def evict(self) -> None:
        if self._positions[self._first] == self._head:
            self._partials[self._first] = None
            self._first += 1
            if self._first > 32 and 2 * self._first > len(self._partials):
                del self._positions[: self._first], self._partials[: self._first]
                self._first = 0
        self._head += 1

    def query(self, n: int | None = None) -> Any:
        if n is None:
            return self._partials[self._first]
        return self._partials[bisect_left(self._positions, self._tail - n, self._first)]


def larger(a: Any, b: Any) -> Any:
    return b if b > a else a


MAX = Aggregate("max", lift=float, combine=larger, identity=float("-inf"), selective=True)


def nanoseconds(storage: Any, values: list[float], window: int, ns: list[int] | None) -> float:
    """A round on a window that was filled before. Evict comes after insert: the window is never empty."""
    for value in values[:window]:
        storage.insert(value)
    insert, evict, query = storage.insert, storage.evict, storage.query
    begin = time.perf_counter()
    if ns is None:
        for value in values[window:]:
            insert(value)
            evict()
            query()
    else:
        for value, n in zip(values[window:], ns, strict=True):
            insert(value)
            evict()
            query(n)
    return (time.perf_counter() - begin) / (len(values) - window) * 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--window", type=int, default=1024)
    parser.add_argument("--turns", type=int, default=5)
    asked = parser.parse_args()
    source = random.Random(1)
    total = asked.rounds + asked.window
    inputs = {"random": [source.random() for _ in range(total)], "falling": [float(-i) for i in range(total)]}
    some_n = [source.randint(1, asked.window) for _ in range(asked.rounds)]
    storages: dict[str, Callable[[], Any]] = {
        "deque": lambda: SlickDequeNonInv(MAX),
        "chunks of 64": lambda: Chunked(MAX, 64),
        "chunks of sqrt(n)": lambda: Chunked(MAX, max(1, round(asked.window**0.5))),
        "two lists": lambda: Lists(MAX),
    }
    lines = ["| input | query | " + " | ".join(storages) + " |", "|---" * (2 + len(storages)) + "|"]
    figures = []
    for name, values in inputs.items():
        for ns in (None, some_n):
            best = dict.fromkeys(storages, float("inf"))
            for _ in range(asked.turns):
                for storage, make in storages.items():
                    best[storage] = min(best[storage], nanoseconds(make(), values, asked.window, ns))
            ratios = {storage: round(time / best["deque"], 2) for storage, time in best.items()}
            question = "query(n)" if ns else "query()"
            cells = [f"{time:.0f} ({ratios[storage]:.2f})" for storage, time in best.items()]
            lines.append(f"| {name} | {question} | " + " | ".join(cells) + " |")
            figures.append({"input": name, "query": question, "ratio_to_deque": ratios})
    size = {"window": asked.window, "rounds": asked.rounds, "turns": asked.turns}
    said = f"Window {asked.window}, {asked.rounds} rounds, the best of {asked.turns} turns: ns a round (ratio to the deque)."
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "slickdeque_storage.json").write_text(
        json.dumps({**size, "figures": figures}, indent=1) + "\n"
    )
    text = "\n".join([f"# {str(__doc__).splitlines()[0]}", "", said, "", *lines]) + "\n"
    (RESULTS / "slickdeque_storage.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
