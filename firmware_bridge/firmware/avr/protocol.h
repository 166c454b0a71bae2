/* Constants of PROTOCOL.md. */

#ifndef PROTOCOL_H
#define PROTOCOL_H

#define PROTOCOL_VERSION 1

#define MAGIC_FIRST 0xA5
#define MAGIC_SECOND 0x5A
#define HEADER_BYTES 10
#define CHECKED_HEADER_BYTES 8
#define CRC_BYTES 4
#define SILENCE_MS 25
#define MAX_HOLD_MS 100

enum type {
    TYPE_HELLO = 0x01,
    TYPE_SETUP = 0x02,
    TYPE_PIXELS = 0x03,
    TYPE_FILL = 0x04,
    TYPE_PING = 0x05,
    TYPE_KEYACK = 0x06,
    TYPE_BYE = 0x07,
    TYPE_INFO = 0x81,
    TYPE_ACK = 0x82,
    TYPE_NAK = 0x83,
    TYPE_PONG = 0x84,
    TYPE_KEYS = 0x85,
};

#define FROM_BOARD 0x80

enum reason {
    NO_REASON = 0,
    DAMAGED = 1,
    BROKEN_OFF = 2,
    NO_BASE = 3,
    WRONG_SIZE = 4,
    NOT_READY = 5,
    UNKNOWN = 6,
    TOO_MUCH = 7,
};

#define LATCH 0x8000

#define PONG_READY 1
#define PONG_SHOWN 2

#endif
