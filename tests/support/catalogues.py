"""Catalogues, read as Babel reads them, and the extraction of the texts that people read."""

import ast
import errno
import os
import re
import tomllib
from collections import ChainMap, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, TypeAlias

import click
import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po, write_po

import companion
from companion.buttons import BUTTONS
from companion.cli.language import PLACEHOLDER
from companion.cli.main import COMMANDS, DOCUMENTS, FIRST_STEPS, FIRST_WORDS, cribwars
from companion.commentary import languages, load_catalogue, load_phrases
from companion.commentary.phrases import flat
from companion.errors import Text
from companion.lights.colour import EYES
from companion.lights.patterns import COLOURS
from companion.records.games import Standing
from companion.rules.deal import CountKind, Phase
from companion.rules.game.commands import RULINGS
from companion.settings.describe import STEPS, describe
from companion.settings.schema import COMMAND_LINE, DEFAULT, Settings
from tests.companion.web.said import said, written

# Click names placeholders of paths as they are made, in the language that is then in force.
for _, place in COMMANDS.values():
    import_module(f"companion.cli.{place.partition(':')[0]}")

# Entries, read independently of the program's own reader


LOCALE = Path(companion.__file__).parent / "locale"


@dataclass(frozen=True, slots=True)
class Entry:
    """Entry of a catalogue: English text, or singular and plural, and the translations."""

    context: str
    english: tuple[str, ...]
    texts: tuple[str, ...]


def path_of(language: str, locale: Path = LOCALE) -> Path:
    """Return the file of a language."""
    return locale / language / "LC_MESSAGES" / "cribwars.po"


def entries_of(language: str) -> Iterator[Entry]:
    """Yield the entries of a language's file."""
    return _entries(path_of(language))


def extracted() -> Iterator[Entry]:
    """Yield the texts of the sources, as `make catalogues` extracts them."""
    root = LOCALE.parents[1]
    mapping = f"--mapping-file={root / 'pyproject.toml'}"
    with TemporaryDirectory() as folder:
        file = Path(folder, "texts.pot")
        arguments = ["pybabel", "--quiet", "extract", mapping, f"--output={file}", str(root)]
        CommandLineInterface().run(arguments)  # type: ignore[no-untyped-call]  # Babel's
        yield from _entries(file)


def _entries(path: Path) -> Iterator[Entry]:
    with path.open("rb") as file:
        catalog = read_po(file)
    for each in catalog:
        if each.id:
            yield Entry(each.context or "", _all(each.id), _all(each.string or ""))


def _all(texts: str | Iterable[str]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)


# A language made from the French one: each of our words is between brackets.


PSEUDO = "eo"

_CACHED = (languages, load_catalogue, load_phrases)
_PLACEHOLDER = re.compile(r"(\{[^}]*\})")


def marked(text: str) -> str:
    """Return a text with its words in brackets; its places stay outside of them.

    >>> marked("pas de siège {seat} ici")
    '⟦pas de siège ⟧{seat}⟦ ici⟧'
    """
    parts = _PLACEHOLDER.split(text)
    return "".join(f"⟦{part}⟧" if n % 2 == 0 and part else part for n, part in enumerate(parts))


