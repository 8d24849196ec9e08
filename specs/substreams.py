"""Filters over many keys: CI-COUNT and CI-SUM of A §4, as printed and as mended.

What holds for every stream length is proved in proofs/substreams.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from swagcore.ledger import by_size, claim, evidence, smallest
from swagcore.substreams import CICount, CISum, PerKey, SubstreamFilter
from swagcore.substreams.levels import Stamps, level, level_of


def count_in(times: tuple[int, ...], range_: int, now: int) -> int:
    """COUNT over S[T, 0] at a time: elements with now - T + 1 <= time <= now. A §2."""
    return sum(now - range_ + 1 <= time <= now for time in times)


def streams(length: int, latest: int) -> Iterator[tuple[int, ...]]:
    """All sequences of times up to a length, in order, the shortest first; times from 0 on."""
    from itertools import combinations_with_replacement

    for size in range(length + 1):
        yield from combinations_with_replacement(range(latest + 1), size)


class AsPrinted:
    """A Figure 7, line by line, for one substream."""

    def __init__(self) -> None:
        self.length = 0
        self.tstamp: dict[int, int] = {}

    def update(self, time: int) -> None:
        self.length += 1
        p = 1
        z = ((self.length + p) & -(self.length + p)).bit_length() - 1  # trailing zeros
        for l in range(z, 0, -1):
            if l - 1 in self.tstamp:
                self.tstamp[l] = self.tstamp[l - 1]
        self.tstamp[0] = time

    def lookup(self, now: int, range_: int, v: int) -> bool:
        l = v.bit_length() - 1 - 1  # floor(log2 v) - 1
        return l in self.tstamp and self.tstamp[l] >= now - range_


def printed(times: tuple[int, ...]) -> AsPrinted:
    """The figure's state after a substream."""
    state = AsPrinted()
    for time in times:
        state.update(time)
    return state


# Levels


@claim(
    "substreams.level_size",
    source="A Def 4.1",
    kind="definition",
    statement="""Where the level of a position is the floor of the base-2 logarithm of its distance from the end of the
    substream (the last position has distance 1), level l consists of the 2^l distances from 2^l to 2^(l+1) - 1.""",
)
@evidence("exhaustive", scope="distances up to 4095, on the code's levels with p = 1")
def levels_are_powers_of_two() -> object:
    return smallest(
        range(1, 4096),
        lambda distance: (
            level_of(distance, 1).nearest <= distance <= level_of(distance, 1).farthest
            and level_of(distance, 1).nearest
            == level_of(distance, 1).width
            == 1 << (distance.bit_length() - 1)
        ),
    )


@claim(
    "substreams.one_multiple",
    source="A §4.1.1",
    kind="statement",
    statement="At any time a level l of a substream holds at most one position that is a multiple of 2^l.",
)
@evidence("exhaustive", scope="substreams of up to 600 elements, every level")
def one_multiple_a_level() -> object:
    def holds(length: int, number: int) -> bool:
        positions = [p for p in range(1, length + 1) if (length - p + 1).bit_length() - 1 == number]
        return sum(position % (1 << number) == 0 for position in positions) <= 1

    return smallest(((m, l) for m in range(1, 601) for l in range(m.bit_length())), holds)


@claim(
    "substreams.update",
    source="A Fig 7",
    kind="algorithm",
    statement="""UPDATE of CI-COUNT, which copies stamps from level to level, as many as m + 1 has trailing zeros, keeps
    for each level l the time of its position that is a multiple of 2^l, wherever there is one.""",
    remark="Copying from a level that has no stamp yet is read as leaving the next one without.",
)
@evidence("exhaustive", scope="substreams of up to 2000 elements, every level after every element")
def update_keeps_the_stamps() -> object:
    state = AsPrinted()
    for m in range(1, 2001):
        state.update(m)  # the time is the position
        for l in range(m.bit_length() + 1):
            first, last = max(1, m + 2 - (2 << l)), m + 1 - (1 << l)
            multiple = last - last % (1 << l)
            expected = multiple if multiple >= first else None
            if state.tstamp.get(l) != expected:
                return {"m": m, "level": l, "kept": state.tstamp.get(l), "expected": expected}
    return None


