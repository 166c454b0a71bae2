"""Nothing is forgotten: each place that tells the members of an enum apart names all of them.

A place is a display of members, a `match` over them, the comparisons of one value with several of
them in a function, or a mapping that a module or class holds. A place that leaves members out says
so in its first line: `# without OVER` names them, so that a new member is still missed there;
`# not all: ` gives the reason why a new member needs no attention.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path

from companion.board import ZoneKind
from companion.board.zone_kinds import ZONE_FACTS
from companion.buttons import BUTTONS, ActionKind
from companion.commentary import load_phrases
from companion.lights.scene.quiet_lights import Sign
from companion.rules.cards import PartKind
from companion.rules.game import CountKind
from companion.rules.game.events import EVENT_FACTS
from companion.rules.game.house_rules import Measure
from companion.table.panel.actions import HintKind
from tests.support.boards import small_zones
from tests.support.program import ROOT

PARTIAL = {"Cause": "each state of a link has only some causes to leave it"}
"""Enums of which no place names all members, with the reason."""

ZONE_WORDS = ("title", "legend", "outcome", "rules", "advice", "place", "statistic")
PATH_WORDS = ("off", "hole", "short", "where")

PHRASES: Mapping[str, Iterable[str]] = {
    "adds_up.": PartKind,
    "counts.": CountKind,
    "hints.": set(HintKind) - {HintKind.REFUSED},  # its text is the error of the rules
    **dict.fromkeys(("rules_page.skunk_", "rules_page.double_skunk_"), Measure),
    "signs.": {*Sign, *ZoneKind},
    **{each: {k for k, f in EVENT_FACTS.items() if f.zone} for each in ("board.", "event_signs.")},
    **{f"zone_kinds.{kind}.": ZONE_WORDS for kind in ZoneKind},
    **{
        f"zone_kinds.{kind}.": {*ZONE_WORDS, *PATH_WORDS}
        for kind in ZONE_FACTS
        if ZONE_FACTS[kind].path_leads
    },
}
"""Endings of the phrases' keys, by their beginnings."""

