// Saving, appending and locking: the functions of the C target that Swift uses as well.

#ifndef GRAPHCODABLE_FILES_H
#define GRAPHCODABLE_FILES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyMethodDef file_methods[];

/// Adds the functions and the type of mappings to the module; -1 where that fails, with Python's error set.
int add_files(PyObject *module);

#endif
