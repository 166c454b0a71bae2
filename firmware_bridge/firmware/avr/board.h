/* Differences between the boards: memory, name, ports. Only this file and pins.h test for the chip. */

#ifndef BOARD_H
#define BOARD_H

#include <avr/io.h>

#ifndef __ASSEMBLER__
#include <stdint.h>
#endif

#define FIRMWARE_VERSION 1, 0, 1

/* The strip's data line: Arduino pin 8 of the Uno and the Nano, pin 53 of the Mega. */
#define LED_PORT PORTB
#define LED_DIRECTION DDRB
#define LED_BIT 0

/* Memory limits the board: on the ATmega328P these sizes leave 55 bytes for the stack. */
#if defined(__AVR_ATmega328P__)

#define BOARD_NAME "Arduino Uno or Nano"
#define PIXEL_BYTES 1800
#define RING_SIZE 64
#define BUTTONS 16
#define KEY_QUEUE_SIZE 8
#define SAMPLE_BYTES 3
#define SAMPLE_0 PINB
#define SAMPLE_1 PINC
#define SAMPLE_2 PIND

#elif defined(__AVR_ATmega2560__)

#define BOARD_NAME "Arduino Mega 2560"
#define PIXEL_BYTES 7500
#define RING_SIZE 128
#define BUTTONS 32
#define KEY_QUEUE_SIZE 16
#define SAMPLE_BYTES 4
#define SAMPLE_0 PINA
#define SAMPLE_1 PINC
#define SAMPLE_2 PINF
#define SAMPLE_3 PINK

#else
#error "this chip has no board: see board.h"
#endif

/* A show sends the pixels to the strip. It samples the buttons every 400 bytes, which take 4 ms. */
#define BYTES_PER_SAMPLE 400
#define MS_PER_SAMPLE 4

/* Buttons are handled in groups of eight: button i is bit i % 8 of group i / 8. */
#define GROUPS (BUTTONS / 8)

#endif
