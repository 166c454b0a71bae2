"""Views of a game night (many tables, one organiser) for the hall screen and the organiser's page.

msgspec encodes each view as JSON, and the API's description has the schema of its type. For
example, a place in the standings begins with `{"rank": 1, "name": "Ann", "points": 5`. The sides of
a pair and the lanes of its board are the strings "1" and "2", because keys of JSON are strings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypedDict, TypeVar

import msgspec

from companion.errors import BadInputError, Text
from companion.night.attention import Matter, matters, round_is_over
from companion.night.messages import NightPlan, NightRound, TableState
from companion.night.organiser import Organiser
from companion.night.outcomes import SIDE_KEYS, CardLine, Place, SeatedGame, cards, standings
from companion.night.seating import next_round
from companion.web.http.endpoint import RightName
from companion.web.http.sse import StreamEvents


class PairView(TypedDict):
    """Pair at a table."""

    table: int
    names: list[str]


class RoundView(TypedDict):
    """Round with its pairs in order of tables, and the entrant who sits out."""

    number: int
    pairs: list[PairView]
    bye: str | None


class PegView(TypedDict):
    """Lit peg; `hole` is the id of its hole, `kind` is "front" or "back"."""

    lane: str
    hole: str
    kind: str
    colour: str


class BoardView(TypedDict):
    """Board of a pair; `lit` is False if its table never reached the MQTT broker."""

    table: int
    names: list[str]
    lit: bool
    online: bool
    status: str
    winner: str | None
    spread: int | None
    board: str | None
    pegs: list[PegView]


class HallView(TypedDict):
    """Content of a hall screen."""

    night: str
    title: str
    message: str
    connected: bool
    round: int
    planned_rounds: int
    games: int
    done: int
    standings: list[Place]
    boards: list[BoardView]
    seats: RoundView | None
    next: RoundView | None


class EntrantView(TypedDict):
    """Entrant in the organiser's list."""

    id: int
    name: str
    playing: bool
    seated: bool


class GameView(TypedDict):
    """Game of a pair; `plus` goes on the winner's score card, and `minus` on the loser's."""

    round: int
    table: int
    names: list[str]
    status: str
    winner: str | None
    plus: int | None
    minus: int | None
    entered: bool


class CardView(TypedDict):
    """Score card of an entrant."""

    id: int
    name: str
    lines: Sequence[CardLine]


class OrganiserView(TypedDict):
    """Content of the organiser's page; `refusal` says why the next round cannot be seated."""

    hall: HallView
    attention: list[Matter]
    refusal: Text | None
    finish: int
    scoring: str
    tables: list[int]
    planned_rounds: int
    entrants: list[EntrantView]
    games: list[GameView]
    cards: list[CardView]


class NightAbout(TypedDict):
    """Facts about the organiser's server and the rights of the caller."""

    language: str
    languages: dict[str, str]
    right: RightName
    version: str
    pages: list[str]


class BoardPlaces(TypedDict):
    """Places in mm of a board's holes (`lane/hole`) and lamps (`lamp/id`); size of its sheet."""

    width: float
    height: float
    holes: dict[str, list[float]]


View = TypeVar("View")


class ViewNews(msgspec.Struct, Generic[View], frozen=True, kw_only=True):
    """Content of a page; `turn` grows by one when hall screens turn to their next page."""

    turn: int
    view: View


class HallStream(StreamEvents, frozen=True, kw_only=True):
    """Events of `GET /api/hall/stream`, by name."""

    news: ViewNews[HallView]


class NightStream(StreamEvents, frozen=True, kw_only=True):
    """Events of `GET /api/night/stream`, by name."""

    news: ViewNews[OrganiserView]


