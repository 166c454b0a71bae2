"""The page's scripts: modules without a build step, with valid JSDoc types."""

import re
from graphlib import TopologicalSorter

from companion.web.server import STATIC
from tests.api_types import FILE, api_types
from tests.companion.web.scripts import OWN_SCRIPTS, VENDOR

LOADED = [
    file for file in sorted(STATIC.rglob("*")) if file.is_file() and "LICENSE" not in file.name
]


def test_the_types_of_the_api_are_current() -> None:
    """The scripts' types are generated from the API's present description."""
    assert api_types() == FILE.read_text(encoding="utf-8"), "an old api.d.ts: run make api"


def test_no_import_leads_back_to_its_module() -> None:
    """The scripts can be sorted so that each imports only earlier ones; types do not count."""
    imported = re.compile(r'(?:\bfrom |^import |await import\()"(\.[^"]+)"', re.MULTILINE)
    names = {file: imported.findall(file.read_text(encoding="utf-8")) for file in OWN_SCRIPTS}
    files = {file: {(file.parent / name).resolve() for name in names[file]} for file in names}
    TopologicalSorter(files).prepare()


def test_no_text_becomes_markup() -> None:
    """No module builds HTML or code from strings (D.4)."""
    markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySet|srcdoc"
    built = re.compile(rf"{markup}|\beval\(|new Function")
    assert [] == [
        script.name for script in OWN_SCRIPTS if built.search(script.read_text(encoding="utf-8"))
    ]


def test_nothing_comes_from_elsewhere() -> None:
    """No loaded file has an address of another host, except for XML's vocabularies."""
    host = re.compile(rb"(?:https?:)?//([a-z0-9-]+(?:\.[a-z0-9-]+)+)")
    found = {(file.name, name) for file in LOADED for name in host.findall(file.read_bytes())}
    assert {b"www.w3.org"} >= {name for _, name in found}, found


def test_the_library_names_its_licences() -> None:
    """Third-party code names its licence in the first line, and its licences are shipped."""
    first, *_ = (VENDOR / "preact.js").read_text(encoding="utf-8").splitlines()
    assert "MIT" in first
    assert "MIT License" in (VENDOR / "LICENSE-preact").read_text(encoding="utf-8")
    assert "Apache License" in (VENDOR / "LICENSE-htm").read_text(encoding="utf-8")
