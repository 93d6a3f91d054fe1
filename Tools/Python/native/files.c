// Saving, appending and locking. Descriptors are numbers, as in `os`; what fails is an OSError with the system's reason.

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "CGraphArchive.h"

/// Waits without the lock of the interpreter, and keeps the system's reason.
#define WAIT(status, call)        \
    do {                          \
        Py_BEGIN_ALLOW_THREADS    \
        status = (call);          \
        reason = errno;           \
        Py_END_ALLOW_THREADS      \
    } while (0)

/// None, or the error of a function.
static PyObject *outcome(gca_status status, int reason, PyObject *path) {
    if (status == GCA_OK) return Py_NewRef(Py_None);
    if (status == GCA_NO_MEMORY) return PyErr_NoMemory();
    errno = status == GCA_FILE_EXISTS ? EEXIST : status == GCA_FILE_LOCKED ? EWOULDBLOCK : reason;
    if (path == NULL) return PyErr_SetFromErrno(PyExc_OSError);
    PyObject *name = PyUnicode_DecodeFSDefault(PyBytes_AsString(path));
    if (name == NULL) return NULL;
    PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, name);
    Py_DECREF(name);
    return NULL;
}

/// A descriptor, or the error of a function.
static PyObject *opened(gca_status status, int reason, gca_file file, PyObject *path) {
    return status == GCA_OK ? PyLong_FromLong(file.descriptor) : outcome(status, reason, path);
}

// MARK: Processes

static PyObject *process_this(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    gca_process process;
    gca_process_this(&process);
    return Py_BuildValue("(sLKKss)", process.host, (long long)process.id, (unsigned long long)process.started,
                         (unsigned long long)process.space, process.machine, process.boot);
}

static bool read_text(char *field, size_t capacity, const char *text) {
    if (strlen(text) >= capacity) {
        PyErr_SetString(PyExc_ValueError, "a text that a process does not have");
        return false;
    }
    strcpy(field, text);
    return true;
}

static bool read_process(gca_process *process, PyObject *tuple) {
    const char *host, *machine, *boot;
    long long id;
    unsigned long long started, space;
    memset(process, 0, sizeof *process);
    if (!PyArg_ParseTuple(tuple, "sLKKss", &host, &id, &started, &space, &machine, &boot)) return false;
    process->id = id, process->started = started, process->space = space;
    return read_text(process->host, sizeof process->host, host)
        && read_text(process->machine, sizeof process->machine, machine)
        && read_text(process->boot, sizeof process->boot, boot);
}

static PyObject *process_look(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *tuple;
    gca_process process, here;
    if (!PyArg_ParseTuple(arguments, "O!", &PyTuple_Type, &tuple) || !read_process(&process, tuple)) return NULL;
    gca_process_this(&here);
    return PyLong_FromLong(gca_process_look(&process, &here));
}

static PyObject *temporary_name(PyObject *module, PyObject *arguments) {
    (void)module;
    unsigned long long number;
    const char *suffix;
    if (!PyArg_ParseTuple(arguments, "Ks", &number, &suffix)) return NULL;
    gca_process process;
    gca_process_this(&process);
    char name[GCA_TEMPORARY_NAME_MAX];
    gca_temporary_name(name, &process, number, suffix);
    return PyUnicode_FromString(name);
}

// MARK: Files

static PyObject *file_create(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *path;
    unsigned permissions;
    if (!PyArg_ParseTuple(arguments, "O&I", PyUnicode_FSConverter, &path, &permissions)) return NULL;
    const char *name = PyBytes_AsString(path);
    gca_file file = {-1};
    gca_status status;
    int reason;
    WAIT(status, gca_file_create(&file, name, permissions));
    PyObject *result = opened(status, reason, file, path);
    Py_DECREF(path);
    return result;
}

