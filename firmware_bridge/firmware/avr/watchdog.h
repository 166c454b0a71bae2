/* Two watchdogs: ours, over the host, and the chip's own, over us. */

#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <avr/wdt.h>
#include <stdbool.h>
#include <stdint.h>

/* Start the chip's: a firmware that hangs for half a second starts again. */
void watchdog_begin(void);

/* Still running: to be called at least twice a second. */
static inline void watchdog_reset(void)
{
    wdt_reset();
}

/* How long the host may be silent; 0 for ever. */
void watchdog_set(uint16_t ms);

/* The host has said something that arrived right. */
void watchdog_feed(void);

/* So much time has passed. */
void watchdog_pass(uint8_t ms);

/* Whether the host has been silent for too long and the safe pattern is not shown yet. */
bool watchdog_is_due(void);

/* The safe pattern is shown, once: bitten until the next feed. */
void watchdog_bite(void);

#endif
