#include "decode_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <turbojpeg.h>

enum { kTrials = 7 };

typedef struct {
    uint8_t *bytes;
    size_t size, capacity;
} memory;

struct decode_loop {
    tjhandle handle;
    memory file, pixels;
    int full_width, full_height;
    tjscalingfactor scale;
};

static bool reserve(memory *memory, size_t size) {
    memory->size = size;
    if (size <= memory->capacity) return true;
    free(memory->bytes);
    memory->bytes = malloc(size);
    memory->capacity = memory->bytes == NULL ? 0 : size;
    return memory->bytes != NULL;
}

decode_loop *decode_loop_open(void) {
    decode_loop *loop = calloc(1, sizeof *loop);
    if (loop == NULL) return NULL;
    loop->handle = tjInitDecompress();
    if (loop->handle != NULL) return loop;
    free(loop);
    return NULL;
}

void decode_loop_close(decode_loop *loop) {
    tjDestroy(loop->handle);
    free(loop->file.bytes);
    free(loop->pixels.bytes);
    free(loop);
}

bool decode_loop_read(decode_loop *loop, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    setvbuf(file, NULL, _IONBF, 0);
    bool is_read = false;
    long length;
    if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 0 && fseek(file, 0, SEEK_SET) == 0) {
        is_read = reserve(&loop->file, (size_t)length) &&
            fread(loop->file.bytes, 1, loop->file.size, file) == loop->file.size;
    }
    fclose(file);
    int subsampling, colorspace;
    loop->scale = (tjscalingfactor){1, 1};
    return is_read &&
        tjDecompressHeader3(
            loop->handle, loop->file.bytes, loop->file.size, &loop->full_width, &loop->full_height, &subsampling,
            &colorspace) == 0;
}

static bool covers(const decode_loop *loop, tjscalingfactor scale, int width, int height) {
    return scale.num <= scale.denom && TJSCALED(loop->full_width, scale) >= width &&
        TJSCALED(loop->full_height, scale) >= height;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double best_time(decode_loop *loop) {
    double best = -1;
    for (int trial = 0; trial < kTrials; trial++) {
        const double start = seconds();
        if (!decode_loop_run(loop, 1)) return -1;
        const double time = seconds() - start;
        if (best < 0 || time < best) best = time;
    }
    return best;
}

bool decode_loop_choose_fastest(decode_loop *loop, int width, int height) {
    int count = 0;
    const tjscalingfactor *scales = tjGetScalingFactors(&count);
    tjscalingfactor chosen = {1, 1};
    loop->scale = chosen;
    double best = best_time(loop);
    for (int i = 0; i < count; i++) {
        if (!covers(loop, scales[i], width, height)) continue;
        loop->scale = scales[i];
        const double time = best_time(loop);
        if (time < 0) return false;
        if (time < best) {
            best = time;
            chosen = scales[i];
        }
    }
    loop->scale = chosen;
    return best >= 0;
}

void decode_loop_choose_power_of_two(decode_loop *loop, int width, int height) {
    loop->scale = (tjscalingfactor){1, 1};
    while (loop->scale.denom < 8) {
        const tjscalingfactor half = {1, loop->scale.denom * 2};
        if (!covers(loop, half, width, height)) return;
        loop->scale = half;
    }
}

bool decode_loop_run(decode_loop *loop, size_t count) {
    const int width = TJSCALED(loop->full_width, loop->scale);
    const int height = TJSCALED(loop->full_height, loop->scale);
    if (!reserve(&loop->pixels, (size_t)width * (size_t)height * 3)) return false;
    for (size_t run = 0; run < count; run++) {
        const int status = tjDecompress2(
            loop->handle, loop->file.bytes, loop->file.size, loop->pixels.bytes, width, 0, height, TJPF_RGB, 0);
        if (status != 0) return false;
    }
    return true;
}

const uint8_t *decode_loop_pixels(const decode_loop *loop, int *width, int *height) {
    *width = TJSCALED(loop->full_width, loop->scale);
    *height = TJSCALED(loop->full_height, loop->scale);
    return loop->pixels.bytes;
}

void decode_loop_scale(const decode_loop *loop, int *numerator, int *denominator) {
    *numerator = loop->scale.num;
    *denominator = loop->scale.denom;
}
