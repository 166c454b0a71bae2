#!/bin/sh
# Installs the package on this card, at each start until it has succeeded once. If it fails, the green light of the
# Pi beats like a heart, and crib-wars-log.txt on this card has the reason. The restart takes crib-wars.txt and
# the boot lines that the package has added.
mark=/var/lib/cloud/instance/crib-wars-installed
[ ! -e $mark ] || exit 0
cd /boot/firmware || exit
export DEBIAN_FRONTEND=noninteractive
if dpkg --force-confold --install @PACKAGE@ >crib-wars-log.txt 2>&1; then
    sync
    touch $mark && reboot
else
    echo heartbeat >/sys/class/leds/ACT/trigger
fi
