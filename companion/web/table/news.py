"""News of the table: one value with everything about the present that a page shows.

They are made for each page, in its language, and encoded by msgspec. A stream sends them whenever
the bytes differ from those that it sent last. Most fields are about the game at the table. `mode`,
`demo` and `night` are about the other things that the board may show.
"""

import msgspec

from companion.rules.game import Event
from companion.rules.game.notation import MatchValue
from companion.table.consents import ConsentKind
from companion.table.demo import Stage
from companion.web.cards.card_responses import CardNews, Cards
from companion.web.http.sse import StreamEvents
from companion.web.table.table_responses import EntryResponse, HintResponse, TableResponse


class BoxNews(msgspec.Struct, frozen=True, kw_only=True):
    """A side in a penalty box: the `hands` that it still sits out.

    `may_move` is true if it has not yet made its move of this hand.
    """

    hands: int
    may_move: bool


class _Mode(msgspec.Struct, frozen=True, kw_only=True, tag_field="state"):
    """State in which the board shows something other than its game."""


class SignUpMode(_Mode, frozen=True, kw_only=True, tag="sign-up"):
    """Sign-up for a new game by the rules of `preset`.

    `joined` are the sides that play, `people` the number of people of each. `joining` is true while
    further sides may join. `words` is the name of the preset for people; it is empty for the rules
    of the settings.
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
    """A light test or a calibration has the strip."""


class ButtonTestMode(_Mode, frozen=True, tag="button-test"):
    """The test of buttons and lamps is running."""


class TourMode(_Mode, frozen=True, kw_only=True, tag="tour"):
    """The tour of the lights shows the sign `sign`; `line` explains it."""

    sign: str
    line: str


class ReplayMode(_Mode, frozen=True, kw_only=True, tag="replay"):
    """The replay of recorded game number `game` is at place `at`; its last place is `of`."""

    game: int
    at: int
    of: int


Mode = SignUpMode | ShowMode | AsleepMode | LightsMode | ButtonTestMode | TourMode | ReplayMode


class DemoCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command that was accepted in the game of the demo."""

    seq: int
    events: tuple[Event, ...]


class DemoNews(msgspec.Struct, frozen=True, kw_only=True):
    """The demo, with the table and the cards of its own game; these are None before the first game.

    `lines` are the last lines of the commentary, the newest at the end. `names` are the names of
    the players by seat, and `newest` is the last command. Between two games the stage "path"
    replays the pegs' route through the last game, and "show" is a light show without pegs.
    """

    on: bool = True
    stage: Stage
    table: TableResponse | None
    cards: Cards | None
    lines: list[str]
    names: dict[int, str]
    newest: DemoCommand | None


class NightStanding(msgspec.Struct, frozen=True, kw_only=True):
    """Standing of a table in a game night.

    Attributes:
        table: the number of the table.
        connected: true while the broker answers.
        round: the round that is played here now or next; 0 if there is none.
        names: the names of the two entrants, by side.
        awaited: the sides that have not yet confirmed the result.
        confirmed: the sides that have confirmed it.
        message: the organiser's line.
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

    With the `kind` "score" or "run" a phone asks to be let in. With "update", a version without a
    signature on a USB stick waits to be installed. If `button` is held at the table, the oldest
    request with that button is granted.
    """

    number: int
    kind: ConsentKind
    name: str
    button: str


class TableNews(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about the present state of the table that a page shows.

    Attributes:
        revision: a number that grows by one with each change of the table, also by a pending press.
        settings: the number of the facts in force, see `GET /api/about`.
        match: the result of the match so far.
        boxes: the sides in penalty boxes, by number.
        notices: lines that every page shows.
        saved: False while the journal does not have all accepted commands.
        feedback: a line about the last press.
        seats: the number of players.
        cards: what everybody may know of the cards that are dealt.
        consents: the requests to the people at the table, the oldest first.
        win_chances: the chance of each side to win, by number; together they are 1. They follow
            from pegs and dealer, not from cards. While the demo plays they are about its game. None
            until they are computed.
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

    `frame` is base64 with five bytes for each LED that has changed: its number in two bytes, the
    lower one first, then red, green and blue. The first frame has every LED.
    """

    news: TableNews
    entry: EntryResponse
    frame: str
