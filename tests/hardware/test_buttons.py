"""Buttons on mock pins: their edges, checks of pins, and no error in gpiozero's thread."""

import gc
import logging
import queue
import threading
import time
from contextlib import closing

import pytest
from gpiozero import InputDevice
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.buttons import BusyPinError, Buttons, pin_faults
from hardware.debounce import Edge
from hardware.errors import ButtonError, Text
from hardware.pins import open_pin_factory
from tests.support.limits import TIMEOUT_S
from tests.support.machines import FakeChip, chip

__all__ = ["chip"]
PINS = {"1.plus_one": 4, "1.enter": 6, "1.undo": 16, "deal": 27, "mode": 3}


class StuckPin(MockPin):  # type: ignore[misc]  # gpiozero carries no types
    """A pin that is held at ground, whatever its pull-up does."""

    def _get_state(self) -> bool:
        return False


class DeafPin(MockPin):  # type: ignore[misc]  # gpiozero carries no types
    """A pin without edges, as if another program held the line."""

    def _enable_event_detect(self) -> None:
        raise RuntimeError("GPIO busy")


class LastingPin(MockPin):  # type: ignore[misc]  # gpiozero carries no types
    """A pin that is still watched after its close, as lgpio's are, until told otherwise."""

    watched = False

    def close(self) -> None:
        """Keep watching."""

    def _enable_event_detect(self) -> None:
        self.watched = True

    def _disable_event_detect(self) -> None:
        self.watched = False


class Clock:
    """Monotonic seconds that only the test moves on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Return the current time."""
        return self.now


@pytest.fixture
def factory() -> MockFactory:
    """Return new mock pins for each test."""
    return MockFactory()


def test_every_pin_opens_and_reports(factory: MockFactory) -> None:
    """Each button gives a down edge at low and an up edge at high."""
    got: list[Edge] = []
    with closing(Buttons(PINS, got.append, pin_factory=factory, clock=lambda: 7.0)):
        for pin in PINS.values():
            factory.pin(pin).drive_low()
            factory.pin(pin).drive_high()

    expected = [Edge(button=button, down=down, t=7.0) for button in PINS for down in (True, False)]
    assert expected == got


def test_edges_carry_the_time_on_entry(factory: MockFactory) -> None:
    """The time is read when the callback begins, before the sink is called."""
    clock = Clock()
    got: list[Edge] = []

    def slow_sink(edge: Edge) -> None:
        clock.now += 5.0
        got.append(edge)

    with closing(Buttons({"deal": 27}, slow_sink, pin_factory=factory, clock=clock)):
        clock.now = 101.0
        factory.pin(27).drive_low()

    assert [Edge(button="deal", down=True, t=101.0)] == got


def test_handlers_outlive_the_garbage_collector(factory: MockFactory) -> None:
    """Pins hold callbacks weakly; they work while the buttons are kept."""
    got: list[Edge] = []
    with closing(Buttons({"deal": 27}, got.append, pin_factory=factory, clock=time.monotonic)):
        gc.collect()
        factory.pin(27).drive_low()

    assert [edge.button for edge in got] == ["deal"]


def test_stuck_button_is_seen_at_the_start(factory: MockFactory) -> None:
    """A button that is down at the opening gives a down edge then."""
    factory.pin(27, pin_class=StuckPin)
    got: list[Edge] = []
    with closing(Buttons({"mode": 3, "deal": 27}, got.append, pin_factory=factory, clock=Clock())):
        assert [Edge(button="deal", down=True, t=100.0)] == got


def test_failing_sink_does_not_reach_the_pin(
    factory: MockFactory, caplog: pytest.LogCaptureFixture
) -> None:
    """The sink's exception is logged with the button's name; the next edge works."""
    room: queue.Queue[Edge] = queue.Queue(maxsize=1)
    with (
        caplog.at_level(logging.ERROR),
        closing(Buttons({"deal": 27}, room.put_nowait, pin_factory=factory, clock=time.monotonic)),
    ):
        factory.pin(27).drive_low()
        factory.pin(27).drive_high()
        assert room.get_nowait().down
        factory.pin(27).drive_low()

    assert room.get_nowait().down
    assert caplog.messages == ["The edge of button deal is lost: its sink failed."]


def test_sink_is_never_called_by_two_threads_at_once(factory: MockFactory) -> None:
    """An edge in another thread gets its time at once, then waits."""
    now = 1.0
    stamped = threading.Event()
    order: list[tuple[str, float]] = []
    other = threading.Thread(target=lambda: factory.pin(3).drive_low())

    def clock() -> float:
        if threading.current_thread() is other:
            stamped.set()
        return now

    def sink(edge: Edge) -> None:
        nonlocal now
        if edge.button == "deal":
            other.start()
            assert stamped.wait(TIMEOUT_S)
            other.join(timeout=0.05)  # it cannot end before this sink returns
            now = 2.0
        order.append((edge.button, edge.t))

    with closing(Buttons({"mode": 3, "deal": 27}, sink, pin_factory=factory, clock=clock)):
        factory.pin(27).drive_low()
        other.join()

    assert order == [("deal", 1.0), ("mode", 1.0)]


