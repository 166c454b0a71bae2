"""Boot settings of one Raspberry Pi, from config.txt.

Sections with a condition that only the firmware knows (a display, a pin, a serial number) are
ignored; included files are not read.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hardware.pi.boards import PiBoard

_ON: Final = frozenset({"on", "yes", "true", "1", ""})
_MODEL: Final = re.compile(r"(pi|cm)\d|none$|board-type=")


@dataclass(frozen=True, slots=True, kw_only=True)
class Boot:
    """Settings of config.txt for one model; the last line with a name wins.

    `file` is the path of config.txt. `settings` has values by name. `parameters` has the
    values in `dtparam=` by name, and `overlays` has the value of each `dtoverlay=`.
    """

    file: str
    settings: Mapping[str, str]
    parameters: Mapping[str, str]
    overlays: tuple[str, ...]

    def number(self, name: str, default: int) -> int:
        try:
            return int(self.settings.get(name, ""), 0)
        except ValueError:
            return default

    def switched(self, parameter: str) -> bool | None:
        value = self.parameters.get(parameter)
        return None if value is None else value in _ON

    def loads(self, overlay: str) -> bool:
        return overlay in map(_overlay_name, self.overlays)


def parse_boot(text: str, *, file: str, board: PiBoard | None) -> Boot:
    """Parse the text of config.txt as this board reads it; None is an unknown board."""
    settings: dict[str, str] = {}
    parameters: dict[str, str] = {}
    overlays: list[str] = []
    scope = ""
    for name, value in _lines_for(board, text):
        if name == "dtoverlay":
            scope = _overlay_name(value)
            overlays += [value] if value else []
        elif name == "dtparam":
            parameters |= dict(_base_parameters(value, scope))
        else:
            settings[name] = value
    return Boot(
        file=file,
        settings=MappingProxyType(settings),
        parameters=MappingProxyType(parameters),
        overlays=tuple(overlays),
    )


def _overlay_name(line: str) -> str:
    return re.split("[,:]", line)[0]


def _lines_for(board: PiBoard | None, text: str) -> Iterator[tuple[str, str]]:
    this_model = others = True
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            condition = line[1:-1].strip().lower()
            if condition == "all":
                this_model = others = True
            elif _MODEL.match(condition):
                this_model = board is not None and _passes(board, condition)
            else:
                others = False
        elif this_model and others and not line.startswith("#"):
            name, equals, value = line.partition("=")
            if equals:
                yield name.strip(), value.strip()


def _passes(board: PiBoard, condition: str) -> bool:
    kind, _, number = condition.partition("board-type=")
    if kind or not number:
        return condition in board.filters
    try:
        return int(number, 0) == board.type
    except ValueError:
        return False


def _base_parameters(value: str, scope: str) -> Iterator[tuple[str, str]]:
    """Yield the board's parameters of a dtparam line; `scope` is the overlay above it, or ""."""
    for parameter in value.split(","):
        name, _, setting = parameter.partition("=")
        # Below a graphics overlay, "audio" is a parameter of this overlay: the sound of HDMI.
        if not (name == "audio" and scope.startswith("vc4-")):
            yield name.strip(), setting.strip()
