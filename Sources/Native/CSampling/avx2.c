#if defined(__x86_64__)

#include "loops.h"

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline, target("avx2")))

/// The bytes that are loaded around a pixel and its right neighbour.
enum { window_bytes = 16, pair_bytes = 4 };

/// Whether the two pixels of `tap` are neighbours, and their windows are inside the rows.
INLINE bool is_safe(const hearth_image *image, const hearth_rows *rows, hearth_tap tap) {
    if (tap.second - tap.first != 1) return false;
    const size_t offset = (size_t)tap.first * (size_t)image->pixel_bytes;
    if (image->arrangement == hearth_interleaved) {
        return offset + window_bytes <= rows->readable[0][0] && offset + window_bytes <= rows->readable[1][0];
    }
    const bool pairs = image->arrangement == hearth_semiplanar;
    const size_t chroma = pairs ? offset / 2 * 2 + pair_bytes : offset / 2 + 2;
    for (int row = 0; row < 2; row++) {
        if (offset + 2 > rows->readable[row][0]) return false;
        if (chroma > rows->readable[row][1] || chroma > rows->readable[row][2]) return false;
    }
    return true;
}

INLINE __m128i load16(const uint8_t *bytes, __m128i into, const int lane) {
    uint16_t value;
    memcpy(&value, bytes, sizeof value);
    switch (lane) {
    case 0: return _mm_cvtsi32_si128(value);
    case 1: return _mm_insert_epi16(into, value, 1);
    case 2: return _mm_insert_epi16(into, value, 2);
    default: return into;
    }
}

/// The bytes of a pixel and its right neighbour. Semiplanar: two chroma pairs, then two luma. Planar: two luma, two
/// blue differences, two red differences.
INLINE __m128i load(const hearth_arrangement arrangement, const uint8_t *const row[3], size_t column, size_t offset) {
    if (arrangement == hearth_interleaved) return _mm_loadu_si128((const __m128i *)(row[0] + offset));
    if (arrangement == hearth_semiplanar) {
        int32_t pairs;
        memcpy(&pairs, row[1] + column / 2 * 2, sizeof pairs);
        return load16(row[0] + column, _mm_cvtsi32_si128(pairs), 2);
    }
    const __m128i luma = load16(row[0] + column, _mm_setzero_si128(), 0);
    return load16(row[2] + column / 2, load16(row[1] + column / 2, luma, 1), 2);
}

/// The positions of the three channels in the result of `load`, for a pixel (`neighbour` 0 or 1) at an even or odd
/// column.
INLINE void find_channels(const hearth_image *image, int odd, int neighbour, uint8_t place[3]) {
    const int chroma = (odd + neighbour) / 2;
    for (int channel = 0; channel < 3; channel++) {
        if (image->arrangement == hearth_interleaved) {
            place[channel] = (uint8_t)(neighbour * image->pixel_bytes + image->channels[channel]);
        } else if (channel == 0) {
            place[channel] = (uint8_t)(neighbour + (image->arrangement == hearth_semiplanar ? 4 : 0));
        } else if (image->arrangement == hearth_semiplanar) {
            place[channel] = (uint8_t)(chroma * 2 + image->channels[channel]);
        } else {
            place[channel] = (uint8_t)(channel * 2 + chroma);
        }
    }
}

/// Shuffles that put the values of the first blend together as 16-bit pairs. One 128-bit lane for each side of the
/// second blend.
INLINE void make_shuffle(const hearth_image *image, bool rows_first, int odd, uint8_t shuffle[32]) {
    uint8_t left[3], right[3];
    find_channels(image, odd, 0, left);
    find_channels(image, odd, 1, right);
    memset(shuffle, 0x80, 32);
    for (int channel = 0; channel < 3; channel++) {
        uint8_t *const near = shuffle + channel * 4;
        uint8_t *const far = near + 16;
        if (rows_first) {
            // Both lanes contain the bytes of both rows in turn; the near lane blends the left pixels, the far lane the
            // right ones.
            near[0] = (uint8_t)(left[channel] * 2);
            near[2] = (uint8_t)(left[channel] * 2 + 1);
            far[0] = (uint8_t)(right[channel] * 2);
            far[2] = (uint8_t)(right[channel] * 2 + 1);
        } else {
            // The near lane contains the upper row, the far lane the lower one.
            near[0] = far[0] = left[channel];
            near[2] = far[2] = right[channel];
        }
    }
}

