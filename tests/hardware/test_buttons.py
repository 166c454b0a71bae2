"""Buttons, pins and the mock panel: edges, presses, and checks of pins."""

import ctypes
import gc
import logging
import queue
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from gpiozero import Device, Factory, InputDevice
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.buttons import BusyPinError, Buttons, MockPanel, pin_faults
from hardware.debounce import Change, Debouncer, Edge
from hardware.errors import ButtonError, Text
from hardware.pins import open_pin_factory
from tests.support.limits import TIMEOUT_S
from tests.support.machines import FakeChip, chip

__all__ = ["chip"]
PINS = {"1.plus_one": 4, "1.enter": 6, "1.undo": 16, "deal": 27, "mode": 3}
PANEL_PINS = {"2.enter": 20, "deal": 27, "mode": 3}
PR_GET_TIMERSLACK = 30


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


@pytest.fixture
def default_factory() -> Iterator[None]:
    """Remove gpiozero's default factory, and restore it later."""
    before, Device.pin_factory = Device.pin_factory, None
    yield
    Device.pin_factory = before


class Table:
    """Open mock panel with its edges and a clock of whole seconds."""

    def __init__(self) -> None:
        self.edges: list[Edge] = []
        self.now = 0.0
        factory = MockFactory()
        self.buttons = Buttons(
            PANEL_PINS, self.edges.append, pin_factory=factory, clock=lambda: self.now
        )
        self.panel = MockPanel(PANEL_PINS, factory)


@pytest.fixture
def table() -> Iterator[Table]:
    """Yield an open mock panel."""
    table = Table()
    yield table
    table.buttons.close()


# Edges on mock pins, checks of pins, and no error in gpiozero's thread


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


class StuckPin(MockPin):  # type: ignore[misc]  # gpiozero carries no types
    """A pin that is held at ground, whatever its pull-up does."""

    def _get_state(self) -> bool:
        return False


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


class LastingPin(MockPin):  # type: ignore[misc]  # gpiozero carries no types
    """A pin that is still watched after its close, as lgpio's are, until told otherwise."""

    watched = False

    def close(self) -> None:
        """Keep watching."""

    def _enable_event_detect(self) -> None:
        self.watched = True

    def _disable_event_detect(self) -> None:
        self.watched = False


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


class DeafPin(MockPin):  # type: ignore[misc]  # gpiozero carries no types
    """A pin without edges, as if another program held the line."""

    def _enable_event_detect(self) -> None:
        raise RuntimeError("GPIO busy")


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


# Choice of pins: the machine's own, or mock ones with the reason


def test_simulation_has_its_own_mock_pins() -> None:
    """They are new each time, and gpiozero's default is unchanged."""
    default = Device.pin_factory
    one, why = open_pin_factory(simulate=True)
    other, _ = open_pin_factory(simulate=True)

    assert isinstance(one, MockFactory)
    assert one is not other
    assert str(why) == "mock panel: simulated, as asked"
    assert Device.pin_factory is default


@pytest.mark.usefixtures("default_factory")
def test_mock_pins_by_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """GPIOZERO_PIN_FACTORY=mock selects the factory of gpiozero itself."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    factory, why = open_pin_factory(simulate=False)

    assert factory is Device.pin_factory
    assert isinstance(factory, MockFactory)
    assert str(why) == "mock panel: GPIOZERO_PIN_FACTORY asks for it"


@pytest.mark.usefixtures("default_factory")
def test_real_pins_have_no_reason() -> None:
    """Real pins of gpiozero are used without a reason."""
    Device.pin_factory = Factory()
    assert (Device.pin_factory, None) == open_pin_factory(simulate=False)


@pytest.mark.usefixtures("default_factory")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nonsense", "Unable to find pin factory 'nonsense'"),
        ("native", "gpiozero's native pins are not used; unset GPIOZERO_PIN_FACTORY"),
    ],
)
def test_pin_factories_that_cannot_be_had(
    monkeypatch: pytest.MonkeyPatch, name: str, expected: str
) -> None:
    """A missing or unused factory gives mock pins, and is named."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", name)
    factory, why = open_pin_factory(simulate=False)

    assert isinstance(factory, MockFactory)
    assert f"mock panel: no GPIO here ({expected})" == str(why)


def test_lgpio_is_what_is_taken(chip: FakeChip) -> None:
    """Its chip is opened as soon as possible, without another factory meanwhile."""
    chip.is_there = False
    _, why = open_pin_factory(simulate=False)
    assert "mock panel: no GPIO here (can not open gpiochip)" == str(why)
    assert Device.pin_factory is None
    chip.is_there = True
    assert ("LGPIOFactory", None) == (type(open_pin_factory(simulate=False)[0]).__name__, None)


