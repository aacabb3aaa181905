// zlib for Swift. Only HearthCompression imports this module.
#pragma once
#include <zlib.h>
