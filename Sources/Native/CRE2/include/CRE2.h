#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// RE2 is a C++ library; these are the four calls of it that are needed, for C, and a search for a plain text.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hearth_re2 hearth_re2;

/// A compiled pattern, freed with `hearth_re2_free`; NULL where the pattern is malformed or needs more than `memory_bytes`.
/// Then `message` has why, cut to `message_bytes` with the terminating zero.
hearth_re2 *hearth_re2_compile(
    const char *pattern, size_t pattern_bytes, int64_t memory_bytes, char *message, size_t message_bytes);

/// How many instructions the compiled pattern has: its memory goes with them, and so does the time that a byte of text takes at
/// worst. With `is_reversed`, those of the program that searches from a text's end are counted too, which this call makes.
int hearth_re2_instructions(const hearth_re2 *pattern, bool is_reversed);

/// Whether some part of the text matches. Any number of threads at once.
bool hearth_re2_is_in(const hearth_re2 *pattern, const char *text, size_t text_bytes);

/// Whether the bytes of `part` are somewhere in the text, in time in proportion to both; glibc's `memmem`, which Swift does not
/// see.
bool hearth_text_is_in(const char *part, size_t part_bytes, const char *text, size_t text_bytes);

void hearth_re2_free(hearth_re2 *pattern);

#ifdef __cplusplus
}
#endif