static PyObject *file_open_append(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *path;
    unsigned permissions;
    if (!PyArg_ParseTuple(arguments, "O&I", PyUnicode_FSConverter, &path, &permissions)) return NULL;
    const char *name = PyBytes_AsString(path);
    gca_file file = {-1};
    gca_status status;
    int reason;
    WAIT(status, gca_file_open_append(&file, name, permissions, true));
    PyObject *result = opened(status, reason, file, path);
    Py_DECREF(path);
    return result;
}

static PyObject *file_set_permissions(PyObject *module, PyObject *arguments) {
    (void)module;
    int descriptor;
    unsigned permissions;
    if (!PyArg_ParseTuple(arguments, "iI", &descriptor, &permissions)) return NULL;
    gca_status status = gca_file_set_permissions((gca_file){descriptor}, permissions);
    return outcome(status, errno, NULL);
}

static PyObject *file_set_owner(PyObject *module, PyObject *arguments) {
    (void)module;
    int descriptor;
    unsigned user, group;
    if (!PyArg_ParseTuple(arguments, "iII", &descriptor, &user, &group)) return NULL;
    gca_file_set_owner((gca_file){descriptor}, user, group);
    return Py_NewRef(Py_None);
}

static PyObject *file_is_at(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *path;
    int descriptor;
    if (!PyArg_ParseTuple(arguments, "iO&", &descriptor, PyUnicode_FSConverter, &path)) return NULL;
    const char *name = PyBytes_AsString(path);
    gca_status status;
    bool isAt = false;
    int reason;
    WAIT(status, gca_file_is_at((gca_file){descriptor}, name, &isAt));
    PyObject *result = status == GCA_OK ? PyBool_FromLong(isAt) : outcome(status, reason, path);
    Py_DECREF(path);
    return result;
}

/// Whether a small file consists of these bytes. One that is not there does not.
static gca_status file_equals(const char *path, const Py_buffer *bytes, bool *isEqual) {
    char found[4096];
    size_t count = 0, most = (size_t)bytes->len < sizeof found ? (size_t)bytes->len + 1 : sizeof found;
    *isEqual = false;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return errno == ENOENT || errno == ESTALE ? GCA_OK : GCA_FILE_OPEN;
    ssize_t now;
    do {
        now = read(descriptor, found + count, most - count);
        if (now > 0) count += (size_t)now;
    } while ((now > 0 && count < most) || (now < 0 && errno == EINTR));
    int reason = errno;
    close(descriptor);
    errno = reason;
    *isEqual = now >= 0 && count == (size_t)bytes->len && memcmp(found, bytes->buf, count) == 0;
    return now < 0 ? GCA_FILE_READ : GCA_OK;
}

/// In one call, since each append asks.
static PyObject *file_look(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *path = NULL, *lock = NULL;
    Py_buffer bytes;
    int descriptor;
    if (!PyArg_ParseTuple(arguments, "iO&O&y*", &descriptor, PyUnicode_FSConverter, &path, PyUnicode_FSConverter, &lock, &bytes)) {
        return NULL;
    }
    const char *name = PyBytes_AsString(path), *lockName = PyBytes_AsString(lock);
    gca_file file = {descriptor};
    gca_status status, lockStatus;
    uint64_t byteCount = 0;
    bool isAt = false, isEqual = false;
    int reason, lockReason = 0;
    Py_BEGIN_ALLOW_THREADS
    status = gca_file_is_at(file, name, &isAt);
    if (status == GCA_OK) status = gca_file_size(file, &byteCount);
    reason = errno;
    lockStatus = file_equals(lockName, &bytes, &isEqual);
    lockReason = errno;
    Py_END_ALLOW_THREADS
    PyObject *result = NULL;
    if (status != GCA_OK) {
        result = outcome(status, reason, path);
    } else if (lockStatus != GCA_OK) {
        result = outcome(lockStatus, lockReason, lock);
    } else {
        result = Py_BuildValue("(KOO)", (unsigned long long)byteCount, isAt ? Py_True : Py_False, isEqual ? Py_True : Py_False);
    }
    PyBuffer_Release(&bytes);
    Py_DECREF(path);
    Py_DECREF(lock);
    return result;
}

