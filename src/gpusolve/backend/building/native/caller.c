/* Call the twins in a library from Python. `gpusolve.backend.library` loads this file's library and those of the games.
 *
 * Idea. A twin is Numba's machine code for one list of argument types. Its library contains a table for each function,
 * with a `Variant` for each such list. A call turns Python's arguments into two things at once: a text that describes
 * their types (their code, see signatures.py), and the 64-bit words that the machine code takes. The variant with the
 * same code runs with these words while other threads of Python go on. If there is none, the call returns
 * NotImplemented, and Numba takes over.
 *
 * Layout. A number is one word. An array is 5 + 2 * ndim words: owner and parent (none), number of elements, bytes per
 * element, address, its shape, its strides in bytes. A named tuple is its fields, one after the other; None is a 0.
 *
 * Cost. About 0.2 microseconds, and 0.07 for each array, most of it in NumPy (benchmarks/twins.py).
 *
 * Python is used by its stable interface only, declared below, so that one library serves every version since 3.11, and
 * building it needs no headers. */
#include "owner.h"
#include "table.h"

typedef struct Object Object;
typedef intptr_t Size;
typedef Object *Function(Object *self, Object *arguments);

typedef struct {
    void *address;
    Object *exporter;
    Size length, item_size;
    int readonly, ndim;
    char *format;
    Size *shape, *strides, *suboffsets;
    void *internal;
} Buffer;

typedef struct {
    const char *name;
    Function *function;
    int flags;
    const char *about;
} Method;

enum { POSITIONAL = 1, WITH_STRIDES_AND_FORMAT = 0x18 | 0x04 };

extern Object PyLong_Type, PyBool_Type, PyFloat_Type, _Py_NoneStruct, _Py_TrueStruct, _Py_NotImplementedStruct;
extern Object *PyExc_SystemError;
Object *PyObject_Type(Object *);
int PyType_IsSubtype(Object *, Object *);
int PyObject_GetBuffer(Object *, Buffer *, int flags);
void PyBuffer_Release(Buffer *);
Object *PyObject_CallFunction(Object *, const char *format, ...);
Object *PyCFunction_NewEx(Method *, Object *self, Object *module);
Object *PyBool_FromLong(long), *PyLong_FromLongLong(long long), *PyLong_FromUnsignedLongLong(unsigned long long);
Object *PyFloat_FromDouble(double), *PyTuple_New(Size), *PyTuple_GetItem(Object *, Size), *PyLong_FromVoidPtr(void *);
double PyFloat_AsDouble(Object *);
long long PyLong_AsLongLong(Object *);
unsigned long long PyLong_AsUnsignedLongLong(Object *);
void *PyLong_AsVoidPtr(Object *);
Size PyTuple_Size(Object *);
int PyTuple_SetItem(Object *, Size, Object *);
void *PyErr_Occurred(void), PyErr_Clear(void), PyErr_SetString(Object *, const char *);
void *PyEval_SaveThread(void), PyEval_RestoreThread(void *);
void Py_IncRef(Object *), Py_DecRef(Object *);

enum { WORDS = 1024, CODE = 2048, BUFFERS = 256, DEPTH = 16 }; /* RESULTS: linking.py */

typedef struct {
    int64_t words[WORDS];
    char code[CODE];
    Buffer buffers[BUFFERS];
    int word, letter, buffer, depth;
} Arguments;

static Object *ndarray, *number, *boolean, *tuple, *make_array, *raise;

/* Add the type of an argument and its words. Returns 0 for an argument that no twin takes. */
static int add(Arguments *found, Object *argument);

static int add_number(Arguments *found, char letter, int64_t word) {
    if (found->word == WORDS || found->letter == CODE - 1) return 0;
    found->code[found->letter++] = letter;
    found->words[found->word++] = word;
    return 1;
}

static int64_t bits(double number) {
    union { double number; int64_t word; } both = {number};
    return both.word;
}

static int add_int(Arguments *found, Object *argument) {
    int64_t word = PyLong_AsLongLong(argument);
    if (word != -1 || !PyErr_Occurred()) return add_number(found, 'q', word);
    PyErr_Clear();
    word = (int64_t)PyLong_AsUnsignedLongLong(argument);
    if (word != -1 || !PyErr_Occurred()) return add_number(found, 'Q', word);
    PyErr_Clear();
    return 0;
}

/* The letter of a NumPy type: `format` names C's types, whose sizes differ between machines. */
static char letter_of(const Buffer *buffer) {
    const char *format = buffer->format ? buffer->format : "B";
    if (format[1]) return 0; /* other byte order, or a structure */
    switch (format[0]) {
    case 'b': case 'h': case 'i': case 'l': case 'q':
        return buffer->item_size == 1 ? 'b' : buffer->item_size == 2 ? 'h' : buffer->item_size == 4 ? 'i' : 'q';
    case 'B': case 'H': case 'I': case 'L': case 'Q':
        return buffer->item_size == 1 ? 'B' : buffer->item_size == 2 ? 'H' : buffer->item_size == 4 ? 'I' : 'Q';
    case 'f': case 'd': case '?':
        return format[0];
    }
    return 0;
}

