"""The documentation says what is: its pages, links, commands, settings and addresses.

Commands and settings stand in fences with a language, `sh` or `toml`, or in backquotes.
"""

import re
import runpy
import shlex
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import click
import pytest
from click.testing import CliRunner

from companion.cli.main import cribwars
from companion.devices.assembly import assemble
from companion.errors import CompanionError
from companion.rules.game.house_rules import HOUSE_RULES
from companion.settings.load import load_settings
from companion.settings.schema import ROWS
from firmware_bridge.drivers import registry
from hardware.strips.drivers import DRIVERS, Driver
from tests.companion.night.test_night_endpoints import ask
from tests.companion.web.client import fetch
from tests.support.program import ROOT
from tests.support.real_table import RealTable

DOCS = {
    str(file.relative_to(ROOT)): file.read_text("utf-8")
    for pattern in ("*.md", "docs/**/*.md", "deploy/*.md", "firmware_bridge/**/*.md", "tests/*.md")
    for file in sorted(ROOT.glob(pattern))
}
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
LANGUAGES = {"diff", "mermaid", "sh", "text", "toml"}
FOLDERS = {"boot", "dev", "etc", "tmp", "usr", "var"}
"""Folders of the machine, in which a path in backquotes may be."""
OTHER_TABLES = ("all", "tool.babel")
"""Tables of config.txt and pyproject.toml."""
FOR_DEVELOPERS = ("docs/decisions/", "docs/reference/", "docs/reliability.md")
"""Pages with lines of other files, and those that are made from the settings."""
WITHOUT_EFFECT = {"board", "completion", "config", "count"}
"""Commands that end soon, open no port and write only where they are started."""


def fences(*languages: str) -> Iterator[tuple[str, str]]:
    """Yield the file and the text of each fence of these languages."""
    for name, text in DOCS.items():
        for _, language, body in FENCE.findall(text):
            if language in languages:
                yield name, dedent(body)


def spans(name: str) -> list[str]:
    """Return the texts in backquotes outside the fences of a file, each on one line."""
    found = re.findall(r"`([^`]+)`", FENCE.sub("", DOCS[name]))
    return [" ".join(each.replace("\\|", "|").split()) for each in found]


def commands(program: str) -> Iterator[tuple[str, Sequence[str], bool]]:
    """Yield where each use of a program is, its arguments, and True if it is a whole command."""
    start = re.compile(rf"(?:\w+=\S+ )*(?:sudo (?:-u \w+ )?)?(?:\S+/)?{program}(?= |$)(.*)")
    for name in DOCS:
        lines = [(line, False) for line in spans(name)]
        lines += [
            (line.strip(), True)
            for where, text in fences("sh", "text")
            if where == name
            for line in text.splitlines()
        ]
        for line, is_whole in lines:
            if found := start.fullmatch(line):
                words = shlex.split(found[1], comments=True)
                ends = [n for n, word in enumerate(words) if word in {">", ">>", "|"}]
                yield f"{name}: {line}", words[: min(ends, default=None)], is_whole


def fault_of(words: Sequence[str], *, is_whole: bool) -> str:
    """Return why the command line does not take these words, or nothing; bare names are good."""
    command: click.Command | None = cribwars
    context = click.Context(cribwars, **cribwars.context_settings)
    words = [word for word in words if word not in {"--help", "--version"}]
    while isinstance(command, click.Group) and words:
        command, words = command.get_command(context, words[0]), words[1:]
    if command is None:
        return "no such command"
    if words or (is_whole and not isinstance(command, click.Group)):
        try:
            command.make_context("", words, parent=context)
        except click.UsageError as error:
            return error.format_message()
    return ""


def slugs(text: str) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("script", ["reference", "structure"])
def test_a_page_is_as_the_program_is(script: str) -> None:
    """`make docs` would write the same; each decision has its date and its status."""
    for path, text in runpy.run_path(str(ROOT / "docs" / f"{script}.py"))["pages"]().items():
        assert text == path.read_text("utf-8"), path


def test_each_fence_says_what_is_in_it() -> None:
    """Commands and settings are found by their fence; only doctests are indented."""
    used = {language for text in DOCS.values() for _, language, _ in FENCE.findall(text)}
    assert used == LANGUAGES
    indented = re.compile(r"^(?! *[-*\d]).*\n\n {4}(?!>>>)\S", re.MULTILINE)
    assert [] == [name for name, text in DOCS.items() if indented.search(FENCE.sub("", text))]


