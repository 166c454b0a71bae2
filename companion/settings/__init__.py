"""Settings: loaded, checked, described for the page, and changed in their file."""

from companion.settings.describe import Described, describe
from companion.settings.edit import changed
from companion.settings.file import Proposal, SettingsFile
from companion.settings.first_run import STEPS, Step, first_run, wiring_changes
from companion.settings.last_good import LastGood, Rejected
from companion.settings.schema import setting_of, split_key

__all__ = [
    "STEPS",
    "Described",
    "LastGood",
    "Proposal",
    "Rejected",
    "SettingsFile",
    "Step",
    "changed",
    "describe",
    "first_run",
    "setting_of",
    "split_key",
    "wiring_changes",
]
