import Foundation
import HearthCatalog
import HearthConcurrency
import HearthHTTP
import HearthIdentity
import HearthRollouts
import HearthStorage
import HearthTargeting
import HearthWire

/// Sees what devices do with guarded releases: their questions for models, and their reports. Safe to use from any
/// thread.
///
/// Time is counted by a clock that cannot be set: the time of day at the start, and what has passed since then. So guards
/// judge no device early, and no plan waits, because the clock of the machine is set.
///
/// With several servers, each only notes what it sees, and `RolloutExchange` adds it to the watches of the one that
/// decides.
///
/// A release that needs more memory than others has 32,768 devices with its version and 16,384 on the version below, about
/// 4 MB. So it watches only so many releases at once: those that were seen first.
final class RolloutWatches: Sendable {
    /// After so long a changed watch is stored, if there are not many.
    private static let storeSeconds: Int64 = 60
    /// With more watches each is stored less often, so that a minute stores 8 at most, which is about 10 MB.
    private static let storedPerInterval = 8

    struct Key: Hashable, Sendable {
        let model: Int64
        let release: Int

        init(model: Int64, release: Int) {
            self.model = model
            self.release = release
        }

        init(_ release: Release) {
            model = release.modelID
            self.release = release.number
        }

        init(_ record: RolloutWatchRecord) {
            model = record.modelID
            release = record.release
        }
    }

    /// What one lock protects.
    private struct State {
        var watch: RolloutWatch
        var isChanged = false
        var storedSeconds: Int64 = 0
    }

    private final class Entry: Sendable {
        let state: Lock<State>

        init(_ watch: RolloutWatch = RolloutWatch()) { state = Lock(State(watch: watch)) }

        func change(_ body: (inout RolloutWatch) -> Void) {
            state.withLock { state in
                body(&state.watch)
                state.isChanged = true
            }
        }
    }

    /// Since when a release has its present share.
    private struct ShareStart {
        /// What its record says.
        let recordedMicroseconds: Int64
        /// By the clock of the watches.
        let seconds: Int64
    }

    private let entries = Lock<[Key: Entry]>([:])
    private let shares = Lock<[Key: ShareStart]>([:])
    /// What the guards said when the monitor last looked.
    private let statuses = Lock<[Key: RolloutStatus]>([:])
    /// What this server has seen and not sent yet.
    private struct Seen {
        var observations: [Key: [RolloutObservation]] = [:]
        var count = 0
    }

    /// More than a server sees between two checks of the rollouts.
    private static let seenLimit = 65_536

    private let seen = Lock(Seen())
    private let isShared: Bool
    /// The releases that may be watched, as of the last check.
    private let guarded = Lock<Set<Key>>([])
    private let hashing: InstallationHash
    private let limit: Int
    private let clock: ServerClock
    private let start: ServerClock.Moment

    /// - Parameters:
    ///   - limit: the most releases that are watched at once.
    ///   - isShared: whether other servers see devices of the same releases.
    init(_ hashing: InstallationHash, _ clock: ServerClock, limit: Int, isShared: Bool) {
        self.isShared = isShared
        self.hashing = hashing
        self.limit = limit
        self.clock = clock
        start = clock.moment
    }

    /// The present moment, in seconds since 1970.
    var seconds: Int64 {
        let passed = clock.moment.monotonicMicroseconds &- start.monotonicMicroseconds
        return (start.wallMicroseconds &+ passed) / 1_000_000
    }

    /// How many seconds the release has had its present share. What passed before this server started is known by the
    /// time of day only.
    func secondsAtShare(of release: Release) -> Int64 {
        let recorded = release.guarding?.shareSinceMicroseconds ?? 0
        let now = seconds
        let wall = clock.moment.wallMicroseconds
        return shares.withLock { shares in
            if let known = shares[Key(release)], known.recordedMicroseconds == recorded { return now - known.seconds }
            let passed = max(0, (wall &- recorded) / 1_000_000)
            shares[Key(release)] = ShareStart(recordedMicroseconds: recorded, seconds: now - passed)
            return passed
        }
    }

    /// Whether the release is watched as soon as devices ask; false while too many others are.
    func hasPlace(for release: Release) -> Bool {
        entries.withLock { $0[Key(release)] != nil || $0.count < limit }
    }

    /// What the guards said when the monitor last looked, at most some seconds ago; nil before its first look. To ask
    /// them now takes a millisecond for each release.
    func lastStatus(of release: Release) -> RolloutStatus? { statuses.withLock { $0[Key(release)] } }

