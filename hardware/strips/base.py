"""The life of a strip, the same for every driver: closed, open, shown on, closed again.

A driver says how to start, send and stop; when it may, and that it goes dark first, is here.
"""

import logging
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from hardware.errors import StripError
from hardware.strips.protocol import LINEAR, Frame, StripSpec, black, check_frame

log = logging.getLogger(__name__)


class StripBase(ABC):
    """A driver's outer half: it meets `Strip`, a subclass fills in the inner half."""

    def __init__(self, spec: StripSpec) -> None:
        self._spec = spec
        self._is_open = False

    @property
    def spec(self) -> StripSpec:
        """What the driver drives."""
        return self._spec

    @property
    def wire_seconds(self) -> float:
        """Seconds for a frame: those of an ideal wire, unless the driver says otherwise."""
        return self._spec.wire_seconds

    @property
    def pins(self) -> tuple[int, ...]:
        """BCM pins that the strip takes: none, unless the driver says otherwise."""
        return ()

    @property
    def response(self) -> NDArray[np.float64]:
        """The light that each byte gives: in proportion, unless the driver says otherwise."""
        return LINEAR

    def open(self) -> None:
        """Take hold of the hardware; see `Strip.open`."""
        if self._is_open:
            raise StripError("the strip is open already")
        self._start()
        self._is_open = True

    def show(self, frame: Frame) -> None:
        """Send a frame; see `Strip.show`."""
        if not self._is_open:
            raise StripError("the strip is not open", remedy="open() comes before show()")
        check_frame(self._spec, frame)
        self._send(frame)

    def close(self) -> None:
        """Turn all LEDs dark and let go of the hardware; see `Strip.close`."""
        if not self._is_open:
            return
        self._is_open = False
        try:
            self._send(black(self._spec))
        except StripError as error:
            # Whoever closes is on the way out: a strip that no longer answers must not stop them.
            log.warning("the strip may still be lit: %s", error)
        finally:
            self._stop()

    @abstractmethod
    def _start(self) -> None:
        """Take hold of the hardware; on StripError nothing is held."""

    @abstractmethod
    def _send(self, frame: Frame) -> None:
        """Send a frame that fits."""

    @abstractmethod
    def _stop(self) -> None:
        """Let go of the hardware once everything sent is out."""
