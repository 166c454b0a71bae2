"""The desk: the running table as the page sees it, and the fingers that the page may have on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import cast

import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from companion.commentary import Commentator
from companion.errors import BadInputError
from companion.game import Claim, Entry, Muggins, Overpeg, Penalty, State
from companion.game.adviser import Outlook, fives_to_lead, outlooks
from companion.game.notation import event_value, read_command, side_value, state_value
from companion.game.referee import RULINGS, Ruling
from companion.lights import Palette, Wiring
from companion.table import Accepted, News, Table, all_actions
from companion.table.demo import Demo
from companion.table.shown_cards import shown_cards
from companion.web import answers
from companion.web.desk import Party
from hardware.mock import MockPanel
from hardware.strips import Frame

NAMES = {"#ffb000": "Amber", "#ffffff": "White", "#ff60d0": "Magenta"}
"""What sides in these colours are called; others go by their number."""


def side_names(names: Mapping[str, str], palette: Palette) -> dict[int, str]:
    """What the sides are called by team: as set, or by a colour that has a name.

    >>> side_names({"2": "Anna"}, Palette.make({"3": "#123456"}))
    {1: 'Amber', 2: 'Anna'}
    """
    called = ((team, names.get(str(team)) or NAMES.get(colour)) for team, colour in palette.teams)
    return {team: name for team, name in called if name}


class TableDesk:
    """Satisfies `companion.web.desk.Desk` once `serves` has told it of the table."""

    def __init__(
        self,
        board: Board,
        palette: Palette,
        wiring: Wiring,
        strip: str,
        *,
        names: Mapping[str, str] = MappingProxyType({}),
        language: str = "en",
    ) -> None:
        self.board = board
        self._names = side_names(names, palette)
        self._language = language
        self._commentator: Commentator | None = None
        self._line: tuple[Entry | None, str] = (None, "")
        self.closing = asyncio.Event()
        self._palette, self._wiring, self._strip = palette, wiring, strip
        self._table: Table
        self._buttons: tuple[str, ...] = ()
        self._mock: MockPanel | None = None
        self._played: Callable[[], Demo | None] = lambda: None
        self.party: Party
        self._cards: Callable[[], dict[str, object] | None] = lambda: None
        self._rest_s = 0.0
        self._loop = asyncio.get_running_loop()
        self._watchers: list[Callable[[], None]] = []
        leds = sum(wiring.leds)
        self._accepted: tuple[Accepted, ...] = ()
        self._entries: tuple[answers.Told, ...] = ()
        self._frame: tuple[int, NDArray[np.uint8]] = (0, np.zeros((leds, 3), np.uint8))

    def serves(
        self,
        table: Table,
        buttons: tuple[str, ...],
        mock: MockPanel | None,
        *,
        rest_s: float,
        demo: Callable[[], Demo | None] = lambda: None,
    ) -> None:
        """Tell of the running table, its buttons in panel order, and the fingers for mock pins.

        `rest_s` is how long a contact takes to come to rest; `demo` gives the demo while it plays.
        """
        self._table, self._buttons, self._mock, self._rest_s = table, buttons, mock, rest_s
        self._played = demo

    def deals(self, party: Party, cards: Callable[[], dict[str, object] | None]) -> None:
        """Tell of the cards dealt at the table; `cards` gives what everybody may see of them."""
        self.party, self._cards = party, cards

    def table(self) -> answers.Table:
        """What `GET /api/table` answers."""
        return _table(self._table.news)

    def news(self) -> dict[str, object]:
        """The table, and what is to be said about it."""
        news, demo = self._table.news, self._played()
        events = news.entry.events if news.entry else ()
        return {
            "seq": news.seq,
            "table": self.table(),
            "match": state_value(news.view.state)["match"],
            "events": [event_value(event) for event in events],
            "undone": [event_value(event) for event in news.undone],
            "boxes": _boxes(news.view.state),
            "mode": _mode(news),
            "notices": list(news.notices),
            "saved": news.saved,
            "feedback": news.feedback,
            "line": self._told(news),
            "demo": _demo(demo) if demo else None,
            "seats": news.view.state.setup.players,
            "cards": self._cards(),
        }

    def _told(self, news: News) -> str:
        """The commentator's words for the last entry, found once."""
        if news.entry and news.entry is not self._line[0]:
            setup, words = news.entry.state.setup, self._commentator
            if words is None or words.setup is not setup:
                words = self._commentator = Commentator.make(self._language, self._names, setup)
            self._line = news.entry, words.entry(news.entry, undone=news.undone)
        return self._line[1]

    def entries(self) -> tuple[answers.Told, ...]:
        """The commands that were accepted last."""
        accepted = self._table.accepted
        if accepted != self._accepted:
            self._accepted, self._entries = accepted, tuple(map(_told, accepted))
        return self._entries

    def about(self) -> answers.Outfit:
        """What stays as it is while the table runs."""
        return {
            "teams": {
                str(team): {"name": self._name(team), "colour": colour}
                for team, colour in self._palette.teams
            },
            "language": self._language,
            "buttons": list(self._buttons),
            "mock": self._mock is not None,
            "leds": self._wiring.places(),
            "strip": self._strip,
            "width_mm": self.board.width_mm,
            "height_mm": self.board.height_mm,
        }

    def _name(self, team: int) -> str:
        return self._names.get(team, f"Side {team}")

    def frame(self) -> tuple[int, NDArray[np.uint8]]:
        """The number of the newest frame, and its bytes as the strip gets them."""
        return self._frame

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Have `wake` called whenever news or frame changed; what is returned ends that."""
        self._watchers.append(wake)
        return lambda: self._watchers.remove(wake)

    def press(self, button: str, *, down: bool) -> None:
        """Drive a mock pin; a LookupError where the buttons are real."""
        if self._mock is None:
            raise LookupError("the buttons are real here")
        if down:
            self._mock.down(button)
        else:
            self._mock.up(button)

    async def at_rest(self) -> None:
        """Wait until a contact just let up has come to rest: a press from then on is another."""
        await asyncio.sleep(self._rest_s)

    @property
    def pad_buttons(self) -> tuple[str, ...]:
        """The buttons of a score pad."""
        return all_actions(self.board.track.lanes)

    def tap(self, button: str, *, held: float) -> None:
        """Press a button of a score pad, that was held so many seconds until now."""
        self._table.tap(button, held=held)

    async def settled(self) -> None:
        """Wait until all that was accepted so far is acknowledged."""
        await self._table.settled()

    async def visit(self) -> None:
        """Wait until somebody presses a button at the table, which does nothing else then."""
        await self._table.visit()

    def rulings(self) -> list[answers.Ruling]:
        """All that can go wrong at a table, and what follows (N1 to N17)."""
        return [_ruling(each) for each in RULINGS.values()]

    def advice(self) -> dict[str, answers.Advice]:
        """By team, what each count would do from here, and whom to lead a five."""
        state = self._table.news.view.state
        return {
            str(team): {
                "outlooks": [_outlook(each) for each in outlooks(state, team)],
                "lead_five_to": list(fives_to_lead(state, team)),
            }
            for team in state.setup.lanes
        }

    def demo(self, *, on: bool) -> None:
        """Begin the demo, or end it, as Mode does."""
        self._table.demo(on=on)

    async def command(self, body: bytes) -> answers.Table:
        """Carry out a referee's command; the table when it is acknowledged."""
        command = read_command(body)
        if not isinstance(command, Penalty | Claim | Muggins | Overpeg):
            text = "only penalty, claim, muggins and overpeg come from the page: press the buttons"
            raise BadInputError(text)
        await self._table.ask(command)
        return self.table()

    # What the table and the lights tell

    def changed(self) -> None:
        """Wake every viewer; called in the event loop."""
        for wake in tuple(self._watchers):
            wake()

    def seen(self, frame: Frame) -> None:
        """Take a new frame, in the lights thread."""
        number, _ = self._frame
        self._frame = (number + 1, np.concatenate([_rgb(channel) for channel in frame]))
        if self._watchers and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.changed)


