"""Null strip, for a table without lights and for measuring everything but the strip."""

from hardware.strips.base import StripBase
from hardware.strips.protocol import Frame


class NullStrip(StripBase):
    """Strip that validates frames and drops them."""

    def _start(self) -> None:
        """Do nothing."""

    def _send(self, frame: Frame) -> None:
        """Drop the frame."""

    def _stop(self) -> None:
        """Do nothing."""
