#include "loops.h"

#include <string.h>

/// The three channels of the pixel at `column`.
static inline void fetch(const hearth_picture *picture, const uint8_t *const row[3], size_t column, int32_t channel[3]) {
    const uint8_t *pixel = row[0] + column * (size_t)picture->pixel_bytes;
    switch (picture->arrangement) {
    case hearth_interleaved:
        for (int i = 0; i < 3; i++) channel[i] = pixel[picture->channels[i]];
        break;
    case hearth_semiplanar:
        channel[0] = pixel[0];
        for (int i = 1; i < 3; i++) channel[i] = row[1][column / 2 * 2 + picture->channels[i]];
        break;
    case hearth_planar:
        channel[0] = pixel[0];
        for (int i = 1; i < 3; i++) channel[i] = row[i][column / 2];
        break;
    }
}

/// Blends `corner` (above left, above right, below left, below right) into one byte.
///
/// The shifts are those of OpenCV's INTER_LINEAR: 11 bits of weight, 4 dropped, 16 dropped, 2 rounded.
static inline uint8_t blend(const int32_t corner[4], hearth_tap rows, hearth_tap column, bool rows_first) {
    const hearth_tap inner = rows_first ? rows : column;
    const hearth_tap outer = rows_first ? column : rows;
    const int middle = rows_first ? 2 : 1;
    const int32_t first = corner[0] * inner.first_weight + corner[middle] * inner.second_weight;
    const int32_t second = corner[3 - middle] * inner.first_weight + corner[3] * inner.second_weight;
    const int32_t sum = ((outer.first_weight * (first >> 4)) >> 16) + ((outer.second_weight * (second >> 4)) >> 16);
    return (uint8_t)((sum + 2) >> 2);
}

void hearth_sample_columns(const hearth_picture *picture, const hearth_rows *rows, hearth_tap row_tap,
                           const hearth_tap *columns, size_t begin, size_t end, bool rows_first, uint8_t *pixels) {
    for (size_t i = begin; i < end; i++) {
        int32_t corner[4][3];
        fetch(picture, rows->row[0], (size_t)columns[i].first, corner[0]);
        fetch(picture, rows->row[0], (size_t)columns[i].second, corner[1]);
        fetch(picture, rows->row[1], (size_t)columns[i].first, corner[2]);
        fetch(picture, rows->row[1], (size_t)columns[i].second, corner[3]);
        for (int channel = 0; channel < 3; channel++) {
            const int32_t values[4] = {corner[0][channel], corner[1][channel], corner[2][channel], corner[3][channel]};
            pixels[i * 4 + (size_t)channel] = blend(values, row_tap, columns[i], rows_first);
        }
        pixels[i * 4 + 3] = 0;
    }
}

static void sample_row(const hearth_picture *picture, hearth_tap rows, const hearth_tap *columns, size_t count,
                       bool rows_first, uint8_t *pixels) {
    const hearth_rows found = hearth_find_rows(picture, rows);
    hearth_sample_columns(picture, &found, rows, columns, 0, count, rows_first, pixels);
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

static const hearth_sampling portable = {sample_row, hearth_convert_colors, hearth_encode_bytes, hearth_encode_floats};

const hearth_sampling *hearth_sampling_portable(void) {
    return &portable;
}

const hearth_sampling *hearth_sampling_fastest(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return &hearth_sampling_avx2;
#endif
    return &portable;
}
