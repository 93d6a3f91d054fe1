// Memory of large results: from the start of a large page on, and that of results that are gone once more.
//
// Making pages of zeros takes the system a third of the time in which a block is expanded, and a program that reads one step of
// a series after the other frees what it has read of the last one. The system may take kept pages at any time (`MADV_FREE`):
// a process does not run short by them, though it looks larger until then.
//
// All of this runs under the lock of the interpreter, which guards what is kept.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { MAPPINGS = 16, LARGE_PAGE = 1 << 21 };

static const size_t most_kept = (size_t)256 << 20;

/// Pages of this process alone.
typedef struct mapping {
    uint8_t *start;
    size_t byteCount;
} mapping;

// Unused pages, oldest first.
static mapping kept[MAPPINGS];
static size_t keptMappings, keptBytes;

static mapping remove_kept(size_t index) {
    mapping result = kept[index];
    memmove(&kept[index], &kept[index + 1], (--keptMappings - index) * sizeof result);
    keptBytes -= result.byteCount;
    return result;
}

static void unmap(mapping memory) { munmap(memory.start, memory.byteCount); }

static void drop_kept(void) {
    while (keptMappings > 0) unmap(remove_kept(0));
}

static bool map(mapping *memory) {
    void *start = mmap(NULL, memory->byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) return false;
    memory->start = start;
#if defined(MADV_HUGEPAGE)
    madvise(start, memory->byteCount, MADV_HUGEPAGE);  // Where the system has none, small ones do.
#endif
    return true;
}

/// The smallest kept pages with room for these bytes, and at most an eighth too large; otherwise new pages.
static bool take(size_t byteCount, mapping *memory) {
    size_t best = keptMappings;
    for (size_t i = 0; i < keptMappings; i++) {
        size_t its = kept[i].byteCount;
        if (its < byteCount || its - byteCount > byteCount / 8) continue;
        if (best == keptMappings || its < kept[best].byteCount) best = i;
    }
    if (best < keptMappings) {
        *memory = remove_kept(best);
        return true;
    }
    memory->byteCount = byteCount;
    if (map(memory)) return true;
    drop_kept();
    return map(memory);
}

/// Whether the address space of this process is limited: kept pages count towards the limit.
static bool is_limited(void) {
    struct rlimit limit;
    return (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        || (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY);
}

/// Keeps pages in place of those that were kept first.
static void give_back(mapping memory) {
#if defined(MADV_FREE)
    if (memory.byteCount <= most_kept && !is_limited() && madvise(memory.start, memory.byteCount, MADV_FREE) == 0) {
        while (keptMappings == MAPPINGS || keptBytes > most_kept - memory.byteCount) unmap(remove_kept(0));
        kept[keptMappings++] = memory;
        keptBytes += memory.byteCount;
        return;
    }
#endif
    unmap(memory);
}

// MARK: The type

typedef struct owner {
    PyObject_HEAD
    mapping memory;
    Py_ssize_t byteCount;
} owner;

static PyObject *owner_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    Py_ssize_t byteCount;
    if (names != NULL && PyDict_Size(names) > 0) {
        PyErr_SetString(PyExc_TypeError, "Memory takes the number of bytes alone");
        return NULL;
    }
    if (!PyArg_ParseTuple(arguments, "n", &byteCount)) return NULL;
    if (byteCount < 1) {
        PyErr_SetString(PyExc_ValueError, "no bytes");
        return NULL;
    }
    if (byteCount > PY_SSIZE_T_MAX - 2 * LARGE_PAGE) return PyErr_NoMemory();
    PyObject *self = PyType_GenericAlloc(type, 0);
    if (self == NULL) return NULL;
    owner *its = (owner *)self;
    its->byteCount = byteCount;
    // Whole large pages, behind those up to the first one.
    size_t large = ((size_t)byteCount + 2 * LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    if (take(large, &its->memory)) return self;
    Py_DECREF(self);
    return PyErr_NoMemory();
}

static void owner_free(PyObject *self) {
    owner *its = (owner *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (its->memory.start != NULL) give_back(its->memory);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/// Each buffer keeps its owner, so the memory lives as long as the last of them.
static int owner_buffer(PyObject *self, Py_buffer *view, int flags) {
    owner *its = (owner *)self;
    uint8_t *start = its->memory.start;
    start += (LARGE_PAGE - (uintptr_t)start % LARGE_PAGE) % LARGE_PAGE;
    return PyBuffer_FillInfo(view, self, start, its->byteCount, 0, flags);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "Memory(byte_count)\n--\n\nBytes of any values, writable, from the start of a large page on."},
    {Py_tp_new, owner_new},
    {Py_tp_dealloc, owner_free},
    {Py_bf_getbuffer, owner_buffer},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "graphcodable._native.Memory",
    .basicsize = sizeof(owner),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

// MARK: Module

PyObject *kept_memory(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    return PyLong_FromSize_t(keptBytes);
}

PyObject *drop_kept_memory(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    drop_kept();
    return Py_NewRef(Py_None);
}

int add_memory(PyObject *module) {
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    if (type == NULL) return -1;
    int status = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return status;
}
