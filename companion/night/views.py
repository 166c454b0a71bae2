"""Views of a night for the hall screen and the organiser's page, as JSON values."""

from __future__ import annotations

from companion.errors import BadInputError, Text
from companion.night.attention import matters, round_is_over
from companion.night.messages import TableState
from companion.night.night_responses import (
    BoardView,
    CardView,
    EntrantView,
    GameView,
    HallView,
    OrganiserView,
    PairView,
    PegView,
    RoundView,
)
from companion.night.organiser import Organiser
from companion.night.outcomes import SIDE_KEYS, SeatedGame, cards
from companion.night.plan import NightPlan, NightRound
from companion.night.round_commands import next_round
from companion.night.scoring import standings


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
    """Return the round that would be seated next, or why it cannot be seated."""
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
        "minus": game.minus if result else None,
        "entered": game.entered,
    }


def _cards(organiser: Organiser) -> list[CardView]:
    plan = organiser.plan
    drawn = cards(plan, organiser.outcomes.values())
    return [{"id": each.id, "name": each.name, "lines": drawn[each.name]} for each in plan.entrants]
