/* Prints the declaration that reads a file, then all guesses, and calls the functions with wrong arguments: declaration_of FILE */
#include <stdlib.h>

#include "expect.h"

/* Prints the shape and the scale of each guess, and how much of it is unknown. */
static void print_guesses(const char *path) {
    nnue_guesses *guesses = NULL;
    nnue_guess guess;
    const char *said;
    size_t count = 0;
    EXPECT(nnue_guesses_of(path, &guesses, &count) == NNUE_STATUS_OK && count > 0);
    for (size_t index = 0; index < count; index++) {
        EXPECT(nnue_guesses_get(guesses, index, &guess) == NNUE_STATUS_OK && guess.declaration && guess.shape);
        printf("guess %s, %s, %g\n", guess.shape, guess.doubt ? "doubtful" : "likely", guess.scale);
        for (size_t unknown = 0; unknown < guess.unknown; unknown++) {
            EXPECT(nnue_guesses_unknown(guesses, index, unknown, &said) == NNUE_STATUS_OK);
            printf("unknown %s\n", said);
        }
        REFUSED(nnue_guesses_unknown(guesses, index, guess.unknown, &said), NNUE_STATUS_BAD_ARGUMENT, "none has the number");
    }
    REFUSED(nnue_guesses_get(guesses, count, &guess), NNUE_STATUS_BAD_ARGUMENT, "none has the number");
    REFUSED(nnue_guesses_get(guesses, 0, NULL), NNUE_STATUS_NULL_POINTER, "guess");
    REFUSED(nnue_guesses_get(NULL, 0, &guess), NNUE_STATUS_NULL_POINTER, "guesses");
    REFUSED(nnue_guesses_of("/no/such/file", &guesses, &count), NNUE_STATUS_BAD_FILE, "/no/such/file");
    REFUSED(nnue_guesses_of(NULL, &guesses, &count), NNUE_STATUS_NULL_POINTER, "path");
    nnue_guesses_free(guesses);
    nnue_guesses_free(NULL);
}

int main(int count, char **arguments) {
    if (count != 2) return fprintf(stderr, "usage: declaration_of FILE\n"), 2;
    const char *path = arguments[1];
    size_t length = 0;
    EXPECT(nnue_declaration_of(path, NULL, 0, &length) == NNUE_STATUS_OK && length > 0);
    char *text = malloc(length + 1);
    if (!text) return 1;
    text[0] = 'x';
    EXPECT(nnue_declaration_of(path, text, length, &length) == NNUE_STATUS_OK && text[0] == 'x');
    EXPECT(nnue_declaration_of(path, text, length + 1, &length) == NNUE_STATUS_OK && strlen(text) == length);
    REFUSED(nnue_declaration_of("/no/such/file", NULL, 0, &length), NNUE_STATUS_BAD_FILE, "/no/such/file");
    REFUSED(nnue_declaration_of(NULL, NULL, 0, &length), NNUE_STATUS_NULL_POINTER, "path");
    REFUSED(nnue_declaration_of(path, NULL, 1, &length), NNUE_STATUS_NULL_POINTER, "declaration");
    REFUSED(nnue_declaration_of(path, NULL, 0, NULL), NNUE_STATUS_NULL_POINTER, "length");
    printf("%s", text);
    free(text);
    print_guesses(path);
    return failed;
}