static int64_t value_of(char letter, const void *place) {
    switch (letter) {
    case 'b': return *(const int8_t *)place;
    case 'h': return *(const int16_t *)place;
    case 'i': case 'f': return *(const int32_t *)place;
    case '?': case 'B': return *(const uint8_t *)place;
    case 'H': return *(const uint16_t *)place;
    case 'I': return *(const uint32_t *)place;
    }
    return *(const int64_t *)place;
}

static int is_contiguous(const Buffer *buffer) {
    Size expected = buffer->item_size;
    if (!buffer->length) return 1;
    for (int axis = buffer->ndim - 1; axis >= 0; axis--) {
        if (buffer->shape[axis] > 1 && buffer->strides[axis] != expected) return 0;
        expected *= buffer->shape[axis];
    }
    return 1;
}

static int add_array(Arguments *found, const Buffer *buffer, char letter) {
    int ndim = buffer->ndim;
    if (ndim < 1 || ndim > 9 || found->word + 5 + 2 * ndim > WORDS || found->letter + 4 >= CODE) return 0;
    if ((uintptr_t)buffer->address % buffer->item_size) return 0; /* machine code assumes alignment */
    char layout = is_contiguous(buffer) ? 'C' : 'A';
    char *code = found->code + found->letter;
    code[0] = '[';
    code[1] = (char)('0' + ndim);
    code[2] = buffer->readonly ? layout + 'a' - 'A' : layout;
    code[3] = letter;
    found->letter += 4;
    int64_t *word = found->words + found->word;
    word[0] = word[1] = 0;
    word[2] = buffer->length / buffer->item_size;
    word[3] = buffer->item_size;
    word[4] = (int64_t)buffer->address;
    for (int axis = 0; axis < ndim; axis++) {
        word[5 + axis] = buffer->shape[axis];
        word[5 + ndim + axis] = buffer->strides[axis];
    }
    found->word += 5 + 2 * ndim;
    return 1;
}

static int add_of_numpy(Arguments *found, Object *argument, int is_array) {
    if (found->buffer == BUFFERS) return 0;
    Buffer *buffer = found->buffers + found->buffer;
    if (PyObject_GetBuffer(argument, buffer, WITH_STRIDES_AND_FORMAT)) {
        PyErr_Clear();
        return 0;
    }
    found->buffer++;
    char letter = letter_of(buffer);
    if (!letter) return 0;
    if (is_array) return add_array(found, buffer, letter);
    if (buffer->ndim) return 0; /* a time, or text */
    return add_number(found, letter, value_of(letter, buffer->address));
}

static int add_fields(Arguments *found, Object *fields) {
    Size count = PyTuple_Size(fields);
    if (found->letter + 2 >= CODE || found->depth == DEPTH) return 0;
    found->depth++;
    found->code[found->letter++] = '(';
    for (Size i = 0; i < count; i++)
        if (!add(found, PyTuple_GetItem(fields, i))) return 0;
    if (found->letter + 1 >= CODE) return 0;
    found->code[found->letter++] = ')';
    found->depth--;
    return 1;
}

static int add(Arguments *found, Object *argument) {
    Object *type = PyObject_Type(argument);
    Py_DecRef(type); /* the argument keeps it */
    if (type == &PyLong_Type) return add_int(found, argument);
    if (type == ndarray) return add_of_numpy(found, argument, 1);
    if (type == &PyBool_Type) return add_number(found, '?', argument == &_Py_TrueStruct);
    if (type == &PyFloat_Type) return add_number(found, 'd', bits(PyFloat_AsDouble(argument)));
    if (argument == &_Py_NoneStruct) return add_number(found, 'n', 0);
    if (PyType_IsSubtype(type, tuple)) return add_fields(found, argument);
    if (PyType_IsSubtype(type, number) || type == boolean) return add_of_numpy(found, argument, 0);
    return 0;
}

