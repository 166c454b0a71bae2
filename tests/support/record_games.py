"""Games of the records for tests of the page, made up or out of a journal."""

from __future__ import annotations

from companion.web.records import responses

NOON = 1_800_000_000.0


def told_game(
    number: int = 1,
    *,
    names: tuple[str | None, ...] = (None, None),
    here: bool = True,
    progress: tuple[tuple[int, ...], ...] = ((0, 5, 5, 42), (0, 0, 8, 8)),
    winner: int | None = None,
) -> responses.ToldGame:
    """A game in which the sides came so far at each place."""
    sides = {
        str(team): responses.RecordedSide(name=name, progress=holes[-1], caught=0)
        for team, (name, holes) in enumerate(zip(names, progress, strict=True), start=1)
    }
    game: responses.RecordedGame = {
        "number": number,
        "standing": "won" if winner else "left",
        "begun": NOON,
        "ended": NOON + 60,
        "board": "classic",
        "title": "Cribbage",
        "finish": 121,
        "players": len(sides),
        "rules": {},
        "sides": sides,
        "winner": winner,
        "worth": 2 if winner else None,
        "counts": len(progress[0]) - 1,
        "hands": 1,
    }
    words = [f"{'' if at == 0 else f'At place {at}.'}" for at in range(len(progress[0]))]
    return {
        "game": game,
        "here": here,
        "places": [{"t": NOON + at, "hand": 1, "words": told} for at, told in enumerate(words)],
        "progress": {str(team): list(values) for team, values in enumerate(progress, start=1)},
    }


def tally(**more: object) -> responses.Tally:
    """What a side has done: nothing much, but for what is given."""
    told: responses.Tally = {
        "played": 3,
        "won": 2,
        "worth": 5,
        "skunks": {"given": 0, "taken": 0},
        "double_skunks": {"given": 1, "taken": 0},
        "holes": 110.25,
        "counts": 40,
        "average_count": 5.5,
        "largest_count": 24,
        "penalty_points": 2,
        "muggins_points": 0,
        "awards": 1,
        "zones": {
            "red-slide": 1.0,
            "time-trap": 0.5,
            "green-advance": 0.25,
            "penalty-box": 2.0,
        },
        "best_swing": {"holes": 40, "game": 2, "step": 7},
        "worst_swing": {"holes": -41, "game": 1, "step": 9},
        "comeback": None,
        "longest_streak": 2,
        "streak": 0,
        "averages": {"games": 0, "hand": None, "crib": None, "pegging": None},
    }
    return {**told, **more}  # type: ignore[typeddict-item]  # tests give what is there


def match(number: int, games: list[int], *, to: int | None = 7) -> responses.RecordedMatch:
    """A series of these games, the first side ahead and called Anna."""
    return {
        "number": number,
        "games": games,
        "begun": NOON,
        "ended": None,
        "to": to,
        "score": {"1": 4, "2": 1},
        "names": {"1": "Anna"},
        "winner": None,
    }
