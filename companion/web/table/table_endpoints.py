"""Endpoints that act on the table: presses of mock (simulated) buttons, new games, the demo."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field
from starlette.responses import Response

from companion.commentary import load_phrases
from companion.errors import Text
from companion.rules.game import NewGame
from companion.rules.game.house_rules import preset_name
from companion.settings.schema import ROWS
from companion.web.http.endpoint import Call, Right, endpoint
from companion.web.http.requests import Button, Seconds
from companion.web.http.security import refuse
from companion.web.table import table_responses
from companion.web.table.table_service import TableService
from companion.web.table.taps import MockButtons, check_button


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
