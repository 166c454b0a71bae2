"""Safe start: after failed starts in a row the table runs without the part that they died of.

A start that died before its board was lit, or after the page answered, has its strip replaced by a
virtual one; one that died between the two has its buttons replaced by mock ones, and its strip
shows that something is wrong.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.devices.assembly import Assembly, assemble
from companion.errors import Fault, FaultsError, Message
from companion.runtime.failed_starts import Starts, StartStage
from companion.runtime.stored_message import restored
from companion.settings.last_good import LastGood
from companion.settings.load import read_settings
from companion.settings.schema import Settings
from companion.toml.document import parsed
from companion.toml.text import Value, toml_text

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


def safe_settings(
    file: Path | None, last_good: LastGood | None, options: Mapping[str, Value], failed: Starts
) -> tuple[Settings, Assembly]:
    """Return settings that a table can start with, and their parts.

    The settings file comes first, then the last good settings, then the defaults with the page's
    address of the file.

    Raises:
        FaultsError: the command line is at fault.
    """
    overrides = dict(options)
    if not has_mock_buttons(failed):
        overrides["strip"] = {"driver": _VIRTUAL}
    for text in _texts(file, last_good):
        with suppress(FaultsError):
            settings = read_settings(text, str(file), overrides)
            return settings, assemble(settings)
    settings = read_settings("", str(file), overrides)
    return settings, assemble(settings)


def _texts(file: Path | None, last_good: LastGood | None) -> list[str]:
    texts = []
    with suppress(OSError, UnicodeDecodeError):
        texts += [file.read_text(encoding="utf-8")] if file else []
    if last_good and last_good.text:
        texts.append(last_good.text)
    return [*texts, *map(_address, texts)]


def _address(text: str) -> str:
    """Return the settings of the page's address alone."""
    web = (parsed(text) or {}).get("web")
    host = web.get("host") if isinstance(web, dict) else None
    return f"[web]\nhost = {toml_text(host)}\n" if isinstance(host, str) else ""


def safety_fault(failed: Starts) -> Fault:
    """Return the fault with which a safe start plays on."""
    text = "safe start after {count} failed starts in a row ({reason}): {instead}"
    reason = restored(failed.reason) or _NO_REASON
    problem = Message(text, failed.count, reason, _INSTEAD[failed.stage])
    remedy = "mend that, then start the table again on Set-up, or pull the plug for a moment"
    return Fault(problem=problem, remedy=remedy)
