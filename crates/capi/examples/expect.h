/* Expectations of the programs that call functions with wrong arguments. */
#include <stdio.h>
#include <string.h>

#include "nnue.h"

static int failed;

/* Says which line expected something else. */
#define EXPECT(condition) \
    do { \
        if (!(condition)) failed = 1, fprintf(stderr, "line %d: %s; last message: %s\n", __LINE__, #condition, nnue_error_message()); \
    } while (0)

#define REFUSED(call, expected, part) \
    do { \
        EXPECT((call) == (expected)); \
        EXPECT(strstr(nnue_error_message(), part)); \
    } while (0)
