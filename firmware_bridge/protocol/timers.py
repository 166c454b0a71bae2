"""Timing of a link: the message that each state repeats, its interval and the timeout."""

from dataclasses import dataclass
from math import inf
from typing import Final

from firmware_bridge.protocol.framing import Frame
from firmware_bridge.protocol.messages import BoardSetup, Type, hello, setup
from firmware_bridge.protocol.states import State

HELLO_INTERVAL_S: Final = 0.25

UART_BYTE_S: Final = 10 / 500_000
"""Time of a byte at 500,000 baud: eight bits, start and stop."""

_SEQUENCES: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class StateTiming:
    """Timing of a state: the message that it repeats, the interval, and the timeout."""

    message: Type
    interval_s: float
    timeout_s: float


TIMINGS: Final = {  # without IDLE, LOST, REFUSED, CLOSED
    State.GREETING: StateTiming(message=Type.HELLO, interval_s=HELLO_INTERVAL_S, timeout_s=5.0),
    State.SETTING_UP: StateTiming(message=Type.SETUP, interval_s=0.25, timeout_s=5.0),
    State.RUNNING: StateTiming(message=Type.PING, interval_s=0.5, timeout_s=2.0),
    State.CLOSING: StateTiming(message=Type.BYE, interval_s=0.1, timeout_s=0.5),
}
"""The states in which the link talks to a board."""


class RepeatedMessages:
    """Sender of the messages of `TIMINGS`, each once in its interval."""

    def __init__(self, *, session: int, wanted: BoardSetup) -> None:
        self._session = session
        self._wanted = wanted
        self._sequence = 0
        self._sent_at: dict[Type, float] = {}

    def next_at(self, state: State) -> float:
        """Return when the message of a state is due: -inf for at once, inf if it has none."""
        timing = TIMINGS.get(state)
        if timing is None:
            return inf
        return self._sent_at.get(timing.message, -inf) + timing.interval_s

    def due(self, state: State, *, boot: int, now: float) -> list[Frame]:
        """Return the message of a state if it is due; `boot` is the board's boot nonce, or 0."""
        if now < self.next_at(state):
            return []
        message = TIMINGS[state].message
        self._sent_at[message] = now
        sequence, self._sequence = self._sequence, (self._sequence + 1) % _SEQUENCES
        if message is Type.HELLO:  # partial: others carry nothing
            return [hello(sequence, session=self._session)]
        if message is Type.SETUP:
            return [setup(sequence, boot=boot, wanted=self._wanted)]
        return [Frame(type=message, sequence=sequence)]

    def reset(self) -> None:
        """Forget when messages were sent: the port was opened again."""
        self._sent_at.clear()