/* Make Python's object of a result, and move `code` and `word` behind it. */
static Object *result_of(const char **code, const int64_t **word) {
    char letter = *(*code)++;
    if (letter == '(') {
        Size count = 0;
        const char *end = *code;
        for (int depth = 0; depth || *end != ')'; count += !depth, end += *end == '[' ? 4 : 1)
            depth += (*end == '(') - (*end == ')');
        Object *made = PyTuple_New(count);
        for (Size i = 0; made && i < count; i++) {
            Object *one = result_of(code, word);
            if (!one || PyTuple_SetItem(made, i, one)) {
                Py_DecRef(made);
                return 0;
            }
        }
        ++*code;
        return made;
    }
    if (letter == '[') {
        int ndim = (*code)[0] - '0';
        char kind[2] = {(*code)[2], 0};
        const int64_t *array = *word;
        *code += 3;
        *word += 5 + 2 * ndim;
        Object *made = PyObject_CallFunction(make_array, "sLiL", kind, (long long)array[4], ndim, (long long)(array + 5));
        Owner *owner = (Owner *)array[0];
        if (owner && --owner->references == 0) destroyed(owner);
        return made;
    }
    int64_t value = *(*word)++;
    union { int64_t word; double number; float single; } both = {value};
    switch (letter) {
    case '?': return PyBool_FromLong(value & 1);
    case 'd': return PyFloat_FromDouble(both.number);
    case 'f': return PyFloat_FromDouble(both.single);
    case 'B': return PyLong_FromLongLong((uint8_t)value);
    case 'H': return PyLong_FromLongLong((uint16_t)value);
    case 'I': return PyLong_FromLongLong((uint32_t)value);
    case 'b': return PyLong_FromLongLong((int8_t)value);
    case 'h': return PyLong_FromLongLong((int16_t)value);
    case 'i': return PyLong_FromLongLong((int32_t)value);
    case 'Q': return PyLong_FromUnsignedLongLong((uint64_t)value);
    }
    return PyLong_FromLongLong(value);
}

/* Numba describes an exception by its class and arguments, pickled. Arguments that are known only at run time would
 * need code of Numba's, so such an exception is raised without them. */
typedef struct {
    void *pickled;
    int32_t size;
    void *arguments, *unwrap;
    int32_t is_dynamic;
} Failure;

static Object *failed(int32_t status, Failure *failure) {
    if (status > 0 && failure) {
        Object *nothing = PyObject_CallFunction(
            raise, "Lii", (long long)failure->pickled, failure->size, failure->is_dynamic > 0);
        if (nothing) Py_DecRef(nothing);
    }
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "a twin failed without a reason");
    return 0;
}

static int is_same(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

/* Run the variant for these arguments; `self` is the address of the function's table. */
static Object *call(Object *self, Object *given) {
    Arguments found;
    found.word = found.letter = found.buffer = found.depth = 0;
    Object *made = 0;
    Size count = PyTuple_Size(given);
    int known = 1;
    for (Size i = 0; known && i < count; i++) known = add(&found, PyTuple_GetItem(given, i));
    found.code[found.letter] = 0;
    const Variant *variant = PyLong_AsVoidPtr(self);
    if (known)
        while (variant->code && !is_same(variant->code, found.code)) variant++;
    if (!known || !variant->code) {
        made = &_Py_NotImplementedStruct;
        Py_IncRef(made);
    } else {
        int64_t results[RESULTS];
        void *failure = 0;
        void *thread = PyEval_SaveThread();
        int32_t status = variant->run(found.words, results, &failure);
        PyEval_RestoreThread(thread);
        if (status == 0 || status == -2) {
            const char *code = variant->result;
            const int64_t *word = results;
            if (*code && status == 0) {
                made = result_of(&code, &word);
            } else {
                made = &_Py_NoneStruct;
                Py_IncRef(made);
            }
        } else {
            made = failed(status, failure);
        }
    }
    for (int i = 0; i < found.buffer; i++) PyBuffer_Release(found.buffers + i);
    return made;
}

/* Keep what calls need: NumPy's types of arrays, numbers and booleans, tuple, and two functions of library.py. */
void start(Object *array_type, Object *number_type, Object *boolean_type, Object *tuple_type, Object *to_make_array,
           Object *to_raise) {
    Object *kept[] = {array_type, number_type, boolean_type, tuple_type, to_make_array, to_raise};
    for (int i = 0; i < 6; i++) Py_IncRef(kept[i]);
    ndarray = array_type, number = number_type, boolean = boolean_type, tuple = tuple_type;
    make_array = to_make_array, raise = to_raise;
}

/* Return a function of Python that calls the variants of a table. */
Object *bind(void *table) {
    static Method method = {"twin", call, POSITIONAL, 0};
    Object *address = PyLong_FromVoidPtr(table);
    Object *made = address ? PyCFunction_NewEx(&method, address, 0) : 0;
    if (address) Py_DecRef(address);
    return made;
}

/* Write what an x86 processor and its operating system offer: registers 1.ecx, 7.ebx, 7.ecx, 0x80000001.ecx of CPUID,
 * and XCR0, which says whether the system keeps the wide registers. Zeros for other processors. */
void features(uint32_t *found) {
    for (int i = 0; i < 5; i++) found[i] = 0;
#if defined(__x86_64__)
    uint32_t a, b, c, d;
#define CPUID(leaf) __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(leaf), "c"(0))
    CPUID(0);
    uint32_t last = a;
    CPUID(1);
    found[0] = c;
    if (c >> 27 & 1) __asm__("xgetbv" : "=a"(found[4]), "=d"(d) : "c"(0));
    if (last >= 7) {
        CPUID(7);
        found[1] = b;
        found[2] = c;
    }
    CPUID(0x80000001u);
    found[3] = c;
#endif
}
