"""Backups for tests, made by the program and then changed entry by entry."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

from companion.backups import restore as restoring
from companion.backups.backup_file import back_up
from companion.backups.folders import staged
from companion.rules.game import Claim, NewGame, Peg
from tests.companion.journal.scribe import NOON, begun, played

SETTINGS = 'teams = 3\nlanguage = "fr"\n'
Change = Callable[[dict[str, bytes]], None]


def table(folder: Path, points: int = 5) -> Path:
    """Return a data folder with a won game, and another game with these points."""
    folder.mkdir()
    win = Claim(rule="N10", by=1, game_to=2)
    commands = Peg(side=1, points=9), win, NewGame(), Peg(side=1, points=points)
    return played(folder, *commands, requested=begun(names={"1": "Anna"}))


def backup(folder: Path) -> Path:
    """Return a backup of such a table, with settings."""
    settings = folder / "from.toml"
    settings.write_text(SETTINGS)
    file = folder / "backup.zip"
    back_up(table(folder / "from"), file, settings=settings, now=NOON)
    return file


def contents(file: Path) -> dict[str, bytes]:
    """Return the contents of a zip by name."""
    with zipfile.ZipFile(file) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def pack(file: Path, entries: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> Path:
    """Make a zip of these entries."""
    with zipfile.ZipFile(file, "w", packing) as bundle:
        for name, content in entries.items():
            bundle.writestr(name, content)
    return file


def repacked(file: Path, change: Change, *, honest: bool = True) -> Path:
    """Return the backup with changed entries and a manifest that fits them."""
    entries = contents(file)
    change(entries)
    if honest and "manifest.json" in entries:
        manifest = json.loads(entries["manifest.json"])
        manifest["files"] = {
            name: {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in entries.items()
            if name != "manifest.json"
        }
        entries["manifest.json"] = json.dumps(manifest).encode()
    return pack(file, entries)


def with_manifest(**values: object) -> Change:
    """Return a change of the manifest; an ellipsis removes a key."""

    def change(entries: dict[str, bytes]) -> None:
        manifest = json.loads(entries["manifest.json"]) | values
        fields = {key: value for key, value in manifest.items() if value is not ...}
        entries["manifest.json"] = json.dumps(fields).encode()

    return change


def restore(file: Path, data: Path, settings: Path | None) -> str:
    """Restore a backup. Return its message."""
    with staged(file, data) as found:
        return str(restoring.restore(found, settings, NOON))
