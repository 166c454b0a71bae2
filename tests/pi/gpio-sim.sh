#!/bin/sh
# Compiles the kernel's gpio-sim for arm64 in the root $1: Debian's kernel is built without it. Its
# simulated interrupts are compiled in, with an exported function in the place of one that is not.
# A button to ground is stronger than a pull-up, so asking for one does not move a simulated pin.
chroot "$1" sh -eu -c '
cd /usr/src
headers=$(apt-cache depends linux-headers-arm64:arm64 | sed -n "s/.*Depends: *\(linux-headers-[^ :]*\).*/\1/p")
version=${headers#linux-headers-}
cd /var/tmp
apt-get install --yes --quiet linux-kbuild-${version%-arm64} >/dev/null
apt-get download --quiet $headers:arm64 linux-headers-${version%-arm64}-common >/dev/null
for file in linux-headers-*.deb; do dpkg-deb --extract $file /; done
mkdir module
tar --extract --file /usr/src/linux-source-*.tar.xz --directory module --wildcards --transform "s,.*/,," \
    "*/drivers/gpio/gpio-sim.c" "*/kernel/irq/irq_sim.c"
sed -i "s/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/" module/irq_sim.c
sed -i "s/return gpio_sim_apply_pull(chip, offset, [01]);/return 0;/" module/gpio-sim.c
printf "obj-m := gpiosim.o\ngpiosim-y := gpio-sim.o irq_sim.o\n" >module/Makefile
make --silent --directory /usr/src/$headers M=/var/tmp/module ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- modules
aarch64-linux-gnu-strip --strip-debug -o /usr/src/gpiosim.ko module/gpiosim.ko
rm -rf /var/tmp/* /usr/src/linux-*
'
