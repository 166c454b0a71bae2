/* The buttons: edges that have held long enough, queued until the host has them.
 * PROTOCOL.md, section 3, "Buttons". */

#ifndef KEYS_H
#define KEYS_H

#include <stdbool.h>

#include "board.h"

#define KEY_WENT_DOWN 0x80

/* Sequence of the oldest event queued, and how many there are. */
extern uint8_t keys_first;
extern uint8_t keys_queued;

/* Milliseconds that a level must hold. */
extern uint8_t keys_hold;

/* So many milliseconds have passed since the last look. */
void keys_pass(uint8_t elapsed);

/* What eight buttons look like now. */
void keys_look(uint8_t eight, uint8_t down);

/* A new session: as if all that has happened so far had been told. */
void keys_forget(void);

/* The host has all events before this one. */
void keys_acknowledge(uint8_t sequence);

/* Whether the queue is to be sent, which is so at once and again every 50 ms. */
bool keys_are_due(void);
void keys_were_sent(void);

/* What happened in the event at a place of the queue, and when. */
uint8_t keys_what(uint8_t place);
uint32_t keys_when(uint8_t place);

/* Which of eight buttons are down after so many events of the queue. */
uint8_t keys_down_after(uint8_t events, uint8_t eight);

#endif
