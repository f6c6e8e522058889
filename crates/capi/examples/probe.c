/* The functions of nnue-probe with the networks of this library: for programs that call nnue_init and nnue_evaluate_fen.
 *
 *   probe FILE FEN..      the value of each position; "-" is the file of a network in the library
 *
 * Copy the part above `main`. Values are those of the command: in the unit of the network, for the side to move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nnue.h"

static nnue_network *network;
/* The last boards of a thread. */
static _Thread_local nnue_table *table;

/* Ends the program with the library's message if a call failed, as these functions have no other way to say it. */
static void must(nnue_status status) {
    if (status == NNUE_STATUS_OK) return;
    fprintf(stderr, "error: %s\n", nnue_error_message());
    exit(1);
}

/* Opens the file as the first network of the library that reads it. Call it once, before other threads evaluate. */
void nnue_init(const char *path) {
    nnue_status status = NNUE_STATUS_UNKNOWN_NETWORK;
    for (size_t i = 0; nnue_declared(i) && status != NNUE_STATUS_OK; i++)
        status = strcmp(path, "-") == 0 ? nnue_network_open_embedded(nnue_declared(i), NULL, &network)
                                        : nnue_network_open(nnue_declared(i), path, NULL, &network);
    must(status);
}

static int value_of(const nnue_position *position) {
    nnue_evaluation said;
    if (!table) must(nnue_table_new(network, &table));
    must(nnue_table_evaluate(table, position, &said));
    return said.value;
}

int nnue_evaluate_fen(const char *fen) {
    nnue_position position;
    must(nnue_position_from_fen(fen, &position));
    return value_of(&position);
}

/* `player` is 0 for White. Pieces are 1 to 6 for king, queen, rook, bishop, knight, pawn of White, 7 to 12 for those of Black, and a zero ends
 * them. Squares count from a1 = 0 to h8 = 63. */
int nnue_evaluate(int player, int *pieces, int *squares) {
    nnue_position position = {{0, 0}, {0}, (uint8_t)player};
    for (int i = 0; pieces[i]; i++) {
        int color = pieces[i] > 6, kind = 5 - (pieces[i] - 1) % 6; /* the kinds of nnue.h ascend from the pawn */
        position.by_color[color] |= (uint64_t)1 << squares[i];
        position.by_kind[kind] |= (uint64_t)1 << squares[i];
    }
    return value_of(&position);
}

int main(int count, char **args) {
    if (count < 3) {
        fprintf(stderr, "usage: probe FILE FEN..\n");
        return 2;
    }
    nnue_init(args[1]);
    for (int i = 2; i < count; i++) printf("%d\n", nnue_evaluate_fen(args[i]));

    int pieces[] = {1, 7, 6, 0}, squares[] = {4, 60, 12};
    printf("%d\n", nnue_evaluate(0, pieces, squares)); /* kings on e1 and e8, a white pawn on e2 */
    nnue_table_free(table);
    nnue_network_free(network);
    return 0;
}
