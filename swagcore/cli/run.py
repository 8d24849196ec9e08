"""`swag run`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from swagcore.cli.note import note
from swagcore.errors import SwagError


class EngineName(StrEnum):
    """What computes the answers of `swag run`."""

    python = "python"
    spark = "spark"


def run(
    queries: Annotated[Path, typer.Argument(metavar="QUERIES.toml", help="The stream and its queries.")],
    events: Annotated[Path, typer.Argument(metavar="EVENTS", help="A .csv, .jsonl or .parquet file.")],
    engine: Annotated[
        EngineName, typer.Option(help="What computes the answers; spark needs --out, a directory to make.")
    ] = EngineName.python,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="A .csv, .jsonl or .parquet file to write; without it, a table is printed."
        ),
    ] = None,
    master: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A Spark master whose workers have these files, too; without it, this machine's cores.",
        ),
    ] = None,
) -> None:
    """Answer the queries of a TOML file over the events of a file."""
    from swagcore.files import check_out, evaluate, read_events, read_queries, write_answers

    if engine is EngineName.spark:
        from swagcore.spark.command import run_file

        stream, wanted = read_queries(queries)
        try:
            summary = run_file(
                wanted,
                events,
                out,
                time=stream.time,
                value=stream.value,
                keys=stream.keys,
                unit=stream.unit,
                master=master,
            )
        except SystemExit as ended:
            note("it was interrupted; nothing is written")
            raise typer.Exit(int(ended.code or 0)) from None
        typer.echo("\n".join(summary))
        return
    if master is not None:
        raise SwagError(f"master is {master!r}; expected none, as --engine is python")
    if out is not None:
        check_out(out, queries, events)
    stream, wanted = read_queries(queries)
    stored = read_events(events, stream, wanted)
    if stored.dropped:
        note(f"events without a time that were left out: {stored.dropped}")
    answers = evaluate(wanted, stored)
    write_answers(out, answers, stream, wanted, timestamps=stored.timestamps)
