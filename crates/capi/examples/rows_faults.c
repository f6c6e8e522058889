/* Calls of the functions of rows with wrong arguments: each gives the status that the header promises, and changes nothing. */
#include "expect.h"

#define SINGLE "pub struct Single = rows[users: 60, items: 40, active 12] -> 32 -> 8 -> 1;"
#define DOUBLE "pub struct Double = rows[80, active 20] -> 32x2 pairwise, psqt 1 -> 8 -> 1;"

static const uint32_t ROWS[] = {3, 17, 63, 99, 100, 3};

static nnue_lists one(size_t first, size_t count) {
    nnue_lists lists = {{ROWS + first, NULL}, {count, 0}, 1};
    return lists;
}

static void declarations(const char *file) {
    nnue_rows *network = NULL;
    REFUSED(nnue_rows_open("pub struct Wrong = rows[0] -> 32 -> 1;", NULL, file, NULL, &network), NNUE_STATUS_BAD_DECLARATION, "^");
    REFUSED(nnue_rows_open(SINGLE, "Other", file, NULL, &network), NNUE_STATUS_BAD_DECLARATION, "declares `Single`");
    REFUSED(nnue_rows_open(SINGLE DOUBLE, NULL, file, NULL, &network), NNUE_STATUS_BAD_DECLARATION, "`Single`, `Double`");
    REFUSED(nnue_rows_open("", NULL, file, NULL, &network), NNUE_STATUS_BAD_DECLARATION, "");
    REFUSED(nnue_rows_open("pub struct Chess = 768 -> 32 -> 1;", NULL, file, NULL, &network), NNUE_STATUS_BAD_DECLARATION, "nnue_network_open");
    REFUSED(nnue_rows_open("pub struct Own = rows[8] -> 32 -> (8 -> 1)x4 by self::rule;", NULL, file, NULL, &network), NNUE_STATUS_BAD_DECLARATION,
            "code of a program");
    REFUSED(nnue_rows_open(DOUBLE, NULL, file, NULL, &network), NNUE_STATUS_BAD_FILE, "");
    REFUSED(nnue_rows_open(SINGLE, NULL, "/no/such/file", NULL, &network), NNUE_STATUS_BAD_FILE, "/no/such/file");
    REFUSED(nnue_rows_open(SINGLE, NULL, file, "fast", &network), NNUE_STATUS_BAD_LEVEL, "fast");
    REFUSED(nnue_rows_open(NULL, NULL, file, NULL, &network), NNUE_STATUS_NULL_POINTER, "declaration");
    REFUSED(nnue_rows_open(SINGLE, NULL, NULL, NULL, &network), NNUE_STATUS_NULL_POINTER, "path");
    REFUSED(nnue_rows_open(SINGLE, NULL, file, NULL, NULL), NNUE_STATUS_NULL_POINTER, "network");
    REFUSED(nnue_rows_open("\xff", NULL, file, NULL, &network), NNUE_STATUS_BAD_ARGUMENT, "UTF-8");
    REFUSED(nnue_rows_open_bytes(SINGLE, NULL, (const uint8_t *)"abcd", 4, NULL, &network), NNUE_STATUS_BAD_FILE, "");
    REFUSED(nnue_rows_open_bytes(SINGLE, NULL, NULL, 4, NULL, &network), NNUE_STATUS_NULL_POINTER, "bytes");
    EXPECT(network == NULL);
}

