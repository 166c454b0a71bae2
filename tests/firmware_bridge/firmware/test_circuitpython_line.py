"""The engine and the firmware for native USB, joined by a bad line in virtual time."""

from firmware_bridge.protocol.events import BoardRestarted, Connected
from tests.firmware_bridge.firmware.circuitpython_board import NAME, UNIQUE, make_firmware_line
from tests.support.bridge_line import LEDS, Player


def test_it_says_what_it_is() -> None:
    """INFO has name, number, credit and abilities."""
    line = make_firmware_line()
    line.run_until(lambda: line.of(Connected))
    info = line.of(Connected)[0].info
    assert (NAME, UNIQUE.hex()) == (info.name, info.id)
    assert (2, LEDS * 3, frozenset({3, 4}), 6) == (
        info.credit,
        info.pixel_bytes,
        info.formats,
        info.buttons,
    )


def test_a_board_that_starts_anew_in_the_middle_of_frames() -> None:
    """After each of thirty restarts in a stream it returns, without a wrong frame."""
    line = make_firmware_line(seed=3)
    line.to_board.bytes_a_tick = 20
    player = Player(line, 6)
    line.run_until(lambda: line.of(Connected))
    for restarts in range(1, 31):
        for _ in range(player.random.randrange(1, 40)):
            player.show()
            player.press(player.random.randrange(6))
            line.run(player.random.randrange(5))
        line.board.start()
        line.run_until(lambda: len(line.of(BoardRestarted)) == restarts)  # noqa: B023
    player.settle()
    player.check()
