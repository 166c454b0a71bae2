"""English texts of the program that people read, found in its sources: each needs its words.

A text is found where it is given to a message, an error, a fault or a finding: written out there,
or in a variable or a constant.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import companion

ROOT = Path(companion.__file__).parents[1]
PACKAGES = ("companion", "hardware", "firmware_bridge")
POSITIONS = {
    **dict.fromkeys(("Text", "marked", "tell", "report", "_report", "_say", "_ask"), (0,)),
    **dict.fromkeys(("fault", "_refusal"), (1, 2)),
    "driver_error": (1,),
    **dict.fromkeys(("ok", "note", "fix"), (0, 1, 2)),
    **dict.fromkeys(("refuse",), (1, 2)),
    "button_fault": (2,),
    "BoardFault": (1, 2),
    "disk_errors": (1,),
    "BuildStep": (0, 1),
    "BoughtPart": (0, 2, 3),
    "_current_part": (0,),
}
"""The places of texts among the arguments of calls, besides the first one of every error."""
KEYWORDS = ("problem", "remedy", "why", "what", "otherwise", "does")
NO_USER = frozenset(
    {
        "AssertionError",
        "AttributeError",
        "DecodeError",
        "EndOfInputError",
        "FrameSizeError",
        "KeyError",
        "LinkUseError",
        "NotImplementedError",
        "OSError",
        "TypeError",
    }
)
"""Errors that show a fault of the program, or that another one replaces."""
PROGRAMS = re.compile(
    r"/firmware/|night/(messages|organiser|plan)|commentary/(?!speech)|cli/(ask|deal)\.py"
    r"|players/(match|values)/|web/http/openapi|lights/colour/colour|runtime/log"
)
"""Modules whose errors are read by programs, by translators and by whoever develops it."""
SHOWN = re.compile(
    r"[eE]rrors?\(|Text|marked|[fF]ault|Finding|REMEDY|Step\(|Gesture\(|phrases|say|[rR]efus"
)
"""Part of every module with texts that people read: the others need not be parsed."""
LETTERS = re.compile(r"[A-Za-z]{2}")
PLACE = re.compile(r"\{\w+\}")


def sources() -> Iterator[Path]:
    """Yield the modules whose texts people read."""
    for package in PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


class Texts:
    """Texts that people read, and those put together so that nobody can translate them."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.formatted: list[str] = []
        contents = {file: file.read_text("utf-8") for file in sources()}
        nodes = {
            file: list(ast.walk(ast.parse(content)))
            for file, content in contents.items()
            if SHOWN.search(content)
        }
        self.constants = {
            node.value
            for each in nodes.values()
            for node in each
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        self._constants = _assigned(node for each in nodes.values() for node in each)
        for file, inside in nodes.items():
            if PROGRAMS.search(str(file.relative_to(ROOT))):
                continue
            local = _assigned(inside)
            for call in inside:
                if isinstance(call, ast.Call):
                    for shown in _shown(call):
                        self._add(file, shown, local, frozenset())
                    for name in _values(call):
                        self._add_sentences([*local[name], *self._constants[name]])

    def _add_sentences(self, values: list[ast.expr]) -> None:
        """Add the values of a message that are sentences, and no names or keys."""
        for value in values:
            match value:
                case ast.Constant(value=str(words)) if " " in words.strip() and _has_words(words):
                    self.found.add(words)

    def _add(
        self, file: Path, text: ast.expr, local: Mapping[str, list[ast.expr]], seen: frozenset[str]
    ) -> None:
        match text:
            case ast.Constant(value=str(words)) if _has_words(words):
                self.found.add(words)
            case ast.JoinedStr() if LETTERS.search(_bare(text)):
                self.formatted.append(
                    f"{file.relative_to(ROOT)}:{text.lineno}: {ast.unparse(text)}"
                )
            case ast.IfExp(body=body, orelse=other):
                self._add(file, body, local, seen)
                self._add(file, other, local, seen)
            case ast.BoolOp(values=values) | ast.Tuple(elts=values):
                for value in values:
                    self._add(file, value, local, seen)
            case ast.Name(id=name) if name not in seen:
                constants = self._constants[name] if name.isupper() else []
                for value in local[name] or constants:
                    self._add(file, value, local, seen | {name})


def _assigned(nodes: Iterable[ast.AST]) -> Mapping[str, list[ast.expr]]:
    """Return the values assigned to each name, those of pairs one by one."""
    values: Mapping[str, list[ast.expr]] = defaultdict(list)
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values[name].append(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                values[name].append(value)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=parts)):
                for each, part in zip(names, parts, strict=False):
                    if isinstance(each, ast.Name):
                        values[each.id].append(part)
    return values


def _shown(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments of a call that people read."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    is_error = name.endswith("Error") and name not in NO_USER
    for place in POSITIONS.get(name, (0,) if is_error else ()):
        if place < len(call.args):
            yield call.args[place]
    for keyword in call.keywords:
        if keyword.arg in KEYWORDS:
            yield keyword.value


def _values(call: ast.Call) -> Iterator[str]:
    """Yield the names of the values that a message is filled with."""
    name = getattr(call.func, "id", "")
    if name in ("Text", "marked", "tell", "driver_error") or (
        name.endswith("Error") and name not in NO_USER
    ):
        for value in (keyword.value for keyword in call.keywords):
            each = (value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,)
            yield from (name.id for name in each if isinstance(name, ast.Name))


def _has_words(text: str) -> bool:
    """Return True if a text has words beside its places, and is none for the log (`%s`)."""
    return (
        bool(LETTERS.search(PLACE.sub("", text))) and "%s" not in text and not text.endswith("\n")
    )


def _bare(text: ast.JoinedStr) -> str:
    return " ".join(str(part.value) for part in text.values if isinstance(part, ast.Constant))
