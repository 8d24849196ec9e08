"""What a museum piece is, and how one is caught.

An exhibit is a class or a function with one keyword, `repaired`: False is the bug, True the same code with one line mended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from swagcore.testing import check_fifo
from swagcore.testing.assignment import check_windows
from swagcore.testing.variants import Variant, check_variant


@dataclass(frozen=True)
class Piece:
    """One bug: the exhibit, where it was real, and the check of the kit that catches it.

    >>> Piece(print, "owner/repository#1", fifo("max")).name
    'print'
    """

    exhibit: Callable[..., Any]
    source: str
    check: Check

    @property
    def name(self) -> str:
        """The exhibit's name."""
        return self.exhibit.__name__

    @property
    def story(self) -> str:
        """The first sentence of the exhibit's docstring."""
        return (self.exhibit.__doc__ or "").strip().partition("\n")[0].rstrip(".")

    def catch(self, *, repaired: bool = False) -> Any:
        """Run the check on the bug, or on its repaired twin; a `Mismatch` is a catch."""
        return self.check.run(partial(self.exhibit, repaired=repaired))


@dataclass(frozen=True)
class Check:
    """A check of the kit: what it is called in the catalogue, and how to run it on a factory or an engine.

    >>> fifo("max").name
    'check_fifo, max'
    """

    name: str
    run: Callable[[Any], Any]


def fifo(aggregate: Any, **options: Any) -> Check:
    """`check_fifo` for one aggregate, as many cases as are enough.

    >>> fifo("sum", data="wide").name
    'check_fifo, sum, wide'
    """
    said = getattr(aggregate, "name", aggregate) + (f", {options['data']}" if "data" in options else "")
    settings = {"max_examples": 80, "timeout": 1.0, **options}
    return Check(f"check_fifo, {said}", lambda factory: check_fifo(factory, aggregate, **settings))


def windows(aggregate: str = "sum", **options: Any) -> Check:
    """`check_windows`, for the events that the engine claims to take.

    >>> windows(gaps=False).name
    'check_windows'
    """
    return Check(
        "check_windows", lambda engine: check_windows(engine, aggregate, max_examples=150, **options)
    )


def variant(aggregate: str, data: str, **flags: Any) -> Check:
    """`check_variant`, for windows that do more.

    >>> variant("sum", "ints", bulk=True).name
    'check_variant, bulk, sum'
    """
    return Check(
        f"check_variant, {' and '.join(flags)}, {aggregate}",
        lambda factory: check_variant(
            factory, aggregate, 80, data=data, variant=Variant(**flags), timeout=1.0
        ),
    )
