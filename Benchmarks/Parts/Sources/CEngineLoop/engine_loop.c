#include "engine_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litert.h"

enum { kMostTensors = 8, kAlignment = 64, kPadding = 64 };

typedef struct {
    void *memory;         // what the engine reads or writes; aligned, and readable past its end
    uint8_t *caller_copy; // what a program would have or want elsewhere
    size_t size;
} tensor;

struct engine_loop {
    void *model_bytes;
    size_t model_size;
    LiteRtEnvironment environment;
    LiteRtModel model;
    LiteRtCompiledModel compiled;
    size_t input_count, output_count;
    tensor inputs[kMostTensors], outputs[kMostTensors];
    LiteRtTensorBuffer input_buffers[kMostTensors], output_buffers[kMostTensors];
};

static bool read_file(const char *path, void **bytes, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    bool is_read = false;
    long length;
    if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 0 && fseek(file, 0, SEEK_SET) == 0) {
        *size = (size_t)length;
        *bytes = malloc(*size);
        is_read = *bytes != NULL && fread(*bytes, 1, *size, file) == *size;
    }
    fclose(file);
    return is_read;
}

static bool make_environment(engine_loop *loop) {
    const LiteRtEnvOption options[] = {
        {kEnvironmentAccelerators, {kAnyTypeInteger, kAcceleratorCpu}},
        {kEnvironmentLogSeverity, {kAnyTypeInteger, kLogSeveritySilent}},
    };
    return LiteRtCreateEnvironment(2, options, &loop->environment) == 0;
}

static bool add_option(LiteRtOptions options, const char *identifier, const char *text) {
    char *payload = strdup(text);
    LiteRtOpaqueOptions opaque = NULL;
    if (payload == NULL) return false;
    if (LiteRtCreateOpaqueOptions(identifier, payload, free, &opaque) != 0) {
        free(payload);
        return false;
    }
    return LiteRtAddOpaqueOptions(options, opaque) == 0;
}

// The same choices as Hearth's: XNNPACK with its defaults, and messages of kernels in a buffer.
static bool compile(engine_loop *loop, int threads) {
    char thread_text[32];
    snprintf(thread_text, sizeof thread_text, "num_threads = %d", threads);
    LiteRtOptions options = NULL;
    if (LiteRtCreateOptions(&options) != 0) return false;
    const bool is_compiled = LiteRtSetOptionsHardwareAccelerators(options, kAcceleratorCpu) == 0 &&
        add_option(options, "xnnpack", thread_text) && add_option(options, "cpu_delegate", thread_text) &&
        add_option(options, "runtime_options_string", "error_reporter_mode = 2") &&
        LiteRtCreateCompiledModel(loop->environment, loop->model, options, &loop->compiled) == 0;
    LiteRtDestroyOptions(options);
    return is_compiled;
}

// 0 for types that the loop does not feed.
static size_t element_size(int32_t type) {
    switch (type) {
    case 3: case 6: case 9: return 1;    // uint8, bool, int8
    case 7: case 10: case 17: return 2;  // int16, float16, uint16
    case 1: case 2: case 16: return 4;   // float32, int32, uint32
    case 4: case 11: case 13: return 8;  // int64, float64, uint64
    default: return 0;
    }
}

static size_t layout_size(const LiteRtLayout *layout, size_t size) {
    const uint32_t rank = layout->rank_and_flags & 0x7F;
    for (uint32_t i = 0; i < rank; i++) size *= (size_t)layout->dimensions[i];
    return size;
}

static bool make_buffer(LiteRtTensor source, const LiteRtLayout *layout, tensor *made, LiteRtTensorBuffer *buffer) {
    LiteRtRankedTensorType type;
    if (LiteRtGetRankedTensorType(source, &type) != 0) return false;
    type.layout = *layout;
    made->size = layout_size(layout, element_size(type.element_type));
    if (made->size == 0 || posix_memalign(&made->memory, kAlignment, made->size + kPadding) != 0) return false;
    memset(made->memory, 0, made->size + kPadding);
    made->caller_copy = malloc(made->size);
    return made->caller_copy != NULL &&
        LiteRtCreateTensorBufferFromHostMemory(&type, made->memory, made->size, NULL, buffer) == 0;
}

