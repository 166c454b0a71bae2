"""The life of a link after its handshake: pings, light, keys, restarts, losses and the end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import CutError, FrameSizeError, LinkUseError, SilentBoardError
from firmware_bridge.protocol.framing import Frame, encode
from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import LATCH, BoardSetup, Reason, Type
from firmware_bridge.protocol.states import (
    BoardRestarted,
    Closed,
    Event,
    FrameRefused,
    FrameShown,
    KeyEdge,
    Log,
    Resynchronised,
    State,
)
from tests.support import link_script
from tests.support.link_script import FORGETFUL, START, Script, error_of


@pytest.fixture
def script() -> Script:
    """Return the script of a link that is connected."""
    script = Script()
    script.connect()
    return script


RED = b"\xff\x00\x00" * 9 + b"\x00\x01\x02"


def rounded(events: list[Event]) -> list[KeyEdge]:
    """Return edges with their times to the millisecond."""
    edges = [event for event in events if isinstance(event, KeyEdge)]
    return [KeyEdge(button=e.button, down=e.down, t=round(e.t, 3)) for e in edges]


# Restarts, losses and the end


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


# Pings, light, keys, and anything else on a line


def test_a_ping_goes_out_every_half_second(script: Script) -> None:
    """PING is sent at once and each 500 ms; PONG has the board's latest counters."""
    assert [(0.5, Type.PING), (1.0, Type.PING)] == script.words_until(1.2)
    script.hear(link_script.pong(overruns=3))
    assert script.link.board.counters is not None
    assert 3 == script.link.board.counters.overruns


def test_a_frame_goes_out_whole_and_then_what_changed(script: Script) -> None:
    """After the ACK of a whole frame only changes are sent, and latched."""
    assert 1 == script.link.show(RED)
    whole = Frame(type=Type.PIXELS, sequence=0, argument=LATCH, payload=RED)
    assert [whole] == script.said()
    assert [FrameShown(ticket=1)] == script.hear(link_script.ack(Type.PIXELS, 0))
    assert 2 == script.link.show(RED[:3] + b"\x07" + RED[4:])
    assert [
        Frame(type=Type.PIXELS, sequence=1, argument=LATCH | 3, payload=b"\x07")
    ] == script.said()


def test_the_same_frame_again_is_only_latched(script: Script) -> None:
    """An equal frame is shown again without any byte of it."""
    script.show(RED)
    script.hear(link_script.ack(Type.PIXELS, 0))
    assert [Frame(type=Type.PIXELS, sequence=1, argument=LATCH)] == script.show(RED)


def test_without_credit_only_the_newest_frame_waits(script: Script) -> None:
    """Frames replace each other while one is on its way; credit 2 allows two."""
    for light in (1, 2, 3):
        assert (light == 1) == bool(script.show(bytes([light]) * 29 + b"\x00"))
    assert [FrameShown(ticket=1)] == script.hear(link_script.ack(Type.PIXELS, 0))
    (said,) = script.said()
    assert 3 == said.payload[0]
    other = Script()
    other.connect(link_script.info(credit=2))
    shown = []
    for light in (1, 2, 3):
        shown += other.show(bytes([light]) * 29 + b"\x00")
    assert [(0, LATCH, 30), (1, LATCH, 30)] == [
        (f.sequence, f.argument, len(f.payload)) for f in shown
    ]


def test_a_refused_frame_is_followed_by_the_newest_whole(script: Script) -> None:
    """After a NAK a whole frame is sent, even if an earlier one was acknowledged."""
    script.show(RED)
    script.hear(link_script.ack(Type.PIXELS, 0))
    newest = RED[:-1] + b"\x09"
    script.show(newest)
    refused = [FrameRefused(ticket=2, reason=Reason.DAMAGED)]
    assert refused == script.hear(link_script.nak(Type.PIXELS, Reason.DAMAGED, 1))
    assert [Frame(type=Type.PIXELS, sequence=2, argument=LATCH, payload=newest)] == script.said()


