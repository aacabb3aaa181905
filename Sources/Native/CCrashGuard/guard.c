// Handlers of fatal signals must not allocate, lock or call most of the C library. This file keeps all that they need in static
// memory and in pages that are mapped before.
#define _GNU_SOURCE
#include "CCrashGuard.h"

#include <errno.h>
#if defined(__linux__)
#include <link.h>
#include <ucontext.h>
#endif
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define VERSION_LIMIT 64
#define USE_LIMIT 256
#define NO_NUMBER USE_LIMIT
/// In a token beside the number: the use is in the mark.
#define IN_MARK 0x10000u
#define SIGNAL_LIMIT 65

typedef struct {
    hearth_mark *mark;
    char *path;
    uint64_t recorded;
    _Atomic uint64_t successes;
    _Atomic uint32_t running;
} guarded_version;

/// A load or run. The thread that began it remembers its number and generation; whoever ends it raises the generation, which is
/// odd while the use goes on. A use beyond the limit has no number, and the guard does not know which thread it belongs to.
typedef struct {
    int32_t version;
    uint32_t number;
    uint32_t generation;
} current_use;

static guarded_version versions[VERSION_LIMIT];
static _Atomic int32_t version_count;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

static _Atomic uint32_t generations[USE_LIMIT];
static current_use previous_uses[USE_LIMIT];
static _Atomic uint32_t next_use;

// In the memory that a thread has from its start: a handler must not be the first to ask for it.
static _Thread_local volatile current_use current __attribute__((tls_model("initial-exec"))) = {-1, 0, 0};
static _Thread_local bool is_prepared __attribute__((tls_model("initial-exec")));

static struct sigaction earlier[SIGNAL_LIMIT];
static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
// What asks a program to end from outside says nothing about the model.
static const int ending_signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
static _Atomic bool is_marked;
static pid_t owner;
static pthread_key_t stack_key;
static size_t stack_bytes;
/// Where the engine's instructions are; both 0 if it is not known.
static uintptr_t engine_start, engine_end;

// MARK: The handlers

static int32_t running_version(void) {
    if (current.version < 0) return -1;
    return atomic_load(&generations[current.number]) == current.generation ? current.version : -1;
}

/// The one version that threads load or run now; -1 if there is none, or more than one.
static int32_t only_running_version(void) {
    int32_t found = -1;
    int32_t count = atomic_load(&version_count);
    for (int32_t index = 0; index < count; index++) {
        if (atomic_load(&versions[index].running) == 0) continue;
        if (found >= 0) return -1;
        found = index;
    }
    return found;
}

/// Whether the signal comes from an instruction of the engine, which also works on threads of its own.
static bool is_in_engine(const siginfo_t *info, const void *context) {
    uintptr_t place = 0;
#if defined(__linux__) && defined(__x86_64__)
    place = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__linux__) && defined(__aarch64__)
    place = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
#endif
    return info->si_code > 0 && place >= engine_start && place < engine_end;
}

/// Writes down what the signal says about each version. Returns whether it did.
static bool mark_fatal(int number, const siginfo_t *info, const void *context) {
    if (getpid() != owner || atomic_exchange(&is_marked, true)) return false;
    // If another process sent it, it arrives on any thread.
    bool is_foreign = info->si_code <= 0 && info->si_pid != owner;
    int32_t culprit = is_foreign ? -1 : running_version();
    if (culprit < 0 && is_in_engine(info, context)) culprit = only_running_version();
    int32_t count = atomic_load(&version_count);
    for (int32_t index = 0; index < count; index++) {
        hearth_mark *mark = versions[index].mark;
        if (index == culprit) {
            mark->successes = atomic_load(&versions[index].successes);
            mark->crash_signal = (uint32_t)number;
        } else if (culprit >= 0) {
            mark->ended = 1;
        } else {
            mark->other_signal = (uint32_t)number;
        }
    }
    return true;
}

/// Takes back what `mark_fatal` wrote, because an earlier handler mended the cause.
static void unmark(void) {
    int32_t count = atomic_load(&version_count);
    for (int32_t index = 0; index < count; index++) {
        versions[index].mark->crash_signal = 0;
        versions[index].mark->other_signal = 0;
        versions[index].mark->ended = 0;
    }
    atomic_store(&is_marked, false);
}