@pytest.fixture
def third_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Write the pseudo-language into a folder beside French."""
    locale = tmp_path / "locale"
    pseudo = Catalog(PSEUDO)
    for entry in (each for each in entries_of("fr") if all(each.texts)):
        texts = tuple(map(marked, entry.texts))
        (english, text) = (entry.english, texts) if texts[1:] else (entry.english[0], texts[0])
        pseudo.add(english, text, context=entry.context or None)
    for language in ("fr", PSEUDO):
        path_of(language, locale).parent.mkdir(parents=True)
    path_of("fr", locale).write_bytes(path_of("fr").read_bytes())
    with path_of(PSEUDO, locale).open("wb") as file:
        write_po(file, pseudo)
    monkeypatch.setattr("companion.commentary.phrases._LOCALE", locale)
    for cached in _CACHED:
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in _CACHED:
        cached.cache_clear()


# Extraction of the texts that people read: methods for Babel, which pyproject.toml names.
#
# Each gets a file and yields line, gettext's function, its arguments and comments. A text without a
# place of its own in a file, such as the help of a command, is one of `tables`.


Found: TypeAlias = tuple[int, str, tuple[str, ...], list[str]]

_Options: TypeAlias = Mapping[str, list[str]]
_Values: TypeAlias = Mapping[str, list[ast.expr]]

_OWN = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
"""What has names of its own."""
_IMPLIED = {"reason"}
"""Value that `disk_errors` adds."""
_NO_VALUES = {None, "remedy", "key", "rule", "side", "wait", "err", "colour"}
"""Arguments of errors and of `tell` that fill no place, and `**values`."""
_LETTERS = re.compile(r"[^\W\d_]")
_SPOKEN = re.compile(r"\{\w+\}|[A-Za-z]{2}")
_PLACE = re.compile(r"\{\w+\}")

_SYSTEM_ERRORS = (
    *(errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOSPC),
    *(errno.EROFS, errno.EIO, errno.EBUSY),
)


def tables(*_args: object, **_options: object) -> Iterator[Found]:
    """Yield the texts of tables, of commands, of the system and, with a context, of click."""
    texts: list[str | Text] = ["{one}" + each + "{other}" for each in (" and ", " or ", "; ", ": ")]
    texts += [COMMAND_LINE, DEFAULT]
    texts += [text for each in RULINGS.values() for text in (each.what, each.follows, each.words)]
    for row in describe(Settings()):
        texts += [row.label, row.help, row.group, row.unit, row.other, *row.words.values()]
    texts += [text for step in STEPS for text in (step.title, step.help)]
    actions = [button.action for button in BUTTONS.values()]
    texts += (text for each in actions for text in (each.label, *(g.does for g in each.gestures)))
    texts += [*Phase, *CountKind, *Standing, *EYES, *COLOURS, *help_texts()]
    texts += map(os.strerror, _SYSTEM_ERRORS)
    templates = (each.template if isinstance(each, Text) else each for each in texts)
    yield from (_found(each) for each in dict.fromkeys(templates) if _SPOKEN.search(each))
    for _, _, text, _, _ in extract_from_dir(str(Path(click.__file__).parent)):
        forms = (text,) if isinstance(text, str) else text
        yield _found(*forms, context="click")
    yield _found("required", context="click")  # click looks it up by a variable
    titles = (title for title, _ in COMMANDS.values())
    for each in dict.fromkeys((*titles, DOCUMENTS, FIRST_WORDS, *FIRST_STEPS.values())):
        yield _found(each, context="click")  # looked up as click does its own


def phrases(file: IO[bytes], *_args: object, **_options: object) -> Iterator[Found]:
    """Yield phrases and words of lists, with their keys as contexts."""
    for key, value in flat(tomllib.load(file)):
        for text in [value] if isinstance(value, str) else value:
            yield _found(text, context=key)


def script(file: IO[bytes], *_args: object, **_options: object) -> Iterator[Found]:
    """Yield the texts of a script; singular and plural come together."""
    for forms in said(file.read().decode()):
        if _LETTERS.search(forms[0]):
            yield _found(*forms, context="page")


def document(file: IO[bytes], *_args: object, **_options: object) -> Iterator[Found]:
    """Yield the texts of a document."""
    for text in sorted(written(file.read().decode())):
        if _LETTERS.search(_PLACE.sub("", text)):
            yield _found(text, context="page")


def python(file: IO[bytes], *_args: object, options: _Options) -> Iterator[Found]:
    """Yield the templates that calls are given, and the singular and plural of `plural`.

    `calls` of the options are names of functions, with the places of their templates if these are
    others than the first; each `...Error` that is not among `no_texts` is one too. A template is
    written in the call, or assigned to a variable of the function around it or of the module.

    Raises:
        ValueError: a template is a formatted string, which has no translation, or a call does not
            give the values of its template by name.
    """
    specs = (spec.partition(":") for spec in options["calls"])
    known = {name: numbers or "1" for name, _, numbers in specs}
    known |= dict.fromkeys(options["no_texts"], "")
    found: set[tuple[int, str]] = set()
    for call, values in _calls(ast.parse(file.read())):
        name = _name(call)
        numbers = known.get(name, "1" if name.endswith("Error") else "")
        for place in (int(number) - 1 for number in filter(None, numbers.split(","))):
            given = call.args[place : place + 1]
            texts = [text for each in given for text in _texts(each, values, frozenset())]
            _check(call, texts)
            found |= {(text.lineno, text.value) for text in texts if _SPOKEN.search(text.value)}
        if name == "plural":
            forms = (_texts(form, values, frozenset()) for form in call.args[1:3])
            yield _found(*(str(text.value) for form in forms for text in form))
    for line, text in sorted(found):
        yield _found(text, line=line)


def _check(call: ast.Call, texts: list[Any]) -> None:
    """Refuse a template if its values do not match its places, in the call or where assigned."""
    given = {each.arg for each in call.keywords}
    end = call.end_lineno or 0
    last = max((t.lineno for t in texts if t.lineno < call.lineno), default=0)
    own = any(call.lineno <= text.lineno <= end for text in texts)
    for text in texts:
        if isinstance(text, ast.JoinedStr):
            raise ValueError(f"line {text.lineno}: {ast.unparse(text)} has no translation")  # noqa: TRY004
        places = {place[1:-1] for place in _PLACE.findall(text.value)}
        lacking, more = places - given - _IMPLIED, given - places - _NO_VALUES
        is_meant = (call.lineno if own else last) <= text.lineno <= end
        if is_meant and (more or (lacking and None not in given)):
            raise ValueError(f"line {call.lineno}: {text.value!r} with {lacking or more}")


def _calls(tree: ast.Module) -> Iterator[tuple[ast.Call, _Values]]:
    """Yield each call, with the values of the names in the function around it and in the module."""
    top = _assigned(chain(*(ast.walk(node) for node in tree.body if not isinstance(node, _OWN))))
    around: dict[ast.AST, _Values] = {}
    for node in ast.walk(tree):
        if isinstance(node, _OWN):
            values = ChainMap(_assigned(ast.walk(node)), top)
            around |= dict.fromkeys(ast.walk(node), values)
        elif isinstance(node, ast.Call):
            yield node, around.get(node, top)


def _found(*texts: str, context: str = "", line: int = 1) -> Found:
    function = "n" * len(texts[1:]) + "p" * bool(context) + "gettext"
    return line, function, (context, *texts) if context else texts, []


def _texts(value: ast.expr, assigned: _Values, seen: frozenset[str]) -> Iterator[Any]:
    """Yield the strings among the values of an expression, and formatted strings."""
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
            for each in assigned.get(name, ()):
                yield from _texts(each, assigned, seen | {name})


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _assigned(nodes: Iterable[ast.AST]) -> dict[str, list[ast.expr]]:
    """Return the values assigned to each name; pairs are taken apart."""
    values = defaultdict[str, list[ast.expr]](list)
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
    return dict(values)


def help_texts() -> Iterator[str]:
    """Yield each paragraph and each option's help as one line, and each placeholder."""
    return _help_texts(cribwars)


def _help_texts(command: click.Command) -> Iterator[str]:
    for paragraph in (command.help or "").split("\n\n"):
        if "\b" not in paragraph:
            yield " ".join(paragraph.split())
    yield from (command.epilog or "").splitlines()[1:2]  # the title of the examples
    context = click.Context(command, **cribwars.context_settings)  # kept with its help option
    for piece in command.collect_usage_pieces(context):
        yield from PLACEHOLDER.findall(piece)
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.help:
            yield parameter.help
        if not getattr(parameter, "is_flag", False):
            yield from PLACEHOLDER.findall(parameter.make_metavar(context))
    if isinstance(command, click.Group):
        for name in sorted(command.list_commands(context)):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _help_texts(inner)