def test_an_unanswered_frame_is_followed_by_the_newest_whole(script: Script) -> None:
    """It is given up 250 ms after its time; a late ACK is ignored."""
    script.show(RED)
    assert [] == script.until(0.25)
    assert [FrameRefused(ticket=1, reason=None)] == script.until(0.26)
    assert [] == script.hear(link_script.ack(Type.PIXELS, 0))
    assert (0, 1) == (script.link.counters.refused, script.link.counters.unanswered)


def test_a_pong_without_the_base_brings_the_newest_whole(script: Script) -> None:
    """A board that shows something else gets the frame again."""
    script.show(RED)
    script.hear(link_script.pong(shown=False))
    assert [] == script.said()
    script.hear(link_script.ack(Type.PIXELS, 0))
    script.hear(link_script.pong(shown=True))
    assert [] == script.said()
    script.hear(link_script.pong(shown=False))
    assert [(1, RED)] == [(frame.sequence, frame.payload) for frame in script.said()]


DARK = bytes(30)


def test_the_newest_frame_comes_with_the_connection() -> None:
    """A frame for a missing board is shown as soon as it is there."""
    script = Script()
    script.link.show(DARK)
    script.link.show(RED)
    script.open()
    script.hear(link_script.info())
    script.said()
    script.hear(link_script.ack(Type.SETUP))
    assert [Type.PING, Type.PIXELS] == script.types()


def test_a_frame_of_another_size_is_refused() -> None:
    """A frame has exactly three bytes an LED; a link of buttons takes none."""
    with pytest.raises(FrameSizeError, match="10 LEDs has 30 bytes, not 27"):
        Script().link.show(bytes(27))
    with pytest.raises(FrameSizeError, match="0 LEDs"):
        Script(BoardSetup(leds=0)).link.show(b"")


def test_keys_are_reported_once_at_their_times_and_acknowledged_each_time() -> None:
    """A repeated edge comes once, at arrival less its age; each KEYS gets KEYACK."""
    script = Script()
    script.connect(link_script.info(sequence=255))
    down = link_script.keys([(3, True, 2090)], sequence=255, down=8, clock=2100)
    assert [KeyEdge(button=3, down=True, t=START - 0.01)] == rounded(script.hear(down))
    assert [(Type.KEYACK, 0)] == [(frame.type, frame.sequence) for frame in script.said()]
    assert [] == script.hear(down)
    assert [(Type.KEYACK, 0)] == [(frame.type, frame.sequence) for frame in script.said()]


def test_of_several_keyacks_only_the_newest_is_said(script: Script) -> None:
    """KEYS that arrive during a send get one common KEYACK."""
    script.link.show(RED)
    assert [Type.PIXELS] == script.types()
    script.hear(link_script.keys([(3, True, 2090)], down=8))
    script.hear(link_script.keys([(3, True, 2090), (3, False, 2095)]))
    assert [(Type.KEYACK, 2)] == [(frame.type, frame.sequence) for frame in script.said()]


def test_missing_keys_are_made_good_by_the_bitmap(script: Script) -> None:
    """The levels before the listed events replace missing ones."""
    missed = link_script.keys([(1, False, 2000), (2, True, 2001)], sequence=4, down=0b1100)
    before, *edges = script.hear(missed)
    assert isinstance(before, Resynchronised)
    assert frozenset({1, 3}) == before.down
    assert [(1, False), (2, True)] == [(edge.button, edge.down) for edge in rounded(edges)]


def test_edges_that_the_board_lost_are_reported() -> None:
    """A grown counter of lost edges is reported with the levels."""
    script = Script()
    script.connect(link_script.info(lost=65535))
    events = script.hear(link_script.keys([(0, True, 2000)], down=1, lost=1))
    assert isinstance(events[1], Resynchronised)
    assert (2, frozenset({0})) == (events[1].lost, events[1].down)


