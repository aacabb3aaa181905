import Dispatch
import Foundation
import HearthApp
import HearthClient
import HearthConcurrency
import HearthEvents
import HearthFiles
import HearthTransport
import HearthWire

/// One app's Remote Config: the known values, and one fetch at a time. Use it from any thread.
///
/// The first access reads the disk, and a queue of the core makes that access early. The core writes changes on that
/// queue, so that only the first reader can wait for the disk on its own thread.
final class ConfigCore: Sendable {
    let app: FirebaseApp
    private let choices = Lock(LocalConfig())
    private let file: ConfigFile
    private let events: EventLog
    /// nil until the first access.
    private let memory = Lock<ConfigState?>(nil)
    private let cancellation = Cancellation()
    /// Whether the core may write the record. After the app was deleted, the file belongs to the next app of that name.
    private let isWritable = Lock(true)
    /// For reads and writes of the disk, in order.
    private let work = DispatchQueue(label: "app.hearth.remoteconfig")
    private let network = DispatchQueue(label: "app.hearth.remoteconfig.fetch")

    init(app: FirebaseApp) {
        self.app = app
        events = EventLog.log(of: app)
        file = ConfigFile(folder: app.folder, files: app.environment.files)
        work.async { self.withState { _ in } }
    }

    /// The app's defaults by key.
    var defaults: [String: Data] {
        get { choices.withLock { $0.defaults } }
        set { choices.withLock { $0.defaults = newValue } }
    }

    /// A change applies from the next fetch on.
    var settings: FetchSettings {
        get { choices.withLock { $0.settings } }
        set { choices.withLock { $0.settings = newValue } }
    }

    /// Reads or changes the state. The first call blocks while it reads the disk.
    @discardableResult
    func withState<Value: Sendable>(_ body: (inout ConfigState) throws -> Value) rethrows -> Value {
        try memory.withLock { memory in
            var known = memory ?? load()
            defer { memory = known }
            return try body(&known)
        }
    }

    /// Records that the app uses the parameter's value: this is the exposure of the experiments that vary it. Does not
    /// wait for the disk.
    func recordExposures(of key: String) {
        let (experiments, activation) = withState { ($0.experiments[key] ?? [], $0.record.activationCount ?? 0) }
        for experiment in experiments {
            events.report(
                Exposure(
                    experiment: experiment.experimentId, variant: experiment.variantId,
                    start: experiment.experimentStartTime, source: "config", state: "\(activation)"))
        }
    }

    /// Calls `completion` on the core's queue when the disk has been read.
    func whenLoaded(_ completion: @escaping @Sendable () -> Void) {
        work.async {
            self.withState { _ in }
            completion()
        }
    }

    /// Fetches, unless the known values are younger than `minimumIntervalSeconds`; nil for the interval of the
    /// settings. Calls `completion` once, on a queue of the core.
    func fetch(
        _ kind: FetchKind = .base, minimumIntervalSeconds: Double? = nil,
        completion: @escaping @Sendable (FetchOutcome) -> Void
    ) {
        work.async { [self] in
            guard !cancellation.isCancelled else { return completion(deleted) }
            switch withState({ begin(&$0, minimumIntervalSeconds) }) {
            case .done(let outcome): completion(outcome)
            case .fetch:
                network.async { [self] in
                    let outcome = performFetch(kind)
                    for waiting in withState({ $0.endFetch() }) { waiting() }
                    work.async { [self] in
                        save()
                        completion(outcome)
                    }
                }
            }
        }
    }

    /// Calls `completion` on any thread when no fetch is running any more.
    func afterCurrentFetch(_ completion: @escaping @Sendable () -> Void) {
        let isFetching = withState { memory in
            if memory.isFetching { memory.fetchWaiters.append(completion) }
            return memory.isFetching
        }
        if !isFetching { completion() }
    }

    /// Makes the last fetched values visible, and calls `completion` on the core's queue with whether the values
    /// changed.
    func activate(completion: @escaping @Sendable (Bool) -> Void) {
        work.async { [self] in
            let change = withState { $0.activate() }
            if change != .nothing { save() }
            completion(change == .values)
        }
    }