/// Both weights of a tap in one 32-bit value, as in memory.
INLINE int32_t weights(const hearth_tap *tap) {
    int32_t value;
    memcpy(&value, &tap->first_weight, sizeof value);
    return value;
}

/// The first blend of one pixel: a 128-bit lane for each side of the second blend, 32 bits per channel.
INLINE __m256i blend_inner(const hearth_arrangement arrangement, const bool rows_first, const hearth_rows *rows,
                           const int32_t pixel_bytes, const hearth_tap *column, __m256i row_weights,
                           const __m256i shuffle[2]) {
    const size_t place = (size_t)column->first;
    const size_t offset = place * (size_t)pixel_bytes;
    const __m128i upper = load(arrangement, rows->row[0], place, offset);
    const __m128i lower = load(arrangement, rows->row[1], place, offset);
    const __m256i both = rows_first ? _mm256_broadcastsi128_si256(_mm_unpacklo_epi8(upper, lower))
                                    : _mm256_inserti128_si256(_mm256_castsi128_si256(upper), lower, 1);
    const __m256i chosen = arrangement == hearth_interleaved ? shuffle[0] : shuffle[place & 1];
    const __m256i inner_weights = rows_first ? row_weights : _mm256_set1_epi32(weights(column));
    return _mm256_srai_epi32(_mm256_madd_epi16(_mm256_shuffle_epi8(both, chosen), inner_weights), 4);
}

/// The second blend of two neighbouring pixels: 16 bits per channel.
INLINE __m128i blend_outer(const bool rows_first, __m256i first, __m256i second, const hearth_tap *columns,
                           __m256i row_weights) {
    __m256i outer_weights = row_weights;
    if (rows_first) {
        // Lane 0: the first weights of both pixels, four times each. Lane 1: the second weights.
        const __m256i spread = _mm256_setr_epi8(
            0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5, 2, 3, 2, 3, 2, 3, 2, 3, 6, 7, 6, 7, 6, 7, 6, 7);
        const __m128i both = _mm_insert_epi32(_mm_cvtsi32_si128(weights(columns)), weights(columns + 1), 1);
        outer_weights = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(both), spread);
    }
    const __m256i product = _mm256_mulhi_epi16(_mm256_packs_epi32(first, second), outer_weights);
    const __m128i sum = _mm_add_epi16(_mm256_castsi256_si128(product), _mm256_extracti128_si256(product, 1));
    // The same as (sum + 2) >> 2.
    return _mm_mulhrs_epi16(sum, _mm_set1_epi16(1 << 13));
}

/// Samples columns that are all safe, four at a time. Returns the first column that it did not sample.
INLINE size_t sample_safe(const hearth_arrangement arrangement, const int32_t pixel_bytes, const bool rows_first,
                          const hearth_image *image, const hearth_rows *rows, hearth_tap tap,
                          const hearth_tap *columns, size_t begin, size_t end, uint8_t *pixels) {
    _Alignas(32) uint8_t places[2][32];
    __m256i shuffle[2];
    for (int odd = 0; odd < 2; odd++) {
        make_shuffle(image, rows_first, odd, places[odd]);
        shuffle[odd] = _mm256_load_si256((const __m256i *)places[odd]);
    }
    const __m256i row_weights =
        rows_first ? _mm256_set1_epi32(weights(&tap))
                   : _mm256_inserti128_si256(_mm256_set1_epi16(tap.first_weight), _mm_set1_epi16(tap.second_weight), 1);
    size_t i = begin;
    for (; i + 4 <= end; i += 4) {
        __m256i inner[4];
        for (size_t k = 0; k < 4; k++) {
            inner[k] = blend_inner(arrangement, rows_first, rows, pixel_bytes, columns + i + k, row_weights, shuffle);
        }
        const __m128i low = blend_outer(rows_first, inner[0], inner[1], columns + i, row_weights);
        const __m128i high = blend_outer(rows_first, inner[2], inner[3], columns + i + 2, row_weights);
        _mm_storeu_si128((__m128i *)(pixels + i * 4), _mm_packus_epi16(low, high));
    }
    return i;
}

