"""`check_fifo` in two halves: windows that are right and must pass, windows with a bug that must be found."""

from __future__ import annotations

import functools
import math
import re
import threading
from collections import deque
from typing import Any

import pytest

from swagcore import Aggregate, SwagError
from swagcore.errors import InvalidArgument, MissingLaw, UnknownName
from swagcore.testing import Mismatch, ReferenceWindow, check_fifo
from swagcore.testing.fifo import AGGREGATES, Campaign
from swagcore.testing.paste import _lines

# The right ones


class TwoStacks:
    """Of partials: a back stack that grows, a front stack of suffix aggregates that is popped."""

    def __init__(self, aggregate: Aggregate) -> None:
        self.aggregate = aggregate
        self.front: list[Any] = []
        self.back: list[Any] = []
        self.total = aggregate.identity

    def insert(self, value: Any) -> None:
        partial = self.aggregate.partial(value)
        self.back.append(partial)
        self.total = self.aggregate.combine(self.total, partial)

    def evict(self) -> None:
        if not self.front:
            self.flip()
        self.front.pop()

    def flip(self) -> None:
        suffix = self.aggregate.identity
        while self.back:
            suffix = self.aggregate.combine(self.back.pop(), suffix)
            self.front.append(suffix)
        self.total = self.aggregate.identity

    def query(self) -> Any:
        older = self.front[-1] if self.front else self.aggregate.identity
        return self.aggregate.lower(self.aggregate.combine(older, self.total))

    def __len__(self) -> int:
        return len(self.front) + len(self.back)


class Lifting(TwoStacks):
    """One that does not know nulls: it lifts whatever it gets."""

    def insert(self, value: Any) -> None:
        partial = self.aggregate.lift(value)
        self.back.append(partial)
        self.total = self.aggregate.combine(self.total, partial)


class Subtracting:
    """Needs an inverse, and says so."""

    def __init__(self, aggregate: Aggregate) -> None:
        if aggregate.inverse is None:
            raise MissingLaw("subtracting", aggregate.name, "an inverse")
        self.aggregate, self.partials, self.total = aggregate, deque[Any](), aggregate.identity

    def insert(self, value: Any) -> None:
        self.partials.append(self.aggregate.partial(value))
        self.total = self.aggregate.combine(self.total, self.partials[-1])

    def evict(self) -> None:
        assert self.aggregate.inverse
        self.total = self.aggregate.inverse(self.total, self.partials.popleft())

    def query(self) -> Any:
        return self.aggregate.lower(self.total)


class Plain:
    """One fixed aggregate, in plain Python; what an empty one answers is its own affair."""

    def __init__(self) -> None:
        self.values: deque[Any] = deque()

    def insert(self, value: Any) -> None:
        self.values.append(value)

    def evict(self) -> None:
        self.values.popleft()

    def query(self) -> Any:
        return sum(self.values)


class PlainMean(Plain):
    def query(self) -> Any:
        return sum(self.values) / len(self.values)  # an empty one raises


class PlainDeviation(Plain):
    def query(self) -> Any:
        n = len(self.values)
        if n < 2:
            return None
        mean = sum(self.values) / n
        return math.sqrt(sum((value - mean) ** 2 for value in self.values) / (n - 1))


class PlainMaximum(Plain):
    def query(self) -> Any:
        return max(self.values, default=-math.inf)


@pytest.mark.parametrize("window", [ReferenceWindow, TwoStacks])
@pytest.mark.parametrize("nulls", [False, True])
def test_right_ones_pass(window, nulls):
    report = check_fifo(window, max_examples=25, nulls=nulls)
    assert report.cases == len(AGGREGATES) * 27  # the two first cases, then the drawn ones
    assert report.answers > 5_000
    assert report.compared_cases == report.cases
    assert not report.skipped


def test_every_built_in_passes():
    import swagcore as sw

    names = [*sw.aggregates(), "quantile(0.9)", "top_k(2)"]
    assert check_fifo(TwoStacks, names, max_examples=12, nulls=True).answers > 2_000


def test_nulls_are_asked_for():
    check_fifo(Lifting, max_examples=20)
    with pytest.raises(Mismatch, match="crashes in insert"):
        check_fifo(Lifting, ["sum", "max"], max_examples=20, nulls=True)


def test_a_refused_aggregate_is_skipped_and_named():
    report = check_fifo(Subtracting, max_examples=10)
    assert {"max", "min", "first", "last", "median", "all", "spans"} <= set(report.skipped)
    assert {"sum", "count", "concat", "words"} <= set(report.aggregates)
    assert "skipped: max" in str(report)


