"""The settings of the last start that reached `ready`: kept, and put back without loss."""

from pathlib import Path

import pytest

from companion.settings.last_good import LastGood

GOOD, BAD = "teams = 3\n", 'board = "hill"\n'


def last_good_of(tmp_path: Path) -> LastGood:
    """Last good settings that are kept, while the file says something else."""
    file = tmp_path / "cribwars.toml"
    file.write_text(GOOD)
    last_good = LastGood(file, tmp_path)
    file.write_text(BAD)
    last_good.keep()
    return last_good


def test_what_a_start_began_with_is_kept(tmp_path: Path) -> None:
    """Not what the file says by the time that it is ready."""
    assert GOOD == last_good_of(tmp_path).text


def test_a_change_that_acts_without_a_start_is_kept(tmp_path: Path) -> None:
    """So a later start that fails does not go back to the names of last year."""
    last_good = last_good_of(tmp_path)
    last_good.file.write_text(f"{GOOD}[names]\n1 = 'Anna'\n")
    last_good.keep_changed()
    assert last_good.file.read_text() == last_good.text


def test_another_file_has_no_last_good_settings(tmp_path: Path) -> None:
    """The copy belongs to the file that it was made of."""
    last_good_of(tmp_path)
    assert LastGood(tmp_path / "other.toml", tmp_path).text is None


def test_a_copy_that_says_the_same_is_not_written_again(tmp_path: Path) -> None:
    """A start without a change spares the card."""
    last_good = last_good_of(tmp_path)
    node = last_good.copy.stat().st_ino
    last_good.keep()
    assert node == last_good.copy.stat().st_ino


def test_rejected_settings_lie_beside_the_file(tmp_path: Path) -> None:
    """Each under a name of its own, however often it happens."""
    last_good = last_good_of(tmp_path)
    for name in ("cribwars.toml.rejected", "cribwars.toml.rejected-2"):
        last_good.file.write_text(BAD)
        aside = last_good.restore()
        assert (tmp_path / name, GOOD) == (aside, last_good.file.read_text())
        assert BAD == (tmp_path / name).read_text()


def test_without_other_settings_there_is_no_way_back(tmp_path: Path) -> None:
    """Neither to those that the file has, nor to none that were ever kept."""
    last_good = last_good_of(tmp_path)
    last_good.file.write_text(GOOD)
    assert last_good.restore() is None
    last_good.copy.unlink()
    assert last_good.restore() is None
    assert [last_good.file] == list(tmp_path.iterdir())


def test_a_table_without_a_file_goes_back_to_the_defaults(tmp_path: Path) -> None:
    """A new board whose first settings fail."""
    file = tmp_path / "cribwars.toml"
    LastGood(file, tmp_path).keep()
    file.write_text(BAD)
    assert LastGood(file, tmp_path).restore() is not None
    assert "" == file.read_text()


def test_a_file_that_cannot_be_read_is_not_written_over(tmp_path: Path) -> None:
    """Nothing is lost: the way back is closed instead."""
    last_good = last_good_of(tmp_path)
    last_good.file.unlink()
    last_good.file.mkdir()
    with pytest.raises(IsADirectoryError):
        last_good.restore()
    assert last_good.file.is_dir()
