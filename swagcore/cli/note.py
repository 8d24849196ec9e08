"""What a command says beside its answer."""

from __future__ import annotations

import typer


def note(sentence: str) -> None:
    """Tell the user something that is not the answer, and must not get into it."""
    typer.echo(f"swag: {sentence}", err=True)