@claim(
    "substreams.stamps",
    source="A §4.1.2",
    kind="algorithm",
    statement="""With p levels of each width 1, 2, 4, ..., moving the stamps of width w one level on whenever w divides
    m + p keeps for each level that is full the time of its one position that is a multiple of w.""",
)
@evidence("exhaustive", scope="p up to 6, up to 400 elements, on the code")
def parameterized_update_keeps_the_stamps() -> object:
    def holds(p: int) -> bool:
        stamps = Stamps(p)
        for m in range(1, 401):
            stamps.insert(m)
            expected = []
            for number in range(m):
                one = level(number, p)
                last = m - one.nearest + 1
                multiple = last - last % one.width
                if multiple < 1:
                    break
                expected.append(multiple)
            if stamps.times != expected:
                return False
        return True

    return smallest(range(1, 7), holds)


# Looking up


@claim(
    "substreams.vth_element",
    source="A §4.1.1",
    kind="statement",
    expected="refuted",
    statement="""More than v elements came in the last T time units if and only if the v-th element from the end has a
    time greater than now - T.""",
)
@evidence("exhaustive", scope="up to 4 elements at times up to 3, v and T up to 4")
def more_than_v_by_the_vth() -> object:
    return by_the_element(lambda v: v)


@claim(
    "substreams.next_element",
    source="O substreams",
    kind="statement",
    corrects="substreams.vth_element",
    statement="""More than v elements came in the last T time units if and only if there is a (v + 1)-th element from the
    end and its time is greater than now - T.""",
)
@evidence("exhaustive", scope="up to 4 elements at times up to 3, v and T up to 4")
def more_than_v_by_the_next() -> object:
    return by_the_element(lambda v: v + 1)


def by_the_element(distance: Callable[[int], int]) -> object:
    def holds(times: tuple[int, ...], range_: int, v: int) -> bool:
        now, from_end = 3, distance(v)
        told = len(times) >= from_end and times[-from_end] > now - range_
        return (count_in(times, range_, now) > v) == told

    return smallest(((t, r, v) for t in streams(4, 3) for r in range(1, 5) for v in range(1, 5)), holds)


@claim(
    "substreams.lookup_as_printed",
    source="A Lemma 4.1",
    kind="theorem",
    expected="refuted",
    statement="""LOOKUP(now, T, v) of CI-COUNT as printed, which returns the keys whose stamp of level floor(log2 v) - 1 is
    at or after now - T, returns only keys with more than v / 4 elements in the window.""",
    remark="The window of T time units begins at now - T + 1 by A §2, and Example 4.1 compares with that time.",
)
@evidence("exhaustive", scope="up to 4 elements at times up to 3, v from 2 to 8, T up to 4")
def printed_lookup_is_within_a_quarter() -> object:
    def holds(times: tuple[int, ...], range_: int, v: int) -> bool:
        return not printed(times).lookup(3, range_, v) or 4 * count_in(times, range_, 3) > v

    return smallest(((t, r, v) for t in streams(4, 3) for r in range(1, 5) for v in range(2, 9)), holds)


@claim(
    "substreams.lookup_superset",
    source="A Lemma 4.1",
    kind="theorem",
    statement="""For v >= 2, LOOKUP as printed returns every key with more than v elements in the window.""",
)
@evidence("exhaustive", scope="up to 7 elements at times up to 3, v from 2 to 6, T up to 4")
def printed_lookup_loses_no_key() -> object:
    def holds(times: tuple[int, ...], range_: int, v: int) -> bool:
        return printed(times).lookup(3, range_, v) or count_in(times, range_, 3) <= v

    return smallest(((t, r, v) for t in streams(7, 3) for r in range(1, 5) for v in range(2, 7)), holds)


@claim(
    "substreams.lookup_small_v",
    source="A Fig 7",
    kind="algorithm",
    expected="refuted",
    statement="LOOKUP as printed returns every key with more than v elements in the window for every v >= 1.",
    remark="For v = 1 it asks for level -1; for v = 0, which (v, ∞) allows, for the logarithm of 0.",
)
@evidence("exhaustive", scope="up to 4 elements at times up to 3, v up to 4, T up to 4")
def printed_lookup_for_small_v() -> object:
    def holds(times: tuple[int, ...], range_: int, v: int) -> bool:
        return printed(times).lookup(3, range_, v) or count_in(times, range_, 3) <= v

    return smallest(((t, r, v) for t in streams(4, 3) for r in range(1, 5) for v in range(1, 5)), holds)


