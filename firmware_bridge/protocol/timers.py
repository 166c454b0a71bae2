"""What the host says in each state, how often, and how long it waits. No clock of its own."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

from firmware_bridge.protocol.framing import Frame
from firmware_bridge.protocol.messages import BoardSetup, Type, hello, setup
from firmware_bridge.protocol.states import State

_SEQUENCES: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """What is said in a state, again after `every` seconds, and how long that may go on."""

    says: Type
    every: float
    patience: float


PHASES: Final = {
    State.GREETING: Phase(says=Type.HELLO, every=0.25, patience=5.0),
    State.SETTING_UP: Phase(says=Type.SETUP, every=0.25, patience=5.0),
    State.RUNNING: Phase(says=Type.PING, every=0.5, patience=2.0),
    State.CLOSING: Phase(says=Type.BYE, every=0.1, patience=0.5),
}
"""The states in which there is somebody to talk to."""


class Words:
    """Says the words of the phases, none more often than its phase allows, whatever happens."""

    def __init__(self, *, session: int, wanted: BoardSetup) -> None:
        self._session = session
        self._wanted = wanted
        self._sequence = 0
        self._said_at: dict[Type, float] = {}

    def due(self, state: State) -> float:
        """When the next word of a state is due: -inf for at once, inf if it has none."""
        phase = PHASES.get(state)
        return inf if phase is None else self._said_at.get(phase.says, -inf) + phase.every

    def say(self, state: State, *, boot: int, now: float) -> list[Frame]:
        """The word of a state, if it is due; `boot` is that of the board as far as known."""
        if now < self.due(state):
            return []
        says = PHASES[state].says
        self._said_at[says] = now
        sequence, self._sequence = self._sequence, (self._sequence + 1) % _SEQUENCES
        if says is Type.HELLO:
            return [hello(sequence, session=self._session)]
        if says is Type.SETUP:
            return [setup(sequence, boot=boot, wanted=self._wanted)]
        return [Frame(type=says, sequence=sequence)]

    def begin_anew(self) -> None:
        """Nothing has been said yet: the port is another one."""
        self._said_at.clear()
