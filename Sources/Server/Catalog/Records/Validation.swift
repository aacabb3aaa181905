/// What the probe said about a file.
package enum Verdict: Sendable, Hashable {
    /// Not looked at yet.
    case pending
    case ok
    /// Well formed, but this server's engine cannot run it. A warning; it may be published.
    case unsupported(String)
    /// Not a usable model, or it crashed the probe. It cannot be published.
    case malformed(String)

    /// How the text of `unsupported` begins where the model crashed the engine when the server ran it: such a version is released
    /// only on purpose.
    package static let crashText = "Running the model on zeros crashed the engine here"

    /// Whether the model crashed the engine in its run on the server. Runs that were short of time or memory are none.
    package var isCrash: Bool {
        if case .unsupported(let text) = self { text.hasPrefix(Self.crashText) } else { false }
    }

    package var isPublishable: Bool {
        switch self {
        case .ok, .unsupported: true
        case .pending, .malformed: false
        }
    }
}

/// What is known about a file's bytes: one for each SHA-256, however many versions and uploads have those bytes.
package struct Validation: Sendable, Hashable {
    /// Lower-case hex.
    package var sha256: String
    package var sizeBytes: UInt64
    package var verdict: Verdict
    /// JSON of the contract as the probe reported it; nil for malformed files and while pending.
    package var contractJSON: String?
    /// JSON of the probe's `MeasurementReport`: what a run took, or why there was none; nil where it says neither.
    package var measurementsJSON: String?
    /// Pending ones are looked at in this order.
    package var requestedMicroseconds: Int64
    package var finishedMicroseconds: Int64?
    /// While pending: why there is no verdict yet, one line, where the server could not run its check.
    package var note: String?
    /// The verdict is malformed because the check ran out of time: the bytes stay, and the next start checks them again.
    package var isProvisional: Bool

    package init(
        sha256: String, sizeBytes: UInt64, verdict: Verdict = .pending, contractJSON: String? = nil,
        measurementsJSON: String? = nil, requestedMicroseconds: Int64, finishedMicroseconds: Int64? = nil,
        note: String? = nil, isProvisional: Bool = false
    ) {
        self.sha256 = sha256
        self.sizeBytes = sizeBytes
        self.verdict = verdict
        self.contractJSON = contractJSON
        self.measurementsJSON = measurementsJSON
        self.requestedMicroseconds = requestedMicroseconds
        self.finishedMicroseconds = finishedMicroseconds
        self.note = note
        self.isProvisional = isProvisional
    }
}
