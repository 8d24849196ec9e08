"""The command line: `swag`, and `python -m swagcore`, which is the same.

One file a command. A command imports what it needs inside, so that `swag --help` starts fast; it raises `SwagError`
for whatever a user can do wrong, and `main` turns that into one line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from swagcore.cli.bench import bench
from swagcore.cli.fuzz import fuzz
from swagcore.cli.ledger import claims, verify
from swagcore.cli.note import note
from swagcore.cli.plan import plan
from swagcore.cli.prove import prove
from swagcore.cli.rewrite import rewrite
from swagcore.cli.run import run
from swagcore.errors import SwagError

app = typer.Typer(
    name="swag",
    help="Sliding-window aggregation, with evidence that the fast answer equals the naive one.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

for command in (verify, claims, run, plan, rewrite, fuzz, prove, bench):
    app.command()(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        from swagcore import __version__

        typer.echo(f"swagcore {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 for success, 1 for a failure or a user's mistake, 2 for wrong usage.

    >>> main(["--version"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    SystemExit: 0
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal without § is no reason to fail
    try:
        try:
            app(args=arguments, prog_name="swag")
        except SwagError as error:
            note(" ".join(str(error).split()))
            sys.exit(1)
        finally:
            sys.stdout.flush()  # here, where a closed pipe can still be caught
    except BrokenPipeError:
        # The reader has seen enough (`swag claims | head`). Python flushes once more on exit: let it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
