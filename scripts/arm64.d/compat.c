// What the archives of a newer Swift want of glibc 2.38 and GLIBCXX 3.4.32, and Debian 12 lacks: they were compiled against
// newer headers, which call these functions by other names.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }

HIDDEN long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }

HIDDEN unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }

HIDDEN int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = vsscanf(text, format, arguments);
    va_end(arguments);
    return count;
}

HIDDEN size_t strlcpy(char *target, const char *source, size_t size) {
    size_t length = strlen(source);
    if (size > 0) {
        size_t copied = length < size - 1 ? length : size - 1;
        memcpy(target, source, copied);
        target[copied] = 0;
    }
    return length;
}

HIDDEN size_t strlcat(char *target, const char *source, size_t size) {
    size_t length = strnlen(target, size);
    return length == size ? size + strlen(source) : length + strlcpy(target + length, source, size - length);
}

// The C++ library of Debian 12 sets up its streams in each file that includes them, so nothing is left to do here.
HIDDEN void _ZSt21ios_base_library_initv(void) {}
