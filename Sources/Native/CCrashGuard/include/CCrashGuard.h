// Marks which version of a model each thread loads or runs, and writes down in the handler of a fatal signal which one it was.
#ifndef HEARTH_CCRASHGUARD_H
#define HEARTH_CCRASHGUARD_H

#include <stdbool.h>
#include <stdint.h>

/// The value of `form` in a mark of this form.
#define HEARTH_MARK_FORM 0x484d4b31u

/// What one process leaves about one version of a model. It is mapped from a file, so it outlives the process.
typedef struct {
    uint32_t form;
    /// How many threads load or run the version; only while runs are recorded.
    uint32_t running;
    /// Runs that gave a result: those that are recorded; after a fatal signal all of this process.
    uint64_t successes;
    /// The fatal signal of a thread that loaded or ran the version; 0 for none.
    uint32_t crash_signal;
    /// A fatal signal of another thread; 0 for none.
    uint32_t other_signal;
    /// 1 when the process ended in order, or by a signal that asks a program to end, or by another version's fatal signal.
    uint32_t ended;
    uint32_t unused;
} hearth_mark;

/// Begins to guard a version, and installs the signal handlers if this is the first one.
///
/// `path` leads to a file of at least `sizeof(hearth_mark)` zero bytes, open for reading and writing as `descriptor`, which
/// stays open until the process ends. `recorded` is the number of successful runs that are recorded as they happen.
/// Returns the number of the version in this process; -1 if there are too many, or no memory.
int32_t hearth_guard_add(const char *path, int descriptor, uint64_t recorded);

/// The calling thread is about to load or run the version. Returns a token for `hearth_guard_end`.
int64_t hearth_guard_begin(int32_t version);

/// The load or run is over. Call it on the same thread if you can; on another one it costs nothing more.
/// `is_success` is for a run that gave a result.
void hearth_guard_end(int32_t version, int64_t token, bool is_success);

/// How many runs of the version gave a result in this process.
uint64_t hearth_guard_successes(int32_t version);

#endif
