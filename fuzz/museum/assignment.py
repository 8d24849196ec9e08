"""Which events are in which window: engines that assign wrongly.

Each takes (events, range, slide, offset) and gives (start, end, sum), as `check_windows` wants it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from fuzz.museum.piece import Piece, windows

Events = list[tuple[int, int]]
Answers = list[tuple[int, int, int]]


def summed(
    events: Events, range_: int, starts_of: Callable[[int], Iterable[int]], inside: bool = False
) -> Answers:
    """The sums by window, given the starts of the windows that an event is put into."""
    totals: dict[int, int] = {}
    for time, value in events:
        for start in starts_of(time):
            if not inside or start <= time < start + range_:
                totals[start] = totals.get(start, 0) + value
    return [(start, start + range_, total) for start, total in totals.items()]


def remainder(a: int, b: int) -> int:
    """What % does in Java and C: the sign is that of the first."""
    return int(math.fmod(a, b))


def slices_that_end_at_starts(
    events: Events, range_: int, slide: int, offset: int, *, repaired: bool = False
) -> Answers:
    """Slices begin where windows begin, but not where they end.

    TU-Berlin-DIMA/scotty-window-processor, issue 49 (2022): with a slide that does not divide the size, such as 10 and 3, a
    window takes whole slices that reach beyond its end.
    """

    def cut(time: int) -> int:
        began = offset + (time - offset) // slide * slide
        ended = offset + range_ + (time - offset - range_) // slide * slide
        return max(began, ended) if repaired else began

    slices: dict[int, int] = {}
    for time, value in events:
        slices[cut(time)] = slices.get(cut(time), 0) + value
    found: dict[int, int] = {}
    for begin, total in slices.items():
        start = offset + (begin - range_ - offset) // slide * slide + slide
        while start <= begin:
            found[start] = found.get(start, 0) + total
            start += slide
    return [(start, start + range_, total) for start, total in found.items()]


def slicer_stuck_in_a_loop(
    events: Events, range_: int, slide: int, offset: int, *, repaired: bool = False
) -> Answers:
    """The first edge is computed from the largest long, overflows to the smallest, and that means: not computed yet.

    TU-Berlin-DIMA/scotty-window-processor, issue 50 and pull request 54 (2022): size 10 and slide 4 never leave the loop. Here
    the loop gives up after ten turns and raises, because the check of engines waits for ever.
    """
    smallest, largest = -(2**63), 2**63 - 1

    def next_start(time: int) -> int:
        return (time + slide - time % slide - smallest) % 2**64 + smallest  # as longs wrap around

    edge = smallest
    for _turn in range(10):
        if not events or edge != smallest:
            break
        edge = next_start(events[0][0] if repaired else largest)
    else:
        raise TimeoutError("the slicer does not come back")
    first = -((range_ - 1) // slide)
    return summed(
        events,
        range_,
        lambda time: [offset + ((time - offset) // slide + k) * slide for k in range(first - 1, 1)],
        True,
    )


def windows_that_have_ended(
    events: Events, range_: int, slide: int, offset: int, *, repaired: bool = False
) -> Answers:
    """The first window of an event is looked for one advance too early.

    apache/kafka, pull request 1462, KAFKA-3784 (2016): TimeWindows.windowsFor names windows that ended before the event, where
    the overlap is small. There windows do not start before 0; here they do.
    """

    def starts(time: int) -> range:
        first = (time - offset - range_ + (slide if repaired else 0)) // slide * slide + offset
        return range(first, time + 1, slide)

    return summed(events, range_, starts)


def windows_of_a_far_alignment(
    events: Events, range_: int, slide: int, offset: int, *, repaired: bool = False
) -> Answers:
    """The number of a window, counted from an instant long ago, does not fit its integer.

    bytewax/bytewax, issue 413 and pull request 415 (2024): data was missing from windows when `align_to` is very long ago; the
    start was computed as number times offset. Here the number has 32 bits, and the instant is 2**40 slides ago.
    """
    align = offset - 2**40 * slide

    def starts(time: int) -> list[int]:
        found = []
        number = (time - align) // slide
        while align + number * slide + range_ > time:
            kept = number if repaired else (number + 2**31) % 2**32 - 2**31
            found.append(align + kept * slide)
            number -= 1
        return found

    return summed(events, range_, starts)


def one_window_too_many(
    events: Events, range_: int, slide: int, offset: int, *, repaired: bool = False
) -> Answers:
    """Whether an event is in one window more is judged by the distance from the wrong edge.

    bytewax/bytewax, issue 485 and pull request 486 (2024): the sliding windower took the distance from the end of the previous
    window for the one to the start of the next, and put an event into a window that it is not in.
    """

    def starts(time: int) -> list[int]:
        edge = offset if repaired else offset + range_
        number = range_ // slide + ((time - edge) % slide < range_ % slide)
        first = (time - offset - range_) // slide + 1
        return [offset + k * slide for k in range(first, first + number)]

    return summed(events, range_, starts)


def events_in_no_window(
    events: Events, range_: int, slide: int, offset: int, *, repaired: bool = False
) -> Answers:
    """Where the slide is larger than the size, an event may be in no window, and the pipeline fails.

    apache/beam, issue 36609 (2025): the Prism runner failed on sliding windows with a size smaller than their period.
    """

    def starts(time: int) -> list[int]:
        last = offset + (time - offset) // slide * slide
        found = [start for start in range(last, time - range_, -slide) if start + range_ > time]
        if repaired and not found:
            return []
        latest = max(found)  # the window that the watermark waits for
        return sorted({latest, *found})

    return summed(events, range_, starts)


def starts_of_negative_times(
    events: Events, range_: int, slide: int, offset: int, *, repaired: bool = False
) -> Answers:
    """The remainder of a negative number is negative, so the last window starts after the event.

    apache/flink, FLINK-26334, pull request 18982 (2022), and apache/spark, SPARK-39347, pull request 36737 (2022): both
    computed the start as time - (time - offset + slide) % slide.
    """

    def starts(time: int) -> list[int]:
        rest = remainder(time - offset + slide, slide)
        if repaired and rest < 0:
            rest += slide
        last = time - rest
        return [last - k * slide for k in range(-(-range_ // slide) + 1)]

    return summed(events, range_, lambda time: [start for start in starts(time) if start + range_ > time])


def first_rows_before_the_first_window(
    events: Events, range_: int, slide: int, offset: int, *, repaired: bool = False
) -> Answers:
    """Windows are counted from the first event's window plus the offset; what came before that is dropped.

    pola-rs/polars, issues 12035 (2023) and 15241 (2024): group_by_dynamic with an offset ignored the first rows.
    """
    if not events:
        return []
    first = (events[0][0] - range_) // slide * slide
    begin = first + offset - (slide if repaired else -range_ // slide * slide)
    kept = [event for event in events if event[0] >= begin]
    totals: Answers = []
    start = begin
    while start <= events[-1][0]:
        inside = [value for time, value in kept if start <= time < start + range_]
        if inside:
            totals.append((start, start + range_, sum(inside)))
        start += slide
    return totals


SCOTTY = "TU-Berlin-DIMA/scotty-window-processor"
PIECES: list[Any] = [
    Piece(slices_that_end_at_starts, f"{SCOTTY}#49", windows()),
    Piece(slicer_stuck_in_a_loop, f"{SCOTTY}#50", windows()),
    Piece(windows_that_have_ended, "apache/kafka#1462", windows(gaps=False)),
    Piece(windows_of_a_far_alignment, "bytewax/bytewax#413", windows()),
    Piece(one_window_too_many, "bytewax/bytewax#485", windows()),
    Piece(events_in_no_window, "apache/beam#36609", windows()),
    Piece(starts_of_negative_times, "apache/flink#18982, apache/spark#36737", windows()),
    Piece(first_rows_before_the_first_window, "pola-rs/polars#15241", windows()),
]
