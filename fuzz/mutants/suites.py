"""Which tests have to notice a change: a kill suite of seconds for each file."""

from __future__ import annotations

SUITES: dict[str, list[str]] = {
    "swagcore/substreams/levels.py": [
        "swagcore/substreams/levels.py",
        "tests/substreams/test_levels.py",
        "tests/substreams/test_mutants_levels.py",
    ],
    "swagcore/aggregators/two_stacks.py": [
        "swagcore/aggregators/two_stacks.py",
        "tests/aggregators/test_free_monoid.py",
        "tests/aggregators/test_counts.py",
        "-k",
        "two_stacks and not lite",
    ],
    "swagcore/aggregators/daba.py": [
        "swagcore/aggregators/daba.py",
        "tests/aggregators/test_mutants_daba.py",
        "tests/aggregators/test_free_monoid.py",
        "tests/aggregators/test_counts.py",
        "-k",
        "daba and not lite",
    ],
    "swagcore/slicing/cuts.py": [
        "swagcore/slicing/cuts.py",
        "tests/slicing/test_mutants_cuts.py",
        "tests/slicing/test_cuts.py",
    ],
    "swagcore/coverage/relation.py": ["swagcore/coverage/relation.py", "tests/coverage/test_relation.py"],
}


def suite_for(file: str) -> list[str]:
    """The pytest arguments for a file: its own entry, or its doctests and the folder of its room's tests."""
    if file in SUITES:
        return SUITES[file]
    room = file.split("/")[1].removesuffix(".py")
    return [file, f"tests/{room}" if "/" in file.removeprefix("swagcore/") else f"tests/test_{room}.py"]
