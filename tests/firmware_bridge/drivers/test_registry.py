"""The bridge's drivers by name, and boards that take light and never reply."""

import socket
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import numpy as np
import pytest

from firmware_bridge.drivers import registry
from firmware_bridge.drivers.third_party import (
    COMMAND_BYTES,
    FRAME_MARGIN_S,
    HARMLESS,
    AdalightStrip,
    harmless_count,
)
from hardware.errors import StripError
from hardware.strips import Driver, Strip, StripSpec, make_strip, read_options
from hardware.strips.protocol import Pacer
from tests.firmware_bridge.board_on_pty import Cable, Listener, board_on_pty
from tests.firmware_bridge.receivers import AdalightSketch, HyperSerial, WledDdp, WledSerial
from tests.hardware.strips.conformance import CHECKS
from tests.support.limits import TIMEOUT_S
from tests.support.program import Answer, Ask, ask

__all__ = ["ask"]
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


WHITE = {"type": "sk6812w", "order": "GRBW"}
SERIAL = (registry.adalight, registry.awa)
EACH_DRIVER = pytest.mark.parametrize(
    "driver", [*SERIAL, registry.ddp], ids=["adalight", "awa", "ddp"]
)


@pytest.fixture
def wled() -> Iterator[socket.socket]:
    """Yield a host that takes UDP."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(TIMEOUT_S)
        yield receiver


def host_of(wled: socket.socket) -> str:
    """Return the place of a host that takes UDP."""
    return f"127.0.0.1:{wled.getsockname()[1]}"


def pixels_of(
    leds: int, colours: int, seed: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return random pixels."""
    return np.random.default_rng(seed).integers(0, 256, (leds, colours), np.uint8)


