"""What specs/intervals.py says of base and landmark intervals, for all integers."""

from __future__ import annotations

from proofs.z3_tools import proved
from swagcore.aggregators.b_int import BInt
from swagcore.algebra import intervals
from swagcore.ledger import evidence, smallest

ALL = "all integers"


@evidence("proof", of="intervals.base_halves", scope=ALL + ", w = 2^(l - 1) any positive width")
def two_halves() -> object:
    """(2w i + 1, 2w (i + 1)) is (w (2i) + 1, w (2i + 1)) and (w (2i + 1) + 1, w (2i + 2)); no other interval of width w
    that begins after a multiple of w lies inside."""
    import z3

    w, i, j = z3.Ints("w i j")
    left = (w * (2 * i) + 1, w * (2 * i + 1))
    right = (w * (2 * i + 1) + 1, w * (2 * i + 2))
    whole = (2 * w * i + 1, 2 * w * (i + 1))
    given = [w >= 1, i >= 0]
    union = z3.And(left[0] == whole[0], left[1] + 1 == right[0], right[1] == whole[1])
    found = proved(union, given=given, twin=left[1] == right[0])
    if found is not None:
        return found
    # Inside means 2i <= j <= 2i + 1: the products are compared by their factors, as w is positive.
    inside = z3.And(w * j >= 2 * w * i, w * (j + 1) <= 2 * w * (i + 1))
    factor = [
        z3.Implies(j <= 2 * i - 1, w * j <= w * (2 * i - 1)),
        z3.Implies(j >= 2 * i + 2, w * j >= w * (2 * i + 2)),
    ]
    return proved(
        z3.Implies(inside, z3.Or(j == 2 * i, j == 2 * i + 1)),
        given=[*given, *factor],
        twin=z3.Implies(inside, j == 2 * i),
    )


def pieces(start: int, stop: int) -> int:
    """How many base intervals `BInt` takes for the positions start .. stop - 1, counted from 0: an odd end is one of its own,
    and the rest is the same question among the pairs."""
    if start >= stop:
        return 0
    odd_start, odd_stop = start % 2, stop % 2
    if odd_start and stop - start == 1:
        return 1
    return odd_start + odd_stop + pieces((start + odd_start) // 2, (stop - odd_stop) // 2)


@evidence(
    "exhaustive",
    of="intervals.thm_3_1",
    scope="the recursion below is what the code takes: all intervals within 0 .. 96",
)
def recursion_and_code_agree() -> object:
    window = BInt(intervals)
    for position in range(96):
        window.insert((position, position + 1))
    cases = ((start, stop) for start in range(96) for stop in range(start + 1, 97))
    return smallest(cases, lambda start, stop: len(window._intervals(start, stop)) == pieces(start, stop))


@evidence("induction", of="intervals.thm_3_1", scope="every width")
def few_base_intervals_for_all() -> object:
    """By induction over the width, along the recursion: W goes to (W - s) / 2, s the number of odd ends, 0 to 2.

    With x = floor(log2(W + 2)), y = floor(log2((W + 2) / 3)), a = 2^x and b = 2^y, the bound x + y falls by s or more with each
    step. As 3b <= W + 2 < 6b, a is 2b or 4b. The next W + 2 is at least half, so x and y fall by at most one; they do
    fall where it is below a, below 3b. At the end, W = 0, the bound is 1 - 1 = 0.
    """
    import z3

    width, b, s, following = z3.Ints("width b s following")
    for ratio in (2, 4):
        a = ratio * b
        given = [width >= 1, b >= 1, s >= 0, s <= 2, 2 * following == width - s, following >= 0]
        given += [a <= width + 2, width + 2 < 2 * a, 3 * b <= width + 2, width + 2 < 6 * b]
        later = following + 2
        within = z3.And(2 * later >= a, later < 2 * a, 2 * later >= 3 * b, later < 6 * b)
        found = proved(within, given=given, twin=2 * later >= 3 * b + 2)
        if found is not None:
            return found
        falls = z3.If(later < a, 1, 0) + z3.If(later < 3 * b, 1, 0)
        found = proved(falls >= s, given=given, twin=falls > s)
        if found is not None:
            return found
    return None


@evidence("proof", of="intervals.thm_3_3", scope=ALL)
def two_landmark_intervals_for_all() -> object:
    """With l - 1 == q W_min + rest, the first landmark at or after l is (q + 1) W_min; it is within the interval, and cuts it
    in two that begin or end there, or it is l itself."""
    import z3

    l, r, least, most, q, rest = z3.Ints("l r least most q rest")
    given = [l >= 1, least >= 1, most >= least, r - l + 1 >= least, r - l + 1 <= most]
    given += [l - 1 == q * least + rest, rest >= 0, rest < least]
    landmark = q * least + least
    before, since = landmark - l, r - landmark + 1  # the widths of the two pieces
    split = z3.And(
        l <= landmark,
        landmark <= r,
        before + since == r - l + 1,
        before >= 0,
        before <= most,
        since >= 1,
        since <= most,
    )
    return proved(split, given=given, twin=z3.And(split, before >= 1))
