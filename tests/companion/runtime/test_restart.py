"""A restart that a page asks for: the same process, other settings, the same game.

Settings that do not prove themselves are taken back.
"""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import cast

import pytest

from companion.commentary import load_phrases
from companion.errors import NO_TEXT, Fault, SettingsError, Text, as_text
from companion.runtime.log import Console
from companion.runtime.restart import READY_TIMEOUT_S, StartGuard
from companion.settings.file import SettingsFile
from companion.settings.probation import Probation, load_probation
from tests.support.program import HTTP, Program, running

PATCHED = """
import threading, os, signal, types
from companion.cli import main
from companion.runtime import app, fallbacks, restart
assemble = fallbacks.assemble
def assembled(settings):
    if settings.teams == 3:
        {with_three_sides}
    return assemble(settings)
fallbacks.assemble = assembled
{patches}
main.main()
"""
"""A program that does something before it starts with three sides."""
HANGING = PATCHED.format(
    with_three_sides="threading.Event().wait()",
    # The time is short only for the start that hangs: any other may take as long as it needs.
    patches="""
import pathlib, sys
page = pathlib.Path(sys.argv[sys.argv.index("--config") + 1]).with_name("settings-of-page.toml")
if page.exists() and "teams = 3" in page.read_text():
    restart.READY_TIMEOUT_S = 0.1
""",
)
FAILING = PATCHED.format(with_three_sides='raise OSError("no strip")', patches="")
DYING = PATCHED.format(with_three_sides="os.kill(os.getpid(), signal.SIGKILL)", patches="")
PROVEN_AT_ONCE = PATCHED.format(with_three_sides="pass", patches="app.GOOD_AFTER_S = 0")


def run_of(program: Program) -> str:
    """Return the id of this run of the server."""
    return str(HTTP.get(f"{program.url}api/about").json()["run"])


def restart(program: Program, *, ends: bool = False) -> None:
    """Request a restart, and wait for the table unless the start ends it."""
    requested = {"run": run_of(program)}
    assert 204 == HTTP.post(f"{program.url}api/restart", json=requested).status_code
    if not ends:
        program.started_again()


@pytest.mark.program
def test_what_comes_back_is_the_same_table_with_other_settings(tmp_path: Path) -> None:
    """Each run has the same journal, and its ready line has the page's address."""
    settings = tmp_path / "cribwars.toml"
    settings.write_text("")
    with running(tmp_path, "--config", str(settings)) as program:
        runs = {run_of(program)}
        program.press("1.plus_five", "1.enter")
        before = program.until(1)
        for name in ("Anna", "Bert"):
            settings.write_text(f'[names]\n"1" = "{name}"\n')
            restart(program)
            runs.add(run_of(program))
            about = HTTP.get(f"{program.url}api/about").json()
            assert (name, before) == (about["teams"]["1"]["name"], program.table())
        assert 3 == len(runs)
        program.press("1.undo")
        assert 0 == program.until(2)["teams"]["1"]["front"]
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr


def save(program: Program, **changes: object) -> None:
    """Change settings as the page does; `__` stands for the dot in a key."""
    stamp = HTTP.get(f"{program.url}api/settings").json()["stamp"]
    named = {key.replace("__", "."): value for key, value in changes.items()}
    answer = HTTP.post(f"{program.url}api/settings", json={"changes": named, "stamp": stamp})
    assert 200 == answer.status_code, answer.text


def page_of(folder: Path) -> Path:
    """Return the page's file of a table in this folder."""
    return folder / "settings-of-page.toml"


def config_of(folder: Path) -> tuple[str, str]:
    """Return the option that names an empty settings file in a folder."""
    (folder / "cribwars.toml").write_text("")
    return "--config", str(folder / "cribwars.toml")


@pytest.mark.program
@pytest.mark.parametrize(
    ("entry", "reason"),
    [(HANGING, "the table was not ready within 0.1 s"), (FAILING, "no strip")],
    ids=["hangs", "fails"],
)
def test_a_restart_that_does_not_work_is_taken_back(
    tmp_path: Path, entry: str, reason: str
) -> None:
    """It is so even if its main thread hangs; pages and console give the reason."""
    with running(tmp_path, *config_of(tmp_path), entry=("-c", entry)) as program:
        save(program, names__1="Anna", panel__hold_ms=7)
        restart(program)
        save(program, teams=3, names__2="Bert")
        restart(program)
        assert HTTP.get(f"{program.url}api/about").json()["reverted"]
        reported = HTTP.get(f"{program.url}api/settings").json()
        assert {"reason": reason, "values": ["teams = 3"]} == reported["rejected"]
        names = next(each for each in reported["settings"] if each["key"] == "names")
        assert {"1": "Anna", "2": "Bert"} == names["value"]
        restart(program)
        assert HTTP.get(f"{program.url}api/settings").json()["rejected"] is None
        assert (0, "") == program.stop()
        assert f"cribwars: {reason}\n" in program.stderr
        assert "Traceback" not in program.stderr


