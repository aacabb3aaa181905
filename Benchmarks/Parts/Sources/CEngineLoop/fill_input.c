#include "engine_loop.h"

void fill_input(uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        bytes[i] = i % 4 == 3 ? 0x3F : (uint8_t)(i * 37);
    }
}
