package import HearthApp
import HearthClient
import HearthConcurrency
import HearthWire

/// Reports measurements of an app's models to the server, if the app allows it. Use it from any thread; the first call
/// blocks while it reads a small file.
package final class ModelReports: Sendable {
    /// The seconds that are reported as one mean for each model.
    static let periodSeconds = 60.0

    private struct State {
        var values = MeanValues()
        var health = HealthCounter()
        var isScheduled = false

        /// Whether the caller must schedule the next report, which counts as done.
        mutating func schedulesNext() -> Bool {
            defer { isScheduled = true }
            return !isScheduled
        }
    }

    private let permission: DataCollectionSwitch
    private let clock: any DeviceClock
    private let log: EventLog
    private let state = Lock(State())

    private init(_ app: FirebaseApp) {
        permission = DataCollectionSwitch(
            app, fileName: "model-reporting", infoKey: "HearthModelReportingEnabled")
        clock = app.environment.clock
        log = EventLog.log(of: app)
    }

    /// The reports of an app: the same object for the same app, until the app is deleted.
    package static func reports(of app: FirebaseApp) -> ModelReports {
        app.service(ModelReports.self) { ModelReports(app) }
    }

    /// The value that was set, otherwise the one in `Info.plist`, otherwise false.
    package var isEnabled: Bool { permission.choice ?? false }

    func setEnabled(_ value: Bool) {
        permission.set(value)
        if !value { state.withLock { $0 = State(isScheduled: $0.isScheduled) } }
    }

    /// Reports that the installed copy of the model cannot be loaded.
    package func recordLoadFailure(_ model: String) {
        guard isEnabled, WireNames.isDisplayName(model) else { return }
        log.add(EventBodies.Event(name: ModelEvents.loadFailure, model: model))
    }

    /// Counts something about a version of a model, for its health.
    ///
    /// - Parameter hash: The SHA-256 of the version in hex.
    package func count(_ change: HealthChange, _ model: String, hash: String) {
        guard isEnabled else { return }
        schedule(
            state.withLock { state in
                state.health.add(change, to: HealthCounter.Key(model: model, hash: hash))
                return state.schedulesNext()
            })
    }

    /// Adds the time of one run.
    package func recordInference(_ model: String, milliseconds: Double) {
        add(milliseconds, to: MeanValues.Key(event: ModelEvents.inferenceMilliseconds, model: model))
    }

    /// Adds the confidence of one result.
    ///
    /// - Parameter confidence: That of the best label or object, 0 to 1.
    package func recordConfidence(_ model: String, confidence: Double) {
        add(confidence, to: MeanValues.Key(event: ModelEvents.confidence, model: model))
    }

    /// Reports the means of the measurements, and the health of each version, since the last report.
    package func flush() {
        let (means, health) = state.withLock { ($0.values.take(), $0.health.take()) }
        guard isEnabled else { return }
        for entry in health { log.add(entry) }
        for (key, mean) in means { log.add(EventBodies.Event(name: key.event, value: mean, model: key.model)) }
    }

    private func add(_ value: Double, to key: MeanValues.Key) {
        guard isEnabled, WireNames.isDisplayName(key.model) else { return }
        schedule(
            state.withLock { state in
                state.values.add(value, to: key)
                return state.schedulesNext()
            })
    }

    private func schedule(_ isDue: Bool) {
        guard isDue else { return }
        _ = clock.schedule(afterSeconds: Self.periodSeconds) { [weak self] in
            self?.state.withLock { $0.isScheduled = false }
            self?.flush()
        }
    }
}

/// Sums up measurements that are too frequent to be reported one by one. Pure.
struct MeanValues: Sendable {
    struct Key: Hashable, Sendable {
        let event: String
        let model: String
    }

    /// The most keys; measurements of further ones are ignored.
    static let limit = 200

    private var sums: [Key: (sum: Double, count: Int)] = [:]

    var isEmpty: Bool { sums.isEmpty }

    mutating func add(_ value: Double, to key: Key) {
        guard abs(value) <= EventBodies.valueLimit, sums[key] != nil || sums.count < Self.limit else { return }
        let (sum, count) = sums[key] ?? (0, 0)
        sums[key] = (sum + value, count + 1)
    }

    /// Returns the mean for each key, always in the same order, and resets the sums.
    mutating func take() -> [(key: Key, mean: Double)] {
        defer { sums = [:] }
        return sums.sorted { ($0.key.event, $0.key.model) < ($1.key.event, $1.key.model) }
            .map { ($0.key, $0.value.sum / Double($0.value.count)) }
    }
}
