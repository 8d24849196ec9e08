"""Small streams and windows for the tests of `naive`: small enough that everything meets everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

import swagcore as sw
from swagcore.algebra.wrappers import words

times = st.integers(-15, 15)
values = st.none() | st.integers(-9, 9)
keys = st.sampled_from(["k", "j", None])


def streams(
    values: st.SearchStrategy[Any] = values, keys: st.SearchStrategy[Any] = keys, max_size: int = 10
) -> st.SearchStrategy[list[tuple[int, Any, Any]]]:
    """Events (time, value, key) in time order; times before 0 and equal times are common."""
    events = st.lists(st.tuples(times, values, keys), max_size=max_size)
    return events.map(lambda found: sorted(found, key=lambda event: event[0]))


def _windows(by_count: st.SearchStrategy[bool]) -> st.SearchStrategy[sw.Window]:
    sizes = {"range": st.integers(1, 12), "slide": st.integers(1, 9), "offset": st.integers(-12, 12)}
    return st.builds(sw.Window, **sizes, lag=st.integers(0, 6), by_count=by_count)


time_windows = _windows(st.just(False))  # with gaps and overlaps, offsets and lags
count_windows = _windows(st.just(True))
windows = time_windows | count_windows

# What each aggregate says of the values that are not null, in plain Python. `words` says which ones they are, in order.
PLAIN: dict[Any, Callable[[list[Any]], Any]] = {
    words: tuple,
    "count": len,
    "sum": lambda found: sum(found) if found else None,
    "max": lambda found: max(found) if found else None,
    "min": lambda found: min(found) if found else None,
    "first": lambda found: found[0] if found else None,
    "last": lambda found: found[-1] if found else None,
    "collect_distinct": lambda found: list(dict.fromkeys(found)),
    "median": lambda found: (
        (sorted(found)[(len(found) - 1) // 2] + sorted(found)[len(found) // 2]) / 2 if found else None
    ),
}


def query_sets(windows: st.SearchStrategy[sw.Window] = windows) -> st.SearchStrategy[list[sw.Query]]:
    """Queries of different names, some of which answer for empty instances."""
    asked = st.tuples(st.sampled_from(list(PLAIN)), windows, st.booleans())
    return st.lists(asked, min_size=1, max_size=4).map(
        lambda found: [
            sw.Query(f"q{number}", aggregate, window, emit_empty=emit_empty)
            for number, (aggregate, window, emit_empty) in enumerate(found)
        ]
    )
