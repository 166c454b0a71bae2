"""Usual places of the settings file and the journal."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from companion.errors import BadInputError
from companion.settings.load import load_settings
from companion.settings.schema import Settings
from companion.toml import Value

_TEMPORARY: Final = ("/var/tmp", "/tmp", "/dev/shm")  # noqa: S108  # we make a folder there


def settings_in_force(file: Path | None, command_line: Mapping[str, Value]) -> Settings:
    """Load the settings from `file` or the usual file, and from the set-up page's file beside it.

    Raises:
        SettingsError: every fault of both files, a line each.
    """
    return load_settings(file or settings_path(), command_line, required=file is not None)


def settings_path() -> Path | None:
    """Return the path of the settings file in the user's home; None if it cannot be there."""
    folder = _folder("XDG_CONFIG_HOME", ".config")
    if folder is None:
        return None
    around = next((parent for parent in folder.parents if parent.exists()), None)
    return folder / "cribwars.toml" if around and around.is_dir() else None


def data_folder() -> Path:
    """Return the data folder: the one that systemd names, or else the usual one in the user's home.

    Raises:
        BadInputError: systemd names no folder, and the user has no home.
    """
    state = os.environ.get("STATE_DIRECTORY")
    folder = Path(state.partition(":")[0]) if state else _folder("XDG_DATA_HOME", ".local/share")
    if folder is None:
        raise BadInputError(
            "there is no home folder to keep the games in: set HOME, or give --data"
        )
    return folder


def sticks_folder() -> Path | None:
    """Return the folder in which the service finds USB sticks mounted; None outside a service."""
    folder = os.environ.get("CRIBWARS_STICKS")
    return Path(folder) if folder else None


def runtime_folder() -> Path | None:
    """Return the folder that systemd gives a running service; None outside a service."""
    folder = os.environ.get("RUNTIME_DIRECTORY")
    return Path(folder.partition(":")[0]) if folder else None


def spare_folders() -> list[Path]:
    """Return the folders for counts that cannot be saved in the data folder, the best first.

    A service uses only folders of systemd, as temporary folders may vanish when a service stops.
    """
    named = (os.environ.get(name) for name in ("CACHE_DIRECTORY", "RUNTIME_DIRECTORY"))
    if of_service := [Path(folders.partition(":")[0]) for folders in named if folders]:
        return of_service
    state = _folder("XDG_STATE_HOME", ".local/state")
    temporary = (Path(folder) / f"cribwars-{os.geteuid()}" for folder in _TEMPORARY)
    return [*filter(None, [state]), *temporary]


def _folder(variable: str, in_home: str) -> Path | None:
    """Return `cribwars` in the folder that `variable` names, or else in the home's `in_home`."""
    if named := os.environ.get(variable):
        return Path(named) / "cribwars"
    try:
        return Path.home() / in_home / "cribwars"
    except RuntimeError:
        return None
