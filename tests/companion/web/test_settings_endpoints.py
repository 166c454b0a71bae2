"""Endpoints of the set-up, and settings that are tried before they are written."""

import socket
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from starlette.applications import Starlette

from companion.board import load_board
from companion.devices.assembly import assemble
from companion.errors import UnusableSettingsError
from companion.settings.file import SettingsFile
from companion.settings.load import load_settings
from companion.settings.sources import page_file
from companion.web.http.endpoint import Right
from companion.web.settings_service import Preflight
from companion.web.table.news import LightsMode
from companion.worker import Worker
from hardware.errors import HardwareError
from tests.companion.table.bench import Bench, at_table
from tests.companion.web.client import fetch, send
from tests.support.program import HTTP, Program, running
from tests.support.real_table import RealTable
from tests.support.scenes import run_by
from tests.support.services import LookedAt

FAR = "192.168.1.9"
PAGE = "/setup"
OURS = (
    "/api/settings",
    "/api/settings/preview",
    "/api/look-alikes",
    "/api/restart",
    "/api/doctor",
    "/api/lights-test",
    "/api/calibration",
    "/calibration.svg",
)
TEXT = 'board = "classic"\n'


@pytest.fixture
def real_table(tmp_path: Path) -> Iterator[RealTable]:
    """Serve a table with a settings file."""
    (tmp_path / "cribwars.toml").write_text(TEXT)
    with RealTable(folder=tmp_path) as real_table:
        yield real_table


def text_of(real_table: RealTable) -> str:
    """Return the settings file of a table, and the page's file beside it."""
    assert real_table.file
    files = (real_table.file, page_file(real_table.file))
    return "".join(file.read_text() for file in files if file.exists())


async def post(app: Starlette, path: str, value: object) -> httpx.Response:
    """Return the response to this machine's own page."""
    return await send(app, "POST", path, body=msgspec.json.encode(value))


def sent(real_table: RealTable, path: str, value: object) -> httpx.Response:
    """Return the same response in a test without an event loop."""
    return real_table.run(lambda: post(real_table.app, path, value))


BY_HOLES = 'board = "classic"\n[wiring]\nper = "hole"\n'


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Program, Path]]:
    """Run a table with its settings file."""
    folder = tmp_path_factory.mktemp("table")
    file = folder / "cribwars.toml"
    file.write_text(BY_HOLES)
    with running(folder, "--config", str(file)) as program:
        yield program, file


class Tried:
    """A table beside which changes are tried; `looked.opened` are the opened strips."""

    def __init__(self, bench: Bench, folder: Path, text: str, port: int) -> None:
        file = folder / "cribwars.toml"
        file.write_text(text)
        self.file = SettingsFile(file, {}, check=assemble)
        self.looked = LookedAt(bench)
        running = load_settings(file, {})
        self._preflight = Preflight(running, self.looked.lights, port=lambda: port)

    async def faults(self, **changes: Any) -> list[tuple[str, str]]:  # noqa: ANN401  # any value
        """Return the faults of a change; `__` stands for the dot in a key."""
        reader = Worker("settings")
        requested = {key.replace("__", "."): value for key, value in changes.items()}
        proposal = self.file.propose(requested, self.file.read().stamp)
        try:
            await self._preflight.check(proposal, reader)
        except UnusableSettingsError as error:
            return [(fault.key, str(fault.text)) for fault in error.faults]
        finally:
            reader.close()
        return []


def beside_a_table(
    play: Callable[[Tried], Awaitable[None]],
    *,
    tmp_path: Path,
    text: str = BY_HOLES,
    port: int = 8000,
) -> None:
    """Try changes beside a table with these settings."""

    async def scene(bench: Bench) -> None:
        await play(Tried(bench, tmp_path, text, port))

    at_table(Bench(), scene)


