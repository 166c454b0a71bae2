"""State of the board as the host knows it: INFO, counters, buttons and clock, across openings."""

from math import inf

from firmware_bridge.protocol.clock import BoardClock
from firmware_bridge.protocol.events import BoardRestarted, KeyEdge, Resynchronised
from firmware_bridge.protocol.key_events import KeyReader, Levels, buttons_of
from firmware_bridge.protocol.replies import BoardCounters, BoardInfo, Keys, Pong


class SessionBoard:
    """The board of one session; each boot starts from an empty state.

    `info` and `counters` are the latest ones received, or None. `keys` reads the key events,
    `clock` converts their times.
    """

    def __init__(self) -> None:
        self.info: BoardInfo | None = None
        self.counters: BoardCounters | None = None
        self.keys = KeyReader()
        self.clock = BoardClock()
        self._edge_at = -inf

    @property
    def boot(self) -> int | None:
        """The boot nonce of the latest INFO, None before the first."""
        return None if self.info is None else self.info.boot

    def handle_info(self, info: BoardInfo) -> list[BoardRestarted]:
        """Continue with the same boot, or reset the state for another one."""
        known, self.info, self.counters = self.boot, info, info.counters
        if known == info.boot:
            self.keys.resume(info)
            return []
        self.keys.begin(info)
        self.clock = BoardClock()
        return [] if known is None else [BoardRestarted(boot=info.boot)]

    def handle_pong(self, pong: Pong, *, session: int) -> bool:
        """Update the counters. Return False unless the board is READY in this session and boot."""
        is_ours = pong.ready and pong.session == session and pong.boot == self.boot
        if is_ours:
            self.counters = pong.counters
        return is_ours

    def handle_keys(self, keys: Keys, now: float) -> list[KeyEdge | Resynchronised]:
        """Return the new events of a KEYS message, at host times."""
        events: list[KeyEdge | Resynchronised] = []
        for item in self.keys.read(keys):
            # Stamps are rounded to milliseconds; no event is later than its message.
            t = min(now, max(self._edge_at, self.clock.time_of(item.stamp)))
            self._edge_at = t
            if isinstance(item, Levels):
                events.append(Resynchronised(down=buttons_of(item.down), t=t, lost=item.lost))
            else:
                events.append(KeyEdge(button=item.button, down=item.down, t=t))
        return events
