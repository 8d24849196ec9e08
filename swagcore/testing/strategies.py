"""Hypothesis strategies for streams, windows, query sets and the life of a window.

- `values_for`: values that an aggregate, or all of several, takes. `events`: a stream of them.
- `windows`, `queries`: what to ask. `problems`: queries with a stream that fits them.
- `interleavings`, `steps`: what is done to a first-in, first-out window.

All shrink towards small, plain examples: few events at times 0, 1, ..., values such as 0 and "a", `Window(1, 1)`.

>>> from hypothesis import find
>>> find(windows(), lambda window: window.slide > window.range)
Window(range=1, slide=2)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from swagcore.algebra import Aggregate, aggregate
from swagcore.errors import InvalidArgument
from swagcore.testing.needs import HypothesisMissing
from swagcore.testing.values import Data, data_for
from swagcore.windows import Query, Window

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import DrawFn, SearchStrategy
except ModuleNotFoundError as missing:
    raise HypothesisMissing(__name__) from missing

__all__ = ["events", "interleavings", "problems", "queries", "steps", "values_for", "windows"]

AGGREGATES = (
    *(
        "sum",
        "count",
        "mean",
        "min",
        "max",
        "first",
        "last",
        "concat",
        "arg_max",
        "arg_min",
        "product",
        "variance",
    ),
    *("spread", "any", "all", "count_distinct", "collect_distinct", "median", "quantile(0.5)", "top_k(2)"),
)
"""What `problems` asks where nothing is named: laws kept and laws missing, in most combinations."""

_BEYOND: dict[str, SearchStrategy[Any]] = {
    "ints": st.integers(-1000, 1000),
    "huge": st.integers(),
    "positives": st.integers(1, 1000),
    "floats": st.floats(-1e6, 1e6),
    "wide": st.floats(allow_nan=False, allow_infinity=False),
    "specials": st.floats(),
    "strings": st.text(max_size=3),
    "bools": st.booleans(),
    "pairs": st.tuples(st.integers(-3, 3), st.sampled_from("abc")),
    "special_pairs": st.tuples(st.floats(), st.sampled_from("abc")),
    "letters": st.sampled_from("abcdefgh"),
    "positions": st.integers(0, 9),
}
"""What a kind of data has besides the values that are named in it."""


_NULL: SearchStrategy[Any] = st.sampled_from((None, None))
"""A None that costs a choice, so that examples do not shrink towards it: 0 and "a" say more."""


def _of(data: Data) -> SearchStrategy[Any]:
    choices = [st.sampled_from(data.simplest)] if data.simplest else []
    if data.name in _BEYOND:
        choices.append(_BEYOND[data.name])
    return st.one_of(choices)


def values_for(
    *functions: Aggregate | str, data: Sequence[str] | str | None = None, nulls: bool = True
) -> SearchStrategy[Any]:
    """Values that all of these aggregates take: None, NaN, infinities, -0.0, huge integers, ties, strings, pairs.

    In one example all values are of one kind (integers, floats, strings, ...), for the values of a stream do not mix
    types. `data` names the kinds that are wanted; `nulls=False` leaves None out.

    >>> from hypothesis import find
    >>> find(values_for("sum", data="ints", nulls=False), lambda value: value < 0)
    -1
    >>> find(values_for("arg_max", data="pairs"), lambda pair: pair is not None and pair[0] > 0)
    (1, 'a')
    """
    if not functions:
        raise InvalidArgument("functions", functions, "one or more aggregates")
    kinds = common_data(functions, data)
    if len(kinds) == 1:
        chosen: SearchStrategy[Any] = _of(kinds[0])
    else:
        names = " ".join(sorted({aggregate(function).name for function in functions}))
        kind = st.shared(st.sampled_from(kinds), key=f"swagcore values for {names}, {data}")
        chosen = kind.flatmap(_of)
    return chosen | _NULL if nulls else chosen


def common_data(functions: Sequence[Aggregate | str], data: Sequence[str] | str | None = None) -> list[Data]:
    """The kinds of data that all of these aggregates take.

    >>> [kind.name for kind in common_data(["max", "concat"])]
    ['strings']
    """
    first, *others = (data_for(function, data) for function in functions)
    shared = [kind for kind in first if all(kind in other for other in others)]
    if not shared:
        raise InvalidArgument(
            "aggregates", [aggregate(f).name for f in functions], "aggregates that take the same values"
        )
    return shared


@st.composite
def events(
    draw: DrawFn,
    values: SearchStrategy[Any] | None = None,
    *,
    keys: SearchStrategy[Any] | None = None,
    min_size: int = 0,
    max_size: int = 12,
) -> list[tuple[Any, ...]]:
    """A stream of `(time, value)`, or `(time, value, key)` with `keys`: times repeat, leave gaps, start below zero.

    >>> from hypothesis import find
    >>> find(events(), lambda stream: stream and stream[0][0] < 0)
    [(-1, 0)]
    >>> find(events(keys=st.sampled_from("xy")), lambda stream: len({key for _, _, key in stream}) == 2)
    [(0, 0, 'x'), (1, 0, 'y')]
    """
    values = st.integers(-5, 5) | _NULL if values is None else values
    gap = st.sampled_from((1, 0, 2, 3, 7, 40))
    rows = draw(
        st.lists(
            st.tuples(gap, values, st.none() if keys is None else keys), min_size=min_size, max_size=max_size
        )
    )
    stream: list[tuple[Any, ...]] = []
    time = draw(st.integers(-20, 20))
    for position, (step, value, key) in enumerate(rows):
        time += step if position else 0
        stream.append((time, value) if keys is None else (time, value, key))
    return stream


@st.composite
def windows(
    draw: DrawFn, *, max_range: int = 12, max_slide: int = 12, lags: bool = True, counts: bool = True
) -> Window:
    """Windows of every sort: ranges that are no multiple of the slide, gaps (slide > range), offsets, lags, counts.

    >>> from hypothesis import find
    >>> find(windows(), lambda window: window.range % window.slide and window.range > window.slide)
    Window(range=3, slide=2)
    >>> find(windows(), lambda window: window.by_count and window.offset and window.lag)
    Window.count(range=1, slide=2, offset=1, lag=1)
    """
    extent, slide = draw(st.integers(1, max_range)), draw(st.integers(1, max_slide))
    offset = draw(st.integers(0, slide - 1))
    lag = draw(st.integers(0, 5)) if lags else 0
    by_count = draw(st.booleans()) if counts else False
    return Window(extent, slide, offset, lag=lag, by_count=by_count)


@st.composite
def queries(
    draw: DrawFn,
    aggregates: Sequence[Aggregate | str] = ("sum", "max", "count"),
    *,
    window: SearchStrategy[Window] | None = None,
    min_size: int = 1,
    max_size: int = 4,
    emit_empty: bool = True,
) -> list[Query]:
    """A query set: windows, also the same one twice, under names q0, q1, ...; aggregates out of those given.

    >>> from hypothesis import find
    >>> [query.window for query in find(queries(min_size=2), lambda asked: asked[0].window == asked[1].window)]
    [Window(range=1, slide=1), Window(range=1, slide=1)]
    """
    parts = st.tuples(
        st.sampled_from(list(aggregates)),
        windows() if window is None else window,
        st.booleans() if emit_empty else st.just(False),
    )
    return [
        Query(f"q{number}", function, chosen, emit_empty=empty)
        for number, (function, chosen, empty) in enumerate(
            draw(st.lists(parts, min_size=min_size, max_size=max_size))
        )
    ]


def problems(
    aggregates: Sequence[Aggregate | str] = AGGREGATES,
    *,
    window: SearchStrategy[Window] | None = None,
    keys: SearchStrategy[Any] | None = None,
    data: Sequence[str] | str | None = None,
    nulls: bool = True,
    max_queries: int = 4,
    max_events: int = 12,
) -> SearchStrategy[tuple[list[Query], list[tuple[Any, ...]]]]:
    """A query set together with a stream whose values all of its aggregates take: the input of `check_against_naive`.

    Keys come by themselves, in some examples; `keys` says which.

    >>> from hypothesis import find
    >>> find(problems(["max"], data="ints", max_queries=1), lambda problem: problem[1])[1]
    [(0, 0)]
    """
    names = [data] if isinstance(data, str) else data
    fitting: dict[str, list[Aggregate | str]] = {}
    for function in aggregates:
        for kind in data_for(function):
            if names is None or kind.name in names:
                fitting.setdefault(kind.name, []).append(function)
    if not fitting:
        raise InvalidArgument(
            "data", data, f"data that one of the aggregates takes: {list(map(str, aggregates))}"
        )
    sources = [
        (queries(takers, window=window, max_size=max_queries), values_for(*takers, data=kind, nulls=nulls))
        for kind, takers in fitting.items()
    ]
    kinds_of_keys = [keys] if keys is not None else [None, st.sampled_from(("x", "y", None))]

    @st.composite
    def problem(draw: DrawFn) -> tuple[list[Query], list[tuple[Any, ...]]]:
        asked, values = draw(st.sampled_from(sources))
        chosen_keys = draw(st.sampled_from(kinds_of_keys))
        return draw(asked), draw(events(values, keys=chosen_keys, max_size=max_events))

    return problem()


@st.composite
def interleavings(draw: DrawFn, *, max_size: int = 12, max_blocks: int = 8) -> list[str]:
    """What is done to a window, as a list of "insert", "evict" and "query" that never evicts from an empty window.

    Made of blocks, so that windows of one, drained and refilled windows, sawtooths and long slides are common.

    >>> from hypothesis import find
    >>> find(interleavings(), lambda steps: "evict" in steps)
    ['insert', 'evict']
    """
    block = st.tuples(
        st.sampled_from(("insert", "evict", "query", "slide", "slide back", "drain")),
        st.integers(1, max_size),
    )
    done: list[str] = []
    held = 0
    for kind, amount in draw(st.lists(block, max_size=max_blocks)):
        moves = {
            "insert": ["insert"] * amount,
            "evict": ["evict"] * min(amount, held),
            "query": ["query"],
            "slide": ["insert", "evict"] * amount,
            "slide back": ["evict", "insert"] * amount if held else [],
            "drain": ["evict"] * held,
        }[kind]
        done += moves
        held += moves.count("insert") - moves.count("evict")
    if draw(st.booleans()):  # asked after every step
        return [step for move in done if move != "query" for step in (move, "query")]
    return done


@st.composite
def steps(
    draw: DrawFn, values: SearchStrategy[Any] | None = None, *, max_size: int = 12, max_blocks: int = 8
) -> list[tuple[Any, ...]]:
    """An interleaving with values: ("insert", value), ("evict",) and ("query",).

    >>> from hypothesis import find
    >>> find(steps(), lambda done: ("evict",) in done)
    [('insert', 0), ('evict',)]
    """
    values = st.integers(-5, 5) if values is None else values
    names = draw(interleavings(max_size=max_size, max_blocks=max_blocks))
    return [("insert", draw(values)) if name == "insert" else (name,) for name in names]
