"""The settings file changed: checked whole first, never lost, never over somebody else's change."""

import re
from pathlib import Path
from threading import Barrier, Thread

import pytest

from companion.devices.assembly import assemble
from companion.errors import BadInputError, Fault, SettingsError, StaleError
from companion.settings.file import SettingsFile
from companion.settings.schema import Settings
from tests.support.patience import PATIENCE_S

TEXT = "# ours\nteams = 3  # Anna, Bert, Cleo\n\n[strip]\nbudget_ma = 4000\n"


def settings_file(tmp_path: Path, text: str | None = TEXT) -> SettingsFile:
    """A settings file with this text, None for no file, checked as a table's is."""
    file = tmp_path / "cribwars.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    return SettingsFile(file, {"web": {"port": 0}}, check=assemble)


def test_a_change_is_written_and_read_again(tmp_path: Path) -> None:
    """With the comments, and in force with defaults and command line around it."""
    editor = settings_file(tmp_path)
    before = editor.read()
    after = editor.change({"teams": 2, "lights.calm": True}, before.stamp)
    expected = TEXT.replace("teams = 3", "teams = 2") + "\n[lights]\ncalm = true\n"
    assert expected == editor.file.read_text(encoding="utf-8")
    assert (2, True, 0) == (
        after.settings.teams,
        after.settings.lights.calm,
        after.settings.web.port,
    )
    assert after == editor.read()
    assert before.stamp != after.stamp


def test_a_new_board_has_no_file_yet(tmp_path: Path) -> None:
    """The first change makes it, with its folder."""
    editor = SettingsFile(tmp_path / "new" / "cribwars.toml", {}, check=assemble)
    editor.change({"strip.driver": "null"}, editor.read().stamp)
    assert '[strip]\ndriver = "null"\n' == editor.file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"teams": 4, "lights.calm": 1}, ["teams: cannot be 4", "lights.calm: cannot be 1"]),
        ({"strip.tpye": "x"}, ["strip.tpye: there is no such setting; did you mean 'strip.type'?"]),
        ({"rules.finish": "never", "players": 4}, ["rules.finish: ", "players: 4 players cannot"]),
        ({"board": "hill"}, ["hill"]),
        ({"wiring.per": "mile", "panel.pins.deal": 4}, ['wiring.per: cannot be "mile"', "deal"]),
    ],
)
def test_every_fault_is_reported_and_nothing_written(
    tmp_path: Path, changes: dict[str, object], words: list[str]
) -> None:
    """By the very checks of a start, a line each with file and key."""
    editor = settings_file(tmp_path)
    with pytest.raises(SettingsError) as refused:
        editor.change(changes, editor.read().stamp)
    for line, word in zip(map(str, refused.value.faults), words, strict=True):
        assert line.startswith(f"{editor.file}: ")
        assert word in line
    assert TEXT == editor.file.read_text(encoding="utf-8")
    assert [editor.file] == list(tmp_path.iterdir())


def test_a_change_by_an_editor_is_not_written_over(tmp_path: Path) -> None:
    """A change must be based on the file as it is."""
    editor = settings_file(tmp_path)
    stamp = editor.read().stamp
    editor.file.write_text("teams = 2\n", encoding="utf-8")
    words = f"{re.escape(str(editor.file))} was changed meanwhile: load the page again"
    with pytest.raises(StaleError, match=words):
        editor.change({"teams": 3}, stamp)
    assert "teams = 2\n" == editor.file.read_text(encoding="utf-8")
    editor.file.unlink()
    with pytest.raises(StaleError, match=words):
        editor.change({"teams": 3}, stamp)


def test_of_two_who_have_seen_the_same_one_wins(tmp_path: Path) -> None:
    """Two phones at once: the second is told, whichever it is."""
    editor = settings_file(tmp_path)
    stamp = editor.read().stamp
    both, reported = Barrier(2, timeout=PATIENCE_S), list[str]()

    def change(key: str) -> None:
        both.wait()
        try:
            editor.change({key: 30}, stamp)
        except StaleError:
            reported.append(key)

    keys = ("panel.bounce_ms", "panel.hold_ms")
    threads = [Thread(target=change, args=(key,)) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=PATIENCE_S)
    (late,) = reported
    settings = editor.read().settings
    assert {key: 30 for key in keys if key != late} == {
        key: settings.value(key) for key in keys if settings.was_set(key)
    }


@pytest.mark.parametrize("text", ["teams =\n", "bord = 1\n"])
def test_a_faulty_file_is_mended_by_hand(tmp_path: Path, text: str) -> None:
    """A file that an editor left broken is reported as at a start, and stays as it is."""
    editor = settings_file(tmp_path)
    editor.file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=r"is not TOML|did you mean 'board'"):
        editor.read()
    assert text == editor.file.read_text(encoding="utf-8")


def test_bytes_that_are_no_text_are_reported(tmp_path: Path) -> None:
    """One line, as at a start."""
    editor = settings_file(tmp_path)
    editor.file.write_bytes(b"board = '\xff'\n")
    with pytest.raises(SettingsError, match="is not UTF-8"):
        editor.read()


def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    """The folder's name and what to do; the file says what it said."""
    (tmp_path / "plain").write_text("", encoding="utf-8")
    editor = settings_file(tmp_path)
    editor.file.with_name(f".{editor.file.name}.new").mkdir()
    with pytest.raises(BadInputError, match=r"cannot be written \(Is a directory\), so it stays"):
        editor.change({"teams": 2}, editor.read().stamp)
    assert TEXT == editor.file.read_text(encoding="utf-8")
    with pytest.raises(BadInputError, match="cannot be read"):
        SettingsFile(tmp_path / "plain" / "cribwars.toml", {}, check=assemble).read()


def test_what_changes_nothing_writes_nothing(tmp_path: Path) -> None:
    """The file is the one that it was."""
    editor = settings_file(tmp_path)
    node = editor.file.stat().st_ino
    reading = editor.read()
    assert reading == editor.change({"teams": 3, "players": None}, reading.stamp)
    assert node == editor.file.stat().st_ino


def test_a_setting_that_nothing_can_be_made_of_is_refused(tmp_path: Path) -> None:
    """The check that was given has the last word before anything is written."""

    def check(settings: Settings) -> None:
        if settings.teams == 2:
            raise SettingsError(Fault(problem="two is none"))

    file = tmp_path / "cribwars.toml"
    editor = SettingsFile(file, {}, check=check)
    with pytest.raises(SettingsError, match="two is none"):
        editor.change({"lights.calm": True}, editor.read().stamp)
    assert not file.exists()
