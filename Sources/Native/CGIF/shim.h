#ifndef HEARTH_CGIF_SHIM_H
#define HEARTH_CGIF_SHIM_H

#include <gif_lib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// The source of giflib's reads, as its `UserData`: bytes that the caller keeps valid until `DGifCloseFile`.
struct hearth_gif_source {
    const uint8_t *next;
    size_t remaining;
    bool truncated; // giflib asked for more bytes than there are
};

/// giflib's `InputFunc` over a `hearth_gif_source`.
static inline int hearth_gif_take(GifFileType *gif, GifByteType *destination, int count) {
    struct hearth_gif_source *source = (struct hearth_gif_source *)gif->UserData;
    if (count < 0 || (size_t)count > source->remaining) {
        source->truncated = true;
        return 0;
    }
    memcpy(destination, source->next, (size_t)count);
    source->next += count;
    source->remaining -= (size_t)count;
    return count;
}

#endif
