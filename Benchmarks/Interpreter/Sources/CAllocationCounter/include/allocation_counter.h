#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stddef.h>

// Counts what the whole process asks of the heap between these two calls, whichever library and thread asks: this
// program defines malloc and its relatives itself, so its definitions come before those of the C library.
void allocation_counter_start(void);
size_t allocation_counter_stop(void);

// Whether the libraries of this process really come to those definitions; a count of zero would mean nothing otherwise.
bool allocation_counter_is_in_force(void);

#endif
