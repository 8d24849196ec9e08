"""Counting edges: tables, the examples of S chapter 5, every method against walking, and bad input."""

from __future__ import annotations

import itertools
import math
import random
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import swagcore as sw
from swagcore.edges import best, bitset, f1
from swagcore.edges.classes import divisors, reduced, small_factors
from swagcore.edges.f1_table import GcdTable
from swagcore.edges.overlap import common, fragments, overlap, shifts
from swagcore.errors import InvalidArgument, UnknownName

METHODS = ["bitset", "f1", "f1_table", "best"]


def walked(pairs):
    """(edges, period), by walking over every time of the composite slide."""
    period = math.lcm(*(slide for slide, _ in pairs))
    edges = sum(any(t % slide == shift % slide for slide, shift in pairs) for t in range(period))
    return edges, period


# Tables


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "pairs, expected",
    [
        ([], (0, 1)),
        ([(1, 0)], (1, 1)),
        ([(7, 0)], (1, 7)),
        ([(7, 3)], (1, 7)),
        ([(2, 0), (2, 1)], (2, 2)),  # not a duplicate: the shifts differ
        ([(2, 0), (4, 1)], (3, 4)),  # not a multiple: the shifts differ
        ([(2, 1), (4, 1)], (2, 4)),  # inside, and still the composite slide is 4
        ([(2, 0), (4, 0)], (2, 4)),
        ([(1, 0), (6, 5)], (6, 6)),
        ([(3, 0), (6, 3)], (2, 6)),
        ([(3, 0), (6, 2)], (3, 6)),
        ([(4, 9), (4, 1), (4, -3)], (1, 4)),  # one class, written in three ways
        ([(2, 0), (4, 0)] * 1000, (2, 4)),
    ],
)
def test_count(pairs, expected, method):
    assert sw.edges.count(pairs, method=method) == expected


@pytest.mark.parametrize(
    "classes, kept",
    [
        ([], []),
        ([(0, 6), (0, 3)], [(0, 3)]),
        ([(1, 6), (0, 3)], [(0, 3), (1, 6)]),
        ([(0, 1), (5, 7)], [(0, 1)]),
        ([(0, 2), (1, 2), (3, 4)], [(0, 2), (1, 2)]),
    ],
)
def test_reduced(classes, kept):
    assert reduced(classes) == kept


def test_reduced_by_divisors_as_by_trial():
    rng = random.Random(5)
    for _ in range(50):
        classes = {(rng.randrange(m), m) for m in rng.choices(range(2, 400), k=60)}
        by_trial = [
            (r, m) for r, m in classes if not any(m != n and m % n == 0 and r % n == s for s, n in classes)
        ]
        assert sorted(reduced(classes)) == sorted(by_trial)


def test_divisors_and_factors():
    for n in [*range(1, 500), 997 * 991, 2**19, 720720]:
        assert sorted(divisors(n)) == [d for d in range(1, n) if n % d == 0]
        primes, rest = small_factors(n)
        assert math.prod(power for _, power in primes) * rest == n
    assert small_factors(1009**2) == ((), 1009**2)  # no prime below 1,000 divides it


@pytest.mark.parametrize(
    "range_, slide, expected", [(7, 5, (3, 2)), (9, 3, (3,)), (2, 5, (3, 2)), (4, 4, (4,))]
)
def test_fragments(range_, slide, expected):
    assert fragments(range_, slide) == expected
    window = sw.Window.ending(range_, slide)
    assert sorted((m, r) for r, m in window.edges("pairs")) == sorted(shifts(range_, slide))


# The examples of S chapter 5, number by number


def marked_one_after_the_other(queries):
    """How many bits are set after each query is marked, walking by its fragments as S §5.2.1 does."""
    period = math.lcm(*(sum(pieces) for pieces in queries))
    bits, counts = set(), []
    for pieces in queries:
        at = 0
        for piece in itertools.cycle(pieces):
            at += piece
            if at > period:
                break
            bits.add(at)
        counts.append(len(bits))
    return counts


