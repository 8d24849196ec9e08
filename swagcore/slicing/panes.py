"""Panes: slices of one length, the greatest common divisor of range and slide. S §2.3.1, W §5.1."""

from __future__ import annotations

import math

from swagcore.windows import Window


def panes(window: Window) -> list[int]:
    """The lengths of the slices of one slide, from the start of an instance on.

    Every instance starts and ends on an edge, since the divisor divides both slide and range. It has
    range / gcd(range, slide) slices, which may be very many: Window(999, 1000) has 999 panes, and 1 of a pair.

    >>> panes(Window(10, 4)), panes(Window(8, 4))
    ([2, 2], [4])
    """
    length = math.gcd(window.range, window.slide)
    return [length] * (window.slide // length)
