/* Ataxx with a network over lists of rows: the rules are here, the network knows only which rows are active.
 *
 *   ataxx play DECLARATION WEIGHTS   plays a game against itself and prints it
 *   ataxx records GAMES              prints records for `nnue train`
 *
 * A row is a square with a stone of one's own (0 to 48) or of the opponent (49 to 97), for each side a list. A move changes the few rows of the stones that
 * it moves and turns, and the network follows. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nnue.h"

enum { SIZE = 7, SQUARES = SIZE * SIZE, MOVES = 1024, DEPTH = 2, LONGEST = 300 };

static const int32_t INFINITE = INT32_MAX / 2;

/* 0: empty, 1: White's, who begins, 2: Black's. */
typedef struct {
    uint8_t stones[SQUARES];
    uint8_t black_to_move;
} board;

/* `from` is `to` if the stone is a new one beside another. */
typedef struct {
    uint8_t from, to;
} move;

/* Rows by side. */
typedef struct {
    uint32_t rows[2][SQUARES];
    size_t counts[2];
} part;

static uint32_t below(uint32_t limit) {
    static uint64_t state = 7;
    state = state * UINT64_C(0x5851F42D4C957F2D) + UINT64_C(0x14057B7EF767814F);
    return (uint32_t)((state >> 33) % limit);
}

static void check(nnue_status status) {
    if (status == NNUE_STATUS_OK) return;
    fprintf(stderr, "error: %s\n", nnue_error_message());
    exit(1);
}

static board start(void) {
    board board = {{0}, 0};
    board.stones[0] = board.stones[SQUARES - 1] = 1;
    board.stones[SIZE - 1] = board.stones[SQUARES - SIZE] = 2;
    return board;
}

static int distance(int a, int b) {
    const int rows = abs(a / SIZE - b / SIZE), columns = abs(a % SIZE - b % SIZE);
    return rows > columns ? rows : columns;
}

static int own(const board *at) {
    return 1 + at->black_to_move;
}

/* All moves: to a square at distance 1 a new stone, of which one origin is enough; at distance 2 a jump. */
static size_t moves_of(const board *at, move *moves) {
    size_t count = 0;
    for (int to = 0; to < SQUARES; to++) {
        if (at->stones[to]) continue;
        int is_beside = 0;
        for (int from = 0; from < SQUARES; from++) {
            if (at->stones[from] != own(at)) continue;
            const int far = distance(from, to);
            if (far == 1) is_beside = 1;
            if (far == 2) moves[count++] = (move){(uint8_t)from, (uint8_t)to};
        }
        if (is_beside) moves[count++] = (move){(uint8_t)to, (uint8_t)to};
    }
    return count;
}

/* The row of a stone in each list. */
static void add(part *part, int stone, int square) {
    for (int side = 0; side < 2; side++)
        part->rows[side][part->counts[side]++] = (uint32_t)(square + (stone == side + 1 ? 0 : SQUARES));
}

static nnue_lists lists_of(const part *part) {
    return (nnue_lists){{part->rows[0], part->rows[1]}, {part->counts[0], part->counts[1]}, 2};
}

/* The board after a move, and the rows that it adds and removes. */
static board after(const board *at, move move, part *added, part *removed) {
    board next = *at;
    const int us = own(at), them = 3 - us;
    added->counts[0] = added->counts[1] = removed->counts[0] = removed->counts[1] = 0;
    if (move.from != move.to) {
        next.stones[move.from] = 0;
        add(removed, us, move.from);
    }
    next.stones[move.to] = (uint8_t)us;
    add(added, us, move.to);
    for (int square = 0; square < SQUARES; square++)
        if (at->stones[square] == them && distance(square, move.to) == 1) {
            next.stones[square] = (uint8_t)us;
            add(removed, them, square);
            add(added, us, square);
        }
    next.black_to_move = !at->black_to_move;
    return next;
}

static part rows_of(const board *at) {
    part all = {{{0}}, {0, 0}};
    for (int square = 0; square < SQUARES; square++)
        if (at->stones[square]) add(&all, at->stones[square], square);
    return all;
}

/* How many more stones White has. */
static int lead(const board *at) {
    int lead = 0;
    for (int square = 0; square < SQUARES; square++) lead += at->stones[square] == 1 ? 1 : at->stones[square] == 2 ? -1 : 0;
    return lead;
}

static unsigned long positions;

static int32_t evaluate(nnue_rows_stack *stack) {
    nnue_rows_evaluation said;
    check(nnue_rows_stack_evaluate(stack, &said));
    positions++;
    return said.value;
}

/* Follows a move on the stack. */
static board follow(nnue_rows_stack *stack, const board *at, move move) {
    part added, removed;
    const board next = after(at, move, &added, &removed);
    const nnue_lists add = lists_of(&added), remove = lists_of(&removed);
    check(nnue_rows_stack_push(stack, &add, &remove));
    check(nnue_rows_stack_side(stack, next.black_to_move));
    return next;
}

