"""Pairs: at most two slices a slide, cut at the starts and the ends of instances. S §2.3.1, §5.2.3, C §2.1, W §5.1."""

from __future__ import annotations

from swagcore.windows import Window


def pairs(window: Window) -> list[int]:
    """The lengths of the slices of one slide, from the start of an instance on.

    Seen from a start, ends are at range mod slide, so the slices are range mod slide and the rest. An instance has
    2 * (range // slide) + 1 of them, or range / slide where the slide divides the range: then starts are ends.

    Which of the two comes first depends on where one begins to look. S §2.3.1 and C §2.1 put range mod slide first:
    right from a start on, that is for `Window(range, slide)`. S §5.2.3 and W §5.1 put it second: right from an end
    on, that is for `Window.ending(range, slide)`, whose ends are the multiples of the slide. Each is wrong for the
    other's windows: cut into 3 and 2 from 0 on, no edge is at 7, where the first instance of Window(7, 5) ends.

    The figures in the text of S §2.3.1 for Figure 3 (range 14, slide 8), f1 = 2 and f2 = 6, are the wrong way round by
    its own formula, f1 = range % slide. In W §5.1, z1 = s - s2 has to be read as s - z2.

    >>> pairs(Window(7, 5)), pairs(Window(14, 8)), pairs(Window(8, 4))
    ([2, 3], [6, 2], [4])
    >>> ending = Window.ending(7, 5)
    >>> pairs(ending), ending.edges("pairs")
    ([2, 3], [(0, 5), (3, 5)])
    """
    first = window.range % window.slide
    return [first, window.slide - first] if first else [window.slide]
