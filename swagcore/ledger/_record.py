"""The file that keeps the verdicts of the last run, and ships with the package."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from swagcore.errors import FileError
from swagcore.ledger._judge import Entry, Finding, Key

_ABOUT = "The verdicts of the last run. Written by `swag verify`, never by hand."


@dataclass(frozen=True)
class Record:
    """The verdicts of a run, and `code`: the hash of the code and specs that they were made from.

    >>> Record.from_json(Record("c0de", ()).to_json()) == Record("c0de", ())
    True
    """

    code: str
    entries: tuple[Entry, ...]

    @staticmethod
    def shipped() -> Path:
        """The record of this installation.

        >>> Record.shipped().name
        'ledger.json'
        """
        return Path(__file__).parent.parent / "ledger.json"

    @classmethod
    def read(cls, path: Path) -> Record:
        """The record in a file. Raises `FileError` where there is none, or something else."""
        try:
            return cls.from_json(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise FileError(
                path, "there is no record of verdicts yet; `swag verify` in a checkout writes it"
            ) from None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            problem = f"it is not a record of verdicts ({type(error).__name__}); `swag verify` writes it anew"
            raise FileError(path, problem) from error

    def write(self, path: Path) -> None:
        """Write the record, whole or not at all."""
        write_atomically(path, self.to_json())

    def kept(self, code: str) -> dict[Key, Finding]:
        """The outcomes that still count for this code: all if it is the very same, none otherwise.

        Errors never count: what failed may have been the machine, and is worth another try.
        """
        if code != self.code:
            return {}
        return {
            (entry.id, one.where, one.scope): one
            for entry in self.entries
            for one in entry.evidence
            if one.outcome in ("held", "counterexample")
        }

    def to_json(self) -> str:
        """The record as text: the same run on the same day gives the same bytes."""
        data = {"about": _ABOUT, "code": self.code, "claims": [asdict(entry) for entry in self.entries]}
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record that `to_json` wrote."""
        data = json.loads(text)
        return cls(data["code"], tuple(_entry(one) for one in data["claims"]))


def claims_json(entries: Iterable[Entry]) -> str:
    """The entries alone, as `swag claims --json` prints them: in ASCII, which every pipe can carry.

    >>> claims_json([])
    '[]\\n'
    """
    return json.dumps([asdict(entry) for entry in entries], indent=1) + "\n"


def write_atomically(path: Path, text: str) -> None:
    """Write a text file so that nobody ever sees half of it, and an error leaves the old one.

    >>> write_atomically(Path("/nowhere/x"), "")
    Traceback (most recent call last):
        ...
    swagcore.errors.FileError: /nowhere/x: it cannot be written (No such file or directory)
    """
    # Beside the target, as a rename is atomic only within one file system.
    half = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        half.write_text(text, encoding="utf-8", newline="\n")
        os.replace(half, path)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise FileError(path, f"it cannot be written ({error.strerror})") from error
    except BaseException:
        half.unlink(missing_ok=True)
        raise


def _entry(data: dict[str, Any]) -> Entry:
    return Entry(**{**data, "evidence": tuple(Finding(**one) for one in data["evidence"])})
