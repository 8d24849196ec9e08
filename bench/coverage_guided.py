"""Does guidance by coverage find bugs sooner than plain random cases? Planted bugs, the same checks, the same CPU seconds.

The bugs are random mutants of the techniques and of slicing, and a few that need several rare things at once. Each is searched by
the project's own campaigns (`stateful`, `differential`) with cases drawn in three ways: at random, by atheris (libFuzzer mutates the
bytes that the draws come from), by HypoFuzz (Hypothesis choices). The time is of the process that searches, start-up not included.
Mutants that no way finds are mostly equal in meaning to the code; they are counted, and left out of the rest.

    python bench/coverage_guided.py [--bugs 24] [--seeds 2] [--seconds 5]

atheris and HypoFuzz are not among this project's requirements: pip install atheris hypofuzz.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.util
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
WAYS = ("random", "atheris", "hypofuzz")
FILES = {
    "stateful": [
        f"swagcore/aggregators/{name}.py"
        for name in (
            "two_stacks",
            "two_stacks_lite",
            "daba",
            "daba_lite",
            "flatfat",
            "flatfit",
            "slickdeque_noninv",
        )
    ],
    "differential": ["swagcore/slicing/pairs.py", "swagcore/slicing/shared.py", "swagcore/slicing/cutty.py"],
}
RARE = [
    (
        "swagcore/aggregators/two_stacks.py",
        "        self._front.pop()",
        "        self._front.pop()\n        if len(self._front) == 11:\n            if len(self._back) == 3:\n                self._back[0] = self._back[1]",
    ),
    (
        "swagcore/aggregators/two_stacks.py",
        "        back = self._back\n        back.append",
        "        back = self._back\n        if len(back) == 20 and len(self._front) == 5:\n            return\n        back.append",
    ),
    (
        "swagcore/aggregators/flatfat.py",
        "        head, position = self._head, self._tail\n        tree, combine",
        "        head, position = self._head, self._tail\n        if head == 29:\n            if position == 40:\n                position += 1\n        tree, combine",
    ),
    (
        "swagcore/aggregators/daba.py",
        "        self._e = e + 1\n",
        "        self._e = e + 1\n        if self._b - self._l == 6:\n            if self._e - self._b == 9:\n                aggs[cell] = partial\n",
    ),
]
"""A file, a place in it, and what stands there instead: two conditions that are seldom true together."""


def planted(count: int) -> list[dict[str, Any]]:
    """The bugs: a campaign, a file, and the source with the bug; the same ones every time."""
    from fuzz.mutants.mutate import mutants

    pool = [
        {"campaign": campaign, "file": file, "name": mutant.name, "source": ast.unparse(mutant.tree)}
        for campaign, files in FILES.items()
        for file in files
        if (ROOT / file).exists()
        for mutant in mutants((ROOT / file).read_text())
    ]
    found = random.Random("planted").sample(pool, count)
    for file, old, new in RARE:
        source = (ROOT / file).read_text()
        if old not in source:
            raise SystemExit(f"{file} has changed: the place of a planted bug is not found")
        bug = {"campaign": "stateful", "file": file, "name": "rare: " + " ".join(new.split())[-90:]}
        found.append({**bug, "source": source.replace(old, new, 1)})
    return found


class Broken(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from another source."""

    def __init__(self, bug: dict[str, Any]) -> None:
        self.module = bug["file"].removesuffix(".py").replace("/", ".")
        self.bug = bug

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return importlib.util.spec_from_loader(name, self) if name == self.module else None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.bug["source"], str(ROOT / self.bug["file"]), "exec"), module.__dict__)


class Drawn(random.Random):
    """A source of chance that is fed from bytes; when they are used up, zeros come."""

    def __new__(cls, data: bytes) -> Drawn:
        return super().__new__(cls)

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self.data, self.place = data, 0

    def getrandbits(self, k: int) -> int:
        size = (k + 7) // 8
        part = self.data[self.place : self.place + size]
        self.place += size
        return int.from_bytes(part.ljust(size, b"\0"), "little") & ((1 << k) - 1)

    def random(self) -> float:
        return self.getrandbits(53) / 2**53


