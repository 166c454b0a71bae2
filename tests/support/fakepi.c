/*
 * A Raspberry Pi for programs that drive LED strips: preloaded into a process (LD_PRELOAD), it
 * gives the C library rpi_ws281x the machine that it looks for, and keeps what went over the wire.
 *
 * Only calls into the C library are taken over: no thread plays the hardware. rpi_ws281x sleeps
 * between its steps and reads the clock once it has started the DMA; the hardware moves then. So a
 * run is the same every time, and a frame overwritten while it is on the wire is caught as such.
 *
 * Settings, all from the environment:
 *   FAKEPI_CAPTURE   file to append each transfer to: struct transfer, then its bytes
 *   FAKEPI_REVISION  revision code of the board, hexadecimal; none makes it an ordinary PC
 *   FAKEPI_BUFSIZ    largest SPI message in bytes
 *   FAKEPI_WIRE      1: a transfer takes the time that it would take on the wire
 *   FAKEPI_GATE      a directory with two FIFOs: each transfer writes a byte to `ask` and waits for
 *                    one from `grant`
 *   FAKEPI_REFUSE    a device file that may not be opened
 *   FAKEPI_DMA_FAULT 1: every DMA transfer ends in an error
 *
 * Needs Linux and 64 bits: the whole of the Pi's memory is one sparse file of 4 GiB.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/spi/spidev.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define MEMORY_BYTES (1ull << 32)
#define FRAME_MEMORY 0xc1000000u /* bus address of what the mailbox hands out, clear of registers */
#define TO_PHYSICAL(bus) ((bus) & ~0xc0000000u)

/* Registers by their offset from the peripherals' base, and the bits that rpi_ws281x looks at. */
#define DMA_10 0x007a00u
#define DMA_CONTROL_BLOCK 0x04u
#define DMA_ACTIVE (1u << 0)
#define DMA_ERROR (1u << 8)
#define PCM_CLOCK 0x101098u
#define PWM_CLOCK 0x1010a0u
#define CLOCK_ENABLE (1u << 4)
#define CLOCK_BUSY (1u << 7)
#define CLOCK_DIVISOR(value) ((value) >> 12 & 0xfffu)
#define PCM_STATUS 0x203000u
#define PCM_FIFO_EMPTY (1u << 21)
#define PWM_FIFO_BUS 0x7e20c018u

#define MAILBOX_ALLOCATE 0x3000cu
#define MAILBOX_LOCK 0x3000du

enum kind { KIND_SPI = 0, KIND_PWM = 1, KIND_PCM = 2 };

struct transfer {
    uint32_t kind;
    uint32_t symbol_hertz; /* of one data line */
    uint32_t waited; /* microseconds that the library asked to sleep since the last transfer */
    uint32_t bytes;
};

struct control_block {
    uint32_t info, source, destination, length, stride, next;
};

static struct {
    int memory_file, spi_file, mailbox_file;
    uint8_t *memory;
    uint32_t base; /* of the peripherals */
    uint32_t crystal_hertz;
    uint32_t spi_hertz;
    uint32_t waited;
    struct timespec dma_end; /* seconds 0: no transfer is on the wire */
} pi;

static int setting_on(const char *name)
{
    const char *value = getenv(name);
    return value && *value == '1';
}

__attribute__((constructor)) static void switch_on(void)
{
    const char *revision = getenv("FAKEPI_REVISION");
    uint32_t processor = revision ? strtoul(revision, NULL, 16) >> 12 & 0xfu : 0;

    /* Old revision codes name no processor: their boards have the first one, as the Zero W has. */
    pi.base = processor == 0 ? 0x20000000u : processor == 3 ? 0xfe000000u : 0x3f000000u;
    pi.crystal_hertz = processor == 3 ? 54000000u : 19200000u;
    pi.memory_file = memfd_create("fakepi-memory", MFD_CLOEXEC);
    pi.spi_file = memfd_create("fakepi-spi", MFD_CLOEXEC);
    pi.mailbox_file = memfd_create("fakepi-mailbox", MFD_CLOEXEC);
    if (ftruncate(pi.memory_file, MEMORY_BYTES) != 0)
        abort();
    pi.memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                     pi.memory_file, 0);
    if (pi.memory == MAP_FAILED)
        abort();
}

