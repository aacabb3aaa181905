/// What `hearth probe` prints, as one line of JSON on standard output. The measurements are missing there: another
/// process, `hearth probe --measure`, prints them. For a model that takes images, a second line follows, with a
/// `ModelContract.Vision`: what happens while it is found costs the model nothing else.
package struct ProbeReport: Codable, Sendable, Equatable {
    package enum Verdict: String, Codable, Sendable {
        case ok
        /// Well formed, but this engine cannot run it, or crashed while running it here; other devices may run it.
        case unsupported
        case malformed
    }

    package var verdict: Verdict
    /// One line that says what is wrong; absent with `ok`.
    package var message: String?
    /// Absent with `malformed`.
    package var contract: ModelContract?
    /// The measurements of runs; only for models that could be run.
    package var figures: ModelMeasurements?
    /// One line: why a valid model has no measurements.
    package var figuresNote: String?
    /// True for a malformed file whose check ran out of time, so that another check may have another verdict. The
    /// server sets it, not the probe.
    package var ranOutOfTime: Bool?
    /// True for a malformed file that begins as a zip does: it may be a model with its labels, to be packed.
    package var isZip: Bool?

    package init(verdict: Verdict, message: String? = nil, contract: ModelContract? = nil) {
        self.verdict = verdict
        self.message = message
        self.contract = contract
    }
}
