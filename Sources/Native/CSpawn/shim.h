// The door to the parts of glibc's process calls that its headers show to GNU programs only, so that Swift's Glibc
// module lacks them.
#ifndef HEARTH_CSPAWN_SHIM_H
#define HEARTH_CSPAWN_SHIM_H

#include <spawn.h>

// A pipe whose ends are born close-on-exec.
int pipe2(int ends[2], int flags);

// In the child, close every descriptor from `first` on (glibc 2.34).
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

#endif