def tuples(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> list[tuple[int, ...]]:
    """Return the same pixels in plain numbers."""
    return [tuple(map(int, pixel)) for pixel in pixels]


def show_once(strip: Strip, pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    """Open a strip, show a frame, close it."""
    strip.open()
    strip.show([pixels])
    strip.close()


# From the command line to the bytes on the cable


NAMES = ("serial", "adalight", "awa", "ddp")

PYPROJECT = Path(__file__).parents[3] / "pyproject.toml"


def test_our_own_distribution_has_them() -> None:
    """An installation has the four drivers."""
    project = tomllib.loads(PYPROJECT.read_text())["project"]
    entries = project.get("entry-points", {}).get("cribwars.strips")
    if entries is None:
        pytest.skip("pyproject.toml has no entry points of the group cribwars.strips yet")
    assert {name: f"firmware_bridge.drivers.registry:{name}" for name in NAMES} == entries


@pytest.mark.parametrize(
    ("strip", "board", "size"),
    [("adalight:{}", AdalightSketch, 27), ("awa:{},baud=1000000,order=RGB", HyperSerial, 30)],
    ids=["adalight", "awa"],
)
def test_a_serial_strip_from_end_to_end(
    strip: str, board: type[AdalightSketch | HyperSerial], size: int, ask: Ask, far_end: Listener
) -> None:
    """The dump has the bytes that the board reads, and no others are sent."""
    answer = light(ask, strip.format(far_end.device))
    receiver = board()
    receiver.receive(far_end.heard(4 * size))
    assert (dumped(answer), 0) == (receiver.shown, receiver.bad)


def test_ddp_from_end_to_end(ask: Ask, wled: socket.socket) -> None:
    """The dump has the bytes that a host on the network shows."""
    answer = light(ask, f"ddp:{host_of(wled)}")
    receiver = WledDdp(7)
    for _ in range(4):
        receiver.receive(wled.recv(2000))
    assert dumped(answer) == receiver.shown


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


# Boards that never reply: their bytes, times, and refusals


@EACH_DRIVER
def test_a_driver_conforms(driver: Driver, far_end: Listener, wled: socket.socket) -> None:
    """It passes the tests of the strips on a Pi's pins."""
    where = host_of(wled) if driver is registry.ddp else far_end.device
    for check in CHECKS:
        check(lambda: driver.make(StripSpec(leds=(5,)), where))


@pytest.mark.parametrize("leds", [1, 2, 86, 256, 257, 500, 1000])
def test_adalight_is_read_as_it_was_meant(leds: int, far_end: Listener) -> None:
    """Every LED is red, green, blue, in any order of the strip; the close is dark."""
    spec = StripSpec(leds=(leds,), order="BRG")
    pixels = pixels_of(leds, 3, leds)
    show_once(registry.adalight.make(spec, far_end.device, baud=1_000_000), pixels)
    sketch = AdalightSketch()
    sketch.receive(far_end.heard(2 * (6 + 3 * leds)))
    assert ([tuples(pixels), [(0, 0, 0)] * leds], 0) == (sketch.shown, sketch.bad)


@pytest.mark.parametrize(("colours", "more"), [(3, {}), (4, WHITE)])
@pytest.mark.parametrize("leds", [1, 85, 256, 500])
def test_awa_is_read_as_it_was_meant(
    leds: int, colours: int, more: dict[str, str], far_end: Listener
) -> None:
    """Every LED arrives, with white if it has one, and the sums are right."""
    pixels = pixels_of(leds, colours, leds)
    spec = StripSpec(leds=(leds,), **more)
    show_once(registry.awa.make(spec, far_end.device, white=colours == 4), pixels)
    firmware = HyperSerial(is_pico_rgbw=colours == 4)
    firmware.receive(far_end.heard(2 * (9 + colours * leds)))
    assert ([tuples(pixels), [(0,) * colours] * leds], 0) == (firmware.shown, firmware.bad)


def test_awa_does_not_end_in_the_letter_that_begins_a_frame(far_end: Listener) -> None:
    """A last sum of 0x41 is sent as 0xAA."""
    show_once(
        registry.awa.make(StripSpec(leds=(1,)), far_end.device), np.array([[0x41, 1, 2]], np.uint8)
    )
    assert 0xAA == far_end.heard(24)[11]


def test_no_byte_of_a_frame_is_an_order_to_wled(far_end: Listener) -> None:
    """With `wled` colours avoid its orders by at most four; dark stays dark."""
    pixels = np.arange(768, dtype=np.int64).reshape(256, 3).astype(np.uint8)
    strip = registry.adalight.make(
        StripSpec(leds=(256,)), far_end.device, baud=1_000_000, wled=True
    )
    show_once(strip, pixels)
    wled = WledSerial(leds=256)
    wled.receive(far_end.heard(2 * (6 + 768)))
    frame, dark = wled.shown
    sent = np.array(frame)
    assert not COMMAND_BYTES & set(sent.ravel().tolist())
    assert 4 == np.abs(sent - pixels.astype(int)).max()
    assert {(0, 0, 0)} == set(dark)
    assert [0xAF, 0xAF, 0xB8, 0xB8] == HARMLESS[[0xB0, 0xB3, 0xB4, 0xB7]].tolist()


@pytest.mark.parametrize("leds", [177, 500, 1199])
def test_torn_frames_make_wled_execute_nothing(leds: int, far_end: Listener) -> None:
    """After any loss of bytes there is no command, and the third frame is right."""
    device = far_end.device
    strip = registry.adalight.make(StripSpec(leds=(leds,)), device, baud=12_000_000, wled=True)
    strip.open()
    pixels = pixels_of(leds, 3, leds)
    strip.show([pixels])
    expected = tuples(HARMLESS[pixels])
    size = 6 + 3 * harmless_count(leds)
    packet = far_end.heard(size)
    random = Random(leds)
    for _ in range(300):
        start = random.randrange(size)
        wled = WledSerial(leds)
        wled.receive(packet[:start] + packet[start + random.randrange(size) :] + 3 * packet)
        assert b"" == wled.commands
        assert expected == wled.shown[-1]
    strip.close()


def test_no_header_is_a_command_to_wled() -> None:
    """Some counts up to 1,200 need a few dark LEDs at their end."""
    added = [harmless_count(leds) - leds for leds in range(1, 1201)]
    assert (0, 8) == (min(added), max(added))


def test_frames_are_paced() -> None:
    """The cable's time, 30 us an LED and a margin pass between frames."""
    now, waited = 0.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        waited.append(seconds)
        now += seconds

    far_end = Listener(Cable())
    pacer = Pacer(lambda: now, sleep)
    strip = AdalightStrip(StripSpec(leds=(100,)), far_end.device, pacer=pacer, baud=100_000)
    strip.open()
    for _ in range(3):
        strip.show([np.zeros((100, 3), np.uint8)])
    expected = 306 * 10 / 100_000 + 100 * 30e-6 + 300e-6 + FRAME_MARGIN_S
    assert pytest.approx([expected] * 2) == waited
    assert pytest.approx(expected) == strip.wire_seconds
    strip.close()
    far_end.end()


@pytest.mark.parametrize(
    ("leds", "more", "sizes", "kind"),
    [
        (1, {}, [3], 0x0B),
        (480, {}, [1440], 0x0B),
        (500, {}, [1440, 60], 0x0B),
        (1000, {}, [1440, 1440, 120], 0x0B),
        (361, WHITE, [1440, 4], 0x1B),
    ],
)
def test_ddp_is_read_as_it_was_meant(
    wled: socket.socket, leds: int, more: dict[str, str], sizes: list[int], kind: int
) -> None:
    """A packet has 480 LEDs, the last one shows all, and the close is dark."""
    colours = 4 if more else 3
    pixels = pixels_of(leds, colours, leds)
    show_once(registry.ddp.make(StripSpec(leds=(leds,), **more), host_of(wled)), pixels)
    packets = [wled.recv(2000) for _ in range(2 * len(sizes))]
    receiver = WledDdp(leds)
    for packet in packets:
        receiver.receive(packet)
    assert [tuples(pixels), [(0,) * colours] * leds] == receiver.shown
    assert (2 * sizes, {kind}) == (receiver.sizes, {packet[2] for packet in packets})


def test_ddp_is_shown_after_a_restart(wled: socket.socket) -> None:
    """The first frame is shown, whatever the last sequence number was."""
    pixels = pixels_of(500, 3, 1)
    show_once(registry.ddp.make(StripSpec(leds=(500,)), host_of(wled)), pixels)
    packets = [wled.recv(2000) for _ in range(4)]
    for remembered in range(16):
        receiver = WledDdp(500, last_sequence=remembered)
        for packet in packets:
            receiver.receive(packet)
        assert tuples(pixels) == receiver.shown[0]


@pytest.mark.parametrize("driver", SERIAL, ids=["adalight", "awa"])
def test_a_port_that_fails_says_so(driver: Driver) -> None:
    """A pulled cable is the driver's error, and the close after it is quiet."""
    cable = Cable()
    strip = driver.make(StripSpec(leds=(2,)), cable.device)
    strip.open()
    cable.pull()
    with pytest.raises(StripError, match=r"failed: .*; check the board's cable and power"):
        strip.show([np.zeros((2, 3), np.uint8)])
    with pytest.raises(StripError, match="has failed; close it and open it again"):
        strip.show([np.zeros((2, 3), np.uint8)])
    strip.close()
    with pytest.raises(StripError, match="is not there; plug the board in"):
        strip.open()


def test_what_they_do_not_drive() -> None:
    """The driver refuses it when it is made, with a remedy."""
    one, white, two = StripSpec(leds=(1,)), StripSpec(leds=(1,), **WHITE), StripSpec(leds=(2, 2))
    channels = "has one channel, but the wiring has 2; put the strips"
    rows: list[tuple[Driver, StripSpec, str, dict[str, object], str]] = [
        *((driver, two, "p", {}, channels) for driver in (*SERIAL, registry.ddp)),
        (registry.adalight, white, "p", {}, "LEDs, of three colours"),
        (registry.awa, StripSpec(leds=(4097,)), "p", {}, "at most 4096 LEDs, but 4097 are wired"),
        (registry.awa, one, "p", {"baud": 1200}, "baud = 1200 is not a speed"),
        (registry.awa, white, "p", {}, "white = true for HyperSerialPico"),
        (registry.awa, one, "p", {"white": True}, "have no white; leave it out"),
        (registry.ddp, one, "wled:0", {}, '"0" is no port; leave it out'),
        (registry.ddp, one, "wled:x", {}, '"x" is no port; leave it out'),
    ]
    for driver, spec, where, options, text in rows:
        with pytest.raises(StripError, match=text):
            driver.make(spec, where, **options)


def test_a_host_that_nobody_knows() -> None:
    """The error has the name and the remedy."""
    strip = registry.ddp.make(StripSpec(leds=(1,)), "wled..local")
    with pytest.raises(StripError, match=r"wled\.\.local cannot be found"):
        strip.open()


@EACH_DRIVER
def test_each_says_that_it_carries_no_buttons(
    driver: Driver, caplog: pytest.LogCaptureFixture, far_end: Listener, wled: socket.socket
) -> None:
    """`open` logs it."""
    where = host_of(wled) if driver is registry.ddp else far_end.device
    with closing(driver.make(StripSpec(leds=(1,)), where)) as strip:
        strip.open()
    assert "output only, this carries no buttons" in caplog.text
