"""`check_windows`: engines that put events into the wrong windows are caught, with a small case that can be pasted."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from swagcore import Query, Window, naive, run
from swagcore.errors import InvalidArgument
from swagcore.testing.assignment import check_windows
from swagcore.testing.mismatch import Mismatch

Answers = list[tuple[int, int, Any]]


def right(events: list[Any], range_: int, slide: int, offset: int) -> Answers:
    query = Query("q", "sum", Window(range_, slide, offset))
    return [(answer.start, answer.end, answer.value) for answer in naive([query], events)]


def incremental(events: list[Any], range_: int, slide: int, offset: int) -> Answers:
    query = Query("q", "sum", Window(range_, slide, offset))
    return [(answer.start, answer.end, answer.value) for answer in run([query], events)]


def buckets(first: Callable[[int, int, int], int], closed: bool = False) -> Callable[..., Answers]:
    """An engine that finds the first start of an event by a rule, and goes on by slides."""

    def engine(events: list[Any], range_: int, slide: int, offset: int) -> Answers:
        sums: dict[int, int] = {}
        for time, value in events:
            start = first(time - offset, range_, slide) + offset
            while start <= time:
                if time < start + range_ + closed:
                    sums[start] = sums.get(start, 0) + value
                start += slide
        return [(start, start + range_, total) for start, total in sums.items()]

    return engine


good = buckets(lambda time, range_, slide: (time // slide) * slide - (range_ // slide) * slide)


@pytest.mark.parametrize("engine", [right, incremental, good])
def test_engines_that_are_right(engine: Any) -> None:
    assert check_windows(engine) > 1000
    assert check_windows(engine, seed=7, max_examples=50) > 200


truncating = buckets(lambda time, range_, slide: int(time / slide) * slide - (range_ // slide) * slide)
"""Division that rounds to zero: wrong before time 0."""

no_gaps = buckets(lambda time, range_, slide: (time // slide) * slide - max(0, range_ // slide - 1) * slide)
"""range / slide windows an event, whatever is left over."""


@pytest.mark.parametrize(
    ("engine", "options"),
    [
        (truncating, {}),
        (no_gaps, {}),
        (
            buckets(
                lambda time, range_, slide: (time // slide) * slide - (range_ // slide) * slide, closed=True
            ),
            {},
        ),
        (lambda *case: right(*case) * 2, {}),
        (lambda *case: [*right(*case), (1000, 1001, 0)], {}),
        (lambda *case: [answer[:2] for answer in right(*case)], {}),
        (lambda events, r, s, o: right(events, r, s, 0), {}),
        (lambda *case: 1 // 0, {}),
    ],
)
def test_engines_that_are_wrong(engine: Any, options: dict[str, Any]) -> None:
    with pytest.raises(Mismatch) as found:
        check_windows(engine, **options)
    text = str(found.value)
    assert text.startswith("# the engine ")
    # The case is small, and can be run: against a right engine it passes, against this one it does not.
    test = text[text.index("def test_windows") :]
    assert test.count("(", test.index("([")) <= 9
    name = test[test.index("answers = ") + 10 : test.index("([")]
    scope: dict[str, Any] = {name: right}
    exec(test, scope)
    scope["test_windows"]()
    scope[name] = engine
    with pytest.raises(Exception):  # noqa: B017 - an assertion, or what the engine raises
        scope["test_windows"]()


@pytest.mark.parametrize(
    ("engine", "options"),
    [
        (truncating, {"negative": False, "offsets": False}),
        (lambda events, r, s, o: right(events, r, s, 0), {"offsets": False}),
    ],
)
def test_what_an_engine_does_not_claim_is_left_out(engine: Any, options: dict[str, Any]) -> None:
    assert check_windows(engine, **options) > 500


def test_slides_larger_than_ranges_can_be_left_out() -> None:
    def refuses(events: list[Any], range_: int, slide: int, offset: int) -> Answers:
        if slide > range_:
            raise ValueError("slide larger than range")
        return right(events, range_, slide, offset)

    assert check_windows(refuses, gaps=False) > 500
    with pytest.raises(Mismatch, match="raised ValueError"):
        check_windows(refuses)


def test_a_case_is_moved_to_the_smallest_times() -> None:
    def once(events: list[Any], r: int, s: int, o: int) -> Answers:
        return right(list(dict(events).items()), r, s, o)

    with pytest.raises(Mismatch, match=r"engine\(\[\(0, 1\), \(0, 1\)\], 1, 1, 0\)"):
        check_windows(once)
    with pytest.raises(Mismatch, match=r"engine\(\[\(-1, 1\)\], 1, 3, 1\)"):
        check_windows(lambda events, r, s, o: right(events, r, s, -o % s))


def test_what_an_engine_raises_in_two_lines_is_a_comment_of_one() -> None:
    def raises(*case: Any) -> Answers:
        raise ValueError("one\ntwo")

    with pytest.raises(Mismatch, match="# the engine raised ValueError: one two"):
        check_windows(raises)


def test_calculated_floats_may_be_rounded_on_the_way() -> None:
    def deviations(events: list[Any], range_: int, slide: int, offset: int) -> Answers:
        windows = right([(time, 1) for time, _ in events], range_, slide, offset)
        for start, end, _ in windows:
            inside = [value for time, value in events if start <= time < end]
            n, total, squares = len(inside), sum(inside), sum(value * value for value in inside)
            yield start, end, math.sqrt(max(squares - total * total / n, 0) / (n - 1)) if n > 1 else None

    assert check_windows(deviations, "stddev", values=[0.1, 0.2, 1.3]) > 500
    with pytest.raises(Mismatch):
        check_windows(
            lambda *case: [(s, e, v and v * 1.0001) for s, e, v in deviations(*case)],
            "stddev",
            values=[0.1, 0.2, 1.3],
        )


def test_the_same_seed_gives_the_same_case() -> None:
    texts = []
    for seed in (1, 1):
        with pytest.raises(Mismatch) as found:
            check_windows(no_gaps, seed=seed)
        texts.append(str(found.value))
    assert texts[0] == texts[1]


def test_bad_input() -> None:
    with pytest.raises(InvalidArgument, match="max_examples is 0"):
        check_windows(right, max_examples=0)


def loops_before_zero(events: list[Any], range_: int, slide: int, offset: int) -> Answers:
    while events and events[0][0] < 0:
        pass
    return right(events, range_, slide, offset)


def exits(events: list[Any], range_: int, slide: int, offset: int) -> Answers:
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (loops_before_zero, "# the engine does not come back. Seed 0."),
        (exits, "# the engine raised SystemExit: 3. Seed 0."),
        (
            lambda *case: [([0], 1, 1)],
            "# the engine gave ([0], 1, 1), expected (start, end, value), both ends integers.",
        ),
        (lambda *case: [("0", "1", 1)], "# the engine gave ('0', '1', 1), expected"),
        (lambda *case: 5, "# the engine raised TypeError: 'int' object is not iterable"),
    ],
)
def test_trouble_is_a_finding(engine: Any, said: str) -> None:
    with pytest.raises(Mismatch) as found:
        check_windows(engine, timeout=0.2)
    assert str(found.value).startswith(said)


def test_the_pasted_test_imports_the_engine_by_its_name() -> None:
    with pytest.raises(Mismatch) as found:
        check_windows(exits)
    assert f"from {exits.__module__} import exits\n" in str(found.value)
    assert "answers = exits([], 1, 1, 0)" in str(found.value)
