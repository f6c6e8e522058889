/* Declared networks as a C library. Made by cbindgen of crates/capi/src: change it there.
 *
 * Functions return a status, which nnue_error_message explains. Pointers are compared with null. docs/c.md is the guide. */

#ifndef NNUE_H
#define NNUE_H

#include <stddef.h>
#include <stdint.h>

/* The interface that this header describes. It changes when a program that was compiled with another header would not work. A shared library
 * that the Makefile of the examples installs has it in its SONAME. */
#define NNUE_ABI 1

/* The version of this header: the first of three numbers. */
#define NNUE_VERSION_MAJOR 0

/* The second number of the version. */
#define NNUE_VERSION_MINOR 1

/* The third number of the version. */
#define NNUE_VERSION_PATCH 0

/* The three numbers as one, to be compared by `#if`: 1002003 is 1.2.3. */
#define NNUE_VERSION (((NNUE_VERSION_MAJOR * 1000000) + (NNUE_VERSION_MINOR * 1000)) + NNUE_VERSION_PATCH)

/* What a function of the library says of its success. `nnue_error_message` explains all but the first. */
typedef enum {
  /* all went well */
  NNUE_STATUS_OK = 0,
  /* an argument is a null pointer and may not be */
  NNUE_STATUS_NULL_POINTER = 1,
  /* an argument is out of its range: a square, a piece, a colour, a count, a text that is not UTF-8 */
  NNUE_STATUS_BAD_ARGUMENT = 2,
  /* the library has no network of this name */
  NNUE_STATUS_UNKNOWN_NETWORK = 3,
  /* the file cannot be read, or is not one of this network */
  NNUE_STATUS_BAD_FILE = 4,
  /* there is no such instruction level, or this processor lacks it */
  NNUE_STATUS_BAD_LEVEL = 5,
  /* a move is taken back, and none was made */
  NNUE_STATUS_NOTHING_TO_POP = 6,
  /* the network does not say it: the chances of win, draw and loss of one that has a single output */
  NNUE_STATUS_NO_SUCH_OUTPUT = 7,
  /* the library has a bug; the stack or the network that was used must not be used again */
  NNUE_STATUS_PANIC = 8,
  /* a declaration is wrong, needs code of a program, or is not over lists of rows */
  NNUE_STATUS_BAD_DECLARATION = 9,
  /* rows are no position of the network, or no change of one; nothing was changed */
  NNUE_STATUS_BAD_ROWS = 10,
} nnue_status;

/* Memory to evaluate many positions of a network. A batch belongs to one thread at a time, and starts others. */
typedef struct nnue_batch nnue_batch;

/* The declarations that a file may have. */
typedef struct nnue_guesses nnue_guesses;

/* A loaded network. Any number of threads may use it at once. */
typedef struct nnue_network nnue_network;

/* A loaded network over lists of rows. Any number of threads may use it at once. */
typedef struct nnue_rows nnue_rows;

/* Memory to evaluate many lists of rows. A batch belongs to one thread at a time, and starts others. */
typedef struct nnue_rows_batch nnue_rows_batch;

/* Active rows, and the accumulators along the changes that led to them. A stack belongs to one thread at a time. */
typedef struct nnue_rows_stack nnue_rows_stack;

/* The accumulators along the line of a search. A stack belongs to one thread at a time. */
typedef struct nnue_stack nnue_stack;

/* The last accumulator for each view of a king, with its board: for engines that evaluate positions without knowing the moves between them. A
 * table belongs to one thread at a time. */
typedef struct nnue_table nnue_table;

/* A position as a network reads it. Bit 0 of a bitboard is a1, bit 7 is h1, bit 63 is h8.
 *
 * A network is defined for positions with one king of each colour and at most one piece on each square. Others give some number. */
typedef struct {
  /* the squares with pieces of White, of Black */
  uint64_t by_color[2];
  /* the squares with pawns, knights, bishops, rooks, queens, kings of either colour */
  uint64_t by_kind[6];
  /* 0: White moves next, 1: Black */
  uint8_t side_to_move;
} nnue_position;

/* What a network says about a position, in the unit of the network. */
typedef struct {
  /* the value from the point of view of the side to move: positive is good for it */
  int32_t value;
  /* the PSQT part, raw; 0 if the network has none */
  int32_t psqt;
  /* the part of the layers, raw */
  int32_t positional;
  /* the layer stack that was used */
  uint32_t bucket;
} nnue_evaluation;

