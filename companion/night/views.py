"""Views of a night for the hall screen and the organiser's page, as JSON values."""

from __future__ import annotations

from companion.commentary import Phrases
from companion.errors import BadInputError
from companion.night.attention import matters, round_is_over
from companion.night.changes import next_round
from companion.night.messages import TableState
from companion.night.organiser import Organiser
from companion.night.outcomes import TEAMS, SeatedGame, cards
from companion.night.plan import NightPlan, NightRound
from companion.night.responses import (
    BoardView,
    CardLineView,
    CardView,
    EntrantView,
    GameView,
    HallView,
    MatterView,
    OrganiserView,
    PairView,
    RoundView,
    StandingView,
)
from companion.night.scoring import CardLine
from companion.night.standings import standings


def hall_view(organiser: Organiser) -> HallView:
    """Return all that a hall screen shows."""
    plan = organiser.plan
    newest = len(plan.rounds)
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
        "standings": _standings(organiser),
        "boards": [_board(organiser, game) for game in games],
        "seats": _round_view(plan, plan.rounds[-1], newest) if plan.rounds else None,
        "next": _next(organiser),
    }


def organiser_view(organiser: Organiser, phrases: Phrases) -> OrganiserView:
    """Return all that the organiser's page shows, with its sentences in a language."""
    plan = organiser.plan
    refusal = None
    if round_is_over(organiser) and len(plan.rounds) < plan.planned_rounds:
        try:
            next_round(plan)
        except BadInputError as error:
            refusal = phrases.message(str(error))
    return {
        "hall": hall_view(organiser),
        "attention": [
            MatterView(
                text=phrases.message(each.text),
                action=each.action.value,
                seat=list(each.seat) if each.seat else None,
                urgent=each.urgent,
            )
            for each in matters(organiser)
        ],
        "refusal": refusal,
        "finish": plan.finish,
        "scoring": plan.scoring,
        "tables": list(plan.tables),
        "planned_rounds": plan.planned_rounds,
        "entrants": _entrants(plan),
        "games": [_game(organiser, game) for game in organiser.outcomes.values()],
        "cards": _cards(organiser),
    }


def _standings(organiser: Organiser) -> list[StandingView]:
    places = standings(cards(organiser.plan, organiser.outcomes.values()))
    return [
        {
            "rank": each.rank,
            "name": each.entrant,
            "points": each.points,
            "won": each.won,
            "lost": each.lost,
            "net": each.net,
            "plus": each.plus,
            "qualifies": each.qualifies,
        }
        for each in places
    ]


def _board(organiser: Organiser, game: SeatedGame) -> BoardView:
    """Return the board of a pair of the newest round as it glows."""
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


def _pegs(state: TableState) -> list[dict[str, str]]:
    """Return the holes in which pegs glow, each with its lane, colour and kind."""
    found: list[dict[str, str]] = []
    sides = state.view.get("teams")
    for team, side in sides.items() if isinstance(sides, dict) else ():
        if team in state.colours and isinstance(side, dict):
            for kind in ("back", "front"):
                place = {"lane": team, "hole": str(side.get(kind)), "kind": kind}
                found.append({**place, "colour": state.colours[team]})
    return found


def _round_view(plan: NightPlan, seated: NightRound, number: int) -> RoundView:
    pairs: list[PairView] = [
        {"table": pair.table, "names": [plan.name_of(each) for each in pair.entrants]}
        for pair in seated.pairs
    ]
    bye = plan.name_of(seated.bye) if seated.bye else None
    return {"number": number, "pairs": sorted(pairs, key=lambda each: each["table"]), "bye": bye}


def _next(organiser: Organiser) -> RoundView | None:
    plan = organiser.plan
    number = len(plan.rounds) + 1
    if number > plan.planned_rounds:
        return None
    try:
        drawn = next_round(plan)
    except BadInputError:
        return None
    return _round_view(plan, drawn, number) if drawn else None


def _entrants(plan: NightPlan) -> list[EntrantView]:
    seated = {each for _, pair in plan.seats() for each in pair.entrants}
    seated |= {each.bye for each in plan.rounds if each.bye}
    return [
        {"id": each.id, "name": each.name, "playing": each.playing, "seated": each.id in seated}
        for each in plan.entrants
    ]


def _game(organiser: Organiser, game: SeatedGame) -> GameView:
    result = game.result
    winner = None
    names = [organiser.plan.name_of(each) for each in game.pair.entrants]
    if result:
        winner = TEAMS[names.index(result.winner)]
    return {
        "round": game.round,
        "table": game.pair.table,
        "names": names,
        "status": game.status.value,
        "winner": winner,
        "plus": result.spread if result else None,
        "minus": game.minus if result else None,
        "entered": game.entered,
    }


def _cards(organiser: Organiser) -> list[CardView]:
    plan = organiser.plan
    corrected = {(each.round, each.entrant): each.reason for each in plan.corrections}
    drawn = cards(plan, organiser.outcomes.values())
    return [
        {
            "id": each.id,
            "name": each.name,
            "lines": [
                _line(line, corrected.get((line.round, each.id))) for line in drawn[each.name]
            ],
        }
        for each in plan.entrants
    ]


def _line(line: CardLine, reason: str | None) -> CardLineView:
    return {
        "round": line.round,
        "table": line.table,
        "opponent": line.opponent,
        "points": line.points,
        "plus": line.plus,
        "minus": line.minus,
        "corrected": reason,
    }
