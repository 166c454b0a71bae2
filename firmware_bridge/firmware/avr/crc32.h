/* CRC-32 as in zip and Ethernet, byte by byte. */

#ifndef CRC32_H
#define CRC32_H

#include <stdint.h>

#define CRC32_BEGIN 0xFFFFFFFFUL

/* Remainder of a message followed by its right CRC. */
#define CRC32_RIGHT 0xDEBB20E3UL

/* crc32.S */
uint32_t crc32_step(uint32_t crc, uint8_t byte);

#endif