def test_example_8():
    slides = [(2, 0), (3, 0), (4, 0), (5, 0), (6, 0)]
    assert marked_one_after_the_other([(2,), (3,), (4,), (5,), (6,)]) == [30, 40, 40, 44, 44]
    assert {sw.edges.count(slides, method=method) for method in METHODS} == {(44, 60)}


def test_example_9():
    classes = [(0, slide) for slide in (2, 3, 4, 5, 6)]
    series = f1.terms(classes)
    assert series == [87, 70, 36, 10, 1]
    assert 87 - 70 + 36 - 10 + 1 == 44


def test_examples_10_and_12():
    pairs = [(3, 0), (4, 0), (4, 3), (6, 0), (6, 2), (9, 0)]
    assert marked_one_after_the_other([(3,), (3, 1), (2, 4), (9,)]) == [12, 24, 27, 27]
    assert {sw.edges.count(pairs, method=method) for method in METHODS} == {(27, 36)}
    assert f1.terms([(shift, slide) for slide, shift in pairs])[:4] == [46, 26, 8, 1]


def test_equation_5_10_crosses_out_the_pairs_that_do_not_overlap():
    classes = [(0, 3), (3, 4), (2, 6), (0, 9), (0, 4), (0, 6)]
    crossed = {pair for pair in itertools.combinations(classes, 2) if not overlap(*pair)}
    assert crossed == {
        ((0, 3), (2, 6)),
        ((3, 4), (2, 6)),
        ((3, 4), (0, 4)),
        ((3, 4), (0, 6)),
        ((2, 6), (0, 9)),
        ((2, 6), (0, 6)),
    }


def test_example_11():
    assert common((0, 3), (3, 6)) == (3, 6) and common((0, 3), (2, 6)) is None


# Every method against walking, and against the others


def small_boxes():
    classes = [(slide, shift) for slide in range(1, 7) for shift in range(slide)]
    return itertools.chain.from_iterable(itertools.combinations(classes, n) for n in range(1, 4))


def test_every_method_on_every_set_of_up_to_three_small_slides():
    for pairs in small_boxes():
        expected = walked(pairs)
        for method in METHODS:
            assert sw.edges.count(pairs, method=method) == expected, (method, pairs)


def test_the_search_itself_on_the_same(monkeypatch):
    """Without the short cuts, which answer everything small before the search begins."""
    monkeypatch.setattr(best, "SMALL_PERIOD", 0)
    monkeypatch.setattr(best, "FEW", 1)
    monkeypatch.setattr(best, "MOST_GROUPS", 0)
    for pairs in small_boxes():
        assert sw.edges.count(pairs) == walked(pairs), pairs


edges = st.lists(
    st.integers(1, 36).flatmap(lambda slide: st.tuples(st.just(slide), st.integers(0, slide - 1))),
    min_size=1,
    max_size=9,
).filter(lambda pairs: math.lcm(*(slide for slide, _ in pairs)) < 30_000)


@given(edges)
def test_all_methods_agree(pairs):
    expected = walked(pairs)
    for method in METHODS:
        assert sw.edges.count(pairs, method=method) == expected


@pytest.mark.parametrize("few, small_period", [(1, 0), (1, 64), (3, 0), (8, 1 << 14)])
def test_the_search_against_the_bit_set(monkeypatch, few, small_period):
    """Slides with many primes in common and twice the same slide: coins, merging, containment and digits all happen."""
    monkeypatch.setattr(best, "SMALL_PERIOD", small_period)
    monkeypatch.setattr(best, "FEW", few)
    monkeypatch.setattr(best, "MOST_GROUPS", 0)
    rng = random.Random(few + small_period)
    for _ in range(300):
        some = rng.sample(
            [4, 6, 8, 9, 10, 12, 15, 18, 20, 24, 25, 30, 36, 14, 21, 28, 35, 42], rng.randint(3, 8)
        )
        classes = {(rng.randrange(m), m) for m in some + some[:2]}
        assert Fraction(*bitset.edges(classes)) == best.density(classes), classes


