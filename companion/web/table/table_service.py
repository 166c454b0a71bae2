"""The state of the running table for pages, in their languages.

`TableService` turns the state of a `Table` into the values of `table_responses`, with one narrator
for each language that a page uses, and with the win chances, which a worker computes. Every change
raises `revision`, so that a page can tell the newer of two states.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

from msgspec import convert

from companion.board.layout import MOST_POINTS
from companion.commentary import Commentator, languages, load_phrases
from companion.devices.live import Broadcast, InForce, LiveSettings
from companion.players.values.win_chance import win_chances
from companion.rules.game import Setup, State
from companion.rules.game.advice import fives_to_lead, outcomes
from companion.rules.game.notation import match_value
from companion.table import Accepted, Table
from companion.table.demo import Demo
from companion.table.panel.actions import Hint, HintKind
from companion.web.card_service import CardService
from companion.web.http.addresses import is_local
from companion.web.table import table_responses
from companion.web.table.news import (
    Consent,
    Mode,
    NightStanding,
    TableNews,
    boxes_value,
    demo_value,
    events_value,
    mode_value,
    row_words,
    table_value,
)
from companion.worker import Worker


class WinChances:
    """Win chances of the latest state; for use in the event loop.

    The first computation for a board takes seconds on a Raspberry Pi, since it also makes
    look-up tables of win probabilities. `changed` is called after each computation.
    """

    def __init__(self, changed: Callable[[], None], worker: Worker) -> None:
        self._changed, self._worker = changed, worker
        self._wanted: tuple[State, object] | None = None
        self._known: tuple[State, object] | None = None
        self._chances: dict[int, float] = {}
        self._task: asyncio.Task[None] | None = None

    def of(self, state: State, demo: object = None) -> dict[int, float] | None:
        """Return the chances by side, or None if no chances of this game are computed yet.

        While the chances of `state` are being computed, older chances of its game are returned.
        `demo` is the running demo, in which computers play; None if the table shows its own game.
        """
        self._wanted = (state, demo)
        if not self._is_known() and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._compute())
        if self._known is None:
            return None
        before, its_demo = self._known
        if before is not state and not (its_demo is demo and _may_stand_for(before, state)):
            return None
        return self._chances

    def _is_known(self) -> bool:
        return bool(self._known and self._wanted and self._known[0] is self._wanted[0])

    async def _compute(self) -> None:
        while self._wanted is not None and not self._is_known():
            state, demo = self._wanted
            self._chances = await self._worker.do(partial(win_chances, state))
            self._known = (state, demo)
            self._changed()


def _may_stand_for(before: State, state: State) -> bool:
    """Return True if both states are of the same game, and nobody has won it."""
    fewer, more = sorted((before.counts, state.counts))
    is_begun_anew = fewer == 0 and more > 1
    return (
        before.setup is state.setup and before.winner is state.winner is None and not is_begun_anew
    )


class Narrator:
    """Commands and hints of the running table in the words of one language."""

    def __init__(self, table: Table, names: Mapping[int, str], language: str) -> None:
        self._table, self._names, self._language = table, names, language
        self._commentator: Commentator | None = None
        self._accepted: tuple[Accepted, ...] = ()
        self._entries: tuple[table_responses.EntryResponse, ...] = ()

    def commentator(self, setup: Setup) -> Commentator:
        commentator = self._commentator
        if commentator is None or commentator.setup is not setup:
            commentator = Commentator.make(self._language, self._names, setup)
            self._commentator = commentator
        return commentator

    def entries(self) -> tuple[table_responses.EntryResponse, ...]:
        """Return the last accepted commands in order; a new tuple is made only for a new command.

        Their numbers `seq` are consecutive; the last one is also the `seq` of the table's snapshot.
        """
        accepted = self._table.queue.accepted
        if accepted != self._accepted:
            made = {entry.seq: entry for entry in self._entries}
            self._entries = tuple(made.get(each.seq) or self._entry(each) for each in accepted)
            self._accepted = accepted
        return self._entries

    def _entry(self, accepted: Accepted) -> table_responses.EntryResponse:
        """Return the response for an accepted command, worded for the game to which it belongs."""
        entry, undone = accepted.entry, accepted.undone
        return table_responses.EntryResponse(
            seq=accepted.seq,
            line=self.commentator(entry.state.setup).entry(entry, undone=undone),
            events=events_value(entry.events),
            undone=events_value(undone),
        )

    def hint(self, hint: Hint) -> str:
        if hint.error:
            return load_phrases(self._language).message(hint.error.text, self._names)
        words = self.commentator(self._table.display.view.state.setup)
        return words.hint(hint.kind, side=hint.side, button=hint.button)


class TableService:
    """The running table for the page's endpoints; for use in the event loop.

    Args:
        live: the settings in force.
        mock: True for mock buttons.
        closing: is set when the server stops; then every stream says goodbye and ends.
        restarts: returns True if the server starts again after it stops.
        night: returns the table's state in a game night; None if it takes part in none.
        mode: returns the replay or the light test that the board shows; None without one.
        demo: returns the demo while it plays, else None.
        thinking: computes win chances.

    Attributes:
        instance_id: the id of this run of the server.
        revision: the number of changes of the table in this run.
        narrator: returns the narrator of a language.
    """

    def __init__(
        self,
        table: Table,
        live: LiveSettings,
        *,
        mock: bool,
        broadcast: Broadcast,
        closing: asyncio.Event,
        restarts: Callable[[], bool],
        cards: CardService,
        night: Callable[[], NightStanding | None],
        mode: Callable[[], Mode | None],
        demo: Callable[[], Demo | None],
        thinking: Worker,
    ) -> None:
        self.table, self.board = table, live.now.assembly.board
        self._live, self._mock = live, mock
        self.facts = self._facts()
        self.broadcast, self.closing, self.restarts = broadcast, closing, restarts
        self._cards, self._night, self._mode, self._demo = cards, night, mode, demo
        self.narrator = cache(lambda language: Narrator(table, live.now.names, language))
        self._win_chances = WinChances(broadcast.notify, thinking)
        self.instance_id, self.revision = secrets.token_urlsafe(16), 0
        table.changed.subscribe(self._note_change)
        live.changed.subscribe(self._take_over)

    def _note_change(self) -> None:
        self.revision += 1
        self.broadcast.notify()

    def _take_over(self, _before: InForce) -> None:
        """Use the settings that are in force now."""
        self.facts = self._facts()
        self.narrator.cache_clear()
        self.broadcast.notify()

    def _facts(self) -> table_responses.TableFacts:
        """Return the facts that follow from the settings; a side without a name has the name ""."""
        now = self._live.now
        assembly, names = now.assembly, now.names
        return {
            "settings": now.number,
            "teams": {
                side: {"name": names.get(int(side), ""), "colour": colour}
                for side, colour in now.colours.items()
            },
            "language": now.settings.language,
            "languages": {each: load_phrases(each).say("name") for each in languages()},
            "buttons": list(assembly.pins),
            "most_points": MOST_POINTS,
            "mock": self._mock,
            "leds": assembly.light.wiring.places,
            "strip": now.settings.strip.driver,
            "width_mm": assembly.board.width_mm,
            "height_mm": assembly.board.height_mm,
            "zones": bool(assembly.board.track.zones),
            "side_paths": {z.id: z.kind for z in assembly.board.track.zones if z.diverts},
            "local_only": is_local(now.settings.web.host),
            **row_words(load_phrases(now.settings.language)),
        }

    @property
    def names(self) -> Mapping[int, str]:
        return self._live.now.names

    def snapshot(self) -> table_responses.TableResponse:
        return table_value(self.table)

    @property
    def language(self) -> str:
        """The table's language, for callers that ask for no language."""
        return self.facts["language"]

    def facts_in(self, language: str) -> table_responses.TableFacts:
        """Return the facts with the names of sides, zones, events and buttons in a language."""
        phrases = load_phrases(language)
        names = {int(side): label["name"] for side, label in self.facts["teams"].items()}
        sides: dict[str, table_responses.SideLabel] = {
            side: {**label, "name": phrases.side(int(side), names)}
            for side, label in self.facts["teams"].items()
        }
        return {**self.facts, "language": language, "teams": sides, **row_words(phrases)}

    def news(self, language: str) -> TableNews:
        table, demo = self.table, self._demo()
        state, narrator = table.display.view.state, self.narrator(language)
        feedback, hint = self.hint(table.display.hint, language)
        words = self.words(language)
        return TableNews(
            seq=table.queue.seq,
            revision=self.revision,
            settings=self.facts["settings"],
            table=self.snapshot(),
            match=match_value(state),
            boxes=boxes_value(state),
            mode=self._mode() or mode_value(table, narrator.commentator(state.setup)),
            notices=[
                *map(load_phrases(language).message, table.notices.lines),
                *map(narrator.hint, _standing_hints(table)),
            ],
            saved=table.queue.saved,
            feedback=feedback,
            hint=hint,
            demo=demo_value(demo, words) if demo else None,
            night=self._night(),
            seats=state.setup.players,
            cards=self._cards.news(words),
            consents=[
                convert(each, Consent, from_attributes=True)
                for each in table.panel.consents.waiting
            ],
            win_chances=self._win_chances.of(_shown(table, demo), demo),
        )

    def words(self, language: str) -> Commentator:
        """Return the commentator of the running game, or of the demo's game while that plays."""
        setup = _shown(self.table, self._demo()).setup
        return self.narrator(language).commentator(setup)

    def entries(self, language: str) -> tuple[table_responses.EntryResponse, ...]:
        return self.narrator(language).entries()

    def hint(
        self, hint: Hint | None, language: str
    ) -> tuple[str, table_responses.HintResponse] | tuple[None, None]:
        if hint is None:
            return None, None
        value = convert(hint, table_responses.HintResponse, from_attributes=True)
        return self.narrator(language).hint(hint), value

    def advice(self) -> dict[int, table_responses.Advice]:
        """Return the advice to each side."""
        state = self.table.display.view.state
        return {
            side: table_responses.Advice(
                outlooks=outcomes(state, side), lead_five_to=fives_to_lead(state, side)
            )
            for side in state.setup.sides
        }


def _shown(table: Table, demo: Demo | None) -> State:
    return ((demo and demo.table) or table).display.view.state


def _standing_hints(table: Table) -> Iterator[Hint]:
    for button in table.panel.held.stuck:
        yield Hint(kind=HintKind.STUCK, button=button)
    if table.queue.history.has_new_rules:
        yield Hint(kind=HintKind.NEW_RULES)
