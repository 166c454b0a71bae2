#!/usr/bin/env bash
# Installs the table as a service on Raspberry Pi OS (bookworm or trixie). Running it again updates the
# program, its unit and its udev rule; settings and boot lines that exist are never touched.
set -euo pipefail
umask 022

usage="usage: sudo deploy/install.sh [--pwm] [--pi5] [--dry-run] [--root DIR]
  --pwm       strips on PWM or PCM instead of SPI: the service runs as root, analogue sound goes off
  --pi5       the packages of driver \"neopixel\" on a Raspberry Pi 5 as well (GPL-2.0-only)
  --dry-run   say what would be done, change nothing
  --root DIR  write the files below DIR and leave packages, users and services alone"

packages=(python3-lgpio python3-venv python3-dev gcc)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
checkout=$(dirname "$here")
dry_run=false
pwm=false
extras=pi
root=""
reboot_needed=false

main() {
    read_arguments "$@"
    if [[ -z $root && $dry_run == false && $(id -u) -ne 0 ]]; then
        die "needs root: run it as  sudo deploy/install.sh"
    fi
    install_program
    make_user
    place_files
    set_boot_lines
    start_service
    say_next_steps
}

read_arguments() {
    while (($#)); do
        case $1 in
            --dry-run) dry_run=true ;;
            --pwm) pwm=true ;;
            --pi5) extras=pi,pi5 ;;
            --root)
                root=${2:-}
                [[ -d $root ]] || die "--root needs an existing directory, not '$root'"
                shift
                ;;
            -h | --help)
                say "$usage"
                exit 0
                ;;
            *) die "unknown option '$1'; --help lists them" ;;
        esac
        shift
    done
}

say() { printf '%s\n' "$*"; }

die() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 2
}

# A command that changes the machine itself, which a fake root has no part of.
system() {
    if [[ -n $root ]]; then
        return
    elif [[ $dry_run == true ]]; then
        say "would run: $*"
    else
        "$@"
    fi
}

install_program() {
    local venv=/opt/cribwars/venv
    system apt-get update
    system apt-get install --yes --no-install-recommends "${packages[@]}"
    # lgpio must be apt's: for Python 3.13 on ARM pip has only an empty stub of that name.
    system python3 -m venv --system-site-packages "$venv"
    system "$venv/bin/python" -m pip install --upgrade "${checkout}[$extras]"
    system check_lgpio "$venv"
}

check_lgpio() {
    local origin
    origin=$("$1/bin/python" -c 'import importlib.util as u; print(u.find_spec("lgpio").origin)') || origin=none
    [[ $origin == /usr/lib/* ]] || die "lgpio should be apt's, found: $origin; try  $1/bin/pip uninstall lgpio"
}

make_user() {
    local group
    for group in gpio spi dialout; do
        system groupadd --system --force "$group"
    done
    if [[ $dry_run == true ]] || ! getent passwd cribwars >/dev/null; then
        system useradd --system --user-group --no-create-home --home-dir /var/lib/cribwars \
            --shell /usr/sbin/nologin cribwars
    fi
    system usermod --append --groups gpio,spi,dialout cribwars
}

place_files() {
    place "$here/cribwars.service" /etc/systemd/system/cribwars.service
    place "$here/60-cribwars.rules" /etc/udev/rules.d/60-cribwars.rules
    if [[ $pwm == true ]]; then
        place "$here/cribwars-pwm.conf" /etc/systemd/system/cribwars.service.d/pwm.conf
    else
        forget /etc/systemd/system/cribwars.service.d/pwm.conf
    fi
    if [[ -e $root/etc/cribwars/cribwars.toml ]]; then
        say "kept your settings: $root/etc/cribwars/cribwars.toml"
    else
        place "$here/cribwars.toml" /etc/cribwars/cribwars.toml
    fi
    system chown --recursive "$(settings_owner):" /etc/cribwars
}

# The page changes the settings, as whoever the service runs as; its root may write only what is root's.
settings_owner() {
    if [[ $pwm == true ]]; then
        printf root
    else
        printf cribwars
    fi
}

place() {
    local source=$1 target=$root$2
    if cmp --quiet "$source" "$target"; then
        return
    elif [[ $dry_run == true ]]; then
        say "would write: $target"
    else
        install -D --mode=0644 "$source" "$target"
        say "wrote: $target"
    fi
}

# Root is only for PWM: the drop-in that gives it does not outlive a change to SPI.
forget() {
    local target=$root$1
    [[ -e $target ]] || return 0
    if [[ $dry_run == true ]]; then
        say "would remove: $target"
    else
        rm "$target"
        say "removed: $target"
    fi
}

set_boot_lines() {
    local boot
    for boot in "$root/boot/firmware" "$root/boot"; do
        [[ -f $boot/config.txt && -f $boot/cmdline.txt ]] || continue
        add_block "$here/boot/config.txt" "$boot/config.txt"
        if [[ $pwm == true ]]; then
            add_block "$here/boot/config-pwm.txt" "$boot/config.txt"
        fi
        add_option "$(<"$here/boot/cmdline.txt")" "$boot/cmdline.txt"
        return
    done
    say "no config.txt below $root/boot: boot lines left out (is this a Raspberry Pi?)"
}

# The first line of a block is its mark: where it stands already, the rest may have been edited.
add_block() {
    local block=$1 file=$2 mark
    mark=$(head --lines=1 "$block")
    if grep --quiet --line-regexp --fixed-strings -e "$mark" "$file"; then
        say "kept: $file has '$mark'"
    else
        { cat "$file"; printf '\n'; cat "$block"; } | replace "$file"
        reboot_needed=true
    fi
}

# The kernel's command line is the file's first line.
add_option() {
    local option=$1 file=$2
    if grep --quiet --word-regexp --fixed-strings -e "${option%%=*}" "$file"; then
        say "kept: $file has ${option%%=*}"
    else
        sed "1s/\$/ $option/" "$file" | replace "$file"
        reboot_needed=true
    fi
}

# Whole and synced before it takes the old file's place: a torn boot file is a Pi that does not start.
replace() {
    local file=$1
    if [[ $dry_run == true ]]; then
        cat >/dev/null
        say "would change: $file"
    else
        cat >"$file.new"
        sync "$file.new"
        mv "$file.new" "$file"
        sync "$(dirname "$file")"
        say "changed: $file"
    fi
}

start_service() {
    system udevadm control --reload
    system udevadm trigger
    system systemctl daemon-reload
    system systemctl enable cribwars
    if [[ $reboot_needed == false ]]; then
        system systemctl restart cribwars
    fi
}

say_next_steps() {
    say "Next:"
    if [[ $reboot_needed == true ]]; then
        say "  sudo reboot                             the boot lines have changed"
    fi
    say "  sudo nano /etc/cribwars/cribwars.toml   board, strip and supply: see deploy/wiring.md"
    say "  systemctl status cribwars               is it running?"
    say "  journalctl -u cribwars                  what does it say?"
    say "  http://127.0.0.1:8000/                  the page, on the Pi itself"
}

main "$@"
