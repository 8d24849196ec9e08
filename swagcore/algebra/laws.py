"""The law check: declared laws are tried on examples, never trusted.

This is the quick version that runs when an aggregate is registered. It tries every law on every tuple of a small
universe: the examples lifted, the identity, and sums of two of them. It proves nothing beyond that universe; a
violation it finds is real.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
from collections.abc import Callable

from swagcore.algebra.aggregate import Aggregate, Partial
from swagcore.errors import InvalidArgument, LawViolation, shown

UNIVERSE = 24
"""How many partials are tried at the most: 24 make 13,824 triples, some ten milliseconds."""

ORDINARY = (
    0,
    1,
    -1,
    2,
    3,
    0.5,
    -2.5,
    0.1,
    1e16,
    True,
    False,
    "",
    "a",
    "b",
    "ab",
    (1, "a"),
    (2, "b"),
    (1, "c"),
)
"""Values to try on an aggregate that brings no examples; those that it cannot lift are left out."""


def check_laws(aggregate: Aggregate) -> int:
    """Try every law that the aggregate declares; raise LawViolation with a counterexample where one is false.

    Returns how many times a law was tried.

    >>> from swagcore.algebra.registry import aggregate as named
    >>> check_laws(named("max")) > 1000
    True
    >>> check_laws(Aggregate("minus", lift=int, combine=lambda a, b: a - b, identity=0, examples=[1, 2]))
    Traceback (most recent call last):
        ...
    swagcore.errors.LawViolation: aggregate 'minus' is not one with a neutral identity: combine(identity, 1) is -1, not 1
    """
    if not isinstance(aggregate, Aggregate):
        raise InvalidArgument("aggregate to check", aggregate, "an Aggregate, such as sw.aggregate('sum')")
    partials = universe(aggregate)
    tried = 0
    for law, width in declared(aggregate):
        for operands in itertools.product(partials, repeat=width):
            tried += 1
            try:
                violation = broken(aggregate, law, operands)
            except Exception as problem:
                violation = f"on {', '.join(map(shown, operands))} it raises {shown(problem)}"
            if violation:
                raise LawViolation(aggregate.name, LAWS[law], violation)
    return tried


LAWS = {
    "pure": "free of side effects",
    "identity": "one with a neutral identity",
    "associative": "associative",
    "commutative": "commutative",
    "idempotent": "idempotent",
    "selective": "selective",
    "inverse": "invertible by its inverse",
}
"""The laws by name, and how a message says that one is kept."""


def declared(aggregate: Aggregate) -> list[tuple[str, int]]:
    """The laws that an aggregate promises, each with the number of partials it speaks about.

    >>> from swagcore.algebra.registry import aggregate as named
    >>> [law for law, _ in declared(named("first"))]
    ['pure', 'identity', 'idempotent', 'selective', 'associative']
    """
    laws = [("pure", 2), ("identity", 1)]
    if aggregate.idempotent:
        laws.append(("idempotent", 1))
    if aggregate.selective:
        laws.append(("selective", 2))
    if aggregate.commutative:
        laws.append(("commutative", 2))
    if aggregate.inverse:
        laws.append(("inverse", 2))
    return [*laws, ("associative", 3)]


def broken(aggregate: Aggregate, law: str, operands: tuple[Partial, ...]) -> str | None:
    """How the law fails on these partials, or None where it holds.

    >>> from swagcore.algebra.registry import aggregate as named
    >>> broken(named("concat"), "commutative", ("a", "b"))
    "combine('a', 'b') is 'ab', combine('b', 'a') is 'ba'"
    """
    combine, equal, identity = aggregate.combine, aggregate.equal, aggregate.identity
    if law == "associative":
        a, b, c = operands
        left, right = combine(combine(a, b), c), combine(a, combine(b, c))
        if not equal(left, right):
            return (
                f"combine(combine({shown(a)}, {shown(b)}), {shown(c)}) is {shown(left)}, "
                f"combine({shown(a)}, combine({shown(b)}, {shown(c)})) is {shown(right)}"
            )
    elif law == "identity":
        (a,) = operands
        for text, result in (
            (f"combine(identity, {shown(a)})", combine(identity, a)),
            (f"combine({shown(a)}, identity)", combine(a, identity)),
        ):
            if not equal(result, a):
                return f"{text} is {shown(result)}, not {shown(a)}"
    elif law == "commutative":
        a, b = operands
        left, right = combine(a, b), combine(b, a)
        if not equal(left, right):
            return f"combine({shown(a)}, {shown(b)}) is {shown(left)}, combine({shown(b)}, {shown(a)}) is {shown(right)}"
    elif law == "idempotent":
        (a,) = operands
        twice = combine(a, a)
        if not equal(twice, a):
            return f"combine({shown(a)}, {shown(a)}) is {shown(twice)}"
    elif law == "selective":
        a, b = operands
        result = combine(a, b)
        if result is not a and result is not b:
            return f"combine({shown(a)}, {shown(b)}) is {shown(result)}, which is neither of the two objects"
    elif law == "inverse":
        oldest, rest = operands
        total = combine(oldest, rest)
        found = aggregate.inverse(total, oldest) if aggregate.inverse else None
        if not equal(found, rest):
            return f"inverse({shown(total)}, {shown(oldest)}) is {shown(found)}, not {shown(rest)}"
    elif law == "pure":
        changed = _changed(aggregate, "combine", combine, operands)
        if not changed and aggregate.inverse:
            changed = _changed(aggregate, "inverse", aggregate.inverse, (combine(*operands), operands[0]))
        return changed or _changed(aggregate, "lower", aggregate.lower, operands[:1])
    else:
        raise InvalidArgument("law", law, f"one of {', '.join(LAWS)}")
    return None


def _changed(
    aggregate: Aggregate, name: str, function: Callable[..., object], operands: tuple[Partial, ...]
) -> str | None:
    before = copy.deepcopy(operands)
    # That `lower` takes every partial is no law: it may refuse what no stream of its owner leads to.
    with contextlib.suppress(Exception) if name == "lower" else contextlib.nullcontext():
        function(*operands)
    for old, new in zip(before, operands, strict=True):
        if not aggregate.equal(old, new):
            return f"{name} changed its operand {shown(old)} into {shown(new)}"
    return None


def universe(aggregate: Aggregate) -> list[Partial]:
    """The partials to try: the identity, the examples lifted, and neighbours combined, up to UNIVERSE of them.

    >>> from swagcore.algebra.registry import aggregate as named
    >>> universe(named("any"))
    [None, True, False, True, True, True]
    """
    lifted = _lifted(aggregate)
    if not lifted:
        raise InvalidArgument(
            f"examples of aggregate {aggregate.name!r}",
            aggregate.examples,
            "values that it can lift, to check its laws on",
        )
    try:
        pairs = [aggregate.combine(a, b) for a, b in zip(lifted, lifted[1:] + lifted[:1], strict=True)]
        longer = aggregate.fold(lifted)
    except Exception as problem:
        raise InvalidArgument(
            f"combine of aggregate {aggregate.name!r}",
            aggregate.combine,
            f"one that takes the partials of its examples ({shown(problem)})",
        ) from problem
    return [aggregate.identity, *lifted[: UNIVERSE // 2], longer, *pairs][:UNIVERSE]


def _lifted(aggregate: Aggregate) -> list[Partial]:
    if aggregate.examples is not None:
        return [aggregate.partial(value) for value in aggregate.examples]
    found: list[Partial] = []
    for value in ORDINARY:
        # A stream does not mix types: what cannot be combined with the values before it is left out, too.
        try:
            partial = aggregate.partial(value)
            for other in (aggregate.identity, partial, *found):
                aggregate.combine(other, partial)
                aggregate.combine(partial, other)
        except Exception:
            continue
        found.append(partial)
    return found
