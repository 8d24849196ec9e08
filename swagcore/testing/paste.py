"""A finding as text: a test that a person can paste into a file and run."""

from __future__ import annotations

import functools
import math
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from swagcore.algebra import Aggregate, words
from swagcore.errors import shown
from swagcore.testing.case import Case, Died, Finding, Raised, Step, Target
from swagcore.testing.free_monoid import spans
from swagcore.testing.lifting import lifting
from swagcore.testing.values import built_in

INDENT = "    "


def as_test(target: Target, case: Case, finding: Finding, note: str = "") -> str:
    """The finding as the source of a test, which fails like the case did, with expected and got.

    A factory or an aggregate that cannot be imported by name - a lambda, a local class - is called `factory` or
    `aggregate` there, and a comment says which one it is.

    >>> from swagcore.algebra import aggregate
    >>> from swagcore.testing import ReferenceWindow
    >>> case = Case(aggregate("sum"), (("insert", 1), ("query",)))
    >>> print(as_test(Target(ReferenceWindow), case, Finding("wrong", 1, expected=1, got=2)))
    # ReferenceWindow gives a wrong answer for aggregate 'sum': expected 1, got 2.
    import swagcore as sw
    from swagcore.testing.oracle import ReferenceWindow
    <BLANKLINE>
    <BLANKLINE>
    def test_reference_window_sum():
        window = ReferenceWindow(sw.aggregate('sum'))
        window.insert(1)
        assert window.query() == 1  # got 2
    """
    imports: set[str] = set()
    comments: list[str] = []
    make = _factory(target.factory, imports, comments)
    call = f"{make}({'' if target.fixed else _aggregate(case.aggregate, imports, comments)})"
    body = []
    if case.beside:
        body.append(f"other = {call}  # another window, which must not matter")
        body += [f"other.insert({_literal(value, imports)})" for value in case.beside]
    done = finding.step + 1
    body.append(f"window = {call}" + (_remark(finding) if not done else ""))
    body += _lines(case.steps[: max(done - 1, 0)], imports)
    if done:
        body += _last(case.steps[finding.step], finding, imports)
    name = re.sub(
        r"\W+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", f"{label(target)}_{case.aggregate.name}")
    )
    return "\n".join(
        [
            f"# {sentence(target, case, finding)}{note}",
            *comments,
            *sorted(imports, key=lambda line: (line.startswith("from"), line)),
            *([""] * 2 if imports else []),
            f"def test_{name.strip('_').lower()}():",
            *[INDENT + line for line in body],
        ]
    )


LOOP = 4
"""From so many times on, what repeats is written as a loop."""


def _lines(steps: Sequence[Step], imports: set[str]) -> list[str]:
    """The steps, one a line; what repeats, with values that stay or go up by one, as a loop."""
    lines: list[str] = []
    place = 0
    while place < len(steps):
        period, times = max(
            ((period, _repeats(steps, place, period)) for period in (1, 2, 3, 4)),
            key=lambda found: (found[1] >= LOOP, found[0] * found[1], -found[0]),
        )
        if times < LOOP:
            lines.append(f"window.{_call(steps[place], imports)}")
            place += 1
            continue
        turn = steps[place : place + period]
        after = steps[place + period : place + 2 * period]
        counts = [_counts(one, two) for one, two in zip(turn, after, strict=True)]
        first = next((step[1] for step, up in zip(turn, counts, strict=True) if up), 0)
        lines.append(
            f"for {'i' if any(counts) else '_'} in range({f'{first}, ' if first else ''}{first + times}):"
        )
        for step, up in zip(turn, counts, strict=True):
            ahead = step[1] - first if up else 0
            argument = "i" if not ahead else f"i + {ahead}" if ahead > 0 else f"i - {-ahead}"
            lines.append(f"{INDENT}window.{f'{step[0]}({argument})' if up else _call(step, imports)}")
        place += period * times
    return lines


