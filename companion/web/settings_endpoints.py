"""Endpoints of the set-up page: settings, doctor, lights, wiring calibration, home network.

A page loads the settings with a stamp, a hash of their files, and sends it back with each change.
If a file has been changed meanwhile, the stamp differs, and the request is refused with 409. The
page then loads the new values and keeps those that its user has changed.

The page loses the board while the board joins a network, because the board has one radio. So the
request to join is answered before the join begins, and the result is in `GET /api/network` later.
"""

from typing import Annotated, Any, ClassVar, Literal, TypedDict

import msgspec
from msgspec import Meta, field
from starlette.responses import Response

from companion.board.drawing.board_drawing import draw
from companion.devices.doctor.finding import Finding
from companion.devices.network_manager import BoardNetwork
from companion.errors import BadInputError, StaleError, Text
from companion.lights import Palette, look_alikes
from companion.lights.colour import ROUNDS
from companion.network import (
    JoinFailure,
    NetworkStage,
    WifiNetwork,
    is_wifi_name,
    is_wifi_password,
)
from companion.settings.row import WIFI_NAME, WIFI_PASSWORD
from companion.web import settings_responses
from companion.web.board_lights import NoSetupError
from companion.web.http.endpoint import Call, Right, described, endpoint, only_field
from companion.web.pages import SVG
from companion.web.settings_service import SettingsService
from companion.web.table.table_service import TableService


class SettingsChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/settings`: values by key, null to remove one, and the files' stamp."""

    changes: Annotated[dict[Annotated[str, Meta(max_length=100)], Any], Meta(max_length=500)]
    stamp: Annotated[str, Meta(max_length=64)]


class Restart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/restart`: the id of the server's run that the page wants to end."""

    instance_id: Annotated[str, Meta(max_length=64)] = field(name="run")


_Colour = Annotated[str, Meta(max_length=20), described("(#[0-9A-Fa-f]{6})?")]


