"""Settings are tried before they are written; those that cannot work are refused."""

import socket
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from companion.devices.assembly import assemble
from companion.errors import UnusableSettingsError
from companion.settings.file import SettingsFile
from companion.settings.load import load_settings
from companion.settings.sources import page_file
from companion.web.settings.preflight import Preflight
from companion.worker import Worker
from hardware.errors import HardwareError
from tests.companion.table.bench import Bench, at_table
from tests.support.program import HTTP, Program, running
from tests.support.services import LookedAt

TEXT = 'board = "classic"\n[wiring]\nper = "hole"\n'


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Program, Path]]:
    """Run a table with its settings file."""
    folder = tmp_path_factory.mktemp("table")
    file = folder / "cribwars.toml"
    file.write_text(TEXT)
    with running(folder, "--config", str(file)) as program:
        yield program, file


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
    file.write_text(TEXT)
    with running(tmp_path, "--config", str(file)) as table:
        stamp = HTTP.get(f"{table.url}api/settings").json()["stamp"]
        changes = {"strip.driver": "serial:/dev/ttyNONE7", "panel.buttons": "serial"}
        requested = {"changes": changes, "stamp": stamp}
        answer = HTTP.post(f"{table.url}api/settings", json=requested)
        (warning,) = answer.json()["warnings"]
        assert "/dev/ttyNONE7 is not there; plug the board in" in warning
        assert changes["strip.driver"] in page_file(file).read_text()
        assert (0, "") == table.stop()


# The parts, one by one


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
    folder: Path, play: Callable[[Tried], Awaitable[None]], text: str = TEXT, *, port: int = 8000
) -> None:
    """Try changes beside a table with these settings."""

    async def scene(bench: Bench) -> None:
        await play(Tried(bench, folder, text, port))

    at_table(Bench(), scene)


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

        beside_a_table(tmp_path, own, port=port)
        beside_a_table(tmp_path, other)


def test_what_stays_as_it_is_is_not_tried(tmp_path: Path) -> None:
    """The running strip and an unchanged one are not opened, so nothing blinks."""

    async def play(tried: Tried) -> None:
        text = f'{TEXT}[strip]\ndriver = "pio:/dev/leds7"\n'
        tried.file.by_hand.write_text(text)
        assert [] == await tried.faults(lights__calm=True, strip__budget_ma=3000)
        assert [] == await tried.faults(strip__driver="virtual")
        assert [] == tried.looked.opened

    beside_a_table(tmp_path, play)


def test_a_strip_that_cannot_be_lit_is_reported_beside_what_was_changed(tmp_path: Path) -> None:
    """Driver, type or length is named; then the board shows the game again."""
    text = f'{TEXT}[strip]\ndriver = "pio:/dev/leds7"\nbudget_ma = 9000\n'
    cases: list[tuple[dict[str, Any], str]] = [
        ({"strip__driver": "pio:/dev/leds8", "strip__type": "sk6812"}, "strip.driver"),
        ({"strip__type": "ws2811"}, "strip.type"),
        ({"wiring__per": "hole-and-lane"}, "wiring.per"),
        ({"board": "crib-wars"}, "board"),
    ]

    async def play(tried: Tried) -> None:
        for opened, (changes, key) in enumerate(cases, start=1):
            tried.looked.troubles = [HardwareError("the overlay has num_leds=9: set it")]
            ((found, reported),) = await tried.faults(**changes)
            assert (key, True) == (found, "num_leds=9: set it" in reported)
            assert [] == await tried.faults(**changes)
            assert (2 * opened, None) == (len(tried.looked.opened), tried.looked.bare)

    beside_a_table(tmp_path, play, text)


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


def test_pins_that_the_table_does_not_hold_are_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pin in use elsewhere is reported; the table's own pins are not opened."""
    factory = _Refusing()
    monkeypatch.setattr(Device, "pin_factory", factory)
    monkeypatch.setattr(
        "companion.devices.button_sources.open_pin_factory", lambda **_: (factory, None)
    )

    async def play(tried: Tried) -> None:
        ((key, text),) = await tried.faults(panel__pins__deal=2)
        assert ("panel.pins.deal", True) == (key, "pin 2 cannot be opened (GPIO busy)" in text)
        assert [] == await tried.faults(panel__pins__deal=21)
        assert [2, 21] == factory.requested

    beside_a_table(tmp_path, play)
