"""Events of the table's stream: the news, with what the board shows besides its own game.

The news are one value with everything about the present state that a page shows. It is made for
each reader, with the words in the language of its page, and encoded by msgspec; a stream sends it
whenever the bytes differ from those it sent last.
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
    """Boxed side: its hands still to sit; `may_move`, true if this hand's move is to come."""

    hands: int
    may_move: bool


class _Mode(msgspec.Struct, frozen=True, kw_only=True, tag_field="state"):
    """Display of the board besides the game."""


class SignUpMode(_Mode, frozen=True, kw_only=True, tag="sign-up"):
    """Sign-up for a new game by the rules of `preset`; `people` by side, `joining` for more.

    `words` is the name of the preset for people, "" for the rules of the settings.
    """

    joined: list[int]
    people: dict[int, int]
    joining: bool
    preset: str
    words: str
    presets: tuple[str, ...]


class ShowMode(_Mode, frozen=True, tag="show"):
    """Light show of a table at rest."""


class AsleepMode(_Mode, frozen=True, tag="asleep"):
    """Dark board, which any press wakes."""


class LightsMode(_Mode, frozen=True, tag="lights"):
    """Light test or calibration."""


class ButtonTestMode(_Mode, frozen=True, tag="button-test"):
    """Test of buttons and lamps."""


class TourMode(_Mode, frozen=True, kw_only=True, tag="tour"):
    """Tour of the lights, `line` its words."""

    sign: str
    line: str


class ReplayMode(_Mode, frozen=True, kw_only=True, tag="replay"):
    """Replay of the recorded game of this number, at a place of it, `of` the last."""

    game: int
    at: int
    of: int


Mode = SignUpMode | ShowMode | AsleepMode | LightsMode | ButtonTestMode | TourMode | ReplayMode


class DemoCommand(msgspec.Struct, frozen=True, kw_only=True):
    """Accepted command of the demo's game."""

    seq: int
    events: tuple[Event, ...]


class DemoNews(msgspec.Struct, frozen=True, kw_only=True):
    """Demo: the table and the cards of its own game, None before the first.

    `lines` are the last of the commentary, the newest last; `names` those of the players by seat;
    `newest` is the last command. Between two games the stage "path" shows the pegs' way in the last
    one, "show" light only.
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
        table: its number.
        connected: the broker answers.
        round: the round that is played or to be played here; 0 without one.
        names: of the two entrants, by side.
        awaited: sides that are to confirm the result.
        confirmed: sides that have.
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

    Of `kind` "score" or "run": a phone that asks to be let in; of kind "update": a version on a USB
    stick, without a signature, to be installed. Holding the button at the table grants the first
    that names it.
    """

    number: int
    kind: ConsentKind
    name: str
    button: str


class TableNews(msgspec.Struct, frozen=True, kw_only=True):
    """News of the table, and what is shown and said about it.

    Attributes:
        revision: grows by one with each change of the table, pending presses too.
        settings: the number of the facts in force, see `GET /api/about`.
        match: the series so far.
        boxes: the boxed sides by number.
        notices: lines to show.
        saved: False while the journal lacks something.
        feedback: a line about the last press.
        seats: the number of players.
        cards: those dealt to them.
        consents: the oldest first.
        win_chances: of the sides by number, adding up to 1, from the pegs and the deal, not from
            cards; of the demo's game while it plays. None until computed.
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

    `frame` is in base64, for each LED that has changed its number in two bytes, the lower first,
    then red, green and blue.
    """

    news: TableNews
    entry: EntryResponse
    frame: str
