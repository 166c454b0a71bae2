/* The boot nonce: which life of the board this is, a counter in the EEPROM. */

#ifndef BOOT_H
#define BOOT_H

#include <stdint.h>

/* Begin another life. */
void boot_begin(void);

uint32_t boot_nonce(void);

#endif
