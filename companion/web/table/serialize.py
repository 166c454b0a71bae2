"""A table in the words of the page's seam, `companion.web.table.desk`."""

from __future__ import annotations

from typing import cast

from companion.rules.game import State
from companion.rules.game.advice import Outcome
from companion.rules.game.notation import event_value, side_value
from companion.rules.game.rulings import Ruling
from companion.table import Accepted, News
from companion.table.actions import Hint
from companion.table.card_game import shown_cards
from companion.table.demo import Demo
from companion.web.table import responses


def table_value(news: News) -> responses.Table:
    """A table in the contract's words."""
    state = news.view.state
    pending = {team: entered.points for team, entered in news.pending.items()}
    teams = {str(team): _side(state, team, pending.get(team, 0)) for team in state.setup.lanes}
    return {
        "seq": news.seq,
        "teams": teams,
        "dealer": state.dealer,
        "hand": state.hand,
        "winner": state.winner,
    }


def _side(state: State, team: int, pending: int) -> responses.Side:
    return cast("responses.Side", side_value(state, team) | {"pending": pending})


def told_value(accepted: Accepted, line: str) -> responses.Told:
    """Return an accepted command with its events and the commentator's line on them."""
    return {
        "seq": accepted.seq,
        "line": line,
        "events": [event_value(event) for event in accepted.entry.events],
        "undone": [event_value(event) for event in accepted.undone],
    }


def ruling_value(ruling: Ruling) -> responses.Ruling:
    """One thing that can go wrong."""
    return {
        "rule": ruling.rule,
        "what": ruling.what,
        "follows": ruling.follows,
        "points": ruling.points,
        "claim": ruling.claim,
        "sources": list(ruling.sources),
    }


def outlook_value(outlook: Outcome) -> responses.Outlook:
    """What a count would do."""
    return {
        "points": outlook.points,
        "lands": outlook.lands,
        "kind": outlook.kind.value if outlook.kind else None,
        "front": outlook.front,
        "forfeited": outlook.forfeited,
        "wins": outlook.wins,
    }


def demo_value(demo: Demo) -> dict[str, object]:
    """A demo in the words of `companion.web.table.desk`."""
    hand = demo.game.hand if demo.game else None
    return {
        "on": True,
        "stage": demo.stage,
        "table": table_value(demo.news) if demo.news else None,
        "cards": shown_cards(hand, hand.seating.seats) if hand else None,
        "lines": list(demo.lines),
        "names": {str(seat): name for seat, name in demo.names.items()},
    }


def hint_value(hint: Hint | None) -> responses.HintFields:
    """Return a hint as text for people, and as its kind and team for the page."""
    if hint is None:
        return {"feedback": None, "hint": None}
    return {"feedback": hint.text, "hint": {"kind": hint.kind.value, "team": hint.team}}


def boxes_value(state: State) -> dict[str, object]:
    """The boxed sides: hands still to sit, and whether this hand's own move is still to come."""
    sides = ((team, state.side(team).boxed) for team in state.setup.lanes)
    return {
        str(team): {"hands": boxed.hands, "may_move": boxed.may_move and boxed.hands > 0}
        for team, boxed in sides
        if boxed
    }


def mode_value(news: News) -> dict[str, object] | None:
    """What the board does besides the game, if it does."""
    if news.sign_up:
        joined = list(news.sign_up.joined)
        return {"state": "sign-up", "joined": joined, "joining": news.sign_up.joining}
    if news.view.attract:
        return {"state": "show"}
    return {"state": "asleep"} if news.view.asleep else None