def _repeats(steps: Sequence[Step], place: int, period: int) -> int:
    """How often the turn of that many steps at that place comes, one after the other."""
    turn, times = steps[place : place + period], 1
    counts: list[bool] | None = None
    while True:
        before = steps[place + (times - 1) * period : place + times * period]
        after = steps[place + times * period : place + (times + 1) * period]
        if len(after) < period:
            return times if len(turn) == period else 0
        ups = [_counts(one, two) for one, two in zip(before, after, strict=True)]
        same = all(up or repr(one) == repr(two) for one, two, up in zip(before, after, ups, strict=True))
        if not same or counts not in (None, ups):
            return times
        counts = ups
        times += 1


def _counts(one: Step, two: Step) -> bool:
    """Whether the second step is the first with an integer that is larger by one."""
    return (
        one[0] == two[0]
        and len(one) == len(two) == 2
        and type(one[1]) is type(two[1]) is int
        and one[1] + 1 == two[1]
    )


def sentence(target: Target, case: Case, finding: Finding) -> str:
    """What was found, in one sentence.

    >>> from swagcore.testing import ReferenceWindow
    >>> from swagcore.algebra import aggregate
    >>> sentence(Target(ReferenceWindow), Case(aggregate("sum"), (("evict",),)), Finding("hang", 0))
    "ReferenceWindow hangs in evict() for aggregate 'sum'."
    """
    where = f"in {case.steps[finding.step][0]}()" if finding.step >= 0 else "when it is made"
    about = f"for aggregate {case.aggregate.name!r}"
    if finding.kind == "hang":
        return f"{label(target)} hangs {where} {about}."
    if finding.kind == "crash":
        return f"{label(target)} crashes {where} {about}: {_raised(finding.got)}."
    wrong = "a wrong length" if finding.kind == "length" else "a wrong answer"
    return f"{label(target)} gives {wrong} {about}: expected {_text(finding.expected)}, got {_text(finding.got)}."


def label(target: Target) -> str:
    """What to call the target: its name, where it has one.

    >>> label(Target(lambda: None)), label(Target(functools.partial(max, 1), fixed=False))
    ('factory', 'max')
    """
    factory: Any = target.factory
    while isinstance(factory, functools.partial):
        factory = factory.args[0] if factory.func is lifting else factory.func
    own = str(getattr(factory, "__name__", type(factory).__name__))
    name = (
        own if own.isidentifier() and hasattr(factory, "__name__") else (importable(factory) or ("", own))[1]
    )
    return name if name.isidentifier() else "factory"


def _last(step: Any, finding: Finding, imports: set[str]) -> list[str]:
    """The step that fails, as one that makes the test fail."""
    if finding.kind == "length":
        return [
            f"window.{_call(step, imports)}",
            f"assert len(window) == {finding.expected}  # got {finding.got}",
        ]
    if finding.kind != "wrong":
        return [f"window.{_call(step, imports)}{_remark(finding)}"]
    remark, query = f"  # got {_text(finding.got)}", f"window.{_call(step, imports)}"
    if isinstance(finding.expected, Raised):
        kind = finding.expected.kind
        return [
            "try:",
            f"{INDENT}got = {query}",
            "except Exception as problem:",
            f"{INDENT}assert type(problem).__name__ == {kind!r}",
            "else:",
            f"{INDENT}raise AssertionError(f'got {{got!r}}, but a fresh window raises {kind}')",
        ]
    expected = _literal(finding.expected, imports)
    if _has_nan(finding.expected):
        imports.add("from swagcore.algebra import same")
        return [f"assert same({query}, {expected}){remark}"]
    if finding.tolerance:
        allowed = math.nextafter(float(finding.tolerance), math.inf)
        return [f"assert abs({query} - {expected}) <= {allowed!r}{remark}"]
    if isinstance(finding.expected, (list, tuple)):
        return [f"assert {type(finding.expected).__name__}({query}) == {expected}{remark}"]
    if finding.expected is None or isinstance(finding.expected, bool):
        operator = "is" if finding.expected is None else "=="
        return [f"assert {query} {operator} {expected}{remark}"]
    return [f"assert {query} == {expected}{remark}"]


