"""Names of the sides."""

from collections.abc import Mapping
from typing import Final

from companion.lights.colour.palette import Palette

COLOUR_NAMES: Final = {"#ffb000": "Amber", "#ffffff": "White", "#ff60d0": "Magenta"}
"""Names of sides by colour; a side of another colour goes by its number."""


def side_names(names: Mapping[str, str], palette: Palette) -> dict[int, str]:
    """Return the names of the sides by team: as set, or that of a colour that has one.

    >>> side_names({"2": "Anna"}, Palette.make({"3": "#123456"}))
    {1: 'Amber', 2: 'Anna'}
    """
    teams = palette.teams
    named = ((team, names.get(str(team)) or COLOUR_NAMES.get(colour)) for team, colour in teams)
    return {team: name for team, name in named if name}