static PyObject *file_unlock(PyObject *module, PyObject *arguments) {
    (void)module;
    int descriptor;
    if (!PyArg_ParseTuple(arguments, "i", &descriptor)) return NULL;
    gca_file_unlock((gca_file){descriptor});
    return Py_NewRef(Py_None);
}

static PyObject *file_sync(PyObject *module, PyObject *arguments) {
    (void)module;
    int descriptor, reason;
    if (!PyArg_ParseTuple(arguments, "i", &descriptor)) return NULL;
    gca_file file = {descriptor};
    gca_status status;
    WAIT(status, gca_file_sync(&file));
    return outcome(status, reason, NULL);
}

static PyObject *file_truncate(PyObject *module, PyObject *arguments) {
    (void)module;
    int descriptor, reason;
    unsigned long long count;
    if (!PyArg_ParseTuple(arguments, "iK", &descriptor, &count)) return NULL;
    gca_status status;
    WAIT(status, gca_file_truncate((gca_file){descriptor}, count));
    return outcome(status, reason, NULL);
}

static PyObject *file_read(PyObject *module, PyObject *arguments) {
    (void)module;
    int descriptor, reason;
    Py_buffer out;
    unsigned long long offset;
    if (!PyArg_ParseTuple(arguments, "iw*K", &descriptor, &out, &offset)) return NULL;
    gca_status status;
    WAIT(status, gca_file_read((gca_file){descriptor}, out.buf, (size_t)out.len, offset));
    PyBuffer_Release(&out);
    return status == GCA_FILE_SHORT || status == GCA_OK ? PyBool_FromLong(status == GCA_OK) : outcome(status, reason, NULL);
}

static PyObject *file_write(PyObject *module, PyObject *arguments) {
    (void)module;
    int descriptor, reason = 0;
    PyObject *given;
    unsigned long long offset;
    if (!PyArg_ParseTuple(arguments, "iO!K", &descriptor, &PyList_Type, &given, &offset)) return NULL;
    // Others may change the list meanwhile.
    PyObject *list = PyList_GetSlice(given, 0, PyList_Size(given));
    if (list == NULL) return NULL;
    size_t count = (size_t)PyList_Size(list), held = 0;
    Py_buffer *buffers = calloc(count + 1, sizeof *buffers);
    gca_piece *pieces = calloc(count + 1, sizeof *pieces);
    gca_status status = buffers == NULL || pieces == NULL ? GCA_NO_MEMORY : GCA_OK;
    while (status == GCA_OK && held < count) {
        if (PyObject_GetBuffer(PyList_GetItem(list, (Py_ssize_t)held), &buffers[held], PyBUF_SIMPLE) != 0) break;
        pieces[held] = (gca_piece){buffers[held].buf, (size_t)buffers[held].len};
        held++;
    }
    if (status == GCA_OK && held == count) WAIT(status, gca_file_write((gca_file){descriptor}, pieces, count, offset));
    for (size_t each = 0; each < held; each++) PyBuffer_Release(&buffers[each]);
    free(buffers);
    free(pieces);
    Py_DECREF(list);
    return PyErr_Occurred() ? NULL : outcome(status, reason, NULL);
}

static PyObject *file_make_exclusive(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *temporary = NULL, *path = NULL;
    Py_buffer bytes;
    if (!PyArg_ParseTuple(arguments, "O&O&y*", PyUnicode_FSConverter, &temporary, PyUnicode_FSConverter, &path, &bytes)) {
        return NULL;
    }
    const char *temporaryName = PyBytes_AsString(temporary), *name = PyBytes_AsString(path);
    gca_status status;
    int reason;
    WAIT(status, gca_file_make_exclusive(temporaryName, name, bytes.buf, (size_t)bytes.len));
    PyObject *result = outcome(status, reason, path);
    PyBuffer_Release(&bytes);
    Py_DECREF(temporary);
    Py_DECREF(path);
    return result;
}