def error_of(p: int) -> Fraction:
    """ε as we state it."""
    return Fraction(3, 4) if p == 1 else Fraction(2, p + 2)


@claim(
    "substreams.above",
    source="O substreams",
    kind="theorem",
    corrects="substreams.lookup_as_printed",
    statement="""`above(v)` of CI-COUNT with parameter p returns every key with more than v elements in the window, and
    none with (1 - ε) v or fewer, where ε is 3/4 for p = 1 and 2 / (p + 2) for p >= 2; for every v >= 0.""",
)
@evidence(
    "exhaustive", scope="p up to {p}, up to {length} elements, every window and every v", p=5, length=24
)
@evidence(
    "exhaustive",
    scope="p up to {p}, up to {length} elements, every window and every v",
    p=7,
    length=70,
    profile="full",
)
def above_is_within_its_error(p: int, length: int) -> object:
    """Only how many elements are in the window matters, and at which distances; so distinct times lose nothing."""
    for parameter in range(1, p + 1):
        index = CICount(parameter)
        for m in range(1, length + 1):
            index.insert("k", m)
            for count in range(1, m + 1):
                for v in range(m + 2):
                    returned = bool(index.above(v, count, m))
                    if (count > v and not returned) or (returned and count <= (1 - error_of(parameter)) * v):
                        return {
                            "p": parameter,
                            "elements": m,
                            "in the window": count,
                            "v": v,
                            "returned": returned,
                        }
    return None


@claim(
    "substreams.small_v",
    source="O substreams",
    kind="statement",
    corrects="substreams.lookup_small_v",
    statement="`above(v)` returns every key with more than v elements for every v >= 0, and for v < p no other.",
)
@evidence("exhaustive", scope="p up to 4, up to 9 elements, every window, v up to 9")
def small_v_is_there() -> object:
    for p in range(1, 5):
        index = CICount(p)
        for m in range(1, 10):
            index.insert("k", m)
            for count in range(1, m + 1):
                for v in range(10):
                    returned = bool(index.above(v, count, m))
                    if (count > v and not returned) or (v < p and returned != (count > v)):
                        return {"p": p, "elements": m, "in the window": count, "v": v, "returned": returned}
    return None


def smallest_share(p: int, most: int) -> Fraction:
    """The smallest count / v with which a key was returned by `above(v)`, over v up to a number."""
    least = Fraction(1)
    for v in range(1, most + 1):
        index = CICount(p)
        for m in range(1, 3 * v + 3):
            index.insert("k", m)
            if m >= v:
                fewest = next((count for count in range(1, v + 1) if index.above(v, count, m)), v)
                least = min(least, Fraction(fewest, v))
    return least


@claim(
    "substreams.error_1",
    source="A Lemma 4.1",
    kind="formula",
    statement="With one level a width, ε = 3/4, and no smaller ε is right.",
)
@evidence(
    "exhaustive",
    scope="shares found for v up to 29, which come within 1/60 of 1/4; the bound itself: substreams.above",
)
def error_for_one() -> object:
    share = smallest_share(1, 29)
    return (
        None if Fraction(1, 4) < share < Fraction(1, 4) + Fraction(1, 30) else {"smallest share": str(share)}
    )


@claim(
    "substreams.error_2",
    source="A §4.1.2",
    kind="formula",
    statement="With p = 2 levels a width, ε = 1/2, and no smaller ε is right.",
)
@evidence(
    "exhaustive",
    scope="shares found for v up to 28, which come within 1/20 of 1/2; the bound itself: substreams.above",
)
def error_for_two() -> object:
    share = smallest_share(2, 28)
    return (
        None if Fraction(1, 2) < share < Fraction(1, 2) + Fraction(1, 20) else {"smallest share": str(share)}
    )


