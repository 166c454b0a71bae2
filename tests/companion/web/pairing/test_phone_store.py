"""The file with the phones that were let in."""

from pathlib import Path

import pytest

from companion.errors import Text
from companion.files import RETRY_WAITS_S
from companion.web.pairing.pairing import FILE, StoreError, load_pairing


def let_in(folder: Path | None, notices: list[Text]) -> None:
    """Let a phone in, whose token is "t"."""
    pairing = load_pairing(folder, notices.append)
    pairing.let_in("Anna", "run", token="t", since=0)  # a test's token


def test_a_phone_is_known_after_a_restart(tmp_path: Path) -> None:
    """Its token identifies it."""
    notices: list[Text] = []
    let_in(tmp_path, notices)
    phone = load_pairing(tmp_path, notices.append).find("t")
    assert phone
    assert ("Anna", []) == (phone.name, notices)


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    """A demo lets phones in only while it runs."""
    let_in(None, [])
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"phones": 1}', b'{"spies": []}'])
def test_a_damaged_file_is_put_aside(tmp_path: Path, content: bytes) -> None:
    """The table starts and says so; phones are let in again, and the file is kept."""
    (tmp_path / FILE).write_bytes(content)
    notices: list[Text] = []
    let_in(tmp_path, notices)
    (notice,) = notices
    assert "let the phones in again" in str(notice)
    assert content == (tmp_path / "phones.damaged.json").read_bytes()
    assert load_pairing(tmp_path, notices.append).find("t")


def test_a_turned_bit_is_noticed(tmp_path: Path) -> None:
    """A name that is still readable is not trusted."""
    notices: list[Text] = []
    let_in(tmp_path, notices)
    content = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(content.replace(b"Anna", b"Anoa"))
    assert not load_pairing(tmp_path, notices.append).phones
    assert "its checksum is wrong" in str(notices[0])


def test_what_was_put_aside_is_not_overwritten(tmp_path: Path) -> None:
    """Each file that is put aside gets a name of its own."""
    for content in (b"1", b"2"):
        (tmp_path / FILE).write_bytes(content)
        load_pairing(tmp_path, lambda _: None)
    names = "phones.damaged.json", "phones.damaged-2.json"
    assert [b"1", b"2"] == [(tmp_path / name).read_bytes() for name in names]


@pytest.mark.parametrize("failures", [3, 4])
def test_a_file_that_cannot_be_read_is_tried_again_and_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    """If it stays so, phones only watch, as others would be lost."""
    let_in(tmp_path, [])
    content, waits = (tmp_path / FILE).read_bytes(), list[float]()
    read = Path.read_bytes

    def read_bytes(file: Path) -> bytes:
        if len(waits) < failures:
            raise OSError(5, "Input/output error")
        return read(file)

    notices: list[Text] = []
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", read_bytes)
        pairing = load_pairing(tmp_path, notices.append, wait=waits.append)
    assert list(RETRY_WAITS_S) == waits
    if failures == len(waits):
        assert (True, []) == (bool(pairing.find("t")), notices)
        return
    assert ["until then phones only watch"] == [str(notice).split("; ")[-1] for notice in notices]
    with pytest.raises(StoreError, match="stays as it is"):
        pairing.let_in("Bert", "run", token="u", since=0)  # a test's token
    assert content == (tmp_path / FILE).read_bytes()


def test_a_phone_that_cannot_be_kept_is_not_let_in(tmp_path: Path) -> None:
    """A phone that a restart would bring back is not forgotten; a line says why."""
    let_in(tmp_path, [])
    pairing = load_pairing(tmp_path, print)
    (phone,) = pairing.phones
    tmp_path.joinpath(FILE).unlink()
    tmp_path.rmdir()
    with pytest.raises(StoreError, match="nothing is changed"):
        pairing.forget(phone.id)
    assert (phone,) == pairing.phones
