/* Follows random changes, right and wrong ones: `rows_changes DECLARATION WEIGHTS COUNT`, two files and a number. After each change the value must be
 * that of the active rows alone, and that of the same change as a candidate in sparse matrices. A wrong change must be refused, and change nothing. Prints
 * how many were right and how many were refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nnue.h"

enum { ROWS = 1024, DEPTH = 48, LONGEST = 2 * ROWS + 8 };

enum kind { SMALL, EMPTY, CLEARED, FILLED, SWAPPED, INACTIVE, ACTIVE, TWICE, OUT_OF_RANGE, TOO_MANY, OTHER_LISTS, KINDS };

/* The active rows of a position, and the list that the network reads first. */
typedef struct {
    uint8_t active[2][ROWS];
    uint32_t counts[2];
    uint8_t black;
} position;

typedef struct {
    uint32_t rows[2][LONGEST];
    nnue_lists lists;
} part;

static nnue_rows_sizes sizes;

static uint32_t below(uint32_t limit) {
    static uint64_t state = 34;
    state = state * UINT64_C(0x5851F42D4C957F2D) + UINT64_C(0x14057B7EF767814F);
    return (uint32_t)((state >> 33) % limit);
}

static void fail(const char *message) {
    fprintf(stderr, "error: %s\n", message);
    exit(1);
}

static void check(nnue_status status) {
    if (status != NNUE_STATUS_OK) fail(nnue_error_message());
}

static void clear(part *part) {
    part->lists = (nnue_lists){{part->rows[0], part->rows[1]}, {0, 0}, sizes.lists};
}

static void add(part *part, size_t list, uint32_t row) {
    part->rows[list][part->lists.counts[list]++] = row;
}

/* A random row that is active, or is not; `sizes.rows` if there is none. */
static uint32_t some(const position *at, size_t list, int active) {
    const uint32_t first = below(sizes.rows);
    for (uint32_t i = 0; i < sizes.rows; i++)
        if (at->active[list][(first + i) % sizes.rows] == active) return (first + i) % sizes.rows;
    return sizes.rows;
}

/* Adds or removes rows; the change is right. */
static void apply(position *at, const part *part, int active) {
    for (size_t list = 0; list < sizes.lists; list++)
        for (size_t i = 0; i < part->lists.counts[list]; i++) {
            at->active[list][part->rows[list][i]] = (uint8_t)active;
            at->counts[list] += active ? 1 : -1;
        }
}

/* Chooses up to `most` rows and makes them active, or inactive. */
static void several(position *at, part *part, size_t list, uint32_t most, int active) {
    for (uint32_t i = 0; i < most && (!active || at->counts[list] < sizes.most_active); i++) {
        const uint32_t row = some(at, list, !active);
        if (row == sizes.rows) return;
        add(part, list, row);
        at->active[list][row] = (uint8_t)active;
        at->counts[list] += active ? 1 : -1;
    }
}

static void all_active(const position *at, part *part, size_t list) {
    for (uint32_t row = 0; row < sizes.rows; row++)
        if (at->active[list][row]) add(part, list, row);
}

/* Makes a change of this kind. Returns 1 if it is right, 0 if it is wrong, -1 if the position allows none. */
static int change_of(enum kind kind, const position *at, part *added, part *removed) {
    const size_t list = below((uint32_t)sizes.lists);
    position next = *at;
    clear(added), clear(removed);
    if (kind == EMPTY) return 1;
    if (kind == CLEARED || kind == SWAPPED || kind == FILLED) {
        if (kind != FILLED) all_active(at, removed, list);
        if (kind == SWAPPED) all_active(at, added, list); /* removed first, then added again */
        if (kind == FILLED) several(&next, added, list, sizes.rows, 1);
        return 1;
    }
    for (size_t each = 0; each < sizes.lists; each++) {
        several(&next, removed, each, below(4), 0);
        several(&next, added, each, below(4), 1);
    }
    uint32_t row;
    switch (kind) {
    case INACTIVE:
        if ((row = some(at, list, 0)) == sizes.rows) return -1;
        add(removed, list, row);
        return 0;
    case ACTIVE:
        clear(removed);
        if ((row = some(at, list, 1)) == sizes.rows) return -1;
        add(added, list, row);
        return 0;
    case TWICE:
        if (added->lists.counts[list] == 0) return -1;
        add(added, list, added->rows[list][0]);
        return 0;
    case OUT_OF_RANGE:
        add(below(2) ? added : removed, list, sizes.rows + below(1 << 20));
        return 0;
    case TOO_MANY:
        clear(added), clear(removed);
        next = *at;
        several(&next, added, list, sizes.rows, 1);
        if ((row = some(&next, list, 0)) == sizes.rows) return -1;
        add(added, list, row);
        return 0;
    case OTHER_LISTS:
        added->lists.lists = removed->lists.lists = 3 - sizes.lists;
        return 0;
    default:
        return 1;
    }
}

static void same(const nnue_rows_evaluation *a, const nnue_rows_evaluation *b, const char *message) {
    if (memcmp(a, b, sizeof *a) != 0) fail(message);
}

