"""What the host knows of its board, however often the port is opened: who, its keys, its clock."""

from __future__ import annotations

from math import inf

from firmware_bridge.protocol.clock import BoardClock
from firmware_bridge.protocol.events import BoardRestarted, KeyEdge, Resynchronised
from firmware_bridge.protocol.key_events import KeyReader, Levels, buttons_of
from firmware_bridge.protocol.replies import BoardCounters, BoardInfo, Keys, Pong


class KnownBoard:
    """The board of one session; it is another one with each boot."""

    def __init__(self) -> None:
        self.info: BoardInfo | None = None
        self.counters: BoardCounters | None = None
        self._keys = KeyReader()
        self._clock = BoardClock()
        self._edge_at = -inf

    @property
    def next_key(self) -> int:
        """The sequence of the event that is expected next."""
        return self._keys.expected

    @property
    def boot(self) -> int | None:
        """The nonce of the boot that is known, None before the first INFO."""
        return None if self.info is None else self.info.boot

    def meet(self, info: BoardInfo) -> list[BoardRestarted]:
        """Take an INFO: go on with the board that is known, or begin with another boot."""
        known, self.info, self.counters = self.boot, info, info.counters
        if known == info.boot:
            self._keys.resume(info)
            return []
        self._keys.begin(info)
        self._clock = BoardClock()
        return [] if known is None else [BoardRestarted(boot=info.boot)]

    def hear_clock(self, stamp: int, now: float) -> None:
        """Take the clock of a message."""
        self._clock.hear(stamp, now=now)

    def hear_pong(self, pong: Pong, *, session: int) -> bool:
        """Take a PONG; whether it comes from this session with this boot, set up."""
        is_ours = pong.ready and pong.session == session and pong.boot == self.boot
        if is_ours:
            self.counters = pong.counters
        return is_ours

    def hear_keys(self, keys: Keys, now: float) -> list[KeyEdge | Resynchronised]:
        """Take a KEYS; what is new in it, at host times."""
        events: list[KeyEdge | Resynchronised] = []
        for item in self._keys.take(keys):
            # Stamps are rounded to milliseconds, and what has been read has happened.
            t = min(now, max(self._edge_at, self._clock.time_of(item.stamp)))
            self._edge_at = t
            if isinstance(item, Levels):
                events.append(Resynchronised(down=buttons_of(item.down), t=t, lost=item.lost))
            else:
                events.append(KeyEdge(button=item.button, down=item.down, t=t))
        return events

    def levels(self, now: float) -> Resynchronised:
        """The buttons as they are after all that has been told."""
        return Resynchronised(down=self._keys.down, t=now)
