"""Names of sides and players."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.commentary.phrase_file import Phrases
from companion.rules.game import Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Names of sides and players; a team without an entry in `by_team` has its number."""

    phrases: Phrases
    by_team: Mapping[int, str]
    setup: Setup

    def side(self, team: int) -> str:
        """Return a team's name, translated if the language has a word for it."""
        return self.phrases.side(team, self.by_team)

    def player(self, seat: int) -> str:
        """Return the name of a seat's side, and the seat's number if it has a partner (T1)."""
        name = self.side(self.setup.team_of(seat))
        if self.setup.players == len(self.setup.lanes):
            return name
        return self.phrases.say("partner", name=name, seat=self.phrases.number(seat))
