"""The shared plan against the definition: which instances end where, and how many edges they contain."""

from __future__ import annotations

import math
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swagcore as sw
from swagcore.slicing import Cuts, Edge, SharedPlan, cuts
from swagcore.testing.strategies import queries, windows


def plan_of(*asked: sw.Window, slicing: str = "pairs") -> SharedPlan:
    return SharedPlan([sw.Query(f"q{n}", "max", window) for n, window in enumerate(asked)], slicing)


time_windows = windows(max_range=14, max_slide=8, counts=False)


@settings(max_examples=200)
@given(
    queries(["max"], window=time_windows, max_size=4),
    st.sampled_from(("panes", "pairs", "cutty")),
    st.integers(-30, 30),
)
def test_against_the_definition(asked: list[sw.Query], slicing: str, start: int) -> None:
    plan = SharedPlan(asked, slicing)
    edges = list(islice(plan.edges(start), 30))
    times = [edge.time for edge in edges]
    assert times == [t for t in range(start, times[-1] + 1) if t in plan.cuts]
    for edge, following in pairwise(edges):
        assert edge.length == following.time - edge.time
    for edge in edges:
        expected = {}
        for query in asked:
            for end in range(
                edge.time, edge.time + edge.length
            ):  # the instances that end before the next edge
                begin = end - query.window.range
                if (begin - query.window.offset) % query.window.slide == 0:
                    expected[query.name] = sum(t in plan.cuts for t in range(begin, end))
        assert edge.answers == expected
        assert slicing == "cutty" or all(
            (edge.time - query.window.range - query.window.offset) % query.window.slide == 0
            for query in asked
            if query.name in edge.answers
        )


@settings(max_examples=100)
@given(queries(["max"], window=time_windows, max_size=3), st.sampled_from(("panes", "pairs", "cutty")))
def test_one_period_says_it_all(asked: list[sw.Query], slicing: str) -> None:
    """The plan repeats with the composite slide; counts, w_size and the number of edges are those of any period."""
    plan = SharedPlan(asked, slicing)
    period = plan.period
    assert period == math.lcm(*(query.window.slide for query in asked))
    first = list(plan.one_period())
    again = plan.first(len(first), 3 * period)
    assert [(edge.time + 3 * period, edge.length, edge.answers) for edge in first] == again
    assert plan.edges_per_period() == len(first) == sum(t in plan.cuts for t in range(period))
    for query in asked:
        seen = {edge.answers[query.name] for edge in first if query.name in edge.answers}
        assert plan.counts()[query.name] == seen and seen
    assert plan.w_size() == max(count for seen in plan.counts().values() for count in seen)


def test_s_example_2() -> None:
    """S Ex 2: slides 2 and 4, ranges 6 and 8: composite slide 4, the last three partials and the last four."""
    plan = plan_of(sw.Window(6, 2), sw.Window(8, 4))
    assert (plan.period, plan.edges_per_period(), plan.w_size()) == (4, 2, 4)
    assert [edge.answers for edge in plan.first(4)] == [
        {"q0": 3, "q1": 4},
        {"q0": 3},
        {"q0": 3, "q1": 4},
        {"q0": 3},
    ]


def test_s_example_10() -> None:
    """S Ex 10: slides 3, 4, 6, 9 with fragments (3, 1) of 4 and (2, 4) of 6 have 27 edges in 36."""
    plan = plan_of(sw.Window(3, 3), sw.Window(7, 4), sw.Window(8, 6), sw.Window(9, 9))
    assert (plan.period, plan.edges_per_period()) == (36, 27)


@pytest.mark.parametrize(
    ("first", "second", "edges"),
    [
        (sw.Window(12, 9), sw.Window(10, 6), [0, 3, 4, 6, 9, 10, 12, 16, 18]),
        (sw.Window.ending(12, 9), sw.Window.ending(10, 6), [0, 2, 6, 8, 9, 12, 14, 15, 18]),
    ],
)
def test_composite_slide_of_c(first: sw.Window, second: sw.Window, edges: list[int]) -> None:
    """C §2.2: the slides with their fragments, repeated to the least common multiple and laid over each other."""
    plan = plan_of(first, second)
    assert plan.period == 18
    assert [edge.time for edge in plan.first(len(edges))] == edges


def test_slices_a_query_needs_differ_from_edge_to_edge() -> None:
    """The smallest case: [0, 2) is one slice, [2, 4) is cut at 3. S §3.2.1 gives a query one number of partials."""
    plan = plan_of(sw.Window(2, 2), sw.Window(3, 3))
    assert plan.counts() == {"q0": {1, 2}, "q1": {2}}
    assert [(edge.time, edge.answers.get("q0")) for edge in plan.first(5, 2)] == [
        (2, 1), (3, None), (4, 2), (6, 1), (8, 1),
    ]  # fmt: skip


