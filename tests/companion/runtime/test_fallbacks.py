"""A start without a part: fallbacks, refusals, and later attempts."""

import asyncio
from pathlib import Path

import pytest

from companion.errors import AddressError, Fault, SettingsError, Text
from companion.runtime import fallbacks
from companion.runtime.fallbacks import Fallbacks, usable_settings
from companion.settings.load import load_settings
from companion.settings.sources import page_file
from companion.worker import Worker

ABSENT = AddressError("no such address", key="web.host")


class Part:
    """A part that works when the test says so; `lines` is the console."""

    def __init__(self, *, tried: frozenset[str] = frozenset(), **given: object) -> None:
        self.lines: list[str] = []
        self.error: AddressError | None = ABSENT
        self.attempts = 0
        settings = load_settings(None, given)
        self.fallbacks = Fallbacks(
            settings, report=lambda text: self.lines.append(str(text)), tried=tried
        )

    def attempt(self) -> None:
        """Fail, or work once it is repaired."""
        self.attempts += 1
        if self.error:
            raise self.error

    def start(self) -> None:
        """Start the table without it."""
        self.fallbacks.retry("web.host", ABSENT, self.attempt, meanwhile=Text("it is elsewhere"))


def test_a_part_is_tried_until_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """The console gets a line at loss and at return; the page shows it meanwhile."""
    monkeypatch.setattr(fallbacks, "RETRY_S", 0)
    part = Part()
    part.start()
    problem, remedy = Text("no such address"), Text("it is elsewhere")
    fault = Fault(file="settings", key="web.host", problem=problem, remedy=remedy)

    async def scene() -> None:
        shown: asyncio.Queue[tuple[Fault, ...]] = asyncio.Queue()
        running = asyncio.create_task(part.fallbacks.run(shown.put_nowait, Worker("parts")))
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
    """A part with settings on probation does not, either; others do."""
    Part(tried=frozenset({"strip"})).start()
    for part in (Part(web={"host": "10.9.8.7"}), Part(tried=frozenset({"web"}))):
        with pytest.raises(AddressError):
            part.start()
        assert ([], ()) == (part.lines, part.fallbacks.faults)


def test_a_part_may_be_lost_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that is tried in every round has its fault whenever it fails."""
    monkeypatch.setattr(fallbacks, "RETRY_S", 0)
    part = Part(tried=frozenset({"web"}))
    part.error = None
    part.fallbacks.attempt("web.host", part.attempt)
    assert (1, ()) == (part.attempts, part.fallbacks.faults)
    part.error = ABSENT

    async def scene() -> None:
        shown: asyncio.Queue[tuple[Fault, ...]] = asyncio.Queue()
        running = asyncio.create_task(part.fallbacks.run(shown.put_nowait, Worker("parts")))
        while not await shown.get():
            pass
        running.cancel()

    asyncio.run(scene())


FAULTY = [
    ("teams = 9\nbord = 1\n[names]\n1 = 'Ada'\n", "cannot be 9"),
    ("board = 'hill'\n[names]\n1 = 'Ada'\n", "hill"),
    ("teams = = 3", "is not TOML"),
    ("a." * 3000 + "b = 1", "has lists or tables that are nested too deeply"),
]


def test_faulty_values_fall_back_until_they_are_mended(tmp_path: Path) -> None:
    """The fault lasts until then; the repaired value counts from the next start."""
    file = tmp_path / "cribwars.toml"
    for text, problem in FAULTY:
        file.write_text("teams = 3\n")
        assert usable_settings(file, {}, required=True)[2] is None
        file.write_text(text)
        settings, assembly, check = usable_settings(file, {}, required=True)
        assert check
        fault = check()
        assert fault
        assert (2, str(file), True) == (settings.teams, fault.file, problem in str(fault.problem))
        assert "until then this value is ignored" in str(fault.remedy)
        assert ({"1": "Ada"} if "Ada" in text else {}) == settings.names == assembly.request.names
        file.write_text("teams = 3\n")
        again = check()
        assert again
        assert "is mended" in str(again.problem)
    file.unlink()
    page_file(file).write_text('[names]\n1 = "Bo"\n')
    assert "cannot be read" in str(check and check())


def test_what_acts_at_once_is_in_force_once_it_is_mended(tmp_path: Path) -> None:
    """Names that the page changes meanwhile need no restart."""
    file = tmp_path / "cribwars.toml"
    file.write_text("teams = 9\n")
    *_, check = usable_settings(file, {}, required=True)
    page_file(file).write_text('[names]\n1 = "Bo"\n')
    file.write_text("")
    assert check
    assert check() is None


def test_what_the_command_line_names_must_be_had(tmp_path: Path) -> None:
    """This holds for its values and its file, unless the page has written one."""
    file = tmp_path / "cribwars.toml"
    with pytest.raises(SettingsError, match="cannot be read"):
        usable_settings(file, {}, required=True)
    assert usable_settings(file, {}, required=False)[2] is None
    page_file(file).write_text("teams = 3\n")
    settings, _, check = usable_settings(file, {}, required=True)
    assert (3, True) == (settings.teams, check is not None)
    with pytest.raises(SettingsError, match="command line: teams"):
        usable_settings(file, {"teams": 9}, required=True)
