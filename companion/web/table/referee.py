"""The referee and corrections: what may be granted, what a command would do, and the command."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from companion.commentary import Commentator, load_phrases
from companion.errors import BadInputError, LaterCommandError, Message, RuleError
from companion.rules.game import (
    LANDING_ZONES,
    Claim,
    Command,
    Correct,
    Entry,
    Kind,
    Muggins,
    Overpeg,
    Peg,
    Penalty,
    SetPegs,
    Setup,
    counting_team,
    standing,
)
from companion.rules.game.grants import grants
from companion.rules.game.notation import read_command, side_value
from companion.rules.game.rulings import RULINGS
from companion.table import Table
from companion.web.table import responses

COMMANDS = ("penalty", "claim", "muggins", "overpeg", "correct", "set_pegs")
"""Commands that come from the page, and from no button."""


class RefereeService:
    """The referee of the running table; for use in the event loop."""

    def __init__(self, table: Table, commentator: Callable[[Setup, str], Commentator]) -> None:
        self._table, self._commentator_of = table, commentator

    def options(self, language: str) -> responses.RefereeOptions:
        """Return all that can go wrong, and what may be granted for it as the game stands."""
        say = load_phrases(language).message
        rulings = [
            replace(
                ruling, what=say(ruling.what), follows=say(ruling.follows), words=say(ruling.words)
            )
            for ruling in RULINGS.values()
        ]
        return {"rulings": rulings, "grants": grants(self._table.state)}

    def counts(self, language: str) -> list[responses.CountResponse]:
        """Return the counts of the running game that can be corrected, the newest first."""
        start, entries = self._table.game
        seqs = {id(accepted.entry): accepted.seq for accepted in self._table.accepted}
        words, found = self._commentator(language), list[responses.CountResponse]()
        for number, (entry, now) in enumerate(
            zip(entries, standing(start, entries), strict=True), start=1
        ):
            team = counting_team(now.command)
            if team is not None and now.events:
                points = now.command.points if isinstance(now.command, Peg | Muggins) else None
                found.append(
                    {
                        "entry": number,
                        "seq": seqs.get(id(entry)),
                        "hand": now.state.hand,
                        "team": team,
                        "points": points,
                        "line": words.entry(now),
                    }
                )
        return found[::-1]

    def preview(self, body: bytes, language: str) -> responses.CommandPreview:
        """Return what a command would do; nothing is changed.

        Raises:
            BadInputError: it is no command of the referee.
            RuleError: the rules refuse it, or a correction makes them refuse a later command.
        """
        command = _read(body)
        before, entry = self._table.state, self._decide(command, language)
        zones: list[responses.ZoneLanding] = [
            {"team": event.team, "kind": LANDING_ZONES[event.kind]}
            for event in entry.events
            if event.kind in LANDING_ZONES
        ]
        changes = self._changes(entry, language) if isinstance(command, Correct) else []
        return {
            "line": self._commentator(language).entry(entry),
            "zones": [] if isinstance(command, Correct) else zones,
            "sides": {
                str(team): {
                    "before": cast("responses.SideStanding", side_value(before, team)),
                    "after": cast("responses.SideStanding", side_value(entry.state, team)),
                }
                for team in before.setup.lanes
            },
            "changes": changes,
        }

    async def command(self, body: bytes, language: str) -> None:
        """Carry out a command. Returns once it is acknowledged.

        Raises:
            BadInputError, RuleError: as `preview`; nothing is changed.
        """
        command = _read(body)
        self._decide(command, language)
        await self._table.execute(command)

    def _commentator(self, language: str) -> Commentator:
        return self._commentator_of(self._table.state.setup, language)

    def _decide(self, command: Command, language: str) -> Entry:
        try:
            return self._table.preview(command)
        except LaterCommandError as error:
            start, entries = self._table.game
            line = self._commentator(language).entry(standing(start, entries)[error.number - 1])
            raise RuleError(
                "not possible: “{line}” would then be refused: {reason}",
                line,
                error.cause.text,
                rule=error.rule,
                team=error.team,
            ) from error

    def _changes(self, entry: Entry, language: str) -> list[responses.LaterChange]:
        """Return the commands since the corrected one whose consequences are others then."""
        start, entries = self._table.game
        before, after = standing(start, entries), standing(start, [*entries, entry])
        words = self._commentator(language)
        return [
            {
                "before": words.entry(old) if old.events else "",
                "after": words.entry(new) if new.events else "",
            }
            for old, new in zip(before, after, strict=False)
            if _consequences(old) != _consequences(new) or old.command != new.command
        ]


def _consequences(entry: Entry) -> list[tuple[Kind, int | None]]:
    """Return the kinds of a command's events: holes may differ, landings and folds may not."""
    return [(event.kind, event.team) for event in entry.events]


def _read(body: bytes) -> Command:
    command = read_command(body)
    if not isinstance(command, Penalty | Claim | Muggins | Overpeg | Correct | SetPegs):
        known = ", ".join(COMMANDS)
        raise BadInputError(Message("only {known} come from the page: press the buttons", known))
    return command
