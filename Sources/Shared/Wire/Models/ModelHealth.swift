/// What a device counted about one version of a model since its last report. Counts of several reports add up. It
/// contains no id.
package struct ModelHealth: Codable, Sendable, Hashable, KeyedBody {
    /// The model's display name.
    package var model: String
    /// SHA-256 of the version's bytes, 64 lower-case hex digits.
    package var modelHash: String
    /// 1 when the version was installed since the last report.
    package var installed: Int64?
    /// 1 when the device gave the version up and works on with the one before.
    package var rejected: Int64?
    /// How often the version was loaded.
    package var loads: Int64?
    /// How often it could not be loaded, by `ModelHealth.isCode`.
    package var loadFailures: [String: Int64]?
    /// Runs that gave a result.
    package var runs: Int64?
    package var failedRuns: Int64?
    /// How often the process ended while the version ran, by `ModelHealth.isCode`: the name of a signal of a
    /// thread that ran it, or `died` for any other end in a run. A device reports `died` only while the version is on
    /// trial there: newer versions have more of them, whoever killed the process. Do not compare versions by `died`.
    package var crashes: [String: Int64]?
    package var loadTimes: TimeHistogram?
    /// The times of the runs that gave a result.
    package var runTimes: TimeHistogram?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case model, modelHash, installed, rejected, loads, loadFailures, runs, failedRuns, crashes, loadTimes, runTimes
    }

    /// The code of a process that ended without a signal.
    package static let died = "died"
    /// The most codes of one kind in a report.
    package static let codeLimit = 20
    /// The highest single count of a report.
    package static let countLimit: Int64 = 1_000_000_000

    package init(model: String, modelHash: String) {
        self.model = model
        self.modelHash = modelHash
    }

    /// Whether a text can be a code: 1 to 40 ASCII letters, digits, `_`, `-` or `.`.
    package static func isCode(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