/* A piece on a square. */
typedef struct {
  /* twice the kind (pawn 0, knight 1, .. king 5) plus the colour (White 0, Black 1) */
  uint8_t piece;
  /* a1 is 0, h1 is 7, h8 is 63 */
  uint8_t square;
} nnue_placed;

/* What a move does to the board: at most two pieces are removed, at most two are added. A piece that moves is removed from one square and
 * added on another. */
typedef struct {
  /* those that were on the board, as many as `removed_count` says */
  nnue_placed removed[2];
  /* those that are there now, as many as `added_count` says */
  nnue_placed added[2];
  /* 0 to 2 */
  uint8_t removed_count;
  /* 0 to 2 */
  uint8_t added_count;
} nnue_change;

/* The sizes of the positions of a network over lists of rows. */
typedef struct {
  /* rows are numbered from 0 to one less */
  uint32_t rows;
  /* at most so many are active in a list */
  uint32_t most_active;
  /* the lists of a position, one for each perspective: 1 or 2 */
  size_t lists;
} nnue_rows_sizes;

/* The rows of a position, or those that a change adds or removes: one list, or of a network with two perspectives the lists of White, the side that
 * begins, and of Black. Rows are in any order, each once. */
typedef struct {
  /* the rows of each list; null if it has none */
  const uint32_t *rows[2];
  /* the numbers of rows */
  size_t counts[2];
  /* 1 or 2 */
  size_t lists;
} nnue_lists;

/* What a network says about rows, in the unit of the network. */
typedef struct {
  /* the value, of the side to move if there are two lists */
  int32_t value;
  /* the PSQT part, raw; 0 if the network has none */
  int32_t psqt;
  /* the part of the layers, raw */
  int32_t positional;
  /* the layer stack that was used */
  uint32_t bucket;
  /* the value before it was rounded to an integer; NaN if the output of floats is */
  double real;
} nnue_rows_evaluation;

/* Lists in the form of a sparse matrix (CSR): list `i` is `indices[indptr[i]]` to `indices[indptr[i + 1] - 1]`. */
typedef struct {
  /* where lists begin and end, ascending from 0: one number more than there are lists */
  const uint64_t *indptr;
  /* the rows of all lists, one list after the other */
  const uint32_t *indices;
  /* the number of `indices` */
  size_t indices_count;
} nnue_rows_matrix;

/* A small change of a position: rows that are removed, and rows that are added. */
typedef struct {
  /* the rows that are added */
  nnue_lists added;
  /* the rows that are removed, before others are added */
  nnue_lists removed;
} nnue_rows_change;

/* Many small changes of a position, in the form of sparse matrices: list `i` of each is of change `i`. A matrix whose `indptr` is null has no rows. */
typedef struct {
  /* the rows that are added */
  nnue_rows_matrix added;
  /* the rows that are removed, before others are added */
  nnue_rows_matrix removed;
} nnue_rows_changes;

/* A declaration that reads a file. The texts are valid as long as the `nnue_guesses` that it is of. */
typedef struct {
  /* the declaration */
  const char *declaration;
  /* its sizes as options of the command `nnue import net`, or the name of an engine */
  const char *shape;
  /* what speaks against it in the numbers of the file; null if nothing does */
  const char *doubt;
  /* what an output of 1.0 is worth, also if it is a guess; NaN where it is not known or the value is no multiple of the output */
  double scale;
  /* how many texts `nnue_guesses_unknown` has of it */
  size_t unknown;
} nnue_guess;

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/* The interface of the library, to be compared with `NNUE_ABI` of the header. */
uint32_t nnue_abi(void);

/* The version of the library, as `0.1.0`. */
const char *nnue_version(void);

/* Loads a file.
 *
 * `name` is that of the network's type where it is declared; `level` is an instruction level such as `avx2`, or null for the one that the environment
 * variable `NNUE_LEVEL` names, without it the fastest one of this processor. A name that is no level's, or that of a level which the processor lacks,
 * is an error, also in the variable. `*network` is set if all goes well, and is to be freed by `nnue_network_free`.
 *
 * Each pointer is null or valid; texts end with a zero. */
nnue_status nnue_network_open(const char *name,
                              const char *path,
                              const char *level,
                              nnue_network **network);

/* Loads a file that is in memory, `count` bytes from `bytes` on. See `nnue_network_open`.
 *
 * Each pointer is null or valid, `bytes` for `count` bytes; texts end with a zero. */