def test_all_refused_is_an_error_not_a_pass():
    with pytest.raises(SwagError, match=r"nothing was checked: Subtracting takes none.*needs an inverse"):
        check_fifo(Subtracting, ["max", "min"])


def test_nothing_comparable_is_an_error_not_a_pass():
    nothing = Aggregate(
        "nothing", lift=lambda v: v, combine=max, identity=0, lower=lambda p: 1 / 0, examples=[1, 2]
    )
    with pytest.raises(SwagError, match="could be compared"):
        check_fifo(TwoStacks, nothing, max_examples=5)


@pytest.mark.parametrize(
    ("window", "aggregate", "data"),
    [
        (Plain, "sum", None),
        (PlainMean, "mean", None),
        (PlainDeviation, "stddev", ["ints", "floats"]),
        (PlainMaximum, "max", ["ints", "huge", "floats", "wide"]),
    ],
)
def test_plain_ones_may_round_and_answer_for_nothing_as_they_like(window, aggregate, data):
    assert check_fifo(window, aggregate, data=data, max_examples=150).answers > 1_000


def test_a_users_aggregate_and_values():
    gcd = Aggregate("gcd", lift=abs, combine=math.gcd, identity=0, commutative=True, examples=[4, 6, 9])
    assert check_fifo(TwoStacks, gcd, max_examples=30).answers > 100
    assert check_fifo(TwoStacks, [gcd, "sum"], values=[12, 18], max_examples=30).aggregates == ("gcd", "sum")


def test_outside_the_main_thread_it_runs_without_the_watch():
    reports: list[Any] = []
    thread = threading.Thread(target=lambda: reports.append(check_fifo(TwoStacks, "max", max_examples=5)))
    thread.start()
    thread.join()
    assert reports[0].cases == 7


# The wrong ones


class EvictsNewest(ReferenceWindow):
    def evict(self) -> None:
        self.values.pop()


class SwapsOperands(TwoStacks):
    def query(self) -> Any:
        older = self.front[-1] if self.front else self.aggregate.identity
        return self.aggregate.lower(self.aggregate.combine(self.total, older))


class FlipsInTheWrongOrder(TwoStacks):
    def flip(self) -> None:
        suffix = self.aggregate.identity
        while self.back:
            suffix = self.aggregate.combine(suffix, self.back.pop())
            self.front.append(suffix)
        self.total = self.aggregate.identity


class KeepsTheTotal(TwoStacks):
    """Forgets to set the back's aggregate to the identity when it is flipped."""

    def flip(self) -> None:
        total = self.total
        super().flip()
        self.total = total


class StaleWhenDrained(ReferenceWindow):
    """Does not notice that it became empty."""

    def __init__(self, aggregate: Aggregate) -> None:
        super().__init__(aggregate)
        self.answer = self.aggregate.over(())

    def query(self) -> Any:
        if self.values:
            self.answer = super().query()
        return self.answer


class OffAfterRefill(ReferenceWindow):
    """A window of one that was drained before still has the last one's value."""

    drained: Any = ()

    def evict(self) -> None:
        last = tuple(self.values)
        super().evict()
        if not self.values:
            self.drained = last

    def query(self) -> Any:
        return self.aggregate.over(self.drained if self.drained and len(self.values) == 1 else self.values)


class Deduplicates(ReferenceWindow):
    def query(self) -> Any:
        return self.aggregate.over(dict.fromkeys(self.values))


class StaleCache(ReferenceWindow):
    """Caches its answer; insert clears the cache, evict forgets to."""

    cache: Any = None

    def insert(self, value: Any) -> None:
        super().insert(value)
        self.cache = None

    def query(self) -> Any:
        self.cache = self.cache or (super().query(),)
        return self.cache[0]


class CrashesAtThirdEvict(ReferenceWindow):
    evicted = 0

    def evict(self) -> None:
        self.evicted += 1
        if self.evicted == 3:
            raise IndexError("pop from an empty deque")
        super().evict()


class HangsWhenRefilled(ReferenceWindow):
    drained = False

    def insert(self, value: Any) -> None:
        while self.drained:
            try:
                pass
            except Exception:
                continue
        super().insert(value)

    def evict(self) -> None:
        super().evict()
        self.drained = not self.values


