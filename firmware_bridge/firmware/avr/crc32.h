/* The CRC-32 of zip and Ethernet, a byte at a time. */

#ifndef CRC32_H
#define CRC32_H

#include <stdint.h>

#define CRC32_BEGIN 0xFFFFFFFFUL

/* What is left when a message and its own CRC have gone through. */
#define CRC32_RIGHT 0xDEBB20E3UL

/* crc32.S */
uint32_t crc32_step(uint32_t crc, uint8_t byte);

#endif
