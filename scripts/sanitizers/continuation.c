// Tells the thread sanitizer about Swift's CheckedContinuation, loaded before the tests with LD_PRELOAD.
//
// Swift's runtime orders "resume, then go on after await" for the sanitizer only where the task was already waiting. A task
// whose continuation is resumed first goes straight on, and what it was handed looks like a data race. Each function
// stands before the library's of the same name and calls it: resuming a continuation releases its task, and freeing a
// callee's memory, which a task does right after every await, acquires the task that runs.

#define _GNU_SOURCE
#include <dlfcn.h>

#define SWIFT __attribute__((swiftcall))
// `self` of a generic method: a pointer to the continuation, whose one word is its state object.
#define SELF __attribute__((swift_context)) void ***self
#define RESUME_RETURNING "$sScC6resume9returningyxn_tF"
#define RESUME_THROWING "$sScC6resume8throwingyq_n_tF"

// In the test program; absent from the tools that start it.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);
__attribute__((weak)) SWIFT void *swift_task_getCurrent(void);

// The state object is two words of Swift's own, then the task, or null once resumed.
static void release_task_of(void ***self) {
    void *task = __atomic_load_n(&self[0][2], __ATOMIC_RELAXED);
    if (task && __tsan_release) __tsan_release(task);
}

SWIFT void resume_returning(void *value, void *type, SELF) __asm__(RESUME_RETURNING);
SWIFT void resume_throwing(void *error, void *type, SELF) __asm__(RESUME_THROWING);

SWIFT void resume_returning(void *value, void *type, SELF) {
    SWIFT void (*library)(void *, void *, SELF) = dlsym(RTLD_NEXT, RESUME_RETURNING);
    release_task_of(self);
    library(value, type, self);
}

SWIFT void resume_throwing(void *error, void *type, SELF) {
    SWIFT void (*library)(void *, void *, SELF) = dlsym(RTLD_NEXT, RESUME_THROWING);
    release_task_of(self);
    library(error, type, self);
}

SWIFT void swift_task_dealloc(void *memory) {
    static SWIFT void (*library)(void *);
    SWIFT void (*function)(void *) = __atomic_load_n(&library, __ATOMIC_RELAXED);
    if (!function) {
        function = dlsym(RTLD_NEXT, "swift_task_dealloc");
        __atomic_store_n(&library, function, __ATOMIC_RELAXED);
    }
    if (__tsan_acquire && swift_task_getCurrent) {
        void *task = swift_task_getCurrent();
        if (task) __tsan_acquire(task);
    }
    function(memory);
}
