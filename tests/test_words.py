"""Each thing has one word: names of modules and identifiers, read from the syntax trees."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support.program import ROOT

PACKAGES = ("companion", "firmware_bridge", "hardware")
ONE_EACH = {"__init__.py", "errors.py"}
"""Modules of which each package may have one."""
TEAM = {
    "companion/cli": "the option --teams",
    "companion/devices/assembly.py": "the setting `teams`",
    "companion/settings": "the setting `teams`",
    "companion/web/table/table_responses.py": "keys of responses that are dictionaries",
}
"""Places of the contract's word *team*, and what for; who plays is a *side* everywhere else."""
LANE = {
    "companion/board": "the printed rows of holes",
    "companion/kit": "the same, and the light grid below them",
    "companion/lights": "the LEDs below them",
    "companion/night": "the small boards of a hall screen",
    "companion/web/settings/calibration.py": "the holes that the light is seen under",
}
"""Rooms in which *lane* is a word; elsewhere a name may have the number of a track's lanes."""
OTHER_WORDS = {
    "Bare": "RawFrame",
    "Entered": "PhaseBegan",
    "Lamps": "LightThread",
    "LitTable": "StartedTable",
    "News": "TableNews",
    "broken": "wrap",
    "em": "font_size",
    "knows": "find_phone",
    "look": "poll",
    "patience": "timeout",
    "rest_s": "settle_s",
    "strange": "unknown",
}
"""Names that stand for something else, each with the word of the field."""
MEANT = {
    "companion/board/zone_kinds.py": {"rest_s"},  # a pause of a peg
    "companion/lights/scene/motion.py": {"rest_s"},
}


def _modules() -> Iterator[Path]:
    for package in PACKAGES:
        yield from (ROOT / package).rglob("*.py")


@cache
def _names(module: Path) -> frozenset[str]:
    """Return the names that a module defines, passes and uses."""
    fields = ("id", "attr", "arg", "name")
    nodes = ast.walk(ast.parse(module.read_text(encoding="utf-8")))
    found = (getattr(node, field, None) for node in nodes for field in fields)
    return frozenset(name for name in found if isinstance(name, str))


def test_no_more_than_two_modules_have_the_same_name() -> None:
    """The tabs of an editor tell modules apart."""
    names = Counter(module.name for module in _modules() if module.name not in ONE_EACH)
    assert [] == [name for name, count in names.items() if count > 2]


def test_who_plays_is_a_side() -> None:
    """*Team* is a word only of the contract: its JSON, its options, its settings."""
    found = {
        str(module.relative_to(ROOT))
        for module in _modules()
        if {"team", "teams"} & {word for name in _names(module) for word in name.lower().split("_")}
    }
    assert set() == {module for module in found if not module.startswith(tuple(TEAM))}
    assert all(any(module.startswith(place) for module in found) for place in TEAM)


def test_a_lane_is_a_printed_row_of_holes() -> None:
    """No variable in other rooms calls a side a lane."""
    found = {
        str(module.relative_to(ROOT))
        for module in _modules()
        if "lane" in {word for name in _names(module) for word in name.lower().split("_")}
    }
    assert set() == {module for module in found if not module.startswith(tuple(LANE))}


def test_the_pages_scripts_take_a_side_from_the_api_s_team() -> None:
    """There *team* is only the key of a request, a response or a setting."""
    key = re.compile(
        r"""\??\.teams?\b|[{,(] *teams?: |"teams"|\|teams\||^ +teams?: """, re.MULTILINE
    )
    page = ROOT / "companion" / "page"
    scripts = [each for each in page.rglob("*.js") if "vendor" not in each.parts]
    found = {
        str(script.relative_to(page))
        for script in (*scripts, *page.rglob("*.css"))
        if re.search("team", key.sub("", script.read_text(encoding="utf-8")), re.IGNORECASE)
    }
    assert scripts
    assert set() == found


def test_each_thing_has_one_word() -> None:
    """A name that the word of the field has replaced does not come back."""
    found = {
        f"{module}: {name} is {OTHER_WORDS[name]}"
        for each in _modules()
        for module in [str(each.relative_to(ROOT))]
        for name in _names(each) & OTHER_WORDS.keys() - MEANT.get(module, set())
    }
    assert set() == found