static void compare(const nnue_rows *network, nnue_rows_stack *stack, const position *at) {
    static part rows;
    nnue_rows_evaluation alone, followed;
    clear(&rows);
    for (size_t list = 0; list < sizes.lists; list++) all_active(at, &rows, list);
    check(nnue_rows_evaluate(network, &rows.lists, at->black, &alone));
    check(nnue_rows_stack_evaluate(stack, &followed));
    same(&alone, &followed, "the value along the changes is not that of the rows alone");
}

/* Evaluates two candidates in sparse matrices: one that changes nothing, and this change. */
static nnue_status as_candidate(nnue_rows_stack *stack, const part *added, const part *removed, nnue_rows_evaluation said[2]) {
    uint64_t indptr[2][2][3];
    nnue_rows_changes changes[2];
    for (size_t list = 0; list < 2; list++) {
        const part *parts[2] = {added, removed};
        nnue_rows_matrix *matrices[2] = {&changes[list].added, &changes[list].removed};
        for (size_t i = 0; i < 2; i++) {
            const size_t count = parts[i]->lists.counts[list];
            memcpy(indptr[list][i], (uint64_t[3]){0, 0, count}, sizeof indptr[list][i]);
            *matrices[i] = (nnue_rows_matrix){count ? indptr[list][i] : NULL, parts[i]->rows[list], count};
        }
    }
    return nnue_rows_stack_candidate_batch(stack, 2, &changes[0], added->lists.lists == 2 ? &changes[1] : NULL, said);
}

static void follow(const nnue_rows *network, nnue_rows_stack *stack, unsigned long count) {
    static position line[DEPTH + 1];
    static part added, removed;
    static unsigned long seen[KINDS];
    unsigned long right = 0, refused = 0;
    size_t depth = 0;
    while (right + refused < count) {
        const enum kind kind = (enum kind)below(KINDS);
        const int is_right = change_of(kind, &line[depth], &added, &removed);
        if (is_right < 0) continue;
        seen[kind]++;
        nnue_rows_evaluation before, after, candidates[2];
        memset(candidates, 0, sizeof candidates);
        const nnue_rows_evaluation nothing = candidates[1];
        check(nnue_rows_stack_evaluate(stack, &before));
        if (as_candidate(stack, &added, &removed, candidates) != (is_right ? NNUE_STATUS_OK : NNUE_STATUS_BAD_ROWS))
            fail("the change as a candidate has another status");
        if (!is_right) {
            const char *named = kind == OTHER_LISTS ? "candidate 0: " : "candidate 1: ";
            if (strncmp(nnue_error_message(), named, strlen(named)) != 0) fail("the message does not begin with the number of the candidate");
            same(&candidates[1], &nothing, "a wrong candidate has written an evaluation");
        }
        const nnue_status status = nnue_rows_stack_push(stack, &added.lists, &removed.lists);
        if (is_right) {
            check(status);
            right++;
            check(nnue_rows_stack_evaluate(stack, &after));
            same(&candidates[0], &before, "the candidate that changes nothing has another value");
            same(&candidates[1], &after, "the candidate has another value than the change");
            line[depth + 1] = line[depth];
            apply(&line[++depth], &removed, 0);
            apply(&line[depth], &added, 1);
            line[depth].black = sizes.lists == 2 ? (uint8_t)below(2) : 0;
            check(nnue_rows_stack_side(stack, line[depth].black));
        } else {
            refused++;
            if (status != NNUE_STATUS_BAD_ROWS) fail("a wrong change has another status than NNUE_STATUS_BAD_ROWS");
        }
        while (depth == DEPTH || (depth > 0 && below(3) == 0)) {
            check(nnue_rows_stack_pop(stack));
            depth--;
        }
        if (nnue_rows_stack_depth(stack) != depth) fail("the stack has another depth");
        compare(network, stack, &line[depth]);
    }
    check(nnue_rows_stack_verify(stack));
    for (size_t kind = 0; kind < KINDS; kind++)
        if (seen[kind] * 4 * KINDS < count) fail("few changes of one of the kinds");
    printf("%lu\t%lu\n", right, refused);
}

int main(int count, char **args) {
    static char declaration[10000];
    FILE *file = count == 4 ? fopen(args[1], "rb") : NULL;
    if (!file) return fprintf(stderr, "usage: rows_changes DECLARATION WEIGHTS COUNT\n"), 2;
    declaration[fread(declaration, 1, sizeof declaration - 1, file)] = '\0';
    fclose(file);

    nnue_rows *network;
    nnue_rows_stack *stack;
    check(nnue_rows_open(declaration, NULL, args[2], NULL, &network));
    check(nnue_rows_shape(network, &sizes));
    if (sizes.rows > ROWS) fail("too many rows for this program");
    check(nnue_rows_stack_new(network, &stack));
    follow(network, stack, strtoul(args[3], NULL, 10));
    nnue_rows_stack_free(stack);
    nnue_rows_free(network);
    return 0;
}
