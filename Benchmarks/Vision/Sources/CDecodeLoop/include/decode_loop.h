#ifndef DECODE_LOOP_H
#define DECODE_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// JPEG files decoded by libjpeg-turbo into memory that is used again and again: the least that any program has to do
// with a photo, if it decodes no more pixels than a model of a given input size needs. One thread at a time.
typedef struct decode_loop decode_loop;

// NULL when memory is short.
decode_loop *decode_loop_open(void);
void decode_loop_close(decode_loop *loop);

// Takes the file in. False where it cannot be read or is no JPEG.
bool decode_loop_read(decode_loop *loop, const char *path);

// Chooses, of the scales whose result still covers width x height, the one that decodes fastest here and now.
bool decode_loop_choose_fastest(decode_loop *loop, int width, int height);

// Chooses the smallest of 1, 1/2, 1/4 and 1/8 whose result still covers width x height: nothing is tried out.
void decode_loop_choose_power_of_two(decode_loop *loop, int width, int height);

// Decodes `count` times. False where it fails.
bool decode_loop_run(decode_loop *loop, size_t count);

// What was decoded last: tight RGB rows. It belongs to the loop.
const uint8_t *decode_loop_pixels(const decode_loop *loop, int *width, int *height);

// The scale that was chosen, as a fraction.
void decode_loop_scale(const decode_loop *loop, int *numerator, int *denominator);

#endif
