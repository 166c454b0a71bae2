"""The doctor: what is in order on this machine, what is worth knowing, what to mend and how."""

from companion.devices.doctor.examine import examine
from companion.devices.doctor.finding import Finding, Level

__all__ = ["Finding", "Level", "examine"]
