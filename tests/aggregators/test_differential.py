"""Every technique with every aggregate: the answers of re-evaluation, or an error that names the law that is missing."""

from __future__ import annotations

import pytest

from swagcore.aggregators import fifo, techniques
from swagcore.algebra import Aggregate, aggregate, aggregates, words
from swagcore.errors import InvalidArgument, MissingLaw
from swagcore.testing import check_fifo, spans
from tests.aggregators.kit import CLASSES, VARIANTS, lifted

AGGREGATES = [aggregate(name) for name in [*aggregates(), "quantile(0.9)", "top_k(2)"] if name != "range"]
OF_MINE = [
    words,
    spans,
    Aggregate(
        "longest",
        lift=str,
        combine=lambda a, b: b if len(b) > len(a) else a,
        identity="",
        selective=True,
        examples=["a", "b", "cc"],
    ),
    Aggregate(  # a group that does not commute: x -> ax + b modulo 7, composed
        "affine",
        lift=lambda pair: pair,
        combine=lambda f, g: (f[0] * g[0] % 7, (f[1] * g[0] + g[1]) % 7),
        identity=(1, 0),
        inverse=lambda total, f: (
            total[0] * pow(f[0], -1, 7) % 7,
            (total[1] - f[1] * total[0] * pow(f[0], -1, 7)) % 7,
        ),
        examples=[(2, 0), (1, 1), (3, 5), (6, 2)],
    ),
]


def supported(name: str, function: Aggregate) -> bool:
    needs = CLASSES[name.split()[0]].needs
    return ("inverse" not in needs or function.invertible) and (
        "selective" not in needs or function.selective
    )


@pytest.mark.parametrize("name", VARIANTS)
def test_right_answers(name):
    functions = [function for function in (*AGGREGATES, *OF_MINE) if supported(name, function)]
    report = check_fifo(lifted(name), functions, max_examples=5, nulls=True, seed=1)
    assert len(report.aggregates) == len(functions) >= 7
    assert not report.skipped
    assert report.answers > 50 * len(functions)


@pytest.mark.parametrize("name", VARIANTS)
def test_missing_laws(name):
    law = {"inverse": "an inverse", "selective": "a selective combine"}
    for function in (*AGGREGATES, *OF_MINE):
        if not supported(name, function):
            technique = CLASSES[name.split()[0]]
            with pytest.raises(
                MissingLaw,
                match=f"{technique.name}.*{law[technique.needs[0]]}.*{function.name.split('(')[0]}",
            ):
                lifted(name)(function)


def test_some_law_is_missing_somewhere():
    refused = {name for name in VARIANTS for function in AGGREGATES if not supported(name, function)}
    assert refused == {"subtract_on_evict", "r_int", "slickdeque_inv", "slickdeque_noninv"}


@pytest.mark.parametrize("name", ["slickdeque", "auto", "panes"])
def test_names_that_choose(name):
    assert name in techniques()
    for function in (*AGGREGATES, *OF_MINE):
        if name == "slickdeque" and not (function.invertible or function.selective):
            with pytest.raises(MissingLaw, match="an inverse or a selective combine"):
                fifo(name, function)
        else:
            check_fifo(lambda aggregate: fifo(name, aggregate), [function], max_examples=2)


@pytest.mark.parametrize(
    ("aggregate", "ranges", "chosen"),
    [
        ("max", None, "slickdeque_noninv"),
        ("max", [2], "slickdeque_noninv"),
        ("sum", None, "subtract_on_evict"),
        ("sum", [2, 5], "slickdeque_inv"),
        ("sum", [], "subtract_on_evict"),
        ("median", None, "two_stacks_lite"),
        ("median", [3], "flatfit"),
        ("fast_sum", None, "two_stacks_lite"),
    ],
)
def test_auto_takes_the_cheapest_that_the_laws_allow(aggregate, ranges, chosen):
    assert fifo("auto", aggregate, ranges).technique.name == chosen


WHOLE = ["subtract_on_evict", "two_stacks", "two_stacks_lite", "daba", "daba_lite"]
NEWEST = ["recompute", "flatfit", "slickdeque_inv", "slickdeque_noninv"]
BEFORE = ["r_int", "flatfat", "b_int", "l_int", "psoup"]


@pytest.mark.parametrize("name", [*WHOLE, *NEWEST, *BEFORE])
def test_which_questions_a_technique_answers(name):
    window = fifo(name, "max" if name == "slickdeque_noninv" else "sum", [2] if name in NEWEST else None)
    for value in (1, 2, 4, 8):
        window.insert(value)
    best = name == "slickdeque_noninv"
    assert window.query() == (8 if best else 15)
    if name in WHOLE:
        with pytest.raises(InvalidArgument, match="answers over the whole window only"):
            window.query(2)
        return
    assert window.query(2) == (8 if best else 12)
    if name in NEWEST:
        with pytest.raises(InvalidArgument, match="answers no historical range"):
            window.query(2, 1)
    else:
        assert window.query(2, 1) == 6
        with pytest.raises(
            InvalidArgument, match=r"^arguments of query is \(2, 1, 0\); expected n and lag at the most$"
        ):
            window.query(2, 1, 0)


def test_those_are_all():
    assert {*WHOLE, *NEWEST, *BEFORE} == set(CLASSES)
