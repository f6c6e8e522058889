/* Evaluates lists of rows: `rows DECLARATION WEIGHTS`, two files, reads lines such as `3 17 40` or `3 17 | 8 9 b` and prints `psqt positional value real`
 * of each. Every value is computed four times, and must be the same: alone, as the root of a stack, as a change of the list before, and in a batch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nnue.h"

enum { MOST = 64, LINES = 1000 };

typedef struct {
    uint32_t rows[2][MOST];
    size_t counts[2], lists;
    uint8_t black;
} position;

static void check(nnue_status status) {
    if (status == NNUE_STATUS_OK) return;
    fprintf(stderr, "error: %s\n", nnue_error_message());
    exit(1);
}

static nnue_lists lists_of(const position *at) {
    nnue_lists lists = {{at->rows[0], at->rows[1]}, {at->counts[0], at->counts[1]}, at->lists};
    return lists;
}

static position read_position(char *line, size_t lists) {
    position at = {.lists = lists};
    size_t list = 0;
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        if (*word == '|') list = 1;
        else if (*word == 'b') at.black = 1;
        else if (at.counts[list] < MOST) at.rows[list][at.counts[list]++] = (uint32_t)strtoul(word, NULL, 10);
    }
    return at;
}

/* The rows of `a` that are not in `b`. */
static position without(const position *a, const position *b) {
    position rest = {.lists = a->lists};
    for (size_t list = 0; list < a->lists; list++)
        for (size_t i = 0; i < a->counts[list]; i++) {
            size_t j = 0;
            while (j < b->counts[list] && b->rows[list][j] != a->rows[list][i]) j++;
            if (j == b->counts[list]) rest.rows[list][rest.counts[list]++] = a->rows[list][i];
        }
    return rest;
}

static void same(const nnue_rows_evaluation *a, const nnue_rows_evaluation *b, const char *what) {
    if (memcmp(a, b, sizeof *a) == 0) return;
    fprintf(stderr, "error: %s has the value %d, alone it is %d\n", what, b->value, a->value);
    exit(1);
}

static void all_at_once(const nnue_rows *network, const position *positions, size_t count, nnue_rows_evaluation *said) {
    static uint64_t indptr[2][LINES + 1];
    static uint32_t indices[2][LINES * MOST];
    static uint8_t black[LINES];
    for (size_t i = 0; i < count; i++) {
        black[i] = positions[i].black;
        for (size_t list = 0; list < 2; list++) {
            memcpy(&indices[list][indptr[list][i]], positions[i].rows[list], positions[i].counts[list] * sizeof(uint32_t));
            indptr[list][i + 1] = indptr[list][i] + positions[i].counts[list];
        }
    }
    nnue_rows_matrix matrices[2];
    for (size_t list = 0; list < 2; list++)
        matrices[list] = (nnue_rows_matrix){indptr[list], indices[list], (size_t)indptr[list][count]};
    const nnue_rows_matrix *second = count && positions[0].lists == 2 ? &matrices[1] : NULL;
    nnue_rows_batch *batch;
    check(nnue_rows_batch_new(network, 2, &batch));
    check(nnue_rows_batch_evaluate(batch, count, &matrices[0], second, black, said));
    nnue_rows_batch_free(batch);
}

int main(int count, char **args) {
    static char declaration[10000], line[10000];
    static position positions[LINES];
    static nnue_rows_evaluation alone[LINES], again[LINES];
    FILE *file = count == 3 ? fopen(args[1], "rb") : NULL;
    if (!file) return fprintf(stderr, "usage: rows DECLARATION WEIGHTS < LISTS\n"), 2;
    declaration[fread(declaration, 1, sizeof declaration - 1, file)] = '\0';
    fclose(file);

    nnue_rows *network;
    nnue_rows_stack *root, *line_of_changes;
    nnue_rows_sizes sizes;
    check(nnue_rows_open(declaration, NULL, args[2], NULL, &network));
    check(nnue_rows_shape(network, &sizes));
    check(nnue_rows_stack_new(network, &root));
    check(nnue_rows_stack_new(network, &line_of_changes));
    position before = {.lists = sizes.lists};
    size_t read = 0;
    while (read < LINES && fgets(line, sizeof line, stdin)) {
        const position at = read_position(line, sizes.lists);
        const position added = without(&at, &before), removed = without(&before, &at);
        const nnue_lists rows = lists_of(&at), add = lists_of(&added), remove = lists_of(&removed);
        check(nnue_rows_evaluate(network, &rows, at.black, &alone[read]));

        check(nnue_rows_stack_set(root, &rows, at.black));
        check(nnue_rows_stack_evaluate(root, &again[read]));
        same(&alone[read], &again[read], "a root");

        check(nnue_rows_stack_side(line_of_changes, at.black));
        const nnue_rows_change change = {add, remove};
        check(nnue_rows_stack_candidates(line_of_changes, &change, 1, &again[read]));
        same(&alone[read], &again[read], "a candidate");
        check(nnue_rows_stack_push(line_of_changes, &add, &remove));
        check(nnue_rows_stack_evaluate(line_of_changes, &again[read]));
        same(&alone[read], &again[read], "a change");
        check(nnue_rows_stack_verify(line_of_changes));
        before = positions[read++] = at;
    }
    all_at_once(network, positions, read, again);
    for (size_t i = 0; i < read; i++) {
        same(&alone[i], &again[i], "a position of a batch");
        printf("%d\t%d\t%d\t%.17g\n", alone[i].psqt, alone[i].positional, alone[i].value, alone[i].real);
    }
    nnue_rows_stack_free(root);
    nnue_rows_stack_free(line_of_changes);
    nnue_rows_free(network);
    return 0;
}
