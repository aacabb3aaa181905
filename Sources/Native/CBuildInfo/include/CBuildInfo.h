#ifndef C_BUILD_INFO_H
#define C_BUILD_INFO_H

/// The commit that this program was built from, as the build's variable HEARTH_COMMIT names it; empty if it names none.
/// The text lives as long as the program.
const char *hearth_build_commit(void);

#endif
