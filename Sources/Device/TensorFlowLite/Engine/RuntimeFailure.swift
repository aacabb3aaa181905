import CLiteRT

/// Why the engine could not do something: the step that failed and one line of text.
struct RuntimeFailure: Error, Sendable {
    enum Step: Sendable {
        case load, create, allocate, resize, run
        /// The model is sound, but needs something that the engine lacks.
        case unsupported
        /// Somebody stopped the run.
        case cancelled
    }

    let step: Step
    let message: String
    /// Whether the text says more than that the step failed.
    let hasReason: Bool

    init(_ step: Step, _ reason: String) {
        self.step = step
        message = reason
        hasReason = true
    }

    /// - Parameters:
    ///   - call: What was tried, for people.
    ///   - report: The engine's own lines about it, if it has any.
    init(_ step: Step, call: String, status: LiteRtStatus, report: String = "") {
        self.step = step
        hasReason = !report.isEmpty
        message = hasReason ? report : "LiteRT could not \(call) (status \(status): \(Self.meaning(of: status)))."
    }

    /// The one place where a status of the C library becomes an error.
    static func check(_ status: LiteRtStatus, _ step: Step, _ call: String) throws(RuntimeFailure) {
        guard status == kLiteRtStatusOk else { throw RuntimeFailure(step, call: call, status: status) }
    }

    /// The statuses that the functions used here return; the library exports no text for them.
    private static func meaning(of status: LiteRtStatus) -> String {
        switch status {
        case 1: "invalid argument"
        case 2: "out of memory"
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

/// Finds out why a step failed whose reason the library only logs. Costs nothing until something fails.
enum FailureReason {
    /// Repeats a step that failed and returns the errors that the library prints about it, as one line; empty if there
    /// are none.
    static func byRetrying(_ step: () -> Void) -> String {
        let (_, messages) = StandardErrorCapture.during { LogSeverity.withErrors(step) }
        var reasons: [String] = []
        for message in messages where message.level == .error {
            let reason = withoutSourceLocation(message.text)
            if !reason.isEmpty, !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons.joined(separator: "; ")
    }

    /// Without the source line in front: `[model_load.cc:316] Variable tensors ...`.
    private static func withoutSourceLocation(_ text: String) -> String {
        guard text.first == "[", let end = text.firstIndex(of: "]") else { return text }
        return String(text[text.index(after: end)...].drop { $0 == " " })
    }
}