def test_close_gives_everything_back(factory: MockFactory) -> None:
    """Afterwards there are no edges and no threads, and the pins can be opened."""
    before = set(threading.enumerate())
    got: list[Edge] = []
    buttons = Buttons(PINS, got.append, pin_factory=factory, clock=time.monotonic)
    assert set(threading.enumerate()) <= before
    buttons.close()
    buttons.close()
    factory.pin(27).drive_low()

    assert got == []
    with closing(Buttons(PINS, got.append, pin_factory=factory, clock=time.monotonic)):
        assert got == []


def test_close_ends_the_watch(factory: MockFactory) -> None:
    """A pin that would go on reporting is stopped before its release."""
    pin = factory.pin(27, pin_class=LastingPin)
    with closing(Buttons({"deal": 27}, print, pin_factory=factory, clock=time.monotonic)):
        assert pin.watched
    assert not pin.watched


def test_faults_of_pins() -> None:
    """A fault has button, pin and setting, in one line."""
    rows: list[tuple[dict[str, int], list[str]]] = [
        ({"1.enter": 6, "1.undo": 6}, ["button 1.undo", "pin 6", "button 1.enter"]),
        ({"deal": 28}, ["button deal", "pin 28", "0 to 27"]),
        ({"deal": -1}, ["button deal", "pin -1", "0 to 27"]),
        ({"deal": 10}, ["button deal", "pin 10", "SPI data"]),
        ({"1.plus_on": 4}, ["no button 1.plus_on", 'did you mean "1.plus_one"?']),
        ({"xyz": 4}, ["no button xyz", "the buttons are 1.plus_one", "mode"]),
    ]
    for pins, words in rows:
        (fault,) = pin_faults(pins, {10: Text("SPI data")}, PINS)
        text = str(fault)
        assert [word for word in [*words, "panel.pins"] if word not in text] == []
        assert "\n" not in text


def test_all_faults_are_reported_together() -> None:
    """Each faulty setting has a line of its own."""
    pins = {"deal": 99, "mode": 10, "1.enter": 4, "1.undo": 4}
    faults = pin_faults(pins, {10: Text("SPI data")}, PINS)

    assert [fault.key for fault in faults] == [
        "panel.pins.deal",
        "panel.pins.mode",
        "panel.pins.1.undo",
    ]


def test_pin_in_use_elsewhere_names_the_button(factory: MockFactory) -> None:
    """It is reported, and the pins opened before it are released."""
    got: list[Edge] = []
    with (
        InputDevice(27, pin_factory=factory),
        pytest.raises(ButtonError, match=r'button deal: pin 27 .*in use.*"deal" in \[panel.pins\]'),
    ):
        Buttons({"mode": 3, "deal": 27}, got.append, pin_factory=factory, clock=time.monotonic)

    with closing(Buttons({"mode": 3}, got.append, pin_factory=factory, clock=time.monotonic)):
        assert got == []


def test_pin_that_cannot_be_watched_is_given_back(factory: MockFactory) -> None:
    """A pin without edges is a ButtonError, and is released."""
    factory.pin(27, pin_class=DeafPin)
    with pytest.raises(ButtonError) as refusal:
        Buttons({"deal": 27}, print, pin_factory=factory, clock=time.monotonic)

    assert "pin 27 cannot be opened (GPIO busy)" in str(refusal.value)
    InputDevice(27, pin_factory=factory).close()


@pytest.mark.parametrize(
    ("user", "remedy"),
    [
        ("onewire@4", "take dtoverlay=w1-gpio out of config.txt and restart the Pi"),
        ("lg", "end the other program that uses lgpio"),
        ("spi0 CS0", "end the program that uses the pin, or switch that use off in config.txt"),
    ],
)
def test_a_busy_pin_leaves_the_others(chip: FakeChip, user: str, remedy: str) -> None:
    """The error has pin, user and remedy; the button works once the pin is free."""
    got: list[Edge] = []
    chip.users[4] = user
    factory, _ = open_pin_factory(simulate=False)
    with closing(Buttons({"mode": 3}, got.append, pin_factory=factory, clock=Clock())) as buttons:
        with pytest.raises(BusyPinError) as refused:
            buttons.open("1.plus_one", 4)
        buttons.open("deal", 27)
        assert f"button 1.plus_one: pin 4 is in use by {user}" == str(refused.value.problem)
        other = 'or give "1.plus_one" another pin in [panel.pins]'
        assert (user, f"{remedy}, {other}") == (refused.value.user, str(refused.value.remedy))
        chip.users.clear()
        buttons.open("1.plus_one", 4)
        chip.press(4)
        chip.press(27)
    assert ["1.plus_one", "deal"] == [edge.button for edge in got]
