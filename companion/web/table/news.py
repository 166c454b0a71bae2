"""News of the table: one value with the whole present state that a page shows.

The stream of a page makes this value in the page's language, and sends it when it has changed. Most
fields are about the game at the table. `mode` and `demo` are about other things that the board
shows instead, and `night` is about a game night: several tables that play for one list of results.

The functions below make parts of this value; `table_value` is also what `GET /api/table` returns.
"""

import msgspec
from msgspec.structs import asdict

from companion.board.zone_kinds import ZoneKind
from companion.buttons import BUTTONS
from companion.commentary import Commentator, Phrases
from companion.errors import Text
from companion.rules.game import Event, Kind, State
from companion.rules.game.events import EVENT_FACTS
from companion.rules.game.notation import MatchValue, side_value
from companion.settings.schema import ROWS
from companion.table import Table
from companion.table.demo import Demo, Stage
from companion.table.panel.consents import ConsentKind
from companion.web.card_session import CardNews, Cards, cards_value
from companion.web.http.sse import StreamEvents
from companion.web.table.table_responses import (
    EntryResponse,
    HintResponse,
    RowWords,
    SideResponse,
    TableResponse,
)


class BoxNews(msgspec.Struct, frozen=True, kw_only=True):
    """Side in a penalty box, which must stay there for `hands` more hands.

    In each hand the side moves its peg once within the box; `may_move` is true until it has.
    """

    hands: int
    may_move: bool


class _Mode(msgspec.Struct, frozen=True, kw_only=True, tag_field="state"):
    """State in which the board shows something other than its game."""


class SignUpMode(_Mode, frozen=True, kw_only=True, tag="sign-up"):
    """Sign-up for a new game.

    Attributes:
        people: the number of people of each side.
        joining: true while further sides can join.
        preset: the set of rules for the game; "" means the rules of the settings.
        words: the name of `preset` for users; "" for the rules of the settings.
    """

    joined: list[int]
    people: dict[int, int]
    joining: bool
    preset: str
    words: str
    presets: tuple[str, ...]


class ShowMode(_Mode, frozen=True, tag="show"):
    """The light show that plays after a while without a press."""


class AsleepMode(_Mode, frozen=True, tag="asleep"):
    """The board is dark until somebody presses a button."""


class LightsMode(_Mode, frozen=True, tag="lights"):
    """A light test or a calibration controls the strip."""


class ButtonTestMode(_Mode, frozen=True, tag="button-test"):
    """The test of buttons and lamps is running."""


class TourMode(_Mode, frozen=True, kw_only=True, tag="tour"):
    """The tour of the board's light signs shows `sign`, which `line` explains."""

    sign: str
    line: str


class ReplayMode(_Mode, frozen=True, kw_only=True, tag="replay"):
    """A replay of the recorded game number `game` shows its state `at`, of states 0 to `of`."""

    game: int
    at: int
    of: int


Mode = SignUpMode | ShowMode | AsleepMode | LightsMode | ButtonTestMode | TourMode | ReplayMode


class DemoCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command that was accepted in the game of the demo."""

    seq: int
    events: tuple[Event, ...]


class DemoNews(msgspec.Struct, frozen=True, kw_only=True):
    """The demo, in which computers play games of their own.

    Attributes:
        stage: "play" during a game. Between two games, "path" replays the pegs' route through the
            last game, and "show" is a light show without pegs.
        table: the state of the demo's game; None before the first game.
        cards: the cards of the demo's game; None before the first game.
        lines: the last lines of the commentary, the newest at the end.
        names: the names of the players by seat.
    """

    on: bool = True
    stage: Stage
    table: TableResponse | None
    cards: Cards | None
    lines: list[str]
    names: dict[int, str]
    newest: DemoCommand | None


class NightStanding(msgspec.Struct, frozen=True, kw_only=True):
    """State of a table in a game night.

    Attributes:
        table: the number of the table.
        connected: true while the night's MQTT broker answers.
        round: the round that is played here now or next; 0 if there is none.
        names: the names of the two entrants, by side.
        awaited: the sides that have not yet confirmed the result.
        confirmed: the sides that have confirmed it.
        message: a line from the organiser.
    """

    table: int
    connected: bool = False
    round: int = 0
    names: dict[str, str] = {}
    awaited: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    message: str = ""


class Consent(msgspec.Struct, frozen=True, kw_only=True):
    """Request to the people at the table.

    If `kind` is "score", a phone asks to press a side's buttons; if it is "run", to run the table.
    If it is "update", an unsigned version on a USB stick waits to be installed. Holding `button` at
    the table grants the oldest request with that button.
    """

    number: int
    kind: ConsentKind
    name: str
    button: str


class TableNews(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about the present state of the table that a page shows.

    Attributes:
        revision: the number of changes of the table in this run of the program, presses included.
        settings: the version number of the settings in force, which grows with each change.
        match: the result of the match so far.
        boxes: the state of each side that is in a penalty box, by the side's number.
        notices: lines that every page shows.
        saved: False until the journal has all accepted commands.
        feedback: a line about the last press.
        seats: the number of players.
        cards: the dealt cards that everybody may see.
        consents: the requests to the people at the table, the oldest first.
        win_chances: each side's probability to win the game that is shown (the table's, or that of
            the demo), judged by pegs and dealer, not by cards; None until it is computed.
    """

    seq: int
    revision: int
    settings: int
    table: TableResponse
    match: MatchValue
    boxes: dict[int, BoxNews]
    mode: Mode | None
    notices: list[str]
    saved: bool
    feedback: str | None
    hint: HintResponse | None
    demo: DemoNews | None
    night: NightStanding | None
    seats: int
    cards: CardNews | None
    consents: list[Consent]
    win_chances: dict[int, float] | None


class TableStream(StreamEvents, frozen=True, kw_only=True):
    """Events of `GET /api/stream`, by name.

    `frame` is base64 of five bytes for each LED that has changed: its number in two bytes, the low
    byte first, then red, green and blue. The first frame has every LED.
    """

    news: TableNews
    entry: EntryResponse
    frame: str


def table_value(table: Table) -> TableResponse:
    """Return the state of a table's game, with the counts being entered."""
    state = table.display.view.state
    pending = {side: entered.points for side, entered in table.panel.counts.by_side.items()}
    sides = {side: asdict(side_value(state, side)) for side in state.setup.sides}
    return TableResponse(
        seq=table.queue.seq,
        sides={
            side: SideResponse(**pegs, pending=pending.get(side, 0)) for side, pegs in sides.items()
        },
        dealer=state.dealer,
        hand=state.hand,
        winner=state.winner,
    )


def events_value(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return a command's events, but only the first of a correction: the rest repeat old events."""
    corrected = events and events[0].kind is Kind.CORRECTED
    return events[:1] if corrected else events


def demo_value(demo: Demo, words: Commentator) -> DemoNews:
    """Return the news about a demo, with the commentator's words."""
    hand, newest = demo.game.hand if demo.game else None, demo.accepted
    return DemoNews(
        stage=demo.stage,
        table=table_value(demo.table) if demo.table else None,
        cards=cards_value(hand, hand.seating.seats) if hand else None,
        lines=[line.in_words(words) for line in demo.lines],
        names={seat: words.board.player(seat) for seat in demo.names},
        newest=DemoCommand(seq=newest.seq, events=events_value(newest.entry.events))
        if newest
        else None,
    )


def row_words(phrases: Phrases) -> RowWords:
    """Return all kinds of zone, kinds of event and buttons, with their names in a language."""
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


def boxes_value(state: State) -> dict[int, BoxNews]:
    """Return the boxed sides by number."""
    sides = ((side, state.pegs(side).boxed) for side in state.setup.sides)
    return {
        side: BoxNews(hands=boxed.hands, may_move=state.is_to_move_in_box(side))
        for side, boxed in sides
        if boxed
    }


def mode_value(table: Table, commentator: Commentator) -> Mode | None:
    """Return what the board shows instead of its game; None also for a replay or a light test."""
    view, sign, sign_up = table.display.view, table.display.sign, table.panel.sign_up
    if sign:
        return TourMode(sign=sign, line=commentator.sign(sign))
    if view.button_test:
        return ButtonTestMode()
    if sign_up:
        words = Text(ROWS["preset"].words.get(sign_up.preset, ""))
        return SignUpMode(
            joined=list(sign_up.joined),
            people=dict(sign_up.people),
            joining=sign_up.joining,
            preset=sign_up.preset,
            words=commentator.phrases.message(words),
            presets=sign_up.presets,
        )
    if view.attract:
        return ShowMode()
    return AsleepMode() if view.asleep else None
