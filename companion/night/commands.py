"""Commands of the organiser: each makes a new plan of the last, or is refused with the remedy."""

from __future__ import annotations

from companion.night.entrant_commands import AddEntrants, RemoveEntrant, SetEntrant
from companion.night.result_commands import (
    CorrectCard,
    EnterResult,
    WithdrawCorrection,
    WithdrawResult,
)
from companion.night.round_commands import (
    BeginAnew,
    MovePair,
    SeatRound,
    SetFormat,
    SetMessage,
    WithdrawRound,
)

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
