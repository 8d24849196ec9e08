"""The meaning of an answer: which there are, in which order, and what they say. Judged on `naive`.

Each claim stands next to its executable form. Streams are all short ones of a kind, smallest first, so that a
counterexample would be minimal; random ones are in tests/test_naive.py.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from swagcore.algebra import aggregate, quantile, same, top_k
from swagcore.algebra.wrappers import words
from swagcore.ledger import by_size, claim, evidence, smallest
from swagcore.naive import naive
from swagcore.windows import Answer, Query, Window

Event = tuple[int, Any, Any]
WINDOWS = [
    *(Window(1, 1), Window(2, 1), Window(2, 2), Window(1, 2), Window(3, 2, 1), Window(2, 3, 2), Window(5, 3)),
    *(Window(2, 2, lag=3), Window.ending(3, 2)),
]
COUNTS = [Window.count(1, 1), Window.count(2, 1), Window.count(2, 3), Window.count(3, 2, 1)]


def streams(
    length: int, times: Iterable[int], values: Iterable[Any], keys: Iterable[Any] = (None,)
) -> Iterator[tuple[Event, ...]]:
    """Every stream of up to so many events, in time order; equal times in every order of arrival."""
    rows = list(itertools.product(times, values, keys))
    for size in range(length + 1):
        for chosen in itertools.product(rows, repeat=size):
            if all(a[0] <= b[0] for a, b in itertools.pairwise(chosen)):
                yield chosen


KEYED = "streams of up to 3 events at times -1 to 2, with 2 keys"


def keyed() -> list[tuple[Event, ...]]:
    return list(streams(3, range(-1, 3), ["a"], "xy"))


def lettered(stream: tuple[Event, ...]) -> list[Event]:
    """The same events with a letter of their own each, so that an answer says which events it has seen."""
    return [(time, "abcdef"[position], key) for position, (time, _, key) in enumerate(stream)]


def asked(window: Window, stream: Iterable[Event], function: Any = words, **more: Any) -> list[Answer]:
    return naive([Query("q", function, window, **more)], stream)


def ordinals(window: Window, stream: list[Event]) -> list[tuple[int, Any]]:
    """What a window takes for the times of one key's events."""
    return [(position if window.by_count else event[0], event[1]) for position, event in enumerate(stream)]


# Which answers there are


@claim(
    "meaning.half_open",
    source="O meaning",
    kind="definition",
    statement="""The answer of an instance [start, end) is over the events of its key with start <= time < end, in the order
    in which they came; a start belongs to its instance, an end does not.""",
)
@evidence("exhaustive", scope=KEYED + "; 13 windows, of time and of count")
def instances_are_half_open() -> object:
    def holds(window: Window, stream: tuple[Event, ...]) -> bool:
        events = lettered(stream)
        for answer in asked(window, events):
            mine = ordinals(window, [event for event in events if event[2] == answer.key])
            if answer.value != tuple(v for time, v in mine if answer.start <= time < answer.end):
                return False
        return True

    return smallest(by_size(WINDOWS + COUNTS, keyed()), holds)


@claim(
    "meaning.exists",
    source="O meaning",
    kind="definition",
    statement="An answer exists for just those instances and keys that contain an event, a null one too; each exists once.",
)
@evidence("exhaustive", scope=KEYED + ", and of up to 2 with nulls among them; 13 windows")
def answers_exist_where_events_are() -> object:
    def holds(window: Window, stream: tuple[Event, ...]) -> bool:
        found = [(answer.start, answer.end, answer.key) for answer in asked(window, stream, "count")]
        wanted = set()
        for key in {key for _, _, key in stream}:
            for time, _ in ordinals(window, [event for event in stream if event[2] == key]):
                starts = range(time - 12, time + 1)
                wanted |= {
                    (s, s + window.range, key)
                    for s in starts
                    if (s - window.offset) % window.slide == 0 and time < s + window.range
                }
        return len(found) == len(set(found)) and set(found) == wanted

    every = list(streams(2, range(-1, 3), ["a", None], "xy"))
    return smallest(by_size(WINDOWS + COUNTS, [*every, *keyed()]), holds)


