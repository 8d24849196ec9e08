"""The mutator: every kind of change is made, each mutant is another program, and what becomes of it is judged rightly."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from fuzz.mutants import score
from fuzz.mutants.mutate import mutants
from fuzz.mutants.suites import ROOT, SUITES, files_of
from fuzz.mutants.swap import CannotSwap, Swap, compiled

SOURCE = '''
"""A module."""

class Window:
    """A window."""

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

def adder(by):
    return lambda value: value + by

add_two = adder(2)
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
    "adder: value + by -> value - by",
]


def test_every_kind_of_change_is_made() -> None:
    names = [mutant.name for mutant in mutants(SOURCE)]
    assert set(EXPECTED) <= set(names)
    assert len(names) == len(set(names))
    assert not any("_check" in name or "refuse" in name for name in names)


def test_each_mutant_is_another_program_and_names_its_lines() -> None:
    original = ast.unparse(ast.parse(SOURCE))
    lines = SOURCE.splitlines()
    for mutant in mutants(SOURCE):
        assert ast.unparse(mutant.tree) != original
        compiled(mutant.tree, "window.py")
        before = mutant.name.partition(": ")[2].partition(" -> ")[0].split()[0].strip("()")
        assert before in " ".join(lines[line - 1] for line in mutant.lines), mutant.name


@pytest.fixture
def module() -> ModuleType:
    """The module, imported: its functions, and one that was made while it was."""
    made = ModuleType("window")
    code = compiled(ast.parse(SOURCE), "window.py")
    exec(code, made.__dict__)
    made.__dict__["code"] = code
    return made


def swapped(module: ModuleType, name: str) -> None:
    mutant = next(one for one in mutants(SOURCE) if one.name == name)
    Swap()(module.code, compiled(mutant.tree, "window.py"))


def test_functions_are_swapped_wherever_they_are_referred_to(module: ModuleType) -> None:
    elsewhere, method = module.add_two, module.Window().least
    assert (elsewhere(5), method(3, 2)) == (7, 2)
    swapped(module, "adder: value + by -> value - by")
    swapped(module, "Window.least: return b -> return None")
    assert (elsewhere(5), method(3, 2), method(2, 3)) == (3, None, 2)


@pytest.mark.parametrize("name", ["Window: 2 -> 3", "module: 2 -> 3"])
def test_what_ran_at_import_is_not_swapped(module: ModuleType, name: str) -> None:
    with pytest.raises(CannotSwap):
        swapped(module, name)


ROOM = '''"""A room of one function, one constant, and one way to hang."""

MOST = 3


def fits(size):
    """
    >>> fits(2)
    True
    """
    return size < MOST


def unnoticed(size):
    return size + 1


def down(size):
    while size > 0:
        size -= 1
    return size
'''

TESTS = """from swagcore import room


def test_the_limit():
    assert not room.fits(3)


def test_it_ends():
    assert room.down(2) == 0
    room.unnoticed(1)
"""

TRY = """import json, time
from fuzz.mutants import trial
from fuzz.mutants.mutate import mutants

trial.warmed()
of = mutants((trial.ROOT / "swagcore/room.py").read_text())
print(json.dumps(trial.tried(["swagcore/room.py", "tests/test_room.py"], {"swagcore/room.py": of}, time.monotonic() + 300)))
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of nothing but a room, its tests, and the mutator."""
    root = tmp_path_factory.mktemp("checkout")
    for folder in ("swagcore", "tests", "fuzz/mutants"):
        (root / folder).mkdir(parents=True)
    for path in (ROOT / "fuzz" / "mutants").glob("*.py"):
        (root / "fuzz/mutants" / path.name).write_text(path.read_text())
    (root / "fuzz/__init__.py").touch()
    (root / "swagcore/__init__.py").touch()
    (root / "swagcore/room.py").write_text(ROOM)
    (root / "pytest.ini").write_text(
        "[pytest]\naddopts = --doctest-modules --import-mode=importlib\npythonpath = .\nmarkers =\n  spark\n  slow\n"
    )
    (root / "tests/test_room.py").write_text(TESTS)
    return root


def tried(checkout: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", TRY],
        cwd=checkout,
        capture_output=True,
        text=True,
        timeout=300,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PATH": ""},
    )


def test_mutants_are_killed_survive_or_hang(checkout: Path) -> None:
    ran = tried(checkout)
    assert ran.returncode == 0, ran.stderr
    found = ast.literal_eval(ran.stdout)["swagcore/room.py"]
    assert found["fits: size < MOST -> size <= MOST"] == "killed"
    assert found["module: 3 -> 4"] == "killed", "a constant, which is imported anew"
    assert found["unnoticed: size + 1 -> size - 1"] == "survived"
    assert found["down: size -= 1 -> pass"] == "timeout"
    assert found["fits: return size < MOST -> return None"] == "killed"


def test_a_suite_that_fails_without_a_change_judges_nothing(checkout: Path) -> None:
    test = checkout / "tests/test_room.py"
    test.write_text(TESTS.replace("not room.fits(3)", "room.fits(3)"))
    try:
        ran = tried(checkout)
    finally:
        test.write_text(TESTS)
    assert ran.returncode != 0 and "test_the_limit fails without a change" in ran.stderr


RESULT = score.load(score.RESULTS)
EQUIVALENT = score.load(score.EQUIVALENT)


def test_every_file_of_every_room_has_a_score() -> None:
    files = {file for room in SUITES for file in files_of(room)}
    assert set(RESULT) == files


@pytest.mark.parametrize("file", sorted(RESULT))
def test_the_score_is_reached(file: str) -> None:
    killed, counted, left = score.score(RESULT[file], EQUIVALENT.get(file, {}))
    assert score.enough(killed, counted), left


def test_the_table_is_that_of_the_results() -> None:
    assert score.TABLE.read_text() == score.table(RESULT, EQUIVALENT)


@pytest.mark.parametrize("file", sorted(EQUIVALENT))
def test_equivalent_ones_have_a_reason_and_were_not_noticed(file: str) -> None:
    assert [reason for reason in EQUIVALENT[file].values() if len(reason) <= 20] == []
    assert set(EQUIVALENT[file]) <= set(RESULT[file]["survived"])
    assert set(RESULT[file]["survived"]) <= {mutant.name for mutant in mutants((ROOT / file).read_text())}
