"""`swag plan`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def plan(
    queries: Annotated[Path, typer.Argument(metavar="QUERIES.toml", help="The stream and its queries.")],
    optimizer: Annotated[str, typer.Option(metavar="O", help="What makes the plan.")] = "weave_share",
    technique: Annotated[str, typer.Option(metavar="T", help="What aggregates the partials.")] = "panes",
    nodes: Annotated[int, typer.Option(metavar="N", help="How many nodes the trees are placed on.")] = 1,
    rate: Annotated[
        float,
        typer.Option(
            help="Events a time unit of the stream; a second, where windows are given in durations."
        ),
    ] = 1.0,
) -> None:
    """Plan which queries of a TOML file share their partials; print the plan, its cost, and what it saves."""
    from fractions import Fraction

    from rich.console import Console
    from rich.table import Table

    from swagcore.cost import CostModel
    from swagcore.durations import MICROSECONDS
    from swagcore.files import read_queries
    from swagcore.optimizers import optimize
    from swagcore.plan import shown
    from swagcore.windows import query_set

    stream, wanted = read_queries(queries)
    # Windows in durations are in microseconds until the stream's unit is known, which a plan does not need.
    in_durations = any(query.window.unit for query in wanted)
    unit = stream.unit or ("us" if in_durations else None)
    scale = Fraction(MICROSECONDS["s"], MICROSECONDS[unit]) if in_durations and unit else Fraction(1)
    model = CostModel(rate, technique)
    found = optimize(query_set(wanted, unit), model.rate / scale, optimizer, technique, nodes=nodes)
    model = CostModel(model.rate / scale, technique)
    unshared = model.plan_cost([query] for tree in found.trees for query in tree.queries)

    table = Table(box=None, pad_edge=False)
    headings = ["node"] * (nodes > 1) + ["tree", "queries", "edge rate", "omega", "cost", "names"]
    for heading in headings:
        # Only the names give way where the terminal is narrow.
        text = heading == "names"
        table.add_column(heading, justify="left" if text else "right", no_wrap=not text)
    for number, tree in enumerate(sorted(found.trees, key=lambda tree: tree.node), 1):
        bound = "" if tree.exact else "<= "
        cells = [str(tree.node)] * (nodes > 1) + [
            str(number),
            str(len(tree.queries)),
            bound + shown(tree.edge_rate * scale),
            shown(tree.omega),
            bound + shown(tree.cost * scale),
            ", ".join(tree.names[:4]) + (", ..." if len(tree.queries) > 4 else ""),
        ]
        table.add_row(*cells)
    console = Console(highlight=False, markup=False)
    console.print(table)
    per = "second" if in_durations else "time unit"
    saving = 1 - found.cost / unshared if unshared else Fraction(0)
    trees = f"{len(found.trees)} tree" + "s" * (len(found.trees) != 1)
    lines = [
        f"{optimizer}, {technique}, {shown(model.rate * scale)} events a {per}: {len(wanted)} queries in {trees}",
        f"cost      {shown(found.cost * scale)} operations a {per}",
        f"unshared  {shown(unshared * scale)}",
        f"saving    {float(saving):.1%}",
    ]
    if nodes > 1:
        lines.append(f"most expensive of {nodes} nodes  {shown(found.max_node_cost * scale)}")
    if found.node_cost:
        lines.append(
            f"of that, for the partials that all trees of a node share  {shown(found.node_cost * scale)}"
        )
    if not found.exact:
        lines.append("costs marked with <= are upper bounds: counting these edges is beyond every method")
    for line in lines:
        console.print(line, soft_wrap=True)
