#include "CBuildInfo.h"

const char *hearth_build_commit(void) { return HEARTH_COMMIT; }
