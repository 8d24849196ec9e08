"""Where the claims stand: a checkout of the repository, as opposed to an installed package."""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from swagcore.errors import FileError, SwagError
from swagcore.ledger._declare import LEDGER, Claim

_PACKAGE = Path(__file__).parent.parent
_JUDGED = ("swagcore", "specs", "proofs")


@dataclass(frozen=True)
class Checkout:
    """A checkout whose code is the code that runs now.

    >>> Checkout(Path("here")).record.as_posix()
    'here/swagcore/ledger.json'
    """

    root: Path

    @property
    def record(self) -> Path:
        """The file of the verdicts."""
        return self.root / "swagcore" / "ledger.json"

    def code(self) -> str:
        """The hash of the code, specs and proofs."""
        return digest(self.root / folder for folder in _JUDGED)

    def claims(self) -> list[Claim]:
        """All claims: imports the modules of `specs/` and `proofs/`, and checks the ledger as a whole."""
        if str(self.root) not in sys.path:
            sys.path.insert(0, str(self.root))
        for folder in ("specs", "proofs"):
            for file in _sources(self.root / folder):
                short = file.relative_to(self.root)
                parts = short.with_suffix("").parts
                try:
                    importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
                except SwagError as error:
                    raise FileError(short.as_posix(), str(error)) from error
                except KeyboardInterrupt:
                    raise
                except BaseException as error:  # a SystemExit here would end the run as if all were well
                    summary = " ".join(f"{type(error).__name__}: {error}".split())
                    raise FileError(short.as_posix(), f"it cannot be imported ({summary})") from error
        return LEDGER.checked()


def find_checkout() -> Checkout | None:
    """The checkout that this package is part of, or the current directory if it has the same code, or None.

    Another checkout will not do: its specs would be run against code that is not its own.

    >>> checkout = find_checkout()
    >>> checkout is None or (checkout.root / "specs").is_dir()
    True
    """
    if _is_checkout(_PACKAGE.parent):
        return Checkout(_PACKAGE.parent)
    here = Path.cwd()
    if _is_checkout(here) and digest([here / "swagcore"]) == digest([_PACKAGE]):
        return Checkout(here)
    return None


def digest(folders: Iterable[Path]) -> str:
    """A hash of all Python files in some folders: of their names within the folder's parent, and their lines.

    >>> digest([Path("/nowhere")])[:8]
    'e3b0c442'
    """
    total = hashlib.sha256()
    for folder in folders:
        for file in _sources(folder):
            # Line ends are not code: a checkout on another system is still the same one.
            lines = file.read_bytes().replace(b"\r\n", b"\n")
            name = file.relative_to(folder.parent).as_posix()
            total.update(f"{name}\0{len(lines)}\0".encode())
            total.update(lines)
    return total.hexdigest()


def _is_checkout(folder: Path) -> bool:
    return (
        (folder / "pyproject.toml").is_file()
        and (folder / "specs").is_dir()
        and (folder / "swagcore" / "__init__.py").is_file()
    )


def _sources(folder: Path) -> list[Path]:
    return sorted(
        file
        for file in folder.rglob("*.py")
        if not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )
