/* Background work during any wait: serial line, clock, buttons and unsolicited messages. */

#ifndef SERVE_H
#define SERVE_H

#include <stdbool.h>

/* Must be called as often as possible. */
void serve(void);

/* Update clock and buttons only; true if a millisecond or more has passed. */
bool serve_time(void);

#endif
