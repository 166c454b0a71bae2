"""Exports, each written by a process of its own: no press waits for one, its memory is freed."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from companion.errors import CompanionError, JournalError
from companion.journal.export import export_csv, export_json
from companion.journal.records import Records, yield_to_table

CHUNK_BYTES: Final = 1 << 16
CSV: Final = "csv"
JSON: Final = "json"


async def exported(folder: Path, form: str, language: str) -> AsyncIterator[bytes]:
    """Yield the records of a data folder in chunks, as `CSV` or `JSON`.

    Raises:
        JournalError: the process has ended early.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __name__, folder, form, language),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    yield_to_table(process.pid)
    assert process.stdout is not None  # noqa: S101  # as asked for
    try:
        while chunk := await process.stdout.read(CHUNK_BYTES):
            yield chunk
        if await process.wait():
            text = "the export of {folder} ended early: try `cribwars records export`"
            raise JournalError(text, folder=folder)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def main(folder: str, form: str, language: str) -> None:
    """Write an export to stdout, each game as soon as it is read."""
    with Records(Path(folder)) as records:
        export = export_csv if form == CSV else export_json
        for piece in export(records, language=language):
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except CompanionError as error:
        sys.exit(f"cribwars: {error}")
