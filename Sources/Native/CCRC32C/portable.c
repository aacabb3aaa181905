#include "CCRC32C.h"

#include <pthread.h>

/// `table[k][b]`: the contribution of byte `b` if `k` more bytes follow it in a step of eight.
static uint32_t table[8][256];
static pthread_once_t table_is_made = PTHREAD_ONCE_INIT;

static void make_table(void) {
    const uint32_t reversed_polynomial = 0x82F63B78;
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ reversed_polynomial : crc >> 1;
        table[0][byte] = crc;
    }
    for (uint32_t byte = 0; byte < 256; byte++) {
        for (int k = 1; k < 8; k++) table[k][byte] = table[k - 1][byte] >> 8 ^ table[0][table[k - 1][byte] & 0xFF];
    }
}

uint32_t hearth_crc32c_portable(uint32_t crc, const uint8_t *bytes, size_t size) {
    pthread_once(&table_is_made, make_table);
    crc = ~crc;
    for (; size >= 8; bytes += 8, size -= 8) {
        const uint32_t low = crc ^ ((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                                    (uint32_t)bytes[3] << 24);
        crc = table[7][low & 0xFF] ^ table[6][low >> 8 & 0xFF] ^ table[5][low >> 16 & 0xFF] ^ table[4][low >> 24] ^
              table[3][bytes[4]] ^ table[2][bytes[5]] ^ table[1][bytes[6]] ^ table[0][bytes[7]];
    }
    for (; size > 0; bytes++, size--) crc = crc >> 8 ^ table[0][(crc ^ *bytes) & 0xFF];
    return ~crc;
}

#if !defined(__x86_64__)
uint32_t hearth_crc32c(uint32_t crc, const uint8_t *bytes, size_t size) {
    return hearth_crc32c_portable(crc, bytes, size);
}
#endif
