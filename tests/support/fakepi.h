/* What the three parts of the fake Pi share; fakepi.c tells which part does what. */
#ifndef FAKEPI_H
#define FAKEPI_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

enum kind { KIND_SPI = 0, KIND_PWM = 1, KIND_PCM = 2, KIND_PIO = 3 };

enum device { SPI, MAILBOX, MEMORY, GPIO_CHIP, GPIO_LINE, PIO, DEVICES };

/* fakepi.c */
enum processor { BCM2835, BCM2836, BCM2837, BCM2711, BCM2712 } processor(void);
/* Sends bytes over one data line while the caller waits. */
void send_bytes(enum kind kind, uint32_t symbol_hertz, const void *bytes, size_t length);

/* fakepi_devices.c */
size_t spi_bufsiz(void);
int control_device(enum device device, unsigned long request, void *argument);
ssize_t write_device(enum device device, const void *bytes, size_t length);

/* fakepi_files.c: a number by which a device is open, to be given out or kept. */
int open_device(enum device device);

#endif
