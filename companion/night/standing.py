"""Standing of a table in a night, as its page and its panel show it."""

from __future__ import annotations

import msgspec

from companion.journal.tail import JournalPosition
from companion.night.book import Book, is_certified
from companion.night.messages import SIDES, NightGame
from companion.night.plan import NightPlan
from companion.rules.game import Setup


class NightStanding(msgspec.Struct, frozen=True, kw_only=True):
    """Standing of a table in a night.

    Attributes:
        table: its number.
        connected: the broker answers.
        round: the round that is played or to be played here; 0 without one.
        names: of the two entrants, by team.
        awaited: teams that are to confirm the result.
        confirmed: teams that have.
        message: the organiser's line.
    """

    table: int
    connected: bool = False
    round: int = 0
    names: dict[str, str] = {}
    awaited: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    message: str = ""


def standing_of(book: Book, table: int, position: JournalPosition, setup: Setup) -> NightStanding:
    """Return the standing of a table: that of its game, or of the one that is to be played."""
    plan = book.plan
    if plan is None:
        return NightStanding(table=table)
    none = NightStanding(table=table, message=plan.message)
    game = book.game_at(position)
    if game and not (is_certified(game) and book.seated(table)):
        names = {team: _name(plan, entrant) for team, entrant in game.entrants.items()}
        return msgspec.structs.replace(
            none, round=game.round, names=names, awaited=_awaited(game), confirmed=game.confirmed
        )
    seated = book.seated(table)
    if seated is None or len(setup.lanes) != SIDES:
        return none
    number, pair = seated
    names = {
        str(team): _name(plan, entrant)
        for team, entrant in zip(setup.lanes, pair.entrants, strict=True)
    }
    return msgspec.structs.replace(none, round=number, names=names)


def _awaited(game: NightGame) -> tuple[str, ...]:
    if game.winner is None:
        return ()
    return tuple(team for team in sorted(game.entrants) if team not in game.confirmed)


def _name(plan: NightPlan, entrant: int) -> str:
    """Return the name of an entrant, "?" if a newer plan has it no more."""
    return next((each.name for each in plan.entrants if each.id == entrant), "?")
