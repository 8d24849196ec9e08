"""The pytest plugin: a fixture that checks a window of your own. It is there wherever swagcore and pytest are installed.

    def test_my_window(check_window):
        check_window(MyWindow)                  # MyWindow(aggregate), with insert, evict and query
        check_window(MovingMaximum, "max")      # a window with an aggregate of its own

A failure is a minimal test to paste. `--swag-examples N` tries N cases for each aggregate instead of 200, `--swag-seed N`
other ones. Anything that `swagcore.testing.check_fifo` takes may be given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options."""
    group = parser.getgroup("swagcore", "windows of your own against their meaning")
    group.addoption(
        "--swag-examples", type=int, default=200, metavar="N", help="cases for each aggregate (default: 200)"
    )
    group.addoption(
        "--swag-seed",
        type=int,
        default=0,
        metavar="N",
        help="the same seed tries the same cases (default: 0)",
    )


@pytest.fixture
def check_window(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """A function that looks for a wrong answer of a window, and fails the test with a minimal case."""
    from swagcore.testing.fifo import check_fifo
    from swagcore.testing.mismatch import Mismatch

    def check(factory: Callable[..., Any], aggregates: Any = None, **options: Any) -> Any:
        options.setdefault("max_examples", request.config.getoption("--swag-examples"))
        options.setdefault("seed", request.config.getoption("--swag-seed"))
        try:
            return check_fifo(factory, aggregates, **options)
        except Mismatch as wrong:
            pytest.fail(str(wrong), pytrace=False)

    return check
