"""A failed update is a fault on the page, while its report is there."""

from pathlib import Path

import pytest

from companion.runtime.update_report import update_fault


def test_it_names_both_versions(tmp_path: Path) -> None:
    """The one that failed, and the one that is back."""
    report = tmp_path / "report.json"
    report.write_text('{"failed": "0.2", "running": "0.1"}\n')
    fault = update_fault(report)
    assert fault
    assert "version 0.2 did not run for a minute; 0.1 is back" == fault.problem


@pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff"])
def test_no_report_is_no_fault(tmp_path: Path, content: bytes | None) -> None:
    """Nor is one that cannot be read."""
    report = tmp_path / "report.json"
    if content is not None:
        report.write_bytes(content)
    assert update_fault(report) is None
