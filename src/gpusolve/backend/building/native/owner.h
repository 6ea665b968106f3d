/* The owner of an array's memory, as Numba's code lays it out: what counts the references, and what frees the memory. */
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t);
void free(void *);

typedef struct Owner {
    size_t references;
    void (*destroy)(void *data, size_t size, void *info); /* called before `data` goes, if not null */
    void *info, *data;
    size_t size;
    void *allocator;
} Owner;

static void destroyed(Owner *owner) {
    if (owner->destroy) owner->destroy(owner->data, owner->size, owner->info);
    free(owner);
}
