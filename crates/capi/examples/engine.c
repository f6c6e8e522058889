/* The skeleton of an engine: a board, moves in the notation of UCI, and a network that follows them.
 *
 *   engine declared                      the networks of the library
 *   engine eval NETWORK FILE FEN         what a network says about a position; "-" is the file of one in the library
 *   engine games NETWORK FILE GAMES      a line for each position of games: game, ply, stack, PSQT part, part of the layers
 *   engine speed NETWORK FILE GAMES      nanoseconds of a move that is made, evaluated and taken back
 *
 * Each line of GAMES has a number, a FEN and moves, with tabs between them. A real engine has a move generator and a search; what it does with
 * the network is here. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nnue.h"

enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NO_KIND };

static const char KINDS[] = "pnbrqk";

static uint64_t bit(int square) { return (uint64_t)1 << square; }

static nnue_placed placed(int color, int kind, int square) {
    nnue_placed one = {(uint8_t)(2 * kind + color), (uint8_t)square};
    return one;
}

/* ---- the board: the position is what the network reads, and all that this skeleton needs ---- */

static int kind_on(const nnue_position *board, int square) {
    for (int kind = PAWN; kind <= KING; kind++)
        if (board->by_kind[kind] & bit(square)) return kind;
    return NO_KIND;
}

static void put(nnue_position *board, nnue_placed one) {
    board->by_kind[one.piece / 2] |= bit(one.square);
    board->by_color[one.piece % 2] |= bit(one.square);
}

static void take(nnue_position *board, nnue_placed one) {
    board->by_kind[one.piece / 2] &= ~bit(one.square);
    board->by_color[one.piece % 2] &= ~bit(one.square);
}

/* ---- moves: what they remove from the board and add to it ---- */

static void removes(nnue_change *change, nnue_placed one) { change->removed[change->removed_count++] = one; }
static void adds(nnue_change *change, nnue_placed one) { change->added[change->added_count++] = one; }

/* The king goes to file g or c, and the rook from `rook` to the file beside it. */
static nnue_change castling(int color, int king, int rook) {
    nnue_change change = {0};
    int rank = king & ~7, side = rook > king;
    removes(&change, placed(color, KING, king));
    removes(&change, placed(color, ROOK, rook));
    adds(&change, placed(color, KING, rank + (side ? 6 : 2)));
    adds(&change, placed(color, ROOK, rank + (side ? 5 : 3)));
    return change;
}

/* What `move`, which is legal, changes on `board`. */
static nnue_change change_of(const nnue_position *board, const char *move) {
    int color = board->side_to_move;
    int from = move[0] - 'a' + 8 * (move[1] - '1'), to = move[2] - 'a' + 8 * (move[3] - '1');
    int kind = kind_on(board, from), target = kind_on(board, to);
    uint64_t own_rooks = board->by_kind[ROOK] & board->by_color[color];

    if (kind == KING && own_rooks & bit(to)) return castling(color, from, to); /* as in Chess960: king takes rook */
    if (kind == KING && abs(to - from) == 2) return castling(color, from, to > from ? from | 7 : from & ~7);

    nnue_change change = {0};
    const char *promoted = move[4] > ' ' ? strchr(KINDS, move[4]) : NULL;
    removes(&change, placed(color, kind, from));
    adds(&change, placed(color, promoted ? (int)(promoted - KINDS) : kind, to));
    if (target != NO_KIND)
        removes(&change, placed(!color, target, to));
    else if (kind == PAWN && (to - from) % 8 != 0) /* en passant: the pawn stands beside the one that moves */
        removes(&change, placed(!color, PAWN, (from & ~7) | (to & 7)));
    return change;
}

static void play(nnue_position *board, const nnue_change *change) {
    for (int i = 0; i < change->removed_count; i++) take(board, change->removed[i]);
    for (int i = 0; i < change->added_count; i++) put(board, change->added[i]);
    board->side_to_move ^= 1;
}

/* ---- the network ---- */

/* Ends the program with the library's message if a call failed. */
static void must(nnue_status status) {
    if (status == NNUE_STATUS_OK) return;
    fprintf(stderr, "error: %s\n", nnue_error_message());
    exit(1);
}

static nnue_network *opened(const char *name, const char *file) {
    nnue_network *network;
    if (strcmp(file, "-") == 0)
        must(nnue_network_open_embedded(name, NULL, &network));
    else
        must(nnue_network_open(name, file, NULL, &network));
    return network;
}

