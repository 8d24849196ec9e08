"""What the tests noticed: results kept by room, the score of a file, the table of all."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from fuzz.mutants.suites import ROOT

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
