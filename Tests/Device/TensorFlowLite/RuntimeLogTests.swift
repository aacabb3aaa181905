import Testing

@testable import TensorFlowLite

/// Which error a failure of the engine becomes. That it gives no reason cannot be brought about from outside.
struct RuntimeLogTests {
    private let list = MessageList()

    private func error(_ failure: RuntimeFailure, _ original: InterpreterError) -> any Error {
        RuntimeLog(
            .with {
                $0.logLevel = .error; $0.logHandler = list.handler
            }
        ).error(failure, otherwise: original)
    }

    @Test func throwsTheReasonWhereThereIsOne() {
        for failure in [
            RuntimeFailure(.run, "Division by zero."),
            RuntimeFailure(.run, call: "run the model", status: 3, report: "Division by zero."),
        ] {
            let thrown = error(failure, .allocateTensorsRequired) as? InterpreterError
            #expect(thrown == .tensorFlowLiteError("Division by zero."))
        }
        #expect(list.messages.isEmpty)
    }

    @Test(arguments: [
        InterpreterError.failedToLoadModel, .failedToCreateInterpreter, .failedToAllocateTensors,
    ])
    func throwsTheOriginalsErrorWhereThereIsNone(original: InterpreterError) {
        let failure = RuntimeFailure(.allocate, call: "allocate the tensors", status: 2)
        #expect(error(failure, original) as? InterpreterError == original)
        #expect(list.texts == ["LiteRT could not allocate the tensors (status 2: out of memory)."])
    }

    @Test func throwsACancellationAsSwiftDoes() {
        #expect(error(RuntimeFailure(.cancelled, "Stopped."), .allocateTensorsRequired) is CancellationError)
        #expect(list.messages.isEmpty)
    }
}