static void end_by_default(int number, const siginfo_t *info) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(number, &action, NULL);
    // The instruction that failed runs again and ends the process with the cause in its core dump. Nothing else fails again.
    bool repeats = info->si_code > 0 && number != SIGTRAP && number != SIGABRT;
    if (!repeats) raise(number);
}

static void on_fatal(int number, siginfo_t *info, void *context) {
    int saved = errno;
    const struct sigaction *before = &earlier[number];
    bool has_handler = (before->sa_flags & SA_SIGINFO) || (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN);
    if (!has_handler && before->sa_handler == SIG_IGN && info->si_code <= 0) {
        // The program ignores it. `abort` ends the process in spite of that.
        if (number == SIGABRT) mark_fatal(number, info, context);
        errno = saved;
        return;
    }
    bool marked = mark_fatal(number, info, context);
    if (!has_handler) {
        end_by_default(number, info);
        errno = saved;
        return;
    }
    if (before->sa_flags & SA_RESETHAND) {
        struct sigaction action = {.sa_handler = SIG_DFL};
        sigaction(number, &action, NULL);
    }
    errno = saved;
    if (before->sa_flags & SA_SIGINFO) {
        before->sa_sigaction(number, info, context);
    } else {
        before->sa_handler(number);
    }
    saved = errno;
    struct sigaction now;
    bool is_kept = sigaction(number, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fatal;
    // If the cause is not mended, the signal comes again, or `abort` goes on.
    if (marked && is_kept && number != SIGABRT) unmark();
    errno = saved;
}

static void on_ending(int number) {
    int saved = errno;
    if (getpid() == owner) {
        int32_t count = atomic_load(&version_count);
        for (int32_t index = 0; index < count; index++) versions[index].mark->ended = 1;
    }
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(number, &action, NULL);
    raise(number);
    errno = saved;
}

/// At the end of a program that ends in order: its marks say so, or go if there is nothing to learn from them.
static void on_exit_of_process(void) {
    if (getpid() != owner) return;
    int32_t count = atomic_load(&version_count);
    for (int32_t index = 0; index < count; index++) {
        versions[index].mark->ended = 1;
        if (versions[index].recorded == 0) unlink(versions[index].path);
    }
}

// MARK: Preparation

static void remove_stack(void *memory) {
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == memory) {
        stack_t none = {.ss_flags = SS_DISABLE};
        sigaltstack(&none, NULL);
    }
    munmap(memory, stack_bytes);
}

/// Gives the thread what its handlers need. Without a stack of its own, the handler could not run after a stack overflow.
static void prepare_thread(void) {
    is_prepared = true;
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE)) {
        void *memory = mmap(NULL, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory != MAP_FAILED) {
            stack_t own = {.ss_sp = memory, .ss_size = stack_bytes};
            if (sigaltstack(&own, NULL) != 0 || pthread_setspecific(stack_key, memory) != 0) remove_stack(memory);
        }
    }
    // Dispatch blocks SIGABRT on its threads, and `abort` of newer versions of glibc then calls no handler.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGABRT);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

#if defined(__linux__)
static int find_engine(struct dl_phdr_info *library, size_t size, void *unused) {
    (void)size;
    (void)unused;
    if (library->dlpi_name == NULL || strstr(library->dlpi_name, "libLiteRt") == NULL) return 0;
    for (int index = 0; index < library->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        engine_start = library->dlpi_addr + part->p_vaddr;
        engine_end = engine_start + part->p_memsz;
        return 1;
    }
    return 0;
}
#endif

