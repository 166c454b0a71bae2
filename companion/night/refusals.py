"""Refused messages in the log, where a flood of them makes few lines."""

import logging
import math
from collections import Counter

_log = logging.getLogger(__name__)


class Refusals:
    """Counts of refused messages by topic: the 1st, 10th, 100th ... of each makes a line."""

    def __init__(self) -> None:
        self._counts = Counter[str]()

    def note(self, topic: str, error: Exception) -> None:
        """Count a refused message; what it says of itself stays in its line of the log."""
        self._counts[topic] += 1
        count = self._counts[topic]
        if math.log10(count).is_integer():
            reason = "".join(each if each.isprintable() else "?" for each in str(error)[:200])
            _log.warning("%s: message refused (%s times): %s", topic, count, reason)
