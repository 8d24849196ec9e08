"""`swag fuzz`, as a user meets it: exit codes, the minimal test, and what is said to a mistake."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import swagcore
from swagcore.errors import InvalidArgument
from swagcore.testing import ReferenceWindow
from swagcore.testing.fuzz import find_factory, fuzz

ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(swagcore.__file__).parents[1]),
}  # also where it is not installed

WINDOWS = """
from collections import deque

class Right:
    def __init__(self, aggregate):
        self.aggregate, self.values = aggregate, deque()
    def insert(self, value):
        self.values.append(value)
    def evict(self):
        self.values.popleft()
    def query(self):
        return self.aggregate.over(self.values)

class Wrong(Right):
    def evict(self):
        self.values.pop()

class Maximum(Right):
    def __init__(self):
        super().__init__(None)
    def query(self):
        return max(self.values, default=None)

class Sized(Right):
    def __init__(self, aggregate, capacity):
        super().__init__(aggregate)

class Reluctant(Right):
    def __init__(self, aggregate):
        raise NotImplementedError("not today")

NUMBER = 5
"""


@pytest.fixture
def directory(tmp_path, monkeypatch):
    (tmp_path / "my_windows.py").write_text(WINDOWS)
    (tmp_path / "broken_windows.py").write_text("import no_such_module_at_all\n")
    (tmp_path / "json.py").write_text("def make(aggregate):\n    raise NotImplementedError\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    (tmp_path / "package" / "inner.py").write_text("from .sibling import Right\n")
    (tmp_path / "package" / "sibling.py").write_text(WINDOWS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = dict(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - set(before):
        del sys.modules[name]
    sys.modules.update(before)


def swag(directory, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "swagcore", "fuzz", *arguments],
        cwd=directory,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_wrong_window_exits_1_with_a_test_that_runs(directory):
    run = swag(directory, "my_windows:Wrong", "--seconds", "5")
    assert run.returncode == 1
    assert "from my_windows import Wrong" in run.stdout
    assert not run.stderr
    (directory / "test_pasted.py").write_text(run.stdout)
    pasted = "import test_pasted as t; [getattr(t, name)() for name in dir(t) if name.startswith('test_')]"
    again = subprocess.run(
        [sys.executable, "-c", pasted], cwd=directory, env=ENVIRONMENT, capture_output=True, text=True
    )
    assert again.returncode == 1
    assert "AssertionError" in again.stderr


def test_a_right_window_exits_0_with_one_line(directory):
    run = swag(directory, "./my_windows.py:Right", "--seconds", "0.3", "--seed", "3", "--aggregate", "max")
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("\n") == 1
    assert run.stdout.startswith("Right: ")
    assert "100% of them, nothing wrong; max; seed 3" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["my_windows:Nope"], "a function or class of my_windows, which has no 'Nope'"),
        (["my_windows:Maximum"], "because Maximum takes no argument"),
        (
            ["my_windows:Sized"],
            "takes the aggregate alone, or nothing; calling it: missing a required argument",
        ),
        (["my_windows:Reluctant"], "nothing was checked: Reluctant takes none of the aggregates"),
        (["my_windows:Right", "--seconds", "0"], "seconds is 0.0; expected a number above zero"),
        (["my_windows:Right", "--seconds", "nan"], "seconds is nan"),
        (["my_windows:Right", "--aggregate", "maxx"], "did you mean 'max'?"),
    ],
)
def test_a_users_mistake_exits_2_with_one_sentence(directory, arguments, said):
    run = swag(directory, *arguments)
    assert run.returncode == 2
    assert said in run.stderr
    assert run.stderr.count("\n") == 1
    assert not run.stdout


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("my_windows", "expected MODULE:FACTORY, such as"),
        (":Right", "expected MODULE:FACTORY, such as"),
        ("my_windows:", "expected MODULE:FACTORY, such as"),
        ("my_windows:NUMBER", "a function or a class; 'NUMBER' is a int"),
        ("no_windows:Right", "there is no 'no_windows' here or installed"),
        ("package.none:Right", "there is no 'package.none' here or installed"),
        (
            "broken_windows:Right",
            "importing broken_windows raised ModuleNotFoundError: No module named 'no_such",
        ),
        ("none.py:Right", "there is no file none.py"),
        ("package:Right", "a function or class of package, which has no 'Right'"),
    ],
)
def test_a_factory_that_is_not_there(directory, target, said):
    with pytest.raises(InvalidArgument) as caught:
        find_factory(target)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "target", ["my_windows:Right", "my_windows.py:Right", "./my_windows.py:Right", "package.inner:Right"]
)
def test_a_factory_that_is(directory, target):
    assert find_factory(target).__name__ == "Right"


def test_a_file_of_a_package_may_import_its_siblings(directory):
    assert find_factory("package/inner.py:Right").__module__ == "package.sibling"


def test_the_users_file_is_meant_even_if_a_library_has_its_name(directory):
    assert find_factory("json.py:make").__name__ == "make"


def test_the_time_is_kept_and_told():
    told = []
    start = time.monotonic()
    report = fuzz(ReferenceWindow, ["sum"], seconds=0.5, each=lambda tally, elapsed: told.append(elapsed))
    assert 0.5 <= time.monotonic() - start < 3
    assert report.answers > 100
    assert told == sorted(told)
    assert told


def test_the_core_is_enough():
    """Without Hypothesis and pytest the kit works; what needs Hypothesis says so."""
    script = """
        import sys
        class Blocked:
            def find_spec(self, name, path=None, target=None):
                if name.split(".")[0] in ("hypothesis", "pytest"):
                    raise ModuleNotFoundError(name, name=name)
        sys.meta_path.insert(0, Blocked())
        from swagcore import testing
        assert not {"hypothesis", "pytest"} & set(sys.modules)
        print(testing.check_fifo(testing.ReferenceWindow, "sum", max_examples=3).cases)
        for name in ("strategies", "fifo_machine"):
            try:
                getattr(testing, name)
            except ImportError as error:
                print(error)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], env=ENVIRONMENT, capture_output=True, text=True
    )
    assert run.stdout.splitlines() == [
        "5",
        "swagcore.testing.strategies needs Hypothesis, which is not installed; run: pip install hypothesis",
        "swagcore.testing.machine needs Hypothesis, which is not installed; run: pip install hypothesis",
    ], run.stderr
