/* Calls with wrong arguments, and all functions that `engine.c` does not call: each gives the status that the header promises. */
#define _POSIX_C_SOURCE 200112L /* setenv */

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "expect.h"

/* Kings on e1 and e8, and a white pawn on e2. */
static const nnue_position POSITION = {
    {UINT64_C(0x1010), UINT64_C(0x1000000000000000)}, {UINT64_C(0x1000), 0, 0, 0, 0, UINT64_C(0x1000000000000010)}, 0};

/* e2-e4, and e2-e3. */
static const nnue_change MOVES[2] = {{{{0, 12}}, {{0, 28}}, 1, 1}, {{{0, 12}}, {{0, 20}}, 1, 1}};

static void files(void) {
    nnue_network *network = NULL;
    const uint8_t bytes[4] = {1, 2, 3, 4};
    REFUSED(nnue_network_open("Nothing", "x", NULL, &network), NNUE_STATUS_UNKNOWN_NETWORK, "Material");
    REFUSED(nnue_network_open("Material", "/no/such/file", NULL, &network), NNUE_STATUS_BAD_FILE, "/no/such/file");
    REFUSED(nnue_network_open("Material", "x", "fast", &network), NNUE_STATUS_BAD_LEVEL, "fast");
    REFUSED(nnue_network_open(NULL, "x", NULL, &network), NNUE_STATUS_NULL_POINTER, "name");
    REFUSED(nnue_network_open("Material", NULL, NULL, &network), NNUE_STATUS_NULL_POINTER, "path");
    REFUSED(nnue_network_open("Material", "x", NULL, NULL), NNUE_STATUS_NULL_POINTER, "network");
    REFUSED(nnue_network_open("\xff", "x", NULL, &network), NNUE_STATUS_BAD_ARGUMENT, "UTF-8");
    REFUSED(nnue_network_open_bytes("Material", bytes, sizeof bytes, NULL, &network), NNUE_STATUS_BAD_FILE, "");
    REFUSED(nnue_network_open_bytes("Material", NULL, 1, NULL, &network), NNUE_STATUS_NULL_POINTER, "bytes");
    REFUSED(nnue_network_open_bytes("Material", NULL, 0, NULL, &network), NNUE_STATUS_BAD_FILE, "");
    REFUSED(nnue_network_open_bytes("Material", bytes, (size_t)-1, NULL, &network), NNUE_STATUS_BAD_ARGUMENT, "bytes");
    REFUSED(nnue_network_open_embedded("Material", NULL, &network), NNUE_STATUS_BAD_FILE, "Material");
    EXPECT(network == NULL);
}

/* A level in the environment that cannot be had is an error of whoever opens a network without naming one. */
static void levels(const char *file) {
    nnue_network *network = NULL;
    setenv("NNUE_LEVEL", "garbage", 1);
    REFUSED(nnue_network_open_embedded("Default", NULL, &network), NNUE_STATUS_BAD_LEVEL, "NNUE_LEVEL: unknown level `garbage`; known: scalar");
    REFUSED(nnue_network_open("Chances", file, NULL, &network), NNUE_STATUS_BAD_LEVEL, "garbage");
    EXPECT(network == NULL);
    EXPECT(nnue_network_open_embedded("Default", "scalar", &network) == NNUE_STATUS_OK);
    nnue_network_free(network);
    setenv("NNUE_LEVEL", "scalar", 1);
    EXPECT(nnue_network_open_embedded("Default", NULL, &network) == NNUE_STATUS_OK);
    EXPECT(strcmp(nnue_network_level(network), "scalar") == 0);
    nnue_network_free(network);
    unsetenv("NNUE_LEVEL");
}