MARK = re.compile(r"  # (?:not all: .+|without (?P<left_out>[A-Z_0-9, ]+))$")
FILES = [
    file
    for package in ("companion", "firmware_bridge", "hardware")
    for file in sorted((ROOT / package).rglob("*.py"))
    if "firmware" not in file.parts and not file.stem.startswith("__")
]


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the syntax tree of each file."""
    return {file: ast.parse(file.read_text("utf-8")) for file in FILES}


@cache
def enums() -> dict[str, set[str]]:
    """Return the members of each enum; a class name has one meaning."""
    return {
        node.name: {
            target.id
            for each in node.body
            if isinstance(each, ast.Assign)
            for target in each.targets
            if isinstance(target, ast.Name)
        }
        for node in chain.from_iterable(map(ast.walk, trees().values()))
        if isinstance(node, ast.ClassDef)
        and any("Enum" in ast.unparse(each) for each in node.bases)
    }


Place = tuple[int, str, set[str]]
"""A line, the enum whose members are told apart there, and the named members."""


def member(value: ast.expr) -> tuple[str, str]:
    """Return the names of an enum and its member; empty names for any other value."""
    match value:
        case ast.Attribute(value=ast.Name(id=enum) | ast.Attribute(attr=enum), attr=name):
            return (enum, name) if name in enums().get(enum, ()) else ("", "")
    return "", ""


def place(line: int, values: Iterable[ast.expr | None]) -> Iterator[Place]:
    """Yield a place if all values are members of one enum; None stands for an unpacked value."""
    found = [member(value) for value in values if value]
    enum = found[0][0] if found else ""
    if enum and all(each[0] == enum for each in found):
        yield line, enum, {name for _, name in found}


def comparisons(function: ast.AST) -> Iterator[list[ast.expr]]:
    """Yield the values with which a function compares one value, if they are several members."""
    found: dict[tuple[str, str], list[ast.expr]] = defaultdict(list)
    for node in ast.walk(function):
        if isinstance(node, ast.Compare):
            for each in members_of(node.comparators[0]):
                found[ast.unparse(node.left), member(each)[0]].append(each)
    yield from (each for each in found.values() if len(set(map(ast.unparse, each))) > 1)


def members_of(value: ast.expr) -> list[ast.expr]:
    """Return the members in a value: the member itself, or those of a display."""
    values = getattr(value, "elts", [value])
    return values if all(member(each)[0] for each in values) else []


def told_apart(tree: ast.Module) -> Iterator[Place]:
    """Yield the places that the syntax tree of a file shows."""
    compared = set[ast.expr]()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for each in comparisons(node):
                    compared.update(each)
                    yield from place(min(value.lineno for value in each), each)
            case ast.Match(cases=cases):
                patterns = [each.pattern for each in cases]
                patterns += [p for o in patterns if isinstance(o, ast.MatchOr) for p in o.patterns]
                values = [each.value for each in patterns if isinstance(each, ast.MatchValue)]
                yield from place(node.lineno, [each for each in values if member(each)[0]])
            case ast.Dict(keys=keys):
                yield from place(node.lineno, keys)
            case ast.Set(elts=[_, _, *_] as values) | ast.Tuple(elts=[_, _, *_] as values):
                if compared.isdisjoint(values):
                    yield from place(node.lineno, values)


def held(file: Path) -> Iterator[Place]:
    """Yield the mappings that a module and its classes hold, as places."""
    module = import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    classes = [each for each in trees()[file].body if isinstance(each, ast.ClassDef)]
    bodies = [(module, trees()[file].body), *((getattr(module, c.name), c.body) for c in classes)]
    for holder, body in bodies:
        for node in body:
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                ):
                    found = vars(holder).get(name)
                    for key in found if isinstance(found, Mapping) else ():
                        if type(key).__name__ in enums():
                            yield value.lineno, type(key).__name__, {key.name}


def beyond_syntax() -> Iterator[str]:
    """Yield the files that lack a member's phrase in English, its landing, zone or button."""
    wanted = {f"{key}{member}" for key, members in PHRASES.items() for member in members}
    lacking = sorted(wanted - load_phrases("en").phrases.keys())
    yield from (f"companion/commentary/phrases.toml: {key}" for key in lacking)
    landed = [facts.zone for facts in EVENT_FACTS.values()]
    small = [zone.kind for zone in small_zones()]
    for kind in ZoneKind:
        if landed.count(kind) != 1:
            yield f"companion/rules/game/events.py: the one event of a landing in a {kind}"
        if kind not in small:
            yield f"tests/support/boards.py: a {kind}"
    pressed = {button.action.kind for button in BUTTONS.values()}
    yield from (f"companion/buttons.py: a button to {kind}" for kind in {*ActionKind} - pressed)


def test_every_place_names_every_member() -> None:
    """A place names every member or says which it leaves out, and no exception is idle."""
    lacking, idle, partial = [*beyond_syntax()], [], set()
    for file, tree in trees().items():
        named: dict[tuple[int, str], set[str]] = defaultdict(set)
        for line, enum, names in chain(told_apart(tree), held(file)):
            named[line, enum] |= names
        lines = enumerate(file.read_text("utf-8").splitlines(), 1)
        marks = {number: mark for number, line in lines if (mark := MARK.search(line))}
        for (line, enum), names in named.items():
            missing = enums()[enum] - names
            mark = marks.pop(line, None)
            left_out = set(re.findall(r"\w+", (mark and mark["left_out"]) or ""))
            where = f"{file.relative_to(ROOT)}:{line}: {enum} {sorted(missing - left_out)}"
            if missing and enum in PARTIAL:
                partial.add(enum)
            elif missing - left_out and not (mark and not left_out):
                lacking.append(where)
            elif mark and (not missing or left_out - missing):
                idle.append(f"{file.relative_to(ROOT)}:{line}: {enum} {sorted(left_out - missing)}")
        idle += [f"{file.relative_to(ROOT)}:{line}" for line in marks]
    assert not lacking, "\n".join(("lacking:", *lacking))
    assert not idle, "\n".join(("no longer left out:", *idle))
    assert set(PARTIAL) == partial