static void lists(const nnue_rows *network) {
    nnue_rows_evaluation said;
    nnue_lists rows = one(0, 3);
    EXPECT(nnue_rows_evaluate(network, &rows, 0, &said) == NNUE_STATUS_OK);
    REFUSED(nnue_rows_evaluate(network, &rows, 2, &said), NNUE_STATUS_BAD_ARGUMENT, "`black_to_move` is 2");
    REFUSED(nnue_rows_evaluate(NULL, &rows, 0, &said), NNUE_STATUS_NULL_POINTER, "network");
    REFUSED(nnue_rows_evaluate(network, NULL, 0, &said), NNUE_STATUS_NULL_POINTER, "rows");
    REFUSED(nnue_rows_evaluate(network, &rows, 0, NULL), NNUE_STATUS_NULL_POINTER, "evaluation");
    REFUSED(nnue_rows_shape(network, NULL), NNUE_STATUS_NULL_POINTER, "shape");
    rows = one(0, 5);
    REFUSED(nnue_rows_evaluate(network, &rows, 0, &said), NNUE_STATUS_BAD_ROWS, "row 100: there are only 100 rows");
    const uint32_t twice[] = {63, 63};
    rows.rows[0] = twice, rows.counts[0] = 2;
    REFUSED(nnue_rows_evaluate(network, &rows, 0, &said), NNUE_STATUS_BAD_ROWS, "row 63 (row 3 of `items`) is listed twice");
    uint32_t many[13];
    for (uint32_t i = 0; i < 13; i++) many[i] = i;
    rows.rows[0] = many, rows.counts[0] = 13;
    REFUSED(nnue_rows_evaluate(network, &rows, 0, &said), NNUE_STATUS_BAD_ROWS, "13 rows are active, the declaration allows 12");
    nnue_rows_evaluation unsorted;
    const uint32_t down[] = {97, 63, 3}, up[] = {3, 63, 97};
    rows.rows[0] = down, rows.counts[0] = 3;
    EXPECT(nnue_rows_evaluate(network, &rows, 0, &unsorted) == NNUE_STATUS_OK);
    rows.rows[0] = up;
    EXPECT(nnue_rows_evaluate(network, &rows, 0, &said) == NNUE_STATUS_OK && memcmp(&said, &unsorted, sizeof said) == 0);
    rows.rows[0] = NULL;
    REFUSED(nnue_rows_evaluate(network, &rows, 0, &said), NNUE_STATUS_NULL_POINTER, "`rows.rows[0]`");
    rows.counts[0] = 0;
    EXPECT(nnue_rows_evaluate(network, &rows, 0, &said) == NNUE_STATUS_OK);
    rows.rows[0] = ROWS, rows.counts[0] = (size_t)-1;
    REFUSED(nnue_rows_evaluate(network, &rows, 0, &said), NNUE_STATUS_BAD_ARGUMENT, "`rows.rows[0]` cannot have");
    rows = one(0, 3), rows.lists = 2;
    REFUSED(nnue_rows_evaluate(network, &rows, 0, &said), NNUE_STATUS_BAD_ROWS, "1 list of rows, found 2");
    rows.lists = 3;
    REFUSED(nnue_rows_evaluate(network, &rows, 0, &said), NNUE_STATUS_BAD_ARGUMENT, "`rows.lists` is 3");
    rows.lists = 0;
    REFUSED(nnue_rows_evaluate(network, &rows, 0, &said), NNUE_STATUS_BAD_ARGUMENT, "`rows.lists` is 0");
}

