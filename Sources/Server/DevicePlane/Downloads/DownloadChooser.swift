import HearthCatalog
package import HearthServing
package import HearthTargeting

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