def test_the_search_on_many_slides_against_the_bit_set():
    rng = random.Random(9)
    smooth = [d for d in divisors(2**5 * 3**3 * 5**2 * 7 * 11) if d >= 20]
    for n in (20, 60, 120):
        classes = {(rng.randrange(m), m) for m in rng.sample(smooth, n)}
        assert Fraction(*bitset.edges(classes)) == best.density(classes)


@pytest.mark.slow
def test_the_search_on_many_large_sets_against_the_bit_set():
    rng = random.Random(12)
    slides = [d for d in range(12, 2000) if (2**6 * 3**4 * 5**2 * 7 * 11) % d == 0]
    for _ in range(300):
        classes = {(rng.randrange(m), m) for m in rng.choices(slides, k=rng.randint(5, 150))}
        assert Fraction(*bitset.edges(classes)) == best.density(classes), classes


def test_large_slides_that_cannot_be_factored():
    """Products of large numbers p, q, r: only their common divisors matter. By inclusion and exclusion, by hand."""
    p, q, r = 10**50 + 151, 10**50 + 577, 10**50 + 709
    assert math.gcd(p, q) == math.gcd(q, r) == math.gcd(p, r) == 1
    edges, period = sw.edges.count([(p * q, 1), (q * r, 1), (r * p, 1)])
    assert period == p * q * r
    assert edges == p + q + r - 3 + 1
    edges, _ = sw.edges.count([(p * q, 1), (q * r, 2), (r * p, 3)])
    assert edges == p + q + r  # no two overlap


