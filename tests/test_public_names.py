"""Every public name says what it is for, and shows it: checked by machine, in all rooms.

Public are the names in the `__all__` of a room (of a module that it names, too), and, in the rooms that are one file,
what it defines without an underscore. A function or class has a docstring with a doctest; a method or property has a docstring (one
that it inherits will do: `insert` of a technique says what every `insert` does).
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import types
from collections.abc import Iterator
from typing import Any

import pytest

import swagcore

ROOMS = [module.name for module in pkgutil.iter_modules(swagcore.__path__) if module.name != "__main__"]
ONE_FILE = {"errors", "durations", "windows", "naive", "files", "cost", "plan"}
"""Rooms without a package, and so without a list of what is public."""


def modules() -> list[types.ModuleType]:
    """The package, its rooms, and the modules that a room names among what is public."""
    rooms = [swagcore, *(importlib.import_module(f"swagcore.{room}") for room in ROOMS)]
    named = [getattr(room, name) for room in rooms for name in getattr(room, "__all__", ())]
    return rooms + [thing for thing in named if inspect.ismodule(thing) and thing not in rooms]


def public(module: types.ModuleType) -> Iterator[str]:
    if "__all__" in vars(module):
        yield from module.__all__
    elif module.__name__.removeprefix("swagcore.") in ONE_FILE:
        for name, thing in vars(module).items():
            if not name.startswith("_") and getattr(thing, "__module__", None) == module.__name__:
                yield name


def documented() -> dict[str, Any]:
    """Public functions and classes of this project by their full name, each once."""
    found: dict[str, Any] = {}
    for module in modules():
        for name in public(module):
            thing = getattr(module, name)
            if not inspect.isclass(thing) and not inspect.isroutine(thing):
                continue  # a constant, an aggregate or a module
            home = getattr(thing, "__module__", "") or ""
            if home.startswith("swagcore"):
                found[f"{home}.{thing.__name__}"] = thing
    return found


NAMES = documented()


def methods(owner: type) -> Iterator[str]:
    """The methods and properties that the class itself defines."""
    for name, member in vars(owner).items():
        is_method = inspect.isroutine(member) or isinstance(member, (property, classmethod, staticmethod))
        if is_method and not name.startswith("_") and name not in getattr(owner, "__dataclass_fields__", ()):
            yield name


def test_the_names_that_users_know_are_among_them() -> None:
    for name in ("naive.naive", "windows.Window", "ledger._judge.establish", "testing.strategies.events"):
        assert f"swagcore.{name}" in NAMES
    assert {name.split(".")[1] for name in NAMES} >= {
        "errors",
        "durations",
        "files",
        "testing",
        "aggregators",
    }


def test_every_exported_name_is_there() -> None:
    for module in modules():
        names = list(getattr(module, "__all__", ()))
        assert len(names) == len(set(names)), f"{module.__name__}.__all__ has a name twice"
        missing = [name for name in names if not hasattr(module, name)]
        assert not missing, f"{module.__name__}.__all__ names what it does not have: {missing}"


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_public_name_shows_what_it_does(name: str) -> None:
    thing = NAMES[name]
    text = thing.__doc__ or ""
    assert text.strip(), f"{name} has no docstring"
    assert ">>>" in text, f"{name} has no doctest"
    if inspect.isclass(thing):
        silent = [method for method in methods(thing) if not inspect.getdoc(getattr(thing, method))]
        assert not silent, f"methods of {name} without a docstring: {silent}"
