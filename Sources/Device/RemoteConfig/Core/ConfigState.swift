import HearthWire

/// What is known of the server's side at a moment. Pure.
struct ConfigState: Sendable {
    /// What activating changed.
    enum Activation: Sendable {
        case nothing
        /// Only which experiments the same values belong to.
        case experiments
        case values
    }

    var record: ConfigRecord {
        didSet { experiments = Self.experiments(record) }
    }
    var isFetching = false
    /// Called when the fetch that is under way has ended.
    var fetchWaiters: [@Sendable () -> Void] = []
    /// The active experiments by the keys of the parameters that they vary.
    private(set) var experiments: [String: [RemoteConfigExperiment]]

    init(record: ConfigRecord) {
        self.record = record
        experiments = Self.experiments(record)
    }

    var activeEntries: [String: String] { record.active?.entries ?? [:] }

    /// - Returns: Whom to call.
    mutating func endFetch() -> [@Sendable () -> Void] {
        isFetching = false
        defer { fetchWaiters = [] }
        return fetchWaiters
    }

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
