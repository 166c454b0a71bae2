/* What differs between the boards: memory, pins, name. Nothing else asks which chip it runs on. */

#ifndef BOARD_H
#define BOARD_H

#include <avr/io.h>

#ifndef __ASSEMBLER__
#include <stdint.h>
#endif

#define FIRMWARE_VERSION 1, 0, 0

/* The strip's data line: Arduino pin 8 of the Uno and the Nano, pin 53 of the Mega. */
#define LED_PORT PORTB
#define LED_DIRECTION DDRB
#define LED_BIT 0

/* Memory is what limits a board: on the ATmega328P all this leaves 55 bytes to the stack. */
#if defined(__AVR_ATmega328P__)

#define BOARD_NAME "Arduino Uno or Nano"
#define PIXEL_BYTES 1800
#define RING_SIZE 64
#define BUTTONS 16
#define KEY_PLACES 8
#define LOOK_BYTES 3
#define LOOK_0 PINB
#define LOOK_1 PINC
#define LOOK_2 PIND

#elif defined(__AVR_ATmega2560__)

#define BOARD_NAME "Arduino Mega 2560"
#define PIXEL_BYTES 7500
#define RING_SIZE 128
#define BUTTONS 32
#define KEY_PLACES 16
#define LOOK_BYTES 4
#define LOOK_0 PINA
#define LOOK_1 PINC
#define LOOK_2 PINF
#define LOOK_3 PINK

#else
#error "there is no board with this chip here: see board.h"
#endif

/* So many bytes of a show take 4 ms: then a look at the ports of the buttons is kept. */
#define BYTES_PER_LOOK 400
#define MS_PER_LOOK 4

/* Buttons are looked at eight by eight: button i is bit i % 8 of the eight number i / 8. */
#define EIGHTS (BUTTONS / 8)

#endif