    /// Changes the custom signals: makes all changes, or none when one of them is refused.
    func setSignals(
        _ changes: [String: CustomSignalValue?], completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        work.async { [self] in
            completion(
                Result {
                    try withState { $0.record.signals = try SignalRules.merging(changes, into: $0.record.signals) }
                    save()
                })
        }
    }

    /// Ends the running fetch; every later fetch fails. Waits until a file is written; no file is written afterwards.
    func close() {
        cancellation.cancel()
        isWritable.withLock { $0 = false }
    }

    private func begin(_ memory: inout ConfigState, _ minimumIntervalSeconds: Double?) -> FetchRules.Step {
        let step = FetchRules.before(
            memory.record, minimumIntervalSeconds: minimumIntervalSeconds ?? settings.minimumIntervalSeconds,
            isFetching: memory.isFetching, now: app.environment.clock.now())
        if case .fetch = step { memory.isFetching = true }
        return step
    }

    /// Fetches on this thread.
    private func performFetch(_ kind: FetchKind) -> FetchOutcome {
        let record = withState { $0.record }
        let timeoutSeconds = settings.timeoutSeconds
        let call = FetchCall(app: app, cancellation: cancellation)
        let response = Result { try call.fetch(kind, record: record, timeoutSeconds: timeoutSeconds) }
        return withState { memory in
            switch response {
            case .success(let response):
                let environment = app.environment
                let (record, outcome) = FetchRules.after(
                    response, memory.record, random: environment.random(), now: environment.clock.now())
                memory.record = record
                return outcome
            case .failure(let error):
                memory.record.lastFetchStatus = RemoteConfigFetchStatus.failure.rawValue
                return FetchOutcome(status: .failure, error: error as NSError)
            }
        }
    }

    private var deleted: FetchOutcome {
        FetchOutcome(
            status: .failure,
            error: RemoteConfigError.error(
                .internalError, "The app '\(app.name)' was deleted; use the RemoteConfig of a configured app."))
    }

    private func load() -> ConfigState {
        var record = file.load() ?? ConfigRecord()
        record.firstOpenMicroseconds = record.firstOpenMicroseconds ?? app.environment.clock.now().microseconds
        return ConfigState(record: record)
    }

    /// Writes the record. Call it on the core's queue. Changes that cannot be written still apply in this process.
    private func save() {
        do throws(FileError) {
            try isWritable.withLock { isWritable throws(FileError) in
                if isWritable { try file.save(withState { $0.record }) }
            }
        } catch {
            AppLog.core.error("I-RCN000011", "The Remote Config values cannot be saved: \(error.message)")
        }
    }
}

extension ConfigCore {
    /// The activated value, otherwise the app's default.
    func value(_ key: String) -> RemoteConfigValue? {
        value(key, source: .remote) ?? value(key, source: .default)
    }

    /// The value from one source; nil when the source has none.
    func value(_ key: String, source: RemoteConfigSource) -> RemoteConfigValue? {
        let data: Data? =
            switch source {
            case .remote: withState { $0.activeEntries[key] }.map { Data($0.utf8) }
            case .default: defaults[key]
            case .static: nil
            }
        return data.map { RemoteConfigValue(dataValue: $0, source: source) }
    }

    /// The keys of a source in alphabetical order.
    func keys(_ source: RemoteConfigSource) -> [String] {
        switch source {
        case .remote: withState { $0.activeEntries.keys.sorted() }
        case .default: defaults.keys.sorted()
        case .static: []
        }
    }

    /// The values that the app sees, by key.
    var allValues: [String: RemoteConfigValue] {
        let active = withState { $0.activeEntries }
        return defaults.mapValues { RemoteConfigValue(dataValue: $0, source: .default) }
            .merging(active.mapValues { RemoteConfigValue(dataValue: Data($0.utf8), source: .remote) }) { _, remote in
                remote
            }
    }
}

/// The values that the app sets. They are not stored on the disk, so that setting them at the start does not block.
struct LocalConfig: Sendable {
    var defaults: [String: Data] = [:]
    var settings = FetchSettings()
}
