import HearthWire

/// A configuration as the server sent it.
struct ConfigSnapshot: Codable, Sendable, Equatable {
    var entries: [String: String] = [:]
    /// As it came; nil when the server sent none that can be sent back.
    var etag: String?
    var templateVersion = "0"
    /// The experiments that this installation takes part in.
    var experiments: [ConfigExperiment] = []
    var rollouts: [ConfigFetchResponse.RolloutMetadata] = []

    /// Whether activating this one instead of `active` changes anything: by the server's tag where there is one.
    func isNew(comparedTo active: ConfigSnapshot?) -> Bool {
        guard let active else { return true }
        return etag != active.etag || (etag == nil && entries != active.entries)
    }

    /// The keys whose values differ, or that only one of the two has, and the keys of each experiment or variant that only one
    /// of the two has: where an experiment begins, its control's values stay the same, and its use has to begin at the same
    /// time as its other variants'.
    func changedKeys(from active: ConfigSnapshot?) -> Set<String> {
        let old = active?.entries ?? [:]
        let keys = Set(entries.keys).union(old.keys).filter { entries[$0] != old[$0] }
        let (own, others) = (experimentKeys, active?.experimentKeys ?? [:])
        return Set(own.keys).symmetricDifference(others.keys).reduce(into: keys) { keys, variant in
            keys.formUnion(own[variant] ?? others[variant] ?? [])
        }
    }

    /// The keys that an experiment varies, by experiment, variant and start: another experiment may have the name of one that
    /// is gone.
    private var experimentKeys: [[String]: [String]] {
        experiments.reduce(into: [:]) { keys, experiment in
            let own = [experiment.experimentId, experiment.variantId, experiment.experimentStartTime]
            keys[own, default: []] += experiment.affectedParameterKeys ?? []
        }
    }

    /// The template's version as a number; 0 when it is none.
    var version: Int64 { Int64(templateVersion) ?? 0 }
}
