import Dispatch
import Foundation
import HearthApp
import HearthClient
import HearthConcurrency
import HearthEvents
import HearthFiles
import HearthTransport
import HearthWire

/// One app's configuration: what is known, and one fetch at a time. Use it from any thread.
///
/// What is on the disk is read at the first look, ahead of it on a queue of the core where there is time. What changes is
/// written on that queue, so that nobody waits for the disk on their own thread but the first who looks.
final class ConfigCore: Sendable {
    let app: FirebaseApp
    private let choices = Lock(LocalConfig())
    private let file: ConfigFile
    private let events: EventLog
    /// Nil until the first look.
    private let memory = Lock<ConfigState?>(nil)
    private let cancellation = Cancellation()
    /// Whether the record may be written: after the app was deleted, the next one's is there.
    private let isWritable = Lock(true)
    /// For the disk, in order.
    private let work = DispatchQueue(label: "app.hearth.remoteconfig")
    private let network = DispatchQueue(label: "app.hearth.remoteconfig.fetch")

    init(app: FirebaseApp) {
        self.app = app
        events = EventLog.log(of: app)
        file = ConfigFile(folder: app.folder, files: app.environment.files)
        work.async { self.withState { _ in } }
    }

    /// The app's own, by key.
    var defaults: [String: Data] {
        get { choices.withLock { $0.defaults } }
        set { choices.withLock { $0.defaults = newValue } }
    }

    /// Count from the next fetch on.
    var settings: FetchSettings {
        get { choices.withLock { $0.settings } }
        set { choices.withLock { $0.settings = newValue } }
    }

    /// Reads or changes what is known. Blocks at the first look.
    @discardableResult
    func withState<Value: Sendable>(_ body: (inout ConfigState) throws -> Value) rethrows -> Value {
        try memory.withLock { memory in
            var known = memory ?? load()
            defer { memory = known }
            return try body(&known)
        }
    }

    /// The app uses the parameter's value: the experiments that vary it have met this installation. Does not wait for the disk.
    func recordExposures(of key: String) {
        let (experiments, activation) = withState { ($0.experiments[key] ?? [], $0.record.activationCount ?? 0) }
        for experiment in experiments {
            events.report(
                Exposure(
                    experiment: experiment.experimentId, variant: experiment.variantId,
                    start: experiment.experimentStartTime, source: "config", state: "\(activation)"))
        }
    }

    /// Calls `completion` on the core's queue once what is on the disk is read.
    func whenLoaded(_ completion: @escaping @Sendable () -> Void) {
        work.async {
            self.withState { _ in }
            completion()
        }
    }

    /// Asks the server unless what is there is younger than so many seconds, nil for the settings'. Calls `completion` once,
    /// on a queue of the core.
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

    /// Calls `completion` when no fetch is under way any more, on any thread.
    func afterCurrentFetch(_ completion: @escaping @Sendable () -> Void) {
        let isFetching = withState { memory in
            if memory.isFetching { memory.fetchWaiters.append(completion) }
            return memory.isFetching
        }
        if !isFetching { completion() }
    }

    /// Makes what was fetched last visible, and calls `completion` on the core's queue with whether that changed anything.
    func activate(completion: @escaping @Sendable (Bool) -> Void) {
        work.async { [self] in
            let change = withState { $0.activate() }
            if change != .nothing { save() }
            completion(change == .values)
        }
    }

    /// Changes what conditions may look at, all of it or, when one change is refused, nothing.
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

    /// Ends what is under way; every later fetch fails. Waits for a file that is being written, and later nothing is.
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

    /// Blocks.
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
                .internalError, "The app '\(app.name)' was deleted; ask the RemoteConfig of a configured app."))
    }

    private func load() -> ConfigState {
        var record = file.load() ?? ConfigRecord()
        record.firstOpenMicroseconds = record.firstOpenMicroseconds ?? app.environment.clock.now().microseconds
        return ConfigState(record: record)
    }

    /// On the core's queue. What cannot be kept still counts in this process.
    private func save() {
        do throws(FileError) {
            try isWritable.withLock { isWritable throws(FileError) in
                if isWritable { try file.save(withState { $0.record }) }
            }
        } catch {
            AppLog.core.error("I-RCN000011", "The configuration cannot be saved: \(error.message)")
        }
    }
}

extension ConfigCore {
    /// From the server if it was activated, else the app's default.
    func value(_ key: String) -> RemoteConfigValue? {
        value(key, source: .remote) ?? value(key, source: .default)
    }

    func value(_ key: String, source: RemoteConfigSource) -> RemoteConfigValue? {
        let data: Data? =
            switch source {
            case .remote: withState { $0.activeEntries[key] }.map { Data($0.utf8) }
            case .default: defaults[key]
            case .static: nil
            }
        return data.map { RemoteConfigValue(dataValue: $0, source: source) }
    }

    /// In alphabetical order.
    func keys(_ source: RemoteConfigSource) -> [String] {
        switch source {
        case .remote: withState { $0.activeEntries.keys.sorted() }
        case .default: defaults.keys.sorted()
        case .static: []
        }
    }

    /// What the app sees, by key.
    var allValues: [String: RemoteConfigValue] {
        let active = withState { $0.activeEntries }
        return defaults.mapValues { RemoteConfigValue(dataValue: $0, source: .default) }
            .merging(active.mapValues { RemoteConfigValue(dataValue: Data($0.utf8), source: .remote) }) { _, remote in
                remote
            }
    }
}

/// What the app itself has set. Not kept on the disk, so that setting it at the start waits for nothing.
struct LocalConfig: Sendable {
    var defaults: [String: Data] = [:]
    var settings = FetchSettings()
}
