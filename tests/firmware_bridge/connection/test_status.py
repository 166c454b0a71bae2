"""Status reports to the owner of a connection."""

import pytest

from firmware_bridge.connection.status import ConnectionStatus
from firmware_bridge.errors import CutError, ForeignDeviceError, SilentBoardError
from firmware_bridge.protocol.events import Connected, Lost, Refused
from firmware_bridge.protocol.framing import Decoder, Frame
from firmware_bridge.protocol.messages import BoardInfo, read_message
from tests.support import link_script


def an_info() -> BoardInfo:
    """Return the INFO of a board."""
    (frame,) = Decoder().feed(link_script.info())
    assert isinstance(frame, Frame)
    message = read_message(frame)
    assert isinstance(message, BoardInfo)
    return message


CUT = CutError("the port failed: gone")


@pytest.fixture
def reported() -> list[str]:
    """Return the reported lines."""
    return []


@pytest.fixture
def standing(reported: list[str]) -> ConnectionStatus:
    """Return the status of a new connection."""
    return ConnectionStatus(lambda text: reported.append(str(text)))


def test_an_error_that_was_raised_is_not_reported(
    standing: ConnectionStatus, reported: list[str]
) -> None:
    """`wait` raises its error, and a first connection is not reported."""
    standing.handle([Lost(error=CUT)], "/dev/x")
    assert (CUT, []) == (standing.error, reported)
    standing.handle([Connected(info=an_info())], "/dev/x")
    assert (None, []) == (standing.error, reported)


def test_an_error_is_reported_once_after_the_wait(
    standing: ConnectionStatus, reported: list[str]
) -> None:
    """The present error is reported once, and later that it works."""
    standing.fail(CUT, "/dev/x")
    standing.start_reporting("/dev/x")
    standing.start_reporting("/dev/x")
    assert ["/dev/x: the port failed: gone (trying again)"] == reported
    standing.handle([Connected(info=an_info())], "/dev/x")
    assert f"/dev/x: connected to the {an_info().name}" == reported[-1]


def test_a_night_without_a_board_is_reported_of_once(
    standing: ConnectionStatus, reported: list[str]
) -> None:
    """The same error is not repeated, but another one is reported."""
    standing.handle([Connected(info=an_info())], "/dev/x")
    for _ in range(3):
        standing.handle([Lost(error=CUT)], "/dev/x")
    standing.handle([Lost(error=SilentBoardError("it is silent"))], "/dev/x")
    standing.handle([Refused(error=ForeignDeviceError("it is foreign"))], "/dev/x")
    assert [str(CUT), "it is silent", "it is foreign"] == [
        line.removeprefix("/dev/x: ").removesuffix(" (trying again)") for line in reported
    ]


def test_a_port_is_named_once(standing: ConnectionStatus, reported: list[str]) -> None:
    """No name precedes an error that names its port, and auto is no name."""
    standing.fail(CutError("/dev/x is not there"), "/dev/x")
    standing.start_reporting("/dev/x")
    standing.fail(CutError("no board is there"), "auto")
    assert [
        "/dev/x is not there (trying again)",
        "no board is there (trying again)",
    ] == reported
