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

/// Counts of times in classes whose limits grow by the eighth root of two: a class contains times that differ by at most
/// 9 %. Histograms of any devices and servers can be added.
///
/// On the wire it is a list of pairs, the number of a class and its count, in order of the classes:
/// `[[80, 3], [81, 12]]`.
package struct TimeHistogram: Codable, Sendable, Hashable {
    /// Class `i` holds times from 2^(i/8) to 2^((i+1)/8) microseconds. Class 0 also holds shorter times, the last one
    /// (71 minutes) also longer ones.
    package static let classCount = 256

    /// In order of the classes, each with a count above 0.
    package private(set) var classes: [Class]

    package struct Class: Sendable, Hashable {
        package var index: Int
        package var count: Int64

        package init(index: Int, count: Int64) {
            self.index = index
            self.count = count
        }
    }

    package init() { classes = [] }

    /// - Parameter counts: by class; those outside of the range and those that are not positive are ignored.
    package init(_ counts: [Int: Int64]) {
        classes = counts.filter { (0..<Self.classCount).contains($0.key) && $0.value > 0 }
            .sorted { $0.key < $1.key }.map { Class(index: $0.key, count: $0.value) }
    }

    package var isEmpty: Bool { classes.isEmpty }
    package var count: Int64 { classes.reduce(0) { $0 + $1.count } }

    /// The mean of the natural logarithms of the times in microseconds, each taken as the geometric middle of its class;
    /// nil without times.
    package var meanLogarithm: Double? {
        let count = classes.reduce(0.0) { $0 + Double($1.count) }
        guard count > 0 else { return nil }
        // ln 2 / 8: the logarithm of the ratio of a class's limits.
        let step = 0.086_643_397_569_993_16
        return classes.reduce(0.0) { $0 + Double($1.count) * (Double($1.index) + 0.5) * step } / count
    }

    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var found: [Class] = []
        while !list.isAtEnd {
            let pair = try list.decode([Int64].self)
            guard pair.count == 2, (0..<Int64(Self.classCount)).contains(pair[0]),
                pair[0] > found.last.map({ Int64($0.index) }) ?? -1,
                (1...ModelHealth.countLimit).contains(pair[1])
            else {
                throw DecodingError.dataCorruptedError(
                    in: list,
                    debugDescription: "must be pairs of a class from 0 to \(Self.classCount - 1), growing, and a count")
            }
            found.append(Class(index: Int(pair[0]), count: pair[1]))
        }
        classes = found
    }

    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for one in classes { try list.encode([Int64(one.index), one.count]) }
    }
}