static PyObject *file_publish(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *temporary = NULL, *path = NULL, *folder = NULL;
    if (!PyArg_ParseTuple(arguments, "O&O&O&", PyUnicode_FSConverter, &temporary, PyUnicode_FSConverter, &path,
                          PyUnicode_FSConverter, &folder)) {
        return NULL;
    }
    const char *temporaryName = PyBytes_AsString(temporary), *name = PyBytes_AsString(path);
    const char *folderName = PyBytes_AsString(folder);
    gca_status status;
    int reason;
    WAIT(status, gca_file_publish(temporaryName, name, folderName));
    // In place, although a crash of the system may undo that.
    PyObject *result = status == GCA_FILE_SYNC ? PyLong_FromLong(reason) : outcome(status, reason, path);
    if (result == Py_None) {
        Py_DECREF(result);
        result = PyLong_FromLong(0);
    }
    Py_DECREF(temporary);
    Py_DECREF(path);
    Py_DECREF(folder);
    return result;
}

static PyObject *file_remove_abandoned(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *folder;
    const char *suffix;
    if (!PyArg_ParseTuple(arguments, "O&s", PyUnicode_FSConverter, &folder, &suffix)) return NULL;
    const char *name = PyBytes_AsString(folder);
    gca_process here;
    Py_BEGIN_ALLOW_THREADS
    gca_process_this(&here);
    gca_file_remove_abandoned(name, suffix, &here);
    Py_END_ALLOW_THREADS
    Py_DECREF(folder);
    return Py_NewRef(Py_None);
}

static PyObject *folder_sync(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *folder;
    if (!PyArg_ParseTuple(arguments, "O&", PyUnicode_FSConverter, &folder)) return NULL;
    const char *name = PyBytes_AsString(folder);
    gca_status status;
    int reason;
    WAIT(status, gca_folder_sync(name));
    PyObject *result = outcome(status, reason, folder);
    Py_DECREF(folder);
    return result;
}

PyMethodDef file_methods[] = {
    {"process_this", process_this, METH_NOARGS, "This process: host, number, start, space of numbers, machine, boot."},
    {"process_look", process_look, METH_VARARGS, "What became of a process: 0, it runs; 1, it is gone; 2, it is elsewhere."},
    {"temporary_name", temporary_name, METH_VARARGS, "The name of a temporary file of this process."},
    {"file_create", file_create, METH_VARARGS, "Creates a temporary file, which is locked, and opens it."},
    {"file_open_append", file_open_append, METH_VARARGS, "Opens or creates a file to append to it, and locks it."},
    {"file_set_owner", file_set_owner, METH_VARARGS, "Gives an open file an owner, as far as the process may."},
    {"file_set_permissions", file_set_permissions, METH_VARARGS, "Gives an open file permissions, whatever the mask is."},
    {"file_is_at", file_is_at, METH_VARARGS, "Whether an open file is the one at a path."},
    {"file_look", file_look, METH_VARARGS, "Size of an open file, whether it is at a path, and whether a lock file has some bytes."},
    {"file_unlock", file_unlock, METH_VARARGS, "Gives the lock of an open file back."},
    {"file_sync", file_sync, METH_VARARGS, "Waits until the bytes of a file are on the device."},
    {"file_truncate", file_truncate, METH_VARARGS, "Cuts a file."},
    {"file_read", file_read, METH_VARARGS, "Fills a buffer from an offset on; whether the file has so many bytes."},
    {"file_write", file_write, METH_VARARGS, "Writes the buffers of a list one behind the other, from an offset on."},
    {"file_make_exclusive", file_make_exclusive, METH_VARARGS, "Makes a file of some bytes unless there is one of that name."},
    {"file_publish", file_publish, METH_VARARGS, "Gives a file its name; 0, or the reason why the folder may not be on the device."},
    {"file_remove_abandoned", file_remove_abandoned, METH_VARARGS, "Removes temporary files of processes that have ended."},
    {"folder_sync", folder_sync, METH_VARARGS, "Waits until the names of a folder are on the device."},
    {NULL, NULL, 0, NULL},
};