/* A message can be an argument beside the call that fails, in whichever order both are evaluated. */
static void messages(void) {
    nnue_network *network = NULL;
    char text[200];
    const char *before = nnue_error_message();
    EXPECT(nnue_network_open("First", "x", NULL, &network) == NNUE_STATUS_UNKNOWN_NETWORK);
    snprintf(text, sizeof text, "%d %s", (int)nnue_network_open("Second", "x", NULL, &network), nnue_error_message());
    EXPECT(strncmp(text, "3 no network `Second` here", 26) == 0);
    EXPECT(before == nnue_error_message() && strstr(before, "Second"));
}

/* Copies are independent, and more cannot be taken back than was pushed. */
static void copies(const nnue_network *network) {
    nnue_stack *stack, *copy = NULL;
    nnue_evaluation said, again;
    nnue_position after = POSITION;
    EXPECT(nnue_stack_new(network, &stack) == NNUE_STATUS_OK);
    EXPECT(nnue_stack_push(stack, &MOVES[0]) == NNUE_STATUS_OK);
    EXPECT(nnue_stack_push_null(stack) == NNUE_STATUS_OK);
    EXPECT(nnue_stack_copy(stack, &copy) == NNUE_STATUS_OK);
    REFUSED(nnue_stack_truncate(stack, 3), NNUE_STATUS_NOTHING_TO_POP, "2 moves");
    EXPECT(nnue_stack_truncate(stack, 0) == NNUE_STATUS_OK);
    EXPECT(nnue_stack_depth(stack) == 0 && nnue_stack_depth(copy) == 2);
    EXPECT(nnue_stack_truncate(copy, 1) == NNUE_STATUS_OK);
    nnue_stack_free(stack);
    after.by_color[0] ^= UINT64_C(0x10001000);
    after.by_kind[0] ^= UINT64_C(0x10001000);
    after.side_to_move = 1;
    EXPECT(nnue_stack_evaluate(copy, &after, &said) == NNUE_STATUS_OK);
    EXPECT(nnue_network_evaluate(network, &after, &again) == NNUE_STATUS_OK);
    EXPECT(said.value == again.value);
    REFUSED(nnue_stack_copy(NULL, &stack), NNUE_STATUS_NULL_POINTER, "stack");
    REFUSED(nnue_stack_copy(copy, NULL), NNUE_STATUS_NULL_POINTER, "copy");
    REFUSED(nnue_stack_truncate(NULL, 0), NNUE_STATUS_NULL_POINTER, "stack");
    nnue_stack_free(copy);
}

/* Header and library have one version, of which macros can be compared. */
static void versions(void) {
#if NNUE_VERSION < 1000 || NNUE_VERSION != NNUE_VERSION_MAJOR * 1000000 + NNUE_VERSION_MINOR * 1000 + NNUE_VERSION_PATCH
#error "the header says no version"
#endif
    char numbers[40];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", NNUE_VERSION_MAJOR, NNUE_VERSION_MINOR, NNUE_VERSION_PATCH);
    EXPECT(strcmp(nnue_version(), numbers) == 0);
    EXPECT(nnue_abi() == NNUE_ABI);
}

static void fens(void) {
    nnue_position position, before;
    EXPECT(nnue_position_from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &position) == NNUE_STATUS_OK);
    EXPECT(memcmp(&position, &POSITION, offsetof(nnue_position, side_to_move) + 1) == 0);
    EXPECT(nnue_position_from_fen("4k3/8/8/8/8/8/4P3/4K3 b", &position) == NNUE_STATUS_OK);
    EXPECT(position.side_to_move == 1);
    before = position;
    REFUSED(nnue_position_from_fen("4k3/8/8/8/8/8/4P3/4K3", &position), NNUE_STATUS_BAD_ARGUMENT, "`w` or `b` is missing");
    REFUSED(nnue_position_from_fen("4k3/8/8/8/8/8/4P4/4K3 w", &position), NNUE_STATUS_BAD_ARGUMENT, "rank 2 does not have 8 squares");
    REFUSED(nnue_position_from_fen("8/8/8/8/8/8/4P3/4K3 w", &position), NNUE_STATUS_BAD_ARGUMENT, "black does not have one king");
    REFUSED(nnue_position_from_fen("", &position), NNUE_STATUS_BAD_ARGUMENT, "8 ranks");
    REFUSED(nnue_position_from_fen("\xff", &position), NNUE_STATUS_BAD_ARGUMENT, "UTF-8");
    REFUSED(nnue_position_from_fen(NULL, &position), NNUE_STATUS_NULL_POINTER, "fen");
    REFUSED(nnue_position_from_fen("8/8/8/8/8/8/8/8 w", NULL), NNUE_STATUS_NULL_POINTER, "position");
    EXPECT(memcmp(&before, &position, sizeof before) == 0);
}