static void stacks(const nnue_rows *network) {
    nnue_rows_stack *stack, *copy;
    nnue_rows_evaluation before, said, candidates[2];
    nnue_lists rows = one(0, 2), two = one(2, 2), active = one(1, 1), beyond = one(4, 1), none = one(0, 0);
    EXPECT(nnue_rows_stack_new(network, &stack) == NNUE_STATUS_OK);
    REFUSED(nnue_rows_stack_new(NULL, &stack), NNUE_STATUS_NULL_POINTER, "network");
    REFUSED(nnue_rows_stack_new(network, NULL), NNUE_STATUS_NULL_POINTER, "stack");
    REFUSED(nnue_rows_stack_pop(stack), NNUE_STATUS_NOTHING_TO_POP, "taken back");
    EXPECT(nnue_rows_stack_set(stack, &rows, 0) == NNUE_STATUS_OK);
    EXPECT(nnue_rows_stack_push(stack, &two, NULL) == NNUE_STATUS_OK && nnue_rows_stack_depth(stack) == 1);
    EXPECT(nnue_rows_stack_evaluate(stack, &before) == NNUE_STATUS_OK);

    REFUSED(nnue_rows_stack_set(stack, &beyond, 0), NNUE_STATUS_BAD_ROWS, "row 100");
    REFUSED(nnue_rows_stack_set(stack, &rows, 9), NNUE_STATUS_BAD_ARGUMENT, "is 9");
    REFUSED(nnue_rows_stack_set(stack, NULL, 0), NNUE_STATUS_NULL_POINTER, "rows");
    REFUSED(nnue_rows_stack_push(stack, &active, NULL), NNUE_STATUS_BAD_ROWS, "row 17 (row 17 of `users`) is active already, it cannot be added");
    REFUSED(nnue_rows_stack_push(stack, NULL, &beyond), NNUE_STATUS_BAD_ROWS, "row 100");
    REFUSED(nnue_rows_stack_push(NULL, &active, NULL), NNUE_STATUS_NULL_POINTER, "stack");
    REFUSED(nnue_rows_stack_side(stack, 2), NNUE_STATUS_BAD_ARGUMENT, "is 2");
    const nnue_rows_change wrong[2] = {{none, active}, {active, none}}, right[2] = {{none, active}, {none, none}};
    REFUSED(nnue_rows_stack_candidates(stack, wrong, 2, candidates), NNUE_STATUS_BAD_ROWS, "candidate 1: row 17");
    REFUSED(nnue_rows_stack_candidates(stack, NULL, 2, candidates), NNUE_STATUS_NULL_POINTER, "changes");
    REFUSED(nnue_rows_stack_candidates(stack, right, 2, NULL), NNUE_STATUS_NULL_POINTER, "evaluations");
    nnue_rows_change null = right[0];
    null.removed.rows[0] = NULL;
    REFUSED(nnue_rows_stack_candidates(stack, &null, 1, candidates), NNUE_STATUS_NULL_POINTER, "`changes[0].removed.rows[0]`");
    EXPECT(nnue_rows_stack_evaluate(stack, &said) == NNUE_STATUS_OK && memcmp(&said, &before, sizeof said) == 0);
    EXPECT(nnue_rows_stack_verify(stack) == NNUE_STATUS_OK && nnue_rows_stack_depth(stack) == 1);

    EXPECT(nnue_rows_stack_candidates(stack, right, 2, candidates) == NNUE_STATUS_OK);
    EXPECT(memcmp(&candidates[1], &before, sizeof before) == 0);
    EXPECT(nnue_rows_stack_copy(stack, &copy) == NNUE_STATUS_OK);
    EXPECT(nnue_rows_stack_push(copy, NULL, &active) == NNUE_STATUS_OK && nnue_rows_stack_depth(stack) == 1);
    EXPECT(nnue_rows_stack_evaluate(copy, &said) == NNUE_STATUS_OK && memcmp(&said, &candidates[0], sizeof said) == 0);
    EXPECT(nnue_rows_stack_pop(copy) == NNUE_STATUS_OK && nnue_rows_stack_pop(copy) == NNUE_STATUS_OK);
    REFUSED(nnue_rows_stack_pop(copy), NNUE_STATUS_NOTHING_TO_POP, "");
    REFUSED(nnue_rows_stack_copy(NULL, &copy), NNUE_STATUS_NULL_POINTER, "stack");
    EXPECT(nnue_rows_stack_depth(NULL) == 0);
    REFUSED(nnue_rows_stack_evaluate(stack, NULL), NNUE_STATUS_NULL_POINTER, "evaluation");
    REFUSED(nnue_rows_stack_verify(NULL), NNUE_STATUS_NULL_POINTER, "stack");
    nnue_rows_stack_free(stack);
    nnue_rows_stack_free(copy);
    nnue_rows_stack_free(NULL);
}

