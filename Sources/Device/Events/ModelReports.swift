package import HearthApp
import HearthClient
import HearthConcurrency
import HearthWire

/// How an app's models do, for the server: reported only when the app allows it. Use it from any thread; blocks for the
/// first look at a small file.
package final class ModelReports: Sendable {
    /// So much time is reported as one mean for each model.
    static let periodSeconds = 60.0

    private struct State {
        var values = MeanValues()
        var isScheduled = false
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

    /// The same object for the same app, until the app is deleted.
    package static func reports(of app: FirebaseApp) -> ModelReports {
        app.service(ModelReports.self) { ModelReports(app) }
    }

    /// What was set, else what `Info.plist` says, else false.
    package var isEnabled: Bool { permission.choice ?? false }

    func setEnabled(_ value: Bool) {
        permission.set(value)
        if !value { state.withLock { $0.values = MeanValues() } }
    }

    /// The copy of the model that is installed cannot be loaded.
    package func recordLoadFailure(_ model: String) {
        guard isEnabled, ReportedNameRules.isValid(model) else { return }
        log.add(EventBodies.Event(name: ModelEvents.loadFailure, model: model))
    }

    package func recordInference(_ model: String, milliseconds: Double) {
        add(milliseconds, to: MeanValues.Key(event: ModelEvents.inferenceMilliseconds, model: model))
    }

    /// - Parameter confidence: Of the best label or object, 0 to 1.
    package func recordConfidence(_ model: String, confidence: Double) {
        add(confidence, to: MeanValues.Key(event: ModelEvents.confidence, model: model))
    }

    /// Reports what was measured since the last time.
    func flush() {
        let means = state.withLock { $0.values.take() }
        guard isEnabled else { return }
        for (key, mean) in means { log.add(EventBodies.Event(name: key.event, value: mean, model: key.model)) }
    }

    private func add(_ value: Double, to key: MeanValues.Key) {
        guard isEnabled, ReportedNameRules.isValid(key.model) else { return }
        let isFirst = state.withLock { state in
            state.values.add(value, to: key)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst else { return }
        _ = clock.schedule(afterSeconds: Self.periodSeconds) { [weak self] in
            self?.state.withLock { $0.isScheduled = false }
            self?.flush()
        }
    }
}

/// Sums up measurements that come too often to be reported one by one. Pure.
struct MeanValues: Sendable {
    struct Key: Hashable, Sendable {
        let event: String
        let model: String
    }

    /// What more models measure is left out.
    static let limit = 200

    private var sums: [Key: (sum: Double, count: Int)] = [:]

    var isEmpty: Bool { sums.isEmpty }

    mutating func add(_ value: Double, to key: Key) {
        guard abs(value) <= EventValue.largest, sums[key] != nil || sums.count < Self.limit else { return }
        let (sum, count) = sums[key] ?? (0, 0)
        sums[key] = (sum + value, count + 1)
    }

    /// The mean of each, in an order that is always the same; begins anew.
    mutating func take() -> [(key: Key, mean: Double)] {
        defer { sums = [:] }
        return sums.sorted { ($0.key.event, $0.key.model) < ($1.key.event, $1.key.model) }
            .map { ($0.key, $0.value.sum / Double($0.value.count)) }
    }
}