/* ---- the commands ---- */

enum { LONGEST_LINE = 1 << 16 };

/* Calls `position` for each position of each game, with the change that leads to it, or null at the first. */
static void replay(const char *games, void (*visit)(void *, const char *, int, const nnue_position *, const nnue_change *), void *state) {
    static char line[LONGEST_LINE];
    FILE *file = fopen(games, "r");
    if (!file) {
        perror(games);
        exit(1);
    }
    while (fgets(line, sizeof line, file)) {
        nnue_position board;
        char *game = strtok(line, "\t"), *fen = strtok(NULL, "\t");
        if (!fen) {
            fprintf(stderr, "error: %s: a line has no FEN\n", games);
            exit(1);
        }
        must(nnue_position_from_fen(fen, &board));
        int ply = 0;
        visit(state, game, ply++, &board, NULL);
        for (char *move = strtok(NULL, " \t\n"); move; move = strtok(NULL, " \n")) {
            nnue_change change = change_of(&board, move);
            play(&board, &change);
            visit(state, game, ply++, &board, &change);
        }
    }
    fclose(file);
}

typedef struct {
    nnue_stack *stack; /* follows the moves */
    nnue_table *table; /* knows positions only */
} evaluators;

/* Both say the same. */
static void print_position(void *state, const char *game, int ply, const nnue_position *board, const nnue_change *change) {
    evaluators *both = state;
    nnue_evaluation said, at;
    must(change ? nnue_stack_push(both->stack, change) : nnue_stack_reset(both->stack));
    must(nnue_stack_evaluate(both->stack, board, &said));
    must(nnue_table_evaluate(both->table, board, &at));
    if (memcmp(&said, &at, sizeof said) != 0) {
        fprintf(stderr, "error: game %s, ply %d: the stack says %d, the table %d\n", game, ply, said.value, at.value);
        exit(1);
    }
    printf("%s\t%d\t%u\t%d\t%d\n", game, ply, said.bucket, said.psqt, said.positional);
}

typedef struct {
    nnue_stack *stack;
    nnue_position before;
    double seconds;
    long calls, sum;
} timing;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* From the position before each move: push, evaluate, pop, as a search does at its leaves. */
static void time_position(void *state, const char *game, int ply, const nnue_position *board, const nnue_change *change) {
    timing *times = state;
    nnue_evaluation said;
    (void)game, (void)ply;
    if (change) {
        must(nnue_stack_reset(times->stack));
        must(nnue_stack_evaluate(times->stack, &times->before, &said));
        double begin = now();
        for (int i = 0; i < 200; i++) {
            must(nnue_stack_push(times->stack, change));
            must(nnue_stack_evaluate(times->stack, board, &said));
            must(nnue_stack_pop(times->stack));
            times->sum += said.value;
        }
        times->seconds += now() - begin;
        times->calls += 200;
    }
    times->before = *board;
}

static int usage(void) {
    fprintf(stderr, "usage: engine declared | eval NETWORK FILE FEN | games NETWORK FILE GAMES | speed NETWORK FILE GAMES\n");
    return 2;
}

int main(int count, char **args) {
    if (count == 2 && strcmp(args[1], "declared") == 0) {
        for (size_t i = 0; nnue_declared(i); i++) puts(nnue_declared(i));
        return 0;
    }
    if (count != 5) return usage();

    nnue_network *network = opened(args[2], args[3]);
    nnue_stack *stack;
    must(nnue_stack_new(network, &stack));
    int result = 0;
    if (strcmp(args[1], "eval") == 0) {
        nnue_position board;
        nnue_evaluation said;
        must(nnue_position_from_fen(args[4], &board));
        must(nnue_stack_evaluate(stack, &board, &said));
        printf("value %+d, level %s\n", said.value, nnue_network_level(network));
    } else if (strcmp(args[1], "games") == 0) {
        evaluators both = {.stack = stack};
        must(nnue_table_new(network, &both.table));
        replay(args[4], print_position, &both);
        nnue_table_free(both.table);
    } else if (strcmp(args[1], "speed") == 0) {
        timing times = {.stack = stack};
        replay(args[4], time_position, &times);
        printf("%.1f ns a move, %ld moves, sum %ld\n", 1e9 * times.seconds / (double)times.calls, times.calls, times.sum);
    } else {
        result = usage();
    }
    nnue_stack_free(stack);
    nnue_network_free(network);
    return result;
}
