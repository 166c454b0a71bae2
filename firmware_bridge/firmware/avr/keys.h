/* Debounced edges of the buttons, queued until acknowledged. PROTOCOL.md, section 3, "Buttons". */

#ifndef KEYS_H
#define KEYS_H

#include <stdbool.h>

#include "board.h"

#define KEY_WENT_DOWN 0x80

/* Sequence number of the oldest queued event, and number of queued events. */
extern uint8_t keys_first;
extern uint8_t keys_queued;

/* Debounce time in milliseconds. */
extern uint8_t keys_hold;

/* Set the time since the previous sample. */
void keys_advance(uint8_t elapsed);

/* Handle a sample of a group of eight buttons. */
void keys_sample(uint8_t group, uint8_t down);

/* Begin a new session: empty the queue and treat the present levels as reported. */
void keys_forget(void);

/* Remove the events before `sequence`. */
void keys_acknowledge(uint8_t sequence);

/* True if KEYS is due: after each event, and every 50 ms until acknowledged. */
bool keys_are_due(void);
void keys_were_sent(void);

/* Event at an index of the queue: button and direction, and time. */
uint8_t keys_edge(uint8_t index);
uint32_t keys_time(uint8_t index);

/* Bitmap of a group of eight buttons after the first `events` events of the queue: 1 is down. */
uint8_t keys_down_after(uint8_t events, uint8_t group);

#endif
