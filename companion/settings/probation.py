"""Probation of changed settings: the way back to the page's file before the change.

The old content is on disk before the new one is written. The next start with the new one is an
attempt, and marked as one before anything is built. The probation ends when the table is ready and
the set-up page has come back, or when it has run for a minute. A start that finds an attempt
without such an end, for example after a crash or a power cut, puts the old content in force again.

| a start finds | and |
| --- | --- |
| no probation, or one of other content | starts |
| a change that no start has tried | marks the attempt and starts |
| an attempt | takes the change back and starts |

A driver that hangs the table is tried once; when the power comes back, the old one is in force.
"""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

import msgspec

from companion.encoding import encode_json, restored, stored
from companion.errors import NO_TEXT, Text, as_text
from companion.files import sync_folder, write_durably
from companion.settings.schema import OWN_KEYS, ROWS
from companion.settings.sources import flat
from companion.toml.table import parse
from companion.toml.text import toml_value


class Probation(msgspec.Struct, frozen=True, kw_only=True):
    """A change of the page's file that has not proven itself.

    `before` is the old text, None for no file, and `after` the stamp of the new content.
    `attempted` is True once a start has begun with it; `reason` is why that start failed, or empty.
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
    """Ways in which a start goes on with a probation."""

    START = auto()
    ATTEMPT = auto()
    TAKE_BACK = auto()


def step_of(probation: Probation | None, stamp: str) -> StartStep:
    """Return the step of a start; `stamp` is that of the page's file now."""
    if probation is None or probation.after != stamp:
        return StartStep.START
    return StartStep.TAKE_BACK if probation.attempted else StartStep.ATTEMPT


def stamp_of(content: bytes | None) -> str:
    """Return the hash of a file's content; "" without a file."""
    return "" if content is None else hashlib.sha256(content).hexdigest()


def content_of(file: Path) -> bytes | None:
    """Return the content of a file; None without one.

    Raises:
        OSError: the file cannot be read.
    """
    with suppress(FileNotFoundError, NotADirectoryError):
        return file.read_bytes()
    return None


def load_probation(page: Path) -> Probation | None:
    """Return the probation of a page's file, None without a readable one."""
    with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return msgspec.json.decode(_place(page).read_bytes(), type=Probation, dec_hook=restored)
    return None


def save_probation(page: Path, probation: Probation | None) -> None:
    """Write the probation of a page's file durably, or end it if it is None.

    Raises:
        OSError: the file cannot be written.
    """
    if probation:
        write_durably(_place(page), encode_json(probation, stored))
    elif _place(page).exists():
        _place(page).unlink()
        sync_folder(page.parent)


def attempt_of(page: Path) -> tuple[StartStep, Probation | None]:
    """Return the step of a start that begins now, with its probation; an attempt is marked as one.

    A probation of other content is ended.

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
    """Return the values that are on probation by key; "" for one that was taken out."""
    texts = (probation.before or "", (content_of(page) or b"").decode(errors="replace"))
    before, new = (flat(parse(text, "", [])) for text in texts)
    secret = {key for key, row in ROWS.items() if row.secret}
    return {
        key: "" if key not in new else "***" if key in secret else toml_value(new[key])
        for key in before | new
        if key not in OWN_KEYS and before.get(key) != new.get(key)
    }


def take_back(page: Path, probation: Probation) -> TakenBack:
    """Restore the page's file before a change, and end the probation.

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


def _place(page: Path) -> Path:
    return page.with_suffix(".probation.json")
