// The type `Memory` of the module: an owner of pages for large results.

#ifndef GRAPHCODABLE_MEMORY_H
#define GRAPHCODABLE_MEMORY_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/// Adds the type to the module; -1 where that fails, with Python's error set.
int add_memory(PyObject *module);

/// The number of bytes that are kept for the next results.
PyObject *kept_memory(PyObject *module, PyObject *unused);

/// Gives the system what is kept.
PyObject *drop_kept_memory(PyObject *module, PyObject *unused);

#endif
