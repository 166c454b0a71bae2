#include "frame.h"

#include "clock.h"
#include "counters.h"
#include "crc32.h"
#include "serve.h"
#include "uart.h"
#include "watchdog.h"

/* Bytes of a continuous stream between two calls of serve(): 0.3 ms, at 1 Mbaud 0.2 ms. */
#define BYTES_PER_SERVICE 16

/* Bytes taken from the ring between two polls. */
#define LARGEST_BATCH 2

struct frame frame;

static uint32_t crc;

static uint16_t peek_u16(uint8_t behind)
{
    return uart_peek(behind) | uart_peek(behind + 1) << 8;
}

/* Check the header, and leave the CRC of all its bytes in `crc`. */
static bool header_is_right(void)
{
    uint16_t check = 0;

    crc = CRC32_BEGIN;
    for (uint8_t i = 0; i < HEADER_BYTES; i++) {
        uart_poll();
        if (i == CHECKED_HEADER_BYTES)
            check = ~(uint16_t)crc;
        crc = crc32_step(crc, uart_peek(i));
    }
    return peek_u16(CHECKED_HEADER_BYTES) == check;
}

/* The header is read inside the ring buffer, so that an invalid header discards one byte, not ten. */
static bool header_is_here(void)
{
    if (uart_peek(0) != MAGIC_FIRST || uart_peek(1) != MAGIC_SECOND)
        return false;
    frame.length = peek_u16(6);
    if (frame.length <= PIXEL_BYTES && header_is_right()) {
        frame.type = uart_peek(2);
        frame.sequence = uart_peek(3);
        frame.argument = peek_u16(4);
        return true;
    }
    counters.bad_headers++;
    return false;
}

bool frame_begins(void)
{
    while (uart_count() >= HEADER_BYTES) {
        if (header_is_here()) {
            uart_drop(HEADER_BYTES);
            uart_poll();
            return true;
        }
        uart_drop(1);
        uart_poll();
    }
    return false;
}

/* Wait for a byte; false after SILENCE_MS or when the watchdog expires. */
static bool wait_for_byte(void)
{
    uint8_t since = clock_ms;

    while (!uart_count()) {
        serve();
        if ((uint8_t)((uint8_t)clock_ms - since) > SILENCE_MS || watchdog_is_due())
            return false;
    }
    return true;
}

/* Receive bytes into `to`, or discard them if `to` is 0; false if no more bytes arrive. */
static bool receive(uint8_t *to, uint16_t bytes)
{
    while (bytes) {
        uint8_t batch = uart_poll();
        if (!batch && !wait_for_byte())
            return false;
        if (batch > LARGEST_BATCH)
            batch = LARGEST_BATCH;
        uint32_t sum = crc;
        do {
            uint8_t byte = uart_take();
            if (to)
                *to++ = byte;
            sum = crc32_step(sum, byte);
            bytes--;
        } while (bytes && batch-- > 1);
        crc = sum;
        if (bytes % BYTES_PER_SERVICE < LARGEST_BATCH)
            serve();
    }
    return true;
}

enum reason frame_receive(uint8_t *to, uint16_t room)
{
    uint16_t kept = frame.length < room ? frame.length : room;

    if (!receive(to, kept) || !receive(0, frame.length - kept + CRC_BYTES)) {
        counters.broken_off++;
        return BROKEN_OFF;
    }
    if (crc == CRC32_RIGHT)
        return NO_REASON;
    counters.damaged++;
    return DAMAGED;
}
