"""A start without a part: what falls back, what is refused, and what is tried again."""

import asyncio
from pathlib import Path

import pytest

from companion.errors import AddressError, Fault, SettingsError
from companion.runtime import fallbacks
from companion.runtime.fallbacks import Fallbacks, usable_settings
from companion.settings.last_good import LastGood
from companion.settings.load import load_settings, read_settings
from companion.settings.schema import Settings

GOOD, FAULTY = "teams = 3\n", "teams = 9\nbord = 1\n"
ABSENT = AddressError("no such address", key="web.host")


class Part:
    """A part that works when the test says so; `lines` is the console."""

    def __init__(self, *, strict: bool = False, **given: object) -> None:
        self.lines: list[str] = []
        self.error: AddressError | None = ABSENT
        self.attempts = 0
        settings = load_settings(None, given)
        self.fallbacks = Fallbacks(settings, report=self.lines.append, strict=strict)

    def attempt(self) -> None:
        """Fail, or work from now on."""
        self.attempts += 1
        if self.error:
            raise self.error

    def start(self) -> None:
        """Start the table without it."""
        self.fallbacks.retry("web.host", ABSENT, self.attempt, meanwhile="it is elsewhere")


def test_a_part_is_tried_until_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """The console has a line when it is missing and one when it works; the page while it lasts."""
    monkeypatch.setattr(fallbacks, "RETRY_S", 0)
    part = Part()
    part.start()
    fault = Fault(
        file="settings", key="web.host", problem="no such address", remedy="it is elsewhere"
    )

    async def scene() -> None:
        shown: asyncio.Queue[tuple[Fault, ...]] = asyncio.Queue()
        running = asyncio.create_task(part.fallbacks.run(shown.put_nowait))
        assert (fault,) == await shown.get() == await shown.get()
        part.error = None
        while await shown.get():
            pass
        attempts = part.attempts
        assert () == await shown.get()
        assert attempts == part.attempts
        running.cancel()

    asyncio.run(scene())
    assert [str(fault), f"mended: {fault.cause}"] == part.lines


def test_nothing_named_on_the_command_line_falls_back() -> None:
    """Neither does any part of a start that would go back to other settings."""
    for part in (Part(web={"host": "10.9.8.7"}), Part(strict=True)):
        with pytest.raises(AddressError):
            part.start()
        assert ([], ()) == (part.lines, part.fallbacks.faults)


def test_a_part_may_be_lost_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that is attempted in every round has its fault whenever it fails, in any start."""
    monkeypatch.setattr(fallbacks, "RETRY_S", 0)
    part = Part(strict=True)
    part.error = None
    part.fallbacks.attempt("web.host", part.attempt)
    assert (1, ()) == (part.attempts, part.fallbacks.faults)
    part.error = ABSENT

    async def scene() -> None:
        shown: asyncio.Queue[tuple[Fault, ...]] = asyncio.Queue()
        running = asyncio.create_task(part.fallbacks.run(shown.put_nowait))
        while not await shown.get():
            pass
        running.cancel()

    asyncio.run(scene())


class File:
    """A settings file with last good settings."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "cribwars.toml"
        self.file.write_text(GOOD)
        LastGood(self.file, folder).keep()
        self.last_good = LastGood(self.file, folder)

    def start(self, **given: object) -> tuple[Settings, fallbacks.Check | None]:
        """Return the settings to start with, and the check of the file."""
        settings, _, check = usable_settings(
            lambda: load_settings(self.file if self.file.exists() else None, given),
            self.last_good,
            lambda text: read_settings(text, "last good", given),
        )
        return settings, check


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (FAULTY, "cannot be 9"),
        ('board = "hill"', "hill"),
        ("a." * 3000 + "b = 1", "has lists or tables too deep within one another"),
        (None, "is gone"),
    ],
)
def test_the_last_good_settings_stand_in(tmp_path: Path, text: str | None, problem: str) -> None:
    """A file that is faulty or gone is reported until it is as it was; it stays untouched."""
    folder = File(tmp_path)
    assert folder.start()[1] is None
    if text is None:
        folder.file.unlink()
    else:
        folder.file.write_text(text)
    settings, check = folder.start()
    assert check
    fault = check()
    assert fault
    assert (3, str(folder.file), True) == (settings.teams, fault.file, problem in fault.problem)
    assert text == (folder.file.read_text() if text else None)
    folder.file.write_text(GOOD)
    assert check() is None
    folder.file.write_text("teams = 2\n")
    again = check()
    assert again
    assert "in order again" in again.problem


def test_without_last_good_settings_every_fault_is_reported(tmp_path: Path) -> None:
    """Nor do they help if the command line is at fault."""
    folder = File(tmp_path)
    with pytest.raises(SettingsError, match="command line: teams"):
        folder.start(teams=9)
    folder.last_good.copy.unlink()
    folder.file.write_text(FAULTY)
    with pytest.raises(SettingsError) as refused:
        folder.start()
    assert 2 == len(refused.value.faults)
