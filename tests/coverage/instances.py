"""Coverage by its definition, on the instances themselves: what the formulas are compared with."""

from __future__ import annotations

from swagcore.windows import Window


def parts(w1: Window, w2: Window, start: int) -> list[int]:
    """The starts of the instances of `w2` inside the instance of `w1` that starts there, found one by one."""
    times = range(start, start + w1.range - w2.range + 1)
    return [time for time in times if (time - w2.offset) % w2.slide == 0]


def covered(w1: Window, w2: Window) -> bool:
    """Every instance of `w1` is the union of those of `w2` inside it; after slide2 instances the residues repeat."""
    return all(
        {time for part in parts(w1, w2, start) for time in range(part, part + w2.range)}
        == set(range(start, start + w1.range))
        for start in starts(w1, w2)
    )


def partitioned(w1: Window, w2: Window) -> bool:
    """Covered, and no time is in two of the parts."""
    return covered(w1, w2) and all(
        len(parts(w1, w2, start)) * w2.range == w1.range for start in starts(w1, w2)
    )


def starts(w1: Window, w2: Window) -> list[int]:
    return [w1.offset + k * w1.slide for k in range(w2.slide)]