@claim(
    "meaning.emit_empty",
    source="O meaning",
    kind="definition",
    statement="""emit_empty adds, per key, just the empty instances that start after the key's first event and end at or before
    its last; they say what a window of nulls says, and the other answers are as without it.""",
)
@evidence(
    "exhaustive", scope="streams at times -2 to 4 of up to 3 events, and of up to 2 with 2 keys; 9 windows"
)
def empty_instances_between_events() -> object:
    def holds(window: Window, stream: tuple[Event, ...]) -> bool:
        without = asked(window, stream)
        added = [answer for answer in asked(window, stream, emit_empty=True) if answer not in without]
        wanted = set()
        for key in {key for _, _, key in stream}:
            times = [time for time, _, other in stream if other == key]
            for start in range(-12, 13):
                end = start + window.range
                inside = any(start <= time < end for time in times)
                if (start - window.offset) % window.slide == 0 and times[0] < start and end <= times[-1]:
                    wanted |= set() if inside else {Answer("q", start, end, (), key)}
        kept = [answer for answer in asked(window, stream, emit_empty=True) if answer in without]
        return kept == without and set(added) == wanted and len(added) == len(wanted)

    some = [*streams(3, range(-2, 5), ["a"]), *streams(2, range(-2, 5), ["a"], "xy")]
    return smallest(by_size(WINDOWS, some), holds)


@claim(
    "meaning.order",
    source="O meaning",
    kind="definition",
    statement="Answers are ordered by report time, end + lag, then by the order of the queries, then by the key's first event.",
)
@evidence("exhaustive", scope=KEYED + "; 3 windows two at a time, one with a lag")
def answers_are_in_order() -> object:
    def holds(one: Window, other: Window, stream: tuple[Event, ...]) -> bool:
        queries = [Query("z", "count", one), Query("a", "count", other)]
        keys = list(dict.fromkeys(key for _, _, key in stream))
        ranks = [
            (a.end + {"z": one, "a": other}[a.query].lag, "za".index(a.query), keys.index(a.key))
            for a in naive(queries, stream)
        ]
        return ranks == sorted(ranks)

    few = [Window(1, 1), Window(2, 2, lag=3), Window(3, 2, 1)]
    return smallest(by_size(few, few, keyed()), holds)


@claim(
    "meaning.lag",
    source="O meaning",
    kind="statement",
    statement="A lag changes when an answer is reported and nothing else: the answers of one query alone are the same.",
)
@evidence("exhaustive", scope=KEYED + "; lags up to 3")
def a_lag_only_delays() -> object:
    return smallest(
        by_size(range(4), keyed()),
        lambda lag, stream: asked(Window(3, 2, lag=lag), stream) == asked(Window(3, 2), stream),
    )


@claim(
    "meaning.count_per_key",
    source="O meaning",
    kind="definition",
    statement="""A count window takes an event's ordinal among the events of its key, nulls counted, for its time: its answers
    are those of the same window of time over 0, 1, 2, ... for each key.""",
)
@evidence("exhaustive", scope="streams of up to 3 events at times 0 to 2, with 2 keys and nulls; 4 windows")
def count_windows_count_per_key() -> object:
    def holds(window: Window, stream: tuple[Event, ...]) -> bool:
        found = {answer[1:] for answer in asked(window, stream)}
        timed = Window(window.range, window.slide, window.offset)
        wanted = set()
        for key in {key for _, _, key in stream}:
            mine = [event for event in stream if event[2] == key]
            wanted |= {a[1:] for a in asked(timed, [(i, v, key) for i, (_, v, _) in enumerate(mine)])}
        return found == wanted

    return smallest(by_size(COUNTS, list(streams(3, range(3), ["a", None], "xy"))), holds)


# Nulls

EMPTY: dict[str, Any] = {
    **{"count": 0, "count_distinct": 0, "concat": "", "collect_distinct": [], "top_k(2)": []},
    **dict.fromkeys(
        ("sum", "fast_sum", "sum_squares", "product", "mean", "variance", "stddev", "geometric_mean")
    ),
    **dict.fromkeys(("min", "max", "spread", "arg_min", "arg_max", "first", "last", "any", "all", "median")),
    "quantile(0.5)": None,
}


@claim(
    "meaning.all_null",
    source="O meaning",
    kind="definition",
    statement="""A window whose events are all null has an answer: 0 for count and count_distinct, empty for concat,
    collect_distinct and top_k, None for the rest.""",
)
@evidence("exhaustive", scope="every built-in, one to three nulls")
def windows_of_nulls() -> object:
    def holds(name: str, nulls: int) -> bool:
        return asked(Window(4, 4), [(0, None, None)] * nulls, name) == [Answer("q", 0, 4, EMPTY[name])]

    return smallest(by_size(list(EMPTY), range(1, 4)), holds)


