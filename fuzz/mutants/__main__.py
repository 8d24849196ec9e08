"""Count what the tests notice: python -m fuzz.mutants [FILE ...] [--changed] [--again] [--seconds 600].

Without a file, those of all rooms in suites.py. No file is ever touched: a mutant lives in the memory of a child process.
Results are kept in results/ by room and the file's hash; `--changed` tries the files whose hash is another one now, `--again` only
what survived. Mutants that no test can notice are listed, with the reason, in equivalent/; those that make the tests hang are
counted apart. The exit code is 1 if a file is below 95 in a hundred, or has a survivor that its results did not list before.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from fuzz.mutants.mutate import mutants
from fuzz.mutants.score import EQUIVALENT, RESULTS, TABLE, digest, enough, load, score, table
from fuzz.mutants.suites import ROOT, SUITES, files_of, room_of
from fuzz.mutants.trial import SURVIVED, TIMEOUT, SuiteFails, tried, warmed


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
    there = [file for room in SUITES for file in files_of(room)]
    for file in given.files:
        if file not in there:
            parser.error(f"FILE is {file!r}; expected a file of {', '.join(SUITES)}, and no __init__.py")
    files = given.files or there
    kept = load(RESULTS)
    if given.changed:
        files = [file for file in files if kept.get(file, {}).get("hash") != digest(file)]
        print(f"files that have changed since their mutants were tried: {len(files)}")
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
