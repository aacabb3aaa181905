#if defined(__x86_64__)

#include "CCRC32C.h"

#include <nmmintrin.h>
#include <string.h>

__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc, const uint8_t *bytes, size_t size) {
    uint64_t state = (uint32_t)~crc;
    for (; size >= 8; bytes += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        state = _mm_crc32_u64(state, word);
    }
    crc = (uint32_t)state;
    for (; size > 0; bytes++, size--) crc = _mm_crc32_u8(crc, *bytes);
    return ~crc;
}

uint32_t hearth_crc32c(uint32_t crc, const uint8_t *bytes, size_t size) {
    return __builtin_cpu_supports("sse4.2") ? by_instruction(crc, bytes, size)
                                            : hearth_crc32c_portable(crc, bytes, size);
}

#endif