static volatile uint32_t *reg(uint32_t offset)
{
    return (volatile uint32_t *)(pi.memory + pi.base + offset);
}

/* ---- time and the gate ---- */

static struct timespec now(void)
{
    struct timespec time;
    REAL(clock_gettime)(CLOCK_MONOTONIC, &time);
    return time;
}

static struct timespec after(struct timespec time, uint64_t nanoseconds)
{
    uint64_t sum = time.tv_nsec + nanoseconds;
    time.tv_sec += sum / 1000000000u;
    time.tv_nsec = sum % 1000000000u;
    return time;
}

static int is_past(struct timespec time)
{
    struct timespec current = now();
    return current.tv_sec > time.tv_sec ||
           (current.tv_sec == time.tv_sec && current.tv_nsec >= time.tv_nsec);
}

static uint64_t wire_nanoseconds(const struct transfer *transfer)
{
    uint64_t symbols = (uint64_t)transfer->bytes * 8;
    if (transfer->kind == KIND_PWM)
        symbols /= 2; /* the words of both channels lie side by side */
    return setting_on("FAKEPI_WIRE") ? symbols * 1000000000u / transfer->symbol_hertz : 0;
}

static int open_fifo(const char *directory, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    /* Opened both ways a FIFO neither blocks here nor breaks there. */
    return REAL(open)(path, O_RDWR | O_CLOEXEC);
}

static void pass_gate(void)
{
    const char *gate = getenv("FAKEPI_GATE");
    char byte = '?';
    if (!gate)
        return;
    int ask = open_fifo(gate, "ask"), grant = open_fifo(gate, "grant");
    if (write(ask, &byte, 1) != 1 || read(grant, &byte, 1) != 1)
        abort();
    close(ask);
    close(grant);
}

static void capture(const struct transfer *transfer, const void *bytes)
{
    const char *path = getenv("FAKEPI_CAPTURE");
    if (!path)
        return;
    int fd = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, transfer, sizeof *transfer) != (ssize_t)sizeof *transfer ||
        write(fd, bytes, transfer->bytes) != (ssize_t)transfer->bytes)
        abort();
    close(fd);
    pi.waited = 0;
}

/* ---- the hardware behind PWM and PCM ---- */

static const struct control_block *control_block(void)
{
    return (void *)(pi.memory + TO_PHYSICAL(*reg(DMA_10 + DMA_CONTROL_BLOCK)));
}

static struct transfer dma_transfer(void)
{
    const struct control_block *block = control_block();
    int is_pwm = block->destination == PWM_FIFO_BUS;
    uint32_t divisor = CLOCK_DIVISOR(*reg((is_pwm ? PWM_CLOCK : PCM_CLOCK) + 4));
    return (struct transfer){.kind = is_pwm ? KIND_PWM : KIND_PCM,
                             .symbol_hertz = pi.crystal_hertz / (divisor ? divisor : 1),
                             .waited = pi.waited,
                             .bytes = block->length};
}

static void start_dma(void)
{
    struct transfer transfer = dma_transfer();
    if (*reg(DMA_10) & DMA_ACTIVE && pi.dma_end.tv_sec == 0)
        pi.dma_end = after(now(), wire_nanoseconds(&transfer));
}

/* What is captured is what lies in memory at the end: a frame overwritten on the wire shows. */
static void finish_dma(void)
{
    if (pi.dma_end.tv_sec == 0 || !is_past(pi.dma_end))
        return;
    struct transfer transfer = dma_transfer();
    pass_gate();
    capture(&transfer, pi.memory + TO_PHYSICAL(control_block()->source));
    pi.dma_end.tv_sec = 0;
    *reg(DMA_10) &= ~DMA_ACTIVE;
    if (setting_on("FAKEPI_DMA_FAULT"))
        *reg(DMA_10) |= DMA_ERROR;
}

static void turn_clock(uint32_t offset)
{
    if (*reg(offset) & CLOCK_ENABLE)
        *reg(offset) |= CLOCK_BUSY;
    else
        *reg(offset) &= ~CLOCK_BUSY;
}

