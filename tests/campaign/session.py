"""Everything that a table writes, one operation after the other, each of them acknowledged.

It runs as a process of its own, which may be cut off, killed or refused anything at any moment:
`python -m tests.campaign.session FOLDER SEED OPERATIONS [CONTROL]`. For each operation it writes
to stdout the intended state of the files, then whether that was reached, and waits for a line on
stdin. With the control `old` it begins on the files of an earlier program.
"""

from __future__ import annotations

import os
import queue
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from companion import files
from companion.backups.backup_file import back_up
from companion.backups.folders import staged
from companion.backups.restore import finish_restore, restore
from companion.encoding import encode_json
from companion.errors import BadInputError, CompanionError, RuleError
from companion.journal.writer import Journal
from companion.rules.game import Command, Deal, History, NewGame, Peg, Undo, new_game
from companion.settings.file import SettingsFile
from companion.settings.probation import content_of
from companion.settings.sources import page_file
from companion.web.pairing import Grant, load_pairing
from tests.companion.journal.scribe import begun

NOON: Final = 1_800_000_000.0
TURNS: Final = ("count", "count", "count", "undo", "deal", "new_game")
OTHERS: Final = ("settings", "pair", "back_up", "restore")


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """Content of a table's files: digests, the phones' names, and the undamaged backups.

    `loss` is the damage that the journal reports.
    """

    game: str
    undo: int
    settings: str
    phones: tuple[str, ...]
    backups: tuple[str, ...] = ()
    loss: str | None = None

    def has(self, expected: Snapshot) -> bool:
        """Return True if all expected content is there; there may be more backups."""
        same = msgspec.structs.replace(self, backups=expected.backups) == expected
        return same and set(expected.backups) <= set(self.backups)