@claim(
    "substreams.error_p",
    source="A §4.1.2",
    kind="formula",
    statement="As p grows, ε falls like 2 / p.",
    remark="Exactly, it is 2 / (p + 2) for p >= 2: substreams.above.",
)
@evidence("symbolic", scope="the limit of ε p for the exact ε, which substreams.above judges")
def error_falls_like_two_over_p() -> object:
    import sympy

    p = sympy.symbols("p", positive=True)
    exact = {n: error_of(n) for n in (2, 3, 10)}
    formula = 2 / (p + 2)
    if any(formula.subs(p, n) != sympy.Rational(e.numerator, e.denominator) for n, e in exact.items()):
        return "the formula is not the code's"
    limit = sympy.limit(formula * p, p, sympy.oo)
    return None if limit == 2 else f"the limit is {limit}"


@claim(
    "substreams.below_as_stated",
    source="A §4.1",
    kind="statement",
    expected="refuted",
    statement="""For ranges (0, v), CI-COUNT returns only keys with fewer than (1 + ε) v elements in the window, with the
    same ε = 3/4 as for ranges (v, ∞).""",
    remark="""The lookup takes the first level all of whose distances are at least v: a nearer one loses keys, and a
    farther one returns more.""",
)
@evidence("exhaustive", scope="p = 1, up to 24 elements, every window and every v")
def below_within_one_plus_error() -> object:
    return below_case(1, lambda v: (1 + error_of(1)) * v)


@claim(
    "substreams.below",
    source="O substreams",
    kind="theorem",
    corrects="substreams.below_as_stated",
    statement="""`below(v)` returns every key with 1 to v - 1 elements in the window, and none with v / (1 - ε) or more, ε
    as for `above`.""",
)
@evidence("exhaustive", scope="p up to 4, up to 24 elements, every window and every v")
def below_within_the_inverse() -> object:
    cases = (below_case(p, lambda v, p=p: v / (1 - error_of(p))) for p in range(1, 5))
    return next((case for case in cases if case is not None), None)


def below_case(p: int, limit: Callable[[int], Fraction]) -> object:
    def returned(m: int, count: int, v: int) -> bool:
        index = CICount(p)
        for time in range(1, m + 1):
            index.insert("k", time)
        return bool(index.below(v, count, m))

    def holds(m: int, count: int, v: int) -> bool:
        told = returned(m, count, v)
        return (told or not 0 < count < v) and (not told or count < limit(v))

    return smallest(((m, c, v) for m in range(1, 25) for c in range(1, m + 1) for v in range(m + 2)), holds)


# The worked example


@claim(
    "substreams.example_window",
    source="A Ex 4.1",
    kind="example",
    statement="At time 106, the last 20 time units are the times 87 to 106.",
)
@evidence("exhaustive", scope="every time from 0 to 200")
def example_window() -> object:
    return smallest(range(201), lambda time: bool(count_in((time,), 20, 106)) == (87 <= time <= 106))


@claim(
    "substreams.example_level",
    source="A Ex 4.1",
    kind="example",
    statement="For v = 11 the level is 2, whose positions are at a distance of 4 to 7 from the end.",
)
@evidence("exhaustive", scope="the example")
def example_level() -> object:
    asked = (11).bit_length() - 1 - 1
    distances = [distance for distance in range(1, 50) if level_of(distance, 1).number == asked]
    return None if (asked, distances) == (2, [4, 5, 6, 7]) else {"level": asked, "distances": distances}


# Costs


@claim(
    "substreams.space",
    source="A Thm 4.1",
    kind="complexity",
    statement="""A key with n elements needs floor(log2(n + 1)) stamps, so that all keys together need O(keys log n).""",
)
@evidence("exhaustive", scope="n up to 4096")
def stamps_a_key() -> object:
    stamps = Stamps(1)
    for n in range(1, 4097):
        stamps.insert(n)
        if len(stamps.times) != (n + 1).bit_length() - 1:
            return {"n": n, "stamps": len(stamps.times)}
    return None


@claim(
    "substreams.update_cost",
    source="A Thm 4.1",
    kind="complexity",
    statement="An update changes O(p) stamps amortized: fewer than 2p, over any number of elements.",
)
@evidence("exhaustive", scope="p up to 6, every number of elements up to 4096")
def stamps_changed() -> object:
    for p in range(1, 7):
        stamps, changed = Stamps(p), 0
        for n in range(1, 4097):
            changed += len(stamps.insert(n))
            if changed >= 2 * p * n:
                return {"p": p, "elements": n, "changed": changed}
    return None


