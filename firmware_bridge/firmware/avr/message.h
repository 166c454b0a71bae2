/* Messages to the host, generated while they are sent, without a copy in memory. */

#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

#define PONG_BYTES 28

/* `version` is the common protocol version, or 0; `host` is the session nonce of HELLO. */
void message_info(uint8_t sequence, uint8_t version, uint32_t host);

/* Send NAK with a reason, or ACK if the reason is NO_REASON. */
void message_answer(uint8_t type, uint8_t sequence, enum reason reason);

void message_pong(uint8_t sequence, uint8_t pong_flags, uint32_t session);

/* True if the ring has room for the bytes that may arrive while a message with this payload is sent,
 * which are as many as are sent. Answers that the host waits for are sent without this check. */
bool message_has_room(uint8_t payload);

/* Send KEYS with the oldest events, as many as there is room for. */
void message_keys(void);

#endif
