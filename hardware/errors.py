"""What can go wrong with lights and switches: each text says what, why and the line to change."""


class HardwareError(Exception):
    """Root of the hardware's errors; its text is one line that a user can act on."""


class StripError(HardwareError, RuntimeError):
    """A strip that cannot be set up, started or shown; the text names the setting to change."""


class ButtonError(HardwareError, ValueError):
    """A button that cannot be set up; the text names the pin or the setting to change."""
