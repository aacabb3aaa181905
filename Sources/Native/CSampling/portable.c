#include "loops.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/// Finds the three channels of the pixel at `column`.
INLINE void find(const hearth_arrangement arrangement, const hearth_image *image, const uint8_t *const row[3],
                 size_t column, const uint8_t *channel[3]) {
    const uint8_t *const pixel = row[0] + column * (size_t)image->pixel_bytes;
    for (int i = 0; i < 3; i++) {
        if (arrangement == hearth_interleaved) {
            channel[i] = pixel + image->channels[i];
        } else if (i == 0) {
            channel[i] = pixel;
        } else if (arrangement == hearth_semiplanar) {
            channel[i] = row[1] + column / 2 * 2 + image->channels[i];
        } else {
            channel[i] = row[i] + column / 2;
        }
    }
}

/// Blends four bytes into one. `near` and `far` are the pairs that are blended first.
///
/// The shifts are those of OpenCV's INTER_LINEAR: 11 bits of weight, 4 dropped, 16 dropped, 2 rounded.
INLINE uint8_t blend(const int32_t near[2], const int32_t far[2], hearth_tap inner, hearth_tap outer) {
    const int32_t first = near[0] * inner.first_weight + near[1] * inner.second_weight;
    const int32_t second = far[0] * inner.first_weight + far[1] * inner.second_weight;
    const int32_t sum = ((outer.first_weight * (first >> 4)) >> 16) + ((outer.second_weight * (second >> 4)) >> 16);
    return (uint8_t)((sum + 2) >> 2);
}

INLINE void sample(const hearth_arrangement arrangement, const bool rows_first, const hearth_image *image,
                   const hearth_rows *rows, hearth_tap row, const hearth_tap *columns, size_t begin, size_t end,
                   uint8_t *pixels) {
    for (size_t i = begin; i < end; i++) {
        const hearth_tap column = columns[i];
        const uint8_t *corner[4][3];
        find(arrangement, image, rows->row[0], (size_t)column.first, corner[0]);
        find(arrangement, image, rows->row[0], (size_t)column.second, corner[1]);
        find(arrangement, image, rows->row[1], (size_t)column.first, corner[2]);
        find(arrangement, image, rows->row[1], (size_t)column.second, corner[3]);
        for (int k = 0; k < 3; k++) {
            const int32_t left[2] = {*corner[0][k], *corner[2][k]}, right[2] = {*corner[1][k], *corner[3][k]};
            const int32_t upper[2] = {left[0], right[0]}, lower[2] = {left[1], right[1]};
            pixels[i * 4 + (size_t)k] = rows_first ? blend(left, right, row, column) : blend(upper, lower, column, row);
        }
        pixels[i * 4 + 3] = 0;
    }
}

void hearth_sample_columns(const hearth_image *image, const hearth_rows *rows, hearth_tap row,
                           const hearth_tap *columns, size_t begin, size_t end, bool rows_first, uint8_t *pixels) {
    // One loop for each of the six cases, without a branch inside.
    switch (image->arrangement * 2 + (rows_first ? 1 : 0)) {
#define CASE(arrangement, order)                                                                                   \
    case (arrangement) * 2 + (order):                                                                              \
        sample(arrangement, order, image, rows, row, columns, begin, end, pixels);                               \
        break
        CASE(hearth_interleaved, 0);
        CASE(hearth_interleaved, 1);
        CASE(hearth_semiplanar, 0);
        CASE(hearth_semiplanar, 1);
        CASE(hearth_planar, 0);
        CASE(hearth_planar, 1);
#undef CASE
    default: break;
    }
}

static void sample_row(const hearth_image *image, hearth_tap rows, const hearth_tap *columns, size_t count,
                       bool rows_first, uint8_t *pixels) {
    const hearth_rows found = hearth_find_rows(image, rows);
    hearth_sample_columns(image, &found, rows, columns, 0, count, rows_first, pixels);
}

static inline uint8_t clamp(int32_t value) {
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

void hearth_convert_colors(const hearth_color_matrix *matrix, uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t *pixel = pixels + i * 4;
        const int32_t light = pixel[0] > matrix->luma_offset ? pixel[0] - matrix->luma_offset : 0;
        const int32_t luma = light * matrix->luma + 4096;
        const int32_t blue = pixel[1] - 128;
        const int32_t red = pixel[2] - 128;
        pixel[0] = clamp((luma + red * matrix->red_difference_in_red) >> 13);
        pixel[1] = clamp((luma + blue * matrix->blue_difference_in_green + red * matrix->red_difference_in_green) >> 13);
        pixel[2] = clamp((luma + blue * matrix->blue_difference_in_blue) >> 13);
    }
}

void hearth_encode_bytes(const uint8_t *pixels, size_t count, uint8_t flip, uint8_t *values) {
    for (size_t i = 0; i < count; i++) {
        for (int channel = 0; channel < 3; channel++) values[i * 3 + channel] = pixels[i * 4 + channel] ^ flip;
    }
}

void hearth_encode_floats(const uint8_t *pixels, size_t count, const float mean[3], const float scale[3], void *values) {
    for (size_t i = 0; i < count; i++) {
        float pixel[3];
        for (int channel = 0; channel < 3; channel++) {
            pixel[channel] = ((float)pixels[i * 4 + channel] - mean[channel]) * scale[channel];
        }
        memcpy((uint8_t *)values + i * sizeof pixel, pixel, sizeof pixel);
    }
}

void hearth_divide_floats(const uint8_t *pixels, size_t count, const float mean[3], const float deviation[3],
                          void *values) {
    for (size_t i = 0; i < count; i++) {
        float pixel[3];
        for (int channel = 0; channel < 3; channel++) {
            pixel[channel] = ((float)pixels[i * 4 + channel] - mean[channel]) / deviation[channel];
        }
        memcpy((uint8_t *)values + i * sizeof pixel, pixel, sizeof pixel);
    }
}

static void add_groups(const uint8_t *pixels, size_t count, size_t across, uint32_t *sums) {
    hearth_add_groups(pixels, count, across, sums);
}

static void divide_sums(const uint32_t *sums, size_t count, uint32_t divisor, uint8_t *pixels) {
    hearth_divide_sums(sums, count, divisor, pixels);
}

static const hearth_sampling portable = {
    sample_row,          add_groups,           divide_sums,         hearth_convert_colors,
    hearth_encode_bytes, hearth_encode_floats, hearth_divide_floats};

const hearth_sampling *hearth_sampling_portable(void) {
    return &portable;
}

const hearth_sampling *hearth_sampling_fastest(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return &hearth_sampling_avx2;
#endif
    return &portable;
}
