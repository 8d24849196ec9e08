"""Windows that do more, right ones and ones with a bug that must be found; and long windows."""

from __future__ import annotations

import subprocess
import sys
from bisect import bisect_right
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import swagcore as sw
from swagcore.errors import InvalidArgument
from swagcore.testing import DATA, Mismatch, ReferenceWindow, spans
from swagcore.testing.case import Case, Finding, Tally, Target
from swagcore.testing.fuzz import fuzz, fuzz_apart
from swagcore.testing.lifting import over_values
from swagcore.testing.stretch import Stretch, data_of_long
from swagcore.testing.variants import Variant, check_variant
from swagcore.testing.watch import Watch

BULK, RANGES, LATE = Variant(bulk=True), Variant(ranges=True), Variant(out_of_order=True)
BETWEEN = Variant(out_of_order=True, between=True)
ALL = Variant(bulk=True, ranges=True, out_of_order=True, between=True)


class Timed:
    """Obviously right: all that the variants want, by re-evaluation."""

    def __init__(self, aggregate: sw.Aggregate) -> None:
        self.aggregate = aggregate
        self.times: list[int] = []
        self.values: list[Any] = []

    def insert(self, time: int, value: Any) -> None:
        place = bisect_right(self.times, time)
        self.times.insert(place, time)
        self.values.insert(place, value)

    def insert_many(self, pairs: list[tuple[int, Any]]) -> None:
        for time, value in pairs:
            self.insert(time, value)

    def evict(self) -> None:
        self.evict_many(1)

    def evict_many(self, n: int) -> None:
        del self.times[:n], self.values[:n]

    def query(self, n: int | None = None) -> Any:
        return self.aggregate.over(self.values if n is None else self.values[-n:])

    def query_between(self, start: int, end: int) -> Any:
        inside = [value for time, value in zip(self.times, self.values, strict=True) if start <= time < end]
        return self.aggregate.over(inside)

    def __len__(self) -> int:
        return len(self.values)


class BetweenClosed(Timed):
    def query_between(self, start: int, end: int) -> Any:
        return super().query_between(start, end + 1)


class BetweenOfTheFirstOfEqualTimes(Timed):
    def query_between(self, start: int, end: int) -> Any:
        last = self.times.index(end - 1) + 1 if end - 1 in self.times else bisect_right(self.times, end - 1)
        return self.aggregate.over(self.values[bisect_right(self.times, start - 1) : last])


class BetweenFromTheEvicted(Timed):
    def evict_many(self, n: int) -> None:
        self.gone = [*getattr(self, "gone", []), *zip(self.times[:n], self.values[:n], strict=True)]
        super().evict_many(n)

    def query_between(self, start: int, end: int) -> Any:
        gone = [value for time, value in getattr(self, "gone", []) if start <= time < end]
        kept = [value for time, value in zip(self.times, self.values, strict=True) if start <= time < end]
        return self.aggregate.over(gone + kept)


class Plain(Timed):
    """The same without times."""

    def insert(self, value: Any) -> None:  # type: ignore[override]
        super().insert(len(self.times) and self.times[-1] + 1, value)

    def insert_many(self, values: list[Any]) -> None:
        for value in values:
            self.insert(value)


class BulkBackwards(Plain):
    def insert_many(self, values: list[Any]) -> None:
        super().insert_many(values[::-1])


class BulkForgetsTheLast(Plain):
    def insert_many(self, values: list[Any]) -> None:
        super().insert_many(values[:-1] if len(values) > 2 else values)


class BulkEvictsOneTooFew(Plain):
    def evict_many(self, n: int) -> None:
        super().evict_many(n - (n > 3))


class BulkEmptiesItsArgument(Plain):
    def insert_many(self, values: list[Any]) -> None:
        while values:
            self.insert(values.pop())


class RangeOffByOne(Plain):
    def query(self, n: int | None = None) -> Any:
        return super().query(n if n is None or n == 1 else n - 1)


class RangeOfTheOldest(Plain):
    def query(self, n: int | None = None) -> Any:
        return self.aggregate.over(self.values if n is None else self.values[:n])


class LateOnesAtTheEnd(Timed):
    def insert(self, time: int, value: Any) -> None:
        super().insert(max([time, *self.times]), value)


class RepeatsReplace(Timed):
    def insert(self, time: int, value: Any) -> None:
        if time in self.times:
            self.values[self.times.index(time)] = value
        else:
            super().insert(time, value)


class RepeatsInFront(Timed):
    def insert(self, time: int, value: Any) -> None:
        place = sum(other < time for other in self.times)
        self.times.insert(place, time)
        self.values.insert(place, value)


