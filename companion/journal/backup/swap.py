"""Replacing several files, all or none, also across a power cut.

Every new file is first copied whole beside the one that it replaces, and what was there is copied
to a dated name. When all copies are on disk, a plan of the renames is written to the data folder;
from then on they are carried out, if need be at the next start.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import JournalError, Message
from companion.files import belong_like, sync_folder, write_durably
from companion.journal.damage import is_damage
from companion.journal.folder import FolderLock
from companion.journal.store import FILE

PLAN: Final = "restore-plan.json"


class _SwapPlan(msgspec.Struct, frozen=True):
    """Files to rename, each with its new path; paths are those of the file system, in Base64."""

    stamp: str
    renames: list[tuple[bytes, bytes]]


def replace_all(
    places: Iterable[tuple[Path, Path]], data: Path, stamp: str
) -> dict[Path, Path | None]:
    """Put each source in the place of its target, all or none; on disk when this returns.

    A file takes over mode and owner of the one that was there, else the owner of its folder. The
    data folder must be locked.

    Returns:
        The targets, each with the name under which what was there is kept, or None.

    Raises:
        JournalError: one of them cannot be written; nothing has been replaced.
    """
    previous: dict[Path, Path | None] = {}
    new: dict[Path, Path] = {}
    for source, target in places:
        try:
            _make_folder(target.parent)
            there = target.exists()
            previous[target] = _copied(target, dated(target, stamp), target) if there else None
            beside = target.with_name(f".{target.name}.{stamp}")
            new[target] = _copied(source, beside, target if there else target.parent)
        except OSError as error:
            _remove(*new.values(), *filter(None, previous.values()))
            text = (
                "{target} cannot be replaced ({reason}), so nothing was: see that there is room "
                "and that you may write there"
            )
            raise JournalError(text, target, error.strerror) from None
    renames = [(os.fsencode(file), os.fsencode(target)) for target, file in new.items()]
    plan = _SwapPlan(stamp=stamp, renames=renames)
    _sync_folders(plan)
    write_durably(data / PLAN, msgspec.json.encode(plan))
    _carry_out(plan, data)
    return previous


def resume_restore(data: Path) -> None:
    """Finish a restore that was cut short, if there is one.

    Raises:
        JournalError: a table has the folder, or something cannot be written.
    """
    if (data / PLAN).is_file():
        with closing(FolderLock(data)):
            finish_restore(data)


def finish_restore(data: Path) -> None:
    """Finish a restore that was cut short in a folder that is locked.

    Raises:
        JournalError: something cannot be read or written.
    """
    try:
        _carry_out(msgspec.json.decode((data / PLAN).read_bytes(), type=_SwapPlan), data)
    except FileNotFoundError:
        return
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        text = Message(
            "{data}: a restore that was cut short cannot be finished ({error})", data / PLAN, error
        )
        raise JournalError("{text}: see that the disk is sound and has room", text) from error


def _carry_out(plan: _SwapPlan, data: Path) -> None:
    """Rename every file of a plan that is not renamed yet; the plan goes last."""
    _move_beside(data / FILE, plan.stamp)
    for file, target in plan.renames:
        with suppress(FileNotFoundError):
            Path(os.fsdecode(file)).replace(os.fsdecode(target))
    _sync_folders(plan)
    (data / PLAN).unlink()
    sync_folder(data)


def _sync_folders(plan: _SwapPlan) -> None:
    folders = {Path(os.fsdecode(target)).parent for _, target in plan.renames}
    for folder in sorted(folders | {folder.parent for folder in folders}):
        sync_folder(folder)


def dated(target: Path, stamp: str) -> Path:
    """Return the name under which a file is kept when another replaces it."""
    return target.with_name(f"{target.stem}-before-{stamp}{target.suffix}")


def settle(journal: Path) -> None:
    """Put into a journal what a power cut has left beside it, unless it is damaged.

    Raises:
        JournalError: another program reads it just now, or it cannot be written.
    """
    try:
        if journal.exists():
            _checkpoint(journal)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            text = "{journal} cannot be replaced now ({error}), so nothing was: try again"
            raise JournalError(text, journal, error) from None


def _checkpoint(journal: Path) -> None:
    with closing(sqlite3.connect(journal, timeout=1)) as database:
        (busy, *_) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        text = "{journal} is being read by another program: try again when it is done"
        raise JournalError(text, journal)


def _move_beside(journal: Path, stamp: str) -> None:
    """Keep what is beside the old journal away from the new one."""
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{journal}{suffix}").rename(f"{dated(journal, stamp)}{suffix}")


def _copied(source: Path, target: Path, example: Path) -> Path:
    """Return a new copy, on disk, with the owner of the example."""
    with source.open("rb") as content, target.open("xb") as file:
        try:
            shutil.copyfileobj(content, file)
            file.flush()
            os.fsync(file.fileno())
            belong_like(example, target)
        except BaseException:
            target.unlink()
            raise
    return target


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        folder.mkdir(parents=True)
        belong_like(folder.parent, folder)


def _remove(*copies: Path) -> None:
    """Delete copies, and the folders in which nothing else is."""
    for file in copies:
        file.unlink(missing_ok=True)
        with suppress(OSError):
            file.parent.rmdir()