def test_a_thousand_primes_multiply():
    primes = [n for n in range(2, 8000) if all(n % d for d in range(2, math.isqrt(n) + 1))][:1000]
    uncovered = math.prod((1 - Fraction(1, p) for p in primes), start=Fraction(1))
    assert sw.edges.density((p // 2, p) for p in primes) == 1 - uncovered


def test_order_and_repetition_do_not_matter():
    classes = [(0, 4), (2, 6), (1, 10), (3, 15)]
    expected = sw.edges.density(classes)
    assert all(sw.edges.density(order) == expected for order in itertools.permutations(classes + classes[:1]))


# The table of GCDs


def test_gcd_table():
    small = GcdTable(200)  # limit 10: beyond it Euclid's steps come first
    assert small.limit == 10
    for a in range(0, 60):
        for b in range(0, 60):
            assert small.gcd(a, b) == math.gcd(a, b), (a, b)
    assert small.gcd(10**100, 6**50) == math.gcd(10**100, 6**50)


# Intervals


@given(edges)
def test_bounds_contain_the_density(pairs):
    classes = [(shift, slide) for slide, shift in pairs]
    low, high = sw.edges.bounds(classes)
    assert 0 <= low <= Fraction(*walked(pairs)) <= high <= 1
    for deadline in (0, math.inf):
        low, high = best.interval(classes, deadline)
        assert 0 <= low <= Fraction(*walked(pairs)) <= high <= 1


def test_bounds_count_only_what_pairs_leave_out():
    for pairs in small_boxes():
        low, high = sw.edges.bounds((shift, slide) for slide, shift in pairs)
        edges, period = walked(pairs)
        assert low <= Fraction(edges, period) <= high, pairs
        if len(pairs) < 3:
            assert high - low < Fraction(1, 2**60)


def hard_set(n=400):
    rng = random.Random(1)
    return [(slide, rng.randrange(slide)) for slide in rng.sample(range(501, 1001), n)]


def test_a_set_beyond_every_method_gets_an_interval_in_time():
    begun = time.monotonic()
    with pytest.raises(
        sw.edges.TooHard, match=r"400 residue classes were not counted within 0.5 s"
    ) as caught:
        sw.edges.count(hard_set(), seconds=0.5)
    assert time.monotonic() - begun < 60  # not a measure of speed: it did not hang
    period = math.lcm(*(slide for slide, _ in hard_set()))
    assert isinstance(caught.value.low, int) and 0 < caught.value.low <= caught.value.high <= period
    low, high = sw.edges.bounds((shift, slide) for slide, shift in hard_set())
    assert low * period <= caught.value.high and caught.value.low <= high * period
    with pytest.raises(sw.edges.TooHard) as caught:
        sw.edges.density(((shift, slide) for slide, shift in hard_set()), seconds=0.5)
    assert isinstance(caught.value.low, Fraction) and 0 < caught.value.low <= caught.value.high <= 1


def test_the_interval_of_a_set_that_ran_out_of_time_is_true():
    rng = random.Random(3)
    for n in (30, 60, 90):
        classes = {(rng.randrange(m), m) for m in rng.sample(range(100, 400), n)}
        for seconds in (-1, 0.01, 0.03, 0.1, 60):
            low, high = best.interval(classes, time.monotonic() + seconds)
            assert low <= sw.edges.density(classes) <= high


@pytest.mark.parametrize(
    "chain",
    [
        [
            (2**k, 2 ** (k - 1)) for k in range(1, 2000)
        ],  # the coins of these ran for minutes, past every limit
        [(3 * 2**k * (5 if k % 2 else 7), 2 ** (k - 1)) for k in range(1, 900)],
    ],
)
def test_moduli_with_thousands_of_factors_keep_to_the_limit(chain):
    begun = time.monotonic()
    with pytest.raises(sw.edges.TooHard) as caught:
        sw.edges.count(chain, seconds=0.5)
    assert 0 < caught.value.low <= caught.value.high
    assert time.monotonic() - begun < 60  # not a measure of speed: it did not hang


def test_solutions_that_are_forgotten_are_found_again(monkeypatch):
    rng = random.Random(4)
    classes = {(rng.randrange(m), m) for m in rng.sample(range(20, 200), 60)}
    expected = best.density(classes)
    monkeypatch.setattr(best, "MOST_KEPT", 3)
    assert best.density(classes) == expected


# Rates


def windows(*sizes):
    return [sw.Query(f"q{i}", "max", sw.Window(*size)) for i, size in enumerate(sizes)]


@pytest.mark.parametrize(
    "sizes, slicing, expected",
    [
        ([(6, 2), (8, 4)], "pairs", Fraction(1, 2)),
        ([(7, 5)], "pairs", Fraction(2, 5)),
        ([(7, 5)], "cutty", Fraction(1, 5)),
        ([(7, 5)], "panes", Fraction(1)),
        ([(10, 4, 1)], "panes", Fraction(1, 2)),
        ([(2, 6), (3, 6, 2)], "pairs", Fraction(1, 2)),  # slide > range; 0, 2 and 2, 5 modulo 6
    ],
)
@pytest.mark.parametrize("method", METHODS)
def test_rate(sizes, slicing, expected, method):
    assert sw.edges.rate(windows(*sizes), slicing, method) == expected


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(1, 12), st.integers(0, 11)), max_size=5))
def test_rate_is_that_of_the_shared_plan(sizes):
    from swagcore.slicing import SharedPlan

    queries = windows(*sizes)
    for slicing in ("pairs", "cutty", "panes"):
        if queries:
            plan = SharedPlan(queries, slicing)
            assert sw.edges.rate(queries, slicing) == Fraction(plan.edges_per_period(), plan.period)
        else:
            assert sw.edges.rate(queries, slicing) == 0


def test_a_million_equal_queries_are_two():
    a, b = windows((6, 2), (9, 6))
    repeated = itertools.chain(itertools.repeat(a, 500_000), itertools.repeat(b, 500_000))
    assert sw.edges.rate(repeated) == sw.edges.rate([a, b]) == Fraction(2, 3)


# Bad input


