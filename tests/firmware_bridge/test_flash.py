"""Boards to be flashed: Arduinos by their USB entries, drives of boards with CircuitPython."""

from pathlib import Path

import pytest

from firmware_bridge.connection.discovery import BoardPort, data_ports
from firmware_bridge.errors import FlashError
from firmware_bridge.flash import (
    AVR_BOARDS,
    BAUDS,
    copy_firmware,
    find_drives,
    firmware_files,
    image_of,
    kind_of,
    may_be_avr,
)


def a_drive(folder: Path) -> Path:
    """Return a drive in a folder."""
    folder.mkdir(parents=True)
    (folder / "boot_out.txt").touch()
    return folder


def test_where_systems_mount_drives(tmp_path: Path) -> None:
    """A drive has this name and the files of CircuitPython; else there is none."""
    for number, place in enumerate(("media/me", "run/media/me", "media", "Volumes")):
        root = tmp_path / str(number)
        (root / "media" / "you" / "CIRCUITPY").mkdir(parents=True)
        assert [] == find_drives(root)
        assert [a_drive(root / place / "CIRCUITPY")] == find_drives(root)


def test_what_is_mounted_elsewhere(tmp_path: Path) -> None:
    """The kernel's list is used, with its form of blanks, and each drive once."""
    drive = a_drive(tmp_path / "mnt" / "my boards" / "CIRCUITPY")
    a_drive(tmp_path / "media" / "me" / "CIRCUITPY")
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "mounts").write_text(
        "/dev/sda1 / ext4 rw 0 0\n"
        "/dev/sdb1 /mnt/my\\040boards/CIRCUITPY vfat rw 0 0\n"
        "/dev/sdc1 /media/me/CIRCUITPY vfat rw 0 0\n"
    )
    assert {drive, tmp_path / "media" / "me" / "CIRCUITPY"} == set(find_drives(tmp_path))
    assert 2 == len(find_drives(tmp_path))


def test_the_program_comes_behind_what_it_imports() -> None:
    """code.py comes last, as each file restarts it, except boot.py, which waits."""
    names = list(firmware_files())
    assert ["code.py", "boot.py"] == names[-2:]
    assert all(name.startswith("lib/") for name in names[:-3])
    assert "safemode.py" == names[-3]


def test_only_what_differs_is_written(tmp_path: Path) -> None:
    """Equal files are not written, as a drive wears out."""
    files = {"lib/a.py": b"a", "code.py": b"code"}
    assert ["lib/a.py", "code.py"] == copy_firmware(tmp_path, files)
    assert [] == copy_firmware(tmp_path, files)
    assert ["code.py"] == copy_firmware(tmp_path, files | {"code.py": b"other"})
    assert {b"a", b"other"} == {f.read_bytes() for f in tmp_path.rglob("*") if f.is_file()}


def test_without_room_for_two_a_file_is_written_in_place(tmp_path: Path) -> None:
    """The old file is overwritten."""
    (tmp_path / "code.py").write_bytes(b"old")
    (tmp_path / "code.py.new").mkdir()  # nothing can be written there
    assert ["code.py"] == copy_firmware(tmp_path, {"code.py": b"new"})
    assert b"new" == (tmp_path / "code.py").read_bytes()


def test_a_drive_that_cannot_be_written(tmp_path: Path) -> None:
    """One line has the reason and the remedy."""
    (tmp_path / "lib").write_text("a file where a folder should be")
    with pytest.raises(FlashError, match=r"cannot be written .*; check that it has room"):
        copy_firmware(tmp_path, {"lib/a.py": b"a"})


def test_a_drive_that_forgets(tmp_path: Path) -> None:
    """A file that reads back differently is named."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "other").symlink_to("lib")
    with pytest.raises(FlashError, match=r"reads back other data than was written \(lib/a.py\)"):
        copy_firmware(tmp_path, {"lib/a.py": b"a", "other/a.py": b"b"})


# Arduinos


def test_the_kind_of_a_board_by_its_usb_product() -> None:
    """An Uno and a Mega are named; behind an adapter it may be any of them."""
    kinds: dict[tuple[int | None, int | None], tuple[str | None, bool]] = {
        (0x2341, 0x0043): ("uno", True),
        (0x2A03, 0x0042): ("mega", True),
        (0x1A86, 0x7523): (None, True),
        (0x2341, 0x8036): (None, True),
        (0x239A, 0x80F4): (None, False),
        (0x2E8A, 0x0005): (None, False),
        (None, None): (None, False),
    }
    ports = {ids: BoardPort(device="/dev/x", vendor=ids[0], product=ids[1]) for ids in kinds}
    assert kinds == {ids: (kind_of(port), may_be_avr(port)) for ids, port in ports.items()}


def test_there_is_an_image_for_each() -> None:
    """The package has them."""
    images = [image_of(kind, baud) for kind in AVR_BOARDS for baud in BAUDS]
    assert [] == [image for image in images if not image.read_text().startswith(":10")]


def test_the_data_port_of_a_board_is_none_of_its_consoles() -> None:
    """CircuitPython has names for its two ports."""
    console, data = (
        BoardPort(device=f"/dev/ttyACM{n}", vendor=0x239A, interface=f"CircuitPython {name}")
        for n, name in enumerate(("CDC control", "CDC2 control"))
    )
    assert [data] == data_ports([console, data, BoardPort(device="/dev/ttyS0")])
