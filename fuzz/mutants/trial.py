"""What becomes of mutants: the tests of their room are collected once, and each mutant runs in a child of that process.

1. All tests run once, unchanged, and each is noted with its seconds and the lines that it runs.
2. For a mutant a child is forked, its functions are swapped (see swap.py), and the tests that run its lines are run, the shortest
   first, until one fails: then it is killed. If one does not end in time the child is ended, and counted as a timeout.
3. What cannot be swapped, or was needed to import the tests, runs in a process of its own, which imports the mutant.

Each of these ways is first gone without a change, and has to pass. Only then does a failure speak against a mutant.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType

import pytest

from fuzz.mutants.lines import Lines
from fuzz.mutants.mutate import Mutant
from fuzz.mutants.suites import ROOT
from fuzz.mutants.swap import CannotSwap, Swap, compiled, keep

KILLED, SURVIVED, TIMEOUT = "killed", "survived", "timeout"
ALONE = "alone"
SUITE_SECONDS = 12.0
"""The tests of one mutant take no longer than this, in all, on the unchanged code."""
MORE_MEMORY = 4 << 30
QUIET = [
    "-q",
    "--assert=plain",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:randomly",
    "-p",
    "no:xdist",
    "-m",
    "not spark and not slow",
]


@dataclass
class Test:
    """One test: its name, the seconds of the processor that it takes, and the lines of the room that it runs."""

    name: str
    seconds: float
    lines: set[tuple[str, int]] = field(default_factory=set)


class SuiteFails(Exception):
    """The tests fail without a change."""


def forked(work: Callable[[], str]) -> tuple[int, int]:
    """A child that does the work and writes what it returns; its number, and the end of the pipe to read from."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    said = ""
    try:
        os.close(reading)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * os.sysconf("SC_PAGE_SIZE") + MORE_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
        said = work()
    except BaseException as problem:
        said = f"{type(problem).__name__}: {problem}"
    finally:
        with os.fdopen(writing, "w") as out:
            out.write(said)
        os._exit(0)


def outcome(child: int, reading: int, seconds: float) -> str:
    """What the child said; a child that is not done in time is ended."""
    os.set_blocking(reading, False)
    end, said = time.monotonic() + seconds, b""
    try:
        while time.monotonic() < end:
            done, status = os.waitpid(child, os.WNOHANG)
            try:
                while part := os.read(reading, 1 << 16):
                    said += part
            except BlockingIOError:
                pass
            if done and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF:
                return TIMEOUT
            if done:
                return said.decode() or KILLED  # it died without a word
            time.sleep(0.005)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return TIMEOUT
    finally:
        os.close(reading)


def judged(child: int, reading: int, seconds: float) -> str:
    """What the child said of its mutant. Anything else is a mistake of ours, and no verdict."""
    said = outcome(child, reading, seconds)
    if said not in (KILLED, SURVIVED, TIMEOUT, ALONE):
        raise SuiteFails(said)
    return said


class Trial:
    """A plugin of pytest: instead of the tests of the session, it runs the mutants."""

    def __init__(self, mutants: dict[str, list[Mutant]], end: float) -> None:
        self.mutants, self.end = mutants, end
        self.paths = {file: str(ROOT / file) for file in mutants}
        self.codes = {
            path: compiled(ast.parse((ROOT / file).read_text()), path) for file, path in self.paths.items()
        }
        keep(self.codes)
        self.trace = Lines(set(self.paths.values()))
        self.found: dict[str, dict[str, str]] = {file: {} for file in mutants}
        self.tests: list[Test] = []
        self.problem = ""
        self.trace.start()  # what is run while tests are collected

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of pytest's own loop."""
        try:
            self._try_all(session)
        except Exception as problem:
            self.problem = f"{type(problem).__name__}: {problem}"
        return True

    def _try_all(self, session: pytest.Session) -> None:
        self.collecting = self.trace.stop()
        if session.testsfailed or not session.items:
            raise SuiteFails("it cannot be collected")
        self.session = session
        self.items = {item.nodeid: item for item in session.items}
        child, reading = forked(self._unchanged)
        said = outcome(child, reading, 1200)
        if not said.startswith("["):
            raise SuiteFails(said)
        for name, seconds, lines in json.loads(said):
            self.tests.append(Test(name, seconds, {(path, line) for path, line in lines}))
        self.tests.sort(key=lambda test: test.seconds)
        self.swap = Swap()
        gc.freeze()  # a collection in a child would touch, and so copy, all that it shares with this process
        if (said := judged(*forked(lambda: self._noticed(self.tests)), 1200)) != SURVIVED:
            raise SuiteFails(f"{said}, in the order of its seconds, without a change")
        for file, mutants in self.mutants.items():
            for mutant in mutants:
                if time.monotonic() > self.end:
                    return
                self.found[file][mutant.name] = self._tried(file, mutant)

    def _unchanged(self) -> str:
        found = []
        for item in self.items.values():
            began = time.process_time()
            self.trace.start()
            self._run(item)
            lines = self.trace.stop()
            if self.session.testsfailed:
                return f"{item.nodeid} fails without a change"
            found.append((item.nodeid, time.process_time() - began, sorted(lines)))
        return json.dumps(found)

    def _run(self, item: pytest.Item) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _tried(self, file: str, mutant: Mutant) -> str:
        path = self.paths[file]
        lines = {(path, line) for line in mutant.lines}
        tests = list(within([test for test in self.tests if test.lines & lines]))
        imported = bool(lines & self.collecting)
        code = compiled(mutant.tree, path)

        def work() -> str:
            try:
                self.swap(self.codes[path], code)
            except CannotSwap:
                return ALONE
            said = self._noticed(tests)
            return ALONE if imported and said == SURVIVED else said

        return judged(*forked(work), 60 + 10 * patience(tests))

    def _noticed(self, tests: list[Test]) -> str:
        for test in tests:
            signal.setitimer(signal.ITIMER_PROF, patience([test]))  # ends this child
            try:
                self._run(self.items[test.name])
            except Exception:  # one that takes pytest down with it, such as want of memory
                return KILLED
            if self.session.testsfailed:
                return KILLED
        signal.setitimer(signal.ITIMER_PROF, 0)
        return SURVIVED