/* The value for the side to move. A side without moves loses or wins by its stones here: it would pass. */
static int32_t search(nnue_rows_stack *stack, const board *at, int depth, int32_t alpha, int32_t beta) {
    move moves[MOVES];
    const size_t count = moves_of(at, moves);
    if (count == 0) return 100000 * (at->black_to_move ? -lead(at) : lead(at));
    if (depth == 0) return evaluate(stack);
    for (size_t i = 0; i < count && alpha < beta; i++) {
        const board next = follow(stack, at, moves[i]);
        const int32_t value = -search(stack, &next, depth - 1, -beta, -alpha);
        check(nnue_rows_stack_pop(stack));
        if (value > alpha) alpha = value;
    }
    return alpha;
}

static int32_t choose(nnue_rows_stack *stack, const board *at, move *best) {
    move moves[MOVES];
    const size_t count = moves_of(at, moves);
    int32_t value = -INFINITE;
    *best = moves[0];
    for (size_t i = 0; i < count; i++) {
        const board next = follow(stack, at, moves[i]);
        const int32_t found = -search(stack, &next, DEPTH - 1, -INFINITE, -value);
        check(nnue_rows_stack_pop(stack));
        if (found > value) {
            value = found;
            *best = moves[i];
        }
    }
    return value;
}

static void print_square(int square) {
    printf("%c%d", 'a' + square % SIZE, 1 + square / SIZE);
}

static void print_board(const board *at) {
    for (int row = SIZE - 1; row >= 0; row--)
        for (int column = 0; column < SIZE; column++)
            printf("%c%c", ".XO"[at->stones[row * SIZE + column]], column == SIZE - 1 ? '\n' : ' ');
}

static void play(const nnue_rows *network) {
    nnue_rows_stack *stack;
    check(nnue_rows_stack_new(network, &stack));
    board at = start();
    const part all = rows_of(&at);
    const nnue_lists rows = lists_of(&all);
    check(nnue_rows_stack_set(stack, &rows, at.black_to_move));
    int plies = 0;
    for (move moves[MOVES]; plies < LONGEST && moves_of(&at, moves) > 0; plies++) {
        move best;
        const int32_t value = choose(stack, &at, &best);
        if (best.from != best.to) print_square(best.from);
        print_square(best.to);
        printf("%+d%c", value, plies % 10 == 9 ? '\n' : ' ');
        at = follow(stack, &at, best);
        /* What the stack followed is what the rows of the board say. */
        const part now = rows_of(&at);
        const nnue_lists lists = lists_of(&now);
        nnue_rows_evaluation fresh, followed;
        check(nnue_rows_evaluate(network, &lists, at.black_to_move, &fresh));
        check(nnue_rows_stack_evaluate(stack, &followed));
        if (memcmp(&fresh, &followed, sizeof fresh) != 0) {
            fprintf(stderr, "error: the stack says %d, the rows %d\n", followed.value, fresh.value);
            exit(1);
        }
    }
    printf("\n");
    print_board(&at);
    printf("X leads by %+d after %d moves; %lu positions evaluated\n", lead(&at), plies, positions);
    nnue_rows_stack_free(stack);
}

static void print_rows(const part *rows, size_t side) {
    for (size_t i = 0; i < rows->counts[side]; i++) printf("%u ", rows->rows[side][i]);
}

/* Games of random moves; the target is the result for the side to move. */
static void records(unsigned long games) {
    for (unsigned long game = 0; game < games; game++) {
        static board line[LONGEST];
        move moves[MOVES];
        size_t plies = 0, count;
        board at = start();
        while (plies < LONGEST && (count = moves_of(&at, moves)) > 0) {
            part added, removed;
            at = after(&at, moves[below((uint32_t)count)], &added, &removed);
            line[plies++] = at;
        }
        const double result = lead(&at) > 0 ? 1 : lead(&at) < 0 ? 0 : 0.5;
        for (size_t ply = below(5); ply < plies; ply += 5) {
            const part rows = rows_of(&line[ply]);
            print_rows(&rows, 0);
            printf("| ");
            print_rows(&rows, 1);
            printf("%c | %g\n", line[ply].black_to_move ? 'b' : 'w', line[ply].black_to_move ? 1 - result : result);
        }
    }
}

int main(int count, char **args) {
    if (count == 3 && strcmp(args[1], "records") == 0) return records(strtoul(args[2], NULL, 10)), 0;
    static char declaration[10000];
    FILE *file = count == 4 && strcmp(args[1], "play") == 0 ? fopen(args[2], "rb") : NULL;
    if (!file) return fprintf(stderr, "usage: ataxx play DECLARATION WEIGHTS, or ataxx records GAMES\n"), 2;
    declaration[fread(declaration, 1, sizeof declaration - 1, file)] = '\0';
    fclose(file);
    nnue_rows *network;
    check(nnue_rows_open(declaration, NULL, args[3], NULL, &network));
    play(network);
    nnue_rows_free(network);
    return 0;
}
