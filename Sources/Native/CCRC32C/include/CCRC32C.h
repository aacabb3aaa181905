// The checksum CRC-32C (Castagnoli, RFC 3720), computed by the processor's own instruction if it has one.
#ifndef HEARTH_CCRC32C_H
#define HEARTH_CCRC32C_H

#include <stddef.h>
#include <stdint.h>

/// The checksum of earlier bytes, given by `crc`, followed by `size` bytes. Begin with 0; the result needs no further
/// step.
uint32_t hearth_crc32c(uint32_t crc, const uint8_t *bytes, size_t size);

/// The same without the instruction, for processors that lack it. It can be called everywhere, so that tests can
/// compare.
uint32_t hearth_crc32c_portable(uint32_t crc, const uint8_t *bytes, size_t size);

#endif
