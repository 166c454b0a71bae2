"""Paths of settings and journal: those of the machine, else the usual ones of a home."""

import os
import pwd
from pathlib import Path

import pytest

from companion.errors import SettingsError
from companion.settings.paths import data_folder, settings_in_force, settings_path, spare_folders
from tests.support.program import OWN_VARIABLES, Ask, ask, assert_refused

__all__ = ["ask"]


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Set a home without other places."""
    for name in OWN_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def write(folder: Path, text: str) -> Path:
    """Write a settings file in its usual place below a folder."""
    (folder / "cribwars").mkdir(parents=True)
    file = folder / "cribwars" / "cribwars.toml"
    file.write_text(text)
    return file


def test_without_a_file_all_is_default(home: Path) -> None:
    """A home without settings is valid."""
    assert 2 == settings_in_force(None, {}).teams
    assert [] == list(home.iterdir())


def test_the_usual_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file of the home or of XDG_CONFIG_HOME is read, and the command line overrides it."""
    file = write(home / ".config", "teams = 3\nplayers = 6\n")
    settings = settings_in_force(None, {"players": 3})
    assert (3, 3) == (settings.teams, settings.seats)
    assert f"{file}, command line" == settings.where("")
    write(home / "elsewhere", "teams = 3\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "elsewhere"))
    elsewhere = settings_in_force(None, {})
    assert (3, 3) == (elsewhere.teams, elsewhere.seats)


def test_a_file_that_is_given(home: Path) -> None:
    """A named file replaces the usual one, and must exist."""
    write(home / ".config", "teams = 3\n")
    named = home / "given.toml"
    with pytest.raises(SettingsError, match="cannot be read"):
        settings_in_force(named, {})
    named.write_text("")
    assert 2 == settings_in_force(named, {}).teams


def test_without_a_home_all_is_default(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a home in the environment or the system only the journal needs a place."""

    def unknown(_user: int) -> None:
        raise KeyError("no such user")

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    config = ask("config")
    assert (0, "", True) == (config.code, config.err, "teams = 2  # default" in config.out)
    words = "there is no home folder to keep the games in: set HOME, or give --data"
    assert_refused(ask("doctor"), words)


def test_a_file_that_cannot_be_reached_is_reported(home: Path) -> None:
    """No default behind the user's back, as where sudo -u leaves HOME as it was.

    A link to itself keeps everybody out, root too, in a checkout of whatever mode.
    """
    file = write(home / ".config", "")
    file.unlink()
    file.symlink_to(file)
    with pytest.raises(SettingsError) as refused:
        settings_in_force(None, {})
    (fault,) = refused.value.faults
    assert str(file) == fault.file
    assert str(fault.problem).startswith("cannot be read (")


def test_where_the_journal_lies(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in the home, but a service's first state directory has precedence."""
    assert home / ".local" / "share" / "cribwars" == data_folder()
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    assert home / "data" / "cribwars" == data_folder()
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/cribwars:/var/lib/other")
    assert Path("/var/lib/cribwars") == data_folder()


def test_where_counts_go_that_cannot_be_saved(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The home precedes temporary folders; a service uses those of systemd."""
    assert home / ".local" / "state" / "cribwars" == spare_folders()[0]
    assert Path(f"/var/tmp/cribwars-{os.geteuid()}") == spare_folders()[1]  # noqa: S108  # as it is
    monkeypatch.setenv("CACHE_DIRECTORY", "/var/cache/cribwars")
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/cribwars:/run/other")
    assert [Path("/var/cache/cribwars"), Path("/run/cribwars")] == spare_folders()


def test_where_settings_would_be_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file need not exist; without a possible folder there is none."""
    assert home / ".config" / "cribwars" / "cribwars.toml" == settings_path()
    assert [] == list(home.iterdir())
    (home / "file").write_text("")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "file"))
    assert settings_path() is None