class Report(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of the session: an operation leads to `intent`; it is `done`, or has `failed`."""

    operation: str
    intent: Snapshot | None = None
    done: bool = False
    failed: str | None = None


def digest(value: object) -> str:
    """Return a short digest of a value's text."""
    return blake2b(str(value).encode(), digest_size=8).hexdigest()


def game_of(history: History) -> str:
    """Return the digest of a game's state."""
    state = history.state
    return digest((state.all_pegs, state.dealer, state.hand, state.winner, state.match))


def paths(folder: Path) -> tuple[Path, Path, Path]:
    """Return the data folder, the settings file and the folder of backups."""
    return folder / "data", folder / "etc" / "cribwars.toml", folder / "backups"


def journal_in(data: Path) -> Journal:
    """Return the journal of a folder, as a start makes it."""
    return Journal(data, now=time.time, when_locked=partial(finish_restore, now=NOON))


def inspect(folder: Path) -> Snapshot:
    """Open a table's files as a start does, and return their content.

    Raises:
        CompanionError: they cannot be opened.
    """
    data, settings, backups = paths(folder)
    losses: list[str] = []
    journal = journal_in(data)
    try:
        history, _ = journal.begin(begun("classic"))
        losses += map(str, filter(None, [journal.notice]))
    finally:
        journal.close()
    pairing = load_pairing(data, lambda text: losses.append(str(text)))
    return Snapshot(
        game=game_of(history),
        undo=len(history),
        settings=digest(content_of(page_file(settings)) or b""),
        phones=tuple(phone.name for phone in pairing.phones),
        backups=tuple(sorted(file.name for file in backups.glob("*.zip") if _is_whole(file, data))),
        loss="; ".join(losses) or None,
    )


def _is_whole(file: Path, data: Path) -> bool:
    try:
        with staged(file, data) as found:
            return not found.faults
    except BadInputError:
        return False


NEW_GAME: Final = game_of(History(new_game(begun("classic").setup)))


class Session:
    """Changes of a table's files in `folder`; `say` gets each report before the next operation."""

    def __init__(self, folder: Path, seed: int, say: Callable[[Report], None]) -> None:
        self._folder, self._say = folder, say
        self._data, settings, self._backups = paths(folder)
        for each in (self._data, settings.parent, self._backups):
            each.mkdir(parents=True, exist_ok=True)
            files.sync_folder(each.parent)
        self._settings = SettingsFile(settings, {}, check=lambda _: None)
        self._chance = random.Random(seed)
        self._saved: list[tuple[Path, Snapshot]] = []
        self._standing = Snapshot(game=NEW_GAME, undo=0, settings=digest(b""), phones=())

    def _open(self) -> None:
        self._journal = journal_in(self._data)
        self._history, _ = self._journal.begin(begun("classic"))

    def play(self, operations: int) -> None:
        """Carry out this number of operations, at least one of each kind."""
        self._say(Report(operation="begin", intent=self._standing))
        self._say(Report(operation="begin", done=True))
        self._open()
        self._do("open", lambda: True)
        kinds = [*OTHERS, *self._chance.choices(TURNS, k=operations - len(OTHERS))]
        self._chance.shuffle(kinds)
        for kind in kinds:
            getattr(self, kind)()
        self._journal.close()
        self._say(Report(operation="end", done=True))

    def _do(self, kind: str, act: Callable[[], bool], **changes: object) -> None:
        after = msgspec.structs.replace(self._standing, **changes)
        self._say(Report(operation=kind, intent=after))
        try:
            saved = act()
        except (CompanionError, OSError) as error:
            self._say(Report(operation=kind, failed=str(error)))
        else:
            self._standing = after
            self._say(Report(operation=kind, done=saved, failed=None if saved else "not saved"))

    def _turn(self, kind: str, command: Command) -> None:
        try:
            entry = self._history.do(command)
        except RuleError:
            entry = self._history.do(NewGame())
        answers: queue.SimpleQueue[bool] = queue.SimpleQueue()

        def write() -> bool:
            self._journal.write(entry, answers.put)
            return answers.get()

        self._do(kind, write, game=game_of(self._history), undo=len(self._history))

    def count(self) -> None:
        """Peg a count."""
        side, points = self._chance.choice((1, 2)), self._chance.randint(1, 29)
        self._turn("count", Peg(side=side, points=points))

    def undo(self) -> None:
        """Take the last command back."""
        self._turn("undo", Undo())

    def deal(self) -> None:
        """Begin the next hand."""
        self._turn("deal", Deal())

    def new_game(self) -> None:
        """Begin the next game."""
        self._turn("new_game", NewGame())

    def settings(self) -> None:
        """Change the page's settings file; each second time also a setting that needs a restart."""
        stamp = self._settings.read().stamp
        proposal = self._settings.propose({"demo.speed": self._chance.randint(1, 99)}, stamp)
        self._do(
            "settings",
            lambda: bool(self._settings.write(proposal)),
            settings=digest(proposal.content),
        )

    def pair(self) -> None:
        """Let a phone in."""
        pairing, name = load_pairing(self._data, print), f"phone {len(self._standing.phones) + 1}"
        right: Grant = "score"
        token = str(self._chance.random())
        self._do(
            "pair",
            lambda: bool(pairing.let_in(name, right, token=token, since=NOON)),
            phones=(*self._standing.phones, name),
        )

    def back_up(self) -> None:
        """Make a backup."""
        file = self._backups / f"{len(self._standing.backups) + 1}.zip"
        before, (_, settings, _) = self._standing, paths(self._folder)
        self._do(
            "back_up",
            lambda: bool(back_up(self._data, file, settings=settings, now=NOON)),
            backups=(*before.backups, file.name),
        )
        if self._standing != before:
            self._saved.append((file, before))

    def restore(self) -> None:
        """Restore an earlier backup, or a new one if there is none."""
        if not self._saved:
            self.back_up()
        if not self._saved:
            return
        file, then = self._chance.choice(self._saved)
        _, settings, _ = paths(self._folder)
        self._journal.close()

        def put_in_place() -> bool:
            with staged(file, self._data) as found:
                return bool(restore(found, settings, NOON))

        # A backup without settings or phones leaves the present ones.
        settings_then = then.settings if then.settings != digest(b"") else self._standing.settings
        self._do(
            "restore",
            put_in_place,
            game=then.game,
            undo=then.undo,
            phones=then.phones or self._standing.phones,
            settings=settings_then,
        )
        self._open()


def leave_folders_unsynced() -> None:
    """As a control, never sync the names in a folder."""
    for module in list(sys.modules.values()):
        if getattr(module, "sync_folder", None) is files.sync_folder:
            vars(module)["sync_folder"] = lambda _: None


def write_without_waiting() -> None:
    """As a control, let SQLite not wait for the disk at a commit."""
    store = sys.modules["companion.journal.journal_file"]
    normal = "synchronous = NORMAL"
    vars(store)["_PRAGMAS"] = (*vars(store)["_PRAGMAS"], normal)


def write_nothing_through() -> None:
    """As a control, let no write wait for the disk."""
    vars(os)["fsync"] = lambda _: None
    store = sys.modules["companion.journal.journal_file"]
    vars(store)["_PRAGMAS"] = (*vars(store)["_PRAGMAS"], "synchronous = OFF")


CONTROLS: Final = {
    "unsynced": leave_folders_unsynced,
    "normal": write_without_waiting,
    "nothing": write_nothing_through,
}


def _say(report: Report) -> None:
    os.write(sys.stdout.fileno(), encode_json(report) + b"\n")
    if report.done or report.failed:
        sys.stdin.readline()


def main(folder: str, seed: str, operations: str, *controls: str) -> None:
    """Play a session."""
    try:
        session = Session(Path(folder), int(seed), _say)
        for control in controls:
            CONTROLS[control]()
        session.play(int(operations))
    except (CompanionError, OSError) as error:  # it cannot even begin, or go on after a restore
        _say(Report(operation="end", failed=str(error)))


if __name__ == "__main__":
    main(*sys.argv[1:])
