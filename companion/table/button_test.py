"""Test of the buttons and lamps, begun by Mode held at power-on: a press lights its own part."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from companion.lights.scene.view import ButtonTestView

BUTTON_TEST_IDLE_S: Final = 30.0  # seconds without a press after which the test ends


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonTest:
    """A test of buttons; `last` is the time of its last press or of its beginning."""

    last: float
    view: ButtonTestView = field(default_factory=ButtonTestView)

    def change(self, action: str, *, down: bool, t: float) -> ButtonTest:
        if not down:
            return replace(self, view=replace(self.view, down=self.view.down - {action}))
        pressed, held = self.view.pressed | {action}, self.view.down | {action}
        return replace(self, last=t, view=ButtonTestView(pressed=pressed, down=held))

    @property
    def end(self) -> float:
        return self.last + BUTTON_TEST_IDLE_S