TAKES: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(EMPTY, (2, 1)),
    **{"concat": ("b", "a"), "any": (False, True), "all": (True, False)},
    **dict.fromkeys(("arg_min", "arg_max"), ((2, "a"), (1, "b"))),
}


@claim(
    "meaning.nulls",
    source="O meaning",
    kind="definition",
    statement="Nulls are skipped: an answer is that over the values that are not null, in every aggregate.",
)
@evidence(
    "exhaustive",
    scope="every built-in, up to four events, each of two values or null; a pair with a null `by`, too",
)
def nulls_are_skipped() -> object:
    def holds(name: str, values: tuple[Any, ...]) -> bool:
        answers = asked(Window(9, 9), [(0, value, None) for value in values], name)
        there = [v for v in values if v is not None and not (isinstance(v, tuple) and v[0] is None)]
        return answers[0].value == aggregate(name).over(there)

    cases = (
        (name, values)
        for n in range(1, 5)
        for name, two in TAKES.items()
        for more in [(None, (None, "c")) if name.startswith("arg_") else (None,)]
        for values in itertools.product((*two, *more), repeat=n)
    )
    return smallest(cases, holds)


# What they say


def permutations(values: tuple[Any, ...], longest: int) -> Iterator[tuple[tuple[Any, ...]]]:
    """Lists of these values, as cases of one argument."""
    for n in range(1, longest + 1):
        yield from ((found,) for found in itertools.product(values, repeat=n))


NAN = math.nan
NUMBERS = (0.0, 1.0, -1.0, math.inf, -math.inf, NAN)


def by_rank(value: float) -> tuple[bool, float]:
    """NaN above every number."""
    return value != value, 0.0 if value != value else value


@claim(
    "meaning.nan_order",
    source="O meaning",
    kind="definition",
    statement="""NaN is above every number and equals itself: min, max, arg_min, arg_max, quantile and top_k order by that.""",
)
@evidence("exhaustive", scope="every list of up to four out of 0, 1, -1, both infinities and NaN")
def nan_is_the_largest() -> object:
    def holds(values: tuple[float, ...]) -> bool:
        ordered = sorted(values, key=by_rank)
        pairs = [(value, position) for position, value in enumerate(values)]
        ranks = [by_rank(value) for value in values]
        return (
            same(aggregate("min").over(values), ordered[0])
            and same(aggregate("max").over(values), ordered[-1])
            and same(top_k(2).over(values), ordered[::-1][:2])
            and same(quantile(1).over(values), ordered[-1])
            and aggregate("arg_min").over(pairs) == ranks.index(min(ranks))
            and aggregate("arg_max").over(pairs) == ranks.index(max(ranks))
        )

    return smallest(permutations(NUMBERS, 4), holds)


@claim(
    "meaning.distinct",
    source="O meaning",
    kind="definition",
    statement="""Distinct values are told apart by ==, except that every NaN equals every other; so -0.0 is 0.0. collect_distinct
    lists them in the order of their first appearance, count_distinct counts them.""",
)
@evidence("exhaustive", scope="every list of up to four out of 0.0, -0.0, 1.0 and two NaN objects")
def distinct_values() -> object:
    def holds(values: tuple[float, ...]) -> bool:
        seen: list[float] = []
        for value in values:
            if not any(value == other or (value != value and other != other) for other in seen):
                seen.append(value)
        listed = aggregate("collect_distinct").over(values)
        return same(listed, seen) and aggregate("count_distinct").over(values) == len(seen)

    return smallest(permutations((0.0, -0.0, 1.0, float("nan"), float("nan")), 4), holds)


HUGE = (1, -1, 2**53 + 1, 2**63 - 1, -(2**63), 10**30)


@claim(
    "meaning.integers",
    source="O meaning",
    kind="statement",
    statement="Integers are exact in every order: count, sum, sum_squares, product, min and max are those of the integers.",
)
@evidence(
    "exhaustive", scope="every list of up to four out of 1, -1, 2**53 + 1, the 64-bit limits and 10**30"
)
def integers_are_exact() -> object:
    def holds(values: tuple[int, ...]) -> bool:
        over = {name: aggregate(name).over(values) for name in ("sum", "fast_sum", "sum_squares", "product")}
        wanted = (sum(values), sum(values), sum(x * x for x in values), math.prod(values))
        return tuple(over.values()) == wanted and all(type(answer) is int for answer in over.values())

    return smallest(permutations(HUGE, 4), holds)


