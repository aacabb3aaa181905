import CLiteRT

/// Why the engine failed: the step, and one line of text.
struct EngineError: Error, Sendable {
    enum Step: Sendable {
        case load, create, allocate, resize, run
        /// The model is valid but needs something that the engine lacks.
        case unsupported
        /// The app cancelled the run.
        case cancelled
    }

    let step: Step
    let message: String
    /// Whether the text contains a reason and not only the step.
    let hasReason: Bool
    /// Whether the machine has too little memory now. That says nothing about the model.
    let isLackOfMemory: Bool

    init(_ step: Step, _ reason: String) {
        self.step = step
        message = reason
        hasReason = true
        isLackOfMemory = false
    }

    /// There is not enough memory for a tensor.
    init(noMemoryFor shape: Tensor.Shape) {
        step = .allocate
        message = "There is not enough memory for a tensor of shape \(shape.dimensions)."
        hasReason = true
        isLackOfMemory = true
    }

    /// - Parameters:
    ///   - call: What Hearth tried, for people, after "LiteRT could not".
    ///   - report: The engine's own lines about it, if it has any.
    init(_ step: Step, call: String, status: LiteRtStatus, report: String = "") {
        self.step = step
        hasReason = !report.isEmpty
        isLackOfMemory = status == Self.outOfMemory
        message = hasReason ? report : "LiteRT could not \(call) (status \(status): \(Self.meaning(of: status)))."
    }

    /// The one place where a status of the C library becomes an error.
    static func check(_ status: LiteRtStatus, _ step: Step, _ call: String) throws(EngineError) {
        guard status == kLiteRtStatusOk else { throw EngineError(step, call: call, status: status) }
    }

    private static let outOfMemory = LiteRtStatus(2)

    /// The statuses of the functions used here; the library has no texts for them.
    private static func meaning(of status: LiteRtStatus) -> String {
        switch status {
        case 1: "invalid argument"
        case outOfMemory: "out of memory"
        case 3: "runtime failure"
        case 5: "unsupported"
        case 6: "not found"
        case 501: "invalid model file"
        case 504: "compilation failed"
        case 1000: "index out of range"
        default: "unknown"
        }
    }
}

extension RuntimeLog {
    /// The error to throw for a failure: the engine's reason if it stated one. Otherwise it logs the failure and
    /// returns the original library's error for the step.
    func error(_ failure: EngineError, otherwise error: any Error) -> any Error {
        if failure.step == .cancelled { return CancellationError() }
        // Not as a reason of the engine's: that would say that the model cannot run here.
        if failure.isLackOfMemory {
            self.error(failure.message)
            return error is InterpreterError ? InterpreterError.failedToAllocateTensors : error
        }
        if failure.hasReason { return InterpreterError.tensorFlowLiteError(failure.message) }
        self.error(failure.message)
        return error
    }
}

/// Finds out why a step failed when the library only logs the reason. Costs time only after a failure.
enum FailureReason {
    /// Repeats a failed step and returns the errors that the library prints about it, as one line; empty if it prints
    /// none.
    static func byRetrying(_ step: () -> Void) -> String {
        let (_, messages) = StandardErrorCapture.during { LogSeverity.withErrors(step) }
        var reasons: [String] = []
        for message in messages where message.level == .error {
            let reason = withoutSourceLocation(message.text)
            if !reason.isEmpty, !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons.joined(separator: "; ")
    }

    /// Removes the source location at the start: `[model_load.cc:316] Variable tensors ...`.
    private static func withoutSourceLocation(_ text: String) -> String {
        guard text.first == "[", let end = text.firstIndex(of: "]") else { return text }
        return String(text[text.index(after: end)...].drop { $0 == " " })
    }
}
