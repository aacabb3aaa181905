import Foundation
import TensorFlowLite
import Testing

struct InterpreterErrorTests {
    /// The exact texts: people search for them.
    @Test(arguments: [
        (InterpreterError.invalidTensorIndex(index: 1, maxIndex: 0), "Invalid tensor index 1, max index is 0."),
        (
            .invalidTensorDataCount(provided: 7, required: 8),
            "Provided data count 7 must match the required count 8."
        ),
        (
            .invalidTensorDataType,
            "Tensor data type is unsupported or could not be determined due to a model error."
        ),
        (.failedToLoadModel, "Failed to load the given model."),
        (.failedToCreateInterpreter, "Failed to create the interpreter."),
        (.failedToResizeInputTensor(index: 2), "Failed to resize input tensor at index 2."),
        (.failedToCopyDataToInputTensor, "Failed to copy data to input tensor."),
        (.failedToAllocateTensors, "Failed to allocate memory for input tensors."),
        (.allocateTensorsRequired, "Must call allocateTensors()."),
        (.invokeInterpreterRequired, "Must call invoke()."),
        (.tensorFlowLiteError("no"), "TensorFlow Lite Error: no"),
    ])
    func saysWhatTheOriginalSays(error: InterpreterError, text: String) {
        #expect(error.description == text)
        #expect(error.errorDescription == text)
        #expect((error as any Error).localizedDescription == text)
    }

    /// The codes that apps see through NSError follow from the order of the cases.
    @Test(arguments: [
        (InterpreterError.invalidTensorIndex(index: 1, maxIndex: 0), 0),
        (.invalidTensorDataCount(provided: 7, required: 8), 1),
        (.failedToResizeInputTensor(index: 2), 2),
        (.tensorFlowLiteError("no"), 3),
        (.invalidTensorDataType, 4),
        (.failedToLoadModel, 5),
        (.failedToCreateInterpreter, 6),
        (.failedToCopyDataToInputTensor, 7),
        (.failedToAllocateTensors, 8),
        (.allocateTensorsRequired, 9),
        (.invokeInterpreterRequired, 10),
    ])
    func keepsItsCodes(error: InterpreterError, code: Int) {
        #expect((error as NSError).code == code)
    }

    @Test func anErrorWithAReasonIsStillTheOneThatAppsKnow() {
        let reason = InterpreterError.failedToLoadModel(.init("the file is cut short"))
        #expect(reason.description == "Failed to load the given model. Reason: the file is cut short")
        #expect((reason as any Error).localizedDescription == reason.description)
        #expect(reason == .failedToLoadModel && Set([reason, .failedToLoadModel]).count == 1)
        #expect((reason as NSError).code == 5 && (reason as NSError).domain == "TensorFlowLite.InterpreterError")
        do {
            throw reason
        } catch InterpreterError.failedToLoadModel {
        } catch {
            Issue.record(error)
        }
        switch reason {
        case .failedToLoadModel: break
        default: Issue.record("the pattern does not match")
        }
    }

    @Test func comparesByCaseAndPayload() {
        let errors: [InterpreterError] = [
            .invalidTensorIndex(index: 1, maxIndex: 0), .invalidTensorIndex(index: 0, maxIndex: 1),
            .invalidTensorDataCount(provided: 1, required: 0), .failedToResizeInputTensor(index: 1),
            .failedToResizeInputTensor(index: 0), .tensorFlowLiteError("a"), .tensorFlowLiteError("b"),
            .allocateTensorsRequired, .invokeInterpreterRequired,
        ]
        #expect(Set(errors + errors).count == errors.count)
    }

    @Test func namesADivisionByZero() throws {
        let interpreter = try Fixture.divide_int32.allocated()
        try interpreter.copy(Data(elements: [Int32(6), 8]), toInputAt: 0)
        let error = #expect(throws: InterpreterError.self) { try interpreter.invoke() }
        guard case .tensorFlowLiteError(let text) = error else { Issue.record("unexpected \(error as Any)"); return }
        #expect(text.contains("DIV"), "\(text)")
        #expect(!text.contains("\n"))

        // The interpreter stays usable, and the report of the failed run is gone.
        try interpreter.copy(Data(elements: [Int32(2), 4]), toInputAt: 1)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).data.elements(Int32.self) == [3, 2])
    }
}
