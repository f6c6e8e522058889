/* Any network of chess, without a library of one's own: described DECLARATION FILE FEN...
 *
 * DECLARATION is a text, the name of a network of Stockfish, or `-`: as the file says. Prints the value of each position, and the named outputs. */
#include <stdlib.h>

#include "expect.h"

static const char *const TWO = "pub struct A = Chess768 -> 32x2 -> 1; pub struct B = Chess768 -> 64x2 -> 1;";

/* Calls with wrong arguments. */
static void faults(const char *declaration, const char *file) {
    nnue_network *network = NULL;
    const uint8_t bytes[4] = {1, 2, 3, 4};
    REFUSED(nnue_network_open_described("sfnnv99", NULL, file, NULL, &network), NNUE_STATUS_UNKNOWN_NETWORK, "sfnnv9, ");
    REFUSED(nnue_network_open_described("pub struct A = ;", NULL, file, NULL, &network), NNUE_STATUS_BAD_DECLARATION, "declaration:1:");
    REFUSED(nnue_network_open_described("", NULL, file, NULL, &network), NNUE_STATUS_BAD_DECLARATION, "no network");
    REFUSED(nnue_network_open_described(TWO, NULL, file, NULL, &network), NNUE_STATUS_BAD_DECLARATION, "`A`, `B`");
    REFUSED(nnue_network_open_described(TWO, "C", file, NULL, &network), NNUE_STATUS_BAD_DECLARATION, "`A`, `B`");
    REFUSED(nnue_network_open_described(TWO, "A", file, NULL, &network), NNUE_STATUS_BAD_FILE, "no header");
    REFUSED(nnue_network_open_described("pub struct R = rows[64, active 8] -> 32 -> 1;", NULL, file, NULL, &network),
            NNUE_STATUS_BAD_DECLARATION, "nnue_rows_open");
    REFUSED(nnue_network_open_described("pub struct M = Chess768 -> 32x2 -> 8 mine::f -> 1;", NULL, file, NULL, &network),
            NNUE_STATUS_BAD_DECLARATION, "");
    REFUSED(nnue_network_open_described(declaration, NULL, "/no/such/file", NULL, &network), NNUE_STATUS_BAD_FILE, "/no/such/file");
    REFUSED(nnue_network_open_described(declaration, NULL, "/dev/null", NULL, &network), NNUE_STATUS_BAD_FILE, "/dev/null");
    REFUSED(nnue_network_open_described(declaration, NULL, NULL, NULL, &network), NNUE_STATUS_NULL_POINTER, "path");
    REFUSED(nnue_network_open_described(declaration, NULL, file, "fast", &network), NNUE_STATUS_BAD_LEVEL, "fast");
    REFUSED(nnue_network_open_described(declaration, NULL, file, NULL, NULL), NNUE_STATUS_NULL_POINTER, "network");
    REFUSED(nnue_network_open_described_bytes(declaration, NULL, bytes, sizeof bytes, NULL, &network), NNUE_STATUS_BAD_FILE, "");
    REFUSED(nnue_network_open_described_bytes(NULL, NULL, bytes, sizeof bytes, NULL, &network), NNUE_STATUS_BAD_FILE, "");
    REFUSED(nnue_network_open_described_bytes(NULL, NULL, NULL, 1, NULL, &network), NNUE_STATUS_NULL_POINTER, "bytes");
    EXPECT(network == NULL && nnue_network_output(NULL, 0) == NULL);
}

/* Asks for an output with too little memory, and for one that there is not. */
static void wrong_outputs(nnue_stack *stack, const nnue_position *position, const char *name) {
    float number = -7;
    size_t length = 0;
    REFUSED(nnue_stack_output(stack, position, "nothing", &number, 1, &length), NNUE_STATUS_NO_SUCH_OUTPUT, name);
    REFUSED(nnue_stack_output(stack, position, NULL, &number, 1, &length), NNUE_STATUS_NULL_POINTER, "name");
    REFUSED(nnue_stack_output(stack, position, name, NULL, 1, &length), NNUE_STATUS_NULL_POINTER, "numbers");
    EXPECT(nnue_stack_output(stack, position, name, NULL, 0, &length) == NNUE_STATUS_OK && length == 2);
    EXPECT(nnue_stack_output(stack, position, name, &number, 1, &length) == NNUE_STATUS_OK && number == -7);
}

static int print(const nnue_network *network, nnue_stack *stack, const char *fen) {
    nnue_position position;
    nnue_evaluation said;
    const char *name;
    if (nnue_position_from_fen(fen, &position) != NNUE_STATUS_OK || nnue_stack_reset(stack) != NNUE_STATUS_OK ||
        nnue_stack_evaluate(stack, &position, &said) != NNUE_STATUS_OK)
        return fprintf(stderr, "%s\n", nnue_error_message()), 1;
    printf("value %d\n", said.value);
    for (size_t number = 0; (name = nnue_network_output(network, number)); number++) {
        size_t length;
        if (nnue_stack_output(stack, &position, name, NULL, 0, &length) != NNUE_STATUS_OK) return 1;
        float *numbers = malloc(length * sizeof *numbers);
        if (!numbers || nnue_stack_output(stack, &position, name, numbers, length, &length) != NNUE_STATUS_OK) return free(numbers), 1;
        printf("%s", name);
        for (size_t at = 0; at < length; at++) printf(" %.9g", numbers[at]);
        printf("\n");
        free(numbers);
    }
    return 0;
}

int main(int count, char **arguments) {
    if (count < 3) return fprintf(stderr, "usage: described DECLARATION|- FILE FEN...\n"), 2;
    const char *declaration = strcmp(arguments[1], "-") ? arguments[1] : NULL;
    nnue_network *network;
    nnue_stack *stack;
    if (nnue_network_open_described(declaration, NULL, arguments[2], NULL, &network) != NNUE_STATUS_OK ||
        nnue_stack_new(network, &stack) != NNUE_STATUS_OK)
        return fprintf(stderr, "%s\n", nnue_error_message()), 1;
    for (int fen = 3; fen < count; fen++) failed |= print(network, stack, arguments[fen]);
    if (nnue_network_output(network, 0)) {
        nnue_position position;
        EXPECT(nnue_position_from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &position) == NNUE_STATUS_OK);
        wrong_outputs(stack, &position, nnue_network_output(network, 0));
        faults(declaration, arguments[2]);
    }
    nnue_stack_free(stack);
    nnue_network_free(network);
    return failed;
}