class Hangs(Plain):
    def evict_many(self, n: int) -> None:
        while n > 2:
            pass
        super().evict_many(n)


@pytest.mark.parametrize(
    ("factory", "variant"), [(Plain, BULK), (Plain, RANGES), (Timed, LATE), (Timed, ALL), (Plain, Variant())]
)
def test_what_is_right_passes(factory: Any, variant: Variant) -> None:
    report = check_variant(factory, max_examples=15, variant=variant)
    assert report.answers > 500 and "concat" in report.aggregates and "spans" not in report.aggregates


@pytest.mark.parametrize("technique", ["flatfat", "flatfit", "b_int", "l_int", "slickdeque_noninv"])
def test_our_multi_query_windows_answer_every_range(technique: str) -> None:
    assert check_variant(partial(sw.fifo, technique), max_examples=25, variant=RANGES).answers > 500


WRONG = [
    (BulkBackwards, BULK, "concat", "insert_many", 3),
    (BulkForgetsTheLast, BULK, "sum", "insert_many", 2),
    (BulkEvictsOneTooFew, BULK, "sum", "evict_many(4)", 6),
    (BulkEmptiesItsArgument, BULK, "concat", "insert_many", 3),
    (RangeOffByOne, RANGES, "sum", "query(2)", 4),
    (RangeOfTheOldest, RANGES, "last", "query(", 4),
    (LateOnesAtTheEnd, LATE, "concat", "insert(0, ", 4),
    (RepeatsReplace, LATE, "sum", "insert(0, ", 4),
    (RepeatsInFront, LATE, "concat", "insert(0, ", 4),
    (BetweenClosed, BETWEEN, "sum", "query_between(", 3),
    (BetweenOfTheFirstOfEqualTimes, BETWEEN, "concat", "query_between(", 4),
    (BetweenFromTheEvicted, BETWEEN, "count", "query_between(", 4),
    (Hangs, BULK, "sum", "evict_many(3)", 6),
]


@pytest.mark.parametrize(("factory", "variant", "aggregate", "shows", "steps"), WRONG)
def test_a_bug_is_found_and_cut_down(
    factory: Any, variant: Variant, aggregate: str, shows: str, steps: int
) -> None:
    with pytest.raises(Mismatch) as found:
        check_variant(factory, aggregate, variant=variant, timeout=0.3)
    text = str(found.value)
    assert shows in text
    assert sum("window." in line or "len(window)" in line for line in text.splitlines()) <= steps, text


def test_the_pasted_test_fails_like_the_case() -> None:
    with pytest.raises(Mismatch) as found:
        check_variant(partial(RangeOffByOne), "sum", variant=RANGES)
    text = str(found.value)
    body = text[text.index("def test") :]
    name = body.split("(")[0].split()[1]
    code = (
        f"import sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})\nimport swagcore as sw\n"
        f"from functools import partial\nfrom test_variants import RangeOffByOne\n\n{body}\n\n{name}()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and "AssertionError" in ran.stderr


def test_nothing_is_cut_down_to_less_than_nothing() -> None:
    class Bulks(ReferenceWindow):
        def insert_many(self, values: list[Any]) -> None:
            self.values.extend(values)

        def evict_many(self, n: int) -> None:
            self.values.popleft()
            for _ in range(n - 1):
                self.values.popleft()

    with pytest.raises(Mismatch, match=r"evict_many\(0\)"):
        check_variant(Bulks, "sum", variant=BULK)


def test_the_same_seed_finds_the_same() -> None:
    texts = set()
    for _ in range(2):
        with pytest.raises(Mismatch) as found:
            check_variant(RepeatsReplace, "sum", variant=LATE, seed=4)
        texts.add(str(found.value))
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: check_variant(ReferenceWindow, "sum", variant=BULK), "insert_many, which is missing"),
        (lambda: Variant(insert_many="insert"), "insert_many"),
        (lambda: Variant(insert_many="x", evict_many="x"), "another name"),
        (lambda: Variant(evict_many="no name"), "evict_many"),
        (lambda: check_variant(Plain, "sum", 0, variant=BULK), "max_examples"),
    ],
)
def test_mistakes_are_told(make: Any, says: str) -> None:
    with pytest.raises(InvalidArgument, match=says):
        make()


def test_a_target_that_crashes_when_it_is_made_is_a_finding() -> None:
    def broken(aggregate: sw.Aggregate) -> Any:
        raise RuntimeError("not today")

    with pytest.raises(Mismatch, match="not today"):
        check_variant(broken, "sum", variant=BULK)