class Search:
    """One search: counts cases and the processor's time, and writes the result when a case fails or the time is over."""

    def __init__(self, bug: dict[str, Any], out: Path, seconds: float) -> None:
        from fuzz.campaigns import CAMPAIGNS

        self.campaign, self.out, self.seconds = CAMPAIGNS[bug["campaign"]], out, seconds
        self.cases, self.start = 0, time.process_time()

    def attempt(self, chance: random.Random) -> None:
        """Draw and check one case; ends the process when it is over."""
        self.cases += 1
        try:
            self.campaign.check(json.loads(json.dumps(self.campaign.draw(chance))))
        except Exception:
            self.end(True)
        if time.process_time() - self.start > self.seconds:
            self.end(False)

    def end(self, found: bool) -> None:
        spent = time.process_time() - self.start
        self.out.write_text(json.dumps({"found": found, "seconds": spent, "cases": self.cases}))
        os._exit(0)


def search(way: str, bug: dict[str, Any], seed: int, seconds: float, out: Path) -> None:
    """In a process of its own: the bug is put in, and searched."""
    sys.meta_path.insert(0, Broken(bug))
    sys.path.insert(0, str(ROOT))
    try:
        one = Search(bug, out, seconds)
    except Exception:
        out.write_text(json.dumps({"found": True, "seconds": 0.0, "cases": 0}))  # it cannot even be imported
        return
    if way == "random":
        number = 0
        while True:
            one.attempt(random.Random(f"{seed} {number}"))
            number += 1
    import atheris

    for name, module in list(sys.modules.items()):
        if name.startswith(("swagcore.aggregators", "swagcore.slicing", "swagcore.engine")):
            for thing in list(vars(module).values()):
                holder = vars(thing).values() if isinstance(thing, type) else [thing]
                for function in holder:
                    if hasattr(function, "__code__") and getattr(function, "__module__", "") == name:
                        atheris.instrument_func(function)
    with tempfile.TemporaryDirectory() as corpus:
        for number in range(30):
            data = random.Random(f"{seed} {number}").randbytes(1500)
            (Path(corpus) / str(number)).write_bytes(data)
        arguments = [
            "atheris",
            corpus,
            f"-seed={seed + 1}",
            "-max_len=3000",
            "-len_control=0",
            "-verbosity=0",
        ]
        atheris.Setup(arguments, lambda data: one.attempt(Drawn(data)))
        one.start = time.process_time()
        atheris.Fuzz()


HYPOFUZZ = """
import json, sys
from pathlib import Path
sys.path.insert(0, {bench!r})
from coverage_guided import Broken, ROOT, Search
bug = json.loads(Path({bug!r}).read_text())
for name in [name for name in sys.modules if name.partition(".")[0] in ("swagcore", "fuzz")]:
    del sys.modules[name]  # the plugin for pytest has brought them, without the bug
sys.meta_path.insert(0, Broken(bug))
sys.path.insert(0, str(ROOT))
from hypothesis import given, strategies as st
one = None
try:
    import fuzz.campaigns
except Exception:
    Path({out!r}).write_text(json.dumps(dict(found=True, seconds=0.0, cases=0)))

@given(st.randoms(use_true_random=False))
def test_case(chance):
    global one
    if one is None:
        one = Search(bug, Path({out!r}), {seconds})
    one.attempt(chance)
"""


