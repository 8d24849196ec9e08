"""The small ways in which a file is broken: one change of its syntax tree at a time.

Comparisons and arithmetic are swapped, integers are one more or one less, `and` is `or`, conditions are turned around, statements
are dropped, the operands of a combine change places, a function returns None. Docstrings, annotations, messages of errors, and
the methods that only show or check (`_check`, `_state`, `__repr__`) are left alone.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

COMPARED: dict[type, type] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
CALCULATED: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
UNTOUCHED = ("_check", "_state", "__repr__")


@dataclass(frozen=True)
class Mutant:
    """One change: its name, which does not depend on line numbers, the lines of its statement, and the module with it."""

    name: str
    lines: range
    tree: ast.Module


def mutants(source: str) -> list[Mutant]:
    """All mutants of a module.

    >>> [mutant.name for mutant in mutants("def f(a, b):\\n    return a < b")]
    ['f: return a < b -> return None', 'f: a < b -> a <= b']
    """
    tree = ast.parse(source)
    found: list[Mutant] = []
    seen: Counter[str] = Counter()
    for top, statement in enumerate(tree.body):
        if _is_text(statement):
            continue
        lines = range(0)
        for place, (node, where) in enumerate(_nodes(statement)):
            if isinstance(node, ast.stmt):
                lines = _lines(node)
            for change in _changes(node):
                changed = copy.deepcopy(statement)
                target, _ = next(itertools.islice(_nodes(changed), place, None))
                whole = ast.Module([*tree.body[:top], changed, *tree.body[top + 1 :]], [])
                before = _shown(target)
                after = change(target, whole)
                name = f"{where}: {before} -> {after}"
                seen[name] += 1
                if seen[name] > 1:
                    name += f" ({seen[name]})"
                found.append(Mutant(name, lines, ast.fix_missing_locations(whole)))
    return found


def _lines(statement: ast.stmt) -> range:
    """Its lines, without those of the statements inside."""
    body = getattr(statement, "body", None)
    return range(statement.lineno, body[0].lineno if body else (statement.end_lineno or statement.lineno) + 1)


def _shown(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:100]


def _nodes(node: ast.AST, where: str = "module") -> Iterator[tuple[ast.AST, str]]:
    """The nodes that may be changed, each with the function that it is in."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        if node.name in UNTOUCHED:
            return
        where = node.name if where == "module" else f"{where}.{node.name}"
        for child in node.body:
            if not _is_text(child):
                yield from _nodes(child, where)
        return
    if isinstance(node, ast.Raise):
        return
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.arguments)) or node is None:
        return
    expressions = (ast.Compare, ast.BinOp, ast.BoolOp, ast.Constant, ast.UnaryOp, ast.Call, ast.IfExp)
    if isinstance(node, (ast.stmt, *expressions)):
        yield node, where
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST) and not _is_text(child):
                yield from _nodes(child, where)


def _is_text(node: ast.AST) -> bool:
    """Whether it is a docstring, or the text under a constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


Change = Callable[[ast.AST, ast.AST], str]


def _changes(node: ast.AST) -> Iterator[Change]:
    """The ways to change a node; each changes it in its tree, and says what it is now."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            if type(operator) in COMPARED:
                yield lambda target, _, i=place: _set(target, "ops", i, COMPARED[type(target.ops[i])]())
    elif isinstance(node, ast.BinOp) and type(node.op) in CALCULATED:
        yield lambda target, _: _set(target, "op", None, CALCULATED[type(target.op)]())
    elif isinstance(node, ast.BoolOp):
        yield lambda target, _: _set(
            target, "op", None, ast.Or() if isinstance(target.op, ast.And) else ast.And()
        )
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        for by in (1, -1):
            yield lambda target, _, by=by: _set(target, "value", None, target.value + by)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield lambda target, _: _set(target, "value", None, not target.value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _not_not
    elif isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if "combine" in called and len(node.args) == 2:
            yield lambda target, _: _set(target, "args", None, target.args[::-1])
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield _negated
    elif isinstance(node, ast.Return) and node.value is not None:
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield lambda target, _: _set(target, "value", None, ast.Constant(None))
    elif isinstance(node, (ast.Expr, ast.AugAssign, ast.Delete)) or (
        isinstance(node, ast.Assign)
        and any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets)
    ):
        yield _dropped


def _set(target: ast.AST, name: str, place: int | None, value: object) -> str:
    if place is None:
        setattr(target, name, value)
    else:
        getattr(target, name)[place] = value
    return _shown(target)


def _not_not(target: ast.AST, tree: ast.AST) -> str:
    """`not x` becomes `not not x`."""
    operand = target.operand  # type: ignore[attr-defined]
    target.operand = ast.UnaryOp(ast.Not(), operand)  # type: ignore[attr-defined]
    return _shown(target)


def _negated(target: ast.AST, tree: ast.AST) -> str:
    target.test = ast.UnaryOp(ast.Not(), target.test)  # type: ignore[attr-defined]
    return f"if {_shown(target.test)}"  # type: ignore[attr-defined]


def _dropped(target: ast.AST, tree: ast.AST) -> str:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and target in body:
                body[body.index(target)] = ast.Pass()
                return "pass"
    raise LookupError("the statement is in no body")
