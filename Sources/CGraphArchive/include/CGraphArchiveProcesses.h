// Identities of processes, for files and file names that say which process made them.

#ifndef CGRAPHARCHIVEPROCESSES_H
#define CGRAPHARCHIVEPROCESSES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A process and where it runs.
typedef struct gca_process {
    char host[65];     ///< The name of the host, without spaces and slashes.
    char machine[65];  ///< A name of the machine that stays; empty where it has none.
    char boot[65];     ///< A name that the machine gets when it is started; empty where it is not known.
    uint64_t space;    ///< Where its number is unique: containers count for themselves. 0 if unknown.
    uint64_t started;  ///< When it was started, in a unit of the system's. 0 if unknown.
    int64_t id;        ///< Its number.
} gca_process;

/// Describes the calling process.
void gca_process_this(gca_process *process);

/// What became of a process.
typedef enum gca_process_state {
    GCA_PROCESS_RUNS = 0,
    GCA_PROCESS_GONE = 1,       ///< It ran on this machine, and has ended.
    GCA_PROCESS_ELSEWHERE = 2,  ///< Another machine, or another container of this one, has to say.
} gca_process_state;

/// Looks for a process; `here` is the calling one. Without a `boot`, the machine's is used.
gca_process_state gca_process_look(const gca_process *process, const gca_process *here);

#ifdef __cplusplus
}
#endif

#endif