#define case_of(arrangement, pixel_bytes, order) ((arrangement) * 16 + (pixel_bytes) * 2 + ((order) ? 1 : 0))

AVX2 static void sample_row(const hearth_image *image, hearth_tap tap, const hearth_tap *columns, size_t count,
                            bool rows_first, uint8_t *pixels) {
    const hearth_rows rows = hearth_find_rows(image, tap);
    // The columns are in order, so unsafe ones are at the ends.
    size_t begin = 0, end = count;
    while (begin < end && !is_safe(image, &rows, columns[begin])) begin++;
    while (begin < end && !is_safe(image, &rows, columns[end - 1])) end--;
    hearth_sample_columns(image, &rows, tap, columns, 0, begin, rows_first, pixels);
    // One loop for each arrangement, pixel size and order, without a branch or a multiplication inside.
    switch (case_of(image->arrangement, image->pixel_bytes, rows_first)) {
#define CASE(arrangement, pixel_bytes, order)                                                                      \
    case case_of(arrangement, pixel_bytes, order):                                                                 \
        begin = sample_safe(arrangement, pixel_bytes, order, image, &rows, tap, columns, begin, end, pixels);    \
        break
#define BOTH_ORDERS(arrangement, pixel_bytes)                                                                      \
    CASE(arrangement, pixel_bytes, 0);                                                                             \
    CASE(arrangement, pixel_bytes, 1)
        BOTH_ORDERS(hearth_interleaved, 1);
        BOTH_ORDERS(hearth_interleaved, 3);
        BOTH_ORDERS(hearth_interleaved, 4);
        BOTH_ORDERS(hearth_semiplanar, 1);
        BOTH_ORDERS(hearth_planar, 1);
#undef BOTH_ORDERS
#undef CASE
    default: break;
    }
    hearth_sample_columns(image, &rows, tap, columns, begin, count, rows_first, pixels);
}

AVX2 static void add_groups(const uint8_t *pixels, size_t count, size_t across, uint32_t *sums) {
    hearth_add_groups(pixels, count, across, sums);
}

AVX2 static void divide_sums(const uint32_t *sums, size_t count, uint32_t divisor, uint8_t *pixels) {
    hearth_divide_sums(sums, count, divisor, pixels);
}

/// Two 16-bit factors, to be multiplied with pairs of values.
INLINE __m256i factors(int16_t first, int16_t second) {
    return _mm256_set1_epi32((int32_t)((uint32_t)(uint16_t)first | (uint32_t)(uint16_t)second << 16));
}

AVX2 static void convert_colors(const hearth_color_matrix *matrix, uint8_t *pixels, size_t count) {
    const __m256i luma_factors = factors(matrix->luma, 4096);
    const __m256i red_factors = factors(0, matrix->red_difference_in_red);
    const __m256i green_factors = factors(matrix->blue_difference_in_green, matrix->red_difference_in_green);
    const __m256i blue_factors = factors(matrix->blue_difference_in_blue, 0);
    const __m256i offset = _mm256_set1_epi32(matrix->luma_offset);
    const __m256i spread = _mm256_setr_epi8(
        1, -1, 2, -1, 5, -1, 6, -1, 9, -1, 10, -1, 13, -1, 14, -1, 1, -1, 2, -1, 5, -1, 6, -1, 9, -1, 10, -1, 13, -1, 14,
        -1);
    const __m256i gather = _mm256_setr_epi8(
        0, 4, 8, -1, 1, 5, 9, -1, 2, 6, 10, -1, 3, 7, 11, -1, 0, 4, 8, -1, 1, 5, 9, -1, 2, 6, 10, -1, 3, 7, 11, -1);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256i pixel = _mm256_loadu_si256((const __m256i *)(pixels + i * 4));
        const __m256i light = _mm256_max_epi32(
            _mm256_sub_epi32(_mm256_and_si256(pixel, _mm256_set1_epi32(0xFF)), offset), _mm256_setzero_si256());
        const __m256i luma = _mm256_madd_epi16(_mm256_or_si256(light, _mm256_set1_epi32(1 << 16)), luma_factors);
        const __m256i chroma = _mm256_sub_epi16(_mm256_shuffle_epi8(pixel, spread), _mm256_set1_epi16(128));
        const __m256i red = _mm256_srai_epi32(_mm256_add_epi32(luma, _mm256_madd_epi16(chroma, red_factors)), 13);
        const __m256i green = _mm256_srai_epi32(_mm256_add_epi32(luma, _mm256_madd_epi16(chroma, green_factors)), 13);
        const __m256i blue = _mm256_srai_epi32(_mm256_add_epi32(luma, _mm256_madd_epi16(chroma, blue_factors)), 13);
        const __m256i bytes = _mm256_packus_epi16(
            _mm256_packs_epi32(red, green), _mm256_packs_epi32(blue, _mm256_setzero_si256()));
        _mm256_storeu_si256((__m256i *)(pixels + i * 4), _mm256_shuffle_epi8(bytes, gather));
    }
    hearth_convert_colors(matrix, pixels + i * 4, count - i);
}

