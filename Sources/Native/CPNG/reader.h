#ifndef HEARTH_CPNG_READER_H
#define HEARTH_CPNG_READER_H

#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// libpng reports errors by longjmp, which must not cross Swift frames. Each function here sets the jump target itself
// and returns false on an error; `message` then contains the reason.

struct hearth_png_reader {
    png_structp png;
    png_infop info;
    const uint8_t *next; // valid until hearth_png_close
    size_t remaining;
    size_t largest_allocation; // in bytes; more is refused
    uint32_t width;
    uint32_t height;
    uint32_t rows_read; // of the last interlace pass, or of the image if not interlaced
    bool truncated;     // the data ended before the image did
    char message[96];
};

static inline void hearth_png_on_error(png_structp png, png_const_charp text) {
    struct hearth_png_reader *reader = (struct hearth_png_reader *)png_get_error_ptr(png);
    snprintf(reader->message, sizeof reader->message, "%s", text);
    png_longjmp(png, 1);
}

// Warnings concern chunks that do not change the pixels. By default libpng prints them to stderr.
static inline void hearth_png_on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static inline void hearth_png_take(png_structp png, png_bytep destination, size_t count) {
    struct hearth_png_reader *reader = (struct hearth_png_reader *)png_get_io_ptr(png);
    if (count > reader->remaining) {
        reader->truncated = true;
        png_error(png, "unexpected end of data");
    }
    memcpy(destination, reader->next, count);
    reader->next += count;
    reader->remaining -= count;
}

// libpng trusts the length that an EXIF block states, up to 2 GB, and checks only later whether the bytes exist.
static inline png_voidp hearth_png_allocate(png_structp png, png_alloc_size_t size) {
    const struct hearth_png_reader *reader = (const struct hearth_png_reader *)png_get_mem_ptr(png);
    return size <= reader->largest_allocation ? malloc(size) : NULL;
}

/// Frees the reader and all that libpng holds for it.
static inline void hearth_png_close(struct hearth_png_reader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

/// A reader over `size` bytes, which must stay valid until `hearth_png_close`; NULL if memory is exhausted.
static inline struct hearth_png_reader *hearth_png_open(const void *bytes, size_t size) {
    struct hearth_png_reader *reader = (struct hearth_png_reader *)calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->next = (const uint8_t *)bytes;
    reader->remaining = size;
    // A chunk cannot be longer than the data; the rest is for libpng's and zlib's own needs.
    reader->largest_allocation = size + (1 << 20);
    reader->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, reader, hearth_png_on_error, hearth_png_on_warning,
                                           reader, hearth_png_allocate, NULL);
    if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
    if (reader->info == NULL) {
        hearth_png_close(reader);
        return NULL;
    }
    png_set_read_fn(reader->png, reader, hearth_png_take);
    return reader;
}

/// Reads up to the first byte of image data and fills in `width` and `height`. Takes no memory for pixels.
static inline bool hearth_png_read_header(struct hearth_png_reader *reader) {
    if (setjmp(png_jmpbuf(reader->png))) return false;
    // The caller has its own limits, with better error texts than libpng's.
    png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // Only the palette, the pixels and the EXIF block are needed. The skipped chunks (colour profiles, compressed text,
    // transparency) then cannot change the pixels or cause harm.
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, (png_const_bytep) "tRNS", 1);
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep) "eXIf", 1);
    png_read_info(reader->png, reader->info);
    reader->width = png_get_image_width(reader->png, reader->info);
    reader->height = png_get_image_height(reader->png, reader->info);
    return true;
}

/// Writes the image as 8-bit RGB rows without padding: `width * height * 3` bytes. Call once, after the header.
/// After a failure, the rows that were read are in place.
static inline bool hearth_png_read_pixels(struct hearth_png_reader *reader, uint8_t *rgb) {
    if (setjmp(png_jmpbuf(reader->png))) return false;
    png_set_expand(reader->png);
    png_set_strip_16(reader->png);
    png_set_strip_alpha(reader->png);
    png_set_gray_to_rgb(reader->png);
    reader->largest_allocation += (size_t)reader->width * 16; // a row, and space to transform it
    const int passes = png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    const size_t stride = (size_t)reader->width * 3;
    if (png_get_rowbytes(reader->png, reader->info) != stride) png_error(reader->png, "unexpected row size");
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t row = 0; row < reader->height; row++) {
            png_read_row(reader->png, rgb + row * stride, NULL);
            reader->rows_read = row + 1;
        }
    }
    png_read_end(reader->png, reader->info);
    return true;
}

/// The EXIF block, owned by the reader, or NULL. It may come after the pixels.
static inline const uint8_t *hearth_png_exif(struct hearth_png_reader *reader, uint32_t *size) {
    png_bytep bytes = NULL;
    png_uint_32 count = 0;
    if (setjmp(png_jmpbuf(reader->png))) return NULL;
    if (png_get_eXIf_1(reader->png, reader->info, &count, &bytes) == 0) return NULL;
    *size = count;
    return bytes;
}

#endif
