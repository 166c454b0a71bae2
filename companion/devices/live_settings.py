"""The settings in force while a table runs; some of them act at once when they are changed.

A change replaces the whole value `LiveSettings.now`. Most parts read it when they begin something,
such as a game of cards or a demo; parts that always show something subscribe to `changed`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.devices.assembly import Assembly, assemble
from companion.lights.colour.palette import side_names
from companion.settings.schema import Settings
from companion.signals import Signal


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InForce:
    """Settings in force with the parts made from them; `number` rises with each change."""

    settings: Settings
    assembly: Assembly
    number: int = 0

    @property
    def names(self) -> Mapping[int, str]:
        return side_names(self.settings.names, self.assembly.light.palette)

    @property
    def colours(self) -> Mapping[str, str]:
        """Colours of the sides, as `#rrggbb` by number."""
        return {str(side): colour for side, colour in self.assembly.light.palette.sides.items()}


class LiveSettings:
    """Holder of the settings in force of a running table, for its event loop.

    After each change, `changed` notifies its subscribers with the settings before the change.
    """

    def __init__(self, settings: Settings, assembly: Assembly) -> None:
        self.now = InForce(settings=settings, assembly=assembly)
        self.changed = Signal()

    def after(self, settings: Settings) -> InForce:
        """Return the settings in force, with the values of `settings` that act at once.

        Any thread may call this method, because lights take a moment to build. `settings` must be
        sound.
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
