"""Pictures as text: states as HTML, plans and graphs as SVG. They take their colours from the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from swagcore.coverage.graph import Graph
from swagcore.plan import Plan, Tree, shown
from swagcore.slicing import SharedPlan
from swagcore.windows import Window

# States


def width_of(states: Iterable[Sequence[dict[str, Any]]]) -> int:
    """How wide a cell is, in pixels, if the longest line of these states is to fit.

    >>> width_of([[{"kind": "array", "cells": [["ab"], ["abcdefgh"]]}]]), width_of([])
    (76, 44)
    """
    lines = [
        len(line)
        for parts in states
        for part in parts
        if part["kind"] == "array"
        for cell in part["cells"]
        for line in cell
    ]
    return max(44, 8 * max(lines, default=0) + 12)


def state(parts: Sequence[dict[str, Any]], width: int = 44) -> str:
    """The parts of a state, in one line of HTML without blank lines, as Markdown wants it.

    >>> state([{"name": "total", "kind": "value", "text": "ab", "changed": True}])
    '<div class="state" style="--cell:44px"><div class="part" data-part="total"><span class="name">total</span> <span class="cell changed">ab</span></div></div>'
    """
    marks = next((part["at"] for part in parts if part["kind"] == "marks"), {})
    drawn = []
    for part in parts:
        if part["kind"] == "array":
            drawn.append(_array(part, marks if not drawn else {}, width))
        elif part["kind"] == "grid":
            drawn.append(_grid(part))
        elif part["kind"] == "value":
            cell = f'<span class="cell{_changed(part["changed"])}">{escape(part["text"])}</span>'
            drawn.append(f'<div class="part" data-part="{part["name"]}">{_name(part["name"])} {cell}</div>')
    has_array = any(part["kind"] == "array" for part in parts)
    if marks and not has_array:
        told = ", ".join(f"{name} {at}" for name, at in marks.items())
        drawn.append(f'<div class="part" data-part="marks">{_name("pointers")} {told}</div>')
    return f'<div class="state" style="--cell:{width}px">{"".join(drawn)}</div>'


def _name(name: str) -> str:
    return f'<span class="name">{escape(name)}</span>'


def _changed(changed: bool) -> str:
    return " changed" if changed else ""


def _array(part: dict[str, Any], marks: dict[str, int], width: int) -> str:
    cells = part["cells"]
    drawn = "".join(
        f'<span class="cell{_changed(i in part["changed"])}">{"<br>".join(map(escape, lines))}</span>'
        for i, lines in enumerate(cells)
    )
    drawn = drawn or '<span class="empty">empty</span>'
    under = _jumps([int(cell[0]) for cell in cells], width) if part["name"] == "pointers" and cells else ""
    if marks:
        by_place: dict[int, list[str]] = {}
        for name, at in marks.items():
            by_place.setdefault(at, []).append(name)
        places = "".join(
            f'<span class="mark">{_together(by_place.get(i, []))}</span>' for i in range(len(cells) + 1)
        )
        under += f'<div class="marks">{places}</div>'
    row = f'<div class="scroll"><div class="row">{drawn}</div>{under}</div>'
    return f'<div class="part" data-part="{escape(part["name"])}">{_name(part["name"])}{row}</div>'


def _together(names: list[str]) -> str:
    return ("" if all(len(name) == 1 for name in names) else " ").join(names)


def _jumps(pointers: list[int], cell: int) -> str:
    """Arcs from each cell to the one that its pointer goes to."""
    arcs = []
    step = cell - 1  # neighbours share a border
    for i, to in enumerate(pointers):
        x, y, deep = step * i + cell // 2, step * to + cell // 2, 10 + 9 * (to - i)
        arcs.append(f'<path class="arc" d="M{x} 2 C{x} {deep} {y} {deep} {y} 4"/>')
    width, height = step * (len(pointers) + 1), 10 + 7 * max(to - i for i, to in enumerate(pointers))
    return f'<svg class="jumps" width="{width}" height="{height}" aria-hidden="true">{"".join(arcs)}</svg>'


def _grid(part: dict[str, Any]) -> str:
    columns = part["columns"]
    cells = [
        f'<span class="cell{_changed(cell["changed"])}" style="grid-row:{row + 1};'
        f'grid-column:{cell["at"] + 1}/span {cell["span"]}">{escape(cell["text"])}</span>'
        for row, listed in enumerate(part["rows"])
        for cell in listed
    ]
    drawn = "".join(cells) or '<span class="empty">empty</span>'
    grid = (
        f'<div class="spans" style="grid-template-columns:repeat({columns},minmax(2.2rem,1fr))">{drawn}</div>'
    )
    return f'<div class="part" data-part="{part["name"]}">{_name(part["name"])}<div class="scroll">{grid}</div></div>'


# Plans


def plan(made: Plan) -> str:
    """The trees of a plan: the stream on top, a box a tree, its queries below."""
    width, x, drawn = 0, 10, []
    boxes = []
    for tree in made.trees:
        wide = max(150, 92 * len(tree.queries))
        boxes.append((tree, x, wide))
        x += wide + 20
    width = x - 10
    middle = width / 2
    drawn.append(_box(middle - 50, 6, 100, 26, "stream"))
    for tree, left, wide in boxes:
        centre = left + wide / 2
        drawn.append(_line(middle, 32, centre, 62))
        said = f"E {shown(tree.edge_rate)}, Ω {shown(tree.omega)}"
        drawn.append(_box(centre - 72, 62, 144, 44, said, f"cost {shown(tree.cost)}", "tree"))
        step = wide / len(tree.queries)
        for i, query in enumerate(tree.queries):
            at = left + step * (i + 0.5)
            drawn.append(_line(centre, 106, at, 136))
            drawn.append(
                _box(at - 42, 136, 84, 40, query.name, f"{query.window.range} / {query.window.slide}")
            )
    told = f"{len(made.trees)} trees: " + "; ".join(", ".join(tree.names) for tree in made.trees)
    return _svg(width, 184, drawn, told)


def composite_slide(tree: Tree) -> str:
    """One composite slide of a tree: a line a query with the cuts that it makes, and all edges on the last line."""
    shared = SharedPlan(tree.queries)
    period = shared.period
    scale = 620 / period
    edges = [edge for edge in shared.first(shared.edges_per_period() + 1) if edge.time <= period]
    drawn, y = [], 18
    for query in tree.queries:
        own = SharedPlan([query])
        times = {edge.time for edge in own.first(own.edges_per_period() * (period // query.window.slide) + 1)}
        drawn.append(f'<text x="6" y="{y + 4}">{escape(query.name)}</text>')
        drawn.append(_line(100, y, 100 + period * scale, y))
        drawn += [_tick(100 + time * scale, y, 5) for time in sorted(times) if time <= period]
        y += 24
    drawn.append(f'<text x="6" y="{y + 4}">all</text>')
    drawn.append(_line(100, y, 100 + period * scale, y))
    for edge in edges:
        drawn.append(_tick(100 + edge.time * scale, y, 8, "answer" if edge.answers else "edge"))
        drawn.append(
            f'<text class="small" x="{100 + edge.time * scale:.0f}" y="{y + 22}" text-anchor="middle">{edge.time}</text>'
        )
    told = f"Composite slide of {period}: edges at {', '.join(str(edge.time) for edge in edges)}"
    return _svg(740, y + 30, drawn, told)


# Coverage graphs


def coverage(graph: Graph) -> str:
    """The graph from the stream down: boxes are windows, dashed ones factor windows; a line says how many steps an instance takes."""
    depth: dict[Window | None, int] = {None: 0}
    for window in graph.order:
        depth[window] = depth[graph.parent[window]] + 1
    columns: dict[Window | None, float] = {}
    leaves = 0

    def place(window: Window | None) -> float:
        nonlocal leaves
        below = [place(child) for child in graph.children(window)]
        if not below:
            below = [float(leaves)]
            leaves += 1
        columns[window] = sum(below) / len(below)
        return columns[window]

    place(None)
    across, down = 132, 84
    drawn = []
    for window, level in depth.items():
        x, y = columns[window] * across + 66, level * down + 8
        if window is None:
            drawn.append(_box(x - 50, y, 100, 40, "stream"))
            continue
        parent = graph.parent[window]
        px, py = columns[parent] * across + 66, depth[parent] * down + 48
        drawn.append(_line(px, py, x, y))
        steps = Fraction(graph.steps_of(window))
        drawn.append(
            f'<text class="small" x="{(px + x) / 2 + 5:.0f}" y="{(py + y) / 2 + 4:.0f}">{shown(steps)}</text>'
        )
        kind = "factor" if window in graph.factors else ""
        cost = f"cost {shown(Fraction(graph.cost_of(window)))}"
        drawn.append(_box(x - 58, y, 116, 40, f"{window.range} / {window.slide}", cost, kind))
    told = "; ".join(
        f"{window.range}/{window.slide} from {'the stream' if parent is None else f'{parent.range}/{parent.slide}'}"
        for window, parent in graph.parent.items()
    )
    return _svg(max(1, leaves) * across, (max(depth.values()) + 1) * down - 30, drawn, told)


# SVG


def _svg(width: float, height: float, drawn: Sequence[str], told: str) -> str:
    return (
        f'<div class="picture"><svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" role="img" '
        f'aria-label="{escape(told)}">{"".join(drawn)}</svg></div>'
    )


def _box(
    x: float, y: float, width: float, height: float, first: str, second: str = "", kind: str = ""
) -> str:
    middle = x + width / 2
    if not second:
        lines = _said(middle, y + height / 2 + 4, first)
    else:
        lines = _said(middle, y + 17, first) + _said(middle, y + 33, second)
    return f'<rect class="box {kind}" x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="4"/>{lines}'


def _said(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle">{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="line" x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"/>'


def _tick(x: float, y: float, half: float, kind: str = "edge") -> str:
    return f'<line class="tick {kind}" x1="{x:.1f}" y1="{y - half}" x2="{x:.1f}" y2="{y + half}"/>'