static void candidates(const nnue_rows *network) {
    enum { COUNT = 700 };
    static uint64_t indptr[COUNT + 1];
    static uint32_t indices[COUNT], of_base[COUNT];
    static nnue_rows_evaluation said[COUNT];
    nnue_rows_stack *stack;
    nnue_rows_evaluation before, after;
    const nnue_lists rows = one(0, 2), third = one(0, 1);
    for (uint32_t i = 0; i < COUNT; i++) indptr[i + 1] = i + 1, indices[i] = 20 + i % 70, of_base[i] = i % 2 ? 3 : 17;
    EXPECT(nnue_rows_stack_new(network, &stack) == NNUE_STATUS_OK && nnue_rows_stack_set(stack, &rows, 0) == NNUE_STATUS_OK);
    EXPECT(nnue_rows_stack_evaluate(stack, &before) == NNUE_STATUS_OK);
    nnue_rows_changes changes = {{indptr, indices, COUNT}, {indptr, of_base, COUNT}};
    const nnue_rows_changes add_only = {{indptr, indices, COUNT}, {NULL, NULL, 0}}, nothing = {{NULL, NULL, 0}, {NULL, NULL, 0}};

    EXPECT(nnue_rows_stack_candidate_batch(stack, COUNT, &changes, NULL, said) == NNUE_STATUS_OK);
    for (int i = 0; i < COUNT; i++) {
        const nnue_lists added = {{indices + i, NULL}, {1, 0}, 1}, removed = {{of_base + i, NULL}, {1, 0}, 1};
        EXPECT(nnue_rows_stack_push(stack, &added, &removed) == NNUE_STATUS_OK && nnue_rows_stack_evaluate(stack, &after) == NNUE_STATUS_OK);
        EXPECT(memcmp(&after, &said[i], sizeof after) == 0 && nnue_rows_stack_pop(stack) == NNUE_STATUS_OK);
    }
    EXPECT(nnue_rows_stack_candidate_batch(stack, COUNT, &add_only, NULL, said) == NNUE_STATUS_OK);
    const nnue_lists added = {{indices, NULL}, {1, 0}, 1};
    EXPECT(nnue_rows_stack_push(stack, &added, NULL) == NNUE_STATUS_OK && nnue_rows_stack_evaluate(stack, &after) == NNUE_STATUS_OK);
    EXPECT(memcmp(&after, &said[0], sizeof after) == 0 && nnue_rows_stack_pop(stack) == NNUE_STATUS_OK);
    EXPECT(nnue_rows_stack_candidate_batch(stack, 2, &nothing, NULL, said) == NNUE_STATUS_OK && memcmp(&before, &said[1], sizeof before) == 0);
    EXPECT(nnue_rows_stack_candidate_batch(stack, 0, &nothing, NULL, NULL) == NNUE_STATUS_OK);

    /* what is wrong leaves the evaluations and the stack; the first wrong candidate is named */
    said[0] = before;
    of_base[400] = 5, of_base[600] = 5000, of_base[1] = 17;
    REFUSED(nnue_rows_stack_candidate_batch(stack, COUNT, &changes, NULL, said), NNUE_STATUS_BAD_ROWS,
            "candidate 400: row 5 (row 5 of `users`) is not active, it cannot be removed");
    of_base[400] = 17, indices[300] = 100;
    REFUSED(nnue_rows_stack_candidate_batch(stack, COUNT, &changes, NULL, said), NNUE_STATUS_BAD_ROWS, "candidate 300: row 100: there are only 100 rows");
    indices[300] = 3, of_base[300] = 17;
    REFUSED(nnue_rows_stack_candidate_batch(stack, COUNT, &changes, NULL, said), NNUE_STATUS_BAD_ROWS, "candidate 300: row 3");
    indices[300] = 20;
    REFUSED(nnue_rows_stack_candidate_batch(stack, COUNT, &changes, &nothing, said), NNUE_STATUS_BAD_ROWS,
            "candidate 0: a position of this network has 1 list of rows, found 2");
    REFUSED(nnue_rows_stack_candidate_batch(stack, COUNT, NULL, NULL, said), NNUE_STATUS_NULL_POINTER, "first");
    REFUSED(nnue_rows_stack_candidate_batch(NULL, COUNT, &changes, NULL, said), NNUE_STATUS_NULL_POINTER, "stack");
    REFUSED(nnue_rows_stack_candidate_batch(stack, COUNT, &changes, NULL, NULL), NNUE_STATUS_NULL_POINTER, "evaluations");
    changes.removed.indices = NULL;
    REFUSED(nnue_rows_stack_candidate_batch(stack, COUNT, &changes, NULL, said), NNUE_STATUS_NULL_POINTER, "`first.removed.indices`");
    changes.removed.indices = of_base, changes.removed.indices_count = 5;
    REFUSED(nnue_rows_stack_candidate_batch(stack, COUNT, &changes, NULL, said), NNUE_STATUS_BAD_ARGUMENT, "`first.removed`: `indptr[6]` is 6");
    EXPECT(memcmp(&before, &said[0], sizeof before) == 0);
    EXPECT(nnue_rows_stack_evaluate(stack, &after) == NNUE_STATUS_OK && memcmp(&before, &after, sizeof before) == 0);
    EXPECT(nnue_rows_stack_set(stack, &third, 0) == NNUE_STATUS_OK && nnue_rows_stack_verify(stack) == NNUE_STATUS_OK);
    nnue_rows_stack_free(stack);
}

