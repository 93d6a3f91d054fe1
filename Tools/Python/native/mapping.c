// The type `Mapping` of the module: a file in memory, which takes no descriptor once it is there.

#include "files.h"

#include <errno.h>

#include "CGraphArchive.h"

typedef struct mapping {
    PyObject_HEAD
    gca_mapping its;
} mapping;

static PyObject *mapping_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    int descriptor;
    Py_ssize_t byteCount;
    if (names != NULL && PyDict_Size(names) > 0) {
        PyErr_SetString(PyExc_TypeError, "Mapping takes a descriptor and a number of bytes alone");
        return NULL;
    }
    if (!PyArg_ParseTuple(arguments, "in", &descriptor, &byteCount)) return NULL;
    if (byteCount < 1) {
        PyErr_SetString(PyExc_ValueError, "no bytes");
        return NULL;
    }
    gca_mapping found = {0};
    gca_status status = gca_file_map((gca_file){descriptor}, 0, (size_t)byteCount, &found);
    if (status == GCA_FILE_SHORT) {
        PyErr_SetString(PyExc_ValueError, "more bytes than the file has");
        return NULL;
    }
    if (status != GCA_OK) return PyErr_SetFromErrno(PyExc_OSError);
    PyObject *self = PyType_GenericAlloc(type, 0);
    if (self == NULL) {
        gca_file_unmap(&found);
        return NULL;
    }
    ((mapping *)self)->its = found;
    return self;
}

static void mapping_free(PyObject *self) {
    mapping *held = (mapping *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (held->its.start != NULL) gca_file_unmap(&held->its);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/// Each buffer keeps the mapping, which ends with the last of them.
static int mapping_buffer(PyObject *self, Py_buffer *view, int flags) {
    mapping *held = (mapping *)self;
    // From its beginning, so that its pages are its bytes.
    return PyBuffer_FillInfo(view, self, held->its.start, (Py_ssize_t)held->its.byteCount, 1, flags);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "Mapping(descriptor, byte_count)\n--\n\nThe first bytes of an open file, read-only."},
    {Py_tp_new, mapping_new},
    {Py_tp_dealloc, mapping_free},
    {Py_bf_getbuffer, mapping_buffer},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "graphcodable._native.Mapping",
    .basicsize = sizeof(mapping),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

int add_files(PyObject *module) {
    if (PyModule_AddFunctions(module, file_methods) != 0) return -1;
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    if (type == NULL) return -1;
    int status = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return status;
}
