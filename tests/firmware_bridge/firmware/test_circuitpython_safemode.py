"""safemode.py restarts a board that crashed, but not one that was stopped on purpose."""

import re
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

from tests.support.circuitpython_machine import FIRMWARE

STAYS = {
    "USER",
    "PROGRAMMATIC",
    "NO_CIRCUITPY",
    "SAFE_MODE_PY_ERROR",
    "USB_TOO_MANY_ENDPOINTS",
    "USB_TOO_MANY_INTERFACE_NAMES",
    "USB_BOOT_DEVICE_NOT_INTERFACE_ZERO",
}


def reasons() -> set[str]:
    """Return CircuitPython's names of the reasons for safe mode."""
    spec = find_spec("supervisor-stubs")
    assert spec is not None
    assert spec.submodule_search_locations
    stub = Path(next(iter(spec.submodule_search_locations))) / "__init__.pyi"
    (body,) = re.findall(r"class SafeModeReason:(.*?)\nclass ", stub.read_text(), re.DOTALL)
    return set(re.findall(r"^    ([A-Z_]+): object", body, re.MULTILINE)) - {"NONE"}


def restarts(reason: str) -> bool:
    """Run safemode.py; return True if it resets the board."""
    resets: list[bool] = []
    modules = {
        "time": SimpleNamespace(sleep=lambda _seconds: None),
        "microcontroller": SimpleNamespace(reset=lambda: resets.append(True)),
        "supervisor": SimpleNamespace(
            runtime=SimpleNamespace(safe_mode_reason=f"supervisor.SafeModeReason.{reason}")
        ),
    }
    names = {"__import__": lambda name, *_: modules[name], "str": str}
    exec((FIRMWARE / "safemode.py").read_text(), {"__builtins__": names})  # noqa: S102  # it is ours
    return bool(resets)


def test_a_crash_is_followed_by_a_restart() -> None:
    """Hard fault, watchdog and brownout restart; a person or a bad drive do not."""
    assert {"HARD_FAULT", "WATCHDOG", "BROWNOUT", "STACK_OVERFLOW", "USER"} <= reasons()
    assert STAYS == {reason for reason in reasons() | STAYS if not restarts(reason)}
