"""An aggregate as an algebra: lift, combine, lower, and the laws it promises to keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from swagcore.errors import InvalidArgument, SwagError

Partial = Any
"""What `combine` works on: the aggregate of some unbroken piece of a stream. Only the aggregate knows its form."""


class NotLiftable(SwagError, ValueError):
    """Raised by a `lift` that does not take a value; `accepted` says what it takes. `Aggregate.partial` names the rest.

    >>> NotLiftable("a string").accepted
    'a string'
    """

    def __init__(self, accepted: str) -> None:
        super().__init__(f"expected {accepted}")
        self.accepted = accepted


@dataclass(frozen=True, eq=False)
class Aggregate:
    """A monoid with a way in (`lift`) and a way out (`lower`).

    - `lift(value)` makes the partial of one value; nulls never reach it, they are `identity` (see `partial`).
    - `combine(older, newer)` joins the partials of two adjacent pieces; it is associative and changes neither.
    - `identity` is the partial of no values.
    - `lower(partial)` is the answer that a user sees.
    - `inverse(total, oldest)`, where there is one: the x with `combine(oldest, x) == total`.
    - `commutative`: the order of the operands does not matter. `selective`: `combine` returns one of its two
      operand objects. `idempotent`: `combine(x, x) == x`.
    - `parts`: the aggregates that this one is computed from. Its partial is the tuple of theirs, its laws are those
      that all of them keep, and queries that run together share them.
    - `equal(a, b)`: when two partials are the same, where `==` does not tell.
    - `examples`: values of its domain; `register` checks the declared laws on them.

    >>> longest = Aggregate("longest", lift=str, combine=lambda a, b: max(a, b, key=len), lower=len, identity="",
    ...                     selective=True, idempotent=True, examples=["a", "bb", "cc"])
    >>> longest.over(["to", "be", "or", "not"])
    3
    >>> from swagcore.algebra.registry import aggregate
    >>> mean_of_squares = Aggregate("mean_of_squares", parts=[aggregate("total_squares"), aggregate("count")],
    ...                             lower=lambda partial: float(partial[0]) / partial[1])
    >>> mean_of_squares.over([1.0, 3.0]), mean_of_squares.invertible
    (5.0, True)
    """

    name: str
    lift: Callable[[Any], Partial] = None  # type: ignore[assignment]  # derived from the parts where there are some
    combine: Callable[[Partial, Partial], Partial] = None  # type: ignore[assignment]
    lower: Callable[[Partial], Any] = lambda partial: partial
    identity: Partial = None
    inverse: Callable[[Partial, Partial], Partial] | None = None
    commutative: bool = False
    selective: bool = False
    idempotent: bool = False
    parts: tuple[Aggregate, ...] | None = None
    equal: Callable[[Partial, Partial], bool] = None  # type: ignore[assignment]
    examples: tuple[Any, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise InvalidArgument("name", self.name, "a non-empty string")
        for law in ("commutative", "selective", "idempotent"):
            if not isinstance(getattr(self, law), bool):
                raise InvalidArgument(law, getattr(self, law), "True or False")
        if self.examples is not None:
            self._set(examples=self._listed("examples", self.examples))
        if self.parts is not None:
            self._compose(self._listed("parts", self.parts))
        if self.equal is None:
            self._set(equal=same)
        for role in ("lift", "combine", "lower", "equal"):
            if not callable(getattr(self, role)):
                raise InvalidArgument(f"{role} of aggregate {self.name!r}", getattr(self, role), "a function")
        if self.inverse is not None and not callable(self.inverse):
            raise InvalidArgument(f"inverse of aggregate {self.name!r}", self.inverse, "a function or None")

    def _set(self, **fields: Any) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _listed(self, what: str, given: Any) -> tuple[Any, ...]:
        try:
            return tuple(given)
        except TypeError:
            raise InvalidArgument(f"{what} of aggregate {self.name!r}", given, "a list or a tuple") from None

    def _compose(self, parts: tuple[Aggregate, ...]) -> None:
        """The product of the parts: tuples of their partials, combined side by side."""
        if not parts or not all(isinstance(part, Aggregate) and part.parts is None for part in parts):
            raise InvalidArgument(
                f"parts of aggregate {self.name!r}",
                parts,
                "one or more aggregates without parts of their own",
            )
        if self.lift is not None or self.combine is not None or self.inverse is not None:
            raise InvalidArgument(
                f"aggregate {self.name!r} with parts", "lift, combine or inverse", "those of its parts alone"
            )
        lifts = [part.lift for part in parts]
        equals = [part.equal for part in parts]
        self._set(
            parts=parts,
            lift=lambda value: tuple([lift(value) for lift in lifts]),
            combine=_side_by_side([part.combine for part in parts]),
            identity=tuple([part.identity for part in parts]),
            inverse=_side_by_side([part.inverse for part in parts if part.inverse])
            if all(part.inverse for part in parts)
            else None,
            commutative=all(part.commutative for part in parts),
            idempotent=all(part.idempotent for part in parts),
            selective=False,  # a tuple of chosen partials is a new object
            equal=lambda a, b: all(equal(x, y) for equal, x, y in zip(equals, a, b, strict=True)),
        )

    @property
    def invertible(self) -> bool:
        """Whether the oldest partial can be taken off a total again."""
        return self.inverse is not None

    def partial(self, value: Any) -> Partial:
        """The partial of one value: `identity` for a null, else `lift(value)`, whose failure is an error that names it.

        >>> from swagcore.algebra.registry import aggregate
        >>> aggregate("count").partial(None), aggregate("count").partial("x")
        (0, 1)
        """
        if value is None:
            return self.identity
        try:
            return self.lift(value)
        except NotLiftable as refusal:
            raise InvalidArgument(f"value for aggregate {self.name!r}", value, refusal.accepted) from None
        except Exception as problem:
            raise InvalidArgument(
                f"value for aggregate {self.name!r}", value, f"one that its lift takes ({problem})"
            ) from problem

    def fold(self, partials: Iterable[Partial]) -> Partial:
        """The partials combined from the oldest to the newest.

        >>> from swagcore.algebra.registry import aggregate
        >>> aggregate("concat").fold(["a", "b", "c"])
        'abc'
        """
        total = self.identity
        for partial in partials:
            total = self.combine(total, partial)
        return total

    def over(self, values: Iterable[Any]) -> Any:
        """The answer over some values in their order: what every technique has to reproduce.

        >>> from swagcore.algebra.registry import aggregate
        >>> aggregate("max").over([3, None, 7, 5]), aggregate("max").over([None]), aggregate("count").over([])
        (7, None, 0)
        """
        return self.lower(self.fold(map(self.partial, values)))

    def __repr__(self) -> str:
        return f"<aggregate {self.name}>"


def _side_by_side(functions: list[Callable[[Partial, Partial], Partial]]) -> Callable[[Any, Any], Any]:
    """One function on tuples from one function a place; that of two is written out because it runs hot."""
    if len(functions) == 2:
        f, g = functions
        return lambda a, b: (f(a[0], b[0]), g(a[1], b[1]))
    return lambda a, b: tuple([function(x, y) for function, x, y in zip(functions, a, b, strict=True)])


def same(a: Any, b: Any) -> bool:
    """Equality of partials and answers: `==`, except that NaN equals itself, also inside tuples and lists.

    >>> same((1, float("nan")), (1, float("nan"))), same((1, 2), (1, 3)), same(0.0, -0.0)
    (True, False, True)
    """
    if type(a) is type(b) and type(a) in (tuple, list):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b) or bool(a != a and b != b)