nnue_status nnue_network_open_bytes(const char *name,
                                    const uint8_t *bytes,
                                    size_t count,
                                    const char *level,
                                    nnue_network **network);

/* Opens a network whose weights are in the library. See `nnue_network_open`.
 *
 * Each pointer is null or valid; texts end with a zero. */
nnue_status nnue_network_open_embedded(const char *name, const char *level, nnue_network **network);

/* Frees a network. Stacks and batches of it keep what they need. Null is nothing to free.
 *
 * The pointer is null, or of a network that was opened and not freed. */
void nnue_network_free(nnue_network *network);

/* The instruction level at which the network is evaluated, such as `avx2`: valid as long as the network. Null for null.
 *
 * The pointer is null or valid. */
const char *nnue_network_level(const nnue_network *network);

/* The name of an output besides the value, by its number from 0 on, valid as long as the network; null after the last one. Networks that the library
 * exports have none here.
 *
 * The pointer is null or valid. */
const char *nnue_network_output(const nnue_network *network,
                                size_t number);

/* What the network says about a position, computed from the position alone. In a search, a stack is many times faster.
 *
 * Each pointer is null or valid. */
nnue_status nnue_network_evaluate(const nnue_network *network,
                                  const nnue_position *position,
                                  nnue_evaluation *evaluation);

/* The value of `nnue_network_evaluate` before it was rounded to an integer; NaN if the output of floats is.
 *
 * Each pointer is null or valid. */
nnue_status nnue_network_real(const nnue_network *network, const nnue_position *position, double *real);

/* The name of a network that the library has, by its number from 0 on; null after the last one. */
const char *nnue_declared(size_t number);

/* What went wrong in the last call of this thread that failed, in English; empty if none did. At most 4095 bytes, then a zero.
 *
 * The pointer is the same for all calls of a thread and valid as long as the thread: the next call of the thread that fails writes its message over
 * this one, and no call frees it. */
const char *nnue_error_message(void);

/* A stack at its root, which may be any position: the first evaluation fixes it. It is to be freed by `nnue_stack_free`.
 *
 * Each pointer is null or valid. */
nnue_status nnue_stack_new(const nnue_network *network,
                           nnue_stack **stack);

/* An independent stack with the same moves and accumulators, for another thread or a position that is copied. It is to be freed by
 * `nnue_stack_free`.
 *
 * Each pointer is null or valid. */
nnue_status nnue_stack_copy(const nnue_stack *stack,
                            nnue_stack **copy);

/* Frees a stack. Null is nothing to free.
 *
 * The pointer is null, or of a stack that was made and not freed. */
void nnue_stack_free(nnue_stack *stack);

/* A move was made that changes the board like this. Nothing is computed until an evaluation needs it.
 *
 * Each pointer is null or valid. */
nnue_status nnue_stack_push(nnue_stack *stack, const nnue_change *change);

/* The side to move passed, and nothing else changed.
 *
 * The pointer is null or valid. */
nnue_status nnue_stack_push_null(nnue_stack *stack);

/* The last move was taken back.
 *
 * The pointer is null or valid. */
nnue_status nnue_stack_pop(nnue_stack *stack);

/* Moves were taken back until `depth` are left.
 *
 * The pointer is null or valid. */
nnue_status nnue_stack_truncate(nnue_stack *stack, size_t depth);

/* How many moves were made and not taken back; 0 for null.
 *
 * The pointer is null or valid. */
size_t nnue_stack_depth(const nnue_stack *stack);

/* Back to a root that may be any position: for the next position of a game, or another game.
 *
 * The pointer is null or valid. */
nnue_status nnue_stack_reset(nnue_stack *stack);

/* What the network says about `position`, to which the moves that were pushed lead.
 *
 * Each pointer is null or valid. */
nnue_status nnue_stack_evaluate(nnue_stack *stack, const nnue_position *position, nnue_evaluation *evaluation);

/* The value of `nnue_stack_evaluate` before it was rounded to an integer; NaN if the output of floats is.
 *
 * Each pointer is null or valid. */
nnue_status nnue_stack_real(nnue_stack *stack, const nnue_position *position, double *real);

/* The chances of a loss, a draw and a win of the side to move, of networks with these outputs.
 *
 * Each pointer is null or valid, `chances` for three numbers. */
nnue_status nnue_stack_wdl(nnue_stack *stack, const nnue_position *position, float *chances);

