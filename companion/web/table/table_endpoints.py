"""Endpoints that act on the table: mock (simulated) buttons, new games, the demo, the referee.

For a command of the referee or a correction, a page first asks for a preview: the server computes
what the command would change, and the page shows it. `POST /api/command` computes this again, from
the state at that moment, and carries the command out. The preview of a penalty against Amber, for
example, has the pegs of all sides before and after it.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field
from starlette.responses import Response

from companion.commentary import Commentator, load_phrases
from companion.errors import LaterCommandError, RuleError, Text
from companion.rules.game import (
    Command,
    Correct,
    Entry,
    Kind,
    Muggins,
    NewGame,
    Overpeg,
    Peg,
    Penalty,
    counting_side,
    standing,
)
from companion.rules.game.advice import grants
from companion.rules.game.commands import RULINGS
from companion.rules.game.house_rules import preset_name
from companion.rules.game.notation import command_shapes, side_value
from companion.settings.schema import ROWS
from companion.web.card_service import CardService
from companion.web.http.endpoint import Button, Call, Right, Seconds, endpoint, only_field
from companion.web.http.security import refuse
from companion.web.table import table_responses
from companion.web.table.table_service import TableService
from companion.web.table.taps import MockButtons, check_button

COMMANDS = ("penalty", "claim", "muggins", "overpeg", "correct", "set_pegs")
"""Commands that only pages can send, not buttons."""

RefereeCommand = command_shapes("RefereeCommand", COMMANDS)
"""Body of `POST /api/command` and `/api/preview`: one command, with its name as the key."""


class PressRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/press`: the button goes down, and up again `seconds` later."""

    button: Button
    seconds: Seconds = 0.1


class DemoRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/demo`: true begins the demo, false ends it."""

    on: bool


SideNumber = Annotated[int, Meta(ge=1, le=3)]


class NewGameRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/new-game`: the sides, the number of people, and the set of rules.

    A field that is missing stays as in the last game.
    """

    sides: Annotated[tuple[SideNumber, ...], Meta(min_length=2, max_length=3)] | None = field(
        name="teams", default=None
    )
    players: Literal[2, 3, 4, 6] | None = None
    preset: Annotated[str, Meta(max_length=64)] | None = None


class TableEndpoints:
    """Endpoints that act on the table; `mock` is None where the buttons are real."""

    def __init__(self, table: TableService, mock: MockButtons | None) -> None:
        self._table, self._mock = table, mock

    def _no_panel(self) -> Response | None:
        if self._mock:
            return None
        return refuse(404, "there is no mock panel here: press the real buttons, or run --simulate")

    @endpoint("POST", "/api/press", Right.NEAR, precondition=_no_panel, error_statuses=(404, 409))
    async def _press(self, call: Call[PressRequest]) -> table_responses.TableResponse:
        """Press a button of the mock panel; answer when it is up and its effect is stored."""
        body = call.body
        check_button(body.button, self._table.facts["buttons"])
        assert self._mock is not None  # noqa: S101  # otherwise `_no_panel` has refused
        await self._mock.press(body.button, body.seconds)
        await self._table.table.queue.settled()
        return self._table.snapshot()

    @endpoint("GET", "/api/new-game", Right.WATCH)
    async def _new_game_options(self, call: Call[None]) -> table_responses.NewGameOptions:
        """Return the sides, people and rules that a new game can have."""
        setup, presets = self._table.table.state.setup, self._table.table.queue.history.presets
        say = load_phrases(call.language).message
        return table_responses.NewGameOptions(
            lanes=setup.track.lanes,
            sides=setup.sides,
            players=setup.players,
            presets=tuple(presets),
            settings=preset_name(presets[""]),
            preset=setup.preset,
            muggins=setup.rules.muggins,
            words={name: say(Text(words)) for name, words in ROWS["preset"].words.items()},
        )

    @endpoint("POST", "/api/new-game", Right.RUN, error_statuses=(409,))
    async def _new_game(self, call: Call[NewGameRequest]) -> table_responses.TableResponse:
        """Begin a new game; one Undo takes that back."""
        body, table = call.body, self._table.table
        dealer = None if body.sides else table.state.next_first_dealer()
        await table.execute(
            NewGame(sides=body.sides, dealer=dealer, players=body.players, preset=body.preset)
        )
        return self._table.snapshot()

    @endpoint("POST", "/api/demo", Right.RUN)
    async def _demo(self, call: Call[DemoRequest]) -> table_responses.TableResponse:
        """Begin the demo, or end it."""
        self._table.table.demo(on=call.body.on)
        return self._table.snapshot()


class RefereeEndpoints:
    """Endpoints of the referee of the running game.

    If the program deals the cards, it checks a muggins call against them. Computer players decide
    themselves whether to take the points that a command offers them.
    """

    def __init__(self, service: TableService, cards: CardService) -> None:
        self._service, self._table, self._cards = service, service.table, cards

    @endpoint("GET", "/api/referee", Right.WATCH)
    async def _referee_options(self, _call: Call[None]) -> table_responses.RefereeOptions:
        """List the errors of play with their consequences, and the referee's present choices."""
        return table_responses.RefereeOptions(
            rulings=list(RULINGS.values()),
            grants=grants(self._table.state),
            computers=self._computers,
        )

    @property
    def _computers(self) -> tuple[int, ...]:
        return self._cards.game.computers if self._cards.game else ()

    @endpoint("GET", "/api/counts", Right.WATCH)
    async def _game_counts(self, call: Call[None]) -> list[table_responses.CountResponse]:
        """List the counts of the running game that can be corrected, the newest first."""
        start, entries = self._table.queue.history.game
        seqs = {id(accepted.entry): accepted.seq for accepted in self._table.queue.accepted}
        words, found = self._commentator(call.language), list[table_responses.CountResponse]()
        for number, (entry, now) in enumerate(
            zip(entries, standing(start, entries), strict=True), start=1
        ):
            side = counting_side(now.command)
            if side is not None and now.events:
                points = now.command.points if isinstance(now.command, Peg | Muggins) else None
                found.append(
                    table_responses.CountResponse(
                        entry=number,
                        seq=seqs.get(id(entry)),
                        hand=now.state.hand,
                        side=side,
                        points=points,
                        line=words.entry(now),
                    )
                )
        return found[::-1]

    @endpoint("POST", "/api/preview", Right.RUN, request_type=RefereeCommand, error_statuses=(409,))
    async def _preview_command(self, call: Call[msgspec.Struct]) -> table_responses.CommandPreview:
        """Return what a command would do, without doing it."""
        command, language = await self._read(call.body), call.language
        before, entry = self._table.state, self._decide(command, language)
        zones = [
            table_responses.ZoneLanding(side=event.side, kind=zone)
            for event in entry.events
            if (zone := event.kind.facts.zone)
        ]
        changes = self._changes(entry, language) if isinstance(command, Correct) else []
        return table_responses.CommandPreview(
            line=self._commentator(language).entry(entry),
            choices=self._choices(command),
            zones=[] if isinstance(command, Correct) else zones,
            sides={
                side: table_responses.SideChange(
                    before=side_value(before, side), after=side_value(entry.state, side)
                )
                for side in before.setup.sides
            },
            changes=changes,
        )

    @endpoint("POST", "/api/command", Right.RUN, request_type=RefereeCommand, error_statuses=(409,))
    async def _command(self, call: Call[msgspec.Struct]) -> table_responses.TableResponse:
        """Carry out a command of the referee, a correction, or the placing of pegs."""
        command = await self._read(call.body)
        entry = self._decide(command, call.language)
        if self._cards.game and isinstance(command, Muggins):
            self._cards.game.counts.check(command)
        await self._table.carry_out(entry)
        return self._service.snapshot()

    async def _read(self, body: msgspec.Struct) -> Command:
        """Return the command of a request, with the computers' decisions to take points or not."""
        command: Command = only_field(body)
        game = self._cards.game
        return await game.with_choices(command) if game else command

    def _choices(self, command: Command) -> dict[int, bool]:
        """Return each computer's side that is offered points, with True if it takes them."""
        takers: tuple[int | None, ...]
        match command:
            case Penalty(by=by):
                takers = command.taken
            case Overpeg(side=by, taken_by=taker) if taker is None or taker in self._computers:
                takers = (taker,)
            case _:
                return {}
        asked = set(grants(self._table.state).takers) & set(self._computers) - {by}
        return {side: side in takers for side in sorted(asked)}

    def _commentator(self, language: str) -> Commentator:
        return self._service.narrator(language).commentator(self._table.state.setup)

    def _decide(self, command: Command, language: str) -> Entry:
        """Return the entry of a command: the command, its events and the state after them.

        Raises:
            RuleError: the rules forbid the command, or, with this correction, a later command.
        """
        try:
            return self._table.queue.history.decide(command)
        except LaterCommandError as error:
            start, entries = self._table.queue.history.game
            line = self._commentator(language).entry(standing(start, entries)[error.number - 1])
            raise RuleError(
                "not possible: “{line}” would then be refused: {reason}",
                line=line,
                reason=error.cause.text,
                rule=error.rule,
                side=error.side,
            ) from error

    def _changes(self, entry: Entry, language: str) -> list[table_responses.LaterChange]:
        """Return the later commands whose consequences differ after a correction."""
        start, entries = self._table.queue.history.game
        before, after = standing(start, entries), standing(start, [*entries, entry])
        words = self._commentator(language)
        return [
            table_responses.LaterChange(
                before=words.entry(old) if old.events else "",
                after=words.entry(new) if new.events else "",
            )
            for old, new in zip(before, after, strict=False)
            if _consequences(old) != _consequences(new) or old.command != new.command
        ]


def _consequences(entry: Entry) -> list[tuple[Kind, int | None]]:
    """Return the kind and the side of each event of a command; its holes are left out."""
    return [(event.kind, event.side) for event in entry.events]
