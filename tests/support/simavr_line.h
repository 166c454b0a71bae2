/* The serial port of an emulated chip as silicon has it, in the place of simavr's own.
 *
 * simavr's keeps 64 bytes, and each of them lasts eleven bits. The one here keeps two bytes beside the
 * one that comes in, and ten bits are a byte. Whoever reads too late loses bytes, which is counted
 * here whatever the firmware says. */

#ifndef SIMAVR_LINE_H
#define SIMAVR_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <simavr/sim_avr.h>

#define CHIP_KEEPS 2

struct bytes {
    uint8_t *data;
    size_t length, taken, room;
};

struct line {
    avr_t *avr;
    uint64_t bit; /* cycles a bit at the host's end */

    /* Towards the board. */
    struct bytes sent;
    bool is_coming, is_doomed;
    uint8_t kept[CHIP_KEEPS + 1];
    int unread;
    bool has_overrun;
    uint64_t overruns;

    /* From the board. */
    struct bytes said;
    bool is_going, has_next;
    uint8_t going, next;
};

void line_join(struct line *line, avr_t *avr, uint32_t baud);
void line_free(struct line *line);

/* The chip has been reset: what it kept is gone, the bytes on the way go on. */
void line_reset(struct line *line);

void line_send(struct line *line, const uint8_t *data, size_t length);

/* What the board has said since the last time, as far as there is room. */
size_t line_take(struct line *line, uint8_t *data, size_t room);

#endif
