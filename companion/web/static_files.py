"""Files of the pages: their folder, and the modules that a page imports."""

import re
from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
_SCRIPT: Final = re.compile(r'<script type="module" src="/static/([^"]+)">')
_IMPORT: Final = re.compile(r'^(?:import|export)\b[^;]*?"(\.[^"]+)";', re.MULTILINE)


def preloads(head: str) -> str:
    """Return links to all modules that the scripts of a page's head import, directly or not.

    A browser would learn of them one import at a time.
    """
    found: dict[Path, None] = {}
    waiting = [STATIC / name for name in _SCRIPT.findall(head)]
    for module in waiting:
        imported = _IMPORT.findall(module.read_text(encoding="utf-8"))
        new = {(module.parent / name).resolve(): None for name in imported}.keys() - found.keys()
        found |= dict.fromkeys(new)
        waiting += new
    names = sorted(module.relative_to(STATIC.resolve()).as_posix() for module in found)
    return "".join(f'<link rel="modulepreload" href="/static/{name}">\n' for name in names)
