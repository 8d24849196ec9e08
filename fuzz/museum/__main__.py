"""Write the catalogue into the README: python -m fuzz.museum."""

from __future__ import annotations

from pathlib import Path

from fuzz.museum import catalogue

INTRODUCTION = """# The museum

Bugs that were real in other people's code, re-created in our own in a few lines each. Every exhibit is a class or a function
with one keyword, `repaired`: without it the bug is there, with it one line is mended. `tests/museum/test_museum.py` shows that
the kit (`swagcore.testing`) catches every bug, and finds nothing in its repaired twin. The docstrings say where each was found,
and where the source says less than one would wish. Projects are named by their place on GitHub, `owner/repository#number`.

"""


def main() -> None:
    """Write fuzz/museum/README.md."""
    Path(__file__).with_name("README.md").write_text(INTRODUCTION + catalogue() + "\n")


if __name__ == "__main__":
    main()
