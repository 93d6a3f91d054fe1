// Saving, appending and locking: the functions of the C target that Swift uses as well.

#ifndef GRAPHCODABLE_FILES_H
#define GRAPHCODABLE_FILES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyMethodDef file_methods[];

#endif
