// Tells the thread sanitizer about Swift's Mutex, loaded before the tests with LD_PRELOAD.
//
// A Mutex nobody waits for is locked by inlined atomics, which the sanitizer sees. One that is waited for is
// handed over by the kernel inside libswiftSynchronization, which is not instrumented: without this file every
// contended Mutex looks like a data race. Each function stands before the library's of the same name, calls it,
// and adds the ordering that it makes. If the library renames them, the sanitizer reports such races again.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// In the test program; absent from the tools that start it.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void unlock(SELF) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF) {
    SWIFT void (*library)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
    library(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock(SELF) {
    SWIFT bool (*library)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
    bool locked = library(self);
    if (locked && __tsan_acquire) __tsan_acquire(self);
    return locked;
}

SWIFT void unlock(SELF) {
    SWIFT void (*library)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(self);
    library(self);
}
