"""Windows: which instances there are, what they contain, and where they cut the stream.

Boxes are judged here, on the code; what holds for all integers is proved in proofs/windows.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from swagcore.algebra.wrappers import words
from swagcore.durations import MICROSECONDS
from swagcore.ledger import by_size, claim, evidence, smallest
from swagcore.naive import instances, naive
from swagcore.windows import Query, Window

SIZES = range(1, 10)
TIMES = range(-25, 26)


def box() -> Iterator[tuple[int, int, int]]:
    """Every (range, slide, offset) up to 9, smallest first."""
    return ((r, s, o) for r, s, o in by_size(SIZES, SIZES, range(9)) if o < s)


BOX = "range and slide up to 9, every offset, times from -25 to 25"


def starts_near(range_: int, slide: int, offset: int) -> list[int]:
    """The starts around these times, by the definition: offset + k * slide for every integer k that comes near."""
    return [offset + k * slide for k in range(-60, 61)]


# What an instance is


@claim(
    "windows.starts",
    source="O windows",
    kind="definition",
    statement="""The instances of Window(range, slide, offset) that contain a time t start at those offset + k * slide,
    k any integer, with start <= t < start + range; `starts` gives just these, in order.""",
)
@evidence("exhaustive", scope=BOX)
def starts_are_those_that_contain_the_time() -> object:
    def holds(range: int, slide: int, offset: int) -> bool:
        near, window = starts_near(range, slide, offset), Window(range, slide, offset)
        return all(list(window.starts(t)) == [s for s in near if s <= t < s + range] for t in TIMES)

    return smallest(box(), holds)


@claim(
    "windows.offset_modulo",
    source="O windows",
    kind="statement",
    statement="""Windows whose offsets differ by a multiple of the slide are the same value, and no others are: theirs
    have other instances.""",
)
@evidence("exhaustive", scope="range and slide up to 6, offsets from -13 to 13")
def offsets_are_kept_modulo_the_slide() -> object:
    def holds(range_: int, slide: int, one: int, other: int) -> bool:
        a, b = Window(range_, slide, one), Window(range_, slide, other)
        same = any(one == other + k * slide for k in range(-30, 31))
        same_starts = set(starts_near(range_, slide, one)[30:90]) <= set(starts_near(range_, slide, other))
        return (a == b) == (hash(a) == hash(b)) == same == same_starts and 0 <= a.offset < slide

    offsets = sorted(range(-13, 14), key=abs)
    return smallest(by_size(range(1, 7), range(1, 7), offsets, offsets), holds)


@claim(
    "windows.ending",
    source="O windows",
    kind="statement",
    statement="""The instances of Window.ending(range, slide, offset) end at the times that leave the rest
    offset mod slide, at each of them and at no other.""",
)
@evidence("exhaustive", scope=BOX)
def ends_are_on_the_multiples() -> object:
    def holds(range: int, slide: int, offset: int) -> bool:
        window = Window.ending(range, slide, offset)
        # An instance ends at t where one starts at t - range, that is, where that time is the last of its own starts.
        return all((t - range in window.starts(t - range)) == (t % slide == offset) for t in TIMES)

    return smallest(box(), holds)


@claim(
    "windows.durations",
    source="O windows",
    kind="statement",
    statement="""A window given in durations is, over a stream in any unit, the window of the same numbers of that unit;
    without the unit of the stream it is not one.""",
)
@evidence("exhaustive", scope="each unit, range and slide up to 9, every offset, lags 0 and 3")
def durations_are_numbers_of_a_unit() -> object:
    def holds(range: int, slide: int, offset: int, lag: int, unit: str) -> bool:
        sizes = (f"{size} {unit}" for size in (range, slide, offset - slide))
        window = Window(*sizes, lag=f"{lag} {unit}")
        return window.to_unit(unit) == Window(range, slide, offset, lag=lag) != window

    return smallest(
        ((*sizes, lag, unit) for sizes in box() for lag in (0, 3) for unit in MICROSECONDS), holds
    )


# How many instances contain a time


@claim(
    "windows.instances_per_time",
    source="O windows",
    kind="formula",
    statement="A time is in floor(range / slide) or in ceil(range / slide) instances.",
)
@evidence("exhaustive", scope=BOX)
def instances_per_time() -> object:
    def holds(range: int, slide: int, offset: int) -> bool:
        window = Window(range, slide, offset)
        return all(range // slide <= len(window.starts(t)) <= -(-range // slide) for t in TIMES)

    return smallest(box(), holds)


@claim(
    "windows.instances_per_slide",
    source="O windows",
    kind="formula",
    statement="""Of any slide consecutive times, range mod slide are in floor(range / slide) + 1 instances and the others in
    floor(range / slide): range memberships in all.""",
)
@evidence("exhaustive", scope=BOX)
def instances_per_slide() -> object:
    def holds(range_: int, slide: int, offset: int) -> bool:
        window = Window(range_, slide, offset)
        for first in range(-25, 26 - slide):
            counts = [len(window.starts(t)) for t in range(first, first + slide)]
            if sum(counts) != range_ or counts.count(range_ // slide + 1) != range_ % slide:
                return False
        return True

    return smallest(box(), holds)


@claim(
    "windows.kinds",
    source="S §1",
    kind="definition",
    statement="""A window whose range is equal to or smaller than its slide is tumbling, otherwise sliding: the tumbling
    ones are just those of which no time is in two instances.""",
    remark="The thesis gives the name; what it separates is our reading.",
)
@evidence("exhaustive", scope=BOX)
def tumbling_windows_do_not_overlap() -> object:
    def holds(range: int, slide: int, offset: int) -> bool:
        window = Window(range, slide, offset)
        return (range <= slide) == all(len(window.starts(t)) <= 1 for t in TIMES)

    return smallest(box(), holds)


@claim(
    "windows.tumbling_tiles",
    source="W §2.1",
    kind="definition",
    statement="""With 0 < slide <= range a window is tumbling where slide = range, else hopping: every time is in an
    instance, and of the tumbling ones in just one.""",
)
@evidence("exhaustive", scope=BOX)
def tumbling_windows_tile() -> object:
    def holds(range: int, slide: int, offset: int) -> bool:
        counts = [len(Window(range, slide, offset).starts(t)) for t in TIMES]
        return min(counts) >= 1 and (slide == range) == (max(counts) == 1)

    return smallest(((r, s, o) for r, s, o in box() if s <= r), holds)


@claim(
    "windows.gaps",
    source="O windows",
    kind="statement",
    statement="""Where the slide is larger than the range, just the times with (t - offset) mod slide >= range are in no
    instance; elsewhere every time is in one.""",
)
@evidence("exhaustive", scope=BOX)
def gaps() -> object:
    def holds(range: int, slide: int, offset: int) -> bool:
        window = Window(range, slide, offset)
        return all((not window.starts(t)) == ((t - offset) % slide >= range) for t in TIMES)

    return smallest(box(), holds)


# The papers' windows are ours


@claim(
    "windows.s_example_1",
    source="S Ex 1",
    kind="example",
    statement="""A query with a range of 5 seconds and a slide of 3 is asked every 3 seconds, each time over the past 5
    seconds: at each multiple of 3 seconds one instance of Window.ending ends, and it contains the 5 seconds before.""",
)
@evidence("exhaustive", scope="seconds from -30 to 30")
def every_3_seconds_the_past_5() -> object:
    window = Window.ending("5 s", "3 s", unit="s")
    ending_at: dict[int, set[int]] = {}
    for second in range(-40, 41):
        for start in window.starts(second):
            ending_at.setdefault(start + window.range, set()).add(second)
    return smallest(
        sorted(range(-30, 31), key=abs),
        lambda now: ending_at.get(now) == (set(range(now - 5, now)) if now % 3 == 0 else None),
    )


@claim(
    "windows.a_time_based",
    source="A §2",
    kind="definition",
    statement="""The time-based window S[T_L, T_R], which at time tau contains the tuples with
    tau - T_L + 1 <= time <= tau - T_R, is Window(T_L - T_R, slide 1, lag T_R): its contents at tau are those of the
    instance that is reported at tau + 1, the moment when time tau is over.""",
)
@evidence(
    "exhaustive", scope="T_R < T_L up to 6, streams at every set of times from 0 to 5, tau from -1 to 12"
)
def historical_time_windows() -> object:
    def holds(t_left: int, t_right: int, chosen: int) -> bool:
        times = [time for time in range(6) if chosen >> time & 1]
        window = Window(t_left - t_right, 1, lag=t_right)
        answers = naive([Query("q", words, window)], [(time, time) for time in times])
        reported = {answer.end + window.lag: answer.value for answer in answers}
        return all(
            reported.get(tau + 1, ()) == tuple(t for t in times if tau - t_left + 1 <= t <= tau - t_right)
            for tau in range(-1, 13)
        )

    return smallest(
        ((tl, tr, c) for tl, tr, c in by_size(range(1, 7), range(6), range(64)) if tr < tl), holds
    )


@claim(
    "windows.a_tuple_based",
    source="A §2",
    kind="definition",
    statement="""The tuple-based window S[N_L, N_R], which at length r contains the tuples number
    max(r - N_L + 1, 1) to r - N_R, is Window.count(N_L - N_R, slide 1, lag N_R): its contents at length r are those of
    the instance that is reported at r.""",
    remark="Tuples are numbered from 1 there and from 0 here, so that no 1 is added as it is for times.",
)
@evidence("exhaustive", scope="N_R < N_L up to 7, streams of up to 12 tuples, each length r up to it")
def historical_tuple_windows() -> object:
    def holds(n_left: int, n_right: int, length: int) -> bool:
        window = Window.count(n_left - n_right, 1, lag=n_right)
        tuples = [(7 * number // 2, number) for number in range(1, length + 1)]  # times do not matter
        reported = {a.end + window.lag: a.value for a in naive([Query("q", words, window)], tuples)}
        return all(
            reported.get(r, ()) == tuple(range(max(r - n_left + 1, 1), r - n_right + 1))
            for r in range(length + 1)
        )

    return smallest(
        ((nl, nr, n) for nl, nr, n in by_size(range(1, 8), range(7), range(13)) if nr < nl), holds
    )


@claim(
    "windows.w_intervals",
    source="W §2.1.1",
    kind="definition",
    statement="""The interval representation {[m * s, m * s + r) : m >= 0} of W<r, s> is the set of the instances of
    Window(r, s) that start at 0 or later.""",
)
@evidence("exhaustive", scope="s <= r up to 9, intervals that start before 50")
def intervals_from_0_on() -> object:
    def holds(range_: int, slide: int) -> bool:
        found = [start for start in instances(Window(range_, slide), list(range(0, 50))) if start >= 0]
        return found == [m * slide for m in range(50) if m * slide < 50]

    return smallest(((r, s) for r, s in by_size(SIZES, SIZES) if s <= r), holds)


@claim(
    "windows.w_10_2",
    source="W §2.1.1",
    kind="example",
    statement="The interval representation of W<10, 2> is {[0, 10), [2, 12), [4, 14), ...}.",
)
@evidence("exhaustive", scope="the intervals that start before 20")
def intervals_of_10_2() -> object:
    dense = [(time, time) for time in range(40)]
    found = {(a.start, a.end): a.value for a in naive([Query("q", words, Window(10, 2))], dense)}
    return smallest(
        range(0, 20, 2), lambda start: found.get((start, start + 10)) == tuple(range(start, start + 10))
    )


@claim(
    "windows.before_0",
    source="O windows",
    kind="statement",
    statement="""Beside the intervals with m >= 0 of W §2.1.1, ceil(range / slide) - 1 instances of Window(range, slide)
    contain times from 0 on; they hold only times before range - slide, and each of those is in one of them.""",
)
@evidence("exhaustive", scope="range and slide up to 9, times from 0 to 25")
def instances_that_start_before_0() -> object:
    def holds(range_: int, slide: int) -> bool:
        window = Window(range_, slide)
        early = {start for t in range(26) for start in window.starts(t) if start < 0}
        touched = [t for t in range(26) if window.starts(t) and window.starts(t)[0] < 0]
        return len(early) == -(-range_ // slide) - 1 and touched == list(range(range_ - slide))

    return smallest(by_size(SIZES, SIZES), holds)


# Edges


def is_edge(window: Window, slicing: str, time: int) -> bool:
    return any(time % modulus == residue for residue, modulus in window.edges(slicing))


def is_start(window: Window, time: int) -> bool:
    return time in window.starts(time)


@claim(
    "windows.edges.pairs",
    source="O windows",
    kind="statement",
    statement="""Under pairs a window cuts at the times t with t mod slide = offset or t mod slide = (offset + range) mod
    slide: at the starts and ends of its instances and nowhere else.""",
)
@evidence("exhaustive", scope=BOX)
def pairs_cut_at_starts_and_ends() -> object:
    def holds(range: int, slide: int, offset: int) -> bool:
        window = Window(range, slide, offset)
        cut = [is_start(window, t) or is_start(window, t - range) for t in TIMES]
        return cut == [is_edge(window, "pairs", t) for t in TIMES]

    return smallest(box(), holds)


@claim(
    "windows.edges.cutty",
    source="O windows",
    kind="statement",
    statement="Under Cutty a window cuts at the starts of its instances and nowhere else.",
)
@evidence("exhaustive", scope=BOX)
def cutty_cuts_at_starts() -> object:
    def holds(range: int, slide: int, offset: int) -> bool:
        window = Window(range, slide, offset)
        return all(is_start(window, t) == is_edge(window, "cutty", t) for t in TIMES)

    return smallest(box(), holds)


@claim(
    "windows.edges.panes",
    source="O windows",
    kind="statement",
    statement="""Under panes a window cuts at offset + every multiple of g = gcd(range, slide). All starts and ends are
    among these cuts, and no coarser even spacing has them all.""",
)
@evidence("exhaustive", scope=BOX)
def panes_cut_evenly_and_coarsely() -> object:
    def holds(range_: int, slide: int, offset: int) -> bool:
        window = Window(range_, slide, offset)
        [(residue, spacing)] = window.edges("panes")
        marks = [t for t in TIMES if is_start(window, t) or is_start(window, t - range_)]
        fitting = [step for step in range(1, 10) if len({mark % step for mark in marks}) == 1]
        return spacing == max(fitting) == math.gcd(range_, slide) and {mark % spacing for mark in marks} == {
            residue
        }

    return smallest(box(), holds)
