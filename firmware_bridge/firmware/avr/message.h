/* What the board says: each message written out as it is sent, without a copy of it in memory. */

#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

#define PONG_BYTES 28

/* `version` is the one agreed on, 0 for none; `host` is the session nonce that the host told. */
void message_info(uint8_t sequence, uint8_t version, uint32_t host);

/* An ACK, if there is no reason, or a NAK. */
void message_answer(uint8_t type, uint8_t sequence, enum reason reason);

void message_pong(uint8_t sequence, uint8_t standing, uint32_t session);

/* The line brings a byte in the time that it takes one: whether the ring has room for what may come
 * while a message with such a payload goes. Answers that the host waits for go in any case. */
bool message_may_go(uint8_t payload);

/* As many of the oldest events as may go, if any. */
void message_keys(void);

#endif
