/// What is known about a file's bytes. There is one for each SHA-256, however many versions and uploads have those
/// bytes.
package struct Validation: Sendable, Hashable {
    /// Lower-case hex.
    package var sha256: String
    package var sizeBytes: UInt64
    package var verdict: Verdict
    /// JSON of the contract as the probe reported it; nil for malformed files and while pending.
    package var contractJSON: String?
    /// JSON of the probe's `MeasurementReport`: the measurements of a run, or why there was no run; nil without either.
    package var measurementsJSON: String?
    /// When the validation was requested. Pending validations run in this order.
    package var requestedMicroseconds: Int64
    package var finishedMicroseconds: Int64?
    /// While pending: why there is no verdict yet, in one line, if the server could not validate the file.
    package var note: String?
    /// Whether the verdict is malformed only because the validation ran out of time, or because the file is a zip, which may
    /// be packed. The next start validates the file again.
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