@claim(
    "substreams.below_cost",
    source="A §4.1.2",
    kind="complexity",
    expected="refuted",
    statement="A lookup touches as many stamps as it returns keys, also for ranges (0, v), whose output may be empty.",
)
@evidence("exhaustive", scope="one key more at a time, 2 events each, v = 2, up to 4 keys")
def below_touches_its_output() -> object:
    def holds(keys: int) -> bool:
        index = CICount(1)
        for time in range(3):
            for key in range(keys):
                index.insert(key, time)
        touched = 0
        since = index._since

        def counted(*arguments: object) -> list[int]:
            nonlocal touched
            found = since(*arguments)  # type: ignore[arg-type]
            touched += len(found)
            return found

        index._since = counted  # type: ignore[method-assign]
        return len(index.below(2, 3, 2)) == touched

    return smallest(range(1, 5), lambda keys: holds(keys))


# Sums, and exact answers


@claim(
    "substreams.sum",
    source="A §4.2",
    kind="algorithm",
    statement="""Adding a value a at once keeps the same stamps as adding a elements one by one, and changes at most p
    stamps of each width that has a multiple among m + p + 1 to m + p + a: O(p log a) amortized, for at most log2(a) + 1
    widths are no larger than a, and the larger ones are passed as seldom as by single elements.""",
)
@evidence("exhaustive", scope="p up to 4, three values up to 40 each")
def values_at_once() -> object:
    def holds(p: int, *values: int) -> bool:
        bulk, single = Stamps(p), Stamps(p)
        for time, value in enumerate(values):
            before = bulk.length + p
            changed = len(bulk.insert(time, value))
            passed = sum((before + value) >> group != before >> group for group in range(before + value))
            if changed > p * passed:
                return False
            for _ in range(value):
                single.insert(time)
        return bulk.times == single.times

    sizes = [*range(10), 15, 16, 17, 31, 40]
    return smallest(by_size(range(1, 5), sizes, sizes, sizes), holds)


@claim(
    "substreams.exact",
    source="A §4.1",
    kind="algorithm",
    statement="""Asking each key that CI-COUNT (or CI-SUM) returns for its own count (or sum) gives the exact answer, for
    ranges (v, ∞) and (0, v).""",
)
@evidence(
    "exhaustive",
    scope="two keys, up to 4 elements of value 0 to 2 at times up to 2, v up to 5, every window, p = 1 and 2",
)
def postprocessing_is_exact() -> object:
    from itertools import product

    for size in range(5):
        for times in (t for t in streams(size, 2) if len(t) == size):
            for keys in product("ab", repeat=size):
                for values in product(range(3), repeat=size) if size < 4 else [(1, 2, 0, 2), (2, 2, 1, 1)]:
                    for aggregate in ("count", "sum"):
                        for p in (1, 2):
                            one, plain = SubstreamFilter(aggregate, p), PerKey(aggregate)
                            for time, key, value in zip(times, keys, values, strict=True):
                                one.insert(key, time, value)
                                plain.insert(key, time, value)
                            for v, range_ in product(range(6), range(1, 4)):
                                if one.above(v, range_, 2) != plain.above(v, range_, 2) or one.below(
                                    v, range_, 2
                                ) != plain.below(v, range_, 2):
                                    return {
                                        "events": list(zip(times, keys, values, strict=True)),
                                        "v": v,
                                        "range": range_,
                                    }
    return None


@claim(
    "substreams.sum_error",
    source="A §4.2",
    kind="statement",
    statement="CI-SUM has for sums the error that CI-COUNT has for counts.",
)
@evidence("exhaustive", scope="p = 1 and 2, one key, four values up to 6, every window, v up to 25")
def sums_within_the_error() -> object:
    def holds(p: int, *values: int) -> bool:
        index = CISum(p)
        for time, value in enumerate(values):
            index.insert("k", time, value)
        for range_ in range(1, len(values) + 1):
            total = sum(values[-range_:])
            for v in range(26):
                returned = bool(index.above(v, range_, len(values) - 1))
                if (total > v and not returned) or (returned and total <= (1 - error_of(p)) * v):
                    return False
        return True

    return smallest(by_size((1, 2), range(7), range(7), range(7)), holds)