class RunningSum(Plain):
    """Adds and takes off again: one NaN stays for ever, and so does what rounding lost."""

    total: float = 0

    def insert(self, value: Any) -> None:
        super().insert(value)
        self.total += value

    def evict(self) -> None:
        self.total -= self.values.popleft()

    def query(self) -> Any:
        return self.total


class MaximumFromZero(Plain):
    def query(self) -> Any:
        return functools.reduce(max, self.values, 0)


class SilentWhenDrained(PlainMean):
    """A fresh one raises, a drained one answers with what it was: an empty window has to do what a fresh one does."""

    def query(self) -> Any:
        if not self.values and hasattr(self, "answer"):
            return self.answer
        self.answer = super().query()
        return self.answer


class WrongLength(TwoStacks):
    def __len__(self) -> int:
        return max(len(self.front), len(self.back))


class LaterOfEquals(Plain):
    def query(self) -> Any:
        return max(reversed(self.values), key=lambda pair: pair[0])[1] if self.values else None


class CrashesWhenMade:
    def __init__(self, aggregate: Aggregate) -> None:
        raise RuntimeError("no memory")


class WrongFromNineOn(ReferenceWindow):
    """Long windows only: a ring buffer that is not grown."""

    def query(self) -> Any:
        return self.aggregate.over(list(self.values)[-8:])


class Exits(ReferenceWindow):
    def query(self) -> Any:
        raise SystemExit(3)


WRONG = [
    # window, its aggregate if it has one of its own, how many steps show the bug, what is said
    (EvictsNewest, None, 4, "wrong answer"),
    (SwapsOperands, None, 5, "wrong answer"),
    (FlipsInTheWrongOrder, None, 5, "wrong answer"),
    (KeepsTheTotal, None, 3, "wrong answer"),
    (StaleWhenDrained, None, 4, "wrong answer"),
    (OffAfterRefill, None, 4, "wrong answer"),
    (Deduplicates, None, 3, "wrong answer"),
    (StaleCache, None, 4, "wrong answer"),
    (CrashesAtThirdEvict, None, 6, "crashes in evict"),
    (HangsWhenRefilled, None, 3, "hangs in insert"),
    (RunningSum, "sum", 4, "wrong answer"),
    (MaximumFromZero, "max", 2, "wrong answer"),
    (SilentWhenDrained, "mean", 4, "wrong answer"),
    (WrongLength, None, 5, "wrong length"),
    (LaterOfEquals, "arg_max", 3, "wrong answer"),
    (CrashesWhenMade, None, 0, "crashes when it is made"),
    (WrongFromNineOn, None, 10, "wrong answer"),
    (Exits, None, 1, "crashes in query"),
]


def found(window: Any, aggregate: Any = None, **options: Any) -> Mismatch:
    with pytest.raises(Mismatch) as caught:
        check_fifo(window, aggregate, timeout=0.4, **options)
    return caught.value


def steps_of(test: str) -> int:
    return sum("window." in line or "len(window)" in line for line in test.splitlines() if "def " not in line)


@pytest.mark.parametrize(
    ("window", "aggregate", "most", "said"), WRONG, ids=lambda value: getattr(value, "__name__", "")
)
def test_wrong_ones_are_found_and_the_printed_test_fails(window, aggregate, most, said):
    error = found(window, aggregate)
    test = str(error)
    assert said in test.splitlines()[0], test
    assert steps_of(test) <= most, test
    if said.startswith("hangs"):
        assert test.endswith("# does not come back")
        return
    namespace: dict[str, Any] = {}
    exec(compile(test, "pasted", "exec"), namespace)
    (function,) = [thing for name, thing in namespace.items() if name.startswith("test_")]
    with pytest.raises((Exception, SystemExit)) as failure:
        function()
    if said in ("wrong answer", "wrong length"):
        assert failure.type is AssertionError
    else:
        assert repr(failure.type.__name__).strip("'") in test


class SharesItsValues(Plain):
    values: deque[Any] = deque()  # noqa: RUF012  # the bug

    def __init__(self) -> None:
        pass


def test_state_that_windows_share_is_found_and_named():
    SharesItsValues.values.clear()
    test = str(found(SharesItsValues, "sum"))
    assert "share state" in test
    SharesItsValues.values.clear()  # as in a process of its own
    namespace: dict[str, Any] = {}
    exec(test, namespace)
    with pytest.raises(AssertionError):
        namespace["test_shares_its_values_sum"]()


