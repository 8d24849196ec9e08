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
from swagcore.testing import DATA, Mismatch, ReferenceWindow, check_fifo, prove, spans
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
        ("DiesWhenMade", "when it is made: the process dies, exit code 7"),
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


@pytest.mark.parametrize("name", ["spans", "max", "concat"])
def test_a_stretch_can_be_repeated_from_its_place(name: str) -> None:
    marked: list[tuple[int, int]] = []
    function = spans if name == "spans" else aggregate(name)
    data = DATA[{"spans": "positions", "max": "ints", "concat": "letters"}[name]]

    def stretch(*mark: Any) -> Stretch:
        return Stretch(Target(ReferenceWindow), function, data, 5, *mark)

    first = stretch(lambda *place: marked.append(place))
    cases = []
    with Watch(5.0) as watch:
        for _ in range(20):
            assert first.run(watch, Tally()) is None
            cases.append(first._case())
    for place, case in zip(marked, cases, strict=True):
        assert stretch().case_at(*place) == case


LOST = """
from swagcore.testing import ReferenceWindow

class Prints(ReferenceWindow):
    def query(self):
        print("asked")
        return None if len(self.values) == 2 else super().query()

class Dice(ReferenceWindow):
    def query(self):
        import random
        if random.random() < 0.01:
            return random.random()
        return super().query()

class Unordered(ReferenceWindow):
    def query(self):
        return list(set(self.values))
"""


@pytest.fixture
def lost(directory: Path) -> Path:
    (directory / "lost.py").write_text(LOST)
    return directory


class Panic(BaseException):
    """What a wrapper of Rust raises: no `Exception`."""


class NeverMade(ReferenceWindow):
    def __init__(self, aggregate: Any) -> None:
        while True:
            pass


class WaitsForMore(ReferenceWindow):
    def __init__(self) -> None:
        super().__init__("max")

    def query(self) -> Any:
        while not self.values:
            pass
        return super().query()


class Panics(ReferenceWindow):
    def query(self) -> Any:
        if len(self.values) == 2:
            raise Panic("index out of bounds")
        return super().query()


@pytest.mark.parametrize(
    ("window", "aggregate", "said"),
    [
        (NeverMade, "sum", "NeverMade hangs when it is made for aggregate 'sum'."),
        (WaitsForMore, "max", "WaitsForMore hangs in query() for aggregate 'max'."),
        (Panics, "sum", "Panics crashes in query() for aggregate 'sum': Panic: index out of bounds."),
    ],
)
def test_what_gets_past_the_usual_handlers_is_a_finding(window: Any, aggregate: str, said: str) -> None:
    with pytest.raises(Mismatch) as found:
        check_fifo(window, aggregate, timeout=0.1)
    assert said in str(found.value)


@pytest.mark.parametrize(
    ("window", "said"),
    [
        (NeverMade, "when it is made: does not come back"),
        (Panics, "insert a, insert b, query(): Panic: index out of bounds"),
    ],
)
def test_what_gets_past_the_usual_handlers_is_no_proof(window: Any, said: str) -> None:
    with pytest.raises(Mismatch) as found:
        prove(window, size=3, timeout=0.1)
    assert str(found.value) == said


def test_a_call_that_does_not_listen_has_no_beat() -> None:
    beats: list[float] = []
    with Watch(0.05, lambda: beats.append(time.monotonic())) as watch:
        watch.call = 1
        heard = 0
        while heard < 8:
            try:
                while True:
                    pass
            except BaseException:
                heard += 1
        assert len(beats) <= 3  # at the beginning, at the first tick, and when it was told first
        watch.call = None
        while len(beats) <= 3:
            pass


def test_what_the_target_prints_is_not_in_the_test(lost: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "swagcore", "fuzz", "lost:Prints"], cwd=lost, capture_output=True, text=True
    )
    assert run.returncode == 1 and run.stdout.startswith("# Prints gives a wrong answer") and not run.stderr


@pytest.mark.parametrize(("target", "name"), [("Dice", "sum"), ("Unordered", "collect_distinct")])
def test_dice_and_sets_fall_in_the_same_way_again(lost: Path, target: str, name: str) -> None:
    texts = set()
    for _ in range(3):
        with pytest.raises(Mismatch) as found:
            fuzz_apart(f"lost:{target}", [name], seconds=5)
        texts.add(str(found.value))
    assert len(texts) == 1


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
