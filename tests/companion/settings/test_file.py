"""The page's own file is checked first, never lost, and never overwrites others' changes."""

import re
import tomllib
from pathlib import Path
from threading import Barrier, Thread

import pytest

from companion.devices.assembly import assemble
from companion.errors import BadInputError, Fault, SettingsError, StaleError, Text
from companion.settings.file import SettingsFile
from companion.settings.schema import Settings
from companion.settings.sources import flat, page_text
from companion.toml import Value
from tests.support.limits import TIMEOUT_S

TEXT = "# ours\nteams = 3  # Anna, Bert, Cleo\n\n[strip]\nbudget_ma = 4000\n"


def settings_file(tmp_path: Path, text: str | None = TEXT) -> SettingsFile:
    """Return the page's file beside a settings file with this text, with its checks."""
    file = tmp_path / "cribwars.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    return SettingsFile(file, {"web": {"port": 0}}, check=assemble)


def written(editor: SettingsFile) -> dict[str, object]:
    """Return the values in the page's file."""
    return tomllib.loads(editor.file.read_text(encoding="utf-8"))


def test_a_change_is_written_and_read_again(tmp_path: Path) -> None:
    """It is in a file of its own that says so; the user's file is unchanged."""
    editor = settings_file(tmp_path)
    before = editor.read()
    after = editor.change({"teams": 2, "lights.calm": True}, before.stamp)
    assert {"teams": 2, "lights": {"calm": True}} == written(editor)
    assert editor.file.read_text().startswith("# Written by the set-up page")
    assert TEXT == editor.by_hand.read_text(encoding="utf-8")
    used = after.settings
    assert (3, str(editor.file)) == (after.usual.teams, used.origins["teams"])
    assert (2, True, 0) == (used.teams, used.lights.calm, used.web.port)
    assert after == editor.read()
    assert before.stamp != after.stamp


def test_a_new_board_has_no_file_yet(tmp_path: Path) -> None:
    """The first change makes it, with its folder."""
    editor = SettingsFile(tmp_path / "new" / "cribwars.toml", {}, check=assemble)
    editor.change({"strip.driver": "null"}, editor.read().stamp)
    assert {"strip": {"driver": "null"}} == written(editor)


def test_what_is_taken_out_falls_back_to_the_file_written_by_hand(tmp_path: Path) -> None:
    """A single value does; of a table with own keys the page has a full copy."""
    editor = settings_file(tmp_path, 'teams = 3\n[names]\n1 = "Anna"\n2 = "Bert"\n')
    editor.change({"teams": 2, "names.1": None})
    assert {"teams": 2, "names": {"2": "Bert"}} == written(editor)
    after = editor.change({"teams": None, "names.2": None})
    assert (3, {}, {"names": {}}) == (after.settings.teams, after.settings.names, written(editor))
    assert {"1": "Anna", "2": "Bert"} == editor.change({"names": None}).settings.names


def test_what_is_written_reads_as_it_was() -> None:
    """This holds for any texts, lists and tables."""
    tables: list[dict[str, Value]] = [
        {"names": {"1": 'Zo\xeb "x" \\ \n', "a.b": "c"}},
        {"wiring": {"chains": [[{"row": "a", "reverse": True}], []], "dead": [[0, 3], [1, 2]]}},
        {"strip": {"white_balance": [1, 0.5, 1e-7], "fast": True}, "teams": 3, "rules": {}},
    ]
    for values in tables:
        assert values == tomllib.loads(page_text(flat(values), "cribwars.toml"))


