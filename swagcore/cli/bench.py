"""`swag bench`."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from swagcore.errors import SwagError, UnknownName


def bench(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A benchmark; without it, all are listed.")
    ] = None,
    options: Annotated[
        list[str] | None,
        typer.Argument(metavar="[OPTIONS]...", help="Handed to the benchmark: `swag bench NAME -- --help`."),
    ] = None,
) -> None:
    """Run a benchmark of the checkout: ratios measured in one run, printed and kept in bench/results."""
    from swagcore.ledger import find_checkout

    checkout = find_checkout()
    folder = checkout.root / "bench" if checkout else None
    if folder is None or not folder.is_dir():
        raise SwagError(
            "bench needs a checkout of the repository, installed with `pip install -e .`: "
            "bench/ is not part of the installed package"
        )
    known = {file.stem: file for file in sorted(folder.glob("*.py"))}
    if name is None:
        for stem, file in known.items():
            typer.echo(f"{stem:20} {first_line(file)}")
        return
    if name not in known:
        raise UnknownName("benchmark", name, known)
    raise typer.Exit(
        subprocess.run([sys.executable, str(known[name]), *(options or [])], check=False).returncode
    )


def first_line(file: Path) -> str:
    """What a benchmark says of itself in its first line; it is read, not run."""
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]
