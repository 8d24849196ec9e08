"""Docstrings as Markdown, for the pages and, as an extension of griffe, for the reference that mkdocstrings makes."""

from __future__ import annotations

import re
from typing import Any

import griffe


class Docstrings(griffe.Extension):
    """Docstrings as Markdown before mkdocstrings sees them: `>>>` would be a quotation."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = prose(obj.docstring.value)


def prose(docstring: str) -> str:
    """A docstring as Markdown: paragraphs, lists, indented lines as they stand, examples as code.

    >>> prose("One\\nline.\\n\\n- a\\n- b\\n    F .. L")
    'One\\nline.\\n\\n- a\\n- b\\n\\n```text\\n    F .. L\\n```'
    >>> prose(">>" + "> 1\\n1")
    '```pycon\\n>>> 1\\n1\\n```'
    """
    blocks: list[str] = []
    for paragraph in docstring.split("\n\n"):
        if paragraph.startswith(">>>"):
            blocks.append(f"```pycon\n{paragraph}\n```")
            continue
        run: list[str] = []
        indented = False
        for line in paragraph.splitlines():
            if line.startswith("    ") != indented or (
                line.startswith("- ") and run and not run[-1].startswith(("- ", "  "))
            ):
                blocks += _block(run, indented)
                run, indented = [], line.startswith("    ")
            run.append(line)
        blocks += _block(run, indented)
    return "\n\n".join(blocks)


def _block(lines: list[str], indented: bool) -> list[str]:
    if not lines:
        return []
    if indented:
        return ["```text\n" + "\n".join(lines) + "\n```"]
    # A continued item needs four blanks in Markdown.
    return ["\n".join(re.sub(r"^ {2}(?=\S)", "    ", _plain(line)) for line in lines)]


def _plain(line: str) -> str:
    """Outside of code, no character means anything to Markdown."""
    parts = line.split("`")
    for index in range(0, len(parts), 2):
        plain = re.sub(r"([_\[\]|])", r"\\\1", parts[index]).replace("<", "&lt;")
        parts[index] = re.sub(r"(?<![\w*])\*(?!\w+\*)|(?<!\w)\*(?!\w)", r"\*", plain)
    return "`".join(parts)