def test_a_log_line_is_reported_in_printable_characters(script: Script) -> None:
    """LOG is passed on without characters that confuse a terminal."""
    assert [Log(text="low?[2J supply?", t=START)] == script.hear(
        link_script.log(b"low\x1b[2J supply\xff")
    )


def test_silence_inside_a_frame_frees_what_follows(script: Script) -> None:
    """After 100 ms a frame is dropped, and a frame inside it is found."""
    script.hear(link_script.keys([(0, True, 1)] * 9)[:12], link_script.log(b"x"))
    assert [Log(text="x", t=START + 0.1)] == [
        event for event in script.until(0.15) if isinstance(event, Log)
    ]
    assert 1 == script.link.counters.broken_off


def test_what_is_wrong_on_the_line_is_counted(script: Script) -> None:
    """Headers, frames, echoes and unknown messages have their own counters."""
    frames = script.link.counters.frames
    script.hear(
        b"\xa5\x5a12345678",
        link_script.log(b"x")[:-1] + b"!",
        encode(Frame(type=Type.PING, sequence=0)),
        encode(Frame(type=0xEE, sequence=0)),
        encode(Frame(type=Type.PONG, sequence=0, payload=b"short")),
    )
    counters = script.link.counters
    assert (1, 1, 1, 2) == (
        counters.bad_headers,
        counters.damaged,
        counters.echoes,
        counters.unknown,
    )
    assert frames + 2 == counters.frames


def test_what_is_reported_is_counted(script: Script) -> None:
    """Frames shown and refused, edges and levels have counters."""
    for answer in (
        link_script.ack(Type.PIXELS, 0),
        link_script.nak(Type.PIXELS, Reason.DAMAGED, 1),
    ):
        script.show(RED)
        script.hear(answer)
    script.hear(link_script.keys([(0, True, 1), (0, False, 2)], lost=2))
    counters = script.link.counters
    assert (1, 1, 0) == (counters.shown, counters.refused, counters.unanswered)
    assert (2, 2) == (counters.edges, counters.resynchronised)
    assert (1, 0, 0) == (counters.openings, counters.restarts, counters.losses)


payloads = st.one_of(st.binary(max_size=256), st.integers(0, 200).map(bytes))
replies = st.one_of(
    st.builds(
        Frame,
        type=st.sampled_from([0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x05]),
        sequence=st.integers(0, 255),
        argument=st.integers(0, 0x0810),
        payload=payloads,
    ).map(encode),
    st.sampled_from(
        [
            link_script.info(),
            link_script.info(boot=2, down=1, sequence=200),
            link_script.ack(Type.SETUP),
            link_script.nak(Type.SETUP, Reason.NOT_READY),
            link_script.ack(Type.PIXELS),
            link_script.nak(Type.PIXELS, Reason.NO_BASE),
            link_script.pong(),
            link_script.pong(ready=False, clock=2**32 - 1),
            link_script.keys([(31, True, 2**32 - 1)], sequence=250, down=2**31, clock=0),
            link_script.keys([]),
            link_script.ack(Type.BYE),
        ]
    ),
    st.binary(max_size=40),
)


@given(st.lists(st.tuples(replies, st.floats(0, 1)), max_size=30), st.booleans())
def test_nothing_that_a_board_says_raises(heard: list[tuple[bytes, float]], closes: bool) -> None:
    """Any frame and any bytes, in any state, give events and never an error."""
    script = Script(BoardSetup(leds=10, buttons=14))
    script.open()
    times = [START]
    for n, (data, wait) in enumerate(heard):
        if script.link.state in {State.LOST, State.REFUSED}:
            script.open()
        if script.link.state is not State.CLOSED and not closes:
            script.link.show(bytes([n]) * 30)
        events = script.hear(data)
        times += [event.t for event in events if isinstance(event, KeyEdge)]
        script.said()  # and all of it is frames
        script.until(script.at + wait)
    assert sorted(times[1:]) == times[1:]
    if closes:
        script.link.close(script.now)
        script.until(script.at + 1)
        assert State.CLOSED is script.link.state
