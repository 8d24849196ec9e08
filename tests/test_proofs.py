"""What the proofs are made with can fail: on a wrong function, a wrong law, and a proof that says nothing."""

from __future__ import annotations

from typing import Any

import pytest

import swagcore as sw

z3 = pytest.importorskip("z3")

from proofs import laws as proofs  # noqa: E402  # needs z3
from proofs.branches import Symbol, branches  # noqa: E402
from specs.laws import commutative, invertible, monoid, selective  # noqa: E402


def smaller(a: Any, b: Any) -> Any:
    return b if a is None or (b is not None and b < a) else a


PLAIN_MIN = sw.Aggregate("plain_min", lift=float, combine=smaller)  # NaN stays where it is
AVERAGE = sw.Aggregate(
    "average", lift=int, combine=lambda a, b: a + b + b, identity=0, inverse=lambda t, o: t - o
)
NEW_OBJECT = sw.Aggregate("new_object", lift=int, combine=lambda a, b: smaller(a, b) + 0)


@pytest.mark.parametrize(
    ("law", "aggregate", "makers"),
    [
        (commutative, PLAIN_MIN, (proofs.double,)),
        (monoid, PLAIN_MIN, (proofs.double,)),
        (monoid, AVERAGE, (proofs.number,)),
        (commutative, AVERAGE, (proofs.number,)),
        (invertible, AVERAGE, (proofs.number,)),
        (selective, NEW_OBJECT, (proofs.number,)),
        (commutative, "arg_max", (proofs.by_number,)),
    ],
)
def test_a_broken_law_is_found(law: Any, aggregate: Any, makers: Any) -> None:
    assert proofs.kept(law, aggregate, makers) is not None


@pytest.mark.parametrize("law", [commutative, selective])
def test_plain_minimum_of_integers(law: Any) -> None:
    assert proofs.kept(law, PLAIN_MIN, (proofs.nothing, proofs.number)) is None


def test_a_law_of_nothing_is_no_proof() -> None:
    """On no values every law holds, and so does its twin: that is refused."""
    with pytest.raises(RuntimeError, match="false twin"):
        proofs.kept(commutative, "max", (proofs.nothing,))


def test_branches_are_all_there_is() -> None:
    x, y = (Symbol(z3.Int(name)) for name in "xy")
    found = list(branches(lambda: "less" if x < y else "equal" if x == y else "more"))
    assert sorted(result for _, result in found) == ["equal", "less", "more"]
    solver = z3.Solver()
    solver.add(z3.Not(z3.Or([condition for condition, _ in found])))
    assert solver.check() == z3.unsat
