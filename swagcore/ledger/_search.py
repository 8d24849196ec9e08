"""How evidence finds a counterexample that cannot be made smaller."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any


def smallest(cases: Iterable[Any], holds: Callable[..., object]) -> dict[str, Any] | None:
    """The first of `cases` for which `holds` is false, by the names of its parameters; None where all hold.

    Give the cases in order of size, and the counterexample is minimal because nothing smaller failed. A case
    that is a tuple is unpacked. No case at all is an error: it would be evidence of nothing.

    >>> smallest(by_size(range(1, 9), range(1, 9)), lambda range, slide: slide <= range)
    {'range': 1, 'slide': 2}
    >>> smallest(range(1, 100), lambda n: n * n >= n) is None
    True
    """
    case = tried = object()
    for case in cases:
        if not _asked(holds, case):
            return _named(holds, case)
    if case is tried:
        raise ValueError("no case was tried, so nothing was judged; give at least one case")
    return None


def by_size(*axes: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Every combination of one element from each axis, smallest first: by the sum of the positions.

    Each axis stands in its own order of size, as `range(1, 13)` does. Nothing is stored.

    >>> list(by_size("ab", range(3)))
    [('a', 0), ('a', 1), ('b', 0), ('a', 2), ('b', 1), ('b', 2)]
    """
    longest = sum(len(axis) - 1 for axis in axes)
    if all(axes):
        for total in range(longest + 1):
            yield from _of_total(axes, total, longest)


def _of_total(axes: Sequence[Sequence[Any]], total: int, longest: int) -> Iterator[tuple[Any, ...]]:
    """The combinations whose positions add up to `total`; `longest` is the most that these axes can reach."""
    if not axes:
        yield ()
        return
    rest = longest - (len(axes[0]) - 1)
    for position in range(max(0, total - rest), min(total, len(axes[0]) - 1) + 1):
        for tail in _of_total(axes[1:], total - position, rest):
            yield axes[0][position], *tail


def shrunk(strategy: Any, holds: Callable[..., object], *, examples: int = 1000) -> dict[str, Any] | None:
    """As `smallest`, over a Hypothesis strategy: a shrunk counterexample among random examples, or None.

    The same examples are tried on every run, so that a verdict does not depend on luck.

    >>> from hypothesis import strategies
    >>> shrunk(strategies.tuples(strategies.integers(), strategies.integers()), lambda a, b: a - b == b - a)
    {'a': 0, 'b': 1}
    """
    from hypothesis import Phase, find, settings
    from hypothesis.errors import NoSuchExample

    fixed = settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
    )
    try:
        case = find(strategy, lambda case: not _asked(holds, case), settings=fixed)
    except NoSuchExample:
        return None
    return _named(holds, case)


def _asked(holds: Callable[..., object], case: Any) -> object:
    answer = holds(*case) if type(case) is tuple else holds(case)
    if answer is None:
        raise TypeError(f"the predicate returned None for {case!r}; it has to say True or False")
    return answer


def _named(holds: Callable[..., object], case: Any) -> dict[str, Any]:
    values = case if type(case) is tuple else (case,)
    try:
        return dict(inspect.signature(holds).bind(*values).arguments)
    except ValueError:  # a builtin that does not tell its parameters
        return {"case": case}