def test_what_happens_only_sometimes_is_said_to():
    calls = iter(range(1000))

    class Moody(ReferenceWindow):
        def query(self) -> Any:
            return "?" if next(calls) == 20 else super().query()

    assert "not deterministic" in str(found(Moody, "sum"))


@pytest.mark.parametrize("window", [EvictsNewest, WrongFromNineOn, CrashesAtThirdEvict])
def test_the_same_seed_gives_the_same_failure(window):
    assert str(found(window, seed=7)) == str(found(window, seed=7))


def drawn(seed: int) -> list[Any]:
    campaign = Campaign(ReferenceWindow, ["sum", "concat"], seed)
    return [
        campaign._draw(function, kinds, n)[0].steps
        for n in range(20)
        for function, kinds in campaign.data.items()
    ]


def test_the_seed_decides_which_cases_are_tried():
    assert repr(drawn(1)) == repr(drawn(1)) != repr(drawn(2))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "window", [SwapsOperands, FlipsInTheWrongOrder, Deduplicates, OffAfterRefill, WrongFromNineOn]
)
def test_no_seed_misses_them(window, seed):
    assert steps_of(str(found(window, seed=seed))) <= 10


def test_local_factories_and_aggregates_are_named_in_a_comment():
    sum_of_squares = Aggregate(
        "squares", lift=lambda v: v * v, combine=lambda a, b: a + b, identity=0, examples=[1, 2]
    )

    def factory(aggregate: Aggregate) -> EvictsNewest:
        return EvictsNewest(aggregate)

    test = str(found(factory, sum_of_squares))
    assert "# factory: the one that was tested, line" in test
    assert "# aggregate: the one that was tested, <aggregate squares>" in test
    namespace: dict[str, Any] = {"factory": factory, "aggregate": sum_of_squares}
    exec(test, namespace)
    with pytest.raises(AssertionError):
        namespace["test_factory_squares"]()


def with_name(name: str, aggregate: Aggregate) -> EvictsNewest:
    assert name == "newest"
    return EvictsNewest(aggregate)


def test_a_partial_is_printed_as_one():
    test = str(found(functools.partial(with_name, "newest"), "sum"))
    assert "window = partial(with_name, 'newest')(sw.aggregate('sum'))" in test
    namespace: dict[str, Any] = {}
    exec(test, namespace)
    with pytest.raises(AssertionError):
        namespace["test_with_name_sum"]()


class Makes:
    def __call__(self, aggregate: Aggregate) -> EvictsNewest:
        return EvictsNewest(aggregate)


a_lambda = lambda aggregate: EvictsNewest(aggregate)
an_object = Makes()
with_a_keyword = functools.partial(lambda aggregate, name: with_name(name, aggregate), name="newest")


@pytest.mark.parametrize("name", ["a_lambda", "an_object", "with_a_keyword"])
def test_a_factory_without_a_name_of_its_own_is_imported_by_the_one_it_is_bound_to(name):
    test = str(found(globals()[name], "sum"))
    assert f"import {name}\n" in test and f"window = {name}(sw.aggregate('sum'))" in test
    namespace: dict[str, Any] = {}
    exec(test, namespace)
    with pytest.raises(AssertionError):
        next(value for key, value in namespace.items() if key.startswith("test_"))()


def test_addresses_which_are_others_in_each_run_are_not_printed():
    class Forgot(ReferenceWindow):
        def query(self) -> Any:
            return self.query

    test = str(found(functools.partial(lambda aggregate, kind: kind(aggregate), kind=Forgot), "sum"))
    assert "<bound method" in test and "0x" not in test


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"factory": 3}, InvalidArgument, "factory is 3; expected a function or class"),
        ({"factory": Plain}, InvalidArgument, "expected one aggregate, because Plain takes no argument"),
        ({"factory": Plain, "aggregates": ["sum", "max"]}, InvalidArgument, "expected one aggregate"),
        ({"factory": lambda aggregate: object(), "aggregates": "sum"}, InvalidArgument, "insert is missing"),
        (
            {"factory": lambda aggregate, capacity: TwoStacks(aggregate)},
            InvalidArgument,
            "expected one that takes the aggregate alone, or nothing; calling it: missing a required argument: 'capacity'",
        ),
        ({"factory": TwoStacks, "aggregates": "maxx"}, UnknownName, "did you mean 'max'"),
        ({"factory": TwoStacks, "aggregates": []}, InvalidArgument, "one or more aggregates"),
        (
            {"factory": TwoStacks, "max_examples": 0},
            InvalidArgument,
            "max_examples is 0; expected a positive integer",
        ),
        ({"factory": TwoStacks, "seed": "x"}, InvalidArgument, "seed is 'x'; expected an integer"),
        ({"factory": TwoStacks, "timeout": 0}, InvalidArgument, "timeout is 0; expected a number of seconds"),
        ({"factory": TwoStacks, "data": "intss"}, UnknownName, "did you mean 'ints'"),
        (
            {"factory": TwoStacks, "aggregates": "sum", "data": "strings"},
            InvalidArgument,
            "some that aggregate 'sum' takes",
        ),
        ({"factory": TwoStacks, "values": []}, InvalidArgument, "a list of one or more values"),
        (
            {"factory": TwoStacks, "aggregates": Aggregate("x", lift=lambda v: v.x, combine=max)},
            InvalidArgument,
            "values that it can lift",
        ),
    ],
)
def test_bad_arguments(arguments, error, said):
    with pytest.raises(error) as caught:
        check_fifo(**arguments)
    assert said in str(caught.value)


