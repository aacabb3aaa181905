// The part of LiteRT 2.3.0's C interface that Hearth uses. The library ships without headers, so its types, values and
// functions are declared here from their documented binary layout, with LiteRT's own names.
#ifndef HEARTH_CLITERT_SHIM_H
#define HEARTH_CLITERT_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// MARK: Opaque objects. The caller of an object's Create function owns it, unless a comment below says otherwise.

typedef struct LiteRtEnvironmentT *LiteRtEnvironment;
typedef struct LiteRtModelT *LiteRtModel;
typedef struct LiteRtOptionsT *LiteRtOptions;
typedef struct LiteRtOpaqueOptionsT *LiteRtOpaqueOptions;
typedef struct LiteRtCompiledModelT *LiteRtCompiledModel;
typedef struct LiteRtTensorBufferT *LiteRtTensorBuffer;
typedef struct LiteRtAcceleratorT *LiteRtAccelerator;
typedef struct LiteRtProfilerT *LiteRtProfiler;

// MARK: Values

typedef int32_t LiteRtStatus;

enum { kLiteRtStatusOk = 0 };

// The runtime's own numbers, which differ from those of the model file. Only types that a tensor buffer may have.
typedef int32_t LiteRtElementType;

enum {
    kLiteRtElementTypeFloat32 = 1,
    kLiteRtElementTypeInt32 = 2,
    kLiteRtElementTypeUInt8 = 3,
    kLiteRtElementTypeInt64 = 4,
    kLiteRtElementTypeString = 5,
    kLiteRtElementTypeBool = 6,
    kLiteRtElementTypeInt16 = 7,
    kLiteRtElementTypeComplex64 = 8,
    kLiteRtElementTypeInt8 = 9,
    kLiteRtElementTypeFloat16 = 10,
    kLiteRtElementTypeFloat64 = 11,
    kLiteRtElementTypeComplex128 = 12,
    kLiteRtElementTypeUInt64 = 13,
    kLiteRtElementTypeUInt32 = 16,
    kLiteRtElementTypeUInt16 = 17,
    kLiteRtElementTypeInt4 = 18,
};

enum { kLiteRtTensorMaxRank = 8 };

// The first word has the rank in its low seven bits and "has strides" in the eighth.
typedef struct {
    uint32_t rank_and_flags;
    int32_t dimensions[kLiteRtTensorMaxRank];
    uint32_t strides[kLiteRtTensorMaxRank];
} LiteRtLayout;

typedef struct {
    LiteRtElementType element_type;
    LiteRtLayout layout;
} LiteRtRankedTensorType;

enum {
    kLiteRtHwAcceleratorCpu = 1,
    kLiteRtHwAcceleratorGpu = 2,
    kLiteRtHwAcceleratorNpu = 4,
};

enum {
    kLiteRtAnyTypeInt = 2,
    kLiteRtAnyTypeString = 8,
};

typedef struct {
    int32_t type;
    union {
        bool bool_value;
        int64_t int_value;
        double real_value;
        const char *str_value;
        const void *ptr_value;
    };
} LiteRtAny;

enum {
    kLiteRtEnvOptionTagDispatchLibraryDir = 1,
    kLiteRtEnvOptionTagRuntimeLibraryDir = 22,
    kLiteRtEnvOptionTagAutoRegisterAccelerators = 24,
    kLiteRtEnvOptionTagMinLoggerSeverity = 25,
};

typedef struct {
    int32_t tag;
    LiteRtAny value;
} LiteRtEnvOption;

// The profiler's events. The profiler owns the tag; begin and end are three counts of bytes each.
enum {
    kLiteRtProfilerEventTypeOperator = 2,
    kLiteRtProfilerEventTypeDelegatedOperator = 8,
};

typedef struct {
    const char *tag;
    int32_t type;
    uint64_t start_us;
    uint64_t elapsed_us;
    size_t begin_memory[3];
    size_t end_memory[3];
    uint64_t metadata_1;
    uint64_t metadata_2;
    int32_t source;
} ProfiledEventData;

_Static_assert(sizeof(ProfiledEventData) == 104, "layout of ProfiledEventData");
_Static_assert(sizeof(LiteRtLayout) == 68, "layout of LiteRtLayout");
_Static_assert(sizeof(LiteRtRankedTensorType) == 72, "layout of LiteRtRankedTensorType");
_Static_assert(sizeof(LiteRtEnvOption) == 24, "layout of LiteRtEnvOption");

// MARK: Environment and model

LiteRtStatus LiteRtCreateEnvironment(int count, const LiteRtEnvOption *options, LiteRtEnvironment *environment);
void LiteRtDestroyEnvironment(LiteRtEnvironment environment);

// Accelerators belong to their environment.
LiteRtStatus LiteRtGetNumAccelerators(LiteRtEnvironment environment, size_t *count);
LiteRtStatus LiteRtGetAccelerator(LiteRtEnvironment environment, size_t index, LiteRtAccelerator *accelerator);
LiteRtStatus LiteRtGetAcceleratorHardwareSupport(LiteRtAccelerator accelerator, int *accelerators);

// The bytes are borrowed: they must outlive the model and every compiled model made from it.
LiteRtStatus LiteRtCreateModelFromBuffer(
    LiteRtEnvironment environment, const void *bytes, size_t size, LiteRtModel *model);
void LiteRtDestroyModel(LiteRtModel model);

// MARK: Compilation

LiteRtStatus LiteRtCreateOptions(LiteRtOptions *options);
void LiteRtDestroyOptions(LiteRtOptions options);
LiteRtStatus LiteRtSetOptionsHardwareAccelerators(LiteRtOptions options, int accelerators);

