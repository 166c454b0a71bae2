/* Two watchdogs: this program's detects a silent host; the chip's restarts this program if it hangs. */

#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <avr/wdt.h>
#include <stdbool.h>
#include <stdint.h>

/* Start the chip's watchdog, which restarts a program that hangs for half a second. */
void watchdog_begin(void);

/* Must be called at least twice a second. */
static inline void watchdog_reset(void)
{
    wdt_reset();
}

/* Set the timeout for the host; 0 means no timeout. */
void watchdog_set(uint16_t ms);

/* Restart the timeout after a valid frame. */
void watchdog_feed(void);

/* Advance the time. */
void watchdog_advance(uint8_t ms);

/* True if the timeout has passed and the safe pattern is not shown yet. */
bool watchdog_is_due(void);

/* Count the expiry, and set is_expired until watchdog_feed() is called. */
void watchdog_expire(void);

#endif
