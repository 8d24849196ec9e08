"""Code with branches, run on symbols: every way it can go, each with the condition under which it goes so.

A `Symbol` stands for any number (or string). It adds and compares as numbers do, and where the code asks whether a
comparison is true, the run goes both ways, one after the other. So a function such as `lambda a, b: b if b < a else a`
is proved as it is, without a model of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from proofs.z3_tools import unsat

_answers: list[
    bool
] = []  # what this run answers to its questions: given from the run before, then the first it may
_conditions: list[Any] = []  # what is given, and what was asked so far, each as it was answered
_asked: list[bool] = []  # for each question that could be answered either way: how it was


class Symbol:
    """Any value of a z3 sort; doubles compare as IEEE 754 has it, so NaN and the two zeros are among them."""

    def __init__(self, term: Any) -> None:
        self.term = term

    def __add__(self, other: object) -> Symbol:
        return Symbol(self.term + _term(other))

    def __radd__(self, other: object) -> Symbol:
        return Symbol(_term(other) + self.term)

    def __sub__(self, other: object) -> Symbol:
        return Symbol(self.term - _term(other))

    def __mul__(self, other: object) -> Symbol:
        return Symbol(self.term * _term(other))

    def __rmul__(self, other: object) -> Symbol:
        return Symbol(_term(other) * self.term)

    def __truediv__(self, other: object) -> Symbol:
        return Symbol(self.term / _term(other))

    def __lt__(self, other: object) -> Condition:
        return Condition(self.term < _term(other))

    def __gt__(self, other: object) -> Condition:
        return Condition(_term(other) < self.term)

    def __eq__(self, other: object) -> Condition | bool:  # type: ignore[override]
        import z3

        if other is None:
            return False
        same = z3.fpEQ if z3.is_fp(self.term) else lambda a, b: a == b
        return Condition(same(self.term, _term(other)))

    def __ne__(self, other: object) -> Condition | bool:  # type: ignore[override]
        import z3

        equal = self == other
        return Condition(z3.Not(equal.term)) if isinstance(equal, Condition) else not equal

    __hash__ = None  # type: ignore[assignment]  # a set would compare behind our back

    def __repr__(self) -> str:
        return str(self.term)


class Condition:
    """A comparison of symbols: true or false as this run has it, and where it can be both, once so and once so."""

    def __init__(self, term: Any) -> None:
        self.term = term

    def __bool__(self) -> bool:
        import z3

        if unsat(*_conditions, self.term) is None:
            return False
        if unsat(*_conditions, z3.Not(self.term)) is None:
            return True
        if len(_asked) == len(_answers):
            _answers.append(True)
        answer = _answers[len(_asked)]
        _asked.append(answer)
        _conditions.append(self.term if answer else z3.Not(self.term))
        return answer


def branches(code: Callable[[], Any], given: Iterable[Any] = ()) -> Iterator[tuple[Any, Any]]:
    """Every way the code can go under what is given, as (condition, result). Each is possible, and there are no others.

    >>> import z3
    >>> x, y = Symbol(z3.Int("x")), Symbol(z3.Int("y"))
    >>> list(branches(lambda: y if y < x else x))
    [(And(y < x), y), (And(Not(y < x)), x)]
    >>> list(branches(lambda: y if y < x else x, given=[x.term < y.term]))
    [(And(x < y), x)]
    """
    import z3

    _answers.clear()
    while True:
        _conditions[:] = given
        _asked.clear()
        result = code()
        yield z3.And(*_conditions), result
        while _answers and not _answers[-1]:
            _answers.pop()
        if not _answers:
            return
        _answers[-1] = False


def _term(value: object) -> Any:
    return value.term if isinstance(value, Symbol) else value
