"""Settings of a running table. Some of them take effect at once when they are changed.

Each change replaces `LiveSettings.now`, which each new card game or demo reads at its beginning.
Parts that run all the time, such as the lights, subscribe to `changed`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.devices.assembly import Assembly, assemble
from companion.lights.palette import side_names
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
    """Holder of a running table's settings; use it in the event loop.

    After each change, `changed` notifies its subscribers with the previous settings.
    """

    def __init__(self, settings: Settings, assembly: Assembly) -> None:
        self.now = InForce(settings=settings, assembly=assembly)
        self.changed = Signal()

    def after(self, settings: Settings) -> InForce:
        """Return the settings in force, with the values from `settings` that take effect at once.

        `settings` must have no faults. The call builds lights, which is slow; any thread may do it.
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