    func setLastStatus(_ status: RolloutStatus, of release: Release) {
        statuses.withLock { $0[Key(release)] = status }
    }

    /// A copy of what was seen of a release; nil if nothing was.
    func watch(of release: Release) -> RolloutWatch? { entry(Key(release))?.state.withLock { $0.watch } }

    /// A device asked for a model.
    ///
    /// - Parameters:
    ///   - installation: the one that asked.
    ///   - releases: of the model, newest first.
    ///   - headers: of the request.
    func see(
        _ choice: DownloadChoice, by installation: String, of releases: [TargetedRelease], _ headers: HTTPHeaders,
        project: String
    ) {
        guard releases.contains(where: \.served.isWatched) else { return }
        let id = hash(of: installation, project)
        guard case .release = choice.reason, !choice.isPinned else {
            // The draw does not decide what the device gets, so it cannot be compared.
            for release in releases where release.served.isWatched {
                note(RolloutObservation(device: id, .left), of: Key(release.served.release))
            }
            return
        }
        guard let version = choice.version else { return }
        let namesOwn =
            headers["If-None-Match"].flatMap(DownloadObservation.prefix)
            == DownloadObservation.prefix(of: version.sha256)
        // It neither has its version nor gave it up.
        if !namesOwn, headers.contains(WireHeader.waitsFor) { return }
        // The oldest one has nothing below with which its devices can be compared, and needs no place.
        for (release, finding) in zip(releases.dropLast(), choice.findings) where release.served.isWatched {
            guard let arm = Self.arm(finding.verdict) else { continue }
            note(RolloutObservation(device: id, .called(arm, namesOwn: namesOwn)), of: Key(finding.release))
        }
    }

    /// A device reported about versions. Reports about a version that the draw did not give it at its last call do not
    /// count.
    ///
    /// - Parameter part: that of the device's project.
    func report(
        _ health: [ModelHealth], of installation: String, _ part: ServingSnapshot.ProjectPart
    ) {
        for each in health {
            let releases = (part.releases[each.model] ?? []).map(\.served)
            for (index, release) in releases.enumerated() where release.isWatched {
                // What no server watches would wait in the database for ever.
                let key = Key(release.release)
                guard isShared ? guarded.withLock({ $0.contains(key) }) : entry(key) != nil else { continue }
                let arm: Arm
                if each.modelHash == release.sha256 {
                    arm = .version
                } else if releases[(index + 1)...].contains(where: { $0.sha256 == each.modelHash }) {
                    arm = .below
                } else {
                    continue
                }
                let id = hash(of: installation, part.project.id)
                note(
                    RolloutObservation(device: id, .reported(arm, RolloutWatch.Report(each))), of: key)
            }
        }
    }

    /// Watches a deleted installation no more.
    func forget(_ installation: String, project: String) {
        let id = hash(of: installation, project)
        let keys = isShared ? guarded.withLock { $0 } : entries.withLock { Set($0.keys) }
        for key in keys { note(RolloutObservation(device: id, .left), of: key) }
    }

    private func note(_ observation: RolloutObservation, of key: Key) {
        guard isShared else { return add(observation, to: key) }
        seen.withLock { seen in
            guard seen.count < Self.seenLimit else { return }
            seen.observations[key, default: []].append(observation)
            seen.count += 1
        }
    }

    /// Adds what this or another server has seen to the watch.
    func add(_ observation: RolloutObservation, to key: Key) {
        let isCall = if case .called = observation.event { true } else { false }
        let now = seconds
        (isCall ? entryOrNew(key) : entry(key))?.change { $0.observe(observation, atSeconds: now) }
    }

    /// Closes the period that has passed, and returns a copy.
    func tick(_ release: Release) -> RolloutWatch {
        let now = seconds
        guard let entry = entry(Key(release)) else { return RolloutWatch() }
        return entry.state.withLock { state in
            state.watch.tick(atSeconds: now)
            return state.watch
        }
    }

    private func hash(of installation: String, _ project: String) -> UInt64 {
        UInt64(bitPattern: hashing.hash(of: installation, project: project))
    }

    private func entry(_ key: Key) -> Entry? { entries.withLock { $0[key] } }

    private func entryOrNew(_ key: Key) -> Entry? {
        entries.withLock { entries in
            if let known = entries[key] { return known }
            guard entries.count < limit else { return nil }
            let entry = Entry()
            entries[key] = entry
            return entry
        }
    }

