import Foundation
import HearthWire

/// Something that happened to a version of a model on this device.
package enum HealthChange: Sendable, Equatable {
    case installed
    case rejected
    case loaded(milliseconds: Double)
    case loadFailed(code: String)
    case ran(milliseconds: Double)
    case runFailed
    /// The process ended while the version was loaded or run, this often.
    case crashed(code: String, count: Int64 = 1)
}

/// Counts what happens to versions of models, until it is reported. Pure.
struct HealthCounter: Sendable {
    struct Key: Hashable, Sendable {
        let model: String
        /// SHA-256 in hex.
        let hash: String
    }

    fileprivate struct Entry {
        var health: ModelHealth
        var loadTimes: [Int: Int64] = [:]
        var runTimes: [Int: Int64] = [:]
    }

    /// The most versions; changes of further ones are ignored.
    static let limit = 100
    /// Stands for the codes above the limit, and for those that the server would refuse.
    static let otherCode = "other"

    private var entries: [Key: Entry] = [:]

    mutating func add(_ change: HealthChange, to key: Key) {
        if entries[key] == nil {
            guard entries.count < Self.limit, WireNames.isDisplayName(key.model) else { return }
            entries[key] = Entry(health: ModelHealth(model: key.model, modelHash: key.hash))
        }
        entries[key]?.add(change)
    }

    /// Returns the counts of each version, always in the same order, and begins again.
    mutating func take() -> [ModelHealth] {
        defer { entries = [:] }
        return entries.sorted { ($0.key.model, $0.key.hash) < ($1.key.model, $1.key.hash) }.map(\.value.report)
    }

    /// The class of a time in `TimeHistogram`.
    static func timeClass(milliseconds: Double) -> Int {
        let microseconds = milliseconds * 1000
        guard microseconds > 1 else { return 0 }
        return Int(min(log2(microseconds) * 8, Double(TimeHistogram.classCount - 1)))
    }
}

extension HealthCounter.Entry {
    fileprivate mutating func add(_ change: HealthChange) {
        switch change {
        case .installed: health.installed = 1
        case .rejected: health.rejected = 1
        case .loaded(let milliseconds):
            Self.count(&health.loads)
            loadTimes[HealthCounter.timeClass(milliseconds: milliseconds), default: 0] += 1
        case .loadFailed(let code): Self.count(code, 1, &health.loadFailures)
        case .ran(let milliseconds):
            Self.count(&health.runs)
            runTimes[HealthCounter.timeClass(milliseconds: milliseconds), default: 0] += 1
        case .runFailed: Self.count(&health.failedRuns)
        case .crashed(let code, let count): Self.count(code, count, &health.crashes)
        }
    }

    fileprivate var report: ModelHealth {
        var report = health
        if !loadTimes.isEmpty { report.loadTimes = TimeHistogram(loadTimes) }
        if !runTimes.isEmpty { report.runTimes = TimeHistogram(runTimes) }
        return report
    }

    private static func count(_ value: inout Int64?) { value = min((value ?? 0) + 1, ModelHealth.countLimit) }

    private static func count(_ code: String, _ count: Int64, _ values: inout [String: Int64]?) {
        var known = values ?? [:]
        // One place stays free for the other codes.
        let isKept = known[code] != nil || known.count < ModelHealth.codeLimit - 1
        let name = ModelHealth.isCode(code) && isKept ? code : HealthCounter.otherCode
        known[name] = min(known[name, default: 0] + count, ModelHealth.countLimit)
        values = known
    }
}
