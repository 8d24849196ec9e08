"""How a proof asks z3: `unknown` is never an answer, and a proof from nothing is none.

`proved` is for most proofs: the statement, what is given, and a twin that has to fail. `unsat` is what it is
made of.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def unsat(*constraints: Any, seconds: float = 60) -> dict[str, Any] | None:
    """None where z3 finds that the constraints contradict each other, else the model, as a counterexample.

    Raises where z3 does not know: that is no evidence, and has to be asked in another way.

    >>> import z3
    >>> x = z3.Int("x")
    >>> unsat(x > 3, x < 4) is None
    True
    >>> unsat(x > 3, x < 5)
    {'x': 4}
    """
    import z3

    solver = z3.Solver()
    solver.set("timeout", round(seconds * 1000))
    solver.add(*constraints)
    answer = solver.check()
    if answer == z3.unsat:
        return None
    if answer == z3.sat:
        model = solver.model()
        values = {str(name): _plain(model[name]) for name in model.decls()}
        return {name: values[name] for name in sorted(values)}
    raise RuntimeError(
        f"z3 does not know ({solver.reason_unknown()}, {seconds} s at most); "
        "restate it with witnesses or lemmas"
    )


def proved(
    statement: Any, *, given: Iterable[Any] = (), twin: Any = None, seconds: float = 60
) -> dict[str, Any] | None:
    """None where the statement follows from what is given, for all values; else a counterexample.

    Raises where what is given contradicts itself (everything would follow), and where `twin`, a statement
    that is false under the same encoding, comes out true.

    >>> import z3
    >>> r, s, k = z3.Ints("r s k")
    >>> proved(r % s == 0, given=[s > 0, r == k * s], twin=r % s == 1) is None
    True
    >>> proved(r / s * s == r, given=[s == 2, r == 7])
    {'r': 7, 's': 2}
    """
    import z3

    given = list(given)
    if unsat(*given, seconds=seconds) is None:
        raise RuntimeError("what is given contradicts itself, so everything follows from it")
    if twin is not None and unsat(*given, z3.Not(twin), seconds=seconds) is None:
        raise RuntimeError(f"the twin {twin} is true as well: the encoding says less than it seems")
    return unsat(*given, z3.Not(statement), seconds=seconds)


def _plain(value: Any) -> Any:
    """A value of a model as Python writes it, where there is such a value."""
    import z3

    if z3.is_int_value(value):
        return value.as_long()
    if z3.is_true(value) or z3.is_false(value):
        return z3.is_true(value)
    return str(value)
