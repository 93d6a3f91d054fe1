// graphcodable._native: blocks expanded, and files written, in C while other threads of Python run.
//
// No argument is trusted: sizes are checked against the available memory, and damaged blocks are results, not errors. The caller
// reports what is wrong, and where.

#include "files.h"
#include "memory.h"

#include <pthread.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#include "run.h"

static bool read_filters(gca_filter_list *list, const Py_buffer *buffer, Py_ssize_t width) {
    if (gca_filter_list_read(list, buffer->buf, (size_t)buffer->len, (size_t)width)) return true;
    PyErr_SetString(PyExc_ValueError, "filters that cannot be, or a codec of numbers of another width");
    return false;
}

static bool overlap(const Py_buffer *a, const Py_buffer *b) {
    uintptr_t first = (uintptr_t)a->buf, second = (uintptr_t)b->buf;
    return first < second + (size_t)b->len && second < first + (size_t)a->len;
}

/// Whether bytes of one block can become bytes of another.
static bool are_blocks(const Py_buffer *src, const Py_buffer *dst) {
    if (src->len <= (Py_ssize_t)GCA_BLOCK_MAX && dst->len <= (Py_ssize_t)GCA_BLOCK_MAX && !overlap(src, dst)) return true;
    PyErr_SetString(PyExc_ValueError, "more bytes than a block has, or the same memory twice");
    return false;
}

static PyObject *expand(PyObject *module, PyObject *arguments) {
    (void)module;
    Py_buffer stored, out, filters;
    Py_ssize_t width = 0;
    if (!PyArg_ParseTuple(arguments, "y*w*y*|n", &stored, &out, &filters, &width)) return NULL;
    PyObject *result = NULL;
    gca_filter_list list;
    if (read_filters(&list, &filters, width) && are_blocks(&stored, &out)) {
        gca_status status;
        Py_BEGIN_ALLOW_THREADS
        status = gca_stored_expand(out.buf, (size_t)out.len, stored.buf, (size_t)stored.len, &list);
        Py_END_ALLOW_THREADS
        result = status == GCA_NO_MEMORY ? PyErr_NoMemory() : PyBool_FromLong(status == GCA_OK);
    }
    PyBuffer_Release(&stored);
    PyBuffer_Release(&out);
    PyBuffer_Release(&filters);
    return result;
}

typedef gca_status change_function(uint8_t *, const uint8_t *, size_t, const gca_filter_list *);

static PyObject *change(PyObject *arguments, change_function *function) {
    Py_buffer data, out, filters;
    if (!PyArg_ParseTuple(arguments, "y*w*y*", &data, &out, &filters)) return NULL;
    PyObject *result = NULL;
    gca_filter_list list;
    if (data.len != out.len) {
        PyErr_SetString(PyExc_ValueError, "filters do not change the number of bytes");
    } else if (read_filters(&list, &filters, 0) && are_blocks(&data, &out)) {
        gca_status status;
        Py_BEGIN_ALLOW_THREADS
        status = function(out.buf, data.buf, (size_t)data.len, &list);
        Py_END_ALLOW_THREADS
        result = status == GCA_NO_MEMORY ? PyErr_NoMemory() : Py_NewRef(Py_None);
    }
    PyBuffer_Release(&data);
    PyBuffer_Release(&out);
    PyBuffer_Release(&filters);
    return result;
}

static PyObject *undo(PyObject *module, PyObject *arguments) {
    (void)module;
    return change(arguments, gca_filter_list_undo);
}

static PyObject *apply(PyObject *module, PyObject *arguments) {
    (void)module;
    return change(arguments, gca_filter_list_apply);
}

// MARK: Runs

/// Whether a signal has come whose handler raised an exception, such as KeyboardInterrupt. The caller's thread asks, without
/// the lock of the interpreter.
static bool is_interrupted(void *state) {
    PyThreadState **thread = state;
    PyEval_RestoreThread(*thread);
    bool result = PyErr_CheckSignals() != 0;
    *thread = PyEval_SaveThread();
    return result;
}

