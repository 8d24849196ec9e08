"""`swag rewrite`."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from swagcore.cli.note import note
from swagcore.errors import FileError


class DialectName(StrEnum):
    """What the rewritten query is for."""

    spark = "spark"
    duckdb = "duckdb"


def rewrite(
    query: Annotated[
        str, typer.Argument(metavar="QUERY.sql", help="A file with one query; - reads the standard input.")
    ],
    dialect: Annotated[DialectName, typer.Option(help="What runs the rewritten query.")] = DialectName.spark,
) -> None:
    """Rewrite a query with many windows, so that windows are computed from windows."""
    from swagcore.coverage.sql import rewriting

    done = rewriting(_read(query), dialect.value)
    typer.echo(done.sql, nl=not done.sql.endswith("\n"))
    if done.reason is not None:
        note(f"not rewritten: {done.reason}")


def _read(query: str) -> str:
    try:
        if query == "-":
            return sys.stdin.buffer.read().decode("utf-8-sig")
        return Path(query).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(query, "it is not text in UTF-8") from None
    except IsADirectoryError:
        raise FileError(query, "it is a directory; expected a file with a query") from None
    except OSError as error:
        raise FileError(query, f"it cannot be read ({error.strerror})") from None
