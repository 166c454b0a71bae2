"""USB sticks: each has one line on the page with the results of its scripts."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.backups.folders import STICK_FOLDER
from companion.buttons import HOLD_S
from companion.cli.main import cribwars
from companion.rules.game import Peg
from companion.runtime.sticks import (
    CONSENT,
    StickFact,
    leave_fact,
    stick_facts,
    stick_lines,
    watch_sticks,
)
from tests.companion.backups.bundles import table
from tests.companion.table.bench import Bench, at_table

BACKED_UP = StickFact(kind="backed-up")


class Sticks:
    """The folders of an installed board for facts about sticks."""

    def __init__(self, folder: Path) -> None:
        names = ("sticks", "backups", "answers")
        self.mounted, self.backups, self.answers = (folder / name for name in names)
        for each in (self.mounted, self.backups, self.answers):
            each.mkdir()

    def put_in(self, name: str) -> Path:
        """Mount a stick. Return its folder."""
        (self.mounted / name).mkdir()
        return self.mounted / name

    def lines(self) -> tuple[str, ...]:
        """Return the lines for the page."""
        return tuple(map(str, stick_lines(stick_facts(self.mounted, self.backups))))


@pytest.fixture
def sticks(tmp_path: Path) -> Sticks:
    """Return the folders."""
    return Sticks(tmp_path)


def test_each_stick_has_one_line(sticks: Sticks) -> None:
    """It has mount, backup and update in this order; "nothing to do" is alone."""
    assert () == sticks.lines()
    for name in ("sda1", "sdb1"):
        sticks.put_in(name)
        leave_fact(sticks.backups, name, StickFact(kind="nothing-new"))
    leave_fact(sticks.mounted, "sdb1.update", StickFact(kind="installed", values=("2.0",)))
    why = StickFact(kind="unmountable", values=("unknown filesystem type 'exfat'",))
    leave_fact(sticks.mounted, "sdc1.mount", why)
    assert (
        "USB stick sda1: nothing to do",
        "USB stick sdb1: version 2.0 was installed",
        "USB stick sdc1: it could not be mounted (unknown filesystem type 'exfat')",
    ) == sticks.lines()


def test_old_and_unknown_facts_have_no_line(sticks: Sticks) -> None:
    """A newer script may write kinds that this version does not know; a stick may be pulled out."""
    stick = sticks.put_in("sda1")
    leave_fact(sticks.backups, "sda1", BACKED_UP)
    assert ("USB stick sda1: a backup was made",) == sticks.lines()
    for content in (b"", b"\n", b"\xff\xfe", b"another kind\n", b"x" * 10_000):
        (sticks.mounted / "sda1.update").write_bytes(content)
        assert ("USB stick sda1: a backup was made",) == sticks.lines()
    (sticks.mounted / "sda1.update").unlink()
    stick.rmdir()
    assert () == sticks.lines()


def watch(bench: Bench, sticks: Sticks, *looks: Callable[[], object]) -> Coroutine[Any, Any, None]:
    """Watch the sticks, and call `looks` in turn between two checks."""
    calls = iter(looks)

    async def sleep(_: float) -> None:
        await bench.settled()
        call = next(calls, None)
        if call is None:
            raise asyncio.CancelledError
        result = call()
        if isinstance(result, Coroutine):
            await result

    return watch_sticks(
        bench.table, sticks.mounted, answers=sticks.answers, backups=sticks.backups, sleep=sleep
    )


def at_sticks(sticks: Sticks, bench: Bench, *looks: Callable[[], object]) -> None:
    """Watch the sticks at a table until all `looks` are done."""

    async def play(bench: Bench) -> None:
        with pytest.raises(asyncio.CancelledError):
            await watch(bench, sticks, *looks)

    at_table(bench, play)


def test_the_page_follows(sticks: Sticks) -> None:
    """Lines come and go with the sticks, beside the other notices."""
    bench, seen = Bench(), list[tuple[str, ...]]()
    stick = sticks.put_in("sda1")
    leave_fact(sticks.backups, "sda1", BACKED_UP)

    def look() -> None:
        seen.append(tuple(map(str, bench.table.notices.lines)))

    at_sticks(sticks, bench, look, stick.rmdir, look)
    start = ("at the start",)
    assert [("USB stick sda1: a backup was made", *start), start] == seen


ASKED = "6fb7 e3b0c442"


def ask(sticks: Sticks) -> Path:
    """Let root ask for a version on a stick. Return the file of the request."""
    sticks.put_in("sda1")
    leave_fact(sticks.mounted, "sda1.update", StickFact(kind="unsigned", values=("9.0", ASKED)))
    return sticks.mounted / "sda1.update"


def test_a_held_deal_allows_a_version_without_a_signature(sticks: Sticks) -> None:
    """The table repeats root's request once; the hold deals nothing."""
    bench = Bench(Peg(side=1, points=2))
    ask(sticks)
    at_sticks(sticks, bench, lambda: bench.press("deal", seconds=HOLD_S + 0.1))
    assert f"{ASKED}\n" == (sticks.answers / CONSENT).read_text()
    assert ([], ()) == (bench.journal.commands, bench.table.panel.consents.waiting)


