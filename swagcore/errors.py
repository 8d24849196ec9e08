"""What a user can do wrong.

Every error that a user can cause is a :class:`SwagError`. Its message is one sentence that says what was
given, and what would be accepted. Nothing else is raised on purpose.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SwagError(Exception):
    """The root of all errors that a user of swagcore can cause.

    >>> issubclass(InvalidArgument, SwagError) and issubclass(InvalidArgument, ValueError)
    True
    """


class InvalidArgument(SwagError, ValueError):
    """An argument has a value that is not accepted.

    >>> raise InvalidArgument("range", 0, "a positive integer")
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: range is 0; expected a positive integer
    """

    def __init__(self, argument: str, value: object, accepted: str) -> None:
        super().__init__(f"{argument} is {shown(value)}; expected {accepted}")
        self.argument = argument
        self.value = value


class UnknownName(InvalidArgument):
    """A name that nobody defined; the message suggests the nearest one.

    >>> raise UnknownName("aggregate", "maxx", ["min", "max"])
    Traceback (most recent call last):
        ...
    swagcore.errors.UnknownName: aggregate is 'maxx'; expected one of max, min (did you mean 'max'?)
    """

    def __init__(self, what: str, name: object, known: Iterable[str]) -> None:
        names = sorted(known)
        near = difflib.get_close_matches(str(name).lower(), names, n=1, cutoff=0.5)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        super().__init__(what, name, f"one of {', '.join(names)}{hint}")


class LawViolation(SwagError, ValueError):
    """A declared law of an aggregate is false; `law` names it, `counterexample` shows it.

    >>> raise LawViolation("minus", "associative", "combine(combine(1, 2), 3) = -4, combine(1, combine(2, 3)) = 2")
    Traceback (most recent call last):
        ...
    swagcore.errors.LawViolation: aggregate 'minus' is not associative: combine(combine(1, 2), 3) = -4, \
combine(1, combine(2, 3)) = 2
    """

    def __init__(self, aggregate: str, law: str, counterexample: str) -> None:
        super().__init__(f"aggregate {aggregate!r} is not {law}: {counterexample}")
        self.law = law
        self.counterexample = counterexample


class MissingLaw(SwagError, ValueError):
    """A technique needs a law that the aggregate does not have.

    >>> raise MissingLaw("subtract_on_evict", "max", "an inverse")
    Traceback (most recent call last):
        ...
    swagcore.errors.MissingLaw: technique 'subtract_on_evict' needs an inverse, which aggregate 'max' does not have
    """

    def __init__(self, technique: str, aggregate: str, law: str) -> None:
        super().__init__(f"technique {technique!r} needs {law}, which aggregate {aggregate!r} does not have")
        self.law = law


class EventError(SwagError, ValueError):
    """An event that the stream cannot hold: out of order, a time that is no integer, a value that cannot be lifted.

    >>> raise EventError(3, (5, 1), "its time 5 is before 7, the time of the event before it; sort the events by time")
    Traceback (most recent call last):
        ...
    swagcore.errors.EventError: event 3, (5, 1): its time 5 is before 7, the time of the event before it; \
sort the events by time
    """

    def __init__(self, position: int, event: object, problem: str) -> None:
        super().__init__(f"event {position}, {shown(event)}: {problem}")
        self.position = position
        self.event = event


class FileError(SwagError, ValueError):
    """A file that cannot be read or written, or that says something wrong.

    >>> raise FileError("queries.toml", "it is a directory; expected a TOML file")
    Traceback (most recent call last):
        ...
    swagcore.errors.FileError: queries.toml: it is a directory; expected a TOML file
    """

    def __init__(self, path: object, problem: str) -> None:
        super().__init__(f"{path}: {problem}")


class EmptyWindow(SwagError, IndexError):
    """Nothing is left to evict.

    >>> raise EmptyWindow()
    Traceback (most recent call last):
        ...
    swagcore.errors.EmptyWindow: evict() on an empty window; insert before you evict
    """

    def __init__(self) -> None:
        super().__init__("evict() on an empty window; insert before you evict")


def shown(value: object, limit: int = 120) -> str:
    """The value as a message shows it: its repr, cut to a readable length.

    >>> shown([1, 2]), shown("x" * 500)[-4:]
    ('[1, 2]', 'x...')
    """
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__} that has no repr>"
    return text if len(text) <= limit else text[: limit - 3] + "..."
