"""Which lines of some files are run."""

from __future__ import annotations

import sys


class Lines:
    """Which lines of some files are run, from `start` to `stop`."""

    def __init__(self, paths: set[str]) -> None:
        self._paths = paths
        self.seen: set[tuple[str, int]] = set()

    def start(self) -> None:
        """Begin anew."""
        self.seen = set()
        sys.settrace(self._call)

    def stop(self) -> set[tuple[str, int]]:
        """The lines that were run: (path, line)."""
        sys.settrace(None)
        return self.seen

    def _call(self, frame, event, argument):  # type: ignore[no-untyped-def]
        path = frame.f_code.co_filename
        if path not in self._paths:
            return None
        seen = self.seen
        seen.add((path, frame.f_lineno))

        def line(frame, event, argument):  # type: ignore[no-untyped-def]
            seen.add((path, frame.f_lineno))
            return line

        return line