static void move_hardware(void)
{
    turn_clock(PWM_CLOCK);
    turn_clock(PCM_CLOCK);
    *reg(PCM_STATUS) |= PCM_FIFO_EMPTY;
    finish_dma();
}

int usleep(useconds_t microseconds)
{
    pi.waited += microseconds;
    if (setting_on("FAKEPI_WIRE"))
        nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000l}, NULL);
    move_hardware();
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    /* rpi_ws281x alone asks for the raw clock, right after it has started the DMA. */
    if (clock == CLOCK_MONOTONIC_RAW)
        start_dma();
    return REAL(clock_gettime)(clock, time);
}

/* ---- files ---- */

static FILE *text_file(const char *text, size_t length)
{
    FILE *file = tmpfile();
    if (!file || fwrite(text, 1, length, file) != length)
        abort();
    rewind(file);
    return file;
}

FILE *fopen(const char *path, const char *mode)
{
    const char *revision = getenv("FAKEPI_REVISION");
    char text[64] = "";

    if (strcmp(path, "/proc/cpuinfo") == 0) {
        if (revision)
            snprintf(text, sizeof text, "Revision\t: %s\n", revision);
        return text_file(text, strlen(text));
    }
    if (strcmp(path, "/proc/device-tree/system/linux,revision") == 0) {
        uint32_t code = __builtin_bswap32(revision ? strtoul(revision, NULL, 16) : 0);
        return text_file((const char *)&code, sizeof code);
    }
    return REAL(fopen)(path, mode);
}

static int device_file(const char *path)
{
    if (strcmp(path, "/dev/spidev0.0") == 0)
        return pi.spi_file;
    if (strcmp(path, "/dev/vcio") == 0)
        return pi.mailbox_file;
    if (strcmp(path, "/dev/mem") == 0 || strcmp(path, "/dev/gpiomem") == 0)
        return pi.memory_file;
    return -1;
}

int open(const char *path, int flags, ...)
{
    const char *refused = getenv("FAKEPI_REFUSE");
    int device = device_file(path), mode = 0;

    if (refused && strcmp(path, refused) == 0) {
        errno = EACCES;
        return -1;
    }
    if (device >= 0)
        return fcntl(device, F_DUPFD_CLOEXEC, 0);
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, int);
        va_end(rest);
    }
    return REAL(open)(path, flags, mode);
}

/* A number can be given out again after a close, so a file is known by its inode. */
static int is_file(int fd, int file)
{
    struct stat one, other;
    return fstat(fd, &one) == 0 && fstat(file, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static int answer_mailbox(uint32_t *message)
{
    uint32_t tag = message[2];
    message[5] = tag == MAILBOX_ALLOCATE ? 1 : tag == MAILBOX_LOCK ? FRAME_MEMORY : 0;
    return 0;
}

static int send_spi(const struct spi_ioc_transfer *message)
{
    const char *limit = getenv("FAKEPI_BUFSIZ");
    struct transfer transfer = {KIND_SPI, pi.spi_hertz, pi.waited, message->len};

    if (limit && message->len > strtoul(limit, NULL, 10)) {
        errno = EMSGSIZE;
        return -1;
    }
    uint64_t wire = wire_nanoseconds(&transfer);
    nanosleep(&(struct timespec){.tv_sec = wire / 1000000000u, .tv_nsec = wire % 1000000000u},
              NULL);
    pass_gate();
    capture(&transfer, (const void *)(uintptr_t)message->tx_buf);
    return message->len;
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);

    if (is_file(fd, pi.mailbox_file))
        return answer_mailbox(argument);
    if (!is_file(fd, pi.spi_file))
        return REAL(ioctl)(fd, request, argument);
    if (request == SPI_IOC_MESSAGE(1))
        return send_spi(argument);
    if (request == SPI_IOC_WR_MAX_SPEED_HZ)
        pi.spi_hertz = *(uint32_t *)argument;
    return 0;
}

/* A transfer under way when the process ends still reaches the strip. */
__attribute__((destructor)) static void switch_off(void)
{
    pi.dma_end = pi.dma_end.tv_sec ? (struct timespec){.tv_sec = 1} : pi.dma_end;
    finish_dma();
}