/* The numbers of a named output (`nnue_network_output` lists the names) for the position to which the pushed moves lead; the probabilities of loss, draw
 * and win of an output `wdl(..)`. `*length` is set to how many there are. If `capacity` is not less, they are written to `numbers`; otherwise nothing
 * is written, and `numbers` may be null if `capacity` is 0.
 *
 * Each pointer is null or valid, `numbers` for `capacity` items; the text ends with a zero. */
nnue_status nnue_stack_output(nnue_stack *stack,
                              const nnue_position *position,
                              const char *name,
                              float *numbers,
                              size_t capacity,
                              size_t *length);

/* What the network says about the position after each of `count` moves of `position`, by one call: to order moves, or to prune. Values are
 * from the point of view of the side to move there. `evaluations` has room for as many.
 *
 * Each pointer is null or valid, `changes` and `evaluations` for `count` items. */
nnue_status nnue_stack_children(nnue_stack *stack,
                                const nnue_position *position,
                                const nnue_change *changes,
                                size_t count,
                                nnue_evaluation *evaluations);

/* A table without boards. It is to be freed by `nnue_table_free`.
 *
 * Each pointer is null or valid. */
nnue_status nnue_table_new(const nnue_network *network, nnue_table **table);

/* Frees a table. Null is nothing to free.
 *
 * The pointer is null, or of a table that was made and not freed. */
void nnue_table_free(nnue_table *table);

/* Forgets all boards, to measure for example; evaluations stay the same.
 *
 * The pointer is null or valid. */
nnue_status nnue_table_clear(nnue_table *table);

/* What the network says about `position`, computed from the pieces that differ from the last board with such a king. It equals
 * `nnue_network_evaluate`. A stack takes less time where the moves are known.
 *
 * Each pointer is null or valid. */
nnue_status nnue_table_evaluate(nnue_table *table,
                                const nnue_position *position,
                                nnue_evaluation *evaluation);

/* Memory for so many threads; 0 is one for each core. It is to be freed by `nnue_batch_free`.
 *
 * Each pointer is null or valid. */
nnue_status nnue_batch_new(const nnue_network *network, size_t threads, nnue_batch **batch);

/* Frees a batch. Null is nothing to free.
 *
 * The pointer is null, or of a batch that was made and not freed. */
void nnue_batch_free(nnue_batch *batch);

/* What the network says about `count` positions, in any order; positions that share pieces and places of kings share work.
 *
 * Each pointer is null or valid, `positions` and `evaluations` for `count` items. */
nnue_status nnue_batch_evaluate(nnue_batch *batch,
                                const nnue_position *positions,
                                size_t count,
                                nnue_evaluation *evaluations);

/* Reads the pieces and the side to move of a FEN; its other fields are ignored. There is one king of each colour, and at most 32 pieces: any other text
 * is `NNUE_STATUS_BAD_ARGUMENT`, and leaves `*position` as it was.
 *
 * Each pointer is null or valid; the text ends with a zero. */
nnue_status nnue_position_from_fen(const char *fen,
                                   nnue_position *position);

/* Opens a network that the library does not export, described while the program runs. It is for libraries that are built with the feature `described`
 * of nnue-capi, as `libnnue` is.
 *
 * `declaration` is one of:
 *
 * - a text such as `pub struct Mine = (768 -> 256)x2 @ 255 screlu -> 1 { format raw };`; if it declares several networks, `name` chooses one;
 * - the name of a network of Stockfish: `sfnnv9`, `sfnn_small`;
 * - null: a network of Stockfish, recognised from the file.
 *
 * `name` may be null if there is one network, `level` as for `nnue_network_open`. The file may be compressed by gzip or zstd. The network is used and
 * freed like others; it is as fast, or up to half as fast for small layers, and has its named outputs besides.
 *
 * Each pointer is null or valid; texts end with a zero. */
nnue_status nnue_network_open_described(const char *declaration,
                                        const char *name,
                                        const char *path,
                                        const char *level,
                                        nnue_network **network);

/* The same for a file that is in memory, `count` bytes from `bytes` on.
 *
 * Each pointer is null or valid, `bytes` for `count` bytes; texts end with a zero. */
nnue_status nnue_network_open_described_bytes(const char *declaration,
                                              const char *name,
                                              const uint8_t *bytes,
                                              size_t count,
                                              const char *level,
                                              nnue_network **network);

