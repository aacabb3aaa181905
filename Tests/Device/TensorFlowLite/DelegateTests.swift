import TensorFlowLite
import Testing

struct DelegateTests {
    /// As an app writes one around a C library's delegate.
    private final class ForeignDelegate: Delegate {
        let cDelegate: CDelegate

        init() {
            cDelegate = .allocate(capacity: 1)
            cDelegate.initialize(to: TfLiteDelegate())
        }

        deinit { cDelegate.deallocate() }
    }

    @Test func refusesDelegatesItCannotUse() {
        let error = #expect(throws: InterpreterError.self) {
            try Interpreter(modelPath: Fixture.add.path, options: nil, delegates: [ForeignDelegate()])
        }
        #expect(error?.description.contains("Delegates cannot be used") == true)
    }

    @Test func takesAPathThatMayBeMissing() throws {
        let missing: String? = nil
        #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelPath: missing) }
        let there: String? = Fixture.add.path
        #expect(try Interpreter(modelPath: there).inputTensorCount == 1)
    }
}
