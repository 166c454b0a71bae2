"""Signals: what has happened, delivered to all who have subscribed."""

from collections.abc import Callable
from contextlib import suppress


class Signal:
    """Signal with its `listeners`, in the order in which they subscribed."""

    def __init__(self) -> None:
        self.listeners: list[Callable[..., None]] = []

    def subscribe(self, listener: Callable[..., None]) -> Callable[[], None]:
        """Add a listener. Return a function that removes it; more than one call does nothing."""
        self.listeners.append(listener)

        def unsubscribe() -> None:
            with suppress(ValueError):
                self.listeners.remove(listener)

        return unsubscribe

    def notify(self, *values: object) -> None:
        """Call every listener with these values, also where one of them removes itself."""
        for listener in tuple(self.listeners):
            listener(*values)
