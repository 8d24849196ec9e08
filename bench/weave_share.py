"""How long Weave Share plans, and how little of the textbook's work it does: many queries, at rates from low to high.

A row is a workload and a rate; `counted` are the pairs whose edges were counted exactly, of all pairs that the textbook's
loop would look at. CPU seconds and memory are of this process on this machine, making the queries not included; trust the
ratios. `--full` adds the sizes that take minutes: with ranges that are no multiple of the slide nearly every query has
edges of its own, and beyond 10,000 such edge sets queries are woven in blocks.

    python bench/weave_share.py [--full]
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path

from swagcore.cost import CostModel
from swagcore.optimizers import weaving
from swagcore.optimizers.bunches import Loom
from swagcore.optimizers.workloads import workload

RESULTS = Path(__file__).parent / "results"

#: queries, largest slide, ranges that are no multiples, rates
DEFAULT = [
    (1_000_000, 1_000, False, ("1/100", "100", "10000", "1000000", "100000000")),
    (10_000, 100_000, False, ("1/100", "1", "100")),
    (1_000, 1_000, True, ("1/100", "1", "10")),
    (1_000, 100, True, ("1/10", "1", "10", "100")),
]
FULL = [
    (1_000, 1_000, True, ("100",)),
    (10_000, 1_000, True, ("1/100", "1", "10")),
    (100_000, 1_000, True, ("1/100",)),
]


def row(count: int, largest: int, fragments: bool, rates: tuple[str, ...]) -> list[dict[str, object]]:
    queries = workload(count, largest, 10, fragments=fragments, seed=1)
    found = []
    for written in rates:
        begun = time.process_time()
        model = CostModel(Fraction(written))
        loom = Loom(model, queries)
        units = loom.units()
        grouped = time.process_time()
        counted = None
        if len(units) <= weaving.MOST_AT_ONCE:
            run = weaving.Weaving(loom, units)
            woven = run.run(lambda done: None)
            counted = run.evaluations
            del run
        else:
            woven = weaving.weave(loom, units)
        size, left = len(units), len(woven)
        found.append(
            {
                "queries": count,
                "largest slide": largest,
                "fragments": fragments,
                "rate": written,
                "edge sets": size,
                "trees": left,
                "counted": counted,
                "textbook": sum(trees * (trees - 1) // 2 for trees in range(max(left, 2), size + 1)),
                "bounded": len(model._bounds),
                "grouping s": round(grouped - begun, 2),
                "weaving s": round(time.process_time() - grouped, 2),
                "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            }
        )
        print("  ".join(f"{name} {value}" for name, value in found[-1].items()), flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="also the sizes that take minutes")
    asked = parser.parse_args()
    plans = DEFAULT + (FULL if asked.full else [])
    # A process for each, since the peak of memory only ever grows.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as processes:
        rows = [line for lines in processes.map(row, *zip(*plans, strict=True)) for line in lines]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "weave_share.json").write_text(json.dumps(rows, indent=1) + "\n")
    names = list(rows[0])
    table = [names, ["---"] * len(names), *([str(line[name]) for name in names] for line in rows)]
    text = "# Weave Share\n\n" + "\n".join(f"| {' | '.join(cells)} |" for cells in table) + "\n"
    (RESULTS / "weave_share.md").write_text(text)


if __name__ == "__main__":
    main()