/* A table says what the network says, whatever it saw before. */
static void tables(const nnue_network *network) {
    nnue_table *table;
    nnue_evaluation said, again;
    nnue_position nobody = POSITION, after = POSITION;
    EXPECT(nnue_table_new(network, &table) == NNUE_STATUS_OK);
    REFUSED(nnue_table_new(NULL, &table), NNUE_STATUS_NULL_POINTER, "network");
    REFUSED(nnue_table_new(network, NULL), NNUE_STATUS_NULL_POINTER, "table");
    nobody.side_to_move = 2;
    REFUSED(nnue_table_evaluate(table, &nobody, &said), NNUE_STATUS_BAD_ARGUMENT, "side_to_move is 2");
    REFUSED(nnue_table_evaluate(NULL, &POSITION, &said), NNUE_STATUS_NULL_POINTER, "table");
    REFUSED(nnue_table_evaluate(table, NULL, &said), NNUE_STATUS_NULL_POINTER, "position");
    REFUSED(nnue_table_evaluate(table, &POSITION, NULL), NNUE_STATUS_NULL_POINTER, "evaluation");
    REFUSED(nnue_table_clear(NULL), NNUE_STATUS_NULL_POINTER, "table");
    after.by_color[0] ^= UINT64_C(0x10001000);
    after.by_kind[0] ^= UINT64_C(0x10001000);
    after.side_to_move = 1;
    for (int i = 0; i < 4; i++) {
        const nnue_position *position = i % 2 ? &after : &POSITION;
        EXPECT(nnue_table_evaluate(table, position, &said) == NNUE_STATUS_OK);
        EXPECT(nnue_network_evaluate(network, position, &again) == NNUE_STATUS_OK);
        EXPECT(memcmp(&said, &again, sizeof said) == 0);
        EXPECT(i != 1 || nnue_table_clear(table) == NNUE_STATUS_OK);
    }
    nnue_table_free(table);
    nnue_table_free(NULL);
}

