// Processes: which have ended, and the files that they left behind.

#include "files.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>

// A name of a temporary file of a process.
static void make_temporary_path(char path[path_max], const char *folder, const gca_process *process,
                                uint64_t number) {
    char name[GCA_TEMPORARY_NAME_MAX];
    gca_temporary_name(name, process, number, ".suffix");
    make_path(path, folder, name);
}

// A process that has ended.
static gca_process ended_process(void) {
    gca_process process;
    gca_process_this(&process);
    process.id = fork();
    if (process.id == 0) _exit(0);
    CHECK(waitpid((pid_t)process.id, NULL, 0) == process.id);
    return process;
}

static void processes_that_run_that_have_ended_and_of_other_hosts_are_told(const char *folder) {
    (void)folder;
    gca_process here, other;
    gca_process_this(&here);
    CHECK(here.id == getpid() && here.host[0] != 0);
    CHECK(gca_process_look(&here, &here) == GCA_PROCESS_RUNS);
    other = ended_process();
    CHECK(gca_process_look(&other, &here) == GCA_PROCESS_GONE);
    // Another one has its number now.
    other = here;
    other.started++;
    CHECK(gca_process_look(&other, &here) == (here.started == 0 ? GCA_PROCESS_RUNS : GCA_PROCESS_GONE));
    strcat(other.host, "x");
    CHECK(gca_process_look(&other, &here) == GCA_PROCESS_ELSEWHERE);
    other = here;
    other.space++;
    CHECK(gca_process_look(&other, &here) == GCA_PROCESS_ELSEWHERE);
    // The machine was restarted; or it is another one of the same name, about which nothing else is known.
    gca_process named = here;
    memcpy(named.machine, "m", 2);
    memcpy(named.boot, "1", 2);
    other = named;
    other.boot[0] = '2';
    CHECK(gca_process_look(&other, &named) == GCA_PROCESS_GONE);
    named.machine[0] = other.machine[0] = 0;
    CHECK(gca_process_look(&other, &named) == GCA_PROCESS_ELSEWHERE);
    other.machine[0] = 'n';
    CHECK(gca_process_look(&other, &named) == GCA_PROCESS_ELSEWHERE);
    // One that has ended but was not waited for.
    other = here;
    other.id = fork();
    if (other.id == 0) _exit(0);
    other.started = 0;
    siginfo_t info;
    CHECK(waitid(P_PID, (id_t)other.id, &info, WEXITED | WNOWAIT) == 0);
    CHECK(gca_process_look(&other, &here) == GCA_PROCESS_GONE);
    CHECK(waitpid((pid_t)other.id, NULL, 0) == other.id);
}

static void one_of_many_makes_a_file(const char *folder) {
    char path[path_max], temporary[path_max];
    make_path(path, folder, "exclusive");
    make_path(temporary, folder, ".temporary");
    CHECK(gca_file_make_exclusive(temporary, path, "first", 5) == GCA_OK);
    CHECK(holds(path, "first") && !exists(temporary));
    CHECK(gca_file_make_exclusive(temporary, path, "second", 6) == GCA_FILE_EXISTS);
    CHECK(holds(path, "first") && !exists(temporary));
    make_path(path, folder, "none/exclusive");
    CHECK(gca_file_make_exclusive(temporary, path, "third", 5) == GCA_FILE_OPEN && errno == ENOENT);
    CHECK(!exists(temporary));
}

static void abandoned_files_are_removed_and_others_are_not(const char *folder) {
    char left[path_max], locked[path_max], other[path_max], link[path_max], pipe[path_max];
    char running[path_max], elsewhere[path_max], unnamed[path_max];
    gca_process here, gone = ended_process(), remote;
    gca_process_this(&here);
    remote = gone;
    strcat(remote.host, ".elsewhere.org");
    make_temporary_path(left, folder, &gone, 1);
    make_temporary_path(locked, folder, &gone, 2);
    make_path(other, folder, "other.suffix");
    make_temporary_path(link, folder, &gone, 3);
    make_temporary_path(pipe, folder, &gone, UINT64_MAX);
    make_temporary_path(running, folder, &here, 1);
    make_temporary_path(elsewhere, folder, &remote, 1);
    make_path(unnamed, folder, ".1.suffix");
    write_new_file(running, "text");
    write_new_file(elsewhere, "text");
    write_new_file(unnamed, "text");
    write_new_file(left, "text");
    write_new_file(other, "text");
    CHECK(symlink(other, link) == 0);
    CHECK(mkfifo(pipe, 0600) == 0);
    gca_file file;
    CHECK(gca_file_create(&file, locked, 0600) == GCA_OK);
    gca_file_remove_abandoned(folder, ".suffix", &here);
    CHECK(!exists(left));
    CHECK(exists(locked) && exists(other) && exists(pipe) && exists(link));
    gca_file_close(&file);
    gca_file_remove_abandoned(folder, ".suffix", &here);
    CHECK(!exists(locked) && exists(other) && exists(pipe) && exists(link));
    CHECK(exists(running) && exists(elsewhere) && exists(unnamed));
    // Nothing to search: no error, and no effect.
    gca_file_remove_abandoned(other, ".suffix", &here);
    gca_file_remove_abandoned("", ".suffix", &here);
    CHECK(unlink(link) == 0 && unlink(pipe) == 0);
    CHECK(unlink(running) == 0 && unlink(elsewhere) == 0 && unlink(unnamed) == 0);
}

const test process_tests[] = {
    {"processes that run, that have ended and of other hosts are told",
     processes_that_run_that_have_ended_and_of_other_hosts_are_told},
    {"one of many makes a file", one_of_many_makes_a_file},
    {"abandoned files are removed and others are not", abandoned_files_are_removed_and_others_are_not},
    {NULL, NULL},
};
