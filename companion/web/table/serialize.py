"""The table's state as responses of `GET /api/table` and as events of the stream."""

from msgspec.structs import asdict

from companion.board.zone_kinds import ZoneKind
from companion.buttons import BUTTONS
from companion.commentary import Commentator, Phrases
from companion.errors import Text
from companion.rules.game import Event, Kind, State
from companion.rules.game.events import EVENT_FACTS
from companion.rules.game.notation import side_value
from companion.settings.schema import ROWS
from companion.table import Table
from companion.table.demo import Demo
from companion.web.cards.card_responses import cards_value
from companion.web.table import news as stream
from companion.web.table import table_responses


def table_value(table: Table) -> table_responses.TableResponse:
    """Return the state of a table's game, with the counts being entered."""
    state = table.display.view.state
    pending = {side: entered.points for side, entered in table.panel.counts.by_side.items()}
    sides = {side: asdict(side_value(state, side)) for side in state.setup.sides}
    return table_responses.TableResponse(
        seq=table.queue.seq,
        sides={
            side: table_responses.SideResponse(**pegs, pending=pending.get(side, 0))
            for side, pegs in sides.items()
        },
        dealer=state.dealer,
        hand=state.hand,
        winner=state.winner,
    )


def events_value(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return a command's events; for a correction only the first: the others replay commands."""
    corrected = events and events[0].kind is Kind.CORRECTED
    return events[:1] if corrected else events


def demo_value(demo: Demo, words: Commentator) -> stream.DemoNews:
    """Return the news about a demo, with the commentator's words."""
    hand, newest = demo.game.hand if demo.game else None, demo.accepted
    return stream.DemoNews(
        stage=demo.stage,
        table=table_value(demo.table) if demo.table else None,
        cards=cards_value(hand, hand.seating.seats) if hand else None,
        lines=[line.in_words(words) for line in demo.lines],
        names={seat: words.board.player(seat) for seat in demo.names},
        newest=stream.DemoCommand(seq=newest.seq, events=events_value(newest.entry.events))
        if newest
        else None,
    )


def row_words(phrases: Phrases) -> table_responses.RowWords:
    """Return facts about all kinds of zone and event and all buttons, with their names."""
    return {
        "panel": {
            name: {
                "side": button.side,
                "action": button.action.key,
                "label": phrases.message(Text(button.action.label)),
                "code": button.code,
                "points": button.action.points,
                "hold_s": button.action.hold_s,
                "runs_table": button.action.runs_table,
            }
            for name, button in BUTTONS.items()
        },
        "zone_kinds": {kind: phrases.table(f"zone_kinds.{kind}") for kind in ZoneKind},
        "event_kinds": EVENT_FACTS,
        "event_signs": phrases.table("event_signs"),
    }


def boxes_value(state: State) -> dict[int, stream.BoxNews]:
    """Return the boxed sides by number."""
    sides = ((side, state.pegs(side).boxed) for side in state.setup.sides)
    return {
        side: stream.BoxNews(hands=boxed.hands, may_move=state.is_to_move_in_box(side))
        for side, boxed in sides
        if boxed
    }


def mode_value(table: Table, commentator: Commentator) -> stream.Mode | None:
    """Return what the board shows instead of its game; None if it shows the game."""
    view, sign, sign_up = table.display.view, table.display.sign, table.panel.sign_up
    if sign:
        return stream.TourMode(sign=sign, line=commentator.sign(sign))
    if view.button_test:
        return stream.ButtonTestMode()
    if sign_up:
        words = Text(ROWS["preset"].words.get(sign_up.preset, ""))
        return stream.SignUpMode(
            joined=list(sign_up.joined),
            people=dict(sign_up.people),
            joining=sign_up.joining,
            preset=sign_up.preset,
            words=commentator.phrases.message(words),
            presets=sign_up.presets,
        )
    if view.attract:
        return stream.ShowMode()
    return stream.AsleepMode() if view.asleep else None
