// What the loop needs of LiteRT 2.3.0's C interface, which comes without headers. Kept apart from Hearth's own
// declarations on purpose: a mistake in those must not slow down or speed up both sides alike.
#ifndef LITERT_H
#define LITERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct LiteRtEnvironmentT *LiteRtEnvironment;
typedef struct LiteRtModelT *LiteRtModel;
typedef struct LiteRtSignatureT *LiteRtSignature;
typedef struct LiteRtTensorT *LiteRtTensor;
typedef struct LiteRtOptionsT *LiteRtOptions;
typedef struct LiteRtOpaqueOptionsT *LiteRtOpaqueOptions;
typedef struct LiteRtCompiledModelT *LiteRtCompiledModel;
typedef struct LiteRtTensorBufferT *LiteRtTensorBuffer;

typedef int32_t LiteRtStatus;  // 0 is success

typedef struct {
    uint32_t rank_and_flags;  // the rank is in the low seven bits
    int32_t dimensions[8];
    uint32_t strides[8];
} LiteRtLayout;

typedef struct {
    int32_t element_type;
    LiteRtLayout layout;
} LiteRtRankedTensorType;

typedef struct {
    int32_t tag;
    // A tagged value of 16 bytes; the loop passes integers only.
    struct {
        int32_t type;
        int64_t integer;
    } value;
} LiteRtEnvOption;

enum {
    kAnyTypeInteger = 2,
    kEnvironmentAccelerators = 24,
    kEnvironmentLogSeverity = 25,
    kLogSeveritySilent = 4,
    kAcceleratorCpu = 1,
};

LiteRtStatus LiteRtCreateEnvironment(int count, const LiteRtEnvOption *options, LiteRtEnvironment *environment);
void LiteRtDestroyEnvironment(LiteRtEnvironment environment);

LiteRtStatus LiteRtCreateModelFromBuffer(LiteRtEnvironment environment, const void *bytes, size_t size, LiteRtModel *);
void LiteRtDestroyModel(LiteRtModel model);

LiteRtStatus LiteRtGetModelSignature(LiteRtModel model, size_t index, LiteRtSignature *signature);
LiteRtStatus LiteRtGetNumSignatureInputs(LiteRtSignature signature, size_t *count);
LiteRtStatus LiteRtGetNumSignatureOutputs(LiteRtSignature signature, size_t *count);
LiteRtStatus LiteRtGetSignatureInputTensorByIndex(LiteRtSignature signature, size_t index, LiteRtTensor *tensor);
LiteRtStatus LiteRtGetSignatureOutputTensorByIndex(LiteRtSignature signature, size_t index, LiteRtTensor *tensor);
LiteRtStatus LiteRtGetRankedTensorType(LiteRtTensor tensor, LiteRtRankedTensorType *type);

LiteRtStatus LiteRtCreateOptions(LiteRtOptions *options);
void LiteRtDestroyOptions(LiteRtOptions options);
LiteRtStatus LiteRtSetOptionsHardwareAccelerators(LiteRtOptions options, int accelerators);
LiteRtStatus LiteRtCreateOpaqueOptions(
    const char *identifier, void *payload, void (*destroy)(void *), LiteRtOpaqueOptions *opaque);
LiteRtStatus LiteRtAddOpaqueOptions(LiteRtOptions options, LiteRtOpaqueOptions opaque);

LiteRtStatus LiteRtCreateCompiledModel(
    LiteRtEnvironment environment, LiteRtModel model, LiteRtOptions options, LiteRtCompiledModel *compiled);
void LiteRtDestroyCompiledModel(LiteRtCompiledModel compiled);
LiteRtStatus LiteRtGetCompiledModelInputTensorLayout(
    LiteRtCompiledModel compiled, size_t signature, size_t index, LiteRtLayout *layout);
LiteRtStatus LiteRtGetCompiledModelOutputTensorLayouts(
    LiteRtCompiledModel compiled, size_t signature, size_t count, LiteRtLayout *layouts, bool allocates);
LiteRtStatus LiteRtRunCompiledModel(
    LiteRtCompiledModel compiled, size_t signature, size_t input_count, LiteRtTensorBuffer *inputs,
    size_t output_count, LiteRtTensorBuffer *outputs);

LiteRtStatus LiteRtCreateTensorBufferFromHostMemory(
    const LiteRtRankedTensorType *type, void *memory, size_t size, void (*destroy)(void *),
    LiteRtTensorBuffer *buffer);
void LiteRtDestroyTensorBuffer(LiteRtTensorBuffer buffer);

#endif
