"""A table as JSON values, for `GET /api/table` and the stream."""

from collections.abc import Sequence
from typing import cast

from companion.commentary import Commentator, translated
from companion.rules.game import Event, Kind, State
from companion.rules.game.notation import event_value, side_value
from companion.table import Accepted, News
from companion.table.demo import Demo
from companion.web.cards.serialize import cards_value
from companion.web.table import responses


def table_value(news: News) -> responses.TableResponse:
    """Return a table as the contract has it."""
    state = news.view.state
    pending = {team: entered.points for team, entered in news.pending.items()}
    sides = {
        str(team): side_value(state, team) | {"pending": pending.get(team, 0)}
        for team in state.setup.lanes
    }
    return {
        "seq": news.seq,
        "teams": cast("dict[str, responses.SideResponse]", sides),
        "dealer": state.dealer,
        "hand": state.hand,
        "winner": state.winner,
    }


def entry_value(accepted: Accepted, line: str) -> responses.EntryResponse:
    """Return an accepted command with its events and the commentator's line on them."""
    return {
        "seq": accepted.seq,
        "line": line,
        "events": _events(accepted.entry.events),
        "undone": _events(accepted.undone),
    }


def _events(events: Sequence[Event]) -> list[dict[str, object]]:
    """Return the events of a command; of a correction the first, without what it repeats."""
    corrected = events and events[0].kind is Kind.CORRECTED
    return [event_value(event) for event in (events[:1] if corrected else events)]


def demo_value(demo: Demo, words: Commentator) -> dict[str, object]:
    """Return a demo as the news have it, in these words."""
    hand, newest = demo.game.hand if demo.game else None, demo.accepted
    return {
        "on": True,
        "stage": demo.stage,
        "table": table_value(demo.news) if demo.news else None,
        "cards": cards_value(hand, hand.seating.seats) if hand else None,
        "lines": [translated(line, words) for line in demo.lines],
        "names": {str(seat): words.names.player(seat) for seat in demo.names},
        "newest": newest and {"seq": newest.seq, "events": _events(newest.entry.events)},
    }


def boxes_value(state: State) -> dict[str, object]:
    """Return the boxed sides: hands still to sit, and whether the move of this hand is to come."""
    sides = ((team, state.side(team).boxed) for team in state.setup.lanes)
    return {
        str(team): {"hands": boxed.hands, "may_move": state.is_to_move_in_box(team)}
        for team, boxed in sides
        if boxed
    }


def mode_value(news: News, commentator: Commentator) -> dict[str, object] | None:
    """Return what the board shows besides the game, None for nothing."""
    if news.sign:
        return {"state": "tour", "sign": news.sign.value, "line": commentator.sign(news.sign)}
    if news.view.button_test:
        return {"state": "button-test"}
    if news.sign_up:
        return {
            "state": "sign-up",
            "joined": list(news.sign_up.joined),
            "people": {str(team): people for team, people in news.sign_up.people},
            "joining": news.sign_up.joining,
            "preset": news.sign_up.preset,
            "presets": list(news.sign_up.presets),
        }
    if news.view.attract:
        return {"state": "show"}
    return {"state": "asleep"} if news.view.asleep else None