/* Loads a network over lists of rows. It is for libraries that are built with the feature `rows` of nnue-capi, as all functions of rows are.
 *
 * `declaration` is a text such as `pub struct Ranker = rows[4096, active 64] -> 256 -> 16 -> 1;`; `name` chooses one of several, and may be null if there
 * is one. `level` is that of `nnue_network_open`. `*network` is set if all goes well, and is to be freed by `nnue_rows_free`. What is kept of a
 * declaration stays until the program ends, once for equal ones.
 *
 * Each pointer is null or valid; texts end with a zero. */
nnue_status nnue_rows_open(const char *declaration,
                           const char *name,
                           const char *path,
                           const char *level,
                           nnue_rows **network);

/* Loads a file that is in memory, `count` bytes from `bytes` on. See `nnue_rows_open`.
 *
 * Each pointer is null or valid, `bytes` for `count` bytes; texts end with a zero. */
nnue_status nnue_rows_open_bytes(const char *declaration,
                                 const char *name,
                                 const uint8_t *bytes,
                                 size_t count,
                                 const char *level,
                                 nnue_rows **network);

/* Frees a network over lists of rows. Stacks and batches of it keep what they need. Null is nothing to free.
 *
 * The pointer is null, or of a network that was opened and not freed. */
void nnue_rows_free(nnue_rows *network);

/* The instruction level at which the network is evaluated: valid as long as the network. Null for null.
 *
 * The pointer is null or valid. */
const char *nnue_rows_level(const nnue_rows *network);

/* The sizes of the network's positions.
 *
 * Each pointer is null or valid. */
nnue_status nnue_rows_shape(const nnue_rows *network, nnue_rows_sizes *shape);

/* What the network says about one position, computed from its lists alone. `black_to_move` is 0 or 1: whose list is read first.
 *
 * A row that does not exist or is listed twice, more rows than may be active, and another number of lists are `NNUE_STATUS_BAD_ROWS`.
 *
 * Each pointer is null or valid, those of `rows` for its counts. */
nnue_status nnue_rows_evaluate(const nnue_rows *network,
                               const nnue_lists *rows,
                               uint8_t black_to_move,
                               nnue_rows_evaluation *evaluation);

/* A stack whose root has no active rows, White to move. It is to be freed by `nnue_rows_stack_free`.
 *
 * Each pointer is null or valid. */
nnue_status nnue_rows_stack_new(const nnue_rows *network, nnue_rows_stack **stack);

/* An independent stack with the same changes and accumulators. It is to be freed by `nnue_rows_stack_free`.
 *
 * Each pointer is null or valid. */
nnue_status nnue_rows_stack_copy(const nnue_rows_stack *stack, nnue_rows_stack **copy);

/* Frees a stack. Null is nothing to free.
 *
 * The pointer is null, or of a stack that was made and not freed. */
void nnue_rows_stack_free(nnue_rows_stack *stack);

/* Makes these rows the root, and forgets the changes before. `black_to_move` is 0 or 1. What is refused changes nothing.
 *
 * Each pointer is null or valid, those of `rows` for its counts. */
nnue_status nnue_rows_stack_set(nnue_rows_stack *stack,
                                const nnue_lists *rows,
                                uint8_t black_to_move);

/* Removes rows and adds others, in this order; null is no rows. The side to move stays. What is refused changes nothing: a row that is added and is
 * active, or is removed and is not, is `NNUE_STATUS_BAD_ROWS`.
 *
 * Each pointer is null or valid, those of `added` and `removed` for their counts. */
nnue_status nnue_rows_stack_push(nnue_rows_stack *stack,
                                 const nnue_lists *added,
                                 const nnue_lists *removed);

/* Sets the side to move, 0 or 1 for Black, whose list is read first. `nnue_rows_stack_pop` restores that before the last change.
 *
 * The pointer is null or valid. */
nnue_status nnue_rows_stack_side(nnue_rows_stack *stack,
                                 uint8_t black_to_move);

/* The last change is taken back.
 *
 * The pointer is null or valid. */
nnue_status nnue_rows_stack_pop(nnue_rows_stack *stack);

/* How many changes were made and not taken back; 0 for null.
 *
 * The pointer is null or valid. */
size_t nnue_rows_stack_depth(const nnue_rows_stack *stack);

/* What the network says about the active rows.
 *
 * Each pointer is null or valid. */
nnue_status nnue_rows_stack_evaluate(nnue_rows_stack *stack, nnue_rows_evaluation *evaluation);