def test_a_single_query_has_one_number() -> None:
    for r in range(1, 12):
        for s in range(1, 9):
            for slicing in ("panes", "pairs", "cutty"):
                (counts,) = plan_of(sw.Window(r, s, 1), slicing=slicing).counts().values()
                assert len(counts) == 1


@pytest.mark.parametrize(
    "asked",
    [
        (sw.Window(4, 3), sw.Window(2, 2)),
        (sw.Window(4, 3),),
    ],
)
def test_edges_times_range_over_slide_is_no_count(asked: tuple[sw.Window, ...]) -> None:
    """W Table 1, shared paired: E * r / s is no number of final aggregations where the slide does not divide r."""
    plan = plan_of(*asked)
    counted = sum(edge.answers.get("q0", 0) for edge in plan.one_period())
    assert counted * 3 != plan.edges_per_period() * 4


def test_long_composite_slides_are_walked_lazily() -> None:
    """The least common multiple is beyond 10**12: edges come at once, counting is refused."""
    primes = (9_973, 9_967, 9_949, 9_941)
    plan = plan_of(*(sw.Window(2 * prime + 1, prime) for prime in primes))
    assert plan.period > 10**15
    assert [edge.time for edge in plan.first(6)] == [0, 1, 9_941, 9_942, 9_949, 9_950]
    far = 10**18
    assert plan.first(1, far)[0].time == plan.cuts.after(far - 1)
    for counting in (plan.counts, plan.w_size, plan.edges_per_period):
        with pytest.raises(sw.SwagError, match="at most 10000000 edges"):
            counting()


def test_a_window_of_too_many_slices_is_refused() -> None:
    plan = plan_of(sw.Window(10**15, 1))
    with pytest.raises(sw.SwagError, match="at most 10000000 edges"):
        plan.edges()


def test_the_walk_of_one_period_begins_a_longest_window_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    """Window(10, 5) walks 10 before the composite slide and 5 over it: three edges."""
    plan = plan_of(sw.Window(10, 5))
    monkeypatch.setattr(cuts, "MOST_EDGES", 3)
    assert plan.counts() == {"q0": {2}}
    monkeypatch.setattr(cuts, "MOST_EDGES", 2)
    with pytest.raises(sw.SwagError, match=r"is 15; expected one of at most 2 edges; this one may have 3"):
        plan.counts()


def test_an_instance_that_ends_inside_a_slice_of_cutty() -> None:
    """[0, 5) is cut at 0 and 3 alone: listed at 3, with the slice from there on, which is open at 5."""
    plan = plan_of(sw.Window(5, 3), slicing="cutty")
    assert plan.first(2, 3) == [Edge(3, 3, {"q0": 2}), Edge(6, 3, {"q0": 2})]
    both = plan_of(sw.Window(5, 3), sw.Window(6, 3), slicing="cutty")
    assert both.first(1) == [Edge(0, 3, {"q0": 2, "q1": 2})]


def test_queries_whose_instances_end_in_another_order_than_they_are_given() -> None:
    """Edges are the even times; [-4, 6) has five of them, [4, 6) one, and both end at 6."""
    plan = plan_of(sw.Window(10, 4), sw.Window(2, 4), sw.Window(6, 2))
    assert plan.first(4) == [
        Edge(0, 2, {"q2": 3}),
        Edge(2, 2, {"q0": 5, "q1": 1, "q2": 3}),
        Edge(4, 2, {"q2": 3}),
        Edge(6, 2, {"q0": 5, "q1": 1, "q2": 3}),
    ]
    assert list(plan.first(1, 2)[0].answers) == ["q0", "q1", "q2"]


def test_time_and_counts_share_nothing() -> None:
    with pytest.raises(sw.SwagError, match="they share no slices"):
        plan_of(sw.Window(2, 2), sw.Window.count(2, 2))
    assert plan_of(sw.Window.count(4, 2), sw.Window.count(3, 3)).period == 6


def test_where_the_slide_is_larger_the_gap_is_a_slice() -> None:
    plan = plan_of(sw.Window(2, 5))
    assert [(edge.time, edge.length, edge.answers) for edge in plan.first(3)] == [
        (0, 2, {}),
        (2, 3, {"q0": 1}),
        (5, 2, {}),
    ]
    assert Cuts.of([sw.Window(2, 5)], "cutty").classes == [(0, 5)]
