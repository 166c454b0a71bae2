"""A fresh start that a page asks for: the same process, other settings, the same game.

If it fails, it comes back with the last good settings.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import cast

import pytest

from companion.commentary import load_phrases
from companion.errors import Fault, Message, SettingsError
from companion.runtime.console import Console
from companion.runtime.restart import READY_TIMEOUT_S, StartGuard
from companion.settings.last_good import LastGood, Rejected
from tests.support.program import HTTP, Program, running

GOOD, NEW = "teams = 3\n", "teams = 2\n"
ASKED = {"CRIBWARS_GUARDED": "1"}
HANGING = """
import threading
from companion.cli import main
from companion.runtime import fallbacks, restart
restart.READY_TIMEOUT_S = 0.1
assemble = fallbacks.assemble
fallbacks.assemble = lambda settings: (
    threading.Event().wait() if settings.teams == 2 else assemble(settings)
)
main.main()
"""
"""A program that never starts with two sides, and has little time to start."""


def run_of(program: Program) -> str:
    """The word for this run of the server."""
    return str(HTTP.get(f"{program.url}api/about").json()["run"])


def restart(program: Program) -> None:
    """Ask for a fresh start."""
    requested = {"run": run_of(program)}
    answer = HTTP.post(f"{program.url}api/restart", json=requested)
    assert 204 == answer.status_code


@pytest.mark.program
def test_what_comes_back_is_the_same_table_with_other_settings(tmp_path: Path) -> None:
    """One after the other on the same journal; each ready line tells where the page is."""
    settings = tmp_path / "cribwars.toml"
    settings.write_text("")
    with running(tmp_path, "--config", str(settings)) as program:
        runs = {run_of(program)}
        program.press("1.plus_five", "1.enter")
        before = program.until(1)
        for name in ("Anna", "Bert"):
            settings.write_text(f'[names]\n"1" = "{name}"\n')
            restart(program)
            program.started_again()
            runs.add(run_of(program))
            about = HTTP.get(f"{program.url}api/about").json()
            assert (name, before) == (about["teams"]["1"]["name"], program.table())
        assert 3 == len(runs)
        program.press("1.undo")
        assert 0 == program.until(2)["teams"]["1"]["front"]
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr


@pytest.mark.program
@pytest.mark.parametrize(
    ("faulty", "words"),
    [
        ("teams = 9\n", "teams: cannot be 9"),
        ('[web]\nhost = "192.0.2.7"\n', "this machine has no such address"),
    ],
)
def test_settings_that_fail_are_put_aside(tmp_path: Path, faulty: str, words: str) -> None:
    """Before anything is lit or after: the last good ones are back, and both pages say why."""
    settings = tmp_path / "cribwars.toml"
    settings.write_text(GOOD)
    with running(tmp_path, "--config", str(settings)) as program:
        before = run_of(program)
        settings.write_text(faulty)
        restart(program)
        program.started_again()
        assert before != run_of(program)
        reported = HTTP.get(f"{program.url}api/settings").json()
        aside = Path(reported["rejected"]["file"])
        assert (GOOD, faulty) == (settings.read_text(), aside.read_text())
        assert settings.parent == aside.parent
        assert words in reported["rejected"]["reason"]
        assert HTTP.get(f"{program.url}api/about").json()["reverted"]
        restart(program)
        program.started_again()
        reported = HTTP.get(f"{program.url}api/settings").json()
        assert reported["rejected"] is None
        assert (0, "") == program.stop()
        assert words in program.stderr
        assert "Traceback" not in program.stderr


@pytest.mark.program
def test_a_restart_that_hangs_comes_back(tmp_path: Path) -> None:
    """The watchdog starts the program anew, even if the main thread hangs, and says why."""
    settings = tmp_path / "cribwars.toml"
    settings.write_text(GOOD)
    options = ("--config", str(settings))
    with running(tmp_path, *options, entry=("-c", HANGING), LANG="fr_FR.UTF-8") as program:
        settings.write_text(NEW)
        restart(program)
        program.started_again()
        reported = HTTP.get(f"{program.url}api/settings").json()
        assert "it was not ready within 0.1 s" == reported["rejected"]["reason"]
        assert GOOD == settings.read_text()
        assert "cribwars: elle n'était pas prête en 0.1 s\n" in program.stderr
        assert (0, "") == program.stop()


@pytest.mark.program
def test_a_restart_without_a_way_back_ends_as_any_start(tmp_path: Path) -> None:
    """Exit 2, and every fault on stderr."""
    settings = tmp_path / "cribwars.toml"
    settings.write_text("")
    with running(tmp_path, "--config", str(settings)) as program:
        (tmp_path / "data" / "last-good-settings.toml").unlink()
        settings.write_text("teams = 9\n")
        restart(program)
        assert (2, "") == program.ended()
        assert f"cribwars: {settings}: teams: cannot be 9" in program.stderr


# The guard


class Watchdog:
    """A timer whose time is the test's."""

    def __init__(self, seconds: float, late: Callable[[], None]) -> None:
        self.seconds, self.late = seconds, late
        self.daemon = False
        self.is_set = self.was_set = False

    def start(self) -> None:
        """Wait for the test."""
        self.is_set = self.was_set = True

    def cancel(self) -> None:
        """Be of no use any more."""
        self.is_set = False