class Colours(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Query of `GET /api/look-alikes`: the colour of each side as `#rrggbb`; "" for the default."""

    one: _Colour = ""
    two: _Colour = ""
    three: _Colour = ""


class LightsTest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/lights-test`: a pattern to show, or null for the game."""

    pattern: Literal["index", "order", "white", "zones"] | None


class Begin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Start of a calibration: `per` says what has its own LED; `channels` counts data wires."""

    per: Literal["hole-and-lane", "hole"]
    channels: Annotated[int, Meta(ge=1, le=2)] = 1


class AnsweredQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Question of a calibration; `answers` is the number of questions answered before it."""

    answers: Annotated[int, Meta(ge=0, le=2**53)]


class SheetPoint(AnsweredQuestion, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A point of the printed sheet where the light in question is seen."""

    x_mm: Annotated[float, Meta(ge=-1e4, le=1e4)]
    y_mm: Annotated[float, Meta(ge=-1e4, le=1e4)]


class Calibrate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/calibration`: one of these fields; `nothing` if no light is seen."""

    one_field: ClassVar[bool] = True
    begin: Begin | msgspec.UnsetType = msgspec.UNSET
    tap: SheetPoint | msgspec.UnsetType = msgspec.UNSET
    nothing: AnsweredQuestion | msgspec.UnsetType = msgspec.UNSET
    undo: AnsweredQuestion | msgspec.UnsetType = msgspec.UNSET
    end: Literal["save", "drop"] | msgspec.UnsetType = msgspec.UNSET


class Patch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The patch of LEDs that looks most neutral in a round of the white balance."""

    round: Annotated[int, Meta(ge=1, le=ROUNDS)]
    patch: Annotated[int, Meta(ge=1, le=5)]


class BalanceWhite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/white-balance`: one of these fields."""

    one_field: ClassVar[bool] = True
    begin: Literal[True] | msgspec.UnsetType = msgspec.UNSET
    choose: Patch | msgspec.UnsetType = msgspec.UNSET
    end: Literal["save", "drop"] | msgspec.UnsetType = msgspec.UNSET


class SettingsEndpoints:
    """Endpoints that the set-up page of a table uses."""

    def __init__(self, service: SettingsService, table: TableService) -> None:
        self._service, self._table = service, table

    @endpoint("GET", "/api/settings", Right.RUN, error_statuses=(400, 404))
    async def _settings(self, _call: Call[None]) -> settings_responses.SettingsForm:
        """Return every setting as it is in the files, and the questions of a first run."""
        return await self._service.settings()

    @endpoint("POST", "/api/settings", Right.RUN, error_statuses=(404, 409))
    async def _change_settings(self, call: Call[SettingsChange]) -> settings_responses.SettingsForm:
        """Write settings into the page's file; they act at once or from the next start on."""
        return await self._service.change(call.body.changes, call.body.stamp)

    @endpoint("POST", "/api/settings/preview", Right.RUN, error_statuses=(404, 409))
    async def _preview(self, call: Call[SettingsChange]) -> settings_responses.Preview:
        """Return the effect of changed settings on the running game; nothing is written."""
        return await self._service.preview(call.body.changes, call.body.stamp)

    @endpoint("GET", "/api/look-alikes", Right.RUN, error_statuses=(404,))
    async def _look_alikes(self, call: Call[Colours]) -> list[Text]:
        """List the colours of sides and zones that some people cannot tell apart."""
        sides = {"1": call.body.one, "2": call.body.two, "3": call.body.three}
        palette = Palette.make({side: text for side, text in sides.items() if text})
        return look_alikes(palette)

    @endpoint("POST", "/api/restart", Right.RUN, error_statuses=(404, 409))
    async def _restart(self, call: Call[Restart]) -> None:
        """Restart the program with the settings in the files; the game goes on."""
        if call.body.instance_id != self._table.instance_id:
            raise StaleError("the table was restarted meanwhile: load the page again")
        self._service.restart()

    @endpoint("GET", "/api/doctor", Right.RUN, error_statuses=(404,))
    async def _doctor(self, _call: Call[None]) -> list[Finding]:
        """Check this machine: list what works, and what needs repair."""
        return await self._service.findings()

    @endpoint("POST", "/api/lights-test", Right.RUN, error_statuses=(404, 409))
    async def _lights_test(self, call: Call[LightsTest]) -> settings_responses.LightTest:
        """Show a pattern on the strip until a press at the table, or the game again."""
        return await self._service.light_test.show(call.body.pattern)

    @endpoint("GET", "/api/white-balance", Right.RUN, error_statuses=(404,))
    async def _white_balance(self, _call: Call[None]) -> settings_responses.WhiteBalance:
        """Return the progress of the white balance."""
        return self._service.white_balance.progress()

    @endpoint("POST", "/api/white-balance", Right.RUN, error_statuses=(404, 409))
    async def _balance_white(self, call: Call[BalanceWhite]) -> settings_responses.WhiteBalance:
        """Begin the white balance, choose the most neutral patch, or end."""
        service = self._service.white_balance
        match only_field(call.body):
            case Patch(round=number, patch=patch):
                return await service.choose(number, patch - 1)
            case "save" | "drop" as end:
                return await service.end(save=end == "save")
            case _:
                return await service.begin()

    @endpoint("GET", "/api/calibration", Right.RUN, error_statuses=(404,))
    async def _calibration(self, _call: Call[None]) -> settings_responses.CalibrationProgress:
        """Return the progress of the calibration, and the question with its lit LEDs."""
        return self._service.light_test.calibration()

    @endpoint("POST", "/api/calibration", Right.RUN, error_statuses=(404, 409))
    async def _calibrate(self, call: Call[Calibrate]) -> settings_responses.CalibrationProgress:
        """Begin a calibration, answer its question, undo the last answer, or end."""
        service = self._service.light_test
        match only_field(call.body):
            case Begin(per=per, channels=channels):
                return await service.calibrate(per=per, channels=channels)
            case SheetPoint(x_mm=x, y_mm=y, answers=answers):
                return await service.answer(answers, (x, y))
            case AnsweredQuestion(answers=answers) if call.body.undo:
                return await service.undo_answer(answers)
            case AnsweredQuestion(answers=answers):
                return await service.answer(answers, None)
            case end:
                return await service.end_calibration(save=end == "save")

    @endpoint("GET", "/calibration.svg", Right.RUN, media=SVG, error_statuses=(404,))
    async def _calibrated_board(self, _call: Call[None]) -> Response:
        """Draw the printed board of the calibration."""
        return Response(draw(self._service.light_test.calibrated_board), media_type=SVG)


class JoinNetwork(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/network`: a network to join; the password of an open one is ""."""

    name: Annotated[str, Meta(max_length=100)]
    password: Annotated[str, Meta(max_length=100)] = ""


class NetworkResponse(TypedDict):
    """The board's network.

    `hotspot` is the name of its hotspot. `asked` is the network that it was last asked to join, and
    `failure` the reason why that failed. `networks` are in reach, the strongest first. `fault` is
    the reason why none can be joined.
    """

    stage: NetworkStage
    hotspot: str
    asked: str
    failure: JoinFailure | None
    networks: list[WifiNetwork]
    fault: Text | None


class NetworkEndpoints:
    """Endpoints of the board's network; it is None if the table does not follow its network."""

    def __init__(self, network: BoardNetwork | None) -> None:
        self._network = network

    @endpoint("GET", "/api/network", Right.RUN)
    async def _network_of_board(self, _call: Call[None]) -> NetworkResponse | None:
        """Return the board's network; nothing if the table does not follow its network."""
        if self._network is None:
            return None
        networks = await self._network.networks()
        state = self._network.state
        return {
            "stage": state.stage,
            "hotspot": self._network.name,
            "asked": state.asked,
            "failure": state.failure,
            "networks": list(networks),
            "fault": self._network.fault,
        }

    @endpoint("POST", "/api/network", Right.RUN, error_statuses=(404, 409))
    async def _join_network(self, call: Call[JoinNetwork]) -> None:
        """Begin to join a network; the hotspot is closed meanwhile."""
        name, password = call.body.name, call.body.password
        if self._network is None:
            raise NoSetupError(Text("this table does not follow its network"))
        if not is_wifi_name(name):
            raise BadInputError("a Wi-Fi network has {takes}", takes=WIFI_NAME.takes)
        if password and not is_wifi_password(password):
            raise BadInputError("a Wi-Fi network has {takes}", takes=WIFI_PASSWORD.takes)
        if self._network.state.stage is NetworkStage.JOINING:
            raise StaleError("the board is joining a network already: wait for the result")
        self._network.join(name, password)
