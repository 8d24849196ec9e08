"""What the player shows: the real structures, step by step, with the operations of each step counted.

`trace` runs a technique over a small example and gives plain data, which the player draws. A state becomes *parts*:

- array: cells side by side, each with one or more lines of text
- grid: rows of cells that span columns, for trees and intervals
- value: a single word
- marks: names that point between the cells of the first array
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from swagcore.aggregators import Technique, technique_for
from swagcore.algebra import Aggregate, Counting, words

NOTHING = float("-inf")
_PLAIN = ("capacity", "size")  # integers that are no pointers
Part = dict[str, Any]


@dataclass(frozen=True)
class Example:
    """What is played: values through a window of a length, over an aggregate, with the ranges asked for."""

    title: str
    aggregate: Aggregate
    values: tuple[Any, ...]
    length: int
    before: tuple[Any, ...] = ()
    ranges: tuple[int, ...] = ()
    drain: bool = True

    def steps(self) -> Iterator[tuple[str, Any]]:
        """The operations: fill, slide, and at last drain."""
        held = len(self.before)
        for value in self.values:
            if held == self.length:
                yield "evict", None
                held -= 1
            yield "insert", value
            held += 1
            yield "query", None
            for n in self.ranges:
                if n < self.length and n <= held:
                    yield "query", n
        if self.drain:
            for _ in range(held):
                yield "evict", None
                yield "query", None


_maximum = Aggregate("max", lift=float, combine=max, identity=NOTHING, selective=True, commutative=True)
_total = Aggregate("sum", lift=int, combine=operator.add, identity=0, inverse=operator.sub, commutative=True)
_LETTERS = tuple("abcdefghijklm")
_SHEIN = (6, 5, 0, 1, 3, 4, 2, 7)


def _letters(length: int, count: int) -> Example:
    return Example(f"The letters a, b, c ... through a window of {length}", words, _LETTERS[:count], length)


EXAMPLES = {
    "recompute": _letters(4, 6),
    "subtract_on_evict": _letters(4, 6),
    "r_int": _letters(4, 6),
    "flatfat": _letters(6, 9),
    "b_int": _letters(6, 9),
    "l_int": _letters(5, 8),
    "psoup": _letters(5, 8),
    "two_stacks": _letters(5, 10),
    "daba": _letters(8, 13),
    "flatfit": Example(
        "S Example 3: the maximum of the newest 5 of 2, 4, 0, 3, 7, 6, 1, 8, 9, 5, after a window of -∞",
        _maximum,
        (2, 4, 0, 3, 7, 6, 1, 8, 9, 5),
        5,
        before=(NOTHING,) * 5,
        drain=False,
    ),
    "slickdeque_inv": Example(
        "S Example 5: sums of the newest 5 and 3 of 6, 5, 0, 1, 3, 4, 2, 7", _total, _SHEIN, 5, ranges=(3,)
    ),
    "slickdeque_noninv": Example(
        "S Example 6: maxima of the newest 5 and 3 of 6, 5, 0, 1, 3, 4, 2, 7",
        _maximum,
        _SHEIN,
        5,
        ranges=(3,),
    ),
    "two_stacks_lite": _letters(5, 10),
    "daba_lite": _letters(8, 13),
}


def trace(technique: str, example: Example | None = None) -> dict[str, Any]:
    """The example of a technique, played: every operation, what it answered, what it cost, and the state after it.

    >>> steps = trace("flatfit")["steps"]
    >>> sum(step["operations"] for step in steps), steps[-1]["answer"]
    (21, '9')
    """
    example = example or EXAMPLES[technique]
    counting = Counting(example.aggregate)
    ranges = sorted({*example.ranges, example.length}) if technique == "slickdeque_inv" else None
    window = technique_for(technique, counting.aggregate, ranges)
    for value in example.before:
        window.insert(example.aggregate.lift(value))
    steps = [_step("start", "The window before the first step.", window, 0, None, None)]
    before = window._state()
    for name, argument in example.steps():
        counting.reset()
        answer = _played(window, name, argument, example.aggregate.lift)
        after = window._state()
        done, shift = _told(name, argument), int(name == "evict")
        changes = _changes(before, after, shift)
        said = " ".join(
            [*_answered(name, argument, answer), _cost(counting), _sentence(changes, before, after)]
        )
        steps.append(_step(done, said, window, counting.operations, answer, changes))
        before = after
    return {"technique": technique, "title": example.title, "steps": steps}


def _played(window: Technique, name: str, argument: Any, lift: Callable[[Any], Any]) -> Any:
    if name == "insert":
        return window.insert(lift(argument))
    if name == "evict":
        return window.evict()
    return window.query() if argument is None else window.query(argument)  # type: ignore[call-arg]


def _told(name: str, argument: Any) -> str:
    if name == "insert":
        return f"insert {text(argument)}"
    return name if argument is None else f"{name} {argument}"


def _answered(name: str, argument: Any, answer: Any) -> list[str]:
    if name != "query":
        return []
    over = "the whole window" if argument is None else f"the newest {argument}"
    return [f"The answer over {over} is {text(answer)}."]


def _cost(counting: Counting) -> str:
    inverses = f" and {_number(counting.inverses, 'inverse')}" if counting.inverses else ""
    return f"{_number(counting.combines, 'combine')}{inverses}."


def _number(n: int, thing: str) -> str:
    return f"{n} {thing}" + "s" * (n != 1)


def _step(
    done: str,
    said: str,
    window: Technique,
    operations: int,
    answer: Any,
    changes: dict[str, list[Any]] | None,
) -> dict[str, Any]:
    shown = {
        "done": done,
        "said": said,
        "operations": operations,
        "parts": parts(window._state(), changes or {}),
    }
    return shown if answer is None else {**shown, "answer": text(answer)}


def text(partial: Any) -> str:
    """A partial in a cell: a word as its letters, the empty one as ∅.

    >>> text(("a", "b")), text(()), text(7.0), text(NOTHING)
    ('ab', '∅', '7', '-∞')
    """
    if partial is None:
        return "·"
    if isinstance(partial, tuple):
        return "".join(partial) or "∅"
    if isinstance(partial, float):
        return "-∞" if partial == NOTHING else f"{partial:g}"
    return str(partial)


def _is_word(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(letter, str) for letter in value)


def _lines(cell: Any) -> list[str]:
    return [text(cell)] if not isinstance(cell, tuple) or _is_word(cell) else [text(one) for one in cell]


def _is_tree(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {"partial", "older", "newer"}


def parts(state: dict[str, Any], changes: dict[str, Any] | None = None) -> list[Part]:
    """A state as the player draws it; `changes` names the cells to mark, by part.

    >>> parts({"partials": [("a", "b"), ("b",)], "total": ("a", "b"), "front": 1}, {"partials": [0]})
    [{'name': 'partials', 'kind': 'array', 'cells': [['ab'], ['b']], 'changed': [0]}, {'name': 'total', 'kind': 'value', 'text': 'ab', 'changed': False}, {'kind': 'marks', 'at': {'front': 1}}]
    """
    changes = changes or {}
    made: list[Part] = []
    marks = {}
    for name, value in state.items():
        changed = changes.get(name, [])
        if value is None:
            continue
        if name == "parts":
            made += [part for piece in value for part in _landmarks(piece, changes)]
        elif isinstance(value, list):
            made.append(
                {"name": name, "kind": "array", "cells": [_lines(cell) for cell in value], "changed": changed}
            )
        elif name == "tree":
            made.append(_grid(name, _tree(value), changed))
        elif isinstance(value, dict):
            cells = (
                _intervals(value)
                if all(isinstance(key, tuple) for key in value)
                else _heap(value, state["capacity"])
            )
            made.append(_grid(name, cells, changed, state["capacity"]))
        elif (
            isinstance(value, int)
            and not isinstance(value, bool)
            and name not in _PLAIN
            and "totals" not in state
        ):
            if name == "total":
                made.append({"name": name, "kind": "value", "text": text(value), "changed": bool(changed)})
            else:
                marks[name] = value
        else:
            made.append({"name": name, "kind": "value", "text": text(value), "changed": bool(changed)})
    return made + [{"kind": "marks", "at": marks}] * bool(marks)


Cell = tuple[int, int, int, str, Any]  # row, first column, columns, text, key


def _heap(nodes: dict[int, Any], capacity: int) -> Iterator[Cell]:
    """Nodes 1, 2-3, 4-7 ... of a flat tree, the root on top."""
    for node, partial in nodes.items():
        level = node.bit_length() - 1
        span = capacity >> level
        yield level, (node - (1 << level)) * span, span, text(partial), node


def _intervals(found: dict[tuple[int, int], Any]) -> Iterator[Cell]:
    """Intervals by width, the widest on top."""
    capacity_row = max(((end - begin).bit_length() for begin, end in found), default=1)
    for (begin, end), partial in found.items():
        yield capacity_row - (end - begin).bit_length(), begin, end - begin, text(partial), (begin, end)


def _tree(root: Any) -> Iterator[Cell]:
    """A tree of dicts; every leaf is a column."""

    def visit(node: Any, row: int, column: int) -> tuple[int, list[Cell]]:
        if not _is_tree(node):
            return 1, [(row, column, 1, text(node), (row, column))]
        wide, older = visit(node["older"], row + 1, column)
        wider, newer = visit(node["newer"], row + 1, column + wide)
        own = (row, column, wide + wider, text(node["partial"]), (row, column))
        return wide + wider, [own, *older, *newer]

    yield from [] if root is None else visit(root, 0, 0)[1]


def _grid(name: str, cells: Iterable[Cell], changed: Any, columns: int = 0) -> Part:
    listed = sorted(cells, key=lambda cell: cell[:2])
    height = max((row for row, *_ in listed), default=-1) + 1
    wide = max([columns, *(at + span for _, at, span, _, _ in listed)])
    wide = max(wide, 1)
    rows: list[list[dict[str, Any]]] = [[] for _ in range(height)]
    for row, at, span, word, key in listed:
        rows[row].append({"at": at % wide, "span": span, "text": word, "changed": key in (changed or [])})
    return {"name": name, "kind": "grid", "columns": wide, "rows": rows}


def _landmarks(piece: dict[str, Any], changes: dict[str, Any]) -> list[Part]:
    """One width of L-INT: the words that end before its landmark, and those that begin at its landmarks."""
    width = piece["width"]
    arrays = [("before", piece["before"]), *((f"since {i}", since) for i, since in enumerate(piece["since"]))]
    return [
        {
            "name": f"width {width}: {name}",
            "kind": "array",
            "cells": [_lines(cell) for cell in cells],
            "changed": changes.get(f"width {width}: {name}", []),
        }
        for name, cells in arrays
        if cells
    ]


# What changed


def _flat(state: dict[str, Any]) -> dict[str, Any]:
    """The state with the landmarks of L-INT as arrays of their own."""
    flat = {name: value for name, value in state.items() if name != "parts"}
    for piece in state.get("parts", []):
        for part in _landmarks(piece, {}):
            flat[part["name"]] = [tuple(lines) for lines in part["cells"]]
    return flat


def _changes(before: dict[str, Any], after: dict[str, Any], shift: int) -> dict[str, list[Any]]:
    """By part, the cells that are new or different. After an evict everything has moved one place to the old end."""
    changes = {}
    old, new = _flat(before), _flat(after)
    for name, value in new.items():
        was = old.get(name)
        if isinstance(value, list):
            was = was or []
            lost = max(0, len(was) - len(value)) if shift else 0
            aligned = [_moved(name, cell, shift) for cell in was[lost:]]
            found = [i for i, cell in enumerate(value) if i >= len(aligned) or aligned[i] != cell]
            if len(was) != len(value):
                changes[name] = found
        elif _is_nodes(name, value):
            known, now = _nodes(name, was), _nodes(name, value)
            new_or_different = {key for key in now if known.get(key, _MISSING) != now[key]}
            found = (
                [cell[4] for cell in _tree(value) if cell[3] in new_or_different]
                if name == "tree"
                else [key for key in now if key in new_or_different]
            )
            if known.keys() - now.keys():
                changes[name] = found
        else:
            found = [] if value is None or value == _moved(name, was, shift) else [value]
        if found:
            changes[name] = found
    return changes


_MISSING = object()


def _is_nodes(name: str, value: Any) -> bool:
    return name == "tree" or isinstance(value, dict)


def _nodes(name: str, value: Any) -> dict[Any, Any]:
    """The nodes of a tree or the intervals by what names them; those of a tree that is rebuilt, by their words."""
    return {cell[3]: cell[3] for cell in _tree(value)} if name == "tree" else value or {}


def _moved(name: str, cell: Any, shift: int) -> Any:
    """What a cell, or a pointer, says once positions are counted from the next partial on."""
    if name in ("pointers", "front", *"LRABE") and isinstance(cell, int):
        return cell - shift
    if name == "nodes" and isinstance(cell, tuple) and not _is_word(cell):
        return cell[0] - shift, cell[1]
    return cell


def _sentence(changes: dict[str, list[Any]], before: dict[str, Any], after: dict[str, Any]) -> str:
    """The changes in words, for those who do not see the picture."""
    old, new = _flat(before), _flat(after)
    said = []
    for name, found in changes.items():
        value = new[name]
        if isinstance(value, list):
            was, now = len(old.get(name) or []), len(value)
            told = [f"{name} has {_number(now, 'cell')} instead of {was}"] if was != now else []
            said.append(", ".join(told + [f"{name}[{i}] is {' / '.join(_lines(value[i]))}" for i in found]))
        elif _is_nodes(name, value):
            gone = len(_nodes(name, old.get(name)).keys() - _nodes(name, value).keys())
            told = [f"{_number(len(found), 'node')} new or different"] if found else []
            said.append(f"{name}: " + ", ".join(told + [f"{_number(gone, 'node')} gone"] * bool(gone)))
        else:
            said.append(f"{name} is {text(value)}")
    return f"Now {'; '.join(said)}." if said else "Nothing else changed."
