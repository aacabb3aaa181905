#include "CRE2.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <re2/re2.h>

struct hearth_re2 {
    re2::RE2 pattern;

    hearth_re2(re2::StringPiece text, const re2::RE2::Options &options) : pattern(text, options) {}
};

hearth_re2 *hearth_re2_compile(
    const char *pattern, size_t pattern_bytes, int64_t memory_bytes, char *message, size_t message_bytes) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(memory_bytes);
    auto *compiled = new hearth_re2(re2::StringPiece(pattern, pattern_bytes), options);
    if (compiled->pattern.ok()) return compiled;
    std::snprintf(message, message_bytes, "%s", compiled->pattern.error().c_str());
    delete compiled;
    return nullptr;
}

int hearth_re2_instructions(const hearth_re2 *pattern, bool is_reversed) {
    const int forward = pattern->pattern.ProgramSize();
    // RE2 does without the reversed program if it would be too large, and returns -1.
    return is_reversed ? forward + std::max(0, pattern->pattern.ReverseProgramSize()) : forward;
}

bool hearth_re2_is_in(const hearth_re2 *pattern, const char *text, size_t text_bytes) {
    return re2::RE2::PartialMatch(re2::StringPiece(text, text_bytes), pattern->pattern);
}

bool hearth_text_is_in(const char *part, size_t part_bytes, const char *text, size_t text_bytes) {
    return part_bytes == 0 || (text_bytes != 0 && memmem(text, text_bytes, part, part_bytes) != nullptr);
}

void hearth_re2_free(hearth_re2 *pattern) { delete pattern; }
