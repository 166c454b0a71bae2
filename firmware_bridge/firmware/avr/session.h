/* What the host says, and what the board does about it: the table of PROTOCOL.md, section 3. */

#ifndef SESSION_H
#define SESSION_H

/* Receive the frame whose header has come, do it and answer it. */
void session_receive(void);

/* Say what need not be said at once: PONG, and the news of the buttons. */
void session_speak(void);

/* The host is gone: show the safe pattern. */
void session_bite(void);

#endif
