import Foundation
import TensorFlowLite
import Testing

struct SignatureRunnerErrorTests {
    private static let texts: [(SignatureRunnerError, String)] = [
        (
            .invalidTensorDataCount(provided: 7, required: 8),
            "Provided data count 7 must match the required count 8."
        ),
        (
            .invalidTensorDataType,
            "Tensor data type is unsupported or could not be determined due to a model error."
        ),
        (.failedToCopyDataToInputTensor, "Failed to copy data to input tensor."),
        (.failedToAllocateTensors, "Failed to allocate memory for input tensors."),
        (
            .failedToCreateSignatureRunner(signatureKey: "k"),
            "Failed to create a signature runner. Signature with key (k) not found."
        ),
        (
            .failedToGetTensor(tensorType: "input", nameInSignature: "x"),
            "Failed to get input tensor with input name (x)."
        ),
        (.failedToResizeInputTensor(inputName: "x"), "Failed to resize input tensor with input name (x)."),
        (.failedToInvokeSignature(signatureKey: "k"), "Failed to invoke the signature runner with key (k)."),
        (.allocateTensorsRequired, "Must call allocateTensors()."),
    ]

    @Test(arguments: texts)
    func saysWhatTheOriginalSays(error: SignatureRunnerError, text: String) {
        #expect(error.description == text)
        #expect(error.errorDescription == text)
        #expect((error as any Error).localizedDescription == text)
    }

    /// The codes that apps see through NSError follow from the order of the cases.
    @Test(arguments: [
        (SignatureRunnerError.invalidTensorDataCount(provided: 7, required: 8), 0),
        (.failedToCreateSignatureRunner(signatureKey: "k"), 1),
        (.failedToGetTensor(tensorType: "input", nameInSignature: "x"), 2),
        (.failedToResizeInputTensor(inputName: "x"), 3),
        (.failedToInvokeSignature(signatureKey: "k"), 4),
        (.invalidTensorDataType, 5),
        (.failedToCopyDataToInputTensor, 6),
        (.failedToAllocateTensors, 7),
        (.allocateTensorsRequired, 8),
    ])
    func keepsItsCodes(error: SignatureRunnerError, code: Int) {
        #expect((error as NSError).code == code)
    }

    @Test func comparesByCaseAndPayload() {
        #expect(Set(Self.texts.map(\.0)).count == Self.texts.count)
        #expect(
            SignatureRunnerError.failedToInvokeSignature(signatureKey: "a")
                != .failedToInvokeSignature(signatureKey: "b"))
    }
}
