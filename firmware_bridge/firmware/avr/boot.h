/* The boot nonce: a counter of starts in the EEPROM. */

#ifndef BOOT_H
#define BOOT_H

#include <stdint.h>

/* Increment the nonce. */
void boot_begin(void);

uint32_t boot_nonce(void);

#endif
