/* A board in simavr: its line, the pin of its strip logged, its buttons pressed. */

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_ioport.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_hex.h>

#include "simavr_line.h"

#define HERTZ 16000000
#define PORTS 16

/* Cycles that the processor may run without a look at whether to go on, if nothing happens. */
#define LONGEST_RUN 16000

struct board {
    avr_t *avr;
    struct line line;

    /* Twice the cycle of each edge of the strip's line, plus the new level. */
    uint64_t *edges;
    size_t edge_count, edge_room;
    uint8_t level;

    /* The buttons' pins, port by port. */
    uint8_t levels[PORTS];

    void (*reset_core)(avr_t *);
    bool has_stopped;
};

static void pin_changed(avr_irq_t *irq, uint32_t value, void *param)
{
    struct board *board = param;

    (void)irq;
    if (board->level == (value & 1))
        return;
    board->level = value & 1;
    if (board->edge_count == board->edge_room) {
        board->edge_room = board->edge_room ? 2 * board->edge_room : 65536;
        board->edges = realloc(board->edges, board->edge_room * sizeof *board->edges);
    }
    board->edges[board->edge_count++] = board->avr->cycle << 1 | board->level;
}

/* The input register of a port: the lower seven are below the others. */
static int pins_register(char port)
{
    return port < 'H' ? 0x20 + 3 * (port - 'A') : 0x100 + 3 * (port - 'H' - (port > 'I'));
}

static uint8_t read_pins(avr_t *avr, avr_io_addr_t address, void *param)
{
    avr->data[address] = *(uint8_t *)param;
    return avr->data[address];
}

/* Any reset: the pin's, and the watchdog's. The strip's line falls. */
static void reset(avr_t *avr)
{
    struct board *board = avr->custom.data;

    board->level = 0;
    line_reset(&board->line);
    if (board->reset_core)
        board->reset_core(avr);
}

static bool load(avr_t *avr, const char *hex)
{
    ihex_chunk_p chunks = NULL;
    int count = read_ihex_chunks(hex, &chunks);
    bool fits = count > 0;

    for (int i = 0; i < count; i++) {
        fits = fits && chunks[i].baseaddr + chunks[i].size <= avr->flashend + 1;
        if (fits)
            memcpy(avr->flash + chunks[i].baseaddr, chunks[i].data, chunks[i].size);
    }
    avr->codeend = avr->flashend;
    if (chunks)
        free_ihex_chunks(chunks);
    return fits;
}

static void say_nothing(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

/* A board with power, or NULL if the chip is unknown or the image does not fit. */
struct board *board_open(const char *chip, const char *hex, uint32_t baud)
{
    avr_global_logger_set(say_nothing);
    avr_t *avr = avr_make_mcu_by_name(chip);
    if (!avr)
        return NULL;
    avr_init(avr);
    avr->frequency = HERTZ;
    avr->log = LOG_NONE;
    if (!load(avr, hex))
        return NULL;

    struct board *board = calloc(1, sizeof *board);
    board->avr = avr;
    line_join(&board->line, avr, baud);
    avr->custom.data = board;
    board->reset_core = avr->reset;
    avr->reset = reset;
    avr_irq_t *pin = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0);
    avr_irq_register_notify(pin, pin_changed, board);
    return board;
}

void board_close(struct board *board)
{
    avr_terminate(board->avr);
    line_free(&board->line);
    free(board->edges);
    free(board);
}

/* A timer for its own sake: the processor runs from one to the next. */
static avr_cycle_count_t stop(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr, (void)when, (void)param;
    return 0;
}

/* Run until the cycle, or until the board has said a byte if that is earlier. */
void board_run(struct board *board, uint64_t until)
{
    avr_t *avr = board->avr;
    size_t said = board->line.said.length;

    avr->run_cycle_limit = LONGEST_RUN;
    if (until > avr->cycle)
        avr_cycle_timer_register(avr, until - avr->cycle, stop, board);
    while (avr->cycle < until && board->line.said.length == said && !board->has_stopped) {
        int state = avr_run(avr);
        board->has_stopped = state == cpu_Crashed || state == cpu_Done;
    }
}

uint64_t board_cycle(const struct board *board)
{
    return board->avr->cycle;
}

/* The processor itself gave up. */
int board_has_stopped(const struct board *board)
{
    return board->has_stopped;
}

void board_send(struct board *board, const uint8_t *data, size_t length)
{
    line_send(&board->line, data, length);
}

/* How many bytes are still on the way to the board. */
size_t board_unsent(const struct board *board)
{
    return board->line.sent.length - board->line.sent.taken;
}

size_t board_said(struct board *board, uint8_t *data, size_t room)
{
    return line_take(&board->line, data, room);
}

uint64_t board_overruns(const struct board *board)
{
    return board->line.overruns;
}

size_t board_edge_count(const struct board *board)
{
    return board->edge_count;
}

void board_take_edges(struct board *board, uint64_t *edges)
{
    memcpy(edges, board->edges, board->edge_count * sizeof *edges);
    board->edge_count = 0;
}

/* Join buttons to a port, all of them up. */
void board_join_port(struct board *board, char port)
{
    int io = AVR_DATA_TO_IO(pins_register(port));

    board->levels[port - 'A'] = 0xFF;
    board->avr->io[io].r.c = read_pins;
    board->avr->io[io].r.param = &board->levels[port - 'A'];
}

void board_set_pin(struct board *board, char port, int pin, int level)
{
    uint8_t *levels = &board->levels[port - 'A'];
    *levels = level ? *levels | 1 << pin : *levels & ~(1 << pin);
}

/* Put a boot loader above the program: every reset starts it. Returns 0 if it does not fit. */
int board_add_boot_loader(struct board *board, const char *hex, uint32_t address)
{
    if (!load(board->avr, hex))
        return 0;
    board->avr->reset_pc = address;
    board->avr->pc = address;
    return 1;
}

/* The reset pin: memory keeps what it has. */
void board_reset(struct board *board)
{
    avr_reset(board->avr);
    avr_regbit_set(board->avr, board->avr->reset_flags.extrf);
}

/* The program gets stuck, on an instruction that jumps to itself behind all others. */
void board_hang(struct board *board)
{
    avr_flashaddr_t stuck = board->avr->flashend - 0xFF;

    memcpy(board->avr->flash + stuck, "\xFF\xCF", 2);
    board->avr->pc = stuck;
}

uint32_t board_memory_end(const struct board *board)
{
    return board->avr->ramend;
}

uint8_t *board_memory(struct board *board)
{
    return board->avr->data;
}
