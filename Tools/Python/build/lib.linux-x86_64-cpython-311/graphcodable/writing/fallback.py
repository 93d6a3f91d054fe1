"""What the module in C does with files, where the package is without it: by the same rules, with the same names."""

from __future__ import annotations

import errno
import os
import re
import socket
import stat
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

try:
    import fcntl
except ImportError:  # A system without these locks, on which nothing is written.
    fcntl = None  # type: ignore[assignment]

HAS_LOCKS = fcntl is not None
Process = tuple[str, int, int, int, str, str]
RUNS, GONE, ELSEWHERE = 0, 1, 2
MOST_TEXT = 64
MOST_AT_ONCE = 1 << 30
MOST_PIECES = 64
MOST_SMALL = 4096
OPEN_ATTEMPTS = 1000
NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)
Buffer = bytes | bytearray | memoryview
Result = TypeVar("Result")


# Processes


def text_of(path: str) -> str:
    """The beginning of a small file, without what is no letter at its end."""
    try:
        with open(path, "rb", buffering=0) as file:
            return (file.read(MOST_TEXT) or b"").decode("ascii", "replace").rstrip()
    except OSError:
        return ""


def started(process: int) -> tuple[int, bool]:
    """When a process was started, in the clock ticks of proc(5), 0 if that cannot be said; and whether it has ended."""
    try:
        if os.readlink("/proc/self") != str(os.getpid()):
            return 0, False  # What is mounted there may be about the processes of another container.
        with open(f"/proc/{process}/stat", "rb", buffering=0) as file:
            # The name of the program stands in parentheses and may have any others.
            fields = (file.read(1023) or b"").rpartition(b")")[2].split()
        return int(fields[19]), fields[0] == b"X" or (fields[0] == b"Z" and int(fields[17]) <= 1)
    except (OSError, IndexError, ValueError):
        return 0, False


def process_this() -> Process:
    host = re.sub(r"[^!-.0-~]", "_", socket.gethostname()[:MOST_TEXT]) or "localhost"
    try:
        space = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        space = 0
    boot = text_of("/proc/sys/kernel/random/boot_id")
    return host, os.getpid(), started(os.getpid())[0], space, text_of("/etc/machine-id"), boot


def process_look(process: Process) -> int:
    host, number, when, space, machine, boot = process
    here = process_this()
    if host != here[0]:
        return ELSEWHERE
    if boot and machine != here[4]:
        return ELSEWHERE
    if boot and boot != here[5]:
        # A machine that was started again has none of its earlier processes, if it is the same one.
        return GONE if here[4] else ELSEWHERE
    if space != here[3]:
        return ELSEWHERE
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return GONE
    except OSError:
        pass
    since, has_ended = started(number)
    return GONE if has_ended or (since and when and since != when) else RUNS


def temporary_name(number: int, suffix: str) -> str:
    host, process, when, space, *_ = process_this()
    return f".{host}.{process}.{when:x}.{space:x}.{number:x}{suffix}"


TEMPORARY = re.compile(r"\.(?P<host>.+)\.(?P<process>[0-9]{1,10})\.(?P<when>[0-9a-f]+)\.(?P<space>[0-9a-f]+)\.[0-9a-f]+")


def file_remove_abandoned(folder: str, suffix: str) -> None:
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        match = TEMPORARY.fullmatch(name.removesuffix(suffix)) if name.endswith(suffix) else None
        if match is None:
            continue
        process = match["host"], int(match["process"]), int(match["when"], 16), int(match["space"], 16), "", ""
        if not 0 < process[1] < 1 << 31 or process_look(process) != GONE:
            continue
        path = os.path.join(folder, name)
        flags = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            try:
                descriptor = os.open(path, os.O_RDWR | flags)
            except PermissionError:
                descriptor = os.open(path, os.O_RDONLY | flags)
        except OSError:
            continue
        try:
            # Locked until it is gone, so that a process that has just created it finds out.
            if stat.S_ISREG(os.fstat(descriptor).st_mode) and is_locked(descriptor) and os.fstat(descriptor).st_nlink:
                os.unlink(path)
        except OSError:
            pass
        finally:
            os.close(descriptor)


# Locks


def is_locked(descriptor: int, waits: bool = False) -> bool:
    """Locks an open file; false where another process has the lock, or there are none."""
    if fcntl is None:
        raise OSError(errno.ENOTSUP, "this system has no locks that writers need")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def file_unlock(descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    except OSError:
        pass


# Files


def closing(descriptor: int, action: Callable[[], Result]) -> Result:
    """What an action on an open file gives; the file is closed if it fails."""
    try:
        return action()
    except BaseException:
        os.close(descriptor)
        raise


def file_create(path: str, permissions: int) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, permissions)
        closing(descriptor, lambda: is_locked(descriptor, waits=True))
        # Before it was locked, it looked like one that a killed process left.
        if os.fstat(descriptor).st_nlink:
            return descriptor
        os.close(descriptor)


