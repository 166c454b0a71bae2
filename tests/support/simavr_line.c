#include "simavr_line.h"

#include <stdlib.h>
#include <string.h>

#define BITS_PER_BYTE 10

enum { UCSR0A = 0xC0, UCSR0B = 0xC1, UBRR0L = 0xC4, UBRR0H = 0xC5, UDR0 = 0xC6 };
enum { RXC = 0x80, UDRE = 0x20, RXEN = 0x10, DOR = 0x08, U2X = 0x02 };

static void append(struct bytes *bytes, uint8_t byte)
{
    if (bytes->length == bytes->room) {
        bytes->room = bytes->room ? 2 * bytes->room : 4096;
        bytes->data = realloc(bytes->data, bytes->room);
    }
    bytes->data[bytes->length++] = byte;
}

/* Cycles a bit at the board's end. */
static uint64_t board_bit(const struct line *line)
{
    const uint8_t *data = line->avr->data;
    unsigned divider = (data[UBRR0H] << 8 | data[UBRR0L]) + 1;
    return divider * (data[UCSR0A] & U2X ? 8 : 16);
}

/* Both ends hear nonsense if they do not agree. */
static uint8_t across(const struct line *line, uint8_t byte)
{
    return board_bit(line) == line->bit ? byte : (uint8_t)~byte;
}

static avr_cycle_count_t byte_has_come(avr_t *avr, avr_cycle_count_t when, void *param);

static void start_byte(struct line *line)
{
    line->is_coming = true;
    /* The start bit finds two bytes kept and one behind them: that one, or this, is lost. */
    line->is_doomed = line->unread > CHIP_KEEPS;
    avr_cycle_timer_register(line->avr, BITS_PER_BYTE * line->bit, byte_has_come, line);
}

static avr_cycle_count_t byte_has_come(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct line *line = param;
    uint8_t byte = across(line, line->sent.data[line->sent.taken++]);

    (void)when;
    if (line->is_doomed) {
        line->has_overrun = true;
        line->overruns++;
    } else if (avr->data[UCSR0B] & RXEN) {
        line->kept[line->unread++] = byte;
    }
    line->is_coming = false;
    if (line->sent.taken < line->sent.length)
        start_byte(line);
    return 0;
}

static uint8_t read_status(avr_t *avr, avr_io_addr_t address, void *param)
{
    struct line *line = param;
    uint8_t status = avr->data[address] & U2X;

    if (line->unread)
        status |= RXC;
    if (line->has_overrun)
        status |= DOR;
    if (!line->has_next)
        status |= UDRE;
    avr->data[address] = status;
    return status;
}

static void write_status(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    avr->data[address] = value & U2X;
}

static uint8_t read_data(avr_t *avr, avr_io_addr_t address, void *param)
{
    struct line *line = param;

    if (line->unread) {
        avr->data[address] = line->kept[0];
        memmove(line->kept, line->kept + 1, --line->unread);
        line->has_overrun = false;
    }
    return avr->data[address];
}

static avr_cycle_count_t byte_has_gone(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct line *line = param;

    (void)when;
    append(&line->said, across(line, line->going));
    line->is_going = line->has_next;
    if (line->has_next) {
        line->going = line->next;
        line->has_next = false;
        avr_cycle_timer_register(avr, BITS_PER_BYTE * board_bit(line), byte_has_gone, line);
    }
    return 0;
}

static void write_data(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    struct line *line = param;

    (void)address;
    if (line->is_going) {
        line->next = value;
        line->has_next = true;
        return;
    }
    line->going = value;
    line->is_going = true;
    avr_cycle_timer_register(avr, BITS_PER_BYTE * board_bit(line), byte_has_gone, line);
}

static void take_over(struct line *line, uint16_t address, avr_io_read_t read, avr_io_write_t write)
{
    int io = AVR_DATA_TO_IO(address);

    line->avr->io[io].r.c = read;
    line->avr->io[io].r.param = line;
    line->avr->io[io].w.c = write;
    line->avr->io[io].w.param = line;
}

void line_join(struct line *line, avr_t *avr, uint32_t baud)
{
    line->avr = avr;
    line->bit = avr->frequency / baud;
    take_over(line, UCSR0A, read_status, write_status);
    take_over(line, UDR0, read_data, write_data);
}

void line_free(struct line *line)
{
    free(line->sent.data);
    free(line->said.data);
}

void line_reset(struct line *line)
{
    line->unread = 0;
    line->has_overrun = line->is_going = line->has_next = false;
    if (line->is_coming)
        start_byte(line);
}

void line_send(struct line *line, const uint8_t *data, size_t length)
{
    for (size_t i = 0; i < length; i++)
        append(&line->sent, data[i]);
    if (length && !line->is_coming)
        start_byte(line);
}

size_t line_take(struct line *line, uint8_t *data, size_t room)
{
    size_t left = line->said.length - line->said.taken;
    size_t count = left < room ? left : room;

    memcpy(data, line->said.data + line->said.taken, count);
    line->said.taken += count;
    return count;
}
