/* A child process that cannot outlive us.
 *
 * Between us and the child stands a guardian, a process of our own that does nothing but wait: for
 * the child to end, for a word from us, or for our end of its pipe to close, which it does whenever
 * we end, however we end. Then it kills the child, the child's group and whatever else descends
 * from it, and only then ends itself. Should the guardian be killed, the kernel kills the child
 * (PR_SET_PDEATHSIG), and we, who see the guardian's pipe close, kill the group.
 *
 * The caller ignores SIGPIPE. */
#ifndef UL_MEASURE_CHILD_H
#define UL_MEASURE_CHILD_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct ul_child {
    pid_t guardian, pid; /* pid leads its own process group */
    int control, status; /* pipes to and from the guardian; -1 when closed */
    bool ended;          /* all is over: nothing of the child runs any more */
    int exit;            /* as waitpid gives it */
};

/* Starts argv (found through PATH) with its output going to the file `log`, which is begun anew.
 * Errors: IO, when the program or the log cannot be opened. */
int ul_child_start(struct ul_child *c, const char *const *argv, const char *log,
                   ullage_error *err);

/* Waits up to `ms` for the child's end, or until a signal arrives; whether it has ended. */
bool ul_child_wait(struct ul_child *c, int ms);

/* Ends it: SIGTERM, and after `grace_ms` SIGKILL. Returns when all is over; whether SIGTERM was
 * enough. A child that has ended already is fine. */
bool ul_child_stop(struct ul_child *c, int grace_ms);

/* "exited with 1", "was killed by signal 9 (Killed)". */
void ul_child_ending(const struct ul_child *c, char text[64]);

#endif
