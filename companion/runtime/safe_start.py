"""Safe start: after failed starts in a row the table runs without the part that they died of.

A start that died before its board was lit, or after the page answered, has its strip replaced by a
virtual one; one that died between the two has its buttons replaced by mock ones, and its strip
shows that something is wrong.
"""

from collections.abc import Mapping
from typing import Final

from companion.errors import Fault, Text
from companion.runtime.failed_starts import Starts, StartStage
from companion.stored_message import restored
from companion.toml.text import Value

_VIRTUAL: Final = "virtual"
_INSTEAD: Final = {
    StartStage.BEGUN: "the lights are on the page only",
    StartStage.LIT: "the buttons are on the page only",
    StartStage.READY: "the lights are on the page only",
}
_NO_REASON: Final = "the log has the reason"


def has_mock_buttons(failed: Starts) -> bool:
    """Return True if a safe start leaves the real buttons alone."""
    return failed.stage is StartStage.LIT


def safe_options(options: Mapping[str, Value], failed: Starts) -> Mapping[str, Value]:
    """Return the options of the command line for a safe start."""
    if has_mock_buttons(failed):
        return options
    return {**options, "strip": {"driver": _VIRTUAL}}


def safety_fault(failed: Starts) -> Fault:
    """Return the fault with which a safe start plays on."""
    text = "safe start after {count} failed starts in a row ({reason}): {instead}"
    reason = restored(failed.reason) or _NO_REASON
    problem = Text(text, count=failed.count, reason=reason, instead=_INSTEAD[failed.stage])
    remedy = "mend that, then start the table again on Set-up, or pull the plug for a moment"
    return Fault(problem=problem, remedy=remedy)