def test_first_cases_are_seen_beside_another_window() -> None:
    class Shared(Timed):
        kept: list[Any] = []  # noqa: RUF012

        def __init__(self, aggregate: sw.Aggregate) -> None:
            super().__init__(aggregate)
            self.values = self.kept

    with pytest.raises(Mismatch, match="share state"):
        check_variant(Shared, "sum", variant=LATE)


@pytest.mark.parametrize(
    ("name", "options", "code", "says"),
    [
        ("RangeOffByOne", ["--ranges"], 1, "query(2)"),
        ("Plain", ["--bulk", "--ranges"], 0, "nothing wrong"),
        ("Timed", ["--out-of-order"], 0, "nothing wrong"),
        ("Plain", ["--insert-many", "extend"], 2, "extend, which is missing"),
    ],
)
def test_the_command_takes_the_options(name: str, options: list[str], code: int, says: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "swagcore", "fuzz", f"{__file__}:{name}", "--seconds", "0.5", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran.stderr
    assert says in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr


class WrongWhenLong(ReferenceWindow):
    """Right up to 600 values."""

    def query(self) -> Any:
        values = list(self.values)
        return self.aggregate.over(values if len(values) < 600 else values[1:])


def stretch(window: Any, name: str) -> Stretch:
    function = spans if name == "spans" else sw.aggregate(name)
    data = data_of_long(function, DATA.values())
    assert data is not None
    return Stretch(Target(window), function, data, 0)


def first_finding(long: Stretch) -> tuple[Case, Finding]:
    with Watch(2.0) as watch:
        return next(filter(None, (long.run(watch, Tally()) for _ in range(400))))


@pytest.mark.parametrize("name", ["spans", "sum", "max", "concat"])
def test_a_window_that_is_wrong_only_when_long_is_found(name: str) -> None:
    case, finding = first_finding(stretch(WrongWhenLong, name))
    assert case.steps[finding.step] == ("query",) and finding.kind == "wrong"
    assert sum(step[0] == "insert" for step in case.steps) >= 600


def test_long_windows_are_tried_with_the_one_aggregate_of_a_window_too() -> None:
    class Moving(WrongWhenLong):
        def __init__(self) -> None:
            super().__init__("max")

    with pytest.raises(Mismatch, match="for aggregate 'max'"):
        fuzz(Moving, ["max"], 30.0, data=["ints"])


def test_at_least_a_tenth_of_the_answers_is_by_re_evaluation_of_long_windows() -> None:
    tallies = []
    fuzz(partial(sw.fifo, "two_stacks"), seconds=2.0, each=lambda tally, _: tallies.append(replace(tally)))
    last = tallies[-1]
    assert last.answers > 1000
    assert last.evaluated_long * 10 >= last.answers
    assert last.by_spans > last.answers / 2


@pytest.mark.parametrize("name", ["spans", "concat"])
def test_long_windows_are_right_in_another_form(name: str) -> None:
    class Lists(ReferenceWindow):
        def query(self) -> Any:
            answer = super().query()
            return list(answer) if isinstance(answer, tuple) else answer

    long, tally = stretch(Lists, name), Tally()
    with Watch(2.0) as watch:
        for _ in range(40):
            assert long.run(watch, tally) is None
    assert long.answers == tally.answers > 200


def test_what_a_long_window_does_only_once_is_said_to() -> None:
    calls = count()

    class Sometimes(ReferenceWindow):
        def query(self) -> Any:
            return "oops" if next(calls) == 1500 else super().query()

    case, finding = first_finding(stretch(Sometimes, "spans"))
    assert (finding.kind, finding.got) == ("wrong", "oops") and finding.step == len(case.steps) - 1
    with pytest.raises(Mismatch, match="Seen once, not again: the target is not deterministic"):
        calls = count(-9000)
        fuzz(Sometimes, ["sum", "spans"], 30.0)


def test_asking_by_time_needs_times() -> None:
    with pytest.raises(InvalidArgument, match="between is True"):
        Variant(between=True)
    with pytest.raises(InvalidArgument, match="query_between, which is missing"):
        check_variant(ReferenceWindow, "sum", variant=BETWEEN)


def test_a_window_over_partials_is_fuzzed_as_one_over_values() -> None:
    technique = "swagcore.aggregators.two_stacks:TwoStacks"
    assert fuzz_apart(technique, seconds=0.5).answers > 100  # known to take partials
    with pytest.raises(Mismatch, match="expected None"):
        fuzz(Unlifted, ["sum"], 5.0)
    assert fuzz(over_values(Unlifted, partials=True), ["mean", "sum"], 0.3).answers > 100


class Unlifted(ReferenceWindow):
    """Takes partials, and answers with them."""

    def query(self) -> Any:
        return self.aggregate.fold(self.values)
