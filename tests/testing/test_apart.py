"""Targets that end the process or never come back: findings of a search in another process, cut down like the others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from swagcore.algebra import aggregate
from swagcore.errors import SwagError
from swagcore.testing import Mismatch, ReferenceWindow
from swagcore.testing.apart import Ended, ForkedTarget, ForkedVariantTarget, apart, forked
from swagcore.testing.case import Case, Tally
from swagcore.testing.fifo import Campaign
from swagcore.testing.fuzz import fuzz_apart
from swagcore.testing.prove import prove_apart
from swagcore.testing.stretch import Stretch, Target
from swagcore.testing.variants import Variant, VariantCampaign
from swagcore.testing.watch import Watch

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

TARGETS = """
import os, signal
from itertools import repeat
from swagcore.testing import ReferenceWindow

class Right(ReferenceWindow):
    pass

class Kills(ReferenceWindow):
    def evict(self):
        if len(self.values) == 3:
            os.kill(os.getpid(), signal.SIGSEGV)
        super().evict()

class Exits(ReferenceWindow):
    def query(self):
        if len(self.values) == 2:
            os._exit(0)
        return super().query()

class DiesWhenMade(ReferenceWindow):
    def __init__(self, aggregate):
        os._exit(7)

class Late(ReferenceWindow):
    def insert(self, time, value):
        if time < 0:
            os._exit(5)
        super().insert(value)

class FailsWhenMade(ReferenceWindow):
    def __init__(self, aggregate):
        raise RuntimeError("no memory")

class Loops(ReferenceWindow):
    def evict(self):
        while len(self.values) == 2:
            pass
        super().evict()
