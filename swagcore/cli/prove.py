"""`swag prove`."""

from __future__ import annotations

from typing import Annotated

import typer

from swagcore.cli.note import note
from swagcore.errors import SwagError


def prove(
    target: Annotated[
        str,
        typer.Argument(
            metavar="MODULE:FACTORY", help="A dotted module or a Python file, and a function or class."
        ),
    ],
    size: Annotated[int, typer.Option(help="All interleavings of up to so many inserts.")] = 8,
) -> None:
    """Prove your own window right for every associative operation, up to a size; exit code 1, and a shortest wrong interleaving, if it is not.

    FACTORY(aggregate) makes an empty window with insert(value), evict() and query(). A window with an aggregate of its own cannot
    be proved so: `swag fuzz` takes it.
    """
    from swagcore.testing.mismatch import Mismatch
    from swagcore.testing.prove import prove_apart

    try:
        typer.echo(str(prove_apart(target, size)))
    except Mismatch as wrong:
        typer.echo(f"wrong: {wrong}")
        raise typer.Exit(1) from None
    except SwagError as error:  # 1 is for a wrong answer, so that a script can tell the two apart
        note(" ".join(str(error).split()))
        raise typer.Exit(2) from None