// The opaque options own `payload`, and call `destroy` on it. Adding them to options transfers their ownership.
LiteRtStatus LiteRtCreateOpaqueOptions(
    const char *identifier, void *payload, void (*destroy)(void *), LiteRtOpaqueOptions *options);
LiteRtStatus LiteRtAddOpaqueOptions(LiteRtOptions options, LiteRtOpaqueOptions opaque);

// Functions that the runtime calls for an operator that is not built in. `Init` gets the operator's options;
// `GetOutputLayouts` is called whenever shapes may have changed, `Run` in each run, `Destroy` with the compiled model.
// The runtime ignores the statuses that they return. Buffers are valid during the call only.
typedef struct {
    LiteRtStatus (*Init)(void *user_data, const void *options, size_t size);
    LiteRtStatus (*GetOutputLayouts)(
        void *user_data, size_t input_count, const LiteRtLayout *inputs, size_t output_count, LiteRtLayout *outputs);
    LiteRtStatus (*Run)(
        void *user_data, size_t input_count, const LiteRtTensorBuffer *inputs, size_t output_count,
        LiteRtTensorBuffer *outputs);
    LiteRtStatus (*Destroy)(void *user_data);
} LiteRtCustomOpKernel;

// Copies the name and the functions. `user_data` is borrowed: it must outlive every model compiled with these options.
LiteRtStatus LiteRtAddCustomOpKernelOption(
    LiteRtOptions options, const char *name, int version, const LiteRtCustomOpKernel *kernel, void *user_data);

LiteRtStatus LiteRtCreateCompiledModel(
    LiteRtEnvironment environment, LiteRtModel model, LiteRtOptions options, LiteRtCompiledModel *compiled);
void LiteRtDestroyCompiledModel(LiteRtCompiledModel compiled);

LiteRtStatus LiteRtGetCompiledModelInputTensorLayout(
    LiteRtCompiledModel compiled, size_t signature, size_t index, LiteRtLayout *layout);
LiteRtStatus LiteRtGetCompiledModelOutputTensorLayouts(
    LiteRtCompiledModel compiled, size_t signature, size_t count, LiteRtLayout *layouts, bool update_allocation);
LiteRtStatus LiteRtCompiledModelResizeInputTensorNonStrict(
    LiteRtCompiledModel compiled, size_t signature, size_t index, const int *dimensions, size_t rank);
LiteRtStatus LiteRtRunCompiledModel(
    LiteRtCompiledModel compiled, size_t signature, size_t input_count, LiteRtTensorBuffer *inputs,
    size_t output_count, LiteRtTensorBuffer *outputs);

// `*messages` is allocated with malloc and belongs to the caller; the runtime drops the messages that it returned.
LiteRtStatus LiteRtCompiledModelGetErrorMessages(LiteRtCompiledModel compiled, char **messages);

// The runtime calls the function before each operator, on the thread of the run, to ask whether to stop. It cannot be
// removed.
LiteRtStatus LiteRtSetCompiledModelCancellationFunction(
    LiteRtCompiledModel compiled, void *context, bool (*is_cancelled)(void *context));

// MARK: Profiles

// The profiler belongs to the compiled model, which has one if it was created with `enable_profiling`. Starting it
// drops its earlier events.
LiteRtStatus LiteRtCompiledModelGetProfiler(LiteRtCompiledModel compiled, LiteRtProfiler *profiler);
LiteRtStatus LiteRtStartProfiler(LiteRtProfiler profiler);
LiteRtStatus LiteRtStopProfiler(LiteRtProfiler profiler);
LiteRtStatus LiteRtGetNumProfilerEvents(LiteRtProfiler profiler, int *count);
LiteRtStatus LiteRtGetProfilerEvents(LiteRtProfiler profiler, int count, ProfiledEventData *events);

// MARK: Buffers

// The memory is borrowed if `destroy` is null. It must be 64-byte aligned, and readable slightly past its end.
LiteRtStatus LiteRtCreateTensorBufferFromHostMemory(
    const LiteRtRankedTensorType *type, void *memory, size_t size, void (*destroy)(void *),
    LiteRtTensorBuffer *buffer);
void LiteRtDestroyTensorBuffer(LiteRtTensorBuffer buffer);

LiteRtStatus LiteRtGetTensorBufferHostMemory(LiteRtTensorBuffer buffer, void **memory);
LiteRtStatus LiteRtGetTensorBufferPackedSize(LiteRtTensorBuffer buffer, size_t *size);

// MARK: Files in memory

#if defined(__linux__)

// Linux's memfd_create, which its headers declare only for programs that define _GNU_SOURCE.
int hearth_create_memory_file(const char *name, unsigned int flags) __asm__("memfd_create");

enum { kHearthMemoryFileCloseOnExec = 1 };

#endif

// MARK: Standard error

#if defined(__GLIBC__)

// glibc's fopencookie, which its headers declare only for programs that define _GNU_SOURCE, which Swift's do not: a
// stream whose bytes go to `write`. The other functions may be null.
typedef struct {
    void *read;
    ptrdiff_t (*write)(void *cookie, const char *bytes, size_t count);
    void *seek;
    void *close;
} hearth_stream_functions;

FILE *hearth_open_stream(void *cookie, const char *mode, hearth_stream_functions functions) __asm__("fopencookie");

// Replaces the process's `stderr` stream with `stream`, and returns the previous one. File descriptor 2 is not changed.
// A C function, because Swift does not allow writing to the variable.
static inline FILE *hearth_exchange_stderr(FILE *stream) {
    return __atomic_exchange_n(&stderr, stream, __ATOMIC_ACQ_REL);
}

#endif

#endif
