"""Probation of changed settings: a change that breaks the start of the table is taken back.

The page's file is the settings file that the set-up page writes. Its old text is saved before the
new text is written. The next start is an attempt: first of all it writes a mark. The probation ends
when a browser has loaded the set-up page again, or when the table has run for a minute. If a crash
or a power cut comes first, the next start finds the mark and restores the old text.

| the start finds | the start's step |
| --- | --- |
| no probation, or another text in the file | It starts. |
| a change without a mark | It marks the attempt and starts. |
| a change with the mark of an earlier start | It takes the change back and starts. |

For example, a driver that hangs the table is tried once. After a power cycle the old one is used.
"""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

import msgspec

from companion.errors import NO_TEXT, Text, as_text
from companion.files import StoredFile, sync_folder, write_durably
from companion.settings.schema import OWN_KEYS, ROWS
from companion.settings.sources import flat
from companion.toml import parse, toml_value


class Probation(msgspec.Struct, frozen=True, kw_only=True):
    """Probation of a change of the page's file.

    `before` is the old text, or None if there was no file. `after` is the hash of the new text
    (`stamp_of`). `attempted` is the mark of a start with the change. `reason` says why that
    start failed; it is empty if the reason is unknown.
    """

    before: str | None
    after: str
    attempted: bool = False
    reason: Text = NO_TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """A change that was taken back: the reason, and a line for each of its values."""

    reason: Text
    values: tuple[Text, ...]


class StartStep(Enum):
    """Steps of a start, depending on the probation that it finds."""

    START = auto()
    ATTEMPT = auto()
    TAKE_BACK = auto()


def step_of(probation: Probation | None, stamp: str) -> StartStep:
    """Return the step of a start; `stamp` is `stamp_of` the page's file now."""
    if probation is None or probation.after != stamp:
        return StartStep.START
    return StartStep.TAKE_BACK if probation.attempted else StartStep.ATTEMPT


def stamp_of(content: bytes | None) -> str:
    """Return the hash of a file's content, "" if there is no file."""
    return "" if content is None else hashlib.sha256(content).hexdigest()


def content_of(file: Path) -> bytes | None:
    """Return the content of a file, None if there is no file.

    Raises:
        OSError: the file cannot be read.
    """
    with suppress(FileNotFoundError, NotADirectoryError):
        return file.read_bytes()
    return None


def load_probation(page: Path) -> Probation | None:
    """Return the probation of the file `page`, None if it is missing, damaged or unreadable."""
    return _stored(page).load_if_readable()


def save_probation(page: Path, probation: Probation | None) -> None:
    """Write the probation of the file `page` durably; None deletes the old probation.

    Raises:
        OSError: the file cannot be written.
    """
    file = _stored(page)
    if probation:
        file.save(probation)
    elif file.path.exists():
        file.path.unlink()
        sync_folder(page.parent)


def attempt_of(page: Path) -> tuple[StartStep, Probation | None]:
    """Return the step of a start that begins now, and the probation.

    An attempt is marked on disk. If the page's file was changed again, the probation is deleted.

    Raises:
        OSError: the page's file cannot be read, or the mark cannot be written.
    """
    probation = load_probation(page)
    step = step_of(probation, stamp_of(content_of(page)))
    match step:
        case StartStep.START:
            save_probation(page, None)
        case StartStep.ATTEMPT if probation:
            save_probation(page, msgspec.structs.replace(probation, attempted=True))
        case StartStep.ATTEMPT | StartStep.TAKE_BACK:
            pass
    return step, probation


def changes_of(page: Path, probation: Probation) -> dict[str, str]:
    """Return the values on probation as TOML by key; "" for a setting that was removed."""
    texts = (probation.before or "", (content_of(page) or b"").decode(errors="replace"))
    before, new = (flat(parse(text, "", [])) for text in texts)
    secret = {key for key, row in ROWS.items() if row.secret}
    return {
        key: "" if key not in new else "***" if key in secret else toml_value(new[key])
        for key in before | new
        if key not in OWN_KEYS and before.get(key) != new.get(key)
    }


def take_back(page: Path, probation: Probation) -> TakenBack:
    """Undo a change of the page's file, and end the probation.

    Raises:
        OSError: the file cannot be written.
    """
    values = tuple(
        as_text(f"{key} = {value}") if value else Text("no {key}", key=key)
        for key, value in changes_of(page, probation).items()
    )
    if probation.before is None:
        page.unlink()
    else:
        write_durably(page, probation.before.encode())
    save_probation(page, None)
    return TakenBack(reason=probation.reason, values=values)


def _stored(page: Path) -> StoredFile[Probation]:
    return StoredFile(page.with_suffix(".probation.json"), Probation)
