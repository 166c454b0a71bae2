/* Receiving of frames. PROTOCOL.md, section 1. */

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

/* Header of the frame that is being received. */
extern struct frame frame;

/* Search the received bytes for a header; if there is one, store it in `frame` and return true. */
bool frame_begins(void);

/* Receive payload and CRC; the first `room` bytes of the payload are stored in `to`. Returns NO_REASON
 * if the CRC is right, else DAMAGED or BROKEN_OFF. */
enum reason frame_receive(uint8_t *to, uint16_t room);

#endif
