"""Matters that need the organiser's attention: each is a sentence with the next action.

Matters are computed from the organiser's state for each view, so a matter disappears with its
cause. For example, "Round 2 is over: seat round 3" has a button that seats the round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.errors import Text, joined
from companion.night.messages import SIDES
from companion.night.organiser import Organiser
from companion.night.outcomes import SeatedGame, Status, foreign_games

OFF_AFTER_S: Final = 5.0
"""Seconds without presence messages after which a table with an open game is reported as off."""
FEW: Final = 4
"""Most tables that a sentence names one by one; if there are more, it gives their number."""


class Action(Enum):
    """Action that the organiser's page offers beside a matter."""

    NONE = "none"
    ADD = "add"
    """Add entrants."""
    SEAT = "seat"
    """Seat the next round."""
    ENTER = "enter"
    """Enter the result of a game."""
    EXPORT = "export"
    """Print or save the standings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """Matter for the organiser; `seat` is the round and table of the game concerned, or None."""

    text: Text
    action: Action = Action.NONE
    seat: tuple[int, int] | None = None
    urgent: bool = False


def matters(organiser: Organiser) -> list[Matter]:
    """Return what needs attention, with urgent matters first."""
    found = [
        *_broker(organiser),
        *_contested(organiser),
        *_tables_off(organiser),
        *_games(organiser),
        *_foreign(organiser),
        *_round(organiser),
    ]
    return sorted(found, key=lambda each: not each.urgent)


def round_is_over(organiser: Organiser) -> bool:
    """Return True if all games of the newest round are done, or no round has been seated."""
    return not _open(organiser)


def _open(organiser: Organiser) -> list[SeatedGame]:
    newest = len(organiser.plan.rounds)
    return [
        game
        for (number, _), game in organiser.outcomes.items()
        if number == newest and not game.done
    ]


def _broker(organiser: Organiser) -> Iterator[Matter]:
    if not organiser.connected:
        text = (
            "The broker cannot be reached: check that it runs and that this machine is in its "
            "network. Tables play on, and your changes are published when it is back."
        )
        yield Matter(text=Text(text), urgent=True)


def _contested(organiser: Organiser) -> Iterator[Matter]:
    for table in organiser.contested:
        text = "Two tables say that they are table {table}: set another number at one of them."
        yield Matter(text=Text(text, table=table), urgent=True)


def _tables_off(organiser: Organiser) -> Iterator[Matter]:
    playing = {game.pair.table: game for game in _open(organiser)}
    off = {
        table: organiser.now() - presence.heard
        for table, presence in sorted(organiser.presence.items())
        if table in playing and not presence.online and organiser.connected
    }
    off = {table: seconds for table, seconds in off.items() if seconds >= OFF_AFTER_S}
    if len(off) > FEW:
        text = (
            "{n} tables are off, {table} among them: check the power and the network of the hall."
            " Their counts are safe."
        )
        yield Matter(text=Text(text, n=len(off), table=min(off)), urgent=True)
        return
    for table, seconds in off.items():
        text = (
            "Table {table} has been off for {duration}: check its power and network."
            " Its counts are safe; if it stays off, enter the result by hand."
        )
        whole = Text(text, table=table, duration=_duration(seconds))
        seat = (playing[table].round, table)
        yield Matter(text=whole, action=Action.ENTER, seat=seat, urgent=True)


def _duration(seconds: float) -> Text:
    if seconds < 120:  # noqa: PLR2004  # two minutes
        return Text("{n} s", n=int(seconds // 5 * 5))
    return Text("{n} min", n=int(seconds // 60))


def _games(organiser: Organiser) -> Iterator[Matter]:
    for seat, game in organiser.outcomes.items():
        number, table = seat
        if game.status is Status.UNCONFIRMED and game.result:  # without WAITING, PLAYING, DONE
            waiting = " + ".join(organiser.plan.name_of(each) for each in game.missing)
            text = (
                "Round {n}, table {table}: {winner} has won by {spread}; {names} must still confirm"
                " it: they press Enter at the table, or you enter the result."
            )
            result = game.result
            whole = Text(
                text,
                n=number,
                table=table,
                winner=result.winner,
                spread=result.spread,
                names=waiting,
            )
            yield Matter(text=whole, action=Action.ENTER, seat=seat)
        elif game.status is Status.DISPUTED:
            text = (
                "Round {n}, table {table}: two tables have sent different results of this game."
                " Ask the players, and enter the right result."
            )
            whole = Text(text, n=number, table=table)
            yield Matter(text=whole, action=Action.ENTER, seat=seat, urgent=True)


def _foreign(organiser: Organiser) -> Iterator[Matter]:
    """Yield matters about won games of sides who were not seated at that table in that round."""
    plan, games = organiser.plan, organiser.outcomes
    for table, game in foreign_games(plan, organiser.states):
        seated = games.get((game.round, table))
        if game.winner is None or (seated and seated.done):
            continue
        played = " - ".join(plan.name_of(each) for _, each in sorted(game.entrants.items()))
        text = (
            "Table {table} has a game of round {n} between {names}, who are not seated there:"
            " enter its result for the table where they are seated."
        )
        whole = Text(text, table=table, n=game.round, names=played)
        action = Action.ENTER if seated else Action.NONE
        yield Matter(text=whole, action=action, seat=(game.round, table))


def _round(organiser: Organiser) -> Iterator[Matter]:
    plan = organiser.plan
    playing = [each for each in plan.entrants if each.playing]
    number = len(plan.rounds)
    if len(playing) < SIDES:
        need = Text("A round needs two sides: paste the names of those who play.")
        yield Matter(text=need, action=Action.ADD)
    elif open_games := _open(organiser):
        yield from _without_lights(organiser, open_games)
    elif number == 0:
        text = "{n} sides are on the list: seat round 1."
        yield Matter(text=Text(text, n=len(playing)), action=Action.SEAT)
    elif number < plan.planned_rounds:
        text = "Round {n} is over: seat round {next}."
        yield Matter(text=Text(text, n=number, next=number + 1), action=Action.SEAT)
    else:
        text = "All {n} rounds are over: print the standings, and thank you."
        yield Matter(text=Text(text, n=number), action=Action.EXPORT)


def _without_lights(organiser: Organiser, games: list[SeatedGame]) -> Iterator[Matter]:
    """Yield a matter if tables have never sent a message: the organiser enters their results."""
    dark = [game for game in games if game.pair.table not in organiser.presence]
    if not dark:
        return
    tables = joined(", ", (game.pair.table for game in dark[:FEW]))
    if len(dark) > FEW:
        tables = Text("{tables} and {n} more", tables=tables, n=len(dark) - FEW)
    text = (
        "No lights at table {tables}: enter the result of round {n} by hand when the game is over."
    )
    seat = (dark[0].round, dark[0].pair.table)
    yield Matter(text=Text(text, tables=tables, n=dark[0].round), action=Action.ENTER, seat=seat)
