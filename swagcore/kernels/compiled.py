"""Compile a function with numba, or leave it alone where numba is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

numba: Any
try:
    import numba
except ImportError:  # the extra `kernels` is not installed here
    numba = None

COMPILED = numba is not None
"""Whether numba is there. Without it the kernels are numpy, and slower by the number of slices in a window."""


def compiled(function: Function) -> Function:
    """The function, compiled when it is first called; kept on disk where its source is a file that numba can find.

    >>> @compiled
    ... def double(x):
    ...     return 2 * x
    >>> double(21)
    42
    """
    if numba is None:
        return function
    fast: Function
    try:
        fast = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # source that came over the wire is no file
        fast = numba.njit(nogil=True)(function)
    return fast