static void stacks(const nnue_network *network) {
    nnue_stack *stack;
    nnue_evaluation said, again, children[2];
    float chances[3];
    EXPECT(nnue_stack_new(network, &stack) == NNUE_STATUS_OK);
    REFUSED(nnue_stack_new(NULL, &stack), NNUE_STATUS_NULL_POINTER, "network");
    REFUSED(nnue_stack_new(network, NULL), NNUE_STATUS_NULL_POINTER, "stack");
    REFUSED(nnue_stack_pop(stack), NNUE_STATUS_NOTHING_TO_POP, "taken back");
    REFUSED(nnue_stack_pop(NULL), NNUE_STATUS_NULL_POINTER, "stack");
    REFUSED(nnue_stack_push(stack, NULL), NNUE_STATUS_NULL_POINTER, "change");
    REFUSED(nnue_stack_wdl(stack, &POSITION, chances), NNUE_STATUS_NO_SUCH_OUTPUT, "chances");

    nnue_change wrong = MOVES[0];
    wrong.removed[0].piece = 12;
    REFUSED(nnue_stack_push(stack, &wrong), NNUE_STATUS_BAD_ARGUMENT, "piece is 12");
    wrong = MOVES[0], wrong.added[0].square = 64;
    REFUSED(nnue_stack_push(stack, &wrong), NNUE_STATUS_BAD_ARGUMENT, "square is 64");
    wrong = MOVES[0], wrong.added_count = 3;
    REFUSED(nnue_stack_push(stack, &wrong), NNUE_STATUS_BAD_ARGUMENT, "is 3");
    EXPECT(nnue_stack_depth(stack) == 0 && nnue_stack_depth(NULL) == 0);

    nnue_position nobody = POSITION;
    nobody.side_to_move = 2;
    REFUSED(nnue_stack_evaluate(stack, &nobody, &said), NNUE_STATUS_BAD_ARGUMENT, "side_to_move is 2");
    REFUSED(nnue_stack_evaluate(stack, NULL, &said), NNUE_STATUS_NULL_POINTER, "position");
    REFUSED(nnue_stack_evaluate(stack, &POSITION, NULL), NNUE_STATUS_NULL_POINTER, "evaluation");

    double real, fresh;
    REFUSED(nnue_stack_real(stack, &nobody, &real), NNUE_STATUS_BAD_ARGUMENT, "side_to_move is 2");
    REFUSED(nnue_stack_real(NULL, &POSITION, &real), NNUE_STATUS_NULL_POINTER, "stack");
    REFUSED(nnue_stack_real(stack, &POSITION, NULL), NNUE_STATUS_NULL_POINTER, "real");
    REFUSED(nnue_network_real(NULL, &POSITION, &real), NNUE_STATUS_NULL_POINTER, "network");
    REFUSED(nnue_network_real(network, &nobody, &real), NNUE_STATUS_BAD_ARGUMENT, "side_to_move is 2");
    REFUSED(nnue_network_real(network, NULL, &real), NNUE_STATUS_NULL_POINTER, "position");

    /* values are real ones, rounded towards zero: of this network a 16th of the sum of its parts */
    EXPECT(nnue_stack_evaluate(stack, &POSITION, &said) == NNUE_STATUS_OK);
    EXPECT(nnue_stack_real(stack, &POSITION, &real) == NNUE_STATUS_OK && nnue_network_real(network, &POSITION, &fresh) == NNUE_STATUS_OK);
    EXPECT(real == fresh && (int)real == said.value);
    EXPECT(real == (said.psqt + said.positional) / 16.0);

    /* both ways to evaluate agree, and children are what push, evaluate and pop give */
    EXPECT(nnue_stack_evaluate(stack, &POSITION, &said) == NNUE_STATUS_OK);
    EXPECT(nnue_network_evaluate(network, &POSITION, &again) == NNUE_STATUS_OK);
    EXPECT(memcmp(&said, &again, sizeof said) == 0);
    EXPECT(nnue_stack_children(stack, &POSITION, MOVES, 2, children) == NNUE_STATUS_OK);
    for (int i = 0; i < 2; i++) {
        nnue_position after = POSITION;
        uint64_t moved = ~(UINT64_C(1) << 12), there = UINT64_C(1) << MOVES[i].added[0].square;
        after.by_color[0] = (after.by_color[0] & moved) | there;
        after.by_kind[0] = there;
        after.side_to_move = 1;
        EXPECT(nnue_stack_push(stack, &MOVES[i]) == NNUE_STATUS_OK && nnue_stack_depth(stack) == 1);
        EXPECT(nnue_stack_evaluate(stack, &after, &said) == NNUE_STATUS_OK);
        EXPECT(memcmp(&said, &children[i], sizeof said) == 0);
        EXPECT(nnue_stack_pop(stack) == NNUE_STATUS_OK);
    }
    REFUSED(nnue_stack_children(stack, &POSITION, NULL, 1, children), NNUE_STATUS_NULL_POINTER, "changes");
    EXPECT(nnue_stack_children(stack, &POSITION, NULL, 0, NULL) == NNUE_STATUS_OK);
    EXPECT(nnue_stack_push_null(stack) == NNUE_STATUS_OK && nnue_stack_depth(stack) == 1);
    EXPECT(nnue_stack_reset(stack) == NNUE_STATUS_OK && nnue_stack_depth(stack) == 0);
    nnue_stack_free(stack);
    nnue_stack_free(NULL);
}

