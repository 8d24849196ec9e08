"""What `swag fuzz` does: find the factory, try cases until the time is over, show a live line."""

from __future__ import annotations

import importlib
import importlib.util
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from swagcore.errors import InvalidArgument, SwagError
from swagcore.testing.apart import Board, Ended, ForkedTarget, ForkedVariantTarget, apart, refused
from swagcore.testing.case import Finding, Tally
from swagcore.testing.fifo import Campaign, Report
from swagcore.testing.lifting import over_values
from swagcore.testing.variants import Variant, VariantCampaign

ACCEPTED = "MODULE:FACTORY, such as package.module:Window or path/to/file.py:make_window"


def find_factory(target: str) -> Callable[..., Any]:
    """The factory that MODULE:FACTORY names; MODULE is a dotted name or a file, the current directory importable.

    >>> find_factory("swagcore.testing:ReferenceWindow").__name__
    'ReferenceWindow'
    >>> find_factory("swagcore.testing")
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: MODULE:FACTORY is 'swagcore.testing'; expected MODULE:FACTORY, such as \
package.module:Window or path/to/file.py:make_window
    """
    module_name, colon, name = target.rpartition(":")
    if not colon or not module_name or not name:
        raise InvalidArgument("MODULE:FACTORY", target, ACCEPTED)
    directory = Path.cwd()
    if module_name.endswith(".py") or "/" in module_name:
        directory, module_name = _located(target, Path(module_name))
    if str(directory) not in sys.path:
        sys.path.insert(0, str(directory))
    found: Any = _imported(target, module_name, directory)
    for piece in name.split("."):
        if not hasattr(found, piece):
            raise InvalidArgument(
                "MODULE:FACTORY", target, f"a function or class of {module_name}, which has no {piece!r}"
            )
        found = getattr(found, piece)
    if not callable(found):
        raise InvalidArgument(
            "MODULE:FACTORY", target, f"a function or a class; {name!r} is a {type(found).__name__}"
        )
    return found  # type: ignore[no-any-return]


def _located(target: str, path: Path) -> tuple[Path, str]:
    """The directory to import a file from and its dotted name there: a file of a package is found through it."""
    if not path.is_file():
        raise InvalidArgument(
            "MODULE:FACTORY", target, f"a Python file before the colon; there is no file {path}"
        )
    if not path.stem.isidentifier():
        raise InvalidArgument(
            "MODULE:FACTORY", target, f"a file whose name can be imported; {path.stem!r} cannot"
        )
    path = path.resolve()
    names, directory = [path.stem], path.parent
    while (directory / "__init__.py").is_file():
        names.insert(0, directory.name)
        directory = directory.parent
    return directory, ".".join(names)


def _imported(target: str, name: str, directory: Path) -> Any:
    file = directory / Path(*name.split(".")).with_suffix(".py")
    try:
        if file.is_file() and "." not in name:
            loaded = sys.modules.get(name)
            if loaded is None or getattr(loaded, "__file__", None) != str(file):
                # The user's file, even where an installed module has the same name.
                spec = importlib.util.spec_from_file_location(name, file)
                if spec is None or spec.loader is None:
                    raise ImportError(f"cannot load {file}")
                loaded = importlib.util.module_from_spec(spec)
                sys.modules[name] = loaded
                spec.loader.exec_module(loaded)
            return loaded
        return importlib.import_module(name)
    except Exception as problem:
        sys.modules.pop(name, None)
        if isinstance(problem, ModuleNotFoundError) and problem.name and name.startswith(problem.name):
            what = f"a module that can be imported; there is no {problem.name!r} here or installed"
        else:
            what = (
                f"a module that can be imported; importing {name} raised {type(problem).__name__}: {problem}"
            )
        raise InvalidArgument("MODULE:FACTORY", target, what) from problem


