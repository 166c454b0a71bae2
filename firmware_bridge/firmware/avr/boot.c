#include "boot.h"

#include <avr/eeprom.h>

#define NONCE ((uint32_t *)0)

/* Write the highest byte first: if the power fails in between, the EEPROM holds a larger number,
 * which was never used. */
void boot_begin(void)
{
    uint32_t next = boot_nonce() + 1;
    for (uint8_t i = sizeof next; i--;)
        eeprom_update_byte((uint8_t *)NONCE + i, next >> (8 * i));
}

uint32_t boot_nonce(void)
{
    return eeprom_read_dword(NONCE);
}
