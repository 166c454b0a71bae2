"""Endpoints of the set-up: settings, the doctor, the light test, the calibration of the wiring."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta
from starlette.responses import FileResponse, Response

from companion.board.drawing.board import draw
from companion.devices.doctor.finding import Finding
from companion.errors import BadInputError, StaleError
from companion.web.http.endpoint import Call, Operation, Right
from companion.web.pages import HTML, STATIC, SVG
from companion.web.settings import responses
from companion.web.settings.service import SettingsService


class Change(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/settings`: values by key, null for the default; the stamp of the text."""

    changes: Annotated[dict[Annotated[str, Meta(max_length=100)], Any], Meta(max_length=500)]
    stamp: Annotated[str, Meta(max_length=64)]


class Restart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/restart`: the run of the server to end, so that a repeat ends no other."""

    run: Annotated[str, Meta(max_length=64)]


class Colours(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Query of `GET /api/look-alikes`: the colour of each side as `#rrggbb`; "" for the default."""

    one: Annotated[str, Meta(max_length=20)] = ""
    two: Annotated[str, Meta(max_length=20)] = ""
    three: Annotated[str, Meta(max_length=20)] = ""


class LightsTest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/lights-test`: a pattern to show, or null for the game."""

    pattern: Literal["index", "order", "white", "zones"] | None


class Begin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One LED a hole or a hole and lane, and the number of data wires."""

    per: Literal["hole-and-lane", "hole"]
    channels: Annotated[int, Meta(ge=1, le=2)] = 1


class Place(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place on the printed sheet."""

    x_mm: Annotated[float, Meta(ge=-1e4, le=1e4)]
    y_mm: Annotated[float, Meta(ge=-1e4, le=1e4)]


class Calibrate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/calibration`: one of these fields."""

    begin: Begin | None = None
    tap: Place | None = None
    nothing: bool = False
    undo: bool = False
    end: Literal["save", "drop"] | None = None


_ABSENT: Final = frozenset({404})
_REFUSED: Final = frozenset({404, 409})
_UNSOUND: Final = frozenset({400, 404})


class SettingsEndpoints:
    """Endpoints of the set-up; `run` identifies this run of the server."""

    def __init__(self, service: SettingsService, *, run: str) -> None:
        self._service, self._run = service, run

    @property
    def operations(self) -> tuple[Operation, ...]:
        """All endpoints of this slice."""
        return (*self._of_settings, *self._of_machine, *self._of_lights)

    @property
    def _of_settings(self) -> tuple[Operation, ...]:
        return (
            Operation(
                method="GET",
                path="/setup",
                name="setup_page",
                says="The page on which the board is set up.",
                needs=Right.WATCH,
                media=HTML,
                does=self._page,
            ),
            Operation(
                method="GET",
                path="/api/settings",
                name="settings",
                says="Every setting as the file has it, and what a first run asks.",
                needs=Right.RUN,
                answers=responses.SettingsForm,
                does=self._settings,
                refuses=_UNSOUND,
            ),
            Operation(
                method="POST",
                path="/api/settings",
                name="change_settings",
                says="Write settings into the file; they take effect at the next start.",
                needs=Right.RUN,
                asks=Change,
                answers=responses.SettingsForm,
                does=self._change,
                refuses=_REFUSED,
            ),
            Operation(
                method="GET",
                path="/api/look-alikes",
                name="look_alikes",
                says="Which of the sides' colours and the zones' some eyes would confuse.",
                needs=Right.RUN,
                asks=Colours,
                answers=list[str],
                does=self._look_alikes,
                refuses=_ABSENT,
            ),
        )

    @property
    def _of_machine(self) -> tuple[Operation, ...]:
        return (
            Operation(
                method="POST",
                path="/api/restart",
                name="restart",
                says="Start the program anew with the settings in the file; the game goes on.",
                needs=Right.RUN,
                asks=Restart,
                does=self._restart,
                refuses=_REFUSED,
            ),
            Operation(
                method="GET",
                path="/api/doctor",
                name="doctor",
                says="What is in order at this machine, and what to mend.",
                needs=Right.RUN,
                answers=list[Finding],
                does=self._doctor,
                refuses=_ABSENT,
            ),
        )

    @property
    def _of_lights(self) -> tuple[Operation, ...]:
        return (
            Operation(
                method="POST",
                path="/api/lights-test",
                name="lights_test",
                says="Show a pattern on the strip until a press at the table, or the game again.",
                needs=Right.RUN,
                asks=LightsTest,
                answers=responses.LightTest,
                does=self._lights_test,
                refuses=_REFUSED,
            ),
            Operation(
                method="GET",
                path="/api/calibration",
                name="calibration",
                says="How far it is known how the strips lie, and what is lit.",
                needs=Right.RUN,
                answers=responses.CalibrationProgress,
                does=self._calibration,
                refuses=_ABSENT,
            ),
            Operation(
                method="POST",
                path="/api/calibration",
                name="calibrate",
                says="Find out how the strips lie: begin, tell where light is seen, go back, end.",
                needs=Right.RUN,
                asks=Calibrate,
                answers=responses.CalibrationProgress,
                does=self._calibrate,
                refuses=_REFUSED,
            ),
            Operation(
                method="GET",
                path="/calibration.svg",
                name="calibrated_board",
                says="The printed board on which to tap.",
                needs=Right.RUN,
                media=SVG,
                does=self._calibrated_board,
                refuses=_ABSENT,
            ),
        )

    async def _page(self, _call: Call[None]) -> Response:
        return FileResponse(STATIC / "setup.html")

    async def _settings(self, _call: Call[None]) -> responses.SettingsForm:
        return await self._service.settings()

    async def _change(self, call: Call[Change]) -> responses.SettingsForm:
        return await self._service.change(call.asked.changes, call.asked.stamp)

    async def _look_alikes(self, call: Call[Colours]) -> list[str]:
        sides = {"1": call.asked.one, "2": call.asked.two, "3": call.asked.three}
        return self._service.look_alikes({side: text for side, text in sides.items() if text})

    async def _restart(self, call: Call[Restart]) -> None:
        if call.asked.run != self._run:
            raise StaleError("the table was started anew meanwhile: load the page again")
        self._service.restart()

    async def _doctor(self, _call: Call[None]) -> list[Finding]:
        return await self._service.findings()

    async def _lights_test(self, call: Call[LightsTest]) -> responses.LightTest:
        return await self._service.light_test(call.asked.pattern)

    async def _calibration(self, _call: Call[None]) -> responses.CalibrationProgress:
        return self._service.calibration()

    async def _calibrated_board(self, _call: Call[None]) -> Response:
        return Response(draw(self._service.calibrated_board), media_type=SVG)

    async def _calibrate(self, call: Call[Calibrate]) -> responses.CalibrationProgress:
        service, body = self._service, call.asked
        given = (body.begin, body.tap, body.nothing or None, body.undo or None, body.end)
        if sum(each is not None for each in given) != 1:
            raise BadInputError("send one of begin, tap, nothing, undo and end")
        if body.begin:
            return await service.calibrate(per=body.begin.per, channels=body.begin.channels)
        if body.end:
            return await service.end_calibration(save=body.end == "save")
        if body.undo:
            return await service.undo_answer()
        return await service.answer((body.tap.x_mm, body.tap.y_mm) if body.tap else None)
