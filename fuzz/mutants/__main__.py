"""Count what the tests notice: python -m fuzz.mutants FILE ... [--seconds 55] [--again]. Exit code 1 below 95 in a hundred.

The files are never touched: the tree is copied, one file of the copy is broken, and the kill suite runs there. Results are kept
in results.json by the file's hash, so a second run goes on where the first one stopped; `--again` repeats what survived. Mutants
that no test can notice are listed, with the reason, in equivalent.json. A mutant that makes the suite hang is counted apart.
"""

from __future__ import annotations

import argparse
import doctest
import hashlib
import io
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import types
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from fuzz.mutants.mutate import mutants
from fuzz.mutants.suites import suite_for

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RESULTS = HERE / "results.json"
EQUIVALENT = HERE / "equivalent.json"
WANTED = 95
KILLED, SURVIVED, TIMEOUT = "killed", "survived", "timeout"


def copied(to: Path) -> None:
    """The parts of the checkout that tests need."""
    for name in ("swagcore", "tests", "specs", "proofs", "bench", "fuzz", "docs"):
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", to)


def suite_fails(tree: Path, arguments: list[str], seconds: float) -> str:
    """Run the suite in a child of this process, which has pytest imported already; what became of the mutant."""
    child = os.fork()
    if not child:
        code = 2
        try:
            os.chdir(tree)
            os.environ.update(HYPOTHESIS_PROFILE="ci", PYTHONPATH=str(tree))
            sys.path[:] = [str(tree), *(place for place in sys.path if Path(place or ".").resolve() != ROOT)]
            for name in [
                name for name in sys.modules if name.partition(".")[0] in ("swagcore", "tests", "fuzz")
            ]:
                del sys.modules[name]
            import pytest

            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                code = int(
                    pytest.main(
                        [
                            "-x",
                            "-q",
                            "-p",
                            "no:cacheprovider",
                            "-p",
                            "no:randomly",
                            "-p",
                            "no:xdist",
                            "-o",
                            "filterwarnings=default",  # pytest warns that Hypothesis is imported already
                            *arguments,
                        ]
                    )
                )
        except BaseException as problem:
            print(f"{type(problem).__name__}: {problem}", file=sys.__stderr__, flush=True)
        finally:
            os._exit(code)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return SURVIVED if os.waitstatus_to_exitcode(status) == 0 else KILLED
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return TIMEOUT


def quickly_noticed(file: str, source: str) -> bool:
    """Whether the module's own doctests fail, or, of a technique, the words of all short interleavings: in milliseconds.

    It is run in a child as well. What is not noticed here goes to the suite.
    """
    child = os.fork()
    if not child:
        code = 0
        try:
            signal.alarm(10)  # ends the child: not noticed, the suite will have to tell
            module = types.ModuleType(file.removesuffix(".py").replace("/", "."))
            module.__file__ = str(ROOT / file)
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                try:
                    exec(compile(source, file, "exec"), module.__dict__)
                    code = int(_wrong(module))
                except Exception:
                    code = 1
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 1


def _wrong(module: types.ModuleType) -> bool:
    from swagcore.aggregators import Technique
    from swagcore.testing.letters import LETTERS
    from swagcore.testing.prove import prove

    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, globs=module.__dict__):
        if runner.run(test).failed:
            return True
    for thing in list(vars(module).values()):
        if isinstance(thing, type) and issubclass(thing, Technique) and thing.__module__ == module.__name__:
            window = thing(LETTERS)
            for _ in range(3):
                window.insert(LETTERS.identity)
            prove(thing, 5)
    return False


def load(path: Path) -> dict[str, Any]:
    """What was written, or nothing yet."""
    return json.loads(path.read_text()) if path.exists() else {}


def score(found: dict[str, str], equivalent: dict[str, str]) -> tuple[int, int, int, list[str]]:
    """Killed, counted, timeouts, and the names of the survivors that are not equivalent.

    >>> score({"a": "killed", "b": "survived", "c": "survived", "d": "timeout"}, {"c": "no difference"})
    (1, 2, 1, ['b'])
    """
    counted = {name: said for name, said in found.items() if name not in equivalent and said != TIMEOUT}
    killed = sum(said == KILLED for said in counted.values())
    return (
        killed,
        len(counted),
        sum(said == TIMEOUT for said in found.values()),
        [n for n, s in counted.items() if s != KILLED],
    )


def main(arguments: list[str] | None = None) -> int:
    """Try the mutants of the files, as far as the time goes, and print a line for each file."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.mutants", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--seconds", type=float, default=600.0, help="for all files together")
    parser.add_argument("--again", action="store_true", help="repeat what survived")
    given = parser.parse_args(arguments)
    import hypothesis.stateful
    import hypothesis.strategies  # noqa: F401  # once, for all children
    import pytest  # noqa: F401

    import swagcore.testing.prove  # noqa: F401

    end, below = time.monotonic() + given.seconds, False
    with tempfile.TemporaryDirectory() as directory:
        tree = Path(directory)
        copied(tree)
        for file in given.files:
            source = (ROOT / file).read_text()
            digest = hashlib.sha256(source.encode()).hexdigest()[:16]
            results = load(RESULTS)
            kept = results.get(file, {})
            found: dict[str, str] = kept.get("mutants", {}) if kept.get("hash") == digest else {}
            if given.again:
                found = {name: said for name, said in found.items() if said == KILLED}
            all_of_them = mutants(source)
            suite = suite_for(file)
            began = time.monotonic()
            if quickly_noticed(file, source) or suite_fails(tree, suite, 120) != SURVIVED:
                print(f"{file}: its suite fails without a change", file=sys.stderr)
                return 2
            patience = 5 + 5 * (time.monotonic() - began)
            for mutant in all_of_them:
                if mutant.name in found:
                    continue
                if time.monotonic() > end:
                    break
                if quickly_noticed(file, mutant.source):
                    found[mutant.name] = KILLED
                    continue
                (tree / file).write_text(mutant.source)
                found[mutant.name] = suite_fails(tree, suite, patience)
            (tree / file).write_text(source)
            results[file] = {"hash": digest, "mutants": found}
            RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
            killed, counted, late, left = score(found, load(EQUIVALENT).get(file, {}))
            print(
                f"{file}: {killed} of {counted} killed ({100 * killed / max(counted, 1):.1f}%), {late} timeouts, "
                f"{len(found) - counted - late} equivalent, {len(all_of_them) - len(found)} not tried",
                flush=True,
            )
            lines = {mutant.name: mutant.line for mutant in all_of_them}
            for name in left:
                print(f"  survived, line {lines.get(name)}: {name}")
            below = below or 100 * killed < WANTED * counted or len(found) < len(all_of_them)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