FLOATS = (1.0, 0.1, 0.2, 0.3, 1e16, -1e16, 5e-324, 1.7e308, -1.7e308)


def nearest(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


@claim(
    "meaning.float_sums",
    source="O meaning",
    kind="statement",
    statement="""The sum of floats is exact, rounded once at the end, and the mean is the correctly rounded quotient, in every
    order, also where a part of the sum is larger than every float.""",
)
@evidence("exhaustive", scope="every list of up to four out of nine floats, from the smallest to the largest")
def float_sums_are_rounded_once() -> object:
    def holds(values: tuple[float, ...]) -> bool:
        exact = sum(map(Fraction, values), Fraction(0))
        sums = aggregate("sum").over(values), aggregate("mean").over(values)
        return sums == (nearest(exact), nearest(exact / len(values)))

    return smallest(permutations(FLOATS, 4), holds)


@claim(
    "meaning.float_specials",
    source="O meaning",
    kind="statement",
    statement="A sum with a NaN, or with infinities of both signs, is NaN; with infinities of one sign it is that one.",
)
@evidence("exhaustive", scope="every list of up to four out of 0, 1, -1, both infinities and NaN")
def sums_of_special_values() -> object:
    def holds(values: tuple[float, ...]) -> bool:
        # No rounding among these, so plain addition is right.
        return same(aggregate("sum").over(values), sum(values)) and same(
            aggregate("mean").over(values), sum(values) / len(values)
        )

    return smallest(permutations(NUMBERS, 4), holds)


@claim(
    "meaning.variance",
    source="O meaning",
    kind="definition",
    statement="variance is that of a sample, divided by n - 1 and correctly rounded; of one value it is None, as is stddev.",
)
@evidence("exhaustive", scope="every list of up to four out of 0, 1, 0.1, 1e16, -1e16 + 2, 1e150")
def sample_variance() -> object:
    def holds(values: tuple[float, ...]) -> bool:
        answer, root = aggregate("variance").over(values), aggregate("stddev").over(values)
        if len(values) == 1:
            return answer is None and root is None
        exact = [Fraction(x) for x in values]
        mean = sum(exact, Fraction(0)) / len(exact)
        wanted = sum((x - mean) ** 2 for x in exact) / Fraction(len(exact) - 1)
        return bool(answer == nearest(wanted) and math.isclose(root, math.sqrt(answer), rel_tol=1e-15))

    return smallest(permutations((0.0, 1.0, 0.1, 1e16, -1e16 + 2, 1e150), 4), holds)


@claim(
    "meaning.plain_rank",
    source="O meaning",
    kind="statement",
    statement="The rank ceil(phi * N) of a quantile may be computed in floats.",
    expected="refuted",
)
@evidence("exhaustive", scope="phi in hundredths, N up to 100")
def ranks_in_floats() -> object:
    def holds(n: int, hundredths: int) -> bool:
        return math.ceil(hundredths / 100 * n) == -(-hundredths * n // 100)

    return smallest(by_size(range(1, 101), range(1, 101)), holds)


@claim(
    "meaning.quantile",
    source="O meaning",
    kind="definition",
    statement="""quantile(phi) is the element at the 1-based rank ceil(phi * N) of the N in order, phi taken as it is written:
    0.07 is seven hundredths.""",
    corrects="meaning.plain_rank",
)
@evidence("exhaustive", scope="phi in hundredths, as floats; N = 1, 4, 7, ..., 100, falling")
def quantiles_by_rank() -> object:
    def holds(n: int, hundredths: int) -> bool:
        phi = hundredths / 100
        return bool(quantile(phi).over(range(n, 0, -1)) == -(-hundredths * n // 100))

    return smallest(by_size(range(1, 101, 3), range(1, 101)), holds)


@claim(
    "meaning.median",
    source="O meaning",
    kind="definition",
    statement="The median of an odd number of values is the middle one, of an even number the mean of the two middle ones.",
)
@evidence("exhaustive", scope="every list of up to five integers from 0 to 3")
def medians() -> object:
    def holds(values: tuple[int, ...]) -> bool:
        ordered, n = sorted(values), len(values)
        return bool(2 * aggregate("median").over(values) == ordered[(n - 1) // 2] + ordered[n // 2])

    return smallest(permutations((0, 1, 2, 3), 5), holds)


@claim(
    "meaning.ties",
    source="O meaning",
    kind="definition",
    statement="arg_min and arg_max give the value of the smallest or largest `by`, of equal ones the earliest.",
)
@evidence("exhaustive", scope="every list of up to five `by` from 0 to 2")
def the_earliest_wins() -> object:
    def holds(bys: tuple[int, ...]) -> bool:
        pairs = [(by, position) for position, by in enumerate(bys)]
        earliest = bys.index(min(bys)), bys.index(max(bys))
        return (aggregate("arg_min").over(pairs), aggregate("arg_max").over(pairs)) == earliest

    return smallest(permutations((0, 1, 2), 5), holds)


@claim(
    "meaning.top_k",
    source="O meaning",
    kind="definition",
    statement="top_k(k) is the k largest in descending order, with duplicates, or all of them where there are fewer.",
)
@evidence("exhaustive", scope="k up to 4, every list of up to five integers from 0 to 2")
def the_largest_with_duplicates() -> object:
    every = [values for (values,) in permutations((0, 1, 2), 5)]
    return smallest(
        by_size(range(1, 5), every), lambda k, values: top_k(k).over(values) == sorted(values)[::-1][:k]
    )


@claim(
    "meaning.arrival",
    source="O meaning",
    kind="definition",
    statement="first, last, concat and collect_distinct follow time, and at equal times the order of arrival.",
)
@evidence("exhaustive", scope="every stream of up to four events at times 0 and 1 with the letters a, b, c")
def order_of_time_then_arrival() -> object:
    def holds(stream: tuple[Event, ...]) -> bool:
        letters = "".join(value for _, value, _ in stream)
        names = ("first", "last", "concat", "collect_distinct")
        found = [asked(Window(2, 2), stream, name)[0].value for name in names]
        return found == [letters[0], letters[-1], letters, list(dict.fromkeys(letters))]

    return smallest(((s,) for s in streams(4, (0, 1), "abc") if s), holds)


# What changes no answer


@claim(
    "meaning.shift",
    source="O meaning",
    kind="statement",
    statement="Events and offset moved by one time move every answer by it, and change nothing else.",
)
@evidence(
    "exhaustive",
    scope="streams of up to 2 events at times -1 to 2, with 2 keys; 9 windows, moved by 1, -1, 5, -4",
)
def shifted_time() -> object:
    def holds(by: int, window: Window, stream: tuple[Event, ...]) -> bool:
        events = lettered(stream)
        moved = Window(window.range, window.slide, window.offset + by, lag=window.lag)
        later = asked(moved, [(time + by, value, key) for time, value, key in events])
        return later == [a._replace(start=a.start + by, end=a.end + by) for a in asked(window, events)]

    return smallest(by_size((1, -1, 5, -4), WINDOWS, list(streams(2, range(-1, 3), "a", "xy"))), holds)


@claim(
    "meaning.split_key",
    source="O meaning",
    kind="statement",
    statement="""The answers of a key are those over its events alone, in the same order: other keys, and how their events
    come between, change nothing.""",
)
@evidence("exhaustive", scope=KEYED + "; 13 windows")
def keys_alone() -> object:
    def holds(window: Window, stream: tuple[Event, ...]) -> bool:
        events = lettered(stream)
        together = asked(window, events)
        return all(
            [answer for answer in together if answer.key == key]
            == asked(window, [event for event in events if event[2] == key])
            for key in {key for _, _, key in events}
        )

    return smallest(by_size(WINDOWS + COUNTS, keyed()), holds)


@claim(
    "meaning.other_query",
    source="O meaning",
    kind="statement",
    statement="""The answers of a query are the same whatever other queries are asked with it, also one that no event answers,
    and whatever their order.""",
)
@evidence("exhaustive", scope=KEYED + "; 13 windows with another, an empty one, and the three turned round")
def queries_alone() -> object:
    def holds(window: Window, stream: tuple[Event, ...]) -> bool:
        events = lettered(stream)
        queries = [
            Query("other", "count", Window(3, 1)),
            Query("q", words, window),
            Query("empty", "count", Window(1, 1000, 500)),
        ]
        together, turned = naive(queries, events), naive(queries[::-1], events)
        alone = asked(window, events)
        return (
            [a for a in together if a.query == "q"] == [a for a in turned if a.query == "q"] == alone
            and not any(a.query == "empty" for a in together)
            and len(together) == len(turned)
        )

    return smallest(by_size(WINDOWS + COUNTS, keyed()), holds)


@claim(
    "meaning.certain",
    source="O meaning",
    kind="statement",
    statement="An answer is certain at its end: events from then on change neither it nor whether it exists.",
)
@evidence("exhaustive", scope="streams of up to 3 events at times -1 to 3; 9 windows, at every time")
def later_events_change_nothing() -> object:
    def holds(now: int, window: Window, stream: tuple[Event, ...]) -> bool:
        events = lettered(stream)
        seen = asked(window, [event for event in events if event[0] < now])
        return [a for a in seen if a.end <= now] == [a for a in asked(window, events) if a.end <= now]

    return smallest(by_size(range(-1, 5), WINDOWS, list(streams(3, range(-1, 4), "a"))), holds)


# The papers' examples, as far as they state answers

FIGURE_10 = [2, 4, 0, 3, 7, 6, 1, 8, 9, 5]
FIGURE_20 = [6, 5, 0, 1, 3, 4, 2, 7]
STEPS: dict[str, tuple[str, str, list[int], dict[int, list[int]]]] = {
    "s_example_3": ("S Ex 3", "max", FIGURE_10, {5: [2, 4, 4, 4, 7, 7, 7, 8, 9, 9]}),
    "s_example_4": ("S Ex 4", "max", FIGURE_10, {2: [2, 4, 4, 3, 7, 7, 6, 8, 9, 9]}),
    "s_example_5": (
        *("S Ex 5", "sum", FIGURE_20),
        {3: [6, 11, 11, 6, 4, 8, 9, 13], 5: [6, 11, 11, 12, 15, 13, 10, 17]},
    ),
    "s_example_6": (
        *("S Ex 6", "max", FIGURE_20),
        {3: [6, 6, 6, 5, 3, 4, 4, 7], 5: [6, 6, 6, 6, 6, 5, 4, 7]},
    ),
}
"""The tuples, and by range the answer after each of them, with a slide of one tuple."""


def step_by_step(name: str, tuples: list[int], answers: dict[int, list[int]]) -> object:
    def holds(size: int, step: int) -> bool:
        given = [(time, value, None) for time, value in enumerate(tuples)]
        found = {answer.end: answer.value for answer in asked(Window.count(size, 1), given, name)}
        return bool(found[step] == answers[size][step - 1])

    return smallest(itertools.product(answers, range(1, len(tuples) + 1)), holds)


for _id, (_source, _name, _tuples, _answers) in STEPS.items():
    claim(
        f"meaning.{_id}",
        source=_source,
        kind="example",
        statement=f"""Over the tuples {_tuples}, {_name} of the last
        {" and of the last ".join(map(str, _answers))} is, after each arrival,
        {" and ".join(map(str, _answers.values()))}.""",
    ).by(
        *("exhaustive", step_by_step), scope="every step", name=_name, tuples=_tuples, answers=_answers
    )  # fmt: skip


@claim(
    "meaning.a_example_2_1_in_words",
    source="A Ex 2.1",
    kind="example",
    statement="""The substreams k with SUM(S_k[300, 0]) in (1000, infinity) are those whose sum over the last 300 time units is
    greater than or equal to 1000.""",
    expected="refuted",
)
@evidence("exhaustive", scope="one event of 999 to 1001")
def sums_from_1000_on() -> object:
    def holds(total: int) -> bool:
        [value] = [a.value for a in asked(Window(300, 1), [(0, total, "k")], "sum") if a.end == 300]
        return bool((value > 1000) == (value >= 1000))

    return smallest(range(999, 1002), holds)


@claim(
    "meaning.a_example_2_1",
    source="A Ex 2.1",
    kind="example",
    statement="""The substreams k with SUM(S_k[300, 0]) in (1000, infinity) are those whose sum over the last 300 time units is
    greater than 1000, as the query in SQL has it.""",
    corrects="meaning.a_example_2_1_in_words",
)
@evidence(
    "exhaustive",
    scope="two events of one key 298 to 301 apart, whose values add up to 999 to 1001; at the later one",
)
def sums_above_1000() -> object:
    def holds(total: int, apart: int) -> bool:
        window = Window(300, 1)  # S[300, 0] at time tau is the instance that ends at tau + 1
        answers = asked(window, [(0, 400, "k"), (apart, total - 400, "k")], "sum")
        [value] = [a.value for a in answers if a.end == apart + 1]
        inside = total if apart <= 299 else total - 400
        return bool((value > 1000) == (inside > 1000))

    return smallest(by_size(range(999, 1002), range(298, 302)), holds)
