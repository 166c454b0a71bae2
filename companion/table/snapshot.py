"""News of a table, and the lights that its views are given to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from companion.lights import View
from companion.lights.scene.tour import TourSign
from companion.table.consents import ConsentRequest
from companion.table.counts import Doubt, Pending
from companion.table.hints import Hint
from companion.table.sign_up import SignUp


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Standing of the table for the page: the view, pending counts, and notes on both.

    `seq` counts accepted commands; `hint` is about the last press; `sign` is what a tour shows;
    `consents` wait for a held button; `stuck` names the buttons that are ignored because they have
    been down for long; `new_rules`, the next game has other rules.
    """

    seq: int
    view: View
    pending: Mapping[int, Pending]
    saved: bool
    hint: Hint | None
    sign_up: SignUp | None
    consents: tuple[ConsentRequest, ...]
    sign: TourSign | None
    notices: tuple[str, ...]
    stuck: tuple[str, ...]
    new_rules: bool


class Tapped(NamedTuple):
    """Result of a tap: `counted` is False if it only woke the board, or was held back by a `doubt`.

    `hint` is about it.
    """

    counted: bool
    hint: Hint | None
    doubt: Doubt | None = None


class Lights(Protocol):
    """Lights that show the views of a table: the lights thread, or those of a demo."""

    brightness: float

    def show(self, view: View) -> None:
        """Show a view from the next frame on; returns at once."""
