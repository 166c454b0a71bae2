"""The release: a commit that is not ready is refused; the files alone prove what they are."""

import os
import runpy
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.support.program import ROOT

RELEASE = ROOT / "deploy/release"
PROVE = runpy.run_path(str(RELEASE / "prove.py"))
VERSION = "1.0"
_MISSING = next((name for name in ("git", "openssl") if shutil.which(name) is None), "")
needs_tools = pytest.mark.tool(lacks=_MISSING and f"needs the package {_MISSING}")


def output(*command: str | Path, **more: str) -> str:
    """Return what a command prints."""
    nobody = {f"GIT_{name}": "nobody" for name in ("AUTHOR_NAME", "COMMITTER_NAME")}
    nobody |= {"GIT_CONFIG_GLOBAL": os.devnull, "EMAIL": "nobody@example.com"}
    run = subprocess.run(
        list(map(str, command)),
        env={**os.environ, **nobody, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return run.stdout


def release(code: str, *arguments: str | Path, key: Path | None = None) -> str:
    """Return the output of code that uses the script, with the public half beside a key."""
    public = f"build.RELEASE_KEY = Path({str(key and key.with_suffix('.pub'))!r})"
    start = f"import build, release, sys; from pathlib import Path; {public}; "
    more = {"PYTHONPATH": f"{RELEASE}{os.pathsep}{ROOT / 'deploy/deb'}"}
    more |= {"CRIBWARS_RELEASE_KEY": str(key)} if key else {}
    return output(sys.executable, "-c", start + code, *arguments, **more)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Return a private key with its public half beside it."""
    file = tmp_path / "key.pem"
    output("openssl", "genpkey", "-algorithm", "ed25519", "-out", file)
    output("openssl", "pkey", "-in", file, "-pubout", "-out", file.with_suffix(".pub"))
    return file


@needs_tools
def test_a_commit_that_is_not_ready_is_refused(tmp_path: Path) -> None:
    """One sentence says what is missing, and what to do."""
    root = tmp_path / "root"

    def refused() -> str:
        said = release(f"release.check(Path(sys.argv[1]), {VERSION!r})", root)
        assert 1 == said.count("\n"), said
        return said.removeprefix("make release: ").partition(":")[0]

    def commit() -> None:
        for words in (["add", "--all"], ["commit", "--quiet", "--message=files"]):
            assert "" == output("git", "-C", root, *words)

    root.mkdir()
    assert "needs git, and a clone of the repository" == refused()
    output("git", "init", "--quiet", root)
    (root / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n")
    assert "CHANGELOG.md is not as in the last commit" == refused()
    commit()
    assert f"CHANGELOG.md has no section '## {VERSION} (date)'" == refused()
    (root / "CHANGELOG.md").write_text(f"# Changelog\n\n## {VERSION} (2026-11-27)\n")
    output("git", "-C", root, "tag", f"v{VERSION}")
    commit()
    assert f"the tag v{VERSION} is on another commit" == refused()
    output("git", "-C", root, "tag", "--delete", f"v{VERSION}")
    assert "name the private release key" == refused()


@pytest.mark.program
@needs_tools
def test_the_files_prove_what_they_are(tmp_path: Path, key: Path) -> None:
    """The wheel plays in an empty environment; the source archive is git's list, and makes it."""
    out = tmp_path / "dist"
    out.mkdir()
    made = "release.add_python_archives(*map(Path, sys.argv[1:])); "
    made += "release.add_licences_and_sums(*map(Path, sys.argv[1:]))"
    assert "" == release(made, ROOT, out, key=key)
    PROVE["prove_sums"](out, key.with_suffix(".pub"))
    PROVE["prove_wheel"](out, tmp_path)
    PROVE["prove_source"](out, tmp_path)
    listed = ("ls-files", "--cached", "--others", "--exclude-standard")
    (archive,) = out.glob("*.tar.gz")
    with tarfile.open(archive) as bundle:
        names = {each.name.partition("/")[2] for each in bundle.getmembers()}
    assert {*output("git", "-C", ROOT, *listed).splitlines(), "PKG-INFO"} == names


@needs_tools
def test_a_changed_file_is_no_part_of_a_release(tmp_path: Path, key: Path) -> None:
    """A changed file, a missing one, and other checksums are each named."""
    out = tmp_path / "dist"
    out.mkdir()
    (out / "wheel").write_text("a wheel")
    release("release.add_licences_and_sums(*map(Path, sys.argv[1:]))", ROOT, out, key=key)

    def refused() -> str:
        with pytest.raises(SystemExit) as refusal:
            PROVE["prove_sums"](out, key.with_suffix(".pub"))
        return str(refusal.value).splitlines()[0]

    (out / "wheel").write_text("another one")
    assert "prove: wheel is not the file that SHA256SUMS names" == refused()
    (out / "wheel").unlink()
    assert "prove: wheel is missing" == refused()
    with (out / "SHA256SUMS").open("a") as sums:
        sums.write(" ")
    assert "-verify" in refused()
