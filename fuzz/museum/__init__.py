"""Bugs that were real in other people's code, re-created in our own, each caught by the kit. See README.md.

>>> len(PIECES) >= 25
True
"""

from __future__ import annotations

from fuzz.museum import assignment, bulks, floats, identities, retraction, structures
from fuzz.museum.piece import Piece

PIECES: list[Piece] = [
    piece
    for family in (identities, structures, retraction, bulks, assignment, floats)
    for piece in family.PIECES
]


def catalogue() -> str:
    """All pieces as a table in Markdown.

    >>> catalogue().splitlines()[0]
    '| bug | was real in | what went wrong | caught by |'
    """
    rows = [f"| `{piece.name}` | {piece.source} | {piece.story} | {piece.check.name} |" for piece in PIECES]
    return "\n".join(["| bug | was real in | what went wrong | caught by |", "|---|---|---|---|", *rows])