@pytest.mark.program
def test_a_start_that_is_killed_is_taken_back_by_the_next(tmp_path: Path) -> None:
    """After a crash or a pulled plug the mark of the attempt is on disk."""
    options = config_of(tmp_path)
    with running(tmp_path, *options, entry=("-c", DYING)) as program:
        save(program, teams=3)
        restart(program, ends=True)
        assert -signal.SIGKILL == program.ended()[0]
    with running(tmp_path, *options, entry=("-c", DYING)) as program:
        rejected = HTTP.get(f"{program.url}api/settings").json()["rejected"]
        reason = "the table ended within a minute of its start with the new settings"
        assert {"reason": reason, "values": ["teams = 3"]} == rejected
        assert (0, "") == program.stop()


@pytest.mark.program
def test_a_ready_table_is_killed_before_and_after_its_page_is_back(tmp_path: Path) -> None:
    """Only a page that returns, or a minute, proves its settings, not a stop."""
    options = config_of(tmp_path)
    with running(tmp_path, *options) as program:
        save(program, teams=3)
        restart(program)
        assert (0, "") == program.stop()
    for page_is_back, kept in ((False, False), (True, True)):
        if page_is_back:
            with running(tmp_path, *options) as program:
                save(program, teams=3)
                assert (0, "") == program.stop()
        with running(tmp_path, *options) as program:
            if page_is_back:
                HTTP.get(f"{program.url}api/settings")
            os.kill(program.pid, signal.SIGKILL)
            program.ended()
        with running(tmp_path, *options) as program:
            assert kept is not HTTP.get(f"{program.url}api/about").json()["reverted"]
            assert kept is page_of(tmp_path).exists()
            assert (0, "") == program.stop()


@pytest.mark.program
def test_a_table_without_a_page_proves_itself_in_a_minute(tmp_path: Path) -> None:
    """In this test the minute is over at once."""
    with running(tmp_path, *config_of(tmp_path), entry=("-c", PROVEN_AT_ONCE)) as program:
        save(program, teams=3)
        restart(program)
        next(news for news in program.news() if load_probation(page_of(tmp_path)) is None)
        assert (0, "") == program.stop()


# The guard


class Watchdog:
    """A timer whose time is controlled by the test."""

    def __init__(self, seconds: float, late: Callable[[], None]) -> None:
        self.seconds, self.late = seconds, late
        self.daemon = False
        self.is_set = self.was_set = False

    def start(self) -> None:
        """Wait for the test."""
        self.is_set = self.was_set = True

    def cancel(self) -> None:
        """Disable the timer."""
        self.is_set = False


class Guarded:
    """A start with or without a change by the page; `restarts` counts its requests."""

    def __init__(self, folder: Path, *, change: bool = True) -> None:
        self.page = SettingsFile(folder / "cribwars.toml", {}, check=lambda _: None)
        if change:
            self.page.change({"teams": 3, "strip.type": "sk6812"})
        self.restarts = 0
        self.watchdogs: list[Watchdog] = []
        self.guard = self.start()

    def start(self, why: Text = NO_TEXT) -> StartGuard:
        """Begin a start."""
        return StartGuard(
            self.page.file,
            console=Console(lambda: "fr"),
            why=why,
            watchdog=self._watchdog,
            restart=self._restart,
        )

    @property
    def probation(self) -> Probation | None:
        """Return the probation on disk."""
        return load_probation(self.page.file)

    def _watchdog(self, seconds: float, late: Callable[[], None]) -> Timer:
        self.watchdogs.append(Watchdog(seconds, late))
        return cast("Timer", self.watchdogs[-1])

    def _restart(self) -> None:
        self.restarts += 1


def test_an_attempt_that_hangs_is_restarted_once(tmp_path: Path) -> None:
    """It is restarted after 20 seconds, whatever else the program does."""
    start = Guarded(tmp_path)
    watchdog = start.watchdogs[0]
    with start.guard:
        assert (True, True, READY_TIMEOUT_S) == (watchdog.is_set, watchdog.daemon, watchdog.seconds)
        watchdog.late()
        watchdog.late()
    assert 1 == start.restarts
    taken = start.start().taken_back
    assert taken
    assert "the table was not ready within 20 s" == str(taken.reason)
    assert 2 == start.page.read().settings.teams


