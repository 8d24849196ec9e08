"""What specs/windows.py says of windows, for all integers.

Products of unknowns are given as witnesses (range = q * slide + rest), so that z3 answers every question.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest import mock

from proofs.z3_tools import proved, unsat
from swagcore import windows as code
from swagcore.ledger import evidence

ALL = "all integers"


def sizes() -> tuple[Any, Any, Any, list[Any]]:
    """A window of any range, slide and offset, and what is always true of them."""
    import z3

    r, s, o = z3.Ints("range slide offset")
    return r, s, o, [r > 0, s > 0, o >= 0, o < s]


def symbolic_starts(r: Any, s: Any, o: Any, time: Any) -> tuple[Any, Any, Any]:
    """`Window.starts` itself, run on symbols: the first start, where they stop, and their step."""
    window: Any = SimpleNamespace(range=r, slide=s, offset=o)
    with mock.patch.object(code, "Steps", lambda *bounds: bounds):
        first, stop, step = code.Window.starts(window, time)
    return first, stop, step


def sign_of_product(i: Any, s: Any) -> list[Any]:
    """What z3 would search long for in a larger question, proved on its own: i * slide has the sign of i."""
    import z3

    facts = [z3.Implies(i >= 0, i * s >= 0), z3.Implies(i <= -1, i * s <= -s)]
    if unsat(s > 0, z3.Not(z3.And(*facts))) is not None:
        raise RuntimeError("a product of integers lost its sign")
    return facts


@evidence("proof", of="windows.starts", scope=ALL + ", the function itself run on symbols")
def starts_for_all_integers() -> object:
    """`starts` is first, first + step, ... below stop. Its i-th is the k-th instance, k = i - q, and both are in or out."""
    import z3

    r, s, o, given = sizes()
    t, k, q, rest = z3.Ints("time k q rest")
    first, stop, step = symbolic_starts(r, s, o, t)
    given += [o - (t - r + 1) == q * s + rest, rest >= 0, rest < s]
    start, i = o + k * s, k + q
    division = proved((o - (t - r + 1)) % s == rest, given=given, twin=rest == 0)
    if division is not None:
        return division
    # Now the remainder may be called by its name.
    named = z3.substitute(first, ((o - (t - r + 1)) % s, rest))
    same_place = proved(z3.And(step == s, start == named + i * step), given=given, twin=start == named)
    if same_place is not None:
        return same_place
    given += [start == named + i * s, *sign_of_product(i, s)]
    contains, listed = z3.And(start <= t, t < start + r), z3.And(i >= 0, start < stop)
    return proved(contains == listed, given=given, twin=listed)


@evidence("proof", of="windows.instances_per_time", scope=ALL)
def instances_per_time_for_all_integers() -> object:
    """There are n starts first, ..., first + (n - 1) * slide up to the time, the first within a slide of time - range."""
    import z3

    r, s, _, given = sizes()
    t, first, n, q, rest = z3.Ints("time first n q rest")
    given += [r == q * s + rest, rest >= 0, rest < s]
    given += [first >= t - r + 1, first <= t - r + s]
    given += [n >= 0, z3.Or(n == 0, first + (n - 1) * s <= t), t < first + n * s]
    ceiling = z3.If(rest == 0, q, q + 1)
    return proved(z3.And(q <= n, n <= ceiling), given=given, twin=n == q)


@evidence(
    "proof",
    of="windows.instances_per_time",
    scope=ALL + ": where the first start lies, by the function itself",
)
def first_start_for_all_integers() -> object:
    import z3

    r, s, o, given = sizes()
    t = z3.Int("time")
    first, stop, _ = symbolic_starts(r, s, o, t)
    inside = z3.And(first >= t - r + 1, first <= t - r + s, stop == t + 1)
    return proved(inside, given=given, twin=first <= t - r + s - 1)


@evidence("proof", of="windows.kinds", scope=ALL)
def tumbling_for_all_integers() -> object:
    """range <= slide: a time in instances k and k + d has d = 0. range > slide: the time offset + slide is in two."""
    import z3

    r, s, o, given = sizes()
    t, k, d = z3.Ints("time k d")
    given += [o + k * s <= t, t < o + k * s + r]
    second = [o + k * s + d * s <= t, t < o + k * s + d * s + r]
    apart = proved(d == 0, given=[*given, *second, r <= s], twin=t == o + k * s)
    if apart is not None:
        return apart
    both = z3.And(o <= o + s, o + s < o + r, o + s <= o + s, o + s < o + s + r)
    return proved(both, given=[*sizes()[3], r > s], twin=o + s == o + r - 1)


@evidence("proof", of="windows.gaps", scope=ALL)
def gaps_for_all_integers() -> object:
    """With t = offset + q * slide + rest: instance q has t where rest < range; where it is not, none has it."""
    import z3

    r, s, o, given = sizes()
    t, d, q, rest = z3.Ints("time d q rest")
    given += [t == o + q * s + rest, rest >= 0, rest < s]
    inside = proved(z3.And(o + q * s <= t, t < o + q * s + r), given=[*given, rest < r], twin=t == o + q * s)
    if inside is not None:
        return inside
    start, apart = o + q * s + d * s, sign_of_product(d, s)
    outside = proved(
        z3.Not(z3.And(start <= t, t < start + r)), given=[*given, *apart, rest >= r], twin=start <= t
    )
    if outside is not None:
        return outside
    return proved((t - o) % s == rest, given=given, twin=rest < r)


@evidence("proof", of="windows.ending", scope=ALL)
def ending_for_all_integers() -> object:
    """The k-th end is offset + (k - q) * slide, with offset - range = q * slide + rest: each multiple has its k."""
    import z3

    r, s, o, given = sizes()
    k, q, rest, m = z3.Ints("k q rest m")
    given += [o - r == q * s + rest, rest >= 0, rest < s]
    end = rest + k * s + r  # the offset is kept modulo the slide, and the instance is range long
    where = proved(end == o + (k - q) * s, given=given, twin=end == o)
    if where is not None:
        return where
    return proved((o + m * s) % s == o, given=sizes()[3], twin=o == 0)


@evidence("proof", of="windows.a_time_based", scope=ALL)
def time_based_for_all_integers() -> object:
    import z3

    left, right, tau, time = z3.Ints("T_L T_R tau time")
    given = [right >= 0, left > right]
    r, lag, start = left - right, right, tau - left + 1
    theirs = z3.And(tau - left + 1 <= time, time <= tau - right)
    ours = z3.And(start <= time, time < start + r)
    return proved(
        z3.And(theirs == ours, start + r + lag == tau + 1), given=given, twin=start + r + lag == tau
    )


@evidence("proof", of="windows.a_tuple_based", scope=ALL)
def tuple_based_for_all_integers() -> object:
    import z3

    left, right, length, number = z3.Ints("N_L N_R r i")
    given = [right >= 0, left > right, length >= 0, number >= 1, number <= length]
    r, lag, start, ordinal = left - right, right, length - left, number - 1
    largest = z3.If(length - left + 1 > 1, length - left + 1, 1)
    theirs = z3.And(largest <= number, number <= length - right)
    ours = z3.And(start <= ordinal, ordinal < start + r)
    return proved(
        z3.And(theirs == ours, start + r + lag == length), given=given, twin=start + r + lag == length + 1
    )


@evidence("proof", of="windows.before_0", scope=ALL + ": which times are in instances that start before 0")
def before_0_for_all_integers() -> object:
    import z3

    r, s, _, given = sizes()
    t, j = z3.Ints("time j")
    early = [*given, t >= 0, j >= 1, t < -j * s + r]  # in the instance that starts at -j * slide
    only = proved(t < r - s, given=early, twin=t < r - s - 1)
    if only is not None:
        return only
    return proved(z3.And(-s <= t, t < -s + r), given=[*given, t >= 0, t < r - s], twin=t < -s + r - 1)


@evidence("proof", of="windows.edges.pairs", scope=ALL + ": ends; starts are proved for Cutty")
def ends_for_all_integers() -> object:
    """An end has the residue (offset + range) mod slide; a time of that residue is the end of an instance."""
    import z3

    r, s, o, given = sizes()
    t, k, q, p, rest = z3.Ints("time k q p rest")
    given += [o + r == q * s + rest, rest >= 0, rest < s]
    residue = proved(
        (o + k * s + r) % s == rest, given=[*given, p == k + q, o + k * s + r == p * s + rest], twin=rest == 0
    )
    if residue is not None:
        return residue
    product = proved(o + k * s + r == (k + q) * s + rest, given=given, twin=k + q == 0)
    if product is not None:
        return product
    return proved(t == o + (p - q) * s + r, given=[*given, t == p * s + rest], twin=t == o + r)


@evidence("proof", of="windows.edges.pairs", scope=ALL + ": starts")
@evidence("proof", of="windows.edges.cutty", scope=ALL)
def starts_have_one_residue() -> object:
    """A start offset + k * slide has the residue offset; a time of that residue is a start, with k its quotient."""
    import z3

    _, s, o, given = sizes()
    t, k = z3.Ints("time k")
    residue = proved((o + k * s) % s == o, given=given, twin=o == 0)
    if residue is not None:
        return residue
    return proved(t == o + (t / s) * s, given=[*given, t % s == o], twin=t == o)


@evidence("proof", of="windows.edges.panes", scope=ALL + ", given the gcd by its witnesses")
def panes_for_all_integers() -> object:
    """slide = a * g, range = b * g, g = x * range + y * slide: marks are on the grid, and any grid of theirs divides g."""
    import z3

    r, s, o, given = sizes()
    g, a, b, x, y, k, m, a2, b2 = z3.Ints("g a b x y k m a2 b2")
    given += [g > 0, s == a * g, r == b * g, g == x * r + y * s]
    on_grid = z3.And(o + k * s == o + (k * a) * g, o + k * s + r == o + (k * a + b) * g)
    found = proved(on_grid, given=[s == a * g, r == b * g], twin=k * s == a * g)
    if found is not None:
        return found
    # A grid of spacing m that has the starts o and o + slide, and the end o + range, divides slide and range.
    other = [m > 0, s == a2 * m, r == b2 * m, g == x * r + y * s]
    return proved(g == (x * b2 + y * a2) * m, given=other, twin=g == m)
