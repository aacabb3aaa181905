#ifndef HEARTH_CWEBP_SHIM_H
#define HEARTH_CWEBP_SHIM_H

#include <webp/decode.h>

#endif