def test_data_chooses_among_the_usual_aggregates():
    assert set(check_fifo(TwoStacks, data="pairs", max_examples=5).aggregates) == {"arg_max"}


def test_another_alarm_goes_on():
    import signal

    if not hasattr(signal, "SIGALRM"):
        pytest.skip("no alarms here")
    before = signal.signal(signal.SIGALRM, lambda number, frame: None)
    try:
        signal.setitimer(signal.ITIMER_REAL, 50)
        check_fifo(TwoStacks, "sum", max_examples=2)
        left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
        assert 0 < left <= 50
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class RingOf(ReferenceWindow):
    """Keeps so many values and forgets the rest: what a ring that does not grow does."""

    def __init__(self, aggregate, capacity):
        super().__init__(aggregate)
        self.values = deque(maxlen=capacity)


@pytest.mark.parametrize("name", ["sum", "concat", "median"])
def test_a_bug_of_long_windows_is_found_whatever_the_aggregate(name):
    """Not only over spans: a window with an aggregate of its own takes no spans."""
    with pytest.raises(Mismatch) as found:
        check_fifo(lambda: RingOf(name, 300), name)
    assert found.value.got is not None or "length" in str(found.value)


def test_a_long_case_is_cut_down_by_counted_work_and_printed_as_loops():
    with pytest.raises(Mismatch) as found:
        check_fifo(lambda: RingOf("sum", 300), "sum", data="ints")
    text = str(found.value)
    assert text.count("\n") < 40
    loop = re.search(r"for _ in range\((\d+)\):\n        window.insert\(0\)", text)
    assert loop and 300 <= int(loop.group(1)) < 400
    factory = lambda: RingOf("sum", 300)
    names = {"factory": factory}
    exec(text, names)  # what is pasted fails
    with pytest.raises((AssertionError, IndexError)):
        names["test_factory_sum"]()


@pytest.mark.parametrize(
    ("steps", "lines"),
    [
        ([("insert", 0)] * 3, ["window.insert(0)"] * 3),
        ([("insert", 5)] * 4, ["for _ in range(4):", "    window.insert(5)"]),
        ([("insert", n) for n in range(2, 7)], ["for i in range(2, 7):", "    window.insert(i)"]),
        (
            [step for n in range(5) for step in (("insert", n), ("evict",))],
            ["for i in range(5):", "    window.insert(i)", "    window.evict()"],
        ),
        (
            [step for n in range(5) for step in (("insert", n), ("insert", n + 1))],
            ["for i in range(5):", "    window.insert(i)", "    window.insert(i + 1)"],
        ),
        (
            [("insert", 1), ("insert", 1), *[("evict",)] * 4, ("query",)],
            [
                "window.insert(1)",
                "window.insert(1)",
                "for _ in range(4):",
                "    window.evict()",
                "window.query()",
            ],
        ),
        ([("insert", True), ("insert", 2), ("insert", 3), ("insert", 4)], None),
        ([("insert", n) for n in (1, 1, 2, 3, 3, 4)], None),
    ],
)
def test_steps_that_repeat_are_loops(steps, lines):
    written = _lines(steps, set())
    if lines is not None:
        assert written == lines
    done = []
    window = type("Recorder", (), {})()
    for name in ("insert", "evict", "query"):
        setattr(window, name, lambda *arguments, name=name: done.append((name, *arguments)))
    exec("\n".join(written), {"window": window})
    assert repr(done) == repr(steps)
