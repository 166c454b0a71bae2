#include "message.h"

#include <avr/pgmspace.h>

#include "boot.h"
#include "clock.h"
#include "counters.h"
#include "crc32.h"
#include "flags.h"
#include "keys.h"
#include "uart.h"

#define INFO_BYTES 51
#define ANSWER_BYTES 6
#define KEYS_BYTES 8
#define KEY_BYTES 5

#define FRAME_BYTES 14

/* Places for the bytes that arrive at 1 Mbaud before the ring buffer is read. */
#define RING_RESERVE 16

#define CREDIT 1
#define FORMATS 0x03
#define UNIQUE_BYTES 8

static const char name[] PROGMEM = BOARD_NAME;
static const uint8_t firmware_version[] PROGMEM = {FIRMWARE_VERSION};

static uint32_t crc;

/* The longest message takes 3 ms. To save stack, the buttons are not sampled meanwhile. */
static void put(uint8_t byte)
{
    crc = crc32_step(crc, byte);
    do
        uart_poll();
    while (!uart_may_send());
    UDR0 = byte;
}

static void put_u16(uint16_t number)
{
    put(number);
    put(number >> 8);
}

static void put_u32(uint32_t number)
{
    put_u16(number);
    put_u16(number >> 16);
}

/* Send the header, and the clock at the beginning of the payload. */
static void begin(uint8_t type, uint8_t sequence, uint16_t argument, uint16_t length)
{
    uart_poll();
    crc = CRC32_BEGIN;
    put(MAGIC_FIRST);
    put(MAGIC_SECOND);
    put(type);
    put(sequence);
    put_u16(argument);
    put_u16(length);
    put_u16(~(uint16_t)crc);
    put_u32(clock_ms);
}

static void end(void)
{
    put_u32(~crc);
}

static void put_counters(void)
{
    const uint8_t *byte = (const uint8_t *)&counters;
    for (uint8_t i = 0; i < sizeof counters; i++)
        put(byte[i]);
}

static void put_constant(const void *bytes, uint8_t length)
{
    for (const uint8_t *byte = bytes; length; length--)
        put(pgm_read_byte(byte++));
}

/* Send the bitmap after the first `events` events. */
static void put_buttons(uint8_t events)
{
    for (uint8_t group = 0; group < 4; group++)
        put(group < GROUPS ? keys_down_after(events, group) : 0);
}

void message_info(uint8_t sequence, uint8_t version, uint32_t host)
{
    begin(TYPE_INFO, sequence, version, INFO_BYTES + sizeof name - 1);
    put_u32(host);
    put(PROTOCOL_VERSION);
    put(PROTOCOL_VERSION);
    put_u32(boot_nonce());
    put_constant(firmware_version, sizeof firmware_version);
    put(CREDIT);
    put_u16(PIXEL_BYTES);
    put(FORMATS);
    put(BUTTONS);
    put_buttons(0);
    put(keys_first);
    put_counters();
    for (uint8_t i = 0; i < UNIQUE_BYTES; i++)
        put(0);
    put_constant(name, sizeof name - 1);
    end();
}

void message_answer(uint8_t type, uint8_t sequence, enum reason reason)
{
    begin(reason ? TYPE_NAK : TYPE_ACK, sequence, type | (uint16_t)reason << 8, ANSWER_BYTES);
    put_u16(counters.overruns);
    end();
}

void message_pong(uint8_t sequence, uint8_t pong_flags, uint32_t session)
{
    begin(TYPE_PONG, sequence, pong_flags, PONG_BYTES);
    put_u32(session);
    put_u32(boot_nonce());
    put_counters();
    end();
}

bool message_has_room(uint8_t payload)
{
    return uart_count() + RING_RESERVE + FRAME_BYTES + payload <= RING_SIZE;
}

static uint8_t events_with_room(void)
{
    int8_t room = RING_SIZE - RING_RESERVE - FRAME_BYTES - KEYS_BYTES - uart_count();
    uint8_t events = 0;

    for (; room >= KEY_BYTES && events < keys_queued; room -= KEY_BYTES)
        events++;
    return events;
}

void message_keys(void)
{
    uint8_t events = events_with_room();

    if (!events)
        return;
    begin(TYPE_KEYS, keys_first, counters.lost_edges, KEYS_BYTES + KEY_BYTES * events);
    put_buttons(events);
    for (uint8_t i = 0; i < events; i++) {
        put(keys_edge(i));
        put_u32(keys_time(i));
    }
    end();
    flags.is_truncated = events < keys_queued;
    keys_were_sent();
}
