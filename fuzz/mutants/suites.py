"""Which files are broken, and which tests have to notice: a kill suite of seconds for each room."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]

SUITES: dict[str, list[str]] = {
    "swagcore/algebra": ["swagcore/algebra", "tests/algebra"],
    "swagcore/naive.py": ["swagcore/naive.py", "tests/test_naive.py"],
    "swagcore/slicing": ["swagcore/slicing", "tests/slicing"],
    "swagcore/aggregators": ["swagcore/aggregators", "tests/aggregators"],
    "swagcore/edges": ["swagcore/edges", "tests/edges"],
    "swagcore/cost.py": ["swagcore/cost.py", "tests/test_cost.py"],
    "swagcore/coverage": ["swagcore/coverage", "tests/coverage"],
    "swagcore/substreams/levels.py": [
        "swagcore/substreams/levels.py",
        "tests/substreams/test_levels.py",
        "tests/substreams/test_mutants_levels.py",
    ],
}
"""The arguments of pytest by room: the doctests of the room, and the folder of its tests."""


def room_of(file: str) -> str | None:
    """The room that a file belongs to, where it has a kill suite.

    >>> room_of("swagcore/edges/f1.py"), room_of("swagcore/cost.py"), room_of("swagcore/cli/run.py")
    ('swagcore/edges', 'swagcore/cost.py', None)
    """
    return next((room for room in SUITES if file == room or file.startswith(f"{room}/")), None)


def files_of(room: str) -> list[str]:
    """The files of a room that are broken; a package's `__init__.py` only names what is public."""
    place = ROOT / room
    found = [place] if place.is_file() else sorted(place.glob("[!_]*.py"))
    return [path.relative_to(ROOT).as_posix() for path in found]
