"""`swag fuzz`."""

from __future__ import annotations

from typing import Annotated

import typer

from swagcore.cli.note import note
from swagcore.errors import SwagError


def fuzz(
    target: Annotated[
        str,
        typer.Argument(
            metavar="MODULE:FACTORY", help="A dotted module or a Python file, and a function or class."
        ),
    ],
    seconds: Annotated[float, typer.Option(help="How long to look.")] = 10.0,
    seed: Annotated[int, typer.Option(help="The same seed tries the same cases.")] = 0,
    aggregate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only this aggregate; may be given again. Needed where FACTORY takes no argument.",
        ),
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND", help="Only this kind of data (ints, floats, specials, ...); may be given again."
        ),
    ] = None,
    bulk: Annotated[
        bool, typer.Option("--bulk", help="The window also has insert_many(values) and evict_many(n).")
    ] = False,
    ranges: Annotated[
        bool, typer.Option("--ranges", help="The window also has query(n), over the newest n.")
    ] = False,
    out_of_order: Annotated[
        bool,
        typer.Option(
            "--out-of-order", help="The window has insert(time, value); times come in any order and repeat."
        ),
    ] = False,
    between: Annotated[
        bool,
        typer.Option(
            "--between",
            help="The window also has query_between(start, end), over start <= time < end; implies --out-of-order.",
        ),
    ] = False,
    partials: Annotated[
        bool,
        typer.Option(
            "--partials",
            help="The window takes lifted values, and its answers are not lowered: both is done for it.",
        ),
    ] = False,
    insert_many: Annotated[
        str, typer.Option(metavar="NAME", help="What insert_many is called; implies --bulk.")
    ] = "insert_many",
    evict_many: Annotated[
        str, typer.Option(metavar="NAME", help="What evict_many is called; implies --bulk.")
    ] = "evict_many",
) -> None:
    """Look for a wrong answer of your own window; exit code 1, and a minimal test that shows it, if there is one.

    FACTORY(aggregate) makes an empty window with insert(value), evict() and query(): raw values in, answers out. With one of the
    options for windows that do more, those are tried together with the rest.
    """
    from rich.console import Console

    from swagcore.testing.fuzz import fuzz_apart, live_line
    from swagcore.testing.mismatch import Mismatch
    from swagcore.testing.variants import Variant

    console = Console(stderr=True)
    try:
        bulk = bulk or (insert_many, evict_many) != ("insert_many", "evict_many")
        out_of_order = out_of_order or between
        more = bulk or ranges or out_of_order
        variant = Variant(bulk, ranges, out_of_order, insert_many, evict_many, between) if more else None
        with console.status("starting") as status:  # silent where nobody watches
            report = fuzz_apart(
                target,
                aggregate,
                seconds,
                seed,
                data=data,
                variant=variant,
                partials=partials,
                each=lambda tally, elapsed: status.update(live_line(tally, elapsed)),
            )
    except Mismatch as found:
        typer.echo(str(found))
        raise typer.Exit(1) from None
    except SwagError as error:  # 1 is for a wrong answer, so that a script can tell the two apart
        note(" ".join(str(error).split()))
        raise typer.Exit(2) from None
    typer.echo(f"{report}; seed {seed}")