@pytest.mark.parametrize("is_ready", [False, True])
def test_the_reason_is_known_in_every_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, is_ready: bool
) -> None:
    """This holds for a failed start and a failed minute; the console has its own."""
    start = Guarded(tmp_path)
    problem = Text("cannot be {shown}", shown=Text("side {side}", side=9))
    if is_ready:
        start.guard.ready()
    with pytest.raises(SettingsError), start.guard:
        raise SettingsError(Fault(file="c.toml", problem=problem, remedy=Text("mend that line")))
    taken = start.start().taken_back
    assert taken
    assert "c.toml: cannot be side 9; mend that line" == str(taken.reason)
    assert ["teams = 3", 'strip.type = "sk6812"'] == [*map(str, taken.values)]
    french = "c.toml\u00a0: ne peut pas \xeatre camp 9\u00a0; corrigez cette ligne"
    assert french == load_phrases("fr").message(taken.reason)
    told, values = capsys.readouterr().err.splitlines()
    assert f"cribwars: {french}" == told
    assert 'teams = 3, strip.type = "sk6812"' in values


def test_parts_may_not_fall_back_because_of_the_change(tmp_path: Path) -> None:
    """A fallback shows which tables changed; other missing parts stay so."""
    assert {"", "strip"} == Guarded(tmp_path).guard.tried
    assert set() == Guarded(tmp_path / "other", change=False).guard.tried


def test_what_proves_settings(tmp_path: Path) -> None:
    """It is the page's return or a minute, but only after the ready line."""
    start = Guarded(tmp_path)

    def play() -> None:
        start.guard.prove()
        assert start.probation
        start.guard.ready()
        assert not start.watchdogs[0].is_set
        start.guard.prove()
        assert start.probation is None
        raise OSError("later")

    with pytest.raises(OSError, match="later"), start.guard:
        play()
    assert (0, 3) == (start.restarts, start.page.read().settings.teams)


def test_a_change_meanwhile_is_on_probation_of_its_own(tmp_path: Path) -> None:
    """The minute of the earlier change does not prove it; both are taken back."""
    start = Guarded(tmp_path)
    with start.guard:
        start.guard.ready()
        start.page.change({"players": 6})
        start.guard.prove()
    with pytest.raises(OSError, match="no strip"), start.start():
        raise OSError("no strip")
    taken = start.start().taken_back
    assert taken
    assert {"players = 6", "teams = 3"} <= {*map(str, taken.values)}


@pytest.mark.parametrize("end", [None, SystemExit, KeyboardInterrupt])
def test_a_start_that_is_stopped_is_neither_good_nor_bad(
    tmp_path: Path, end: type[BaseException] | None
) -> None:
    """The next one is the attempt."""
    start = Guarded(tmp_path)
    with suppress(SystemExit, KeyboardInterrupt), start.guard:
        if end:
            raise end
    start.watchdogs[0].late()
    again = start.start()
    assert (0, None, True) == (start.restarts, again.taken_back, bool(again.tried))


def test_only_an_attempt_is_guarded(tmp_path: Path) -> None:
    """Any other start reports its failure."""
    start = Guarded(tmp_path, change=False)
    with pytest.raises(OSError, match="no strip"), start.guard:
        raise OSError("no strip")
    watchdog, taken = start.watchdogs[0], start.start().taken_back
    assert (False, 0, None) == (watchdog.was_set, start.restarts, taken)


def test_an_attempt_that_was_killed_has_the_reason_of_its_start(tmp_path: Path) -> None:
    """If one was recorded, such as a driver that hung, it is given."""
    for why, reason in (("no answer", "no answer"), ("", "the table ended within a minute")):
        taken = Guarded(tmp_path).start(as_text(why)).taken_back
        assert taken
        assert str(taken.reason).startswith(reason)


def test_a_way_back_that_cannot_be_written_stops_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The table starts, and the log says that there is no way back."""
    start = Guarded(tmp_path, change=False)
    start.page.change({"teams": 3})
    (tmp_path / ".settings-of-page.probation.json.new").mkdir()
    again = start.start()
    assert (None, frozenset()) == (again.taken_back, again.tried)
    assert "the probation of changed settings cannot be written (" in caplog.text
