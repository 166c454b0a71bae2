"""Makes the files of a release in dist/, from the last commit alone: `make release`.

Needs git, openssl, the private release key, and what `make deb` needs for each release and
architecture. A copy of the commit is built, so no other file of the tree gets into a package. The
files take the place of dist/ once they are proved.
"""

import argparse
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NoReturn
from zipfile import ZipFile, ZipInfo

from build import MTIME, locked, pip, project, release_key, sign
from targets import ALL, Target

ROOT: Final = Path(__file__).parents[2]
DIST: Final = ROOT / "dist"
ON_CARD: Final = Target(release="trixie", arch="arm64")
"""Target of the package that is on the card; the card's script builds it."""
_ZIP_TIME: Final = (2026, 1, 1, 0, 0, 0)


def main() -> None:
    """Make and prove all files, and print what is left to do."""
    os.umask(0o022)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--image", type=Path)
    parser.add_argument("--url")
    asked = parser.parse_args()
    if bool(asked.image) != bool(asked.url):
        stop(
            "the manifest needs the image of Raspberry Pi OS Lite and its address: IMAGE= and URL="
        )
    version = project()["version"]
    tag = check(ROOT, version)
    image = ["--image", str(asked.image.resolve()), "--url", asked.url] if asked.image else []
    with TemporaryDirectory(prefix="cribwars-release-") as folder:
        tree, out = Path(folder) / "tree", Path(folder) / "dist"
        with tarfile.open(fileobj=io.BytesIO(_git(ROOT, "archive", "HEAD"))) as bundle:
            bundle.extractall(tree, filter="data")
        out.mkdir()
        add_python_archives(tree, out)
        add_packages(tree, out, version, image)
        add_licences_and_sums(tree, out)
        if subprocess.run(
            [sys.executable, tree / "deploy/release/prove.py", out], check=False
        ).returncode:
            stop("dist/ is as it was")
        shutil.rmtree(DIST, ignore_errors=True)
        shutil.move(out, DIST)
    for file in sorted(DIST.iterdir()):
        print(f"{file.stat().st_size:>11,}  dist/{file.name}")
    if not image:
        print("make release: no Imager manifest: name image and address with IMAGE=... URL=...")
    print(f"make release: {tag}")


def check(root: Path, version: str) -> str:
    """Return a sentence about the tag, or end if the tree or this machine is not ready."""
    if changed := _git(root, "status", "--porcelain").decode():
        stop(f"{changed.split()[1]} is not as in the last commit: commit or remove it")
    if f"\n## {version} (" not in (root / "CHANGELOG.md").read_text("utf-8"):
        stop(f"CHANGELOG.md has no section '## {version} (date)': write one, or set the version")
    head, tag = _git(root, "rev-parse", "HEAD").decode().strip(), f"v{version}"
    names = "--format=%(objectname) %(*objectname)"  # of a tag, and of the commit that it is for
    tagged = _git(root, "tag", "--list", names, tag).decode()
    if tagged and head not in tagged:
        stop(f"the tag {tag} is on another commit: set a new version in pyproject.toml")
    if release_key() is None:
        stop("name the private release key: CRIBWARS_RELEASE_KEY=...; make release-key makes one")
    for command in ("dpkg-deb", *(target.compiler for target in ALL)):
        if shutil.which(command) is None:
            stop(f"needs {command}: install it with apt")
    return f"the commit has the tag {tag}" if tagged else f"tag it: git tag {tag} {head[:12]}"


def add_python_archives(tree: Path, out: Path) -> None:
    """Build the source archive and the wheel."""
    with TemporaryDirectory(prefix="cribwars-builders-") as builders:
        pip("install", "--target", builders, "--only-binary=:all:", *locked("build"))
        code = "import sys; from hatchling import build as hatchling; out = sys.argv[1]; "
        code += "hatchling.build_sdist(out); hatchling.build_wheel(out)"
        _python("-c", code, out, cwd=tree, PYTHONPATH=builders, SOURCE_DATE_EPOCH=str(MTIME))


def add_packages(tree: Path, out: Path, version: str, image: Sequence[str]) -> None:
    """Build the Debian packages, the card, and with an image its manifest."""
    scripts = [["card/build.py", *image]]
    scripts += [
        ["deb/build.py", "--release", target.release, "--arch", target.arch]
        for target in ALL
        if target != ON_CARD
    ]
    for script, *arguments in scripts:
        print(f"make release: deploy/{script} {' '.join(arguments)}", flush=True)
        _python(tree / "deploy" / script, *arguments, CRIBWARS_RELEASE_KEY=str(release_key()))
    with ZipFile(out / f"cribwars-card-{version}.zip", "w") as bundle:
        for file in sorted((tree / "dist/card").iterdir()):
            bundle.writestr(ZipInfo(file.name, _ZIP_TIME), file.read_bytes())
    for file in (tree / "dist").glob("crib*wars*.*"):
        shutil.move(file, out)


def add_licences_and_sums(tree: Path, out: Path) -> None:
    """Add the list of licences, the checksums, and their signature by the release key."""
    shutil.copy(tree / "deploy/deb/copyright", out / "LICENSES.txt")
    sums = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted(out.iterdir())
    ]
    (out / "SHA256SUMS").write_text("".join(sums), "ascii")
    sign(out / "SHA256SUMS")


def stop(why: str) -> NoReturn:
    """End with one sentence."""
    sys.exit(f"make release: {why}")


def _python(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> None:
    """Run a script, or end as it does: it has said why on stderr."""
    command, own = [sys.executable, *map(str, arguments)], os.environ | environment
    done = subprocess.run(command, cwd=cwd, env=own, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def _git(root: Path, *words: str) -> bytes:
    """Return the output of git."""
    try:
        done = subprocess.run(["git", "-C", root, *words], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        stop("needs git, and a clone of the repository: a source archive has no commits")
    return done.stdout


if __name__ == "__main__":
    main()
