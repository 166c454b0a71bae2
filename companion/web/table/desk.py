"""The seam: what the page asks of the running table, and all that it asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.board.layout import Board
from companion.rules.cards import Card
from companion.table import Tapped
from companion.web.cards import responses
from companion.web.table import responses as table_responses

if TYPE_CHECKING:  # imported once the board is lit
    from companion.web.records.service import RecordsService
    from companion.web.settings.service import SettingsService


class NoHandError(LookupError):
    """No hand of cards is played under such a token."""


class Party(Protocol):
    """The game of cards at the table, if there is one; called in the event loop."""

    def begin(self, seats: Sequence[str]) -> dict[int, str]:
        """Deal to "person" or kinds of computer player; the token of each seat with a person.

        Raises:
            BadInputError: there is no such kind.
            RuleError: cards cannot be dealt to these, or not now.
        """
        ...

    def end(self) -> None:
        """Put the cards away, if there are any."""
        ...

    def hand(self, token: str) -> responses.OwnHand:
        """What whoever holds a token may see; a `NoHandError` if it is none of this game.

        `cards` of `Desk.news`, with the faces of the own hand; `seat`; `lines`, the last of the
        commentary; `ask`, None or `{"for": "discard" | "play", "cards": how many}`.
        """
        ...

    def play(self, token: str, cards: tuple[Card, ...]) -> None:
        """Throw cards, or play one.

        Raises:
            NoHandError: the token is none of this game.
            RuleError: the rules refuse the cards; nothing is changed.
        """
        ...


class Desk(Protocol):
    """The running table as the page sees it; every method is called in the event loop."""

    @property
    def board(self) -> Board:
        """The board that lies on the table."""
        ...

    @property
    def party(self) -> Party:
        """The cards that are dealt at the table."""
        ...

    @property
    def records(self) -> RecordsService:
        """The games that were played at the table."""
        ...

    @property
    def setup(self) -> SettingsService:
        """Its settings, and its strip LED by LED."""
        ...

    @property
    def closing(self) -> asyncio.Event:
        """Set when the server stops: every stream then says goodbye and ends."""
        ...

    def table(self) -> table_responses.Table:
        """What `GET /api/table` answers."""
        ...

    def news(self) -> dict[str, object]:
        """The table and what is to be said about it.

        `seq`; `table`; `match`, the series so far; `notices`, lines to show; `saved`, whether the
        journal has it all; `feedback`, a line about the last press, or None; `hint`, the same
        as `{"kind", "team"}`, or None.

        `demo` is None, or while the board plays by itself `{"on": true, "stage": "play" | "path"
        | "show", "table", "cards", "lines": [text...], "names": {seat: text}}`: `table` like that
        of `GET /api/table`, of the demo's own game, None before the first; `cards` as below, None
        before the first deal; `lines` the last of the commentary, the newest last; `names` of the
        players. Between two games "path" runs through the last one, "show" is light only.

        `mode` is None, or what the board does besides the game: `{"state": "sign-up", "joined",
        "joining"}`, `{"state": "show"}`, `{"state": "asleep"}`, `{"state": "lights"}` while the
        strip is tried, or while a game of the records is shown `{"state": "replay", "game": number,
        "at": place, "of": last place}`.

        `seats` is how many play. `cards` is None, or while cards are dealt to them `{"seats":
        {seat: "person" | kind}, "asked": seat | null, "shown"}`: `shown` are the cards as below,
        None before the first deal; no face among them that lies down.

        Cards are `{"phase": "discard" | "starter" | "play" | "show" | "over", "dealer": seat,
        "turn": seat | null, "starter": card | null, "count": n, "pile": [card...], "hands":
        [{"seat", "team", "folded": bool, "cards": [{"card": card | null, "played": bool}...]}...],
        "crib": [card | null...], "showing": seat | "crib" | null}`: hands from the dealer's left
        round to the dealer, a boxed side's not among them; a card like "5H", null face down;
        `pile` since the count was 0; `played` cards lie on the table until the show.
        """
        ...

    def entries(self) -> Sequence[table_responses.Told]:
        """The commands that were accepted last, in their order; the same sequence until a change.

        `seq` rises by one from each to the next; the last is that of `table`.
        """
        ...

    def about(self) -> table_responses.Outfit:
        """What stays as it is while the table runs."""
        ...

    def frame(self) -> tuple[int, NDArray[np.uint8]]:
        """The number of the newest frame and its (leds, 3) bytes, as the strip gets them.

        A frame, once given, is never written to again.
        """
        ...

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Have `wake` called whenever news or frame changed; what is returned ends that."""
        ...

    def press(self, button: str, *, down: bool) -> None:
        """Drive a mock pin.

        Raises:
            ButtonError: the button is down already, or there is none of that name.
            LookupError: there is no mock panel.
        """
        ...

    async def at_rest(self) -> None:
        """Wait until a contact just let up has come to rest: a press from then on is another."""
        ...

    @property
    def pad_buttons(self) -> tuple[str, ...]:
        """The buttons that a score pad has: all that a panel can have, whatever is wired."""
        ...

    def tap(self, button: str, *, held: float) -> Tapped:
        """Press a button of a score pad, that was held so many seconds until now."""
        ...

    async def settled(self) -> None:
        """Wait until all that was accepted so far is acknowledged."""
        ...

    async def visit(self) -> None:
        """Wait until somebody presses a button at the table, which does nothing else then."""
        ...

    def changed(self) -> None:
        """Wake every viewer: what is told besides the table has changed."""
        ...

    def rulings(self) -> list[table_responses.Ruling]:
        """What `GET /api/rulings` answers: all that can go wrong, and what follows (N1 to N17)."""
        ...

    def advice(self) -> dict[str, table_responses.Advice]:
        """What `GET /api/advice` answers: by team, what each count would do from here."""
        ...

    async def command(self, body: bytes) -> table_responses.Table:
        """Carry out a referee's command in JSON; the table as it stands when it is acknowledged.

        Raises:
            BadInputError: it is no such command.
            RuleError: the rules refuse it; nothing is changed.
        """
        ...

    def demo(self, *, on: bool) -> None:
        """Begin the demo, or end it and show the game again as it stands."""
        ...
