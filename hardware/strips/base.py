"""Base class of drivers: keeps to the sequence of opening, frames, and closing after a dark frame.

A driver implements start, send and stop.
"""

import logging
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from hardware.errors import StripError
from hardware.strips.protocol import LINEAR, Frame, StripSpec, black, check_frame

log = logging.getLogger(__name__)


class StripBase(ABC):
    """Base of drivers, which meets `Strip`; a subclass implements the hardware."""

    def __init__(self, spec: StripSpec) -> None:
        self._spec = spec
        self._is_open = False

    @property
    def spec(self) -> StripSpec:
        """Specification of the strip."""
        return self._spec

    @property
    def wire_seconds(self) -> float:
        """Duration of a frame, by default on an ideal wire."""
        return self._spec.wire_seconds

    @property
    def pins(self) -> tuple[int, ...]:
        """BCM pins that the strip uses, by default none."""
        return ()

    @property
    def response(self) -> NDArray[np.float64]:
        """Light that each byte gives, by default proportional."""
        return LINEAR

    def open(self) -> None:
        """Open the hardware; see `Strip.open`."""
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
        """Turn all LEDs dark and release the hardware; see `Strip.close`."""
        if not self._is_open:
            return
        self._is_open = False
        try:
            self._send(black(self._spec))
        except StripError as error:
            # A strip that does not answer must not prevent the end of the program.
            log.warning("the strip may still be lit: %s", error)
        finally:
            self._stop()

    @abstractmethod
    def _start(self) -> None:
        """Open the hardware; on StripError nothing stays open."""

    @abstractmethod
    def _send(self, frame: Frame) -> None:
        """Send a valid frame."""

    @abstractmethod
    def _stop(self) -> None:
        """Release the hardware after the last frame is out."""
