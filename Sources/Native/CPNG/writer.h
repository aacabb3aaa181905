#ifndef HEARTH_CPNG_WRITER_H
#define HEARTH_CPNG_WRITER_H

#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As in reader.h: libpng's longjmp never leaves the function that set the jump target.

struct hearth_png_writer {
    png_structp png;
    png_infop info;
    uint8_t *bytes; // the file so far, from malloc; the caller frees it
    size_t count;
    size_t capacity;
    bool out_of_memory;
    char message[96];
};

static inline void hearth_png_on_write_error(png_structp png, png_const_charp text) {
    struct hearth_png_writer *writer = (struct hearth_png_writer *)png_get_error_ptr(png);
    snprintf(writer->message, sizeof writer->message, "%s", text);
    png_longjmp(png, 1);
}

static inline void hearth_png_on_write_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static inline void hearth_png_append(png_structp png, png_bytep source, size_t count) {
    struct hearth_png_writer *writer = (struct hearth_png_writer *)png_get_io_ptr(png);
    if (count > writer->capacity - writer->count) {
        size_t capacity = writer->capacity == 0 ? 1 << 16 : writer->capacity;
        while (count > capacity - writer->count) {
            if (capacity > SIZE_MAX / 2) png_error(png, "file too large");
            capacity *= 2;
        }
        uint8_t *bytes = (uint8_t *)realloc(writer->bytes, capacity);
        if (bytes == NULL) {
            writer->out_of_memory = true;
            png_error(png, "no memory for the file");
        }
        writer->bytes = bytes;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->count, source, count);
    writer->count += count;
}

static inline void hearth_png_flush(png_structp png) {
    (void)png;
}

static inline bool hearth_png_write_steps(
    struct hearth_png_writer *writer, const uint8_t *rgb, uint32_t width, uint32_t height, int level) {
    if (setjmp(png_jmpbuf(writer->png))) return false;
    png_set_write_fn(writer->png, writer, hearth_png_append, hearth_png_flush);
    png_set_user_limits(writer->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_compression_level(writer->png, level);
    // The rows of photos resemble the ones above them. Trying all filters on each row takes 50 percent more time, and
    // the files do not become smaller.
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
    png_set_IHDR(
        writer->png, writer->info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_write_info(writer->png, writer->info);
    const size_t stride = (size_t)width * 3;
    for (uint32_t row = 0; row < height; row++) png_write_row(writer->png, rgb + row * stride);
    png_write_end(writer->png, NULL);
    return true;
}

/// Encodes 8-bit RGB rows without padding, `width * height * 3` bytes, as a PNG file in `writer->bytes`, which the
/// caller frees in any case. `writer` must be all zero; after `false`, `message` contains the reason.
static inline bool hearth_png_write(
    struct hearth_png_writer *writer, const uint8_t *rgb, uint32_t width, uint32_t height, int level) {
    writer->png = png_create_write_struct(
        PNG_LIBPNG_VER_STRING, writer, hearth_png_on_write_error, hearth_png_on_write_warning);
    if (writer->png != NULL) writer->info = png_create_info_struct(writer->png);
    writer->out_of_memory = writer->info == NULL;
    const bool written = writer->info != NULL && hearth_png_write_steps(writer, rgb, width, height, level);
    png_destroy_write_struct(&writer->png, &writer->info);
    return written;
}

#endif