@pytest.mark.usefixtures("chip")
@pytest.mark.skipif(sys.platform != "linux", reason="lgpio is of Linux")
def test_threads_of_lgpio_do_not_wake_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their timers may be a millisecond late, unlike those of the thread that starts them."""
    slacks: list[int] = []

    def open_chip(_number: int) -> int:
        thread = threading.Thread(target=lambda: slacks.append(timer_slack_ns()))
        thread.start()
        thread.join()
        return 0

    usual = timer_slack_ns()
    monkeypatch.setattr(sys.modules["lgpio"], "gpiochip_open", open_chip)
    open_pin_factory(simulate=False)
    assert [1_000_000] == slacks
    assert usual == timer_slack_ns()


def timer_slack_ns() -> int:
    """Return by how many nanoseconds the timers of this thread may be late."""
    return int(ctypes.CDLL(None).prctl(PR_GET_TIMERSLACK))


@pytest.mark.parametrize(("kernel", "t"), [(99.75, 99.75), (1.0, 100.0), (100.5, 100.0)])
def test_an_edge_has_the_time_of_the_kernel(chip: FakeChip, kernel: float, t: float) -> None:
    """A time of another clock is none: then it is that of the edge's arrival."""
    factory, _ = open_pin_factory(simulate=False)
    edges: list[Edge] = []
    with closing(Buttons({"deal": 27}, edges.append, clock=Clock(), pin_factory=factory)):
        chip.press(27, kernel)
    assert [Edge(button="deal", down=True, t=t)] == edges


PIPE = """
import os
os.chdir(os.environ.get("LG_WD", "."))
os.mkfifo(".lgd-nfy0")
pipe = os.open(".lgd-nfy0", os.O_RDWR)
"""
"""Module that does what the import of lgpio does."""


@pytest.mark.usefixtures("default_factory")
@pytest.mark.skipif(sys.platform != "linux", reason="lgpio is of Linux")
def test_the_pipe_of_lgpio_is_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its place can be any folder, and the process's own folder is unchanged."""
    (tmp_path / "lgpio.py").write_text(PIPE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.chdir("/proc")  # nobody can make a file there, not even root
    open_pin_factory(simulate=False)

    assert hasattr(sys.modules.pop("lgpio"), "pipe")
    assert Path("/proc") == Path.cwd()


@pytest.mark.usefixtures("default_factory")
def test_talkative_pin_factory_keeps_off_stdout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pin library's output goes to stderr, as stdout has a contract."""
    (tmp_path / "pigpio.py").write_text("print('no daemon')\nraise ImportError('no\\n daemon')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "pigpio")
    _, why = open_pin_factory(simulate=False)

    assert str(why) == "mock panel: no GPIO here (no daemon)"
    assert capsys.readouterr() == ("", "no daemon\n")


REVISION = Path("/proc/device-tree/system/linux,revision")


@pytest.mark.skipif(REVISION.exists(), reason="this is a Raspberry Pi: it has real pins")
@pytest.mark.usefixtures("default_factory")
def test_machine_without_gpio_falls_back_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has mock pins and a reason in one line, without warnings or output."""
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    factory, why = open_pin_factory(simulate=False)

    assert isinstance(factory, MockFactory)
    assert why is not None
    assert str(why).startswith("mock panel: no GPIO here (")
    assert "\n" not in str(why)
    assert capsys.readouterr().out == ""


# Mock panel: presses on mock pins become debounced presses


def test_press_takes_the_way_of_a_real_one(table: Table) -> None:
    """Down and up arrive as edges of that button, and count."""
    debouncer = Debouncer()
    expected = []
    for button in PANEL_PINS:
        for act, down in ((table.panel.down, True), (table.panel.up, False)):
            table.now += 1.0
            act(button)
            expected.append(Change(button=button, down=down, t=table.now))
    for edge in table.edges:
        debouncer.feed(edge)
    assert expected == debouncer.settle(99.0)


def test_is_down_between_down_and_up(table: Table) -> None:
    """Only this button is down, from `down` to `up`."""
    table.panel.down("mode")
    assert [button for button in PANEL_PINS if table.panel.is_down(button)] == ["mode"]
    table.panel.up("mode")
    assert not table.panel.is_down("mode")


def test_button_that_is_down_cannot_go_down(table: Table) -> None:
    """A second press is refused and gives no edge."""
    table.panel.down("deal")
    with pytest.raises(ButtonError, match="button deal is down already"):
        table.panel.down("deal")

    assert [edge.down for edge in table.edges] == [True]
    assert table.panel.is_down("deal")


def test_unknown_button_comes_with_a_suggestion(table: Table) -> None:
    """A wrong name is refused with the nearest right one, by every method."""
    for ask in (table.panel.down, table.panel.up, table.panel.is_down):
        with pytest.raises(ButtonError, match=r"no button 2\.entr; did you mean \"2\.enter\""):
            ask("2.entr")


def test_only_the_buttons_of_the_panel_are_there() -> None:
    """A smaller panel lacks the others."""
    factory = MockFactory()
    pins = {"deal": 27}
    with (
        closing(Buttons(pins, print, pin_factory=factory, clock=time.monotonic)),
        pytest.raises(ButtonError, match="no button mode; the buttons are deal"),
    ):
        MockPanel(pins, factory).down("mode")
