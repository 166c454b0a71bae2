"""Reading rows from the bytes of a damaged journal."""

import struct
from pathlib import Path

import pytest

from companion.journal.salvage import salvage
from companion.journal.store import FILE
from companion.rules.game import Deal
from tests.companion.journal.test_writer import Keeper

PAGE = 4096


@pytest.mark.parametrize("page", [0, 1, 1 << 31])
def test_a_chain_of_pages_that_leads_nowhere_has_an_end(tmp_path: Path, page: int) -> None:
    """A row's rest on no page, on one of its own way or beyond the file: the others are read."""
    Keeper(tmp_path).do(Deal()).leave()
    journal = tmp_path / FILE
    content = journal.read_bytes()
    whole = salvage(journal)
    pages = range(1, len(content) // PAGE + 1)
    read = []
    for place in range(len(content) - 3):
        if int.from_bytes(content[place : place + 4]) in pages:
            damaged = bytearray(content)
            struct.pack_into(">L", damaged, place, page)
            journal.write_bytes(damaged)
            read.append(salvage(journal))
    assert all(rows == whole[1] or not rows for _, rows in read)
    assert any(not games for games, _ in read)


@pytest.mark.parametrize("size", range(7, 17))
def test_a_record_with_other_values_than_a_row_has_is_none(tmp_path: Path, size: int) -> None:
    """Bytes that begin like a game's record, with more or fewer values, are no row."""
    journal = tmp_path / FILE
    journal.write_bytes(b"\x01" + bytes([size]) + b"\x00\x07\x01\x0d\x0d\x1c\x1c" + bytes(99))
    assert salvage(journal) == ([], [])
