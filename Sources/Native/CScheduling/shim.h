// A system call that glibc 2.36 has no function for.
#ifndef HEARTH_CSCHEDULING_SHIM_H
#define HEARTH_CSCHEDULING_SHIM_H

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// Sets the nice value and the time slice in nanoseconds of the calling thread, and of the threads and processes that it
// starts later; 0 on success. Linux before 6.12 ignores the slice (sched_setattr(2)). The structure is the kernel's
// `struct sched_attr` in its first size: its header also has a `struct sched_param`, which glibc has too.
static inline int scheduling_set(int32_t nice, uint64_t slice) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = 48, .nice = nice, .runtime = slice};
    return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

#endif
