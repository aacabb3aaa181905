#ifndef MARK_LOOP_H
#define MARK_LOOP_H

#include <stddef.h>

// Marks the beginning and the end of a successful run, `count` times, for the first version that this process guards.
void mark_loop_run(size_t count);

#endif
