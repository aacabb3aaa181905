#ifndef HEARTH_SAMPLING_LOOPS_H
#define HEARTH_SAMPLING_LOOPS_H

#include "CSampling.h"

/// The two rows of each plane that are blended, and how many bytes may be read from each on.
typedef struct {
    const uint8_t *row[2][3];
    size_t readable[2][3];
} hearth_rows;

/// Chroma planes have one row for two rows of the image.
static inline hearth_rows hearth_find_rows(const hearth_image *image, hearth_tap tap) {
    hearth_rows rows;
    const size_t places[2] = {(size_t)tap.first, (size_t)tap.second};
    const int planes = image->arrangement == hearth_interleaved ? 1 : image->arrangement == hearth_semiplanar ? 2 : 3;
    for (int i = 0; i < 2; i++) {
        for (int plane = 0; plane < 3; plane++) {
            const int used = plane < planes ? plane : 0;
            const size_t offset = (used == 0 ? places[i] : places[i] / 2) * image->row_bytes[used];
            rows.row[i][plane] = image->plane[used] + offset;
            rows.readable[i][plane] = image->byte_count[used] - offset;
        }
    }
    return rows;
}

/// Samples the columns `begin..<end`, wherever they are.
void hearth_sample_columns(const hearth_image *image, const hearth_rows *rows, hearth_tap row_tap,
                           const hearth_tap *columns, size_t begin, size_t end, bool rows_first, uint8_t *pixels);

// The compiler vectorizes these two, once for each kind of processor.

static inline __attribute__((always_inline)) void hearth_add_groups(const uint8_t *pixels, size_t count, size_t across,
                                                                    uint32_t *sums) {
    for (size_t i = 0; i < count; i++) {
        uint32_t sum[4] = {0, 0, 0, 0};
        for (size_t place = 0; place < across; place++) {
            for (int channel = 0; channel < 4; channel++) sum[channel] += pixels[channel];
            pixels += 4;
        }
        for (size_t channel = 0; channel < 4; channel++) sums[i * 4 + channel] += sum[channel];
    }
}

/// Multiplies in place of dividing: exact if (sum + divisor / 2) * divisor is below 2^32.
static inline __attribute__((always_inline)) void hearth_divide_sums(const uint32_t *sums, size_t count, uint32_t divisor,
                                                                     uint8_t *pixels) {
    const uint32_t factor = (uint32_t)(((uint64_t)1 << 32) / divisor) + 1;
    for (size_t i = 0; i < count * 4; i++) {
        pixels[i] = (uint8_t)(((uint64_t)(sums[i] + divisor / 2) * factor) >> 32);
    }
}

void hearth_convert_colors(const hearth_color_matrix *matrix, uint8_t *pixels, size_t count);
void hearth_encode_bytes(const uint8_t *pixels, size_t count, uint8_t flip, uint8_t *values);
void hearth_encode_floats(const uint8_t *pixels, size_t count, const float mean[3], const float scale[3], void *values);
void hearth_divide_floats(const uint8_t *pixels, size_t count, const float mean[3], const float deviation[3],
                          void *values);

#if defined(__x86_64__)
extern const hearth_sampling hearth_sampling_avx2;
#endif

#endif
