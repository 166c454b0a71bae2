"""The phones that were let in, kept beside the journal."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from companion.files import write_durably
from companion.web.pairing.pairing import KeepError, Kept, Pairing

FILE: Final = "phones.json"


def load_pairing(folder: Path | None, notice: Callable[[str], None]) -> Pairing:
    """The phones of a data folder, kept there from now on; without one none outlasts this run.

    A file that cannot be read is put aside, and its phones must be let in anew: `notice` is given
    a line that says so.
    """
    if folder is None:
        return Pairing(Kept(), keep=lambda _: None)
    file = folder / FILE

    def keep(kept: Kept) -> None:
        try:
            write_durably(file, msgspec.json.encode(kept))
        except OSError as error:
            text = f"{file} cannot be written ({error.strerror}): nothing is changed"
            raise KeepError(text) from error

    return Pairing(_load(file, notice), keep=keep)


def _load(file: Path, notice: Callable[[str], None]) -> Kept:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Kept)
    except FileNotFoundError:
        return Kept()
    except OSError as error:
        notice(f"{file} cannot be read ({error.strerror}): phones only watch")
        return Kept()
    except (UnicodeDecodeError, RecursionError, msgspec.DecodeError) as error:
        aside = file.with_suffix(".damaged.json")
        with suppress(OSError):
            file.replace(aside)
        notice(f"{file} cannot be read ({error}): let the phones in anew")
        return Kept()
