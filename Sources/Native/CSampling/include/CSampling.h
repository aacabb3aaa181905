// The inner loops of image sampling: bilinear blending of stored rows, and the conversion of the result into a tensor's
// values. Each loop exists twice, portable and for AVX2, with byte-identical results.
#ifndef HEARTH_CSAMPLING_H
#define HEARTH_CSAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Two positions along a side of the stored image, `first` not after `second`, and their weights in 1/2048.
typedef struct {
    int32_t first;
    int32_t second;
    int16_t first_weight;
    int16_t second_weight;
} hearth_tap;

/// Where the channels of a stored pixel are.
typedef enum {
    hearth_interleaved, // one plane; a pixel's channels are side by side
    hearth_semiplanar,  // luma, then one plane of chroma pairs at half size both ways
    hearth_planar,      // luma, then two planes of chroma at half size both ways
} hearth_arrangement;

/// A stored image. Its memory is valid during the call.
typedef struct {
    hearth_arrangement arrangement;
    int32_t pixel_bytes;    // from a pixel to its neighbour in the first plane
    uint8_t channels[3];    // offsets; interleaved: of the channels in a pixel; semiplanar: at [1], [2] in a pair
    const uint8_t *plane[3];
    size_t byte_count[3];   // bytes that may be read from `plane` on
    size_t row_bytes[3];    // from one row to the next
} hearth_image;

/// Factors from luma and chroma to red, green and blue, in units of 1/8192.
typedef struct {
    int16_t luma_offset;
    int16_t luma;
    int16_t red_difference_in_red;
    int16_t blue_difference_in_green;
    int16_t red_difference_in_green;
    int16_t blue_difference_in_blue;
} hearth_color_matrix;

/// The loops. Pixels between them have four bytes: three channels and an unused byte.
typedef struct {
    /// Blends the pixels of two rows. `columns` are the pixels of the row, all in ascending or all in descending order.
    /// `rows_first` decides which of the two blends, each with its own rounding, comes first. Writes `count * 4` bytes.
    void (*sample_row)(const hearth_image *image, hearth_tap rows, const hearth_tap *columns, size_t count,
                       bool rows_first, uint8_t *pixels);

    /// Adds up the channels of adjacent pixels: `count` groups of `across` pixels. `sums` has four values per group;
    /// the fourth is unused.
    void (*add_groups)(const uint8_t *pixels, size_t count, size_t across, uint32_t *sums);

    /// Writes `count * 4` bytes: the sums of `divisor` pixels, 2 to 4095 of them, divided by that and rounded.
    void (*divide_sums)(const uint32_t *sums, size_t count, uint32_t divisor, uint8_t *pixels);

    /// Converts luma, blue difference, red difference to red, green, blue, in place.
    void (*convert_colors)(const hearth_color_matrix *matrix, uint8_t *pixels, size_t count);

    /// Writes `count * 3` bytes: each channel, with the bits of `flip` inverted.
    void (*encode_bytes)(const uint8_t *pixels, size_t count, uint8_t flip, uint8_t *values);

    /// Writes `count * 3` floats, which need not be aligned: `(channel - mean) * scale`.
    void (*encode_floats)(const uint8_t *pixels, size_t count, const float mean[3], const float scale[3], void *values);

    /// Writes `count * 3` floats, which need not be aligned: `(channel - mean) / deviation`.
    void (*divide_floats)(const uint8_t *pixels, size_t count, const float mean[3], const float deviation[3],
                          void *values);
} hearth_sampling;

/// The loops in plain C.
const hearth_sampling *hearth_sampling_portable(void);

/// The fastest loops that this processor can run.
const hearth_sampling *hearth_sampling_fastest(void);

#endif
