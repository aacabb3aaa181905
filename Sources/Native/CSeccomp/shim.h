// libseccomp for Swift.
#ifndef HEARTH_CSECCOMP_SHIM_H
#define HEARTH_CSECCOMP_SHIM_H

#include <errno.h>
#include <seccomp.h>

// The actions are function-like macros, which Swift cannot import.
static inline uint32_t hearth_seccomp_allow(void) { return SCMP_ACT_ALLOW; }
static inline uint32_t hearth_seccomp_refuse(void) { return SCMP_ACT_ERRNO(EPERM); }

#endif
