// The parts of glibc's process functions that its headers declare only for programs that define _GNU_SOURCE, so that
// Swift's Glibc module lacks them.
#ifndef HEARTH_CSPAWN_SHIM_H
#define HEARTH_CSPAWN_SHIM_H

#include <spawn.h>

// A pipe whose ends are close-on-exec from the start.
int pipe2(int ends[2], int flags);

// In the child, closes every descriptor from `first` on (glibc 2.34).
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

#endif
