"""Cutty: one slice a slide, cut at the starts of instances alone. S §2.3.1."""

from __future__ import annotations

from swagcore.windows import Window


def cutty(window: Window) -> list[int]:
    """The lengths of the slices of one slide, from the start of an instance on: one.

    An instance may end in the middle of a slice. Its answer is then asked for while that slice is open, and takes
    what is in it so far: all of that is inside, because later events have not come yet. So an instance has
    ceil(range / slide) slices, the last of which may be open. What it needs is that answers are asked for in time;
    from slices that were stored it cannot be computed.

    >>> cutty(Window(5, 3)), cutty(Window(6, 3))
    ([3], [3])
    """
    return [window.slide]
