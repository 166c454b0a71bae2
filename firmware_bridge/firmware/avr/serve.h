/* What goes on whatever the board is waiting for: line, clock, buttons, and the news of them. */

#ifndef SERVE_H
#define SERVE_H

#include <stdbool.h>

/* To be called as often as can be. */
void serve(void);

/* The clock and the buttons only; whether a millisecond or more was over. */
bool serve_time(void);

#endif