"""


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "deadly.py").write_text(TARGETS)
    (tmp_path / "deadly_itself.py").write_text("import os\nos._exit(9)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return tmp_path


@pytest.mark.parametrize(
    ("target", "said", "last"),
    [
        (
            "Kills",
            "Kills crashes in evict() for aggregate 'sum': SIGSEGV: the process dies.",
            "window.evict()  # ends the process: SIGSEGV",
        ),
        (
            "Exits",
            "Exits crashes in query() for aggregate 'sum': exit code 0: the process dies.",
            "window.query()  # ends the process: exit code 0",
        ),
        ("DiesWhenMade", "DiesWhenMade crashes when it is made", "# ends the process: exit code 7"),
    ],
)
def test_the_end_of_the_process_is_a_finding_cut_down(
    directory: Path, target: str, said: str, last: str
) -> None:
    with pytest.raises(Mismatch) as found:
        fuzz_apart(f"deadly:{target}", seconds=20)
    text = str(found.value)
    assert said in text and text.endswith(last)
    assert text.count("window.") <= 4
    code = f"{text}\n\n\n{text[text.index('def ') + 4 : text.index('():')]}()\n"
    pasted = subprocess.run([sys.executable, "-c", code], cwd=directory, capture_output=True, text=True)
    expected = {"Kills": -signal.SIGSEGV, "Exits": 0, "DiesWhenMade": 7}[target]
    assert pasted.returncode == expected and not pasted.stderr


def test_a_window_that_can_do_more_may_die_too(directory: Path) -> None:
    with pytest.raises(Mismatch) as found:
        fuzz_apart("deadly:Late", ["count"], seconds=20, variant=Variant(out_of_order=True))
    assert "exit code 5" in str(found.value) and "window.insert(-1, " in str(found.value)


def test_what_is_right_is_reported_and_told_now_and_then(directory: Path) -> None:
    told: list[tuple[Tally, float]] = []
    report = fuzz_apart(
        "deadly:Right", ["sum"], 0.8, each=lambda tally, elapsed: told.append((tally, elapsed))
    )
    assert report.answers > 100 and report.seconds >= 0.8 and " a second" in str(report)
    assert told and all(tally.cases for tally, _ in told)


def test_a_refusal_comes_back_as_one_sentence(directory: Path) -> None:
    with pytest.raises(SwagError, match="did you mean 'max'"):
        fuzz_apart("deadly:Right", ["maxx"])
    with pytest.raises(SwagError, match="importing it ends the process: exit code 9"):
        fuzz_apart("deadly_itself:Right")


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("Kills", "insert a, insert b, insert c, evict, query(): the process dies, SIGSEGV"),
        ("Exits", "insert a, insert b, query(): the process dies, exit code 0"),
        ("DiesWhenMade", "query(): the process dies, exit code 7"),
        ("FailsWhenMade", "when it is made: RuntimeError: no memory"),
        ("Loops", "insert a, insert b, evict: does not come back"),
    ],
)
def test_a_proof_names_the_interleaving_that_ends_the_process(
    directory: Path, target: str, said: str
) -> None:
    with pytest.raises(Mismatch) as found:
        prove_apart(f"deadly:{target}", size=4)
    assert str(found.value) == said


def beats_and_then_hangs(board: Any, tell: Any, seconds: float) -> None:
    board.write(("there", 1))
    board.beat()
    time.sleep(seconds)


def fails_inside(board: Any, tell: Any) -> None:
    raise KeyError("a mistake of ours")


def test_a_search_that_no_longer_beats_is_ended() -> None:
    start = time.monotonic()
    found, place = apart(beats_and_then_hangs, 60.0, each=print, patience=0.5)
    assert found == Ended(None) and place == ("there", 1)
    assert time.monotonic() - start < 20


def test_a_mistake_of_the_search_itself_is_no_finding() -> None:
    with pytest.raises(RuntimeError, match="a mistake of ours"):
        apart(fails_inside, each=print)


class HangsInC(ReferenceWindow):
    def insert(self, value: Any) -> None:
        super().insert(value)
        if len(self.values) == 2:
            sum(repeat(0))  # no signal is looked at in there


def test_a_hang_that_cannot_be_interrupted_is_found_in_a_process_of_its_own() -> None:
    case = Case(aggregate("sum"), (("insert", 1), ("query",), ("insert", 2), ("query",)))
    with Watch(0.1) as watch:
        found = ForkedTarget(HangsInC).run(case, watch)
        assert found is not None and (found.kind, found.step) == ("hang", 2)
        assert ForkedVariantTarget(ReferenceWindow, Variant()).run(case, watch) is None


def test_what_a_copy_of_the_process_gives() -> None:
    assert forked(lambda: {"a": [1]}, 5.0) == {"a": [1]}
    assert isinstance(forked(lambda: 1 // 0, 5.0), ZeroDivisionError)
    assert forked(lambda: os.kill(os.getpid(), signal.SIGKILL), 5.0) == Ended(-9)
    assert forked(lambda: time.sleep(60), 0.2) == Ended(None)


@pytest.mark.parametrize("variant", [None, Variant(bulk=True)])
def test_every_place_that_is_marked_gives_its_case_again(variant: Variant | None) -> None:
    """Where a search was when it died is known by a place; it has to lead to the same case."""
    tried: list[tuple[Any, Case]] = []
    marked: list[tuple[Any, ...]] = []

    class Bulk(ReferenceWindow):
        def insert_many(self, values: Any) -> None:
            self.values.extend(values)

        def evict_many(self, n: int) -> None:
            for _ in range(n):
                self.evict()

    def campaign() -> Campaign:
        options: dict[str, Any] = {"seed": 3, "mark": marked.append}
        if variant is None:
            return Campaign(Bulk, ["sum", "max"], **options)
        return VariantCampaign(Bulk, ["sum", "max"], variant=variant, **options)

    first = campaign()
    run = first.target.run
    first.target.run = lambda case, *rest: tried.append((marked[-1], case)) or run(case, *rest)  # type: ignore[method-assign]
    for _ in first.run(rounds=30):
        pass
    again = campaign()
    assert len(tried) == 64
    for place, case in tried:
        assert repr(again.case_at(place)[0]) == repr(case)


def test_a_stretch_can_be_repeated_from_its_place() -> None:
    marked: list[tuple[Any, ...]] = []
    stretch = Stretch(Target(ReferenceWindow), 5, marked.append)
    lengths = []
    with Watch(5.0) as watch:
        for _ in range(6):
            assert stretch.run(watch, Tally()) is None
            lengths.append(len(stretch._moves))
    for (_, life, phase), length in zip(marked, lengths, strict=True):
        assert len(Stretch(Target(ReferenceWindow), 5).case_at(life, phase).steps) == length


def test_the_exit_code_of_the_command(directory: Path) -> None:
    for command, said in (
        ("fuzz", "exit code 0: the process dies"),
        ("prove", "the process dies, exit code 0"),
    ):
        run = subprocess.run(
            [sys.executable, "-m", "swagcore", command, "deadly:Exits"],
            cwd=directory,
            capture_output=True,
            text=True,
        )
        assert run.returncode == 1 and said in run.stdout and not run.stderr, textwrap.indent(
            run.stderr, "  "
        )