def _table(news: News) -> answers.Table:
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


def _side(state: State, team: int, pending: int) -> answers.Side:
    return cast("answers.Side", side_value(state, team) | {"pending": pending})


def _told(accepted: Accepted) -> answers.Told:
    return {
        "seq": accepted.seq,
        "events": [event_value(event) for event in accepted.events],
        "undone": [event_value(event) for event in accepted.undone],
    }


def _ruling(ruling: Ruling) -> answers.Ruling:
    return {
        "rule": ruling.rule,
        "what": ruling.what,
        "follows": ruling.follows,
        "points": ruling.points,
        "claim": ruling.claim,
        "sources": list(ruling.sources),
    }


def _outlook(outlook: Outlook) -> answers.Outlook:
    return {
        "points": outlook.points,
        "lands": outlook.lands,
        "kind": outlook.kind.value if outlook.kind else None,
        "front": outlook.front,
        "forfeited": outlook.forfeited,
        "wins": outlook.wins,
    }


def _demo(demo: Demo) -> dict[str, object]:
    """A demo in the words of `companion.web.desk`."""
    hand = demo.game.hand if demo.game else None
    return {
        "on": True,
        "stage": demo.stage,
        "table": _table(demo.news) if demo.news else None,
        "cards": shown_cards(hand, hand.seating.seats) if hand else None,
        "lines": list(demo.lines),
        "names": {str(seat): name for seat, name in demo.names.items()},
    }


def _boxes(state: State) -> dict[str, object]:
    """The boxed sides: hands still to sit, and whether this hand's own move is still to come."""
    sides = ((team, state.side(team).boxed) for team in state.setup.lanes)
    return {
        str(team): {"hands": boxed.hands, "may_move": boxed.may_move and boxed.hands > 0}
        for team, boxed in sides
        if boxed
    }


def _mode(news: News) -> dict[str, object] | None:
    """What the board does besides the game, if it does."""
    if news.sign_up:
        joined = list(news.sign_up.joined)
        return {"state": "sign-up", "joined": joined, "joining": news.sign_up.joining}
    if news.view.attract:
        return {"state": "show"}
    return {"state": "asleep"} if news.view.asleep else None


def _rgb(channel: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A channel's bytes as red, green and blue; white light is all three at once."""
    if channel.shape[1] == len("RGB"):
        return channel
    white = channel[:, 3:]
    room = np.iinfo(np.uint8).max - channel[:, :3]
    return channel[:, :3] + np.minimum(white, room)