static void batches(const nnue_network *network) {
    enum { COUNT = 600 };
    static nnue_position positions[COUNT];
    static nnue_evaluation said[COUNT];
    nnue_evaluation alone;
    nnue_batch *batch;
    for (int i = 0; i < COUNT; i++) {
        positions[i] = POSITION;
        positions[i].by_color[i % 2] |= UINT64_C(1) << (16 + i % 32);
        positions[i].by_kind[1 + i % 4] |= UINT64_C(1) << (16 + i % 32);
        positions[i].side_to_move = i % 3 == 0;
    }
    REFUSED(nnue_batch_new(network, 100000, &batch), NNUE_STATUS_BAD_ARGUMENT, "100000");
    REFUSED(nnue_batch_new(NULL, 1, &batch), NNUE_STATUS_NULL_POINTER, "network");
    for (size_t threads = 0; threads < 4; threads++) {
        EXPECT(nnue_batch_new(network, threads, &batch) == NNUE_STATUS_OK);
        memset(said, 0, sizeof said);
        EXPECT(nnue_batch_evaluate(batch, positions, COUNT, said) == NNUE_STATUS_OK);
        for (int i = 0; i < COUNT; i++) {
            EXPECT(nnue_network_evaluate(network, &positions[i], &alone) == NNUE_STATUS_OK);
            EXPECT(memcmp(&alone, &said[i], sizeof alone) == 0);
        }
        REFUSED(nnue_batch_evaluate(batch, NULL, 1, said), NNUE_STATUS_NULL_POINTER, "positions");
        REFUSED(nnue_batch_evaluate(batch, positions, 1, NULL), NNUE_STATUS_NULL_POINTER, "evaluations");
        EXPECT(nnue_batch_evaluate(batch, NULL, 0, NULL) == NNUE_STATUS_OK);
        nnue_batch_free(batch);
    }
    nnue_batch_free(NULL);
}

static void wdl(const char *file) {
    nnue_network *network;
    nnue_stack *stack;
    float chances[3];
    EXPECT(nnue_network_open("Chances", file, "scalar", &network) == NNUE_STATUS_OK);
    EXPECT(strcmp(nnue_network_level(network), "scalar") == 0);
    EXPECT(nnue_stack_new(network, &stack) == NNUE_STATUS_OK);
    nnue_network_free(network); /* the stack keeps what it needs */
    EXPECT(nnue_stack_wdl(stack, &POSITION, chances) == NNUE_STATUS_OK);
    EXPECT(fabsf(chances[0] + chances[1] + chances[2] - 1) < 1e-5f);
    REFUSED(nnue_stack_wdl(stack, &POSITION, NULL), NNUE_STATUS_NULL_POINTER, "chances");
    nnue_stack_free(stack);
}

static void *search(void *network) {
    for (int i = 0; i < 20; i++) stacks(network);
    return NULL;
}

/* Threads share a network; each has a stack, and messages of its own. */
static void threads(nnue_network *network) {
    pthread_t others[4];
    for (int i = 0; i < 4; i++) EXPECT(pthread_create(&others[i], NULL, search, network) == 0);
    for (int i = 0; i < 4; i++) EXPECT(pthread_join(others[i], NULL) == 0);
}

int main(int count, char **args) {
    if (count != 2) return fprintf(stderr, "usage: faults FILE, a network of Chances\n"), 2;
    nnue_network *network;
    EXPECT(*nnue_error_message() == '\0');
    files();
    levels(args[1]);
    messages();
    versions();
    fens();
    EXPECT(nnue_network_open_embedded("Default", NULL, &network) == NNUE_STATUS_OK);
    EXPECT(nnue_network_level(NULL) == NULL);
    copies(network);
    tables(network);
    stacks(network);
    batches(network);
    threads(network);
    wdl(args[1]);
    nnue_network_free(network);
    nnue_network_free(NULL);
    return failed;
}