@pytest.mark.parametrize("means", ["tap", "short press", "other button", "page", "demo"])
def test_nothing_else_allows_it(sticks: Sticks, means: str) -> None:
    """Pads, pages, and a press that ends a demo do not."""
    bench = Bench(Peg(side=1, points=2))
    ask(sticks)

    async def attempt() -> None:
        (asked,) = bench.table.panel.consents.waiting
        match means:
            case "tap":
                bench.table.tap("deal", held=HOLD_S + 0.1)
            case "short press":
                await bench.press("deal", seconds=HOLD_S - 0.1)
            case "other button":
                await bench.press("1.enter", seconds=HOLD_S + 0.1)
            case "page":
                assert not bench.table.consent(asked.number, granted=True)
            case "demo":
                bench.table.demo(on=True)
                await bench.press("deal", seconds=HOLD_S + 0.1)

    at_sticks(sticks, bench, attempt)
    assert not (sticks.answers / CONSENT).exists()


def test_a_request_goes_with_its_stick(sticks: Sticks) -> None:
    """Without the stick Deal deals; with the stick back in, the request returns."""
    bench, seen = Bench(), list[int]()
    asks = ask(sticks)
    content = asks.read_text()

    def look() -> None:
        seen.append(len(bench.table.panel.consents.waiting))

    def ask_again() -> None:
        asks.write_text(content.replace("6fb7", "7c01"))

    at_sticks(sticks, bench, look, asks.unlink, look, ask_again, look)
    assert [1, 0, 1] == seen


def test_the_automatic_backup_leaves_what_became_of_each_stick(
    sticks: Sticks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is made, not needed, or refused; a bad stick does not affect the others."""
    monkeypatch.setattr(Path, "is_mount", lambda path: path.parent == sticks.mounted)
    environment = {"RUNTIME_DIRECTORY": str(sticks.backups), "CRIBWARS_STICKS": str(sticks.mounted)}
    data = tmp_path / "data"
    command = ["backup", "--automatic", "--data", str(data)]
    for name in ("sda1", "sdb1", "sdc1"):
        sticks.put_in(name)
    (sticks.mounted / "sda1" / STICK_FOLDER).symlink_to(tmp_path)
    (sticks.mounted / "sdb1" / STICK_FOLDER).write_text("a file")

    def back_up() -> int:
        return CliRunner().invoke(cribwars, ["records", *command], env=environment).exit_code

    assert 0 == back_up()
    assert ["USB stick sdc1: nothing to do"] == [*sticks.lines()[2:]]
    table(data)
    assert 1 == back_up()
    linked, refused, made = sticks.lines()
    assert "USB stick sda1: its folder for backups is a link: no backup" == linked
    assert refused.startswith("USB stick sdb1: no backup: ")
    assert "USB stick sdc1: a backup was made" == made
    assert [] == list(tmp_path.glob("*/cribwars-*.zip"))
