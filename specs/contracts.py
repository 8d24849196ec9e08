"""Contracts on small pure functions, searched by CrossHair on symbolic arguments; they stand in proofs/contracts.py."""

from __future__ import annotations

import functools
import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import FunctionType

from proofs import contracts
from swagcore.ledger import claim

STATEMENTS = {
    "overlap_is_symmetric": "Two residue classes overlap, asked either way round, just where some time is in both.",
    "common_is_what_both_have": "`common` of two residue classes is the class of the times in both, or None where there is none.",
    "fragments_make_a_slide": "The fragments of a slide are one or two, positive, and add up to it.",
    "fragments_are_the_pairs_from_an_end_on": "`fragments`, from an end on, are `pairs`, from a start on, in the other order.",
    "edges_of_one_slide": "Under pairs a window has the edges offset and offset + range, modulo the slide.",
    "partitioned_implies_covered": "A window that is partitioned by another is covered by it.",
    "multiplier_is_what_it_takes": "The multiplier is the number of instances of the other window inside one instance.",
    "level_holds_its_distance": "A level of CI-COUNT holds the distances it is found for, and is 2^(number // p) wide.",
    "levels_around_a_count": "The last level within a count and the first beyond it are at most two apart.",
    "starts_contain_the_time": "`starts` gives instances that contain the time.",
    "panes_divide": "The edges of panes are gcd(range, slide) apart, which divides both.",
}


@functools.cache
def searched(seconds: float) -> dict[str, str]:
    """What CrossHair says of each contract, in one run of so many seconds each at the most."""
    file = Path(contracts.__file__)
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "crosshair", "check", "--analysis_kind=PEP316", "--report_all"),
            *(f"--per_condition_timeout={seconds}", str(file)),
        ],
        capture_output=True,
        text=True,
        cwd=file.parent.parent,
        check=False,
    )
    if ran.returncode not in (0, 1):
        raise RuntimeError(f"CrossHair failed: {ran.stderr.strip()[-200:]}")
    said: dict[str, str] = {}
    functions = {name: inspect.getsourcelines(one)[1] for name, one in vars(contracts).items() if _own(one)}
    for line, text in re.findall(r"^.*?:(\d+): (?:info|error): (.*)$", ran.stdout, re.MULTILINE):
        name = max((first, name) for name, first in functions.items() if first <= int(line))[1]
        said[name] = text
    return said


def _own(one: object) -> bool:
    return isinstance(one, FunctionType) and one.__module__ == contracts.__name__


def contract(name: str, seconds: float) -> object:
    """None where CrossHair confirmed it or found nothing; else what it found. No word at all is no evidence."""
    said = searched(seconds).get(name, "nothing")
    if said.startswith(("Confirmed over all paths", "Not confirmed")):
        return None
    if said.startswith(("false when calling", "AssertionError when calling")) or " when calling " in said:
        return said
    raise RuntimeError(f"CrossHair says of {name}: {said}")


for _name, _statement in STATEMENTS.items():
    claim(f"contracts.{_name}", source="O contracts", kind="statement", statement=_statement).by(
        "property",
        contract,
        scope="CrossHair, the box of proofs/contracts.py: confirmed, or not refuted in {seconds} s",
        name=_name,
        seconds=1,
    ).by(
        "property",
        contract,
        scope="CrossHair, the box of proofs/contracts.py: confirmed, or not refuted in {seconds} s",
        profile="full",
        name=_name,
        seconds=15,
    )
