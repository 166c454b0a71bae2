/* Memory with two uses that never meet: a short payload, or the looks at the buttons in a show. */

#ifndef SCRATCH_H
#define SCRATCH_H

#include "board.h"

struct hello {
    uint32_t session;
    uint8_t lowest;
    uint8_t highest;
};

struct safe {
    uint8_t every;
    uint8_t led[4];
};

struct setup {
    uint32_t boot;
    uint16_t leds;
    uint8_t colours;
    uint8_t hold;
    uint16_t watchdog;
    struct safe safe;
};

union scratch {
    union payload {
        struct hello hello;
        struct setup setup;
        uint8_t led[4];
    } payload;
    /* The last one is never complete. */
    uint8_t looks[PIXEL_BYTES / BYTES_PER_LOOK + 1][LOOK_BYTES];
};

extern union scratch scratch;

#endif