def hall_view(organiser: Organiser) -> HallView:
    """Return all that a hall screen shows."""
    plan = organiser.plan
    newest, (drawn, _) = len(plan.rounds), _drawn(plan)
    games = [game for (number, _), game in organiser.outcomes.items() if number == newest]
    return {
        "night": organiser.night,
        "title": plan.title,
        "message": plan.message,
        "connected": organiser.connected,
        "round": newest,
        "planned_rounds": max(plan.planned_rounds, newest),
        "games": len(games),
        "done": sum(game.done for game in games),
        "standings": standings(cards(plan, organiser.outcomes.values())),
        "boards": [_board(organiser, game) for game in games],
        "seats": _round_view(plan, plan.rounds[-1], newest) if plan.rounds else None,
        "next": _round_view(plan, drawn, newest + 1) if drawn else None,
    }


def organiser_view(organiser: Organiser) -> OrganiserView:
    """Return all that the organiser's page shows."""
    plan = organiser.plan
    _, refusal = _drawn(plan)
    return {
        "hall": hall_view(organiser),
        "attention": matters(organiser),
        "refusal": refusal if round_is_over(organiser) else None,
        "finish": plan.finish,
        "scoring": plan.scoring,
        "tables": list(plan.tables),
        "planned_rounds": plan.planned_rounds,
        "entrants": _entrants(plan),
        "games": [_game(organiser, game) for game in organiser.outcomes.values()],
        "cards": _cards(organiser),
    }


def _board(organiser: Organiser, game: SeatedGame) -> BoardView:
    """Return the board of a pair of the newest round, with its pegs."""
    table = game.pair.table
    presence, state = organiser.presence.get(table), organiser.state_of(table)
    return {
        "table": table,
        "names": [organiser.plan.name_of(each) for each in game.pair.entrants],
        "lit": presence is not None,
        "online": presence is not None and presence.online and organiser.connected,
        "status": game.status.value,
        "winner": game.result.winner if game.result else None,
        "spread": game.result.spread if game.result else None,
        "board": state.board if state else None,
        "pegs": _pegs(state) if state else [],
    }


def _pegs(state: TableState) -> list[PegView]:
    return [
        {"lane": side, "hole": str(hole), "kind": kind, "colour": colour}
        for side, colour in state.colours.items()
        if (pegs := state.view.sides.get(int(side)))
        for kind, hole in (("back", pegs.back), ("front", pegs.front))
    ]


def _round_view(plan: NightPlan, seated: NightRound, number: int) -> RoundView:
    pairs: list[PairView] = [
        {"table": pair.table, "names": [plan.name_of(each) for each in pair.entrants]}
        for pair in seated.pairs
    ]
    bye = plan.name_of(seated.bye) if seated.bye else None
    return {"number": number, "pairs": sorted(pairs, key=lambda each: each["table"]), "bye": bye}


def _drawn(plan: NightPlan) -> tuple[NightRound | None, Text | None]:
    """Return the round that would be seated next, and the reason if it cannot be seated."""
    if len(plan.rounds) >= plan.planned_rounds:
        return None, None
    try:
        return next_round(plan), None
    except BadInputError as error:
        return None, error.text


def _entrants(plan: NightPlan) -> list[EntrantView]:
    seated = plan.seated_entrants
    return [
        {"id": each.id, "name": each.name, "playing": each.playing, "seated": each.id in seated}
        for each in plan.entrants
    ]


def _game(organiser: Organiser, game: SeatedGame) -> GameView:
    result = game.result
    winner = None
    names = [organiser.plan.name_of(each) for each in game.pair.entrants]
    if result:
        winner = SIDE_KEYS[names.index(result.winner)]
    return {
        "round": game.round,
        "table": game.pair.table,
        "names": names,
        "status": game.status.value,
        "winner": winner,
        "plus": result.spread if result else None,
        "minus": result.minus if result else None,
        "entered": game.entered,
    }


def _cards(organiser: Organiser) -> list[CardView]:
    plan = organiser.plan
    drawn = cards(plan, organiser.outcomes.values())
    return [{"id": each.id, "name": each.name, "lines": drawn[each.name]} for each in plan.entrants]
