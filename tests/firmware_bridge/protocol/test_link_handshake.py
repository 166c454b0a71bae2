"""The handshake: greeting, set-up or refusal, without a fixed wait and with a limit."""

import pytest

from firmware_bridge.errors import (
    EchoError,
    ForeignDeviceError,
    NoAnswerError,
    SilentBoardError,
    UnfitBoardError,
)
from firmware_bridge.protocol.framing import Frame, encode
from firmware_bridge.protocol.messages import BoardSetup, Reason, Type, setup
from firmware_bridge.protocol.states import Connected, Lost, Refused, Resynchronised, State
from tests.support import link_script
from tests.support.link_script import START, Script, error_of


@pytest.fixture
def script() -> Script:
    """Return the script of a link that is open."""
    script = Script()
    script.open()
    return script


def test_hello_is_said_at_once_and_every_quarter_second() -> None:
    """It is sent at the opening and each 250 ms until INFO, with the session's nonce."""
    script = Script()
    (hello,) = script.open()
    assert (Type.HELLO, link_script.SESSION) == (
        hello.type,
        int.from_bytes(hello.payload[:4], "little"),
    )
    expected = [(0.25 * n, Type.HELLO) for n in range(1, 9)]
    assert expected == script.words_until(2.0)


def test_boot_loaders_get_no_byte() -> None:
    """Nothing is sent during the silence; then the handshake has its five seconds."""
    script = Script()
    script.link.open(script.now, quiet_s=1.6)
    assert [] == script.said()
    hellos = [(round(1.6 + 0.25 * n, 3), Type.HELLO) for n in range(20)]
    assert hellos == script.words_until(6.59)
    (lost,) = script.until(6.6)
    assert isinstance(lost, Lost)


def test_a_board_that_speaks_first_is_answered_at_once() -> None:
    """A frame shows that the program runs; a boot loader's noise does not."""
    script = Script()
    script.link.open(script.now, quiet_s=1.6)
    script.hear(b"boot loader 4.4")
    assert [] == script.types()
    script.at = 0.3
    script.hear(link_script.pong())
    assert script.link.next_deadline <= script.now
    assert [Type.HELLO] == script.types()


def test_info_leads_to_setup_and_ack_to_connected() -> None:
    """The reply to INFO is SETUP with its boot nonce; its ACK connects."""
    script = Script(BoardSetup(leds=12, safe_colour=b"\x01\x02\x03"))
    script.open()
    assert [] == script.hear(link_script.info(down=0b101))
    wanted = BoardSetup(leds=12, safe_colour=b"\x01\x02\x03")
    assert [setup(1, boot=link_script.BOOT, wanted=wanted)] == script.said()
    connected, levels = script.hear(link_script.ack(Type.SETUP, 1))
    assert script.link.board.info is not None
    assert Connected(info=script.link.board.info) == connected
    assert Resynchronised(down=frozenset({0, 2}), t=START) == levels


def test_setup_is_said_again_every_quarter_second(script: Script) -> None:
    """It is sent each 250 ms until a reply; a damaged one changes nothing."""
    script.hear(link_script.info())
    script.said()
    script.hear(link_script.nak(Type.SETUP, Reason.DAMAGED))
    assert [(0.25, Type.SETUP), (0.5, Type.SETUP)] == script.words_until(0.6)


def test_the_info_of_another_session_says_nothing(script: Script) -> None:
    """INFO for another or an earlier host is ignored."""
    assert [] == script.hear(link_script.info(session=9), link_script.ack(Type.SETUP))
    assert State.GREETING is script.link.state


def test_after_five_seconds_the_handshake_has_failed() -> None:
    """The link is lost after 5 s, and the bytes received give the reason."""
    reasons = {
        b"": NoAnswerError,
        b"WLED 0.14 ready\r\n": ForeignDeviceError,
        encode(Frame(type=Type.HELLO, sequence=0)): EchoError,
        link_script.info(session=9): SilentBoardError,
        link_script.info(): SilentBoardError,
    }
    for heard, kind in reasons.items():
        script = Script()
        script.open()
        script.hear(*[heard] * bool(heard))
        assert [] == script.until(4.9)
        assert type(error_of(script.until(5.1))) is kind
        assert State.LOST is script.link.state
        assert [] == script.types()


def test_a_port_opened_again_has_five_seconds_again(script: Script) -> None:
    """Each opening has its own time and diagnosis."""
    script.hear(b"boot messages")
    script.until(4.0)
    assert [Type.HELLO] == [frame.type for frame in script.open()]
    assert [] == script.until(8.9)
    assert type(error_of(script.until(9.1))) is NoAnswerError


def test_a_board_that_always_forgets_is_asked_four_times_a_second(script: Script) -> None:
    """NAK NOT_READY to each SETUP causes few HELLOs, and ends after 5 s."""
    hellos = 0
    while script.link.state is not State.LOST:
        script.hear(link_script.info(), link_script.nak(Type.SETUP, Reason.NOT_READY))
        script.link.on_time(script.now)
        hellos += script.types().count(Type.HELLO)
        script.at += 0.01
    assert 5.0 <= round(script.at, 2) <= 5.02
    assert 19 <= hellos <= 20


def test_a_board_that_cannot_do_it_is_refused_before_the_first_frame() -> None:
    """INFO has the board's limits; the error has the remedy."""
    one, white = BoardSetup(leds=1), BoardSetup(leds=1, colours=4, safe_colour=bytes(4))
    newer = "protocol versions 2 to 3, but the companion speaks 1 to 1; update the companion"
    large = "drives at most 600 LEDs, but 601 are wired; use a board with more memory"
    four = BoardSetup(leds=0, buttons=4)
    for info, wanted, says in (
        (link_script.info(protocol=0, protocols=(2, 3)), one, newer),
        (link_script.info(protocol=0, protocols=(0, 0)), one, "flash the firmware"),
        (link_script.info(pixel_bytes=1800), BoardSetup(leds=601), large),
        (link_script.info(formats=1), white, "cannot drive LEDs with 4 colours"),
        (link_script.info(buttons=3), four, "reads 3 buttons, but the panel needs 4"),
    ):
        script = Script(wanted)
        script.open()
        events = script.hear(info)
        error = error_of(events)
        assert [Refused(error=error)] == events
        assert type(error) is UnfitBoardError
        assert says in str(error)
        assert [] == script.types()


def test_a_board_that_just_suffices_is_taken() -> None:
    """Exactly the board's LEDs, colours and buttons are accepted."""
    script = Script(BoardSetup(leds=450, colours=4, safe_colour=bytes(4), buttons=14))
    script.connect(link_script.info(formats=3, pixel_bytes=1800))


def test_a_board_for_its_buttons_alone_needs_no_strip() -> None:
    """Without LEDs neither pixel bytes nor formats matter."""
    Script(BoardSetup(leds=0, buttons=14)).connect(link_script.info(formats=0, pixel_bytes=0))


def test_a_setup_that_is_refused_ends_the_attempt(script: Script) -> None:
    """NAK TOO_MUCH despite INFO is the firmware's fault, so no further try is made."""
    script.hear(link_script.info())
    error = error_of(script.hear(link_script.nak(Type.SETUP, Reason.TOO_MUCH)))
    assert type(error) is UnfitBoardError
    assert State.REFUSED is script.link.state