static void batches(const nnue_rows *network) {
    enum { COUNT = 700 };
    static uint64_t indptr[COUNT + 1];
    static uint32_t indices[2 * COUNT];
    static nnue_rows_evaluation said[COUNT];
    static uint8_t black[COUNT];
    nnue_rows_batch *batch;
    nnue_rows_evaluation alone;
    for (uint32_t i = 0; i < COUNT; i++) indptr[i + 1] = 2 * (i + 1), indices[2 * i] = i % 50, indices[2 * i + 1] = 50 + i % 47;
    nnue_rows_matrix lists = {indptr, indices, 2 * COUNT};
    REFUSED(nnue_rows_batch_new(network, 100000, &batch), NNUE_STATUS_BAD_ARGUMENT, "100000");
    REFUSED(nnue_rows_batch_new(NULL, 1, &batch), NNUE_STATUS_NULL_POINTER, "network");
    for (size_t threads = 0; threads < 4; threads++) {
        EXPECT(nnue_rows_batch_new(network, threads, &batch) == NNUE_STATUS_OK);
        memset(said, 0, sizeof said);
        EXPECT(nnue_rows_batch_evaluate(batch, COUNT, &lists, NULL, threads % 2 ? black : NULL, said) == NNUE_STATUS_OK);
        for (int i = 0; i < COUNT; i++) {
            nnue_lists rows = {{indices + 2 * i, NULL}, {2, 0}, 1};
            EXPECT(nnue_rows_evaluate(network, &rows, 0, &alone) == NNUE_STATUS_OK && memcmp(&alone, &said[i], sizeof alone) == 0);
        }
        /* what is wrong leaves the evaluations; the first wrong position is named, whatever the threads */
        const nnue_rows_evaluation first = said[0];
        indices[2 * 400] = 100, indices[2 * 650] = 5000, indices[0] = 1;
        REFUSED(nnue_rows_batch_evaluate(batch, COUNT, &lists, NULL, NULL, said), NNUE_STATUS_BAD_ROWS, "position 400: row 100: there are only 100 rows");
        EXPECT(memcmp(&first, &said[0], sizeof first) == 0);
        indices[2 * 400] = 0, indices[2 * 650] = 0, indices[0] = 0;
        REFUSED(nnue_rows_batch_evaluate(batch, COUNT, NULL, NULL, NULL, said), NNUE_STATUS_NULL_POINTER, "first");
        REFUSED(nnue_rows_batch_evaluate(batch, COUNT, &lists, &lists, NULL, said), NNUE_STATUS_BAD_ROWS, "position 0: a position of this network has 1 list");
        REFUSED(nnue_rows_batch_evaluate(batch, COUNT, &lists, NULL, NULL, NULL), NNUE_STATUS_NULL_POINTER, "evaluations");
        black[3] = 2;
        REFUSED(nnue_rows_batch_evaluate(batch, COUNT, &lists, NULL, black, said), NNUE_STATUS_BAD_ARGUMENT, "position 3: the side to move is 2");
        black[3] = 0;
        indptr[10] = 5;
        REFUSED(nnue_rows_batch_evaluate(batch, COUNT, &lists, NULL, NULL, said), NNUE_STATUS_BAD_ARGUMENT, "`first`: `indptr[10]` is 5, expected 18");
        indptr[10] = 20;
        lists.indices_count--;
        REFUSED(nnue_rows_batch_evaluate(batch, COUNT, &lists, NULL, NULL, said), NNUE_STATUS_BAD_ARGUMENT, "`indptr[700]` is 1400");
        lists.indices_count++;
        EXPECT(nnue_rows_batch_evaluate(batch, 0, &lists, NULL, NULL, NULL) == NNUE_STATUS_OK);
        nnue_rows_batch_free(batch);
    }
    nnue_rows_batch_free(NULL);
}

int main(int count, char **args) {
    if (count != 2) return fprintf(stderr, "usage: rows_faults FILE, a network of `%s`\n", SINGLE), 2;
    nnue_rows *network;
    nnue_rows_stack *stack;
    nnue_rows_evaluation said;
    declarations(args[1]);
    EXPECT(nnue_rows_open(SINGLE DOUBLE, "Single", args[1], "scalar", &network) == NNUE_STATUS_OK);
    EXPECT(strcmp(nnue_rows_level(network), "scalar") == 0 && nnue_rows_level(NULL) == NULL);
    lists(network);
    stacks(network);
    candidates(network);
    batches(network);
    EXPECT(nnue_rows_stack_new(network, &stack) == NNUE_STATUS_OK);
    nnue_rows_free(network); /* the stack keeps what it needs */
    EXPECT(nnue_rows_stack_evaluate(stack, &said) == NNUE_STATUS_OK);
    nnue_rows_stack_free(stack);
    nnue_rows_free(NULL);
    return failed;
}
