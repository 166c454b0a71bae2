"""The program, started on a journal that the disk cannot read."""

import shutil
from pathlib import Path

import pytest

from companion.journal.mirror import MIRROR
from companion.journal.store import FILE
from companion.rules.game import Peg
from tests.support.program import Program, running
from tests.support.spine import play_before

pytestmark = pytest.mark.program


def failing_reads(folder: Path, fault: str) -> tuple[str, ...]:
    """Return a tracer under which reads of a folder's journal fail."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("needs the package strace")
    files = [word for name in (FILE, f"{FILE}-wal") for word in ("-P", str(folder / name))]
    inject = ("-e", "trace=pread64", "-e", f"inject=pread64:{fault}")
    return (strace, "-D", "-f", "-qq", "-o", str(folder / "strace.log"), *inject, *files)


def played(tmp_path: Path) -> Path:
    """Return a data folder with a game in which side 1 has counted 5."""
    play_before(tmp_path / "data", Peg(side=1, points=5))
    return tmp_path / "data"


@pytest.mark.parametrize(
    "fault",
    [
        "error=EIO:when=1",
        "error=ENOMEM:when=1",
        "error=EIO:when=4",  # within SQLite's check, which calls it damage
        "retval=0:when=2",
    ],
)
def test_a_read_that_fails_once_does_not_cost_the_game(tmp_path: Path, fault: str) -> None:
    """The game goes on, and nothing is set aside."""
    data = played(tmp_path)
    with running(tmp_path, tracer=failing_reads(data, fault)) as program:
        assert program.ready.startswith("ready ")
        table = program.table()
        assert (1, 5) == (table["seq"], table["teams"]["1"]["front"])
        assert "journal" not in program.stderr
    assert "INJECTED" in (data / "strace.log").read_text()
    assert [] == list(data.glob("*-damaged*"))


@pytest.mark.parametrize("fault", ["error=EIO", "error=ENOMEM:when=4+", "retval=0"])
def test_a_disk_that_cannot_be_read_is_said_and_the_journal_left_alone(
    tmp_path: Path, fault: str
) -> None:
    """It exits 2 with a line of reason and remedy; no byte changes."""
    data = played(tmp_path)
    before = (data / FILE).read_bytes()
    with running(tmp_path, tracer=failing_reads(data, fault)) as program:
        assert (2, "") == program.ended()
        (line,) = (line for line in program.stderr.splitlines() if "mock panel" not in line)
    assert "cannot be read or written now" in line
    assert "see that the disk is sound" in line
    assert before == (data / FILE).read_bytes()
    assert [] == list(data.glob("*-damaged*"))


def test_a_journal_of_a_newer_program_is_refused_untouched(tmp_path: Path) -> None:
    """It exits 2 with a line that names the program to start."""
    data = played(tmp_path)
    for file in (MIRROR, FILE):
        content = bytearray((data / file).read_bytes())
        content[63] = 3  # the last byte of SQLite's user_version
        (data / file).write_bytes(content)
    with running(tmp_path) as program:
        assert (2, "") == program.ended()
        assert "its version is 3, this program reads 2): start the version" in program.stderr
    assert content == (data / FILE).read_bytes()


def count_without_a_folder(program: Program, data: Path) -> None:
    """Remove the data folder, and count further."""
    data.rename(data.with_name("away"))
    data.write_text("no folder")
    program.press("2.plus_five", "2.enter", "2.plus_one", "2.enter")
    program.until(3)


def test_what_could_not_be_saved_is_back_at_the_next_start(tmp_path: Path) -> None:
    """It is written to another folder within 2 seconds."""
    data = played(tmp_path)
    with running(tmp_path) as program:
        count_without_a_folder(program, data)
        assert (0, "") == program.stop()
        (file,) = (tmp_path / ".local" / "state" / "cribwars").iterdir()
        assert f"3 commands could not be saved in {data}: they are in {file}" in program.stderr
    data.unlink()
    data.with_name("away").rename(data)
    with running(tmp_path) as program:
        assert [5, 6] == [side["front"] for side in program.table()["teams"].values()]
        assert not file.exists()


def test_what_can_be_saved_nowhere_is_a_failure(tmp_path: Path) -> None:
    """It exits 1 with a line that has the number of lost commands."""
    data = played(tmp_path)
    with running(tmp_path, CACHE_DIRECTORY="/proc/none") as program:
        count_without_a_folder(program, data)
        assert (1, "") == program.stop()
        assert f"3 commands are lost: nothing can be written in {data}" in program.stderr
        assert "Traceback" not in program.stderr