static bool make_inputs(engine_loop *loop, LiteRtSignature signature) {
    if (LiteRtGetNumSignatureInputs(signature, &loop->input_count) != 0) return false;
    if (loop->input_count > kMostTensors) return false;
    for (size_t i = 0; i < loop->input_count; i++) {
        LiteRtTensor source;
        LiteRtLayout layout;
        if (LiteRtGetSignatureInputTensorByIndex(signature, i, &source) != 0) return false;
        if (LiteRtGetCompiledModelInputTensorLayout(loop->compiled, 0, i, &layout) != 0) return false;
        if (!make_buffer(source, &layout, &loop->inputs[i], &loop->input_buffers[i])) return false;
        fill_input(loop->inputs[i].caller_copy, loop->inputs[i].size);
    }
    return true;
}

static bool make_outputs(engine_loop *loop, LiteRtSignature signature) {
    if (LiteRtGetNumSignatureOutputs(signature, &loop->output_count) != 0) return false;
    if (loop->output_count == 0 || loop->output_count > kMostTensors) return false;
    LiteRtLayout layouts[kMostTensors] = {0};
    const LiteRtStatus status =
        LiteRtGetCompiledModelOutputTensorLayouts(loop->compiled, 0, loop->output_count, layouts, true);
    if (status != 0) return false;
    for (size_t i = 0; i < loop->output_count; i++) {
        LiteRtTensor source;
        if (LiteRtGetSignatureOutputTensorByIndex(signature, i, &source) != 0) return false;
        if (!make_buffer(source, &layouts[i], &loop->outputs[i], &loop->output_buffers[i])) return false;
    }
    return true;
}

static const char *open_steps(engine_loop *loop, const char *path, int threads) {
    LiteRtSignature signature;
    if (!read_file(path, &loop->model_bytes, &loop->model_size)) return "cannot read the model";
    if (!make_environment(loop)) return "cannot make an environment";
    if (LiteRtCreateModelFromBuffer(loop->environment, loop->model_bytes, loop->model_size, &loop->model) != 0)
        return "cannot load the model";
    if (!compile(loop, threads)) return "cannot compile the model";
    if (LiteRtGetModelSignature(loop->model, 0, &signature) != 0) return "the model has no signature";
    if (!make_inputs(loop, signature)) return "cannot make the inputs";
    if (!make_outputs(loop, signature)) return "cannot make the outputs";
    return NULL;
}

engine_loop *engine_loop_open(const char *path, int threads, const char **failure) {
    engine_loop *loop = calloc(1, sizeof *loop);
    *failure = loop == NULL ? "out of memory" : open_steps(loop, path, threads);
    if (*failure == NULL) return loop;
    engine_loop_close(loop);
    return NULL;
}

static void destroy(size_t count, tensor *tensors, LiteRtTensorBuffer *buffers) {
    for (size_t i = 0; i < count; i++) {
        LiteRtDestroyTensorBuffer(buffers[i]);
        free(tensors[i].memory);
        free(tensors[i].caller_copy);
    }
}

void engine_loop_close(engine_loop *loop) {
    if (loop == NULL) return;
    destroy(kMostTensors, loop->inputs, loop->input_buffers);
    destroy(kMostTensors, loop->outputs, loop->output_buffers);
    LiteRtDestroyCompiledModel(loop->compiled);
    LiteRtDestroyModel(loop->model);
    LiteRtDestroyEnvironment(loop->environment);
    free(loop->model_bytes);
    free(loop);
}

static inline bool run_once(engine_loop *loop) {
    return LiteRtRunCompiledModel(
        loop->compiled, 0, loop->input_count, loop->input_buffers, loop->output_count, loop->output_buffers) == 0;
}

bool engine_loop_run_with_copies(engine_loop *loop, size_t count) {
    for (size_t run = 0; run < count; run++) {
        for (size_t i = 0; i < loop->input_count; i++)
            memcpy(loop->inputs[i].memory, loop->inputs[i].caller_copy, loop->inputs[i].size);
        if (!run_once(loop)) return false;
        for (size_t i = 0; i < loop->output_count; i++)
            memcpy(loop->outputs[i].caller_copy, loop->outputs[i].memory, loop->outputs[i].size);
    }
    return true;
}

bool engine_loop_run(engine_loop *loop, size_t count) {
    for (size_t run = 0; run < count; run++) {
        if (!run_once(loop)) return false;
    }
    return true;
}

uint8_t *engine_loop_input(const engine_loop *loop, size_t index, size_t *size) {
    *size = loop->inputs[index].size;
    return loop->inputs[index].memory;
}

const uint8_t *engine_loop_output(const engine_loop *loop, size_t *size) {
    *size = loop->outputs[0].size;
    return loop->outputs[0].caller_copy;
}
