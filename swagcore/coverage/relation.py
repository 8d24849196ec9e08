"""When the answers of one window can be put together from those of another.

`w1` is *covered by* `w2` where every instance of `w1` is the union of the instances of `w2` that lie inside it, and
*partitioned by* it where these do not overlap (W §2.2). An aggregate over `w1` can then be computed from the
sub-aggregates of `w2`: from a partition any, from a cover one that counts nothing twice (idempotent, as min and max).

The paper has windows that start at 0, with slide <= range. For all windows, offsets and gaps included:

- covered: slide1, offset1 - offset2 and range1 - range2 are multiples of slide2, range1 >= range2, and `w2` has no gaps
  (slide2 <= range2) unless the ranges are equal, where every instance of `w1` is one of `w2`;
- partitioned: covered, and `w2` is tumbling (slide2 == range2) or the ranges are equal.

So printed conditions change in three places. W Thm 1 lacks range1 >= range2: by its letter `W<1, 1>` is covered by
`W<2, 1>`. W Def 1 asks range1 > range2 unless the windows are the same, and thereby leaves out `W<2, 2>` from
`W<2, 1>`, whose every second answer it is. W Thm 4 asks for a tumbling `w2`, and thereby denies that a hopping window
is partitioned by itself. The lag of a window says when it answers, not what: it plays no part.
"""

from __future__ import annotations

from typing import Any

from swagcore.algebra import Aggregate
from swagcore.errors import InvalidArgument
from swagcore.windows import Steps, Window

COVERED, PARTITIONED = "covered by", "partitioned by"


def covered_by(w1: Window, w2: Window) -> bool:
    """Whether every instance of `w1` is the union of the instances of `w2` inside it: `w1` from `w2`.

    >>> covered_by(Window(10, 2), Window(8, 2)), covered_by(Window(8, 2), Window(10, 2))
    (True, False)
    >>> covered_by(Window(10, 4), Window(10, 2)), covered_by(Window(10, 4, 1), Window(10, 2)), covered_by(Window(6, 4), Window(2, 4))
    (True, False, False)
    """
    return _one_clock(w1, w2) and all(covering(w1, w2))


def partitioned_by(w1: Window, w2: Window) -> bool:
    """Whether every instance of `w1` is the union of the instances of `w2` inside it, and these do not overlap.

    >>> partitioned_by(Window(10, 2), Window(2, 2)), partitioned_by(Window(10, 2), Window(8, 2))
    (True, False)
    >>> partitioned_by(Window(10, 4), Window(10, 2))  # each instance is one of the other's
    True
    """
    return _one_clock(w1, w2) and all(covering(w1, w2)) and bool(disjoint(w1, w2))


def multiplier(w1: Window, w2: Window) -> int:
    """How many instances of `w2` lie inside one of `w1`, which is covered by it: 1 + (range1 - range2) / slide2.

    >>> multiplier(Window(10, 2), Window(8, 2)), multiplier(Window(40, 40), Window(10, 10))
    (2, 4)
    """
    if not covered_by(w1, w2):
        raise InvalidArgument("w1", w1, f"a window that is covered by {w2!r}")
    return int(inside(w1, w2))


def parts_of(w1: Window, w2: Window, start: int) -> Steps:
    """The starts of the instances of `w2` inside the instance of `w1` that starts at `start`.

    >>> list(parts_of(Window(10, 2), Window(6, 2), 4))
    [4, 6, 8]
    """
    return Steps(start, start + w1.range - w2.range + 1, w2.slide)


def covering(w1: Any, w2: Any) -> tuple[Any, ...]:
    """The conditions of `covered_by`; straight arithmetic, so that proofs can run it on symbols.

    >>> covering(Window(10, 4, 1), Window(10, 2))
    (True, False, True, True, True)
    """
    return (
        w1.slide % w2.slide == 0,
        (w1.offset - w2.offset) % w2.slide == 0,
        (w1.range - w2.range) % w2.slide == 0,
        w1.range >= w2.range,
        (w2.slide <= w2.range) | (w1.range == w2.range),
    )


def disjoint(w1: Any, w2: Any) -> Any:
    """Given that `w1` is covered by `w2`: whether no two instances of `w2` inside one of `w1` overlap.

    >>> disjoint(Window(10, 2), Window(2, 2)), disjoint(Window(10, 2), Window(8, 2))
    (True, False)
    """
    return (w2.slide == w2.range) | (w1.range == w2.range)


def inside(w1: Any, w2: Any) -> Any:
    """The number of `multiplier`, unchecked.

    >>> inside(Window(10, 2), Window(8, 2))
    2
    """
    return 1 + (w1.range - w2.range) // w2.slide


def relation_for(function: Aggregate) -> str:
    """Which of the two an aggregate needs: a cover where it is idempotent, a partition otherwise (W §3.1).

    Pieces that overlap are combined in the order of their starts, and so of their ends. Then `ab` and `bc` give `abbc = abc` for every
    associative and idempotent operation, commutative or not: W Thm 6 says so of min and max alone.

    >>> from swagcore.algebra import aggregate
    >>> relation_for(aggregate("max")), relation_for(aggregate("first")), relation_for(aggregate("sum"))
    ('covered by', 'covered by', 'partitioned by')
    """
    return COVERED if function.idempotent else PARTITIONED


def holds(relation: str, w1: Window, w2: Window) -> bool:
    """Whether `w1` stands in the relation of that name to `w2`.

    >>> holds("covered by", Window(10, 2), Window(8, 2)), holds("partitioned by", Window(10, 2), Window(8, 2))
    (True, False)
    """
    return covered_by(w1, w2) if relation == COVERED else partitioned_by(w1, w2)


def holistic(function: Aggregate) -> str | None:
    """Why sub-aggregates of this aggregate save nothing: they hold all the values. None where they do not.

    Of a user's own aggregate nobody can tell; it is taken as one whose partials stay small.

    >>> from swagcore.algebra import aggregate
    >>> holistic(aggregate("median"))
    "aggregate 'median' is holistic: its sub-aggregates hold all their values, so that sharing them saves nothing"
    >>> holistic(aggregate("top_k(3)"))
    """
    name = function.name
    if name in _HOLISTIC or name.startswith("quantile("):
        return (
            f"aggregate {name!r} is holistic: its sub-aggregates hold all their values, "
            "so that sharing them saves nothing"
        )
    return None


_HOLISTIC = ("median", "count_distinct", "collect_distinct", "concat")


def _one_clock(w1: Window, w2: Window) -> bool:
    """Whether both count the same thing; durations beside plain integers cannot be told."""
    for name, window in (("w1", w1), ("w2", w2)):
        if not isinstance(window, Window):
            raise InvalidArgument(name, window, "a Window")
    if w1.by_count != w2.by_count:
        return False
    if w1.unit != w2.unit:
        raise InvalidArgument(
            "windows", [w1, w2], "both in durations or both in plain integers (Window.to_unit makes them so)"
        )
    return True
