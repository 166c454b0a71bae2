"""Extraction of the texts that people read: methods for Babel, which pyproject.toml names.

Each gets a file and yields line, gettext's function, its arguments and comments. A text without a
place of its own in a file, such as the help of a command, is one of `tables`.
"""

import ast
import errno
import os
import re
import tomllib
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, TypeAlias

import click
from babel.messages.extract import extract_from_dir

from companion.buttons import BUTTONS
from companion.commentary.phrases import flat
from companion.journal.games import Standing
from companion.lights.colour.colour import EYES
from companion.lights.patterns import COLOURS
from companion.rules.deal import CountKind, Phase
from companion.rules.game.rulings import RULINGS
from companion.settings.describe import describe
from companion.settings.first_run import STEPS
from companion.settings.schema import COMMAND_LINE, DEFAULT, Settings
from tests.companion.web.said import said, written
from tests.support.command_help import help_texts

Found: TypeAlias = tuple[int, str, tuple[str, ...], list[str]]

_Options: TypeAlias = Mapping[str, list[str]]
_Values: TypeAlias = Mapping[str, list[ast.expr]]

_LETTERS = re.compile(r"[^\W\d_]")
_SPOKEN = re.compile(r"\{\w+\}|[A-Za-z]{2}")
_PLACE = re.compile(r"\{\w+\}")
_SENTENCE = re.compile(r"[A-Za-z].* .*[A-Za-z]")

_SYSTEM_ERRORS = (
    *(errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOSPC),
    *(errno.EROFS, errno.EIO, errno.EBUSY),
)


def tables(*_args: object, **_options: object) -> Iterator[Found]:
    """Yield the texts of tables, of commands, of the system and, with a context, of click."""
    texts = [text for each in RULINGS.values() for text in (each.what, each.follows, each.words)]
    for row in describe(Settings()):
        texts += [row.label, row.help, row.group, row.unit, row.other, *row.words.values()]
    texts += [text for step in STEPS for text in (step.title, step.help)]
    texts += [button.action.label for button in BUTTONS.values()]
    texts += [COMMAND_LINE, DEFAULT, "{some} and {last}", "{some} or {last}"]
    texts += [*Phase, *CountKind, *Standing, *EYES, *COLOURS, *help_texts()]
    texts += map(os.strerror, _SYSTEM_ERRORS)
    yield from (_found(text) for text in dict.fromkeys(texts) if _LETTERS.search(text))
    for _, _, text, _, _ in extract_from_dir(str(Path(click.__file__).parent)):
        forms = (text,) if isinstance(text, str) else text
        yield _found(*forms, context="click")
    yield _found("required", context="click")  # click looks it up by a variable


def phrases(file: IO[bytes], *_args: object, **_options: object) -> Iterator[Found]:
    """Yield phrases and words of lists, with their keys as contexts."""
    for key, value in flat(tomllib.load(file)):
        for text in [value] if isinstance(value, str) else value:
            yield _found(text, context=key)


def script(file: IO[bytes], *_args: object, **_options: object) -> Iterator[Found]:
    """Yield the texts that a script says, singular and plural together."""
    for forms in said(file.read().decode()):
        if _LETTERS.search(forms[0]):
            yield _found(*forms, context="page")


def document(file: IO[bytes], *_args: object, **_options: object) -> Iterator[Found]:
    """Yield the texts of a document."""
    for text in sorted(written(file.read().decode())):
        if _LETTERS.search(_PLACE.sub("", text)):
            yield _found(text, context="page")


def python(file: IO[bytes], *_args: object, options: _Options) -> Iterator[Found]:
    """Yield the texts among the arguments of calls.

    `calls` of the options are names of functions, with the places of their texts if these are
    others than the first; each `...Error` that is not among `no_texts` is one too. `arguments` are
    names of arguments that are texts. A text is written in the call, or assigned to a variable of
    the module; the values that fill it may be sentences too. `plural` has singular and plural.

    Raises:
        ValueError: a text is a formatted string, which has no translation.
    """
    places = {name: list[int]() for name in options["no_texts"]}
    for spec in options["calls"]:
        name, _, numbers = spec.partition(":")
        places[name] = [int(number) - 1 for number in (numbers or "1").split(",")]
    nodes = list(ast.walk(ast.parse(file.read())))
    assigned = _assigned(nodes)
    found: set[tuple[int, str]] = set()
    for call in (node for node in nodes if isinstance(node, ast.Call)):
        for argument, pattern in _arguments(call, places, options["arguments"]):
            for text in _texts(argument, assigned, frozenset()):
                words = str(text.value) if isinstance(text, ast.Constant) else _bare(text)
                if not pattern.search(words) or "%s" in words:  # one for the log
                    continue
                if isinstance(text, ast.Constant):
                    found.add((text.lineno, words))
                elif pattern is _SPOKEN:
                    raise ValueError(f"line {text.lineno}: {ast.unparse(text)} has no translation")
        if _name(call) == "plural":
            yield _found(*(_only(each, assigned) for each in call.args[1:3]))
    for line, text in sorted(found):
        yield _found(text, line=line)


def _found(*texts: str, context: str = "", line: int = 1) -> Found:
    function = "n" * len(texts[1:]) + "p" * bool(context) + "gettext"
    return line, function, (context, *texts) if context else texts, []


def _arguments(
    call: ast.Call, places: Mapping[str, list[int]], names: Container[str | None]
) -> Iterator[tuple[ast.expr, re.Pattern[str]]]:
    """Yield each argument that may be a text, and the pattern that is found in each text."""
    name = _name(call)
    own = places.get(name, [0] if name.endswith("Error") else [])
    yield from ((call.args[place], _SPOKEN) for place in own if place < len(call.args))
    for keyword in call.keywords:
        if keyword.arg in names:
            yield keyword.value, _SPOKEN
        elif own:
            yield keyword.value, _SENTENCE


def _texts(value: ast.expr, assigned: _Values, seen: frozenset[str]) -> Iterator[Any]:
    """Yield the strings among the values of an expression, formatted ones too."""
    match value:
        case ast.Constant(value=str()) | ast.JoinedStr():
            yield value
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one, assigned, seen)
            yield from _texts(other, assigned, seen)
        case ast.BoolOp(values=values) | ast.Tuple(elts=values):
            for each in values:
                yield from _texts(each, assigned, seen)
        case ast.Name(id=name) if name not in seen:
            for each in assigned[name]:
                yield from _texts(each, assigned, seen | {name})


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _only(value: ast.expr, assigned: _Values) -> str:
    """Return the only text that an expression can be."""
    (text,) = _texts(value, assigned, frozenset())
    return str(text.value)


def _bare(text: ast.JoinedStr) -> str:
    return " ".join(str(part.value) for part in text.values if isinstance(part, ast.Constant))


def _assigned(nodes: Iterable[ast.AST]) -> _Values:
    """Return the values assigned to each name, those of pairs one by one."""
    values: _Values = defaultdict(list)
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
