/*
 * A Raspberry Pi for programs that drive LED strips: preloaded into a process (LD_PRELOAD), it
 * gives the libraries that drive them the machine that they look for, and keeps what went over the
 * wire. Here: its time, its wire, and PWM and PCM, which rpi_ws281x drives through memory alone.
 * fakepi_devices.c is what its device files do, fakepi_files.c the calls by which they are reached.
 *
 * Only calls into the C library are taken over: no thread plays the hardware. rpi_ws281x and its
 * callers sleep between their steps, and it reads the clock once it has started the DMA; the
 * hardware moves then. So a run is the same every time, and a frame overwritten while it is on the
 * wire is caught as such.
 *
 * Settings, all from the environment:
 *   FAKEPI_CAPTURE   file to append each transfer to: struct transfer, then its bytes
 *   FAKEPI_REVISION  revision code of the board, hexadecimal; none makes it an ordinary PC
 *   FAKEPI_TREE      directory with the files that tell what machine this is, by their true paths
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
#include "fakepi.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MEMORY_BYTES (1ull << 32)
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

struct transfer {
    uint32_t kind;
    uint32_t symbol_hertz; /* of one data line */
    uint32_t waited; /* microseconds that the library asked to sleep since the last transfer */
    uint32_t bytes;
    uint64_t began; /* microseconds of the clock that only goes forward */
};

struct control_block {
    uint32_t info, source, destination, length, stride, next;
};

static struct {
    uint8_t *memory;
    uint32_t base; /* of the peripherals */
    uint32_t crystal_hertz;
    uint32_t waited;
    uint64_t dma_began;
    struct timespec dma_end; /* seconds 0: no transfer is on the wire */
} pi;

static int setting_on(const char *name)
{
    const char *value = getenv(name);
    return value && *value == '1';
}

enum processor processor(void)
{
    const char *revision = getenv("FAKEPI_REVISION");
    /* Old revision codes name no processor: their boards have the first one, as the Zero W has. */
    return revision ? strtoul(revision, NULL, 16) >> 12 & 0xfu : BCM2835;
}

__attribute__((constructor)) static void switch_on(void)
{
    int memory = open_device(MEMORY), is_new = processor() >= BCM2711;

    pi.base = is_new ? 0xfe000000u : processor() == BCM2835 ? 0x20000000u : 0x3f000000u;
    pi.crystal_hertz = is_new ? 54000000u : 19200000u;
    if (ftruncate(memory, MEMORY_BYTES) != 0)
        abort();
    pi.memory =
        mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory, 0);
    if (pi.memory == MAP_FAILED)
        abort();
    close(memory);
}

static volatile uint32_t *reg(uint32_t offset)
{
    return (volatile uint32_t *)(pi.memory + pi.base + offset);
}

/* ---- time, the gate and the wire ---- */

static struct timespec now(void)
{
    struct timespec time;
    REAL(clock_gettime)(CLOCK_MONOTONIC, &time);
    return time;
}

static uint64_t microseconds_now(void)
{
    struct timespec time = now();
    return time.tv_sec * 1000000ull + time.tv_nsec / 1000;
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

static void sleep_for(uint64_t nanoseconds)
{
    struct timespec span = after((struct timespec){0}, nanoseconds);
    REAL(clock_nanosleep)(CLOCK_MONOTONIC, 0, &span, NULL);
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
    if (REAL(write)(ask, &byte, 1) != 1 || read(grant, &byte, 1) != 1)
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
    if (fd < 0 || REAL(write)(fd, transfer, sizeof *transfer) != (ssize_t)sizeof *transfer ||
        REAL(write)(fd, bytes, transfer->bytes) != (ssize_t)transfer->bytes)
        abort();
    close(fd);
    pi.waited = 0;
}

void send_bytes(enum kind kind, uint32_t symbol_hertz, const void *bytes, size_t length)
{
    struct transfer transfer = {kind, symbol_hertz, pi.waited, length, microseconds_now()};
    sleep_for(wire_nanoseconds(&transfer));
    pass_gate();
    capture(&transfer, bytes);
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
                             .bytes = block->length,
                             .began = pi.dma_began};
}

static void start_dma(void)
{
    struct transfer transfer = dma_transfer();
    if (*reg(DMA_10) & DMA_ACTIVE && pi.dma_end.tv_sec == 0) {
        pi.dma_began = microseconds_now();
        pi.dma_end = after(now(), wire_nanoseconds(&transfer));
    }
}

/* What is captured is what lies in memory at the end: a frame overwritten on the wire shows. */
static void finish_dma(void)
{
    static atomic_flag is_busy; /* any thread that sleeps moves the hardware */

    if (atomic_flag_test_and_set(&is_busy))
        return;
    if (pi.dma_end.tv_sec != 0 && is_past(pi.dma_end)) {
        struct transfer transfer = dma_transfer();
        pass_gate();
        capture(&transfer, pi.memory + TO_PHYSICAL(control_block()->source));
        pi.dma_end.tv_sec = 0;
        if (setting_on("FAKEPI_DMA_FAULT"))
            *reg(DMA_10) |= DMA_ERROR;
        *reg(DMA_10) &= ~DMA_ACTIVE;
    }
    atomic_flag_clear(&is_busy);
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

/* ---- the calls at which it moves ---- */

int usleep(useconds_t microseconds)
{
    pi.waited += microseconds;
    if (setting_on("FAKEPI_WIRE"))
        sleep_for(microseconds * 1000ull);
    move_hardware();
    return 0;
}

/* Python's time.sleep, for drivers that give the wire its time themselves. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *span, struct timespec *rest)
{
    int result = REAL(clock_nanosleep)(clock, flags, span, rest);
    move_hardware();
    return result;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    /* rpi_ws281x alone asks for the raw clock, right after it has started the DMA. */
    if (clock == CLOCK_MONOTONIC_RAW)
        start_dma();
    /* Who finds that the wire has been quiet for long need not sleep for it to be so. */
    else if (setting_on("FAKEPI_WIRE") && !getenv("FAKEPI_GATE"))
        finish_dma();
    return REAL(clock_gettime)(clock, time);
}

/* A transfer under way when the process ends still reaches the strip. */
__attribute__((destructor)) static void switch_off(void)
{
    pi.dma_end = pi.dma_end.tv_sec ? (struct timespec){.tv_sec = 1} : pi.dma_end;
    finish_dma();
}
