/* Protocol state machine: the table of PROTOCOL.md, section 3. */

#ifndef SESSION_H
#define SESSION_H

/* Receive the rest of the frame whose header is in `frame`, execute it and answer it. */
void session_receive(void);

/* Send messages that can wait: PONG and KEYS. */
void session_send(void);

/* Show the safe pattern because the host is silent. */
void session_watchdog(void);

#endif
