"""A strip that is not there: for a table without lights, and for timing what comes before it."""

from hardware.strips.base import StripBase
from hardware.strips.protocol import Frame


class NullStrip(StripBase):
    """A strip that takes every frame that fits and shows none."""

    def _start(self) -> None:
        """There is nothing to take hold of."""

    def _send(self, frame: Frame) -> None:
        """There is nobody to send it to."""

    def _stop(self) -> None:
        """There is nothing to let go of."""
