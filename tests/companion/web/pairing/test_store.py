"""The phones that were let in, on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.web.pairing.pairing import KeepError
from companion.web.pairing.store import FILE, load_pairing


def let_in(folder: Path | None, notices: list[str]) -> None:
    """Let a phone in, whose token is "t"."""
    pairing = load_pairing(folder, notices.append)
    pairing.knock("Anna", "run", visit="v", code="123456", now=0, date=0)
    pairing.enter("v", "123456", now=0, date=0)
    pairing.let_in("v", token="t", now=0, date=0)


def test_a_phone_is_known_after_a_restart(tmp_path: Path) -> None:
    """By its token."""
    notices: list[str] = []
    let_in(tmp_path, notices)
    phone = load_pairing(tmp_path, notices.append).known("t", 0)
    assert phone
    assert ("Anna", []) == (phone.name, notices)


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    """A demo lets phones in for as long as it runs."""
    let_in(None, [])
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"phones": 1}', b'{"spies": []}'])
def test_a_damaged_file_is_put_aside(tmp_path: Path, content: bytes) -> None:
    """The table starts, says so, and phones are let in anew; nothing is thrown away."""
    (tmp_path / FILE).write_bytes(content)
    notices: list[str] = []
    let_in(tmp_path, notices)
    (notice,) = notices
    assert "let the phones in anew" in notice
    assert content == (tmp_path / "phones.damaged.json").read_bytes()
    assert load_pairing(tmp_path, notices.append).known("t", 0)


def test_a_phone_that_cannot_be_kept_is_not_let_in(tmp_path: Path) -> None:
    """Nor is one forgotten that would be back after a restart: one line says why."""
    let_in(tmp_path, [])
    pairing = load_pairing(tmp_path, print)
    (phone,) = pairing.phones
    tmp_path.joinpath(FILE).unlink()
    tmp_path.rmdir()
    with pytest.raises(KeepError, match="nothing is changed"):
        pairing.forget(phone.id)
    assert (phone,) == pairing.phones
