import HearthApp
import HearthWire

/// The values as the server sent them.
struct ConfigSnapshot: Codable, Sendable, Equatable {
    var entries: [String: String] = [:]
    /// The answer's ETag; nil when the server sent none that a request can contain.
    var etag: String?
    var templateVersion = "0"
    /// The experiments in which this installation takes part.
    var experiments: [RemoteConfigExperiment] = []
    var rollouts: [RemoteConfigFetchResponse.RolloutMetadata] = []

    /// Whether activating this snapshot instead of `active` changes anything; compares the ETags if there are any.
    func isNew(comparedTo active: ConfigSnapshot?) -> Bool {
        guard let active else { return true }
        return etag != active.etag || (etag == nil && entries != active.entries)
    }

    /// The keys whose values differ between the two snapshots, and the keys of each experiment or variant that only one
    /// of them has. When an experiment begins, the values of its control stay the same, but their use must begin at the
    /// same time as that of the other variants.
    func changedKeys(from active: ConfigSnapshot?) -> Set<String> {
        let old = active?.entries ?? [:]
        let keys = Set(entries.keys).union(old.keys).filter { entries[$0] != old[$0] }
        let (own, others) = (experimentKeys, active?.experimentKeys ?? [:])
        return Set(own.keys).symmetricDifference(others.keys).reduce(into: keys) { keys, variant in
            keys.formUnion(own[variant] ?? others[variant] ?? [])
        }
    }

    /// The keys that each experiment varies, by experiment, variant and start: a new experiment may have the name of an
    /// earlier one.
    private var experimentKeys: [[String]: [String]] {
        experiments.reduce(into: [:]) { keys, experiment in
            let own = [experiment.experimentId, experiment.variantId, experiment.experimentStartTime]
            keys[own, default: []] += experiment.affectedParameterKeys ?? []
        }
    }

    /// The template's version as a number; 0 when it is malformed.
    var version: Int64 { Int64(templateVersion) ?? 0 }
}
