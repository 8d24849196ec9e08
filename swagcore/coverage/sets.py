"""Sets of windows by one clock."""

from __future__ import annotations

from collections.abc import Iterable

from swagcore.errors import InvalidArgument
from swagcore.windows import Window


def window_set(windows: Iterable[Window]) -> tuple[Window, ...]:
    """The windows without duplicates, in their order, all by one clock.

    >>> window_set([Window(4, 2), Window(2, 2), Window(4, 2)])
    (Window(range=4, slide=2), Window(range=2, slide=2))
    """
    try:
        found = list(windows)
    except TypeError:
        raise InvalidArgument("windows", windows, "a list of Window") from None
    for window in found:
        if not isinstance(window, Window):
            raise InvalidArgument("window", window, "a Window")
    if not found:
        raise InvalidArgument("windows", found, "one or more windows")
    if len({window.by_count for window in found}) > 1:
        raise InvalidArgument(
            "windows", found, "windows over time, or windows that count events: they share nothing"
        )
    if len({window.unit for window in found}) > 1:
        raise InvalidArgument(
            "windows", found, "all in durations or all in plain integers (Window.to_unit makes them so)"
        )
    return tuple(dict.fromkeys(found))


def without_lag(window: Window) -> Window:
    """The window whose answers are the same, and are reported at once.

    >>> without_lag(Window(4, 2, 1, lag=3))
    Window(range=4, slide=2, offset=1)
    """
    return like(window, window.range, window.slide, window.offset)


def like(window: Window, range: int, slide: int, offset: int) -> Window:
    """A window of other sizes by the same clock.

    >>> like(Window("4 s", "2 s"), 1_000_000, 1_000_000, 0)
    Window(range='1000000 us', slide='1000000 us')
    """
    made = Window(range, slide, offset, by_count=window.by_count)
    object.__setattr__(made, "unit", window.unit)
    return made