/// Whether signals are handled by this thread. Another one must not ask: where the interpreter is about to end, that would end
/// the thread, on whose stack helpers work.
static bool is_main_thread(void) {
#if defined(__linux__)
    return syscall(SYS_gettid) == getpid();
#elif defined(__APPLE__)
    return pthread_main_np() != 0;
#else
    return false;
#endif
}

static PyObject *answer(gca_run_result result) {
    if (PyErr_Occurred()) return NULL;  // By a signal.
    switch (result.failure) {
    case GCA_RUN_DONE: return Py_NewRef(Py_None);
    case GCA_RUN_NO_MEMORY: return PyErr_NoMemory();
    default: return Py_BuildValue("(ni)", (Py_ssize_t)result.block, (int)result.failure);
    }
}

static PyObject *run(const gca_run *prepared) {
    gca_run run = *prepared;
    if (!gca_run_is_possible(&run)) {
        PyErr_SetString(PyExc_ValueError, "blocks that do not fit their memory");
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    if (is_main_thread()) {
        run.isInterrupted = is_interrupted;
        run.interruption = &thread;
    }
    gca_run_result result = gca_run_expand(&run);
    PyEval_RestoreThread(thread);
    return answer(result);
}

static PyObject *expand_run(PyObject *module, PyObject *arguments) {
    (void)module;
    Py_ssize_t blockCount, rawCount, start, threadCount, width = 0;
    Py_buffer stored, entries, filters, out;
    if (!PyArg_ParseTuple(arguments, "y*y*nny*w*nn|n", &stored, &entries, &blockCount, &rawCount, &filters, &out, &start,
                          &threadCount, &width)) {
        return NULL;
    }
    PyObject *result = NULL;
    if (blockCount < 0 || rawCount < 0 || start < 0 || threadCount < 1 || entries.len % GCA_ENTRY_SIZE != 0
        || overlap(&stored, &out) || overlap(&entries, &out)) {
        PyErr_SetString(PyExc_ValueError, "sizes that cannot be");
    } else {
        gca_run its = {
            .stored = stored.buf,
            .storedCount = (uint64_t)stored.len,
            .entries = entries.buf,
            .count = (size_t)entries.len / GCA_ENTRY_SIZE,
            .blockCount = (size_t)blockCount,
            .rawCount = (size_t)rawCount,
            .start = (size_t)start,
            .dst = out.buf,
            .dstCount = (size_t)out.len,
            .threadCount = (size_t)threadCount,
        };
        if (read_filters(&its.filters, &filters, width)) result = run(&its);
    }
    PyBuffer_Release(&stored);
    PyBuffer_Release(&entries);
    PyBuffer_Release(&filters);
    PyBuffer_Release(&out);
    return result;
}

// MARK: Module

static PyMethodDef methods[] = {
    {"expand", expand, METH_VARARGS, "Expands a stored block into `out`, and says whether it has as many bytes."},
    {"undo", undo, METH_VARARGS, "Undoes filters of a block."},
    {"apply", apply, METH_VARARGS, "Applies filters to a block."},
    {"expand_run", expand_run, METH_VARARGS,
     "Expands blocks that are stored one behind the other; the first bad one and what is wrong with it, or None."},
    {"kept_memory", kept_memory, METH_NOARGS, "The number of bytes that are kept for the next results."},
    {"drop_kept_memory", drop_kept_memory, METH_NOARGS, "Gives the system what is kept."},
    {NULL, NULL, 0, NULL},
};

// As in native.py: what was built for other functions, or for another meaning of blocks and filters, is not used.
enum { INTERFACE = 7 };

static int prepare(PyObject *module) {
    if (PyModule_AddIntConstant(module, "INTERFACE", INTERFACE) != 0) return -1;
    return add_files(module) == 0 ? add_memory(module) : -1;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, prepare}, {0, NULL}};

static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_native",
    .m_doc = "Blocks of archives expanded, and files written, in C.",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__native(void);

PyMODINIT_FUNC PyInit__native(void) {
    pthread_atfork(NULL, NULL, gca_run_forget_helpers);
    return PyModuleDef_Init(&definition);
}
