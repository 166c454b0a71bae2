"""docs/structure.md: the picture of the imports."""

from __future__ import annotations

import runpy

from tests.support.program import ROOT


def test_the_picture_is_what_the_imports_are() -> None:
    """The page is what `make structure` writes."""
    drawing = runpy.run_path(str(ROOT / "docs" / "structure.py"))
    assert drawing["PAGE"].read_text("utf-8") == drawing["page"]()
