"""The modules that the pages load: our own, and those of others."""

from companion.web.static_files import STATIC

VENDOR = STATIC / "vendor"
OWN_SCRIPTS = [file for file in sorted(STATIC.rglob("*.js")) if VENDOR not in file.parents]
