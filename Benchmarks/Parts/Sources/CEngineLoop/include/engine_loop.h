#ifndef ENGINE_LOOP_H
#define ENGINE_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A model run straight on LiteRT's C interface, as a careful C program would do it: everything that can be done once is
// done when the loop is opened, and each status is checked. One thread at a time.
typedef struct engine_loop engine_loop;

// NULL where the model cannot be read or run; `*failure` then says which step failed, in static text.
engine_loop *engine_loop_open(const char *path, int threads, const char **failure);
void engine_loop_close(engine_loop *loop);

// Copies the inputs in, runs, and copies the outputs out, `count` times. False where a run fails.
bool engine_loop_run_with_copies(engine_loop *loop, size_t count);

// Runs `count` times on what the input buffers hold.
bool engine_loop_run(engine_loop *loop, size_t count);

// What the engine reads for input `index`, to be filled for `engine_loop_run`. It belongs to the loop.
uint8_t *engine_loop_input(const engine_loop *loop, size_t index, size_t *size);

// The bytes that the first output had when it was copied out last. They belong to the loop.
const uint8_t *engine_loop_output(const engine_loop *loop, size_t *size);

// Bytes to feed to any model: taken as 32-bit or 64-bit floats they are ordinary numbers too, between 2^-15 and 2.
void fill_input(uint8_t *bytes, size_t size);

#endif
