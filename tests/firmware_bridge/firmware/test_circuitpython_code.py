"""The shipped boot.py and code.py on a Pico in virtual time, with the host's engine."""

import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware_bridge.protocol.states import (
    BoardRestarted,
    Connected,
    FrameShown,
    KeyEdge,
    Resynchronised,
)
from tests.firmware_bridge.firmware.circuitpython_board import make_pico_line
from tests.support.bridge_line import BAD, LEDS, SAFE, Line, Player, plain
from tests.support.circuitpython import UID
from tests.support.circuitpython_machine import FIRMWARE, PICO, ROUND_AFTER, Machine

DARK = bytes(0x8000)


@pytest.fixture
def pico() -> Iterator[Machine]:
    """Yield a Pico with power, and only our files on its drive."""
    with Machine() as machine:
        yield machine


def connected(machine: Machine, *, leds: int = LEDS, pins: Sequence[str] = PICO[:6]) -> Line:
    """Return a host that has set the board up."""
    line = make_pico_line(machine, leds=leds, pins=pins)
    line.run_until(lambda: line.of(Connected))
    return line


def player_of(line: Line, seed: int) -> Player:
    """Return a player that knows that a board starts dark."""
    player = Player(line, seed)
    player.frames.add(DARK)
    return player


def test_a_pico_says_what_it_is(pico: Machine) -> None:
    """Name and number are the chip's; the strip may have the protocol's greatest length."""
    info = connected(pico).of(Connected)[0].info
    assert ("Raspberry Pi Pico", UID.hex(), 25) == (info.name, info.id, info.buttons)
    assert (0x8000, 2, frozenset({3, 4})) == (info.pixel_bytes, info.credit, info.formats)


def test_every_frame_is_lit_and_every_edge_reported(pico: Machine) -> None:
    """Each frame is lit within 15 ms, and each edge reported within 10."""
    line = connected(pico)
    player = player_of(line, 1)
    for _ in range(50):
        player.show()
        line.run_until(lambda: line.board.strip.light == player.newest, ticks=15)
        player.press(player.random.randrange(6))
        line.run(10)
        assert plain(line.happened_by_boot()[line.board.boot]) == line.edges()
    player.check()


def test_each_pin_is_its_button(pico: Machine) -> None:
    """Buttons are the pins from GP0 on in order, and each moves alone."""
    line = connected(pico, pins=PICO[:25])
    expected = []
    for button in range(25):
        for down in (True, False):
            line.board.levels[button] = down
            line.run(10)
            expected.append((button, down))
    assert expected == line.edges()


def test_presses_while_long_frames_stream(pico: Machine) -> None:
    """Presses of 25 ms keep their times while 1,000 LEDs are shown."""
    line = connected(pico, leds=1000)
    pressed = []
    for i in range(40):
        for down in (True, False):
            line.board.levels[i % 6] = down
            pressed.append((line.now, i % 6, down))
            for _ in range(25):
                line.show(bytes([i, i, down]) * 1000)
                line.run(1)
    line.run(100)
    assert [(button, down) for _, button, down in pressed] == line.edges()
    for (time, _, _), edge in zip(pressed, line.of(KeyEdge), strict=True):
        assert -0.002 < edge.t - time < 0.006
    assert 50 < len(line.of(FrameShown))


def test_a_bad_line_harms_nothing(pico: Machine) -> None:
    """No wrong frame is lit, and the edges come once, in order."""
    line = connected(pico)
    player = player_of(line, 2)
    line.fail(BAD)
    for _ in range(200):
        player.show()
        if player.random.random() < 0.2:
            player.press(player.random.randrange(6))
        line.run(25)
    player.settle()
    line.run(200)
    player.check()
    assert 0 < line.link.counters.refused + line.link.counters.unanswered