def within(tests: list[Test]) -> Iterator[Test]:
    """The first of the tests, the shortest, as far as the seconds of a suite go."""
    left = SUITE_SECONDS
    for test in tests:
        left -= test.seconds
        if left < 0:
            return
        yield test


def patience(tests: list[Test]) -> float:
    """How much of the processor a mutant may take for tests that take so much without it."""
    return 2 + 3 * sum(test.seconds for test in tests)


class InOrder:
    """A plugin of pytest: only the tests of a suite, in their order."""

    def __init__(self, tests: list[Test]) -> None:
        self.order = {test.name: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """The tests in the order of their seconds."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self.order), key=lambda item: self.order[item.nodeid]
        )


def alone(suite: list[str], tests: list[Test], path: str, code: CodeType) -> str:
    """What becomes of a mutant that is imported in the file's place. The calling process has not imported the room yet."""
    tests = list(within(tests))

    def work() -> str:
        keep({path: code})
        signal.setitimer(signal.ITIMER_PROF, 20 + patience(tests))  # tests are collected anew
        ended = pytest.main(["-x", *QUIET, *suite], plugins=[InOrder(tests)])
        return SURVIVED if ended in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) else KILLED

    return judged(*forked(work), 60 + 10 * patience(tests))


def tried(suite: list[str], mutants: dict[str, list[Mutant]], end: float) -> dict[str, dict[str, str]]:
    """What became of the mutants of some files, by file and name, as far as the time goes.

    Raises `SuiteFails` where the tests fail without a change.
    """

    def work() -> str:
        trial = Trial(mutants, end)
        code = pytest.main([*QUIET, *suite], plugins=[trial])
        if trial.problem or code:
            return trial.problem or f"its suite ends with {code!r}"
        return json.dumps(
            [trial.found, [(test.name, test.seconds, sorted(test.lines)) for test in trial.tests]]
        )

    said = outcome(*forked(work), max(end - time.monotonic(), 0) + 1800)
    if not said.startswith("["):
        raise SuiteFails(said)
    found, listed = json.loads(said)
    tests = [Test(name, seconds, {(path, line) for path, line in lines}) for name, seconds, lines in listed]
    for file, named in found.items():
        path = str(ROOT / file)
        waiting = [mutant for mutant in mutants[file] if named.get(mutant.name) == ALONE]
        if not waiting:
            continue
        # Tests that run a line of the file first; then those that may only look at what it made when it was imported.
        tests.sort(key=lambda test: (all(place != path for place, _ in test.lines), test.seconds))
        unchanged = compiled(ast.parse((ROOT / file).read_text()), path)
        if (said := alone(suite, tests, path, unchanged)) != SURVIVED:
            raise SuiteFails(f"{said}, imported anew, without a change")
        for mutant in waiting:
            if time.monotonic() > end:
                del named[mutant.name]
            else:
                named[mutant.name] = alone(suite, tests, path, compiled(mutant.tree, path))
    return found


def warmed() -> None:
    """Import what the tests import from elsewhere, once for all children."""
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    import hypothesis
    import hypothesis.stateful

    # A failing example is failure enough: it is not made smaller.
    hypothesis.settings.register_profile(
        "mutants",
        deadline=None,
        derandomize=True,
        database=None,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    for name in ("numpy", "networkx", "sqlglot", "duckdb", "z3", "sympy", "pyarrow", "pandas"):
        __import__(name)
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