class _Refusing(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Pins that pretend to be a machine's, of which the kernel has one."""

    def __init__(self) -> None:
        super().__init__()
        self.requested: list[int | str] = []

    def pin(self, name: int | str) -> object:
        self.requested.append(name)
        if name == 2:
            raise RuntimeError("GPIO busy")
        return super().pin(name)


def test_nothing_of_it_is_for_watchers(real_table: RealTable) -> None:
    """Everything except the page needs a phone that may run the table."""
    offered = {(each.path, each.right) for each in real_table.endpoints if each.path in OURS}
    assert {(path, Right.RUN) for path in OURS} == offered
    assert 200 == fetch(real_table, "GET", PAGE, client=FAR).status_code


def test_settings_are_shown_and_changed(real_table: RealTable) -> None:
    """They are those of the files; null removes a setting from the page's file."""
    form = fetch(real_table, "GET", "/api/settings").json()
    board = next(each for each in form["settings"] if each["key"] == "board")
    assert ("classic", "crib-wars", None) == (board["value"], board["default"], board["each"])
    assert "classic" in board["suggested"]
    assert {"id", "title", "help", "keys", "needs_lights"} == form["steps"][0].keys()
    assert (None, False) == (form["rejected"], form["pending"])
    changes = {"language": "fr", "board": None}
    answer = sent(real_table, "/api/settings", {"changes": changes, "stamp": form["stamp"]})
    assert (200, False) == (answer.status_code, answer.json()["pending"])
    assert 'language = "fr"\n' == text_of(real_table).splitlines(keepends=True)[-1]


@pytest.mark.parametrize(
    ("changes", "effect"),
    [
        ({"language": "fr"}, "unchanged"),
        ({"rules.finish": "exact", "rules.match_to": "7"}, "next-game"),
        ({"rules.game_to": "61"}, "next-game"),
        ({"board": "crib-wars"}, "new-game"),
        ({"teams": 3}, "new-game"),
        ({"players": 4}, "new-game"),
    ],
)
def test_the_effect_on_the_game_is_reported_before_and_after_saving(
    real_table: RealTable, changes: dict[str, object], effect: str
) -> None:
    """House rules apply from the next game; another board or other sides begin one."""
    stamp = fetch(real_table, "GET", "/api/settings").json()["stamp"]
    body = {"changes": changes, "stamp": stamp}
    assert {"game": effect} == sent(real_table, "/api/settings/preview", body).json()
    assert TEXT == text_of(real_table)
    by_hand = {"board", "teams"} & changes.keys()  # the command line of this table names both
    saved = sent(real_table, "/api/settings", body).json()["game"]
    assert ("unchanged" if by_hand else effect) == saved


def test_every_fault_is_reported_with_its_setting(real_table: RealTable) -> None:
    """A form can show each fault at its field."""
    stamp = fetch(real_table, "GET", "/api/settings").json()["stamp"]
    changes = {"teams": 9, "lights.calm": "no"}
    answer = sent(real_table, "/api/settings", {"changes": changes, "stamp": stamp})
    faults = answer.json()["faults"]
    assert (400, set(changes)) == (answer.status_code, {fault["key"] for fault in faults})
    assert answer.json()["error"] == "; ".join(fault["text"] for fault in faults)
    assert TEXT == text_of(real_table)


def test_a_refusal_says_why(real_table: RealTable) -> None:
    """It is one line: 409 for a file that has changed, 404 if nothing is kept."""
    change: dict[str, object] = {"changes": {}, "stamp": "another"}
    stale = sent(real_table, "/api/settings", change)
    nothing = [
        sent(RealTable(), path, value)
        for path, value in (
            ("/api/settings", change),
            ("/api/lights-test", {"pattern": "white"}),
            ("/api/calibration", {"undo": {"answers": 0}}),
        )
    ]
    assert [409, 404, 404, 404] == [each.status_code for each in (stale, *nothing)]
    assert all("\n" not in each.json()["error"] for each in (stale, *nothing))


def test_a_restart_is_of_the_run_that_was_seen(real_table: RealTable) -> None:
    """A second request gets the reply that another run is there."""
    run = fetch(real_table, "GET", "/api/about").json()["run"]
    for named, status in ((run, 204), ("another", 409)):
        body = msgspec.json.encode({"run": named})
        assert status == fetch(real_table, "POST", "/api/restart", body=body).status_code
    assert 1 == real_table.shutdown.restarts


def test_colours_are_judged_before_they_are_kept() -> None:
    """They are merged with the usual ones; a value that is no colour is refused."""
    app = RealTable()
    path = "/api/look-alikes"
    assert [] == fetch(app, "GET", path).json()
    (warning,) = fetch(app, "GET", f"{path}?two=%23ffb000").json()[:1]
    assert "side 1 (#ffb000) and side 2 (#ffb000)" in warning
    french = {"Accept-Language": "fr"}
    (told,) = fetch(app, "GET", f"{path}?two=%23ffb000", headers=french).json()[:1]
    assert "camp 1 (#ffb000) et camp 2 (#ffb000) se ressemblent" in told
    assert 400 == fetch(app, "GET", f"{path}?two=red").status_code


def test_the_doctor_is_asked(real_table: RealTable) -> None:
    """Each finding has all its fields."""
    findings = fetch(real_table, "GET", "/api/doctor").json()
    assert findings
    assert all({"level", "what", "why", "remedy"} == each.keys() for each in findings)
    assert {each["level"] for each in findings} <= {"ok", "note", "fix"}


def test_a_pattern_is_shown(real_table: RealTable) -> None:
    """The game is shown again afterwards."""

    async def scene() -> None:
        app, news = real_table.app, real_table.services.table.news
        for pattern in ("index", "order", "white", "zones"):
            shown = await post(app, "/api/lights-test", {"pattern": pattern})
            assert (pattern, LightsMode()) == (shown.json()["shown"], news("en").mode)
        ended = await post(app, "/api/lights-test", {"pattern": None})
        assert {"shown": None, "lines": []} == ended.json()
        assert news("en").mode is None

    real_table.run(scene)


def test_calibration_takes_one_word_at_a_time(real_table: RealTable) -> None:
    """The words are begin, answers, back and end; each response has the progress."""
    board = load_board("classic")

    async def scene() -> None:
        app = real_table.app

        async def reported(value: object) -> tuple[bool, int]:
            answer = await post(app, "/api/calibration", value)
            assert answer.json() == (await send(app, "GET", "/api/calibration")).json()
            return answer.json()["begun"], answer.json()["answers"]

        assert (True, 0) == await reported({"begin": {"per": "hole-and-lane", "channels": 2}})
        assert (True, 0) == await reported({"begin": {"per": "hole"}})
        (first, *_) = (place for row in board.rows for place in row.places())
        assert (True, 1) == await reported(
            {"tap": {"x_mm": first[1], "y_mm": first[2], "answers": 0}}
        )
        assert (True, 2) == await reported({"nothing": {"answers": 1}})
        assert (True, 2) == await reported({"nothing": {"answers": 1}})
        assert (True, 1) == await reported({"undo": {"answers": 2}})
        assert (True, 1) == await reported({"undo": {"answers": 2}})
        picture = await send(app, "GET", "/calibration.svg")
        assert "image/svg+xml" in picture.headers["content-type"]
        unfinished = await post(app, "/api/calibration", {"end": "save"})
        assert 409 == unfinished.status_code
        assert (False, 0) == await reported({"end": "drop"})
        assert 404 == (await send(app, "GET", "/calibration.svg")).status_code

    real_table.run(scene)
    assert TEXT == text_of(real_table)


def test_anything_else_is_refused() -> None:
    """It gets 400 before any check whether set-up is possible."""
    values: list[dict[str, object]] = [
        {},
        {"nothing": {"answers": 0}, "undo": {"answers": 0}},
        {"tap": {"x_mm": 1, "y_mm": 1, "answers": 0}, "end": "drop"},
        {"begin": {"per": "mile"}},
        {"begin": {"per": "hole", "channels": 3}},
        {"tap": {"x_mm": 1e9, "y_mm": 0, "answers": 0}},
        {"nothing": True},
        {"end": "perhaps"},
    ]
    with RealTable() as table:
        statuses = [sent(table, "/api/calibration", value).status_code for value in values]
    assert [400] * len(values) == statuses


@pytest.mark.program
@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("web.host", "10.255.254.253", 'no such address; set [web] host = "127.0.0.1"'),
        ("web.host", "a b", 'no such name is known here; set [web] host = "127.0.0.1"'),
        ("web.host", "nowhere.invalid", "no such name is known here; set [web] host"),
        ("web.port", 70_000, "it takes a whole number from 0 to 65535"),
        ("strip.driver", "neopixel", "neopixel:18"),
        ("strip.driver", "rpi_ws281x:spi", "set "),
        ("strip.driver", "pio:/dev/leds7", "there is no /dev/leds7"),
    ],
)
def test_what_the_table_cannot_start_with_is_refused(
    program: tuple[Program, Path], key: str, value: object, words: str
) -> None:
    """Its key has a remedy, whatever the command line says; nothing is written."""
    table, file = program
    stamp = HTTP.get(f"{table.url}api/settings").json()["stamp"]
    requested = {"changes": {key: value}, "stamp": stamp}
    answer = HTTP.post(f"{table.url}api/settings", json=requested)
    assert (400, False) == (answer.status_code, page_file(file).exists())
    (fault,) = answer.json()["faults"]
    assert key == fault["key"]
    assert words in fault["text"]
    assert "is back on" not in str(next(table.news())["notices"])


