"""Count what the tests notice: python -m fuzz.mutants [FILE ...] [--changed] [--again] [--seconds 600].

Without a file, those of all rooms in suites.py. No file is ever touched: a mutant lives in the memory of a child process.
Results are kept in results/ by room and the file's hash; `--changed` tries the files whose hash is another one now, `--again` only
what survived. Mutants that no test can notice are listed, with the reason, in equivalent/; those that make the tests hang are
counted apart. The exit code is 1 if a file is below 95 in a hundred, or has a survivor that its results did not list before.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from fuzz.mutants.mutate import mutants
from fuzz.mutants.suites import ROOT, SUITES, files_of, room_of
from fuzz.mutants.trial import SURVIVED, TIMEOUT, SuiteFails, tried, warmed

HERE = Path(__file__).parent
RESULTS = HERE / "results"
EQUIVALENT = HERE / "equivalent"
TABLE = HERE / "table.md"
WANTED = 95


def load(folder: Path) -> dict[str, Any]:
    """What is kept in a folder, of the files of all rooms."""
    return {
        file: of
        for path in sorted(folder.glob("*.json"))
        for file, of in json.loads(path.read_text()).items()
    }


def digest(file: str) -> str:
    """What the results of a file are kept by."""
    return hashlib.sha256((ROOT / file).read_bytes()).hexdigest()[:16]


def score(result: dict[str, Any], equivalent: dict[str, str]) -> tuple[int, int, list[str]]:
    """Killed, counted, and the names of the survivors that are not equivalent.

    >>> score({"mutants": 9, "survived": ["b", "c"], "timeouts": ["d"]}, {"c": "no difference"})
    (6, 7, ['b'])
    """
    killed = result["mutants"] - len(result["survived"]) - len(result["timeouts"])
    left = [name for name in result["survived"] if name not in equivalent]
    return killed, killed + len(left), left


def enough(killed: int, counted: int) -> bool:
    """Whether a score is as high as it has to be."""
    return 100 * killed >= WANTED * counted


def table(results: dict[str, Any], equivalent: dict[str, Any]) -> str:
    """The score of every file."""
    lines = [
        "# What the tests notice",
        "",
        "Written by `python -m fuzz.mutants`. Timeouts, and mutants that are listed as equivalent in `equivalent/` with the",
        "reason, are not in the score; those that survived are named in `results/`.",
        "",
        "| file | mutants | killed | survived | equivalent | timeouts | score |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    total = [0] * 5
    for file, result in sorted(results.items()):
        killed, counted, left = score(result, equivalent.get(file, {}))
        same = len(result["survived"]) - len(left)
        row = [result["mutants"], killed, len(left), same, len(result["timeouts"])]
        total = [a + b for a, b in zip(total, row, strict=True)]
        lines.append(f"| `{file}` | {' | '.join(map(str, row))} | {100 * killed / max(counted, 1):.1f} |")
    lines.append(
        f"| all | {' | '.join(map(str, total))} | {100 * total[1] / max(total[1] + total[2], 1):.1f} |"
    )
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Try the mutants of the files, as far as the time goes, and print a line for each file."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.mutants", description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument(
        "--changed", action="store_true", help="only files whose results are of another version"
    )
    parser.add_argument("--again", action="store_true", help="only what survived or hung")
    parser.add_argument("--seconds", type=float, default=7200.0, help="for all files together")
    given = parser.parse_args(arguments)
    for file in given.files:
        if not (ROOT / file).is_file() or room_of(file) is None:
            parser.error(f"FILE is {file!r}; expected a file of {', '.join(SUITES)}")
    files = given.files or [file for room in SUITES for file in files_of(room)]
    kept = load(RESULTS)
    if given.changed:
        files = [file for file in files if kept.get(file, {}).get("hash") != digest(file)]
    warmed()
    end, failed = time.monotonic() + given.seconds, False
    for room, suite in SUITES.items():
        wanted = {file: mutants((ROOT / file).read_text()) for file in files if room_of(file) == room}
        chosen = wanted
        if given.again:
            chosen = {
                file: [one for one in all if one.name in kept[file]["survived"] + kept[file]["timeouts"]]
                for file, all in wanted.items()
                if kept.get(file, {}).get("hash") == digest(file)
            }
        if not any(chosen.values()):
            continue
        try:
            found = tried(suite, chosen, end)
        except SuiteFails as problem:
            print(f"{room}: {problem}", file=sys.stderr)
            return 2
        for file in chosen:
            failed |= not _recorded(file, len(wanted[file]), chosen[file], found[file])
    return int(failed)


def _recorded(file: str, count: int, chosen: list[Any], found: dict[str, str]) -> bool:
    """Print and keep what was found; whether it is good enough."""
    results, equivalent = load(RESULTS), load(EQUIVALENT)
    if len(found) < len(chosen):
        print(f"{file}: {len(chosen) - len(found)} of {len(chosen)} not tried, for want of time", flush=True)
        return False
    before = results.get(file, {"survived": []})["survived"]
    result = {
        "hash": digest(file),
        "mutants": count,
        "survived": sorted(name for name, said in found.items() if said == SURVIVED),
        "timeouts": sorted(name for name, said in found.items() if said == TIMEOUT),
    }
    results[file] = result
    room = room_of(file)
    of_room = {other: of for other, of in results.items() if room_of(other) == room}
    (RESULTS / f"{Path(str(room)).stem}.json").write_text(
        json.dumps(of_room, indent=1, sort_keys=True) + "\n"
    )
    TABLE.write_text(table(results, equivalent))
    killed, counted, left = score(result, equivalent.get(file, {}))
    new = [name for name in left if name not in before]
    print(
        f"{file}: {killed} of {counted} killed ({100 * killed / max(counted, 1):.1f}%), "
        f"{len(result['timeouts'])} timeouts, {len(result['survived']) - len(left)} equivalent",
        flush=True,
    )
    for name in left:
        line = next(mutant.lines.start for mutant in chosen if mutant.name == name)
        print(f"  survived, line {line}: {name}{' (new)' if name in new else ''}", flush=True)
    return enough(killed, counted) and not new


if __name__ == "__main__":
    sys.exit(main())
