// Processes: which one this is, and whether another one of this machine still runs.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CGraphArchive.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <sys/sysctl.h>
#include <uuid/uuid.h>
#endif

#if !defined(__APPLE__)
// Reads the beginning of a small file as text, without trailing spaces and control characters.
static bool read_text(const char *path, char *text, size_t capacity) {
    text[0] = 0;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    ssize_t count = read(descriptor, text, capacity - 1);
    close(descriptor);
    if (count < 0) count = 0;
    while (count > 0 && text[count - 1] <= ' ') count--;
    text[count] = 0;
    return count > 0;
}

// When a process was started, in the clock ticks of proc(5); 0 if unknown.
static uint64_t start_time(const char *process, bool *isEnded) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%s/stat", process);
    *isEnded = false;
    if (!read_text(path, text, sizeof text)) return 0;
    // The name of the program is in parentheses and may contain others. After it comes the state, field 3.
    char *next = strrchr(text, ')');
    if (next == NULL || next[1] == 0) return 0;
    char state = next[2];
    next++;
    long threadCount = 0;
    for (int field = 3; field < 22 && next != NULL; field++) {
        next = strchr(next + 1, ' ');
        if (field == 19 && next != NULL) threadCount = strtol(next, NULL, 10);
    }
    // A process that has ended but was not waited for, unlike one of which only the first thread has ended.
    *isEnded = (state == 'Z' && threadCount <= 1) || state == 'X';
    return next == NULL ? 0 : strtoull(next, NULL, 10);
}
#endif

// Of the process with this number; 0 if unknown.
static uint64_t started(int64_t id, bool *isEnded) {
    *isEnded = false;
#if defined(__APPLE__)
    struct kinfo_proc found;
    size_t byteCount = sizeof found;
    int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, (int)id};
    if (sysctl(name, 4, &found, &byteCount, NULL, 0) != 0 || byteCount == 0) return 0;
    *isEnded = found.kp_proc.p_stat == SZOMB;
    return (uint64_t)found.kp_proc.p_starttime.tv_sec * 1000000 + (uint64_t)found.kp_proc.p_starttime.tv_usec;
#else
    char process[24], own[24];
    snprintf(process, sizeof process, "%lld", (long long)id);
    // What is mounted there may describe the processes of another container.
    ssize_t count = readlink("/proc/self", own, sizeof own - 1);
    own[count < 0 ? 0 : count] = 0;
    if (strtoll(own, NULL, 10) != (long long)getpid()) return 0;
    return start_time(process, isEnded);
#endif
}

void gca_process_this(gca_process *process) {
    memset(process, 0, sizeof *process);
    if (gethostname(process->host, sizeof process->host - 1) != 0) process->host[0] = 0;
    // It becomes part of file names, and a line of a file.
    for (char *letter = process->host; *letter != 0; letter++) {
        if (*letter <= ' ' || *letter > '~' || *letter == '/') *letter = '_';
    }
    if (process->host[0] == 0) memcpy(process->host, "localhost", sizeof "localhost");
    process->id = getpid();
#if defined(__APPLE__)
    uuid_t machine;
    struct timespec noWait = {0, 0};
    uuid_string_t text;
    if (gethostuuid(machine, &noWait) == 0) {
        uuid_unparse(machine, text);
        memcpy(process->machine, text, sizeof text);
    }
    size_t byteCount = sizeof process->boot - 1;
    if (sysctlbyname("kern.bootsessionuuid", process->boot, &byteCount, NULL, 0) != 0) process->boot[0] = 0;
#else
    read_text("/etc/machine-id", process->machine, sizeof process->machine);
    read_text("/proc/sys/kernel/random/boot_id", process->boot, sizeof process->boot);
    struct stat status;
    if (stat("/proc/self/ns/pid", &status) == 0) process->space = (uint64_t)status.st_ino;
#endif
    bool isEnded;
    process->started = started(process->id, &isEnded);
}

gca_process_state gca_process_look(const gca_process *process, const gca_process *here) {
    if (strcmp(process->host, here->host) != 0) return GCA_PROCESS_ELSEWHERE;
    if (process->boot[0] != 0) {
        if (strcmp(process->machine, here->machine) != 0) return GCA_PROCESS_ELSEWHERE;
        if (strcmp(process->boot, here->boot) != 0) {
            // A machine that was restarted has none of its earlier processes. Without a permanent name, it may be another machine
            // with the same host name.
            return here->machine[0] != 0 ? GCA_PROCESS_GONE : GCA_PROCESS_ELSEWHERE;
        }
    }
    // Another container of this host numbers its processes on its own.
    if (process->space != here->space) return GCA_PROCESS_ELSEWHERE;
    if (kill((pid_t)process->id, 0) != 0 && errno == ESRCH) return GCA_PROCESS_GONE;
    bool isEnded;
    uint64_t time = started(process->id, &isEnded);
    if (isEnded) return GCA_PROCESS_GONE;
    // Another process has its number now.
    if (time != 0 && process->started != 0 && time != process->started) return GCA_PROCESS_GONE;
    return GCA_PROCESS_RUNS;
}
