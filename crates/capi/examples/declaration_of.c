/* Prints the declaration that reads a file, and calls the function with wrong arguments: declaration_of FILE */
#include <stdlib.h>

#include "expect.h"

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
    return failed;
}
