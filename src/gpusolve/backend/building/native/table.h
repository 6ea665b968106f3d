/* The table of a function: an entry for each list of argument types that it is compiled for (see caller.c). */
#include <stdint.h>

typedef struct {
    const char *code; /* of the types of the arguments; null behind the last variant */
    int32_t (*run)(const int64_t *words, int64_t *results, void **error);
    const char *result; /* the code of the result's type; empty for None */
} Variant;