def _remark(finding: Finding) -> str:
    if finding.kind == "hang":
        return "  # does not come back"
    if isinstance(finding.got, Died):
        return f"  # ends the process: {finding.got.kind}"
    return f"  # raises {_raised(finding.got)}"


def _call(step: Any, imports: set[str]) -> str:
    return f"{step[0]}({', '.join(_literal(argument, imports) for argument in step[1:])})"


def _literal(value: Any, imports: set[str]) -> str:
    text = repr(value)
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", text)  # what is inside strings needs no import
    for module, name in (("math", "inf"), ("math", "nan"), ("fractions", "Fraction"), ("decimal", "Decimal")):
        if re.search(rf"\b{name}\b", bare):
            imports.add(f"from {module} import {name}")
    return text


def _text(value: Any) -> str:
    return _raised(value) if isinstance(value, Raised) else _still(" ".join(shown(value).split()))


def _raised(raised: Raised) -> str:
    return f"{raised.kind}: {_still(raised.text)}" if raised.text else raised.kind


def _still(text: str) -> str:
    """Without the addresses of objects, which are others in each run."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)


def _has_nan(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_has_nan, value))
    return bool(value != value)


def _factory(factory: Any, imports: set[str], comments: list[str]) -> str:
    """An expression for the factory, and what has to be imported for it."""
    if type(factory) is functools.partial and not factory.keywords:
        inside: set[str] = set()
        made = _factory(factory.func, inside, [])
        if made != "factory":
            imports.update(inside, {"from functools import partial"})
            given = [_named(value, imports) for value in factory.args]
            return f"partial({', '.join([made, *given])})"
    found = importable(factory)
    if found:
        module, name = found
        imports.add(f"from {module} import {name.partition('.')[0]}")
        return name
    code = getattr(factory, "__code__", None)
    where = (
        f", line {code.co_firstlineno} of {Path(code.co_filename).name}" if code else f", {_text(factory)}"
    )
    comments.append(f"# factory: the one that was tested{where}")
    return "factory"


def _named(value: Any, imports: set[str]) -> str:
    """A value as source: by its name where it is a function or a class."""
    found = importable(value) if callable(value) else None
    if found is None:
        return _literal(value, imports)
    imports.add(f"from {found[0]} import {found[1].partition('.')[0]}")
    return found[1]


def importable(thing: Any) -> tuple[str, str] | None:
    """The module and the name by which a function or class can be imported, or None.

    >>> importable(as_test), importable(lambda: 0)
    (('swagcore.testing.paste', 'as_test'), None)
    """
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    found: Any = sys.modules.get(module) if isinstance(module, str) else None
    for piece in name.split(".") if isinstance(name, str) else ():
        found = getattr(found, piece, None)
    if found is None or found != thing:
        module, name = _bound(thing)
    if module is None or name is None:
        return None
    if module == "__main__":
        script = getattr(sys.modules[module], "__file__", None)
        return (Path(script).stem, name) if script and Path(script).stem.isidentifier() else None
    return module, name


def _bound(thing: Any) -> tuple[str, str] | tuple[None, None]:
    """The module and the name that something without a name of its own is bound to: a lambda, an object that is called."""
    for module, content in list(sys.modules.items()):
        for name, bound in list(getattr(content, "__dict__", {}).items()):
            if bound is thing and name.isidentifier():
                return module, name
    return None, None


def _aggregate(aggregate: Aggregate, imports: set[str], comments: list[str]) -> str:
    for ours, name in ((words, "words"), (spans, "spans")):
        if aggregate is ours:
            imports.add(f"from swagcore.testing import {name}")
            return name
    if built_in(aggregate):
        imports.add("import swagcore as sw")
        return f"sw.aggregate({aggregate.name!r})"
    comments.append(f"# aggregate: the one that was tested, {aggregate!r}")
    return "aggregate"
