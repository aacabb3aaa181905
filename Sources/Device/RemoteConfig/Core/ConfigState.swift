import HearthWire

/// What the app knows of the server's values. Pure.
struct ConfigState: Sendable {
    /// What an activation changed.
    enum Activation: Sendable {
        case nothing
        /// The values are the same, but belong to other experiments.
        case experiments
        /// The values that the app sees.
        case values
    }

    var record: ConfigRecord {
        didSet { experiments = Self.experiments(record) }
    }
    var isFetching = false
    /// Called when the running fetch has ended.
    var fetchWaiters: [@Sendable () -> Void] = []
    /// The active experiments by the keys of the parameters that they vary.
    private(set) var experiments: [String: [RemoteConfigExperiment]]

    init(record: ConfigRecord) {
        self.record = record
        experiments = Self.experiments(record)
    }

    var activeEntries: [String: String] { record.active?.entries ?? [:] }

    /// Records the end of a fetch.
    ///
    /// - Returns: The closures to call.
    mutating func endFetch() -> [@Sendable () -> Void] {
        isFetching = false
        defer { fetchWaiters = [] }
        return fetchWaiters
    }

    /// Makes the fetched values visible.
    mutating func activate() -> Activation {
        guard let fetched = record.fetched else { return .nothing }
        if fetched.isNew(comparedTo: record.active) {
            record.active = fetched
            record.activationCount = (record.activationCount ?? 0) &+ 1
            return .values
        }
        guard fetched.experiments != record.active?.experiments else { return .nothing }
        record.active?.experiments = fetched.experiments
        return .experiments
    }

    private static func experiments(_ record: ConfigRecord) -> [String: [RemoteConfigExperiment]] {
        var experiments: [String: [RemoteConfigExperiment]] = [:]
        for experiment in record.active?.experiments ?? [] {
            for key in experiment.affectedParameterKeys ?? [] { experiments[key, default: []].append(experiment) }
        }
        return experiments
    }
}
