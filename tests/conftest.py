"""What holds for every test: its marks, no hurry for Hypothesis, skips that fail in CI."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None)
settings.load_profile("house")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what drives the page from outside: one Python tells as much of it as two."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("page")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With CRIBWARS_NO_SKIPS set, a run that skipped a test has failed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not os.environ.get("CRIBWARS_NO_SKIPS"):
        return
    skipped = reporter.stats.get("skipped", [])
    if skipped:
        reporter.write_line(f"{len(skipped)} skipped: here no test may be", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
