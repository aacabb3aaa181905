import HearthCatalog
import HearthHTTP
import HearthRollouts
import HearthRouting
import HearthStorage
import HearthTargeting
import HearthWire

/// What a call of a device says about the guarded releases of the model that it asks for.
struct RolloutSight {
    let choice: DownloadChoice
    let device: AskingDevice
    /// Of the model, newest first.
    let releases: [TargetedRelease]
    let headers: HTTPHeaders
    let nowMicroseconds: Int64

    /// Equal for calls that say the same.
    var hash: UInt64 {
        var hasher = Hasher()
        hasher.combine(device.installationID)
        hasher.combine(releases.first?.served.release.modelID)
        hasher.combine(headers["If-None-Match"])
        hasher.combine(headers[WireHeader.waitsFor])
        hasher.combine(headers[WireHeader.cannotInstall])
        hasher.combine(isDrawn)
        hasher.combine(choice.version?.release.number)
        // A call says something new to a release that was not watched before.
        for release in releases where release.served.isWatched { hasher.combine(release.served.release.number) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Whether the draws of releases alone decided what the device gets.
    private var isDrawn: Bool {
        if case .release = choice.reason { !choice.isPinned } else { false }
    }

    /// What each watched release learns.
    func events() -> [(release: Release, event: RolloutObservation.Event)] {
        guard isDrawn else {
            return releases.filter(\.served.isWatched).map { ($0.served.release, .left) }
        }
        var events: [(Release, RolloutObservation.Event)] = []
        // The oldest one has no baseline with which its devices can be compared.
        for (index, release) in releases.dropLast().enumerated() where release.served.isWatched {
            guard index < choice.findings.count else {
                // A newer release includes the device.
                events.append((release.served.release, .left))
                continue
            }
            switch choice.findings[index].verdict {
            case .included(let place?): events.append((release.served.release, call(index, place) { baseline(index) }))
            case .share(let place, _): events.append((release.served.release, call(index, place) { choice.version }))
            case .audience: events.append((release.served.release, .outside))
            // At the full share there is no draw.
            case .included(nil), .paused: continue
            }
        }
        return events
    }

    /// - Parameter baseline: what the device would get without the release; asked only if that matters.
    private func call(_ index: Int, _ place: Int, baseline: () -> ServedRelease?) -> RolloutObservation.Event {
        let version = releases[index].served
        let prefix = headers["If-None-Match"].flatMap(DownloadObservation.prefix)
        let named: RolloutObservation.Named =
            if prefix == nil {
                .nothing
            } else if prefix == DownloadObservation.prefix(of: version.sha256) {
                .version
            } else {
                prefix == baseline().flatMap { DownloadObservation.prefix(of: $0.sha256) } ? .baseline : .other
            }
        return .called(
            RolloutObservation.Call(
                place: place, named: named, tag: UInt16(truncatingIfNeeded: prefix ?? 0),
                isWaiting: headers.contains(WireHeader.waitsFor), obstacle: obstacle(to: version)))
    }

    /// What the device would get without the release of that index, which includes it.
    private func baseline(_ index: Int) -> ServedRelease? {
        let older = Array(releases[(index + 1)...])
        return ReleaseChoice.choose(older, for: device.facts(for: older), nowMicroseconds: nowMicroseconds)
    }

    /// What the device says about the version of the release, whether it gets that or not.
    private func obstacle(to version: ServedRelease) -> RolloutObservation.Obstacle? {
        guard let text = headers[WireHeader.cannotInstall] else { return nil }
        for word in text.split(separator: ",").prefix(CannotInstall.limit) {
            switch CannotInstall(word.drop { $0 == " " }) {
            case .rejected(let prefix) where version.sha256.hasPrefix(prefix): return .rejected
            case .storage(let prefix) where version.sha256.hasPrefix(prefix): return .storage
            default: continue
            }
        }
        return nil
    }
}

extension RolloutWatches: DeviceObserver {
    func observe(_ question: ModelQuestion) {
        see(
            RolloutSight(
                choice: question.choice, device: question.device, releases: question.releases,
                headers: question.headers, nowMicroseconds: question.call.now.microseconds),
            project: question.projectID)
    }

    func forget(_ installation: String, project: String, _ store: any MetadataWriter) {
        forget(installation, project: project)
    }
}