def fuzz(
    factory: Callable[..., Any],
    aggregates: Sequence[str] | None = None,
    seconds: float = 10.0,
    seed: int = 0,
    *,
    data: Sequence[str] | None = None,
    variant: Variant | None = None,
    each: Callable[[Tally, float], None] = lambda tally, elapsed: None,
    mark: Callable[[tuple[Any, ...]], None] = lambda place: None,
    beat: Callable[[], None] = lambda: None,
) -> Report:
    """Try cases for some seconds; raises `Mismatch` like `check_fifo`. `each` is told now and then how far it is.

    Windows that take spans are run at lengths of about a thousand between the cases; at least a tenth of the answers is
    by re-evaluation. `variant`: the window can do more. `mark` and `beat` are for another process that watches this one.

    >>> from swagcore.testing import ReferenceWindow
    >>> fuzz(ReferenceWindow, ["max"], seconds=0.2).answers > 0
    True
    """
    if not isinstance(seconds, (int, float)) or not 0 < seconds < float("inf"):
        raise InvalidArgument("seconds", seconds, "a number above zero")
    campaign = _campaign(factory, aggregates, seed, data, variant, mark=mark, beat=beat)
    start = told = time.monotonic()
    for tally in campaign.run(long=variant is None):
        now = time.monotonic()
        if now - told >= 0.1:
            each(tally, now - start)
            told = now
        if now - start >= seconds and tally.answers:
            break
    return replace(campaign.report(), seconds=time.monotonic() - start)


def _campaign(
    factory: Callable[..., Any],
    aggregates: Sequence[str] | None,
    seed: int,
    data: Sequence[str] | None,
    variant: Variant | None,
    *,
    forked: bool = False,
    **watched: Any,
) -> Campaign:
    if variant is None:
        alone = ForkedTarget(factory) if forked else None
        return Campaign(factory, aggregates or None, seed, data=data or None, target=alone, **watched)
    return VariantCampaign(
        factory,
        aggregates or None,
        seed,
        variant=variant,
        data=data or None,
        target=ForkedVariantTarget(factory, variant) if forked else None,
        **watched,
    )


def fuzz_apart(
    target: str,
    aggregates: Sequence[str] | None = None,
    seconds: float = 10.0,
    seed: int = 0,
    *,
    data: Sequence[str] | None = None,
    variant: Variant | None = None,
    partials: bool = False,
    each: Callable[[Tally, float], None] = lambda tally, elapsed: None,
) -> Report:
    """`fuzz` of MODULE:FACTORY in a process of its own, so that a target that ends the process is a finding too.

    `partials`: the windows take lifted values and answer unlowered ones. That of techniques of this project is known.
    """
    options = (target, partials, aggregates, seed, data, variant)
    found, place = apart(_search, seconds, *options, each=lambda told: each(*told))
    if not isinstance(found, Ended):
        return found  # type: ignore[no-any-return]
    if not place:
        raise refused(target, found)
    otherwise = Finding("crash", -1, got=found.died) if found.died else Finding("hang", -1)
    found, _ = apart(_look_again, place, otherwise, *options, each=lambda told: None)
    raise SwagError(
        f"the search of {target} ended twice, at {place} of seed {seed}, and cannot be repeated: {found}"
    )


def _search(
    board: Board,
    tell: Callable[[Any], None],
    seconds: float,
    target: str,
    partials: bool,
    aggregates: Sequence[str] | None,
    seed: int,
    data: Sequence[str] | None,
    variant: Variant | None,
) -> Report:
    random.seed(seed)  # a target may throw dice: they fall in the same way again
    return fuzz(
        over_values(find_factory(target), partials),
        aggregates,
        seconds,
        seed,
        data=data,
        variant=variant,
        each=lambda tally, elapsed: tell((tally, elapsed)),
        mark=board.write,
        beat=board.beat,
    )


def _look_again(
    board: Board,
    tell: Callable[[Any], None],
    place: tuple[Any, ...],
    otherwise: Finding,
    target: str,
    partials: bool,
    aggregates: Sequence[str] | None,
    seed: int,
    data: Sequence[str] | None,
    variant: Variant | None,
) -> None:
    random.seed(seed)
    campaign = _campaign(
        over_values(find_factory(target), partials),
        aggregates,
        seed,
        data,
        variant,
        forked=True,
        beat=board.beat,
    )
    raise campaign.look_at(place, otherwise)


def live_line(tally: Tally, elapsed: float) -> str:
    """How far a run is, in one line.

    >>> live_line(Tally(cases=10, compared_cases=9, answers=300, by_spans=240), elapsed=2.0)
    '10 cases, 300 answers checked, 150 a second, 20% by re-evaluation, 90% of cases compared'
    """
    rate = tally.answers / max(elapsed, 1e-9)
    share = 100 * tally.compared_cases // max(tally.cases, 1)
    evaluated = 100 * (tally.answers - tally.by_spans) // max(tally.answers, 1)
    return (
        f"{tally.cases:,} cases, {tally.answers:,} answers checked, {rate:,.0f} a second, {evaluated}% by re-evaluation, "
        f"{share}% of cases compared"
    )
