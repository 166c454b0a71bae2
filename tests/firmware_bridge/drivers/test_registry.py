"""The bridge's drivers by name, from the command line to the bytes on the cable."""

import socket
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.drivers.third_party import AdalightStrip
from hardware.errors import StripError
from hardware.strips import StripSpec, make_strip, read_options
from tests.firmware_bridge.board_on_pty import Cable, Listener, board_on_pty
from tests.firmware_bridge.receivers import AdalightSketch, HyperSerial, WledDdp
from tests.support.limits import TIMEOUT_S
from tests.support.program import Answer, Ask, ask

__all__ = ["ask"]

NAMES = ("serial", "adalight", "awa", "ddp")
PYPROJECT = Path(__file__).parents[3] / "pyproject.toml"
SPEC = StripSpec(leds=(7,))


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Return a distribution with the entry points, however the installed one was built."""
    info = tmp_path / "bridge-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bridge\nVersion: 1.0\n")
    lines = "".join(f"{name} = firmware_bridge.drivers.registry:{name}\n" for name in NAMES)
    (info / "entry_points.txt").write_text(f"[cribwars.strips]\n{lines}")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.fixture
def far_end() -> Iterator[Listener]:
    """Yield a port whose other end only listens."""
    listener = Listener(Cable())
    yield listener
    listener.end()


def light(ask: Ask, strip: str) -> Answer:
    """Run `lights test` with three frames on seven LEDs and a dump."""
    pattern = ("--leds", "7", "--pattern", "index", "--frames", "3")
    answer = ask("lights", "test", "--strip", strip, *pattern, "--dump", "-")
    assert 0 == answer.code, answer.err
    return answer


def dumped(answer: Answer) -> list[list[tuple[int, ...]]]:
    """Return the frames of a dump, and the dark one at the end."""
    frames = [line["channels"][0] for line in answer.lines]  # type: ignore[index]  # plain JSON
    return [*([tuple(led) for led in frame] for frame in frames), [(0, 0, 0)] * 7]


def test_our_own_distribution_has_them() -> None:
    """An installation has the four drivers."""
    project = tomllib.loads(PYPROJECT.read_text())["project"]
    entries = project.get("entry-points", {}).get("cribwars.strips")
    if entries is None:
        pytest.skip("pyproject.toml has no entry points of the group cribwars.strips yet")
    assert {name: f"firmware_bridge.drivers.registry:{name}" for name in NAMES} == entries


def test_adalight_from_end_to_end(ask: Ask, far_end: Listener) -> None:
    """The dump has the bytes that an Adalight board reads."""
    answer = light(ask, f"adalight:{far_end.device}")
    sketch = AdalightSketch()
    sketch.receive(far_end.heard(4 * 27))
    assert (dumped(answer), 0) == (sketch.shown, sketch.outside)


def test_awa_from_end_to_end(ask: Ask, far_end: Listener) -> None:
    """The dump has the bytes that an AWA board reads."""
    answer = light(ask, f"awa:{far_end.device},baud=1000000,order=RGB")
    firmware = HyperSerial()
    firmware.receive(far_end.heard(4 * 30))
    assert (dumped(answer), 0) == (firmware.shown, firmware.bad)


def test_ddp_from_end_to_end(ask: Ask) -> None:
    """The dump has the bytes that a host on the network shows."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(TIMEOUT_S)
        answer = light(ask, f"ddp:127.0.0.1:{receiver.getsockname()[1]}")
        wled = WledDdp(7)
        for _ in range(4):
            wled.receive(receiver.recv(2000))
    assert dumped(answer) == wled.shown


def test_serial_from_end_to_end(ask: Ask) -> None:
    """The dump has the bytes of the board's strip in its order; then it is dark."""
    with board_on_pty() as board:
        answer = light(ask, f"serial:{board.device},order=BRG")
        frames = [bytes(led[i] for led in frame for i in (2, 0, 1)) for frame in dumped(answer)]
        assert frames[0] in board.board.strip.shown
        assert {bytes(21), *frames} >= set(board.board.strip.shown)
        assert bytes(21) == board.board.strip.light


def test_options_go_to_the_driver() -> None:
    """Texts are parsed, values are taken as they are; else the error says what to write."""
    with pytest.raises(StripError, match="write a speed from 9600"):
        read_options("serial:auto", {"baud": "1200"})
    with pytest.raises(StripError, match="write true or false"):
        read_options("adalight:/dev/ttyUSB0", {"wled": "yes"})
    options = read_options("adalight:/dev/ttyUSB0", {"wled": "true", "baud": "1000000"})
    assert {"wled": True, "baud": 1_000_000} == options
    strip = make_strip("adalight:/dev/ttyUSB0", SPEC, **options)
    assert isinstance(strip, AdalightStrip)


def test_a_name_without_its_port() -> None:
    """The error has a whole example."""
    for name, written in (("awa", "awa:/dev/ttyUSB0"), ("ddp", "ddp:wled.local")):
        with pytest.raises(StripError, match=f'set driver = "{written}" or the like'):
            make_strip(name, SPEC)


@pytest.mark.parametrize("name", ["serial", "serial:auto"])
def test_serial_alone_is_the_only_board(name: str, ask: Ask) -> None:
    """Without a port it is auto: the only board, or an error."""
    answer = ask("lights", "test", "--strip", name, "--leds", "7", "--frames", "1")
    if answer.code:  # on most machines
        assert 'driver = "serial:auto": no board is plugged in' in answer.err
