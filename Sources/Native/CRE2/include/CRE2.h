#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// RE2 is a C++ library. These are the four functions that Hearth needs of it, for C, and a search for a plain text.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hearth_re2 hearth_re2;

/// A compiled pattern, freed with `hearth_re2_free`; NULL if the pattern is malformed or needs more than
/// `memory_bytes`. Then `message` contains the reason, cut to `message_bytes` including the terminating zero.
hearth_re2 *hearth_re2_compile(
    const char *pattern, size_t pattern_bytes, int64_t memory_bytes, char *message, size_t message_bytes);

/// The number of instructions of the compiled pattern. Its memory, and the longest time for a byte of text, are in
/// proportion to it. With `is_reversed`, it includes the program that searches from a text's end, which this call
/// compiles.
int hearth_re2_instructions(const hearth_re2 *pattern, bool is_reversed);

/// Whether some part of the text matches. Any number of threads may call it at once.
bool hearth_re2_is_in(const hearth_re2 *pattern, const char *text, size_t text_bytes);

/// Whether the bytes of `part` occur in the text, in time in proportion to both. Wraps glibc's `memmem`, which Swift
/// does not import.
bool hearth_text_is_in(const char *part, size_t part_bytes, const char *text, size_t text_bytes);

void hearth_re2_free(hearth_re2 *pattern);

#ifdef __cplusplus
}
#endif
