"""Commands of the organiser, as values; `changes.py` carries them out."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.night.messages import NightId, NightMessage, Team
from companion.night.plan import (
    MESSAGE_LENGTH_LIMIT,
    ROUND_LIMIT,
    Correction,
    Finish,
    Id,
    ScoringName,
    Spread,
    Tables,
    Title,
)

Lines = Annotated[str, Meta(max_length=20_000)]


class PlanCommand(NightMessage, frozen=True, kw_only=True, tag_field="command"):
    """Base of all commands; `command` in its JSON is its name."""


class AddEntrants(PlanCommand, frozen=True, kw_only=True, tag="add-entrants"):
    """Entrants to be added: a line each, `&` between players of one side."""

    lines: Lines


class SetEntrant(PlanCommand, frozen=True, kw_only=True, tag="set-entrant"):
    """Entrant as it shall be: with another name, gone, or back."""

    id: Id
    name: Annotated[str, Meta(max_length=200)]
    playing: bool


class RemoveEntrant(PlanCommand, frozen=True, kw_only=True, tag="remove-entrant"):
    """Entrant to be taken off the list, who has had no seat."""

    id: Id


class SetFormat(PlanCommand, frozen=True, kw_only=True, tag="set-format"):
    """Format of the night."""

    title: Title
    finish: Finish
    scoring: ScoringName
    planned_rounds: Annotated[int, Meta(ge=1, le=ROUND_LIMIT)]
    tables: Tables


class SeatRound(PlanCommand, frozen=True, kw_only=True, tag="seat-round"):
    """Round to be seated; its number is that of the next one, so that it is not seated twice."""

    round: Id


class WithdrawRound(PlanCommand, frozen=True, kw_only=True, tag="withdraw-round"):
    """Newest round, to be taken back before its first count."""

    round: Id


class MovePair(PlanCommand, frozen=True, kw_only=True, tag="move-pair"):
    """Pair of the newest round that goes to another table; a pair there comes back in exchange."""

    table: Id
    to: Id


class EnterResult(PlanCommand, frozen=True, kw_only=True, tag="enter-result"):
    """Result as the two sides claim it: the winner `plus`, the loser `minus`."""

    round: Id
    table: Id
    winner: Team
    plus: Spread
    minus: Spread


class WithdrawResult(PlanCommand, frozen=True, kw_only=True, tag="withdraw-result"):
    """Entered result to be taken back; the table's own holds then, if there is one."""

    round: Id
    table: Id


class CorrectCard(PlanCommand, frozen=True, kw_only=True, tag="correct-card"):
    """Line of one card as the judges have it."""

    correction: Correction


class WithdrawCorrection(PlanCommand, frozen=True, kw_only=True, tag="withdraw-correction"):
    """Correction to be taken back."""

    round: Id
    entrant: Id


class SetMessage(PlanCommand, frozen=True, kw_only=True, tag="set-message"):
    """Line on the hall screen; an empty one removes it."""

    text: Annotated[str, Meta(max_length=MESSAGE_LENGTH_LIMIT)]


class BeginAnew(PlanCommand, frozen=True, kw_only=True, tag="begin-anew"):
    """New night with the same entrants, without rounds and results. `night` is its id."""

    night: NightId


AnyCommand = (
    AddEntrants
    | SetEntrant
    | RemoveEntrant
    | SetFormat
    | SeatRound
    | WithdrawRound
    | MovePair
    | EnterResult
    | WithdrawResult
    | CorrectCard
    | WithdrawCorrection
    | SetMessage
    | BeginAnew
)