def test_reset_in_the_middle_of_frames(pico: Machine) -> None:
    """After the reset button the newest frame returns."""
    line = connected(pico)
    player = player_of(line, 3)
    for restarts in range(1, 6):
        for _ in range(player.random.randrange(1, 20)):
            player.show()
            line.run(player.random.randrange(5))
        line.board.start()
        line.run_until(lambda: len(line.of(BoardRestarted)) == restarts)  # noqa: B023
    player.settle()
    player.check()


def test_the_safe_pattern_when_the_host_is_gone(pico: Machine) -> None:
    """It is lit once after two seconds; then the newest frame is back."""
    line = connected(pico)
    player = player_of(line, 4)
    player.show()
    player.settle()
    shown = len(pico.lights)
    line.to_board.is_cut = True
    line.run(4000)
    assert [SAFE] == [light for _, light in pico.lights[shown:]]
    player.settle()
    player.check()


def test_a_host_that_does_not_read_stops_nothing(pico: Machine) -> None:
    """With a port full of unread replies the board goes on."""
    line = connected(pico)
    player = player_of(line, 5)
    pico.usb.is_read = False
    for _ in range(100):
        player.press(0)
        line.run(40)
    pico.usb.is_read = True
    player.show()
    player.settle()
    counters = line.link.counters
    assert 0 == counters.bad_headers + counters.damaged + counters.broken_off


def test_a_program_that_hangs_starts_again(pico: Machine) -> None:
    """The chip's watchdog restarts it, and the host goes on with it."""
    line = connected(pico)
    player = player_of(line, 6)
    player.show()
    player.settle()
    pico.hang()
    line.run_until(lambda: line.of(BoardRestarted), ticks=12_000)
    line.run_until(lambda: line.board.strip.light == player.newest)
    assert 2 == pico.boots


def test_a_button_that_is_down_at_the_start_is_known(pico: Machine) -> None:
    """It is read before the scanners begin, as they do not report it."""
    line = make_pico_line(pico, leds=LEDS)
    line.board.levels[3] = True
    line.run_until(lambda: line.of(Connected))
    assert {3} == line.levels()
    line.board.levels[3] = False
    line.run(50)
    assert [(3, False)] == line.edges()


def test_more_edges_than_the_scanner_keeps(pico: Machine) -> None:
    """After a storm of edges during a long show the levels are still right."""
    line = connected(pico, leds=10_922)
    shown = len(pico.lights)
    line.show(bytes([1]) * 3 * 10_922)
    line.run_until(lambda: len(pico.lights) > shown)
    for tick in range(100):
        line.board.levels[:] = [(tick + button) % 2 == 0 for button in range(6)]
        line.run(1)
    line.board.levels[:] = [True, True, False, False, True, False]
    line.run(500)
    assert {0, 1, 4} == line.levels()
    line.board.levels[1] = False
    line.run(50)
    assert (1, False) == line.edges()[-1]


def test_spikes_are_no_presses_however_late_they_are_reported(pico: Machine) -> None:
    """A level of 1 ms is no press, however busy the program was."""
    line = connected(pico)
    pico.pause_every = 7
    for spike in range(300):
        line.board.levels[spike % 6] = True
        line.run(1)
        line.board.levels[spike % 6] = False
        line.run(17)
    assert [] == line.edges()
    assert not line.of(BoardRestarted)


def test_the_chips_clock_goes_round(pico: Machine) -> None:
    """The board's milliseconds go on when the chip's restart."""
    line = connected(pico)
    pressed = []
    while pico.now < ROUND_AFTER + 1:
        line.board.levels[0] ^= True
        pressed.append(line.now)
        line.run(37)
    assert pressed == pytest.approx([edge.t for edge in line.of(KeyEdge)], abs=0.005)
    assert not line.of(BoardRestarted)
    assert 1 == len(line.of(Resynchronised))


def test_pins_are_what_the_settings_say() -> None:
    """Any board is wired as in its settings.toml."""
    settings = {"CRIBWARS_STRIP": "D5", "CRIBWARS_BUTTONS": "A1 A0"}
    with Machine(settings, pins=("A0", "A1", "D5")) as feather:
        line = connected(feather, pins=("A1", "A0"))
        line.board.levels[1] = True
        line.run(50)
        assert [(1, True)] == line.edges()


