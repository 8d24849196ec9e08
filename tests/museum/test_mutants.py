"""The mutator: every kind of change is made, each mutant is another program, and the score counts rightly."""

from __future__ import annotations

import ast
import json

from fuzz.mutants.__main__ import EQUIVALENT, ROOT, quickly_noticed, score
from fuzz.mutants.mutate import mutants

SOURCE = '''
"""A module."""

class Window:
    """A window.

    >>> Window().least(3, 2)
    2
    """

    size = 2

    def least(self, a: int, b: int) -> int:
        """The smaller one."""
        self.last = a
        if a < b and not self.size > 9:
            return a
        return b

    def joined(self, a, b):
        return self.combine(a, b) + 1

    def _check(self):
        assert 1 == 1

    def refuse(self):
        raise ValueError(1 + 1)
'''

EXPECTED = [
    "Window: 2 -> 3",
    "Window: 2 -> 1",
    "Window.least: self.last = a -> pass",
    "Window.least: a < b -> a <= b",
    "Window.least: a < b and (not self.size > 9) -> a < b or not self.size > 9",
    "Window.least: not self.size > 9 -> not not self.size > 9",
    "Window.least: self.size > 9 -> self.size >= 9",
    "Window.least: 9 -> 10",
    "Window.least: return a -> return None",
    "Window.joined: self.combine(a, b) + 1 -> self.combine(a, b) - 1",
    "Window.joined: self.combine(a, b) -> self.combine(b, a)",
]


def test_every_kind_of_change_is_made() -> None:
    names = [mutant.name for mutant in mutants(SOURCE)]
    assert set(EXPECTED) <= set(names)
    assert len(names) == len(set(names))
    assert not any("_check" in name or "refuse" in name for name in names)


def test_each_mutant_is_another_program() -> None:
    original = ast.unparse(ast.parse(SOURCE))
    for mutant in mutants(SOURCE):
        ast.parse(mutant.source)
        assert mutant.source != original and mutant.line > 0


def test_doctests_notice_what_they_show() -> None:
    broken = next(
        mutant for mutant in mutants(SOURCE) if mutant.name == "Window.least: return b -> return None"
    )
    silent = next(mutant for mutant in mutants(SOURCE) if mutant.name.startswith("Window.joined: 1 -> 2"))
    assert quickly_noticed("window.py", broken.source)
    assert not quickly_noticed("window.py", silent.source)
    assert not quickly_noticed("window.py", SOURCE)


def test_timeouts_and_equivalent_ones_are_counted_apart() -> None:
    found = {"a": "killed", "b": "survived", "c": "survived", "d": "timeout"}
    assert score(found, {"c": "no difference"}) == (1, 2, 1, ["b"])


def test_equivalent_ones_have_a_reason_and_exist() -> None:
    for file, named in json.loads(EQUIVALENT.read_text()).items():
        there = {mutant.name for mutant in mutants((ROOT / file).read_text())}
        assert all(len(reason) > 20 for reason in named.values())
        assert set(named) <= there, (file, set(named) - there)
