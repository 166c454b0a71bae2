"""Names of sides and players."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.commentary.phrases import Phrases
from companion.rules.game import Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Names of sides and players; a side without an entry in `by_side` is named by its number."""

    phrases: Phrases
    by_side: Mapping[int, str]
    setup: Setup

    def side(self, side: int) -> str:
        return self.phrases.side(side, self.by_side)

    def player(self, seat: int) -> str:
        """Return the name of the seat's side, with the seat's number if it has a partner (T1)."""
        name = self.side(self.setup.side_of(seat))
        if self.setup.players == len(self.setup.sides):
            return name
        return self.phrases.say("partner", name=name, seat=self.phrases.number(seat))
