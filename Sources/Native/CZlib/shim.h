// The door to zlib: only HearthCompression imports this module.
#pragma once
#include <zlib.h>
