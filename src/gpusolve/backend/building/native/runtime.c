/* The functions of Numba's runtime that machine code of twins calls, without Numba and without Python.
 *
 * An array that a twin makes lies behind its owner in one piece of memory. A list, such as the stack of Numba's sort,
 * lies elsewhere, because it can grow. Each library of twins contains these functions for itself; memory always comes
 * from the C library's malloc, so another library may free it. */
#include "owner.h"

void *NRT_Allocate(size_t size) { return malloc(size); }
void NRT_Free(void *memory) { free(memory); }

Owner *NRT_MemInfo_alloc_aligned(size_t size, uint32_t align) {
    if (align < sizeof(void *)) align = sizeof(void *);
    Owner *owner = malloc(sizeof(Owner) + align - 1 + size);
    if (owner) {
        uintptr_t first = (uintptr_t)(owner + 1) + align - 1;
        *owner = (Owner){1, 0, 0, (void *)(first - first % align), size, 0};
    }
    return owner;
}

Owner *NRT_MemInfo_alloc(size_t size) { return NRT_MemInfo_alloc_aligned(size, 16); }
void NRT_MemInfo_call_dtor(Owner *owner) { destroyed(owner); }

typedef void (*Destroy)(void *data, size_t size, void *info);

static void destroy_list(void *data, size_t size, void *info) {
    if (info) ((Destroy)info)(data, size, 0);
    free(data);
}

Owner *NRT_MemInfo_new_varsize_dtor(size_t size, Destroy elements) {
    Owner *owner = malloc(sizeof(Owner));
    void *data = malloc(size);
    if (!owner || !data) {
        free(owner);
        free(data);
        return 0;
    }
    *owner = (Owner){1, destroy_list, (void *)elements, data, size, 0};
    return owner;
}

void NRT_MemInfo_varsize_free(Owner *owner, void *memory) {
    if (owner->data == memory) owner->data = 0;
    free(memory);
}

static void *kept(Owner *owner, void *memory, size_t size) {
    if (memory) {
        owner->data = memory;
        owner->size = size;
    }
    return memory;
}

void *realloc(void *, size_t);
void *NRT_MemInfo_varsize_alloc(Owner *owner, size_t size) { return kept(owner, malloc(size), size); }
void *NRT_MemInfo_varsize_realloc(Owner *owner, size_t size) { return kept(owner, realloc(owner->data, size), size); }

/* Find the strides of a reshaped array, in bytes, if its elements may stay where they are: then return 1. Twins reshape
 * arrays without gaps only. */
int numba_attempt_nocopy_reshape(intptr_t axes, const intptr_t *shape, const intptr_t *strides, intptr_t new_axes,
                                 const intptr_t *new_shape, intptr_t *new_strides, intptr_t item_size, int is_fortran) {
    intptr_t expected = item_size;
    for (intptr_t i = axes - 1; i >= 0; expected *= shape[i--])
        if (shape[i] > 1 && strides[i] != expected) return 0;
    if (is_fortran && new_axes > 1) return 0;
    expected = item_size;
    for (intptr_t i = new_axes - 1; i >= 0; expected *= new_shape[i--]) new_strides[i] = expected;
    return 1;
}

/* Numba also compiles functions that turn the arguments of an exception into Python's objects, as its own wrappers need
 * them. Nobody calls them here (see `failed` in caller.c), so what they would call is missing. */
#define NEVER_CALLED(name) __attribute__((visibility("hidden"))) void name(void) { __builtin_trap(); }
NEVER_CALLED(PyErr_SetString)
NEVER_CALLED(PyExc_RuntimeError)
NEVER_CALLED(PyObject_Hash)
NEVER_CALLED(PyTuple_Pack)
NEVER_CALLED(PyTuple_New)
NEVER_CALLED(PyLong_FromLongLong)
NEVER_CALLED(PyUnicode_FromKindAndData)
