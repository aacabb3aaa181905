// A system call of Linux for which glibc has no function before version 2.41.
#ifndef HEARTH_CSCHEDULING_SHIM_H
#define HEARTH_CSCHEDULING_SHIM_H

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// Lets other threads go before the calling one until it ends. sched_setattr(2) describes the fields.
//
// niceness: from 0 to 19; 10 gives a tenth of the processor time of a usual thread when the processors are busy.
// slice_nanoseconds: how long the thread runs before one that wakes up takes its processor; before Linux 6.12 without effect.
// Returns 0, or -1 with errno.
static inline int hearth_give_way(int32_t niceness, uint64_t slice_nanoseconds) {
    const struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = 48, .nice = niceness, .runtime = slice_nanoseconds};
    return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

#endif
