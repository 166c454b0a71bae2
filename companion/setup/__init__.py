"""Setting the board up from the page: settings described, changed in their file, asked for."""

from companion.setup.changing import changed, split_key
from companion.setup.describing import Described, describe
from companion.setup.faults import faulty_key
from companion.setup.settings_file import SettingsFile
from companion.setup.wizard import STEPS, Step, colour_warnings, first_run, wiring_changes

__all__ = [
    "STEPS",
    "Described",
    "SettingsFile",
    "Step",
    "changed",
    "colour_warnings",
    "describe",
    "faulty_key",
    "first_run",
    "split_key",
    "wiring_changes",
]
