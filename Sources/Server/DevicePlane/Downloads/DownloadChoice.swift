package import HearthCatalog
package import HearthServing
package import HearthTargeting

/// What a device gets when it asks for a model, and why.
package struct DownloadChoice {
    package enum Reason {
        case pin(ServedPin)
        /// The index of the device's variant.
        case experiment(ServedExperiment, variant: Int)
        /// The newest release that includes the device; none if there is no version.
        case release
    }

    /// Nil if the device gets nothing.
    package let version: ServedRelease?
    package let reason: Reason
    /// Whether the device has any pin of the project: what it does says nothing about other devices.
    package let isPinned: Bool
    /// Whether another device might get another version.
    let dependsOnDevice: Bool
    /// How the newer releases and the chosen one were decided, newest first; empty if none of the model is watched.
    var findings: [ReleaseFinding] = []

    /// What the answer says about the device's experiment. A device reports exposures only to experiments that answers
    /// name, so the answers to pinned devices name none.
    var experimentTag: String? {
        guard !isPinned, case .experiment(let experiment, let variant) = reason else { return nil }
        return experiment.tags[variant]
    }
}

/// What is known about the device that asks. The facts of a call are read from its headers only when a choice needs
/// them.
package enum AskingDevice {
    case call(DeviceHeaders, installationID: String, appID: String)
    case known(DeviceFacts)

    var installationID: String {
        switch self {
        case .call(_, let id, _): id
        case .known(let facts): facts.installationID
        }
    }

    var tags: [String] {
        switch self {
        case .call(let headers, _, _): headers.tags
        case .known(let facts): facts.tags
        }
    }

    /// All facts except the hash of the version that the device has.
    var facts: DeviceFacts {
        switch self {
        case .call(let headers, let id, let appID):
            var facts = DeviceFacts(installationID: id, appID: appID)
            headers.fill(to: &facts)
            return facts
        case .known(let facts): return facts
        }
    }

    /// The hash of the version that the device has.
    var knownHash: String? {
        switch self {
        case .call(let headers, _, _): headers.knownHash
        case .known(let facts): facts.knownHash
        }
    }

    /// The facts that the conditions of these releases need.
    func facts(for releases: [TargetedRelease]) -> DeviceFacts {
        switch self {
        case .call(let headers, let id, let appID):
            headers.facts(installationID: id, appID: appID, for: releases)
        case .known(let facts): facts
        }
    }
}

/// Chooses what devices of a project get for a model: by a pin, otherwise by an experiment, otherwise by a release.
package struct DownloadChooser {
    let part: ServingSnapshot.ProjectPart
    /// Display name.
    let model: String
    /// The active ones of the model, newest first.
    let releases: [TargetedRelease]
    let nowMicroseconds: Int64

    package init(
        part: ServingSnapshot.ProjectPart, model: String, releases: [TargetedRelease], nowMicroseconds: Int64
    ) {
        self.part = part
        self.model = model
        self.releases = releases
        self.nowMicroseconds = nowMicroseconds
    }

    package func choose(for device: AskingDevice) -> DownloadChoice {
        let pins = part.pins?.pins(of: device.installationID) { device.tags }
        if let (pin, version) = pins?.version(of: model) {
            return DownloadChoice(version: version, reason: .pin(pin), isPinned: true, dependsOnDevice: true)
        }
        // Most models have one release for all devices.
        let isSameForAll = part.pins == nil && (releases.first?.served.isForEverybody ?? true)
        if !releases.isEmpty, let (experiment, variant) = assignment(device, pins) {
            let version = experiment.version(of: model, inVariant: variant)
            return DownloadChoice(
                version: version ?? release(for: device).version,
                reason: .experiment(experiment, variant: variant), isPinned: pins != nil, dependsOnDevice: true)
        }
        let (version, findings) = release(for: device)
        return DownloadChoice(
            version: version, reason: .release, isPinned: pins != nil,
            dependsOnDevice: !isSameForAll || !part.experiments.varying(model: model).isEmpty, findings: findings)
    }

    private func assignment(
        _ device: AskingDevice, _ pins: DevicePins?
    ) -> (experiment: ServedExperiment, variant: Int)? {
        guard !part.experiments.varying(model: model).isEmpty else { return nil }
        var subject = EvaluationContext(
            device.facts, nowMicroseconds: nowMicroseconds, limitSteps: ConditionLimits.modelSteps)
        return part.experiments.assignment(varying: model, of: &subject, pins: pins)
    }

    private func release(
        for device: AskingDevice
    ) -> (version: ServedRelease?, findings: [ReleaseFinding]) {
        // Most models have one release for all devices, which needs no facts about the device.
        if let newest = releases.first?.served, newest.isForEverybody { return (newest, []) }
        let facts = device.facts(for: releases)
        guard releases.contains(where: \.served.isWatched) else {
            return (ReleaseChoice.choose(releases, for: facts, nowMicroseconds: nowMicroseconds), [])
        }
        let findings = ReleaseChoice.explain(releases, for: facts, nowMicroseconds: nowMicroseconds)
        let isFound = findings.last?.verdict.isIncluded ?? false
        return (isFound ? releases[findings.count - 1].served : nil, findings)
    }
}