def tried(way: str, bug: dict[str, Any], seed: int, seconds: float) -> dict[str, Any]:
    """The result of one search; not found where it says nothing."""
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        (place / "bug.json").write_text(json.dumps(bug))
        out = place / "out.json"
        if way == "hypofuzz":
            text = HYPOFUZZ.format(
                bench=str(Path(__file__).parent), bug=str(place / "bug.json"), out=str(out), seconds=seconds
            )
            (place / "test_bug.py").write_text(text)
            command = [
                sys.executable,
                "-c",
                "from hypothesis.extra.cli import main; main()",
                "fuzz",
                "--no-dashboard",
                "-n",
                "1",
                "--",
                "test_bug.py",
            ]
        else:
            command = [
                sys.executable,
                __file__,
                "--one",
                way,
                str(seed),
                str(seconds),
                str(place / "bug.json"),
                str(out),
            ]
        process = subprocess.Popen(
            command,
            cwd=place,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        end = time.monotonic() + 60 + 12 * seconds
        while not out.exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(0.1)
        if process.poll() is None:
            os.killpg(process.pid, 9)
        process.wait()
        return (
            json.loads(out.read_text())
            if out.exists() and out.read_text()
            else {"found": False, "seconds": None, "cases": 0}
        )


def summary(rows: list[dict[str, Any]], ways: list[str], seconds: float) -> str:
    """The table: how many of the bugs that any way finds each way found, and how fast where all did."""
    known = [row for row in rows if any(one["found"] for way in ways for one in row[way])]
    lines = [
        "# Plain random cases or guided ones",
        "",
        f"{len(rows)} planted bugs, {len(known)} of them found by some way; {seconds:g} CPU seconds for each search. Made by "
        f"`python bench/coverage_guided.py --bugs {len(rows) - len(RARE)} --seeds {len(rows[0][ways[0]])} --seconds {seconds:g}`.",
        "",
        "| way | searches that found their bug | median CPU s of those | median cases of those | cases a CPU second |",
        "|---|---|---|---|---|",
    ]
    for way in ways:
        runs = [one for row in known for one in row[way]]
        found = [one for one in runs if one["found"]]
        rate = sum(one["cases"] for one in runs) / max(sum(one["seconds"] or 0 for one in runs), 1e-9)
        spent = f"{statistics.median(one['seconds'] for one in found):.2f}" if found else "none"
        cases = f"{statistics.median(one['cases'] for one in found):.0f}" if found else "none"
        lines.append(f"| {way} | {len(found)} of {len(runs)} | {spent} | {cases} | {rate:,.0f} |")
    lines += ["", "Every bug that was found, with the CPU seconds of each search:", ""]
    lines += ["| bug | " + " | ".join(ways) + " |", "|---" * (len(ways) + 1) + "|"]
    for row in known:
        cells = [
            ", ".join(f"{one['seconds']:.2f} s" if one["found"] else "no" for one in row[way]) for way in ways
        ]
        name = row["name"].replace("|", "\\|").replace("\n", " ")
        lines.append(f"| {Path(row['file']).stem}, `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bugs", type=int, default=24)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--one", nargs=5, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        way, seed, seconds, bug, out = given.one
        search(way, json.loads(Path(bug).read_text()), int(seed), float(seconds), Path(out))
        return
    missing = [name for name in ("atheris", "hypofuzz") if importlib.util.find_spec(name) is None]
    if missing:
        raise SystemExit(
            f"coverage_guided needs {' and '.join(missing)}; run: pip install {' '.join(missing)}"
        )
    sys.path.insert(0, str(ROOT))
    rows = []
    for bug in planted(given.bugs):
        row = {key: bug[key] for key in ("campaign", "file", "name")}
        for way in WAYS:
            row[way] = [tried(way, bug, seed, given.seconds) for seed in range(given.seeds)]
        rows.append(row)
        print(
            row["file"],
            row["name"][:60],
            *(f"{way}: {[one['cases'] if one['found'] else None for one in row[way]]}" for way in WAYS),
            flush=True,
        )
        RESULTS.joinpath("coverage_guided.json").write_text(
            json.dumps({"seconds": given.seconds, "rows": rows}, indent=1) + "\n"
        )
        RESULTS.joinpath("coverage_guided.md").write_text(summary(rows, list(WAYS), given.seconds))


if __name__ == "__main__":
    main()
