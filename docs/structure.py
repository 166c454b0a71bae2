"""Draw the structure: the packages, and an arrow for each import that no other path implies.

`make docs` writes docs/structure.md from the imports and the docstrings.
"""

import ast
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).parents[1]
TITLE: Final = """\
# Structure

A press takes one way through the program:

```text
edge -> debounce -> panel -> command -> decide -> events -> journal -> scene -> frame -> strip
  hardware        |  table  |      rules.game            | journal |  lights        | hardware
```

Each package has one subject and imports only packages below it; `make lint` lets nothing import
upward. The folder `deploy` has the files that an installed Raspberry Pi needs. The
[decisions](decisions) have the reasons.

"""
CHART: Final = """
An arrow runs from a package to a package that it imports; arrows that follow from others are left
out.

"""


def packages() -> list[str]:
    """Return the packages, highest first, as the layer contract has them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    rows = next(each["layers"] for each in contracts if each["type"] == "layers")
    names = (name for row in rows for name in row.split() if name not in "|:")
    return [*names, "firmware_bridge", "hardware"]


def imports(names: Sequence[str]) -> dict[str, set[str]]:
    """Return the packages that each package imports, from the code of all its modules."""
    graph = grimp.build_graph("companion", "firmware_bridge", "hardware", cache_dir=None)
    imported = graph.direct_import_exists

    def targets(one: str) -> set[str]:
        others = (other for other in names if other != one)
        return {each for each in others if imported(importer=one, imported=each, as_packages=True)}

    return {one: targets(one) for one in names}


def reduced(arrows: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the arrows without those that a longer path implies.

    >>> reduced({"a": {"b", "c"}, "b": {"c"}, "c": set()})
    {'a': {'b'}, 'b': {'c'}, 'c': set()}
    """

    def reach(one: str) -> set[str]:
        return set().union(*({other} | reach(other) for other in arrows[one]))

    return {
        one: {other for other in others if not any(other in reach(via) for via in others - {other})}
        for one, others in arrows.items()
    }


def subject(name: str) -> str:
    """Return the first line of the docstring of a package or module."""
    path = ROOT.joinpath(*name.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").partition("\n")[0]


def pages() -> dict[Path, str]:
    """Return the page in Markdown: a table of the packages, and a Mermaid chart."""
    names = packages()
    table = ["| package | subject |", "| --- | --- |"]
    table += [f"| `{each}` | {subject(each)} |" for each in names]
    arrows = reduced(imports(names))
    lines = ["flowchart TD", *(f"    {each}[{each.removeprefix('companion.')}]" for each in names)]
    for one, others in arrows.items():
        lines += [f"    {one} --> {other}" for other in sorted(others)]
    rows, chart = "\n".join(table), "\n".join(lines)
    page = ROOT / "docs" / "structure.md"
    return {page: f"{TITLE}{rows}\n{CHART}```mermaid\n{chart}\n```\n"}


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, "utf-8")
