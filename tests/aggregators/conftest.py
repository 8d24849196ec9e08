"""What the tests of the techniques are given."""

from __future__ import annotations

import pytest


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays of two cells at least, not eight: they are resized inside windows of a few elements."""
    for module in ("daba", "flatfat", "flatfit", "b_int"):
        monkeypatch.setattr(f"swagcore.aggregators.{module}.SMALLEST", 2)
