/*
 * What the device files of the fake Pi do: SPI, the firmware's mailbox, the chip of the GPIO pins,
 * and on a Pi 5 the PIO. They answer as much as drivers of LED strips ask, and refuse what the
 * kernel would refuse them.
 */
#define _GNU_SOURCE
#include "fakepi.h"

#include <errno.h>
#include <linux/gpio.h>
#include <linux/spi/spidev.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define FRAME_MEMORY 0xc1000000u /* bus address of what the mailbox hands out, clear of registers */
#define MAILBOX_ALLOCATE 0x3000cu
#define MAILBOX_LOCK 0x3000du

#define HEADER_PINS 54
#define PIO_HERTZ 800000 /* of the program that drivers load; the PIO runs any */

/* From the Raspberry Pi kernel's interface of /dev/pio0. */
#define PIO_TRANSFER 1
#define PIO_CONFIGURE_TRANSFER 0
#define PIO_CAN_ADD_PROGRAM 10

struct pio_transfer {
    uint16_t machine, direction, bytes;
    const void *data;
};

/* ---- SPI ---- */

static uint32_t spi_hertz, spi_mode, spi_bits;

size_t spi_bufsiz(void)
{
    const char *bufsiz = getenv("FAKEPI_BUFSIZ");
    return bufsiz ? strtoul(bufsiz, NULL, 10) : 4096;
}

static int send_spi(const void *bytes, size_t length, uint32_t hertz)
{
    if (length > spi_bufsiz()) {
        errno = EMSGSIZE;
        return -1;
    }
    send_bytes(KIND_SPI, hertz, bytes, length);
    return length;
}

/* The parts of a message follow each other without a pause. */
static int send_spi_message(const struct spi_ioc_transfer *parts, size_t count)
{
    uint32_t hertz = count && parts[0].speed_hz ? parts[0].speed_hz : spi_hertz;
    size_t length = 0;

    for (size_t part = 0; part < count; part++)
        length += parts[part].len;
    uint8_t *bytes = calloc(length + 1, 1), *end = bytes;
    for (size_t part = 0; part < count; part++) {
        if (parts[part].tx_buf)
            memcpy(end, (const void *)(uintptr_t)parts[part].tx_buf, parts[part].len);
        if (parts[part].rx_buf) /* nothing drives the line that is read */
            memset((void *)(uintptr_t)parts[part].rx_buf, 0, parts[part].len);
        end += parts[part].len;
    }
    int sent = send_spi(bytes, length, hertz);
    free(bytes);
    return sent;
}

static int control_spi(unsigned long request, void *argument)
{
    size_t bytes = _IOC_SIZE(request);
    uint32_t *setting = &spi_mode; /* in 8 bits or in 32 */

    if (_IOC_NR(request) == _IOC_NR(SPI_IOC_MESSAGE(1)))
        return send_spi_message(argument, bytes / sizeof(struct spi_ioc_transfer));
    if (_IOC_NR(request) == _IOC_NR(SPI_IOC_WR_MAX_SPEED_HZ))
        setting = &spi_hertz;
    else if (_IOC_NR(request) == _IOC_NR(SPI_IOC_WR_BITS_PER_WORD))
        setting = &spi_bits;
    if (_IOC_DIR(request) & _IOC_READ)
        memcpy(argument, setting, bytes);
    else
        memcpy(setting, argument, bytes);
    return 0;
}

/* ---- the mailbox ---- */

static int control_mailbox(uint32_t *message)
{
    uint32_t tag = message[2];
    message[5] = tag == MAILBOX_ALLOCATE ? 1 : tag == MAILBOX_LOCK ? FRAME_MEMORY : 0;
    return 0;
}

/* ---- the GPIO pins ---- */

static int control_gpio_chip(unsigned long request, void *argument)
{
    static const char *const labels[] = {[BCM2711] = "pinctrl-bcm2711", [BCM2712] = "pinctrl-rp1"};
    const char *label = processor() >= BCM2711 ? labels[processor()] : "pinctrl-bcm2835";

    if (request == GPIO_GET_CHIPINFO_IOCTL) {
        struct gpiochip_info *info = argument;
        *info = (struct gpiochip_info){.name = "gpiochip0", .lines = HEADER_PINS};
        strcpy(info->label, label);
    } else if (request == GPIO_V2_GET_LINEINFO_IOCTL) {
        struct gpio_v2_line_info *info = argument;
        *info = (struct gpio_v2_line_info){.offset = info->offset};
    } else if (request == GPIO_V2_GET_LINE_IOCTL) {
        struct gpio_v2_line_request *wanted = argument;
        wanted->fd = open_device(GPIO_LINE);
    } else {
        errno = EINVAL;
        return -1;
    }
    return 0;
}

/* ---- the PIO of a Pi 5 ---- */

static int control_pio(unsigned long request, const struct pio_transfer *transfer)
{
    static int is_configured;

    if (_IOC_NR(request) == PIO_CONFIGURE_TRANSFER)
        is_configured = 1;
    if (_IOC_NR(request) != PIO_TRANSFER)
        return _IOC_NR(request) == PIO_CAN_ADD_PROGRAM;
    if (!is_configured) {
        errno = EINVAL;
        return -1;
    }
    send_bytes(KIND_PIO, PIO_HERTZ, transfer->data, transfer->bytes);
    return 0;
}

int control_device(enum device device, unsigned long request, void *argument)
{
    switch (device) {
    case SPI:
        return control_spi(request, argument);
    case MAILBOX:
        return control_mailbox(argument);
    case GPIO_CHIP:
        return control_gpio_chip(request, argument);
    case PIO:
        return control_pio(request, argument);
    default: /* a line of the GPIO chip takes every setting; nobody looks at its level */
        return 0;
    }
}

ssize_t write_device(enum device device, const void *bytes, size_t length)
{
    if (device == SPI)
        return send_spi(bytes, length, spi_hertz);
    errno = EINVAL;
    return -1;
}
