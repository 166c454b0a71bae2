"""The life of a link after its handshake: restarts, losses and the end."""

import pytest

from firmware_bridge.errors import CutError, LinkUseError, SilentBoardError
from firmware_bridge.protocol.events import BoardRestarted, Closed, Resynchronised
from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardSetup, Type
from firmware_bridge.protocol.states import State
from tests.support import link_script
from tests.support.link_script import FORGETFUL, START, Script, error_of


@pytest.fixture
def script() -> Script:
    """Return the script of a link that is connected."""
    script = Script()
    script.connect()
    return script


def test_a_board_that_is_not_in_our_session_is_greeted_again() -> None:
    """PONG or NAK without our session lead back to HELLO, and nothing is lost."""
    for word in FORGETFUL:
        script = Script()
        script.connect()
        script.at = 1.0
        assert [] == script.hear(word)
        assert [Type.HELLO] == script.types()
        assert State.GREETING is script.link.state


def test_another_boot_is_reported_and_set_up_at_once() -> None:
    """INFO of another boot leads to SETUP for it, with all buttons up."""
    script = Script()
    script.connect(link_script.info(down=1))
    script.at = 1.0
    assert [BoardRestarted(boot=9)] == script.hear(link_script.info(boot=9, down=2))
    (said,) = script.said()
    assert (Type.SETUP, 9) == (said.type, int.from_bytes(said.payload[:4], "little"))
    assert [BoardRestarted(boot=10)] == script.hear(link_script.info(boot=10, down=4))
    _, levels = script.hear(link_script.ack(Type.SETUP))
    assert Resynchronised(down=frozenset({2}), t=START + 1) == levels
    assert 2 == script.link.counters.restarts


def test_a_second_info_of_the_same_boot_changes_nothing(script: Script) -> None:
    """A repeated HELLO has two replies; the second is ignored."""
    assert [] == script.hear(link_script.info(down=5, sequence=9))
    assert State.RUNNING is script.link.state
    assert [] == script.types()


def test_a_board_silent_for_two_seconds_is_lost(script: Script) -> None:
    """Each frame keeps the link for 2 s; a lost one may be opened again."""
    assert [] == script.until(1.9)
    script.hear(link_script.pong())
    assert [] == script.until(3.8)
    assert type(error_of(script.until(4.0))) is SilentBoardError
    assert State.LOST is script.link.state
    assert [Type.HELLO] == [frame.type for frame in script.open()]


def test_noise_does_not_keep_a_link(script: Script) -> None:
    """Bytes outside of frames do not count."""
    script.until(1.0)
    script.hear(b"noise", link_script.pong()[:-1] + b"!")
    assert type(error_of(script.until(2.1))) is SilentBoardError


def test_a_port_that_fails_is_reported_once(script: Script) -> None:
    """`cut` loses the link with the port's error; until it is opened nothing is read."""
    error = error_of(script.link.cut("unplugged", script.now))
    assert (CutError, "the port failed: unplugged") == (type(error), str(error))
    assert [] == script.link.cut("unplugged", script.now)
    assert [] == script.hear(link_script.info())
    assert float("inf") == script.link.next_deadline
    assert 1 == script.link.counters.losses


def test_nothing_is_said_to_a_port_that_failed(script: Script) -> None:
    """Bytes that waited for it are dropped."""
    script.hear(link_script.keys([(0, True, 1)], down=1))
    script.link.show(bytes(30))
    script.link.cut("unplugged", script.now)
    assert [] == script.types()


def test_half_a_frame_does_not_outlive_its_port() -> None:
    """Bytes from before a reopening are not joined to later ones."""
    script = Script()
    script.open()
    script.hear(link_script.info()[:20])
    script.link.cut("unplugged", script.now)
    script.open()
    assert [] == script.hear(link_script.info()[20:])
    assert State.GREETING is script.link.state


def test_closing_says_bye_until_it_is_acknowledged(script: Script) -> None:
    """BYE is sent at once and every 100 ms; its ACK closes the link."""
    assert [] == script.link.close(script.now)
    assert [Type.BYE] == script.types()
    assert [(0.1, Type.BYE), (0.2, Type.BYE)] == script.words_until(0.25)
    assert [] == script.hear(link_script.ack(Type.PIXELS), link_script.keys([(0, True, 1)], down=1))
    assert [Closed(dark=True)] == script.hear(link_script.ack(Type.BYE))
    assert [] == script.types()


def test_closing_waits_half_a_second_at_most(script: Script) -> None:
    """A silent board or a failed port does not delay the end."""
    script.link.close(script.now)
    assert [] == script.until(0.4)
    assert [Closed(dark=False)] == script.until(0.6)
    other = Script()
    other.connect()
    other.link.close(other.now)
    assert [Closed(dark=False)] == other.link.cut("unplugged", other.now)


def test_a_link_that_never_was_open_closes_at_once() -> None:
    """There is no board for BYE; a second close does nothing."""
    link = Link(session=1, wanted=BoardSetup(leds=1))
    assert [Closed(dark=False)] == link.close(START)
    assert [] == link.close(START)
    assert b"" == link.bytes_to_send(START)


def test_a_closed_link_takes_nothing_any_more() -> None:
    """Opening a closed link, or showing on it, is a program error."""
    link = Link(session=1, wanted=BoardSetup(leds=1))
    link.close(START)
    with pytest.raises(LinkUseError, match="closed"):
        link.open(START)
    with pytest.raises(LinkUseError, match="closed"):
        link.show(bytes(3))


def test_a_session_is_a_number_that_fits() -> None:
    """0 means no session, and more than 32 bits do not fit."""
    for session in (0, -1, 1 << 32):
        with pytest.raises(LinkUseError, match="from 1 to"):
            Link(session=session, wanted=BoardSetup(leds=1))