    private static func arm(_ verdict: ReleaseVerdict) -> Arm? {
        switch verdict {
        case .included(.some): .version
        case .share: .below
        // At the full share there is no draw.
        case .included(nil), .paused, .audience: nil
        }
    }
}

// MARK: - Storage

extension RolloutWatches {
    /// Takes out what this server has seen, to send it.
    func takeSeen() -> [Key: [RolloutObservation]] {
        seen.withLock { seen in
            defer { seen = Seen() }
            return seen.observations
        }
    }

    /// It could not be sent.
    func putBack(_ observations: [Key: [RolloutObservation]]) {
        seen.withLock { seen in
            for (key, earlier) in observations where seen.count + earlier.count <= Self.seenLimit {
                seen.observations[key] = earlier + (seen.observations[key] ?? [])
                seen.count += earlier.count
            }
        }
    }

    func isWatched(_ key: Key) -> Bool { entry(key) != nil }

    /// Continues with what was stored, in place of what was seen so far.
    ///
    /// - Returns: one line for each watch that cannot be read; it begins anew.
    func restore(_ records: [RolloutWatchRecord]) -> [String] {
        var restored: [Key: Entry] = [:]
        defer { entries.withLock { $0 = restored } }
        var lines: [String] = []
        for record in records.prefix(limit) {
            do {
                let tests = try JSONDecoder().decode(RolloutWatch.Tests.self, from: Data(record.tests.utf8))
                let stored = RolloutWatch.Stored(tests: tests, devices: record.devices, outside: record.outside)
                guard let watch = RolloutWatch(stored, atSeconds: seconds) else {
                    throw StorageError(.corrupt, "its devices are damaged")
                }
                restored[Key(record)] = Entry(watch)
            } catch {
                lines.append(
                    "what was seen of release \(record.release) of model \(record.modelID) is lost, and watching begins anew: \(error)"
                )
            }
        }
        return lines
    }

    /// Drops the watches of all other releases, which gives their places to others.
    ///
    /// - Returns: those that were dropped.
    func keep(only releases: Set<Key>) -> [Key] {
        guarded.withLock { $0 = releases }
        shares.withLock { shares in shares = shares.filter { releases.contains($0.key) } }
        statuses.withLock { statuses in statuses = statuses.filter { releases.contains($0.key) } }
        return entries.withLock { entries in
            let dropped = entries.keys.filter { !releases.contains($0) }
            for key in dropped { entries[key] = nil }
            return dropped
        }
    }

    /// Stores these again soon, since they could not be stored.
    func storeAgain(_ records: [RolloutWatchRecord]) {
        for record in records { entry(Key(record))?.change { _ in } }
    }

    /// How old a stored watch may be, in seconds.
    var storeInterval: Int64 {
        let turns = (entries.withLock { $0.count } + Self.storedPerInterval - 1) / Self.storedPerInterval
        return Self.storeSeconds * Int64(max(1, turns))
    }

    /// What must be stored now.
    ///
    /// - Parameter all: all that changed, however recently it was stored.
    func due(all: Bool) throws -> [RolloutWatchRecord] {
        let now = seconds
        let known = entries.withLock { $0 }
        let interval = storeInterval
        return try known.compactMap { key, entry in
            let watch = entry.state.withLock { state -> RolloutWatch? in
                guard state.isChanged, all || now - state.storedSeconds >= interval else { return nil }
                state.isChanged = false
                state.storedSeconds = now
                return state.watch
            }
            guard let stored = watch?.stored else { return nil }
            return RolloutWatchRecord(
                modelID: key.model, release: key.release,
                tests: String(decoding: try JSONEncoder().encode(stored.tests), as: UTF8.self),
                devices: stored.devices, outside: stored.outside)
        }
    }
}

extension RolloutWatch.Report {
    /// A death without a signal counts only if the version was rejected for it: it is counted only while a version is on
    /// trial, which that of the version below seldom is.
    init(_ health: ModelHealth) {
        func happened(_ counts: [String: Int64]?) -> Bool { (counts ?? [:]).values.contains { $0 > 0 } }
        let signals = (health.crashes ?? [:]).filter { $0.key != ModelHealth.died }
        self.init(
            loadFailed: happened(health.loadFailures),
            crashed: happened(signals) || (health.rejected ?? 0) > 0 && happened(health.crashes),
            runFailed: (health.failedRuns ?? 0) > 0, hasLoaded: (health.loads ?? 0) > 0,
            hasRun: (health.runs ?? 0) > 0, logRunTime: health.runTimes?.meanLogarithm)
    }
}
