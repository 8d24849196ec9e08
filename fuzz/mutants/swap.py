"""A mutant in a running program: its functions get the mutant's code, wherever they are referred to.

`keep` compiles a file itself when it is imported, so that the code objects of its functions are known. `Swap` finds the
functions that run them, and gives those that the mutant changes their new code. What ran at import, such as the body of a class,
cannot be swapped: that mutant needs a program of its own, which imports it in the file's place.
"""

from __future__ import annotations

import ast
import functools
import gc
import inspect
from collections import defaultdict
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from types import CodeType, FunctionType


class CannotSwap(Exception):
    """The mutant changes what ran at import, or the variables that a function shares with those around it."""


def compiled(tree: ast.Module, path: str) -> CodeType:
    """The code of a module, as the import system would compile it."""
    return compile(tree, path, "exec", dont_inherit=True)


def keep(codes: dict[str, CodeType]) -> None:
    """From now on, the files at these paths are imported as the given code."""
    plain = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        return codes.get(loader.path) or plain(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


class Swap:
    """The living functions of the program, by their code."""

    def __init__(self) -> None:
        self._functions: dict[int, list[FunctionType]] = defaultdict(list)
        self._caches = []
        for thing in gc.get_objects():
            if type(thing) is FunctionType:
                self._functions[id(thing.__code__)].append(thing)
            elif type(thing) is functools._lru_cache_wrapper:
                self._caches.append(thing)

    def __call__(self, code: CodeType, mutant: CodeType) -> None:
        """Give the functions of `code`, a module's, the code that they have in `mutant`.

        What functions remembered of earlier calls is forgotten: it may be what the mutant would say otherwise.
        """
        changed = 0
        for old, new in _differing(code, mutant):
            for function in self._functions[id(old)]:
                try:
                    function.__code__ = new
                except ValueError as problem:
                    raise CannotSwap(str(problem)) from None
                changed += 1
        if not changed:
            raise CannotSwap("no function of the program runs the code that is changed")
        for cache in self._caches:
            if (getattr(cache, "__module__", None) or "").partition(".")[0] == "swagcore":
                cache.cache_clear()


def _differing(code: CodeType, mutant: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The code of functions that the mutant changes, the outer ones and those inside them that have a counterpart."""
    if code == mutant:
        return
    is_function = bool(code.co_flags & inspect.CO_OPTIMIZED)
    inside = [[one for one in each.co_consts if isinstance(one, CodeType)] for each in (code, mutant)]
    same_frame = code.replace(co_consts=_without_code(code)) == mutant.replace(
        co_consts=_without_code(mutant)
    )
    if is_function:
        yield code, mutant
    elif not same_frame:
        raise CannotSwap(f"{code.co_name} ran when the module was imported")
    if [one.co_name for one in inside[0]] == [one.co_name for one in inside[1]]:
        for one, other in zip(*inside, strict=True):
            yield from _differing(one, other)


def _without_code(code: CodeType) -> tuple[object, ...]:
    return tuple(None if isinstance(one, CodeType) else one for one in code.co_consts)