static void install(void) {
    owner = getpid();
#if defined(__linux__)
    dl_iterate_phdr(find_engine, NULL);
#endif
    long wanted = sysconf(_SC_SIGSTKSZ);
    stack_bytes = wanted > 65536 ? ((size_t)wanted + 65535) & ~(size_t)65535 : 65536;
    pthread_key_create(&stack_key, remove_stack);
    atexit(on_exit_of_process);
    for (size_t index = 0; index < sizeof fatal_signals / sizeof *fatal_signals; index++) {
        int number = fatal_signals[index];
        if (sigaction(number, NULL, &earlier[number]) != 0) continue;
        struct sigaction action = {.sa_sigaction = on_fatal};
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | (earlier[number].sa_flags & (SA_NODEFER | SA_RESTART));
        action.sa_mask = earlier[number].sa_mask;
        sigaction(number, &action, NULL);
    }
    for (size_t index = 0; index < sizeof ending_signals / sizeof *ending_signals; index++) {
        struct sigaction now;
        if (sigaction(ending_signals[index], NULL, &now) != 0) continue;
        if ((now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL) continue;
        struct sigaction action = {.sa_handler = on_ending};
        sigaction(ending_signals[index], &action, NULL);
    }
}

int32_t hearth_guard_add(const char *path, int descriptor, uint64_t recorded) {
    void *page = mmap(NULL, sizeof(hearth_mark), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (page == MAP_FAILED) return -1;
    char *copy = strdup(path);
    pthread_mutex_lock(&adding);
    int32_t index = atomic_load(&version_count);
    bool fits = copy != NULL && index < VERSION_LIMIT;
    if (fits) {
        if (index == 0) install();
        guarded_version *version = &versions[index];
        version->mark = page;
        version->path = copy;
        version->recorded = recorded;
        version->mark->form = HEARTH_MARK_FORM;
        atomic_store(&version_count, index + 1);
    }
    pthread_mutex_unlock(&adding);
    if (fits) return index;
    free(copy);
    munmap(page, sizeof(hearth_mark));
    return -1;
}

// MARK: Each load and run

/// A number that no other use has: nobody else writes its place in `previous_uses`.
static uint32_t take_number(uint32_t *generation) {
    for (int attempt = 0; attempt < USE_LIMIT; attempt++) {
        uint32_t number = atomic_fetch_add_explicit(&next_use, 1, memory_order_relaxed) % USE_LIMIT;
        uint32_t known = atomic_load_explicit(&generations[number], memory_order_relaxed);
        if (known % 2 == 0 && atomic_compare_exchange_strong(&generations[number], &known, known + 1)) {
            *generation = known + 1;
            return number;
        }
    }
    return NO_NUMBER;
}

int64_t hearth_guard_begin(int32_t index) {
    if (!is_prepared) prepare_thread();
    guarded_version *version = &versions[index];
    atomic_fetch_add_explicit(&version->running, 1, memory_order_relaxed);
    bool is_recorded = atomic_load_explicit(&version->successes, memory_order_relaxed) < version->recorded;
    if (is_recorded) __atomic_fetch_add(&version->mark->running, 1, __ATOMIC_RELAXED);
    uint32_t generation = 0;
    uint32_t number = take_number(&generation);
    if (number != NO_NUMBER) {
        previous_uses[number] = current;
        current = (current_use){index, number, generation};
    }
    return (int64_t)(((uint64_t)(number | (is_recorded ? IN_MARK : 0)) << 32) | generation);
}

void hearth_guard_end(int32_t index, int64_t token, bool is_success) {
    guarded_version *version = &versions[index];
    uint32_t number = (uint32_t)((uint64_t)token >> 32) & ~IN_MARK;
    bool is_in_mark = (uint32_t)((uint64_t)token >> 32) & IN_MARK;
    uint32_t generation = (uint32_t)token;
    if (number < USE_LIMIT) {
        // Before the generation rises: afterwards another use may have the number.
        current_use before = previous_uses[number];
        bool is_own = current.version >= 0 && current.number == number && current.generation == generation;
        atomic_compare_exchange_strong(&generations[number], &generation, generation + 1);
        if (is_own) current = before;
    }
    atomic_fetch_sub_explicit(&version->running, 1, memory_order_relaxed);
    uint64_t successes = is_success ? atomic_fetch_add_explicit(&version->successes, 1, memory_order_relaxed)
                                    : atomic_load_explicit(&version->successes, memory_order_relaxed);
    if (is_success && successes < version->recorded) __atomic_fetch_add(&version->mark->successes, 1, __ATOMIC_RELAXED);
    // Also when runs on other threads ended the recording meanwhile: the mark must not say for ever that something runs.
    if (is_in_mark) __atomic_fetch_sub(&version->mark->running, 1, __ATOMIC_RELAXED);
}

uint64_t hearth_guard_successes(int32_t index) { return atomic_load(&versions[index].successes); }
