import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthRouting
import HearthWire

/// How versions and releases look on the wire.
enum ReleasePresentation {
    /// - Parameter aliases: those of the model, in order of name.
    static func version(
        _ known: ModelLifecycle.KnownVersion, _ aliases: [VersionAlias], showsContract: Bool = true
    ) -> ReleaseBodies.Version {
        let names = aliases.filter { $0.version == known.version.number }.map(\.name)
        let (verdict, message) = text(known.validation)
        let measured = known.validation.measurementsJSON.flatMap {
            try? WireJSON.decode(MeasurementReport.self, from: $0.utf8)
        }
        return ReleaseBodies.Version(
            version: known.version.number, modelHash: known.version.sha256, sizeBytes: String(known.version.sizeBytes),
            source: known.version.sourceURI, createTime: WireTime.text(known.version.createdMicroseconds),
            createdBy: known.version.createdBy, verdict: verdict, message: message,
            contract: showsContract ? known.contract : nil,
            figures: measured?.figures, figuresNote: measured?.failure,
            note: known.version.note, aliases: names.isEmpty ? nil : names)
    }

    private static func text(_ validation: Validation) -> (verdict: String, message: String?) {
        switch validation.verdict {
        case .pending: ("pending", validation.note)
        case .ok: ("ok", nil)
        case .unsupported(let message): ("unsupported", message)
        case .malformed(let message): ("malformed", message)
        }
    }

    /// The share of an ended release is the one at its end.
    ///
    /// - Parameters:
    ///   - rollouts: what the guards of releases have seen; without it, the guards are left out.
    ///   - releases: all of the model; needed for the guards.
    static func release(
        _ release: Release, among releases: [Release] = [], _ rollouts: RolloutWatches? = nil, nowMicroseconds: Int64,
        warnings: [String] = []
    ) -> ReleaseBodies.Release {
        let moment = min(nowMicroseconds, release.endedMicroseconds ?? nowMicroseconds)
        let stages = release.stages.map {
            ReleaseBodies.Stage(time: WireTime.text($0.atMicroseconds), share: share($0.shareMillionths))
        }
        return ReleaseBodies.Release(
            release: release.number, version: release.version, kind: release.kind.rawValue, state: state(release),
            share: share(EffectiveShare.share(of: release, nowMicroseconds: moment)),
            stages: stages.isEmpty ? nil : stages, audience: release.audience.isEverybody ? nil : release.audience,
            createTime: WireTime.text(release.createdMicroseconds), createdBy: release.createdBy,
            pauseTime: release.pausedMicroseconds.map(WireTime.text),
            endTime: release.endedMicroseconds.map(WireTime.text), warnings: warnings.isEmpty ? nil : warnings,
            guarding: rollouts.flatMap {
                GuardingPresentation.status(release, among: releases, $0, nowMicroseconds: nowMicroseconds)
            })
    }

    private static func state(_ release: Release) -> String {
        if release.endedMicroseconds != nil { return "ended" }
        return release.pausedMicroseconds == nil ? "active" : "paused"
    }

    private static func share(_ millionths: Int) -> Double { Double(millionths) / Double(Release.fullShare) }
}