/* Compares the accumulators with those computed from the rows alone. A difference would be a bug of the library: `NNUE_STATUS_PANIC`.
 *
 * The pointer is null or valid. */
nnue_status nnue_rows_stack_verify(nnue_rows_stack *stack);

/* Memory for so many threads; 0 is one for each core. It is to be freed by `nnue_rows_batch_free`.
 *
 * Each pointer is null or valid. */
nnue_status nnue_rows_batch_new(const nnue_rows *network, size_t threads, nnue_rows_batch **batch);

/* Frees a batch. Null is nothing to free.
 *
 * The pointer is null, or of a batch that was made and not freed. */
void nnue_rows_batch_free(nnue_rows_batch *batch);

/* What the network says about `count` positions, in any order.
 *
 * `first` has a list for each; `second` has their second lists, of a network with two perspectives, and is null otherwise. `black_to_move` has 0 or 1
 * for each position; null is White everywhere. `evaluations` is written if all positions are right; the message for a wrong one has its number, from 0.
 *
 * Each pointer is null or valid, `black_to_move` and `evaluations` for `count` items, those of matrices for theirs. */
nnue_status nnue_rows_batch_evaluate(nnue_rows_batch *batch,
                                     size_t count,
                                     const nnue_rows_matrix *first,
                                     const nnue_rows_matrix *second,
                                     const uint8_t *black_to_move,
                                     nnue_rows_evaluation *evaluations);

/* What the network says about the rows after each of `count` changes, by one call, which changes nothing. `evaluations` has room for as many, and is
 * written if all changes are right.
 *
 * Each pointer is null or valid, `changes` and `evaluations` for `count` items, those of a change for its counts. */
nnue_status nnue_rows_stack_candidates(nnue_rows_stack *stack,
                                       const nnue_rows_change *changes,
                                       size_t count,
                                       nnue_rows_evaluation *evaluations);

/* `nnue_rows_stack_candidates` of changes in the form of sparse matrices, which are read in place.
 *
 * `first` has the `count` changes of the first list; `second` has those of the second list, of a network with two perspectives, and is null otherwise.
 * The message for a wrong change has its number, from 0.
 *
 * Each pointer is null or valid, `evaluations` for `count` items, those of matrices for theirs. */
nnue_status nnue_rows_stack_candidate_batch(nnue_rows_stack *stack,
                                            size_t count,
                                            const nnue_rows_changes *first,
                                            const nnue_rows_changes *second,
                                            nnue_rows_evaluation *evaluations);

/* Guesses the declaration of a file, which may be compressed by gzip or zstd. It is for libraries that are built with the feature `search` of nnue-capi.
 *
 * The text is what `nnue import net FILE` prints: the likeliest declaration, below comments that name what speaks against it, what the file does not
 * tell, and other shapes of the same size. `*length` is set to its bytes. If `capacity` is greater, the text is written to `declaration` with a zero
 * at its end; otherwise nothing is written, and `declaration` may be null if `capacity` is 0. If the file is no network, the call fails, and
 * `nnue_error_message` names the kind of the file.
 *
 * Each pointer is null or valid, `declaration` for `capacity` bytes; texts end with a zero. */
nnue_status nnue_declaration_of(const char *path,
                                char *declaration,
                                size_t capacity,
                                size_t *length);

/* The declarations that a file may have, the likeliest first, and their number, at least one; `nnue_declaration_of` has the same as a text. They are to be
 * freed by `nnue_guesses_free`. It is for libraries that are built with the feature `search` of nnue-capi.
 *
 * Each pointer is null or valid; the path ends with a zero. */
nnue_status nnue_guesses_of(const char *path,
                            nnue_guesses **guesses,
                            size_t *count);

/* The guess with the number `index`, from 0.
 *
 * Each pointer is null or valid. */
nnue_status nnue_guesses_get(const nnue_guesses *guesses, size_t index, nnue_guess *guess);

/* What the file does not tell about the guess with the number `index`, and what would: the text `unknown`, from 0. It is valid as long as `guesses`.
 *
 * Each pointer is null or valid. */
nnue_status nnue_guesses_unknown(const nnue_guesses *guesses,
                                 size_t index,
                                 size_t unknown,
                                 const char **said);

/* Frees guesses. Null is nothing to free.
 *
 * The pointer is null, or of guesses that were made and not freed. */
void nnue_guesses_free(nnue_guesses *guesses);

#ifdef __cplusplus
}  // extern "C"
#endif  /* __cplusplus */

#endif  /* NNUE_H */