def test_every_fault_is_reported_and_nothing_written(tmp_path: Path) -> None:
    """The checks of a start give a line for each, with file and key."""
    editor = settings_file(tmp_path)
    cases: list[tuple[dict[str, object], list[str]]] = [
        ({"teams": 4, "lights.calm": 1}, ["teams: cannot be 4", "lights.calm: cannot be 1"]),
        ({"strip.tpye": "x"}, ["strip.tpye: there is no such setting; did you mean 'strip.type'?"]),
        ({"rules.finish": "never", "players": 4}, ["rules.finish: ", "players: 4 players cannot"]),
        ({"board": "hill"}, ["hill"]),
        ({"wiring.per": "mile", "panel.pins.deal": 4}, ['wiring.per: cannot be "mile"', "deal"]),
    ]
    for changes, words in cases:
        with pytest.raises(SettingsError) as refused:
            editor.change(changes, editor.read().stamp)
        for line, word in zip(map(str, refused.value.faults), words, strict=True):
            assert line.startswith(f"{tmp_path}/")
            assert word in line
        assert [editor.by_hand] == list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["cribwars.toml", "settings-of-page.toml"])
def test_a_change_by_an_editor_is_not_written_over(tmp_path: Path, name: str) -> None:
    """A change must be based on the present content of both files."""
    editor = settings_file(tmp_path)
    stamp = editor.change({"lights.calm": True}).stamp
    (tmp_path / name).write_text("teams = 2\n", encoding="utf-8")
    before = editor.file.read_text(encoding="utf-8")
    words = f"{re.escape(str(editor.file))} has changed since this page was loaded"
    with pytest.raises(StaleError, match=words):
        editor.change({"teams": 3}, stamp)
    assert before == editor.file.read_text(encoding="utf-8")


def test_of_two_who_have_seen_the_same_one_wins(tmp_path: Path) -> None:
    """Of two phones at once the second gets a refusal."""
    editor = settings_file(tmp_path)
    stamp = editor.read().stamp
    both, reported = Barrier(2, timeout=TIMEOUT_S), list[str]()

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
        thread.join(timeout=TIMEOUT_S)
    (late,) = reported
    settings = editor.read().settings
    assert {key: 30 for key in keys if key != late} == {
        key: settings.value(key) for key in keys if settings.was_set(key)
    }


def test_faulty_values_are_left_out_and_reported(tmp_path: Path) -> None:
    """So the page can be used; a change writes the valid ones to its own file."""
    editor = settings_file(tmp_path, "teams = 9\n[names]\n1 = 'Anna'\n")
    editor.file.write_text("[panel]\nhold_ms = 7\nbounce_ms = -1\n", encoding="utf-8")
    reading = editor.read()
    used = reading.settings
    assert ["teams", "panel.bounce_ms"] == [fault.key for fault in reading.faults]
    assert (2, "Anna", 7) == (used.teams, used.names["1"], used.panel.hold_ms)
    editor.change({"players": 4}, reading.stamp)
    assert {"panel": {"hold_ms": 7}, "players": 4} == written(editor)
    with pytest.raises(SettingsError, match="teams: cannot be 9"):
        editor.load()


def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    """The error has folder and remedy; the file is unchanged."""
    editor = settings_file(tmp_path)
    editor.file.with_name(f".{editor.file.name}.new").mkdir()
    with pytest.raises(BadInputError, match=r"cannot be written \(Is a directory\), so it stays"):
        editor.change({"teams": 2}, editor.read().stamp)
    assert not editor.file.exists()
    editor.file.mkdir()
    with pytest.raises(BadInputError, match="cannot be read"):
        editor.read()


def test_what_changes_nothing_writes_nothing(tmp_path: Path) -> None:
    """The file is the same one as before."""
    editor = settings_file(tmp_path)
    reading = editor.read()
    assert reading == editor.change({"players": None, "names.1": None}, reading.stamp)
    reading = editor.change({"teams": 2})
    node = editor.file.stat().st_ino
    assert reading == editor.change({"teams": 2, "players": None}, reading.stamp)
    assert node == editor.file.stat().st_ino


def test_a_setting_that_nothing_can_be_made_of_is_refused(tmp_path: Path) -> None:
    """The given check has the last word before anything is written."""

    def check(settings: Settings) -> None:
        if settings.teams == 2:
            raise SettingsError(Fault(problem=Text("two is none")))

    file = tmp_path / "cribwars.toml"
    editor = SettingsFile(file, {}, check=check)
    with pytest.raises(SettingsError, match="two is none"):
        editor.change({"lights.calm": True}, editor.read().stamp)
    assert [] == list(tmp_path.iterdir())
