/* uint8_t leds_shift(const uint8_t *bytes, uint16_t count, uint8_t *samples)
 *
 * Shifts bytes, at least one, out to WS281x LEDs at 16 MHz, highest bit first, 20 cycles a bit:
 *
 *     cycle  0   high
 *            5   low if the bit is 0:  312.5 ns high
 *           12   low in any case:      750 ns high
 *           20   the next bit, after 1,250 ns
 *
 * In the remaining cycles this polls the serial line once a byte, every 10 us, as uart_poll() does. It
 * also reads the ports of the buttons; every BYTES_PER_SAMPLE bytes it keeps this sample. All paths
 * take the same number of cycles: conditions skip single instructions or are balanced by waits.
 * Returns the number of overruns of the serial line. */

#define __SFR_OFFSET 0
#include <avr/io.h>

#include "board.h"

#define lost r1
#define room r0
#define until_sample_low r16
#define until_sample_high r17
#define byte r18
#define high r19
#define low r20
#define status r21
#define arrived r22
#define head r23
#define count r24

#define port arrived

.macro wait cycles
    .rept \cycles / 2
    rjmp .+0
    .endr
    .rept \cycles % 2
    nop
    .endr
.endm

/* Cycles 0 to 5 of a bit; then 6 cycles are free. */
.macro rise bit
    out LED_PORT, high
    wait 3
    sbrs byte, \bit
    out LED_PORT, low
.endm

/* Cycle 12 of a bit; then 7 cycles are free. */
.macro fall
    out LED_PORT, low
.endm

.macro sample_io register, offset
    in port, \register
    std Y + \offset, port
.endm

.section .text.leds_shift, "ax"
.global leds_shift
leds_shift:
    push r16
    push r17
    push YL
    push YH
    movw XL, r24
    movw count, r22
    movw YL, r20
    ldi until_sample_low, lo8(BYTES_PER_SAMPLE)
    ldi until_sample_high, hi8(BYTES_PER_SAMPLE)
    in low, LED_PORT
    mov high, low
    ori high, 1 << LED_BIT
    in head, GPIOR1     /* uart.h: write index, */
    in room, GPIOR2     /* and read index */
    sub room, head
    ldi ZL, RING_SIZE
    add room, ZL
    clr lost
    ld byte, X+

1:  rise 7
    lds status, UCSR0A
    wait 4
    fall
    tst room
    brne 2f             /* 2 cycles, with or without room */
    clr status          /* without room the byte stays in the chip */
2:  mov ZL, head
    andi ZL, RING_SIZE - 1
    ldi ZH, 0
    wait 1

    rise 6
    subi ZL, lo8(-(uart_ring))
    sbci ZH, hi8(-(uart_ring))
    wait 4
    fall
    sbrc status, RXC0
    lds arrived, UDR0
    st Z, arrived       /* in the free place after the newest byte */
    wait 2

    rise 5
    sbrc status, DOR0
    inc lost
    sbrc status, RXC0
    inc head
    sbrc status, RXC0
    dec room
    fall
    wait 7

    rise 4
    sample_io SAMPLE_0, 0
    sample_io SAMPLE_1, 1
    fall
    sample_io SAMPLE_2, 2
    wait 4

    rise 3
#ifdef SAMPLE_3
    lds port, SAMPLE_3
    std Y + 3, port
    wait 2
#else
    wait 6
#endif
    fall
    wait 7

    rise 2
    wait 4
    subi until_sample_low, 1
    sbci until_sample_high, 0
    fall
    brne 3f
    adiw YL, SAMPLE_BYTES
    ldi until_sample_low, lo8(BYTES_PER_SAMPLE)
    ldi until_sample_high, hi8(BYTES_PER_SAMPLE)
    rjmp 4f
3:  wait 5
4:

    rise 1
    wait 6
    fall
    wait 7

    rise 0
    ld byte, X+         /* the byte after the last is not used */
    wait 4
    fall
    sbiw count, 1
    breq 5f
    wait 2
    rjmp 1b

5:  out GPIOR1, head
    mov r24, lost
    clr r1              /* C expects 0 */
    pop YH
    pop YL
    pop r17
    pop r16
    ret