def start_after(last_good: LastGood, environment: dict[str, str]) -> Rejected:
    """Return the rejected settings that a start with these variables knows of."""
    rejected = StartGuard(last_good, console=Console(), environment=environment).rejected
    assert rejected
    return rejected


class Guarded:
    """A start in a folder, with what it would have the program replaced with."""

    def __init__(self, tmp_path: Path, environment: dict[str, str]) -> None:
        self.file = tmp_path / "cribwars.toml"
        self.file.write_text(GOOD)
        LastGood(self.file, tmp_path).keep()
        self.file.write_text(NEW)
        self.environment = environment
        self.replaced: list[Rejected] = []
        self.watchdogs: list[Watchdog] = []
        self.last_good = LastGood(self.file, tmp_path)
        self.guard = StartGuard(
            self.last_good,
            console=Console(lambda: "fr"),
            environment=environment,
            watchdog=self._watchdog,
            replace=self._replace,
        )

    @property
    def watchdog(self) -> Watchdog:
        """The timer of the start."""
        return self.watchdogs[0]

    def _watchdog(self, seconds: float, late: Callable[[], None]) -> Timer:
        self.watchdogs.append(Watchdog(seconds, late))
        return cast("Timer", self.watchdogs[-1])

    def _replace(self, variables: dict[str, str]) -> None:
        self.replaced.append(start_after(self.last_good, variables))


def test_a_start_that_hangs_goes_back(tmp_path: Path) -> None:
    """After 20 seconds, whatever else the program does; the reason is that it was late."""
    start = Guarded(tmp_path, dict(ASKED))
    with start.guard:
        assert (True, True, 20.0) == (
            start.watchdog.is_set,
            start.watchdog.daemon,
            start.watchdog.seconds,
        )
        start.watchdog.late()
        start.watchdog.late()
    (rejected,) = start.replaced
    assert "it was not ready within 20 s" == rejected.reason
    assert (GOOD, NEW) == (start.file.read_text(), Path(rejected.file).read_text())
    assert READY_TIMEOUT_S == start.watchdog.seconds


def test_a_start_that_fails_goes_back(tmp_path: Path) -> None:
    """With the error as the reason; no other variable is left for what is started then."""
    start = Guarded(tmp_path, dict(ASKED))
    with pytest.raises(OSError, match="no strip"), start.guard:
        raise OSError("no strip")
    (rejected,) = start.replaced
    assert ("no strip", {}) == (rejected.reason, start.environment)


def test_the_reason_of_a_return_is_known_in_every_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The next start gets its template and values; the console has its own language."""
    start = Guarded(tmp_path, dict(ASKED))
    problem = Message("cannot be {shown}", Message("side {number}", 9))
    with pytest.raises(SettingsError), start.guard:
        raise SettingsError(Fault(file="c.toml", problem=problem, remedy="mend that line"))
    (rejected,) = start.replaced
    assert "c.toml: cannot be side 9; mend that line" == rejected.reason
    french = "c.toml\u00a0: ne peut pas être camp 9\u00a0; corrigez cette ligne"
    assert french == load_phrases("fr").message(rejected.reason)
    assert f"cribwars: {french}" == capsys.readouterr().err.splitlines()[0]


def test_a_start_that_is_ready_is_the_last_good_one(tmp_path: Path) -> None:
    """A later failure is not blamed on the settings."""
    start = Guarded(tmp_path, dict(ASKED))

    def play() -> None:
        start.guard.ready(keep=True)
        assert not start.watchdog.is_set
        start.watchdog.late()
        raise OSError("later")

    with pytest.raises(OSError, match="later"), start.guard:
        play()
    assert ([], NEW) == (start.replaced, start.last_good.text)


def test_a_start_that_is_stopped_has_not_failed(tmp_path: Path) -> None:
    """Ctrl-C or the end of the block before it is ready: the settings stay."""
    start = Guarded(tmp_path, dict(ASKED))
    with start.guard:
        pass
    start.watchdog.late()
    with pytest.raises(SystemExit), Guarded(tmp_path, dict(ASKED)).guard:
        sys.exit()
    assert ([], NEW) == (start.replaced, start.file.read_text())


def test_only_a_start_that_the_page_asked_for_is_guarded(tmp_path: Path) -> None:
    """A start by hand, or one already on the old settings, reports its failure."""
    start = Guarded(tmp_path, {"CRIBWARS_REJECTED": '["c.toml.rejected", "so"]'})
    with pytest.raises(OSError, match="no strip"), start.guard:
        raise OSError("no strip")
    assert not start.watchdog.was_set
    assert ([], NEW, {}) == (start.replaced, start.file.read_text(), start.environment)
    assert Rejected(file="c.toml.rejected", reason="so") == start.guard.rejected


def test_a_copy_that_cannot_be_written_stops_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The table plays; the log says that there is no way back."""
    start = Guarded(tmp_path, {})
    start.last_good.copy.unlink()
    start.last_good.copy.mkdir()
    with start.guard:
        start.guard.ready(keep=True)
    assert "last-good-settings.toml cannot be written" in caplog.text
