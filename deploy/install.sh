#!/usr/bin/env bash
# Builds the package from this copy of the repository, or takes the one given, and installs it.
set -euo pipefail
umask 022

usage="usage: sudo deploy/install.sh [PACKAGE.deb]"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 2
}

case ${1:-} in
    -h | --help) printf '%s\n' "$usage" && exit 0 ;;
    -*) die "unknown option '$1'; $usage" ;;
esac
package=${1:-}
[[ -z $package || -f $package ]] || die "there is no file '$package'; $usage"
[[ $(id -u) -eq 0 ]] || die "needs root: run it as  sudo deploy/install.sh"
apt-get update
if [[ -z $package ]]; then
    apt-get install --yes --no-install-recommends gcc make python3-dev python3-venv
    package=$(make --no-print-directory deb PYTHON=/usr/bin/python3 VENV=.venv-deb | tail -n 1)
fi
apt-get install --yes "$(realpath "$package")"
printf '%s\n' \
    "Settings: the page, http://$(hostname).local:8000/, under Set-up, or /etc/cribwars/cribwars.toml" \
    "Is it running?  systemctl status cribwars       What does it say?  journalctl -u cribwars"
