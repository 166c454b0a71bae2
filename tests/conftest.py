"""The rules of every test: the run that it belongs to, its seeds, and skips that fail a run.

A test without a mark belongs to `make test`: it needs nothing but Python and is the same each time.
"""

import os
import random
import shutil
import signal
import sys
from pathlib import Path
from typing import Final

import pytest
from hypothesis import Phase, settings

from tests.support.limits import TIMELESS

# The phase that explains a failure is left out, because it traces every line, which is slow.
PHASES: Final = tuple(phase for phase in Phase if phase is not Phase.explain)
EVERY_SEARCH: Final = settings(deadline=None, phases=PHASES, suppress_health_check=TIMELESS)
settings.register_profile("fixed", EVERY_SEARCH, derandomize=True, max_examples=50)
settings.register_profile("deep", EVERY_SEARCH, max_examples=250, print_blob=True)
settings.load_profile("fixed")

# A shell's background job ignores Ctrl-C, and each program that a test starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

APART: Final = frozenset({"browser", "deep", "emulator", "program", "tool"})
"""Marks of the tests that run only in `make test-all`; see pyproject.toml."""
SHELLS: Final = frozenset({"sh", "bash"})


@pytest.fixture(autouse=True)
def _fixed_rng(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal cards without a seed in the same order every time."""
    monkeypatch.setattr(random, "SystemRandom", lambda: random.Random(363))


@pytest.fixture(autouse=True, scope="session")
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep unsaved counts of tables out of this home."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.getbasetemp() / "state")


@pytest.fixture
def fresh_seed(request: pytest.FixtureRequest) -> int:
    """Return the seed of a deep search. The run prints it; `make test-all SEED=...` sets it."""
    return int(request.config.getoption("randomly_seed"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test that opens the page in a browser, and begin with those that may take long.

    At the end of a run every worker has something to do then, instead of waiting for one test.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)


# Programs


_plain: list[str] = []
"""The name of the running test, if it may start only Python and shell scripts."""


def _is_plain(program: str) -> bool:
    """Return True for Python, a shell, a shell script, and a missing program."""
    found = shutil.which(program)
    if found is None or found == sys.executable or Path(found).name in SHELLS:
        return True
    with Path(found).open("rb") as file:
        return file.readline().rstrip().endswith(b"sh")


def _refuse_programs(event: str, arguments: tuple[object, ...]) -> None:
    if event == "subprocess.Popen" and _plain and not _is_plain(str(arguments[0])):
        raise RuntimeError(f"{_plain[0]} starts {arguments[0]}: mark it, as one of {sorted(APART)}")


sys.addaudithook(_refuse_programs)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test if its mark names something that this machine lacks."""
    marks = [mark for mark in item.iter_markers() if mark.name in APART]
    _plain[:] = [] if marks else [item.nodeid]
    for mark in marks:
        if mark.kwargs.get("lacks"):
            pytest.skip(mark.kwargs["lacks"])


def pytest_runtest_teardown() -> None:
    """Let programs start again between two tests."""
    _plain.clear()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run with skipped tests if CRIBWARS_NO_SKIPS is set."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:  # a worker; the controller has all reports
        return
    if os.environ.get("CRIBWARS_NO_SKIPS") and (skipped := reporter.stats.get("skipped")):
        reporter.write_line(f"{len(skipped)} skipped: here no test may be", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
