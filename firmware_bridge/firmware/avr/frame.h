/* Frames in: a header found among the bytes, and what comes behind it. PROTOCOL.md, section 1. */

#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

struct frame {
    uint8_t type;
    uint8_t sequence;
    uint16_t argument;
    uint16_t length;
};

/* The frame that is being received. */
extern struct frame frame;

/* Look for a header in what has arrived; true once there is one, which `frame` then tells. */
bool frame_begins(void);

/* Receive the payload, the first `room` bytes of it into `to`, and its CRC; NO_REASON if it is
 * right, else DAMAGED or BROKEN_OFF. */
enum reason frame_receive(uint8_t *to, uint16_t room);

#endif
