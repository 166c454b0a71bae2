"""The settings in force while a table runs; changes of some of them act at once.

`LiveSettings.now` is replaced whole and never changed. A part reads it when it begins something,
such as a game of cards or a demo; a part that shows something all the time listens.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.devices.assembly import Assembly, assemble
from companion.lights.colour.palette import side_names
from companion.settings.schema import Settings
from companion.signals import Signal


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InForce:
    """Settings in force with the parts that follow from them; `number` rises with each change."""

    settings: Settings
    assembly: Assembly
    number: int = 0

    @property
    def names(self) -> Mapping[int, str]:
        return side_names(self.settings.names, self.assembly.light.palette)

    @property
    def colours(self) -> Mapping[str, str]:
        """Colours of the sides, as `#rrggbb` by number."""
        return {str(side): colour for side, colour in self.assembly.light.palette.sides}

    @property
    def language(self) -> str:
        return self.settings.language

    @property
    def calm(self) -> bool:
        return self.settings.lights.calm

    @property
    def speed(self) -> float:
        return self.settings.lights.speed


class LiveSettings:
    """The settings in force of a running table, for its event loop.

    `changed` delivers after each change the settings that were in force before it.
    """

    def __init__(self, settings: Settings, assembly: Assembly) -> None:
        self.now = InForce(settings=settings, assembly=assembly)
        self.changed = Signal()

    def after(self, settings: Settings) -> InForce:
        """Return the settings in force with the changes that act at once.

        May be called in any thread, as lights take a moment to build. The settings must be sound.
        """
        now = self.now
        live = now.settings.with_live(settings)
        if live == now.settings:
            return now
        return InForce(settings=live, assembly=assemble(live), number=now.number + 1)

    def take_over(self, changed: InForce) -> None:
        before, self.now = self.now, changed
        if changed is not before:
            self.changed.notify(before)