def test_each_link_leads_somewhere() -> None:
    """The file is there, and the heading in it."""
    broken = []
    for name, text in DOCS.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", text)):
            path, _, anchor = link.partition("#")
            file = (ROOT / name).parent / path if path else ROOT / name
            if not file.exists() or (anchor and anchor not in slugs(file.read_text("utf-8"))):
                broken.append(f"{name}: {link}")
    assert [] == broken


def test_installed_documents_link_to_installed_ones() -> None:
    """The wheel has each file that its documents link to, at the same place from them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert {f"share/doc/cribwars/{name}" for name in shared} == {*shared.values()}
    installed = {ROOT / name for name in shared}
    links = [
        (name, link, (ROOT / name).parent.joinpath(link).resolve())
        for name, text in DOCS.items()
        if installed & {ROOT / name, *(ROOT / name).parents}
        for link in re.findall(r"\]\(([^)#\s]+)", FENCE.sub("", text))
    ]
    assert [] == [each for each in links if not installed & {each[2], *each[2].parents}]


def test_the_command_line_takes_each_command() -> None:
    """Command, options and the number of arguments are known to the program."""
    found = [(at, fault_of(words, is_whole=whole)) for at, words, whole in commands("cribwars")]
    assert [] == [each for each in found if each[1]]
    assert len(found) > 90


def test_commands_without_effect_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They end well in an empty folder."""
    monkeypatch.chdir(tmp_path)
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    for at, words, is_whole in commands("cribwars"):
        if is_whole and words[0] in WITHOUT_EFFECT and "--fair" not in words:
            result = CliRunner(env=home).invoke(cribwars, words)
            assert (at, 0) == (at, result.exit_code), result.output


def test_make_has_each_word() -> None:
    """Each word is a target of the Makefile, and it reads each variable."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    variables = set(re.findall(r"\$\((?:or \$\()?([A-Z_]+)", makefile))
    unknown = [
        f"{at}: {word}"
        for at, words, _ in commands("make")
        if "-C" not in words
        for word in words
        if word.partition("=")[0] not in targets | variables
    ]
    assert [] == unknown


def test_the_program_reads_each_settings_file(tmp_path: Path) -> None:
    """Each example is a settings file without a fault."""
    file = tmp_path / "cribwars.toml"
    for name, text in fences("toml"):
        file.write_text(text, "utf-8")
        try:
            assemble(load_settings(file, {}))
        except CompanionError as error:
            pytest.fail(f"{name}:\n{text}\n{error}")


def test_each_setting_that_a_guide_names_is_one(tmp_path: Path) -> None:
    """`key = value` is a line of the settings, or an option of a driver; `[table] key` is a row."""
    file = tmp_path / "cribwars.toml"
    drivers = [*DRIVERS.values(), *vars(registry).values()]
    options = {name for each in drivers if isinstance(each, Driver) for name in each.options}
    keys = {*ROWS, *(f"rules.{name}" for name in HOUSE_RULES)}

    def is_read(key: str, line: str) -> bool:
        rows = {each for each in keys if f".{each}".endswith(f".{key}")}
        for row in rows:
            file.write_text(f"{row.removesuffix(key)}{line}\n", "utf-8")
            with suppress(CompanionError):
                return bool(load_settings(file, {}))
        return not rows and key in options

    unknown = []
    for name in DOCS.keys() - {name for name in DOCS if name.startswith(FOR_DEVELOPERS)}:
        for span in spans(name):
            if line := re.fullmatch(r"(\w+) = .+", span):
                is_known = is_read(line[1], span)
            elif named := re.fullmatch(r"\[([\w.]+)\](?: (\w+))?", span):
                row = ".".join(filter(None, named.groups()))
                is_known = any(f"{key}.".startswith(f"{row}.") for key in (*keys, *OTHER_TABLES))
            else:
                continue
            if not is_known:
                unknown.append(f"{name}: {span}")
    assert [] == unknown


def test_each_address_is_served() -> None:
    """Each path of an address, and each in backquotes, is one of the table or the organiser."""
    answers = (fetch(RealTable(), "GET", "/api/openapi.json"), ask("GET", "/api/openapi.json"))
    paths = {path for each in answers for path in each.json()["paths"]}
    named = {
        (name, path)
        for name, text in DOCS.items()
        for path in [
            *re.findall(r"http://[\w.<> -]+:\d+(/[\w./-]*)", text),
            *(each.partition(" ")[0] for each in spans(name) if each.startswith("/")),
        ]
        if path.split("/")[1] not in FOLDERS
    }
    assert set() == {each for each in named if each[1] not in paths}
    assert len(named) > 5