/// Four pixels without their fourth bytes: 12 bytes, then zeros.
INLINE __m128i drop_fourth(const uint8_t *pixels) {
    const __m128i places = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)pixels), places);
}

AVX2 static void encode_bytes(const uint8_t *pixels, size_t count, uint8_t flip, uint8_t *values) {
    const __m128i flips = _mm_set1_epi8((char)flip);
    size_t i = 0;
    // Writes four bytes too many, which the next pixels overwrite.
    for (; i + 8 <= count; i += 4) {
        _mm_storeu_si128((__m128i *)(values + i * 3), _mm_xor_si128(drop_fourth(pixels + i * 4), flips));
    }
    for (; i + 4 <= count; i += 4) {
        const __m128i bytes = _mm_xor_si128(drop_fourth(pixels + i * 4), flips);
        const int32_t last = _mm_extract_epi32(bytes, 2);
        _mm_storel_epi64((__m128i *)(values + i * 3), bytes);
        memcpy(values + i * 3 + 8, &last, sizeof last);
    }
    hearth_encode_bytes(pixels + i * 4, count - i, flip, values + i * 3);
}

INLINE __m128 scaled(__m128 values, __m128 scale, int divides) {
    return divides ? _mm_div_ps(values, scale) : _mm_mul_ps(values, scale);
}

/// Four pixels at once; the rest is left. Returns how many are done.
AVX2 static inline __attribute__((always_inline)) size_t encode_fours(const uint8_t *pixels, size_t count,
                                                                      const float mean[3], const float scale[3],
                                                                      uint8_t *output, int divides) {
    __m128 means[3], scales[3];
    for (int k = 0; k < 3; k++) {
        // Twelve values in a row: the channels in turn, beginning with the first, the second, the third.
        means[k] = _mm_setr_ps(mean[k], mean[(k + 1) % 3], mean[(k + 2) % 3], mean[k]);
        scales[k] = _mm_setr_ps(scale[k], scale[(k + 1) % 3], scale[(k + 2) % 3], scale[k]);
    }
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m128i bytes = drop_fourth(pixels + i * 4);
        for (int k = 0; k < 3; k++) {
            const __m128 channels = _mm_cvtepi32_ps(_mm_cvtepu8_epi32(bytes));
            _mm_storeu_ps((float *)(output + i * 12 + k * 16),
                          scaled(_mm_sub_ps(channels, means[k]), scales[k], divides));
            bytes = _mm_srli_si128(bytes, 4);
        }
    }
    return i;
}

AVX2 static void encode_floats(const uint8_t *pixels, size_t count, const float mean[3], const float scale[3],
                               void *values) {
    uint8_t *const output = values;
    const size_t i = encode_fours(pixels, count, mean, scale, output, 0);
    hearth_encode_floats(pixels + i * 4, count - i, mean, scale, output + i * 12);
}

AVX2 static void divide_floats(const uint8_t *pixels, size_t count, const float mean[3], const float deviation[3],
                               void *values) {
    uint8_t *const output = values;
    const size_t i = encode_fours(pixels, count, mean, deviation, output, 1);
    hearth_divide_floats(pixels + i * 4, count - i, mean, deviation, output + i * 12);
}

const hearth_sampling hearth_sampling_avx2 = {
    sample_row, add_groups, divide_sums, convert_colors, encode_bytes, encode_floats, divide_floats};

#endif