@pytest.mark.parametrize(
    "pairs, message",
    [
        (7, "edges is 7; expected a list of"),
        ([7], r"edge is 7; expected a pair \(slide, shift\)"),
        ([(1, 2, 3)], "expected a pair"),
        ([(0, 0)], "slide is 0; expected a positive integer"),
        ([(-3, 0)], "slide is -3; expected a positive integer"),
        ([(2.0, 0)], "slide is 2.0; expected an integer"),
        ([(2, 0), (2.0, 0)], "slide is 2.0"),  # equal to one that is fine
        ([(True, 0)], "slide is True; expected an integer"),
        ([(2, False)], "shift is False; expected an integer"),
        ([(2, None)], "shift is None"),
        ([("2", 0)], "slide is '2'"),
    ],
)
@pytest.mark.parametrize("method", METHODS)
def test_bad_edges(pairs, message, method):
    with pytest.raises(InvalidArgument, match=message):
        sw.edges.count(pairs, method=method)


@pytest.mark.parametrize("classes", [3, [3], [(0, 0)], [(0, -1)], [(0, 1.5)], [(0.5, 2)]])
@pytest.mark.parametrize("ask", [sw.edges.density, sw.edges.bounds])
def test_bad_classes(ask, classes):
    with pytest.raises(InvalidArgument, match="expected"):
        ask(classes)


@pytest.mark.parametrize("seconds", [0, -1, True, "1", float("nan")])
def test_bad_seconds(seconds):
    for ask in (sw.edges.count, sw.edges.density):
        with pytest.raises(InvalidArgument, match="seconds is"):
            ask([(2, 1)], seconds=seconds)
    with pytest.raises(InvalidArgument, match="seconds is"):
        sw.edges.rate(windows((2, 1)), seconds=seconds)


def test_unknown_names():
    with pytest.raises(UnknownName, match="did you mean 'f1'"):
        sw.edges.count([(2, 0)], method="f2")
    with pytest.raises(UnknownName, match="method is 'f2'"):
        sw.edges.rate(windows((2, 1)), method="f2")
    for queries in (windows((2, 1)), []):
        with pytest.raises(UnknownName, match="slicing is 'pains'"):
            sw.edges.rate(queries, slicing="pains")


def test_mixtures_share_no_slices():
    time_based, counting = sw.Query("a", "max", sw.Window(2, 1)), sw.Query("b", "max", sw.Window.count(2, 1))
    durations = sw.Query("c", "max", sw.Window("2 s", "1 s"))
    for mixture in ([time_based, counting], [time_based, durations]):
        with pytest.raises(InvalidArgument, match="share no slices"):
            sw.edges.rate(mixture)
    assert sw.edges.rate([durations]) == Fraction(1, 1_000_000)  # per microsecond
    assert sw.edges.rate([counting]) == 1
    with pytest.raises(InvalidArgument, match="a list of Query"):
        sw.edges.rate([sw.Window(2, 1)])
    with pytest.raises(InvalidArgument, match="a list of Query"):
        sw.edges.rate(3)


def test_the_bit_set_refuses_before_it_allocates():
    huge = [(10**60 + 7, 0), (10**60 + 9, 3)]
    with pytest.raises(InvalidArgument, match=r"composite slide is .* at most 1073741824 bits"):
        sw.edges.count(huge, method="bitset")
    edges, period = sw.edges.count(huge)
    assert period == (10**60 + 7) * (10**60 + 9) and edges == 2 * 10**60 + 16 - 1
    assert sw.edges.count(huge, method="f1") == sw.edges.count(huge, method="f1_table") == (edges, period)


def test_f1_refuses_many_classes():
    many = [(slide, 0) for slide in range(23, 46)]
    for method in ("f1", "f1_table"):
        with pytest.raises(InvalidArgument, match="number of classes is 23; expected at most 22"):
            sw.edges.count(many, method=method)
        assert sw.edges.count([*many[:1], (46, 0), (46, 0)] * 40, method=method) == (2, 46)