@pytest.mark.program
def test_a_board_may_be_set_before_it_is_plugged_in(tmp_path: Path) -> None:
    """The change is written with a warning, and the table waits for the board."""
    file = tmp_path / "cribwars.toml"
    file.write_text(BY_HOLES)
    with running(tmp_path, "--config", str(file)) as table:
        stamp = HTTP.get(f"{table.url}api/settings").json()["stamp"]
        changes = {"strip.driver": "serial:/dev/ttyNONE7", "panel.buttons": "serial"}
        requested = {"changes": changes, "stamp": stamp}
        answer = HTTP.post(f"{table.url}api/settings", json=requested)
        (warning,) = answer.json()["warnings"]
        assert "/dev/ttyNONE7 is not there; plug the board in" in warning
        assert changes["strip.driver"] in page_file(file).read_text()
        assert (0, "") == table.stop()


def test_the_pages_own_port_is_not_in_its_way(tmp_path: Path) -> None:
    """A new host at the page's port is tried; a port in use is refused."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        async def own(tried: Tried) -> None:
            assert [] == await tried.faults(web__host="0.0.0.0", web__port=port)  # noqa: S104
            assert [] == await tried.faults(web__host="localhost", web__port=port)

        async def other(tried: Tried) -> None:
            ((key, text),) = await tried.faults(web__port=port)
            assert ("web.port", True) == (key, "another program uses this port" in text)

        beside_a_table(own, tmp_path=tmp_path, port=port)
        beside_a_table(other, tmp_path=tmp_path)


@run_by(beside_a_table)
async def test_what_stays_as_it_is_is_not_tried(tried: Tried) -> None:
    """The running strip and an unchanged one are not opened, so nothing blinks."""
    text = f'{BY_HOLES}[strip]\ndriver = "pio:/dev/leds7"\n'
    tried.file.by_hand.write_text(text)
    assert [] == await tried.faults(lights__calm=True, strip__budget_ma=3000)
    assert [] == await tried.faults(strip__driver="virtual")
    assert [] == tried.looked.opened


@run_by(beside_a_table, text=f'{BY_HOLES}[strip]\ndriver = "pio:/dev/leds7"\nbudget_ma = 9000\n')
async def test_a_strip_that_cannot_be_lit_is_reported_beside_what_was_changed(tried: Tried) -> None:
    """Driver, type or length is named; then the board shows the game again."""
    cases: list[tuple[dict[str, Any], str]] = [
        ({"strip__driver": "pio:/dev/leds8", "strip__type": "sk6812"}, "strip.driver"),
        ({"strip__type": "ws2811"}, "strip.type"),
        ({"wiring__per": "hole-and-lane"}, "wiring.per"),
        ({"board": "crib-wars"}, "board"),
    ]
    for opened, (changes, key) in enumerate(cases, start=1):
        tried.looked.troubles = [HardwareError("the overlay has num_leds=9: set it")]
        ((found, reported),) = await tried.faults(**changes)
        assert (key, True) == (found, "num_leds=9: set it" in reported)
        assert [] == await tried.faults(**changes)
        assert (2 * opened, None) == (len(tried.looked.opened), tried.looked.raw)


@run_by(beside_a_table)
async def test_pins_that_the_table_does_not_hold_are_opened(
    tried: Tried, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pin in use elsewhere is reported; the table's own pins are not opened."""
    factory = _Refusing()
    monkeypatch.setattr(Device, "pin_factory", factory)
    monkeypatch.setattr(
        "companion.devices.button_sources.open_pin_factory", lambda **_: (factory, None)
    )
    ((key, text),) = await tried.faults(panel__pins__deal=2)
    assert ("panel.pins.deal", True) == (key, "pin 2 cannot be opened (GPIO busy)" in text)
    assert [] == await tried.faults(panel__pins__deal=21)
    assert [2, 21] == factory.requested
