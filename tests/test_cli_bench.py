"""`swag bench`: it lists what is there, runs one, and hands on options and the exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import swagcore

ROOT = Path(swagcore.__file__).parent.parent


def swag(*arguments: str, at: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "swagcore", "bench", *arguments],
        cwd=at,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "100"},
        check=False,
    )


def test_all_are_listed_with_what_they_say_of_themselves() -> None:
    listed = swag()
    names = {line.split()[0] for line in listed.stdout.splitlines()}
    assert listed.returncode == 0
    assert names == {file.stem for file in (ROOT / "bench").glob("*.py")}
    assert all(len(line.split()) > 3 for line in listed.stdout.splitlines())


def test_one_is_run_with_its_options() -> None:
    helped = swag("distributed", "--", "--help")
    assert helped.returncode == 0
    assert "--scale" in helped.stdout
    wrong = swag("distributed", "--", "--no-such-option")
    assert wrong.returncode == 2


def test_an_unknown_one_is_refused_in_a_sentence() -> None:
    refused = swag("distribute")
    assert refused.returncode == 1
    assert "did you mean 'distributed'?" in refused.stderr
    assert "Traceback" not in refused.stderr
