"""Windows over partials, made windows over values: lift before insert, lower after query."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from swagcore.algebra import Aggregate


class Lifting:
    """A window of raw values around one of partials, which `kind(aggregate)` makes. A null is lifted to the identity.

    >>> from swagcore.algebra import aggregate
    >>> class Product:
    ...     def __init__(self, aggregate): self.aggregate, self.partials = aggregate, []
    ...     def insert(self, partial): self.partials.append(partial)
    ...     def evict(self): del self.partials[0]
    ...     def query(self): return self.aggregate.fold(self.partials)
    >>> window = lifting(Product, aggregate("mean"))
    >>> for value in (8, 3, 5): window.insert(value)
    >>> window.query(), hasattr(window, "__len__")
    (5.333333333333333, False)
    """

    def __init__(self, kind: Callable[[Aggregate], Any], aggregate: Aggregate) -> None:
        self.aggregate, self.window = aggregate, kind(aggregate)
        self.evict = self.window.evict

    def insert(self, value: Any, *timed: Any) -> None:
        """Insert the value as a partial; where there are two arguments, the first is its time."""
        if timed:
            time, (value,) = value, timed
            self.window.insert(time, self.aggregate.identity if value is None else self.aggregate.lift(value))
        else:
            self.window.insert(self.aggregate.identity if value is None else self.aggregate.lift(value))

    def query(self, *newest: int) -> Any:
        """The answer of the window, lowered."""
        return self.aggregate.lower(self.window.query(*newest))


class SizedLifting(Lifting):
    """The same around a window that has a length.

    >>> len(SizedLifting(lambda aggregate: type("Window", (list,), {"evict": None})(), None))
    0
    """

    def __len__(self) -> int:
        return len(self.window)


def lifting(kind: Callable[[Aggregate], Any], aggregate: Aggregate) -> Lifting:
    """A window of values around a new one of partials; it has a length where that one has."""
    made = kind(aggregate)
    sized = hasattr(type(made), "__len__")
    return (SizedLifting if sized else Lifting)(lambda _: made, aggregate)


def over_values(factory: Callable[..., Any], partials: bool = False) -> Callable[..., Any]:
    """The factory, or one around it where its windows take partials: as it is said, or one of this project's techniques.

    >>> over_values(dict) is dict, over_values(dict, partials=True)
    (True, functools.partial(<function lifting at ...>, <class 'dict'>))
    """
    ours = any(
        kind.__module__ == "swagcore.aggregators.technique" for kind in getattr(factory, "__mro__", ())
    )
    return partial(lifting, factory) if partials or ours else factory
