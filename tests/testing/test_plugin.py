"""The pytest plugin, in a pytest of its own: it is there, finds a bug, passes what is right, and takes its options."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TESTS = """
from swagcore.testing import ReferenceWindow

class Newest(ReferenceWindow):
    def evict(self):
        self.values.pop()

def test_right(check_window):
    assert check_window(ReferenceWindow, ["max", "concat"]).answers > 10

def test_wrong(check_window):
    check_window(Newest, "sum")

def test_own(check_window):
    check_window(lambda: ReferenceWindow("max"), "max")
"""


def test_in_a_project_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(TESTS, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--swag-examples",
        "20",
        "--swag-seed",
        "3",
        "-p",
        "no:randomly",
    ]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "1 failed, 2 passed" in ran.stdout
    assert "gives a wrong answer for aggregate 'sum'" in ran.stdout
    assert "def test_newest_sum" in ran.stdout
    assert "Traceback" not in ran.stdout
