"""A game of cards at the running table: people play their hands on pages, computers play theirs.

A game of cards (a session) begins with a player for each seat, such as `["person", "shark"]`. Each
person gets a token, the secret part of the address of a hand. A caller needs the token to see this
hand and to play it. A card that lies face down is shown nowhere else: not on public pages, on pages
of other hands, or in the commentary. The session is stored with every change, so that the same
addresses open the same hands after a restart.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import asdict

from companion.commentary import CommentaryLine, Commentator
from companion.devices.live import LiveSettings
from companion.errors import BadInputError, RuleError, Text
from companion.players import KINDS, Player, make_player
from companion.rules.cards import Card
from companion.rules.game import Setup
from companion.table import Table
from companion.table.cards.card_commands import DealtCards, Sleep, at_speed
from companion.table.cards.card_game import DealtGame
from companion.web.card_session import CardNews, CardSession, OwnHand, read_session
from companion.worker import Worker

PERSON: Final = "person"

_log = logging.getLogger(__name__)


class NoHandError(LookupError):
    """No hand in the game has this token."""


class CardService:
    """Games of cards at a table, one at a time.

    `worker` computes the cards of the computer players. `changed` is called after every change.
    `sleep` makes the pauses between cards, which the setting `demo.speed` shortens.
    """

    def __init__(
        self,
        table: Table,
        live: LiveSettings,
        worker: Worker,
        *,
        changed: Callable[[], None],
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._table, self._live, self._worker = table, live, worker
        self._changed, self._sleep = changed, sleep
        self._session: CardSession | None = None
        self._sessions = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, seats: Sequence[str]) -> dict[int, str]:
        """Begin a game of cards. Return the token of each person by seat.

        `seats` has "person" or a kind of computer player for each seat.

        Raises:
            BadInputError: there is no such kind.
            RuleError: the number of seats is wrong, or no cards can be dealt now.
        """
        setup = self._table.state.setup
        self._check(seats, setup)
        kinds = dict(enumerate(seats, start=1))
        people = [seat for seat, kind in kinds.items() if kind == PERSON]
        tokens = {secrets.token_urlsafe(16): seat for seat in people}
        self._begin(CardSession(setup=setup, kinds=kinds, tokens=tokens))
        return self.tokens(opened=True)

    def resume(self, content: bytes) -> None:
        """Go on with the game of cards in `content`, stored by the journal; do nothing for b""."""
        setup = self._table.state.setup
        if not content:
            return
        try:
            stored = read_session(content, setup)
            dealt = stored.dealt(setup)
        except BadInputError:
            _log.exception("the dealt cards are not restored")
            self._table.notices.say(Text("the dealt cards could not be restored: deal again"))
            return
        session = CardSession(
            setup=setup,
            kinds=dict(enumerate(stored.kinds, start=1)),
            tokens=stored.tokens,
            opened=set(stored.opened),
        )
        session.lines.extend(map(CommentaryLine, stored.lines))
        self._begin(session, dealt)

    def _begin(self, session: CardSession, restored: DealtCards | None = None) -> None:
        self._session = session
        self._sessions += 1
        session.task = asyncio.get_running_loop().create_task(self._run(session, restored))
        self._tasks.add(session.task)
        session.task.add_done_callback(self._tasks.discard)
        self._changed()

    def tokens(self, *, opened: bool) -> dict[int, str]:
        """Return people's tokens by seat; with `opened=False`, only of hands not opened yet."""
        if self._session is None:
            return {}
        hidden = set() if opened else self._session.opened
        return {seat: token for token, seat in self._session.tokens.items() if seat not in hidden}

    async def save(self) -> None:
        """Store the game of cards in the journal, or store there that no cards are dealt."""
        session = self._session
        if session and session.game:
            await session.game.save()
        else:
            await self._table.queue.save_cards(session.encode(DealtCards()) if session else b"")

    def _check(self, seats: Sequence[str], setup: Setup) -> None:
        for kind in seats:
            if kind not in KINDS and kind != PERSON:
                text = "no player is named {kind}: choose person, {kinds}"
                raise BadInputError(text, kind=repr(kind), kinds=", ".join(KINDS))
        if len(seats) != setup.players:
            raise RuleError(
                "this game has {players} seats, not {seats}: name the player of each seat",
                players=setup.players,
                seats=len(seats),
                rule="T1",
            )
        if self._session:
            raise RuleError("cards are dealt already: end that game of cards first")
        if self._table.display.view.attract:
            raise RuleError("the demo plays: end it first")
        if self._table.state.winner is not None:
            raise RuleError("this game is won: press Deal for the next one, then deal cards")

    def end(self) -> None:
        session, self._session = self._session, None
        if session and session.task:
            session.task.cancel()
            self._changed()

    async def close(self) -> None:
        """End the game of cards; return when all its tasks have ended."""
        self.end()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Views and plays

    def news(self, words: Commentator | None = None) -> CardNews | None:
        """Return the view for every page; None if no cards are dealt."""
        if self._session is None:
            return None
        shown = asdict(self._session.shown((), words))
        return CardNews(**shown, session=self._sessions)

    def hand(self, token: str, words: Commentator | None = None) -> OwnHand:
        """Return the view for the holder of a token.

        Raises:
            NoHandError: this game has no such token.
        """
        session, seat = self._seat(token)
        shown = asdict(session.shown((seat,), words))
        lines = [line.in_words(words) for line in session.lines]
        return OwnHand(**shown, seat=seat, ask=session.ask(seat), lines=lines)

    def play(self, token: str, cards: tuple[Card, ...]) -> None:
        """Discard or play cards of the hand with a token.

        Raises:
            NoHandError: this game has no such token.
            RuleError: the rules forbid the cards; nothing is changed.
        """
        _, game, seat = self._game(token)
        game.answer(seat, cards)
        self._table.demo(on=False)

    async def enter(
        self, token: str, points: int, *, given_back: bool = False, of: int | None = None
    ) -> None:
        """Enter points for the hand with a token: a count, a muggins call, or 0 to go on.

        `given_back` gives the points of a call back to the side that erred (M3). `of` is the seat
        that counts; None means the count that waits for points from this side.

        Raises:
            NoHandError: this game has no such token.
            RuleError: the side has nothing to enter, or its call is wrong.
        """
        session, game, seat = self._game(token)
        await game.enter(session.setup.side_of(seat), points, given_back=given_back, seat=of)
        self._table.demo(on=False)

    @property
    def game(self) -> DealtGame | None:
        return self._session.game if self._session else None

    def _seat(self, token: str) -> tuple[CardSession, int]:
        if self._session is None or token not in self._session.tokens:
            raise NoHandError("this hand is not being played: the game of cards is over")
        seat = self._session.tokens[token]
        self._session.opened.add(seat)
        return self._session, seat

    def _game(self, token: str) -> tuple[CardSession, DealtGame, int]:
        session, seat = self._seat(token)
        if session.game is None:
            raise RuleError("the cards are not dealt yet: wait a moment")
        return session, session.game, seat

    # Playing

    async def _run(self, session: CardSession, restored: DealtCards | None) -> None:
        try:
            await self._play(session, restored)
        except Exception:  # noqa: BLE001  # the table must go on
            _log.exception("the game of cards has stopped")
            self._table.notices.say(Text("the game of cards has stopped: the log says why"))
        if self._session is session:
            self._session = None
            self._changed()
            await self.save()

    async def _play(self, session: CardSession, restored: DealtCards | None) -> None:
        players = await self._worker.do(lambda: _players(session))
        now = self._live.now
        session.game = DealtGame(
            self._table,
            players,
            Commentator.make(now.settings.language, now.names, session.setup),
            rng=random.SystemRandom(),
            narrate=session.lines.append,
            changed=self._changed,
            think=self._worker.do,
            tells=session.setup.rules.worth_told and not now.settings.night.broker,
            restored=restored,
            encode=session.encode,
            sleep=at_speed(now.settings.demo.speed, self._sleep),
        )
        await session.game.run()
        while await self._next_game(session.setup):
            await session.game.run(cut=False)

    async def _next_game(self, setup: Setup) -> bool:
        """Wait while a won game is on the table; return True if the next is played with `setup`."""
        changed = asyncio.Event()
        unsubscribe = self._table.changed.subscribe(changed.set)
        try:
            while self._table.state.winner is not None:
                changed.clear()
                await changed.wait()
        finally:
            unsubscribe()
        return self._table.state.setup == setup


def _players(session: CardSession) -> dict[int, Player | None]:
    """Return a computer player for each seat, None where a person sits."""
    rng = random.SystemRandom()
    return {
        seat: None if kind == PERSON else make_player(kind, session.setup, rng)
        for seat, kind in session.kinds.items()
    }