def file_open_append(path: str, permissions: int) -> int:
    for _ in range(OPEN_ATTEMPTS):
        # Without waiting, since a named pipe is to be refused.
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, permissions)
        if closing(descriptor, lambda: locked_at(descriptor, path)):
            return descriptor
        os.close(descriptor)
    raise OSError(errno.ESTALE, os.strerror(errno.ESTALE), path)


def locked_at(descriptor: int, path: str) -> bool:
    """Locks a file that grows; false where another one has its name by now."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
    if fcntl is None:
        raise OSError(errno.ENOTSUP, "this system has no locks that writers need", path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BlockingIOError(errno.EWOULDBLOCK, os.strerror(errno.EWOULDBLOCK), path) from None
    except OSError:
        pass  # A file system without locks.
    return file_is_at(descriptor, path)


def file_set_owner(descriptor: int, user: int, group: int) -> None:
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) == (user, group):
        return
    for owner in (user, -1):  # Without the right to give files away, to a group of its own.
        try:
            return os.fchown(descriptor, owner, group)
        except OSError:
            continue


def file_set_permissions(descriptor: int, permissions: int) -> None:
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != permissions:
        os.fchmod(descriptor, permissions)


def file_is_at(descriptor: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except (FileNotFoundError, NotADirectoryError):
        return False


def file_look(descriptor: int, path: str, lock: str, data: Buffer) -> tuple[int, bool, bool]:
    return os.fstat(descriptor).st_size, file_is_at(descriptor, path), file_read_small(lock) == data


def file_read_small(path: str) -> bytes | None:
    """What a small file consists of; `None` if there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ESTALE):
            return None
        raise
    try:
        return os.read(descriptor, MOST_SMALL)
    finally:
        os.close(descriptor)


def file_sync(descriptor: int) -> None:
    full = getattr(fcntl, "F_FULLFSYNC", None)  # Of macOS, where the drive keeps bytes to itself otherwise.
    try:
        if full is not None:
            fcntl.fcntl(descriptor, full)
            return
    except OSError:
        pass  # Not every file system knows it.
    os.fsync(descriptor)


def file_truncate(descriptor: int, size: int) -> None:
    os.ftruncate(descriptor, size)


def file_write(descriptor: int, pieces: list[Buffer], offset: int) -> None:
    left = [view for each in pieces if len(view := memoryview(each).cast("B"))]
    while left:
        room, vector = MOST_AT_ONCE, []
        for each in left[:MOST_PIECES]:
            if room:
                vector.append(each[:room])
                room -= len(vector[-1])
        count = os.pwritev(descriptor, vector, offset)
        if not count:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        offset += count
        while left and count >= len(left[0]):
            count -= len(left.pop(0))
        if count:
            left[0] = left[0][count:]


def file_make_exclusive(temporary: str, path: str, data: Buffer) -> None:
    descriptor = file_create(temporary, 0o666)
    try:
        # Closed before it gets its name: on network file systems others see its bytes from then on.
        closing(descriptor, lambda: file_write(descriptor, [data], 0))
        os.close(descriptor)
        try:
            os.link(temporary, path)
        except OSError as error:
            # A server may have answered, and its answer been lost.
            if os.stat(temporary).st_nlink != 2:
                if error.errno not in NO_LINKS:
                    raise OSError(error.errno, error.strerror, path) from None
                make_empty(path, data)
    finally:
        # What stays is removed by the next process.
        with suppress(OSError):
            os.unlink(temporary)


def make_empty(path: str, data: Buffer) -> None:
    """Where there are no links, the file is there a moment before its bytes are."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        file_write(descriptor, [data], 0)
    except BaseException:
        os.unlink(path)
        raise
    finally:
        os.close(descriptor)


def folder_open(folder: str) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def synchronized(descriptor: int) -> int:
    """Brings the names of an open folder to the device, and closes it; 0, or the reason why that failed."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some file systems cannot.
        return 0 if error.errno == errno.EINVAL else error.errno or errno.EIO
    finally:
        os.close(descriptor)
    return 0


def folder_sync(folder: str) -> None:
    if reason := synchronized(folder_open(folder)):
        raise OSError(reason, os.strerror(reason), folder)


def file_publish(temporary: str, path: str, folder: str) -> int:
    # Opened first: that this fails must not be found out about after the old file is gone.
    descriptor = folder_open(folder)
    closing(descriptor, lambda: os.rename(temporary, path))
    return synchronized(descriptor)