NO_PIN = "ValueError: %s: this board has no pin %s; name its pins in settings.toml"


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"CRIBWARS_STRIP": "D5"}, NO_PIN % ("CRIBWARS_STRIP", "D5")),
        ({"CRIBWARS_BUTTONS": "GP0 GP99"}, NO_PIN % ("CRIBWARS_BUTTONS", "GP99")),
        ({"CRIBWARS_STRIP": ""}, "ValueError: CRIBWARS_STRIP names one pin"),
        ({"CRIBWARS_BUTTONS": "GP1 " * 33}, "ValueError: CRIBWARS_BUTTONS names more than 32 pins"),
        ({"CRIBWARS_BUTTONS": "GP1 GP28"}, "ValueError: GP28 in use"),
    ],
    ids=["strip", "button", "no strip", "too many", "twice"],
)
def test_wrong_settings_are_reported_until_they_are_right(
    settings: dict[str, str], line: str
) -> None:
    """The console has fault and remedy every two seconds; then the board works."""
    with Machine(settings) as machine:
        machine.run(7)
        assert [line] * 4 == machine.console
        machine.settings.clear()
        connected(machine)
        assert [line] * 4 == machine.console


@pytest.mark.parametrize(
    ("release", "has_boot", "line"),
    [
        ("8.2.10", True, "this is CircuitPython 8.2.10: version 9 or later is needed"),
        ("10.2.1", False, "there is no data port: copy boot.py too, and press the reset button"),
    ],
    ids=["too old", "no boot.py"],
)
def test_a_board_that_lacks_something_says_so(release: str, has_boot: bool, line: str) -> None:
    """The console has the missing part and the remedy."""
    with Machine(release=release, has_boot=has_boot) as machine:
        machine.run(1)
        assert ["RuntimeError: " + line] == machine.console


# safemode.py restarts a board that crashed, but not one that was stopped on purpose


STAYS = {
    "USER",
    "PROGRAMMATIC",
    "NO_CIRCUITPY",
    "SAFE_MODE_PY_ERROR",
    "USB_TOO_MANY_ENDPOINTS",
    "USB_TOO_MANY_INTERFACE_NAMES",
    "USB_BOOT_DEVICE_NOT_INTERFACE_ZERO",
}


def reasons() -> set[str]:
    """Return CircuitPython's names of the reasons for safe mode."""
    spec = find_spec("supervisor-stubs")
    assert spec is not None
    assert spec.submodule_search_locations
    stub = Path(next(iter(spec.submodule_search_locations))) / "__init__.pyi"
    (body,) = re.findall(r"class SafeModeReason:(.*?)\nclass ", stub.read_text(), re.DOTALL)
    return set(re.findall(r"^    ([A-Z_]+): object", body, re.MULTILINE)) - {"NONE"}


def restarts(reason: str) -> bool:
    """Run safemode.py; return True if it resets the board."""
    resets: list[bool] = []
    modules = {
        "time": SimpleNamespace(sleep=lambda _seconds: None),
        "microcontroller": SimpleNamespace(reset=lambda: resets.append(True)),
        "supervisor": SimpleNamespace(
            runtime=SimpleNamespace(safe_mode_reason=f"supervisor.SafeModeReason.{reason}")
        ),
    }
    names = {"__import__": lambda name, *_: modules[name], "str": str}
    exec((FIRMWARE / "safemode.py").read_text(), {"__builtins__": names})  # noqa: S102  # it is ours
    return bool(resets)


def test_a_crash_is_followed_by_a_restart() -> None:
    """Hard fault, watchdog and brownout restart; a person or a bad drive do not."""
    assert {"HARD_FAULT", "WATCHDOG", "BROWNOUT", "STACK_OVERFLOW", "USER"} <= reasons()
    assert STAYS == {reason for reason in reasons() | STAYS if not restarts(reason)}
