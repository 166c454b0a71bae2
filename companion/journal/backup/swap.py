"""Putting files in the places of others: copied whole beside them first, and what was there kept.

Only when every copy is on disk is anything renamed, which within a folder needs neither room nor
a right that the copies did not need.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from stat import S_IMODE

from companion.errors import JournalError
from companion.journal.damage import is_damage


def replace_all(places: Iterable[tuple[Path, Path]], stamp: str) -> dict[Path, Path | None]:
    """Put each source in the place of its target, all or none, in this order.

    A file takes over mode and owner of the one that was there, else the owner of its folder.

    Returns:
        The targets, each with the name under which what was there is kept, or None.

    Raises:
        JournalError: one of them cannot be written; nothing has been replaced.
    """
    kept: dict[Path, Path | None] = {}
    new: dict[Path, Path] = {}
    for source, target in places:
        try:
            _make_folder(target.parent)
            there = target.exists()
            kept[target] = _copied(target, dated(target, stamp), target) if there else None
            beside = target.with_name(f".{target.name}.{stamp}")
            new[target] = _copied(source, beside, target if there else target.parent)
        except OSError as error:
            _take_away(*new.values(), *filter(None, kept.values()))
            text = f"{target} cannot be replaced ({error.strerror}), so nothing was: see that"
            raise JournalError(f"{text} there is room and that you may write there") from None
    for target, file in new.items():
        file.replace(target)
    return kept


def dated(target: Path, stamp: str) -> Path:
    """The name under which a file is kept when another takes its place."""
    return target.with_name(f"{target.stem}-before-{stamp}{target.suffix}")


def settle(journal: Path, stamp: str) -> None:
    """Leave nothing beside a journal that would meet the file which takes its place.

    What a power cut has left there goes into the journal; if it cannot, it is kept with it.

    Raises:
        JournalError: somebody reads it just now, or it cannot be written.
    """
    try:
        if journal.exists():
            _checkpoint(journal)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            text = f"{journal} cannot be replaced now ({error}), so nothing was: try again"
            raise JournalError(text) from None
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{journal}{suffix}").rename(f"{dated(journal, stamp)}{suffix}")


def _checkpoint(journal: Path) -> None:
    with closing(sqlite3.connect(journal, timeout=1)) as database:
        (busy, *_) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise JournalError(f"{journal} is being read by another program: try again when it is done")


def belong_like(path: Path, example: Path) -> None:
    """Give a file to the owner of another, if that is ours to give."""
    owner = example.stat()
    with suppress(PermissionError):
        os.chown(path, owner.st_uid, owner.st_gid)


def _copied(source: Path, target: Path, example: Path) -> Path:
    """A new copy, on disk when this returns, that belongs to whom the example does."""
    with source.open("rb") as content, target.open("xb") as file:
        try:
            shutil.copyfileobj(content, file)
            file.flush()
            os.fsync(file.fileno())
            if example.is_file():
                target.chmod(S_IMODE(example.stat().st_mode))
            belong_like(target, example)
        except BaseException:
            target.unlink()
            raise
    return target


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        folder.mkdir(parents=True)
        belong_like(folder, folder.parent)


def _take_away(*copies: Path) -> None:
    """Take copies away again, and the folders in which nothing else is."""
    for file in copies:
        file.unlink(missing_ok=True)
        with suppress(OSError):
            file.parent.rmdir()
