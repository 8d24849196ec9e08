"""What every test shares: the Hypothesis profiles, and one Spark session for the whole run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# No deadlines: the speed of shared machines drifts by factors, and a slow example is not a wrong one.
# Derandomization is always stated: Hypothesis's own default depends on the variable CI.
settings.register_profile("dev", deadline=None, derandomize=False)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "nightly",
    deadline=None,
    derandomize=False,
    max_examples=5_000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that asks for the session is a Spark test; nobody has to remember the marker."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.spark)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """One local Spark session for the whole run: starting one takes seconds, a small job a fifth of one."""
    pytest.importorskip("pyspark", reason='PySpark is not installed; run: pip install "swagcore[spark]"')
    from swagcore.spark import session

    running = session("swagcore tests", scratch=tmp_path_factory.mktemp("spark"))
    yield running
    running.stop()
