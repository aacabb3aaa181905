import Foundation
package import HearthCatalog
import HearthConcurrency
import HearthIdentity
package import HearthRollouts
import HearthServing
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
/// A release that needs more memory than others has 32,768 devices of each arm, about 14 MB. So it watches only so many
/// releases at once: those that were seen first.
package final class RolloutWatches: Sendable {
    /// After so long a changed watch is stored, if there are not many.
    private static let storeSeconds: Int64 = 60
    /// With more watches each is stored less often, so that a minute stores 8 at most, which is about 30 MB.
    private static let storedPerInterval = 8

    package struct Key: Hashable, Sendable {
        package let model: Int64
        package let release: Int

        package init(model: Int64, release: Int) {
            self.model = model
            self.release = release
        }

        package init(_ release: Release) {
            model = release.modelID
            self.release = release.number
        }

        package init(_ record: RolloutWatchRecord) {
            model = record.modelID
            release = record.release
        }
    }

    /// What one lock protects.
    private struct State {
        var watch: RolloutWatch
        var isChanged = true
        var storedSeconds: Int64 = 0
    }

    private final class Entry: Sendable {
        let state: Lock<State>

        init(_ watch: RolloutWatch) { state = Lock(State(watch: watch)) }

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
    /// What this server has seen and not sent yet: by piece and release.
    private struct Seen {
        var observations: [Int64: [Key: [RolloutObservation]]] = [:]
        var count = 0
    }

    /// More than a server sees between two checks of the rollouts.
    private static let seenLimit = 65_536
    /// A stored watch that is older does not know what happened since: the records may be those of a backup.
    private static let longestGapSeconds: Int64 = 86_400

    private let seen = Lock(Seen())
    private let repeats = RepeatedCalls()
    private let isShared: Bool
    /// The releases that may be watched, as of the last check.
    private let guarded = Lock<Set<Key>>([])
    private let hashing: InstallationHash
    private let limit: Int
    /// A release that is older when its watch begins was offered to devices that the watch has not seen.
    private let newSeconds: Int64
    private let clock: ServerClock
    private let start: ServerClock.Moment
    package let metrics = RolloutMetrics()

    /// - Parameters:
    ///   - limit: the most releases that are watched at once.
    ///   - isShared: whether other servers see devices of the same releases.
    ///   - checkSeconds: how often the server looks at them.
    init(
        _ hashing: InstallationHash, _ clock: ServerClock, limit: Int, isShared: Bool, checkSeconds: Double = 10
    ) {
        newSeconds = max(120, Int64(3 * checkSeconds))
        self.isShared = isShared
        self.hashing = hashing
        self.limit = limit
        self.clock = clock
        start = clock.moment
    }

    /// The present moment, in seconds since 1970.
    package var seconds: Int64 {
        let passed = clock.moment.monotonicMicroseconds &- start.monotonicMicroseconds
        return (start.wallMicroseconds &+ passed) / 1_000_000
    }

    /// How many seconds the release has had its present share. What passed before this server started is known by the
    /// time of day only.
    package func secondsAtShare(of release: Release) -> Int64 {
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
    package func hasPlace(for release: Release) -> Bool {
        entries.withLock { $0[Key(release)] != nil || $0.count < limit }
    }

    /// What the guards said when the monitor last looked, at most some seconds ago; nil before its first look. To ask
    /// them now takes a millisecond for each release.
    package func lastStatus(of release: Release) -> RolloutStatus? { statuses.withLock { $0[Key(release)] } }

    package func setLastStatus(_ status: RolloutStatus, of release: Release) {
        statuses.withLock { $0[Key(release)] = status }
    }

    /// A copy of what was seen of a release; nil if nothing was.
    package func watch(of release: Release) -> RolloutWatch? { entry(Key(release))?.state.withLock { $0.watch } }

    /// A device asked for a model.
    func see(_ sight: RolloutSight, project: String) {
        guard sight.releases.contains(where: \.served.isWatched) else { return }
        let now = seconds
        guard repeats.isNew(sight.hash, atSeconds: now) else { return metrics.countCall(.repeated) }
        metrics.countCall(.kept)
        let id = hash(of: sight.device.installationID, project)
        for (release, event) in sight.events() {
            if !isShared { begin(release) }
            note(RolloutObservation(device: id, atSeconds: now, event), of: Key(release))
        }
    }

    /// A device reported about versions.
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
                let isOfVersion = each.modelHash == release.sha256
                // The device is about to leave this watch.
                if !isOfVersion, releases[..<index].contains(where: { $0.sha256 == each.modelHash }) { continue }
                note(
                    RolloutObservation(
                        device: hash(of: installation, part.project.id), atSeconds: seconds,
                        .reported(isOfVersion: isOfVersion, RolloutWatch.Report(each))),
                    of: key)
            }
        }
    }

    /// Watches a deleted installation no more.
    func forget(_ installation: String, project: String) {
        let id = hash(of: installation, project)
        let keys = isShared ? guarded.withLock { $0 } : entries.withLock { Set($0.keys) }
        for key in keys { note(RolloutObservation(device: id, atSeconds: seconds, .left), of: key) }
    }

    private func note(_ observation: RolloutObservation, of key: Key) {
        guard isShared else { return add(observation, to: key) }
        let piece = SettlingObservations.piece(atSeconds: observation.seconds)
        let isKept = seen.withLock { seen in
            guard seen.count < Self.seenLimit else { return false }
            seen.observations[piece, default: [:]][key, default: []].append(observation)
            seen.count += 1
            return true
        }
        if !isKept { metrics.countCall(.dropped) }
    }

    /// Adds what this or another server has seen to the watch.
    package func add(_ observation: RolloutObservation, to key: Key) { entry(key)?.change { $0.observe(observation) } }

    /// Begins to watch a release that is not watched yet, if there is a place.
    package func begin(_ release: Release) {
        let key = Key(release)
        // A release without guards needs no place.
        guard entry(key) == nil, release.guarding?.guards.isEmpty == false else { return }
        let wall = clock.moment.wallMicroseconds
        let share = EffectiveShare.share(of: release, nowMicroseconds: wall)
        let isNew = (0..<newSeconds).contains((wall &- release.createdMicroseconds) / 1_000_000)
        let offered = release.guarding?.offeredMillionths ?? 0
        let watch = RolloutWatch(sinceSeconds: seconds, share: share, offered: isNew ? offered : max(offered, share))
        entries.withLock { entries in
            if entries[key] == nil, entries.count < limit { entries[key] = Entry(watch) }
        }
    }

    /// Forgets what was seen of the release. The watch begins anew with devices that were not offered it so far.
    package func beginAnew(_ key: Key) {
        entry(key)?.change { watch in
            let (share, offered) = (watch.places.share, watch.places.highest)
            watch = RolloutWatch(sinceSeconds: seconds, share: share, offered: offered)
        }
    }

    /// Tells the watch what share the release has now, closes the period that has passed, and returns a copy.
    package func tick(_ release: Release) -> RolloutWatch? {
        begin(release)
        let now = seconds
        let share = EffectiveShare.share(of: release, nowMicroseconds: clock.moment.wallMicroseconds)
        let hold = release.guarding?.holdSeconds ?? ReleaseGuarding.standardHoldSeconds
        return entry(Key(release))?.state.withLock { state in
            let last = state.watch.lastSeconds
            state.watch.setShare(share, holdSeconds: hold, atSeconds: now)
            state.watch.tick(atSeconds: now)
            // What is stored must say until when the release was watched.
            if state.watch.lastSeconds != last { state.isChanged = true }
            return state.watch
        }
    }

    private func hash(of installation: String, _ project: String) -> UInt64 {
        UInt64(bitPattern: hashing.hash(of: installation, project: project))
    }

    private func entry(_ key: Key) -> Entry? { entries.withLock { $0[key] } }
}

// MARK: - Storage

extension RolloutWatches {
    /// Takes out what this server has seen, to send it.
    ///
    /// - Parameter all: also of the present ten seconds, which are not over.
    /// - Returns: the pieces, each of one release and of the same ten seconds.
    package func takeSeen(all: Bool) -> [(key: Key, observations: [RolloutObservation])] {
        let last = all ? Int64.max : SettlingObservations.piece(atSeconds: seconds)
        return seen.withLock { seen in
            var pieces: [(key: Key, observations: [RolloutObservation])] = []
            for number in seen.observations.keys.sorted() where number < last {
                for (key, observations) in seen.observations.removeValue(forKey: number) ?? [:] {
                    pieces.append((key, observations))
                    seen.count -= observations.count
                }
            }
            return pieces
        }
    }

    /// They could not be sent.
    package func putBack(_ pieces: [(key: Key, observations: [RolloutObservation])]) {
        let dropped = seen.withLock { seen in
            pieces.reduce(into: 0) { dropped, piece in
                guard let first = piece.observations.first else { return }
                guard seen.count + piece.observations.count <= Self.seenLimit else {
                    dropped += piece.observations.count
                    return
                }
                let number = SettlingObservations.piece(atSeconds: first.seconds)
                let later = seen.observations[number]?[piece.key] ?? []
                seen.observations[number, default: [:]][piece.key] = piece.observations + later
                seen.count += piece.observations.count
            }
        }
        metrics.countCall(.dropped, dropped)
    }

    package func isWatched(_ key: Key) -> Bool { entry(key) != nil }

    /// Continues with what was stored, in place of what was seen so far.
    ///
    /// - Returns: one line for each watch that cannot be read; it begins anew.
    package func restore(_ records: [RolloutWatchRecord]) -> [String] {
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
                guard seconds - watch.lastSeconds < Self.longestGapSeconds else {
                    throw StorageError(.corrupt, "nothing was seen for more than a day")
                }
                restored[Key(record)] = Entry(watch)
            } catch is DecodingError {
                lines.append(
                    """
                    the watch of release \(record.release) of model \(record.modelID) begins again, because another \
                    version of Hearth kept it
                    """
                )
            } catch {
                lines.append(
                    "what was seen of release \(record.release) of model \(record.modelID) is lost, and watching begins anew: \(error)"
                )
            }
        }
        return lines
    }

    /// Forgets all that was seen, also of releases that are under way.
    package func forgetAll() {
        _ = takeSeen(all: true)
        entries.withLock { $0 = [:] }
    }

    /// Drops the watches of all other releases, which gives their places to others.
    ///
    /// - Parameter watched: those of the releases that have guards.
    /// - Returns: those that were dropped.
    package func keep(only releases: Set<Key>, watched: Set<Key>) -> [Key] {
        guarded.withLock { $0 = watched }
        shares.withLock { shares in shares = shares.filter { releases.contains($0.key) } }
        statuses.withLock { statuses in statuses = statuses.filter { releases.contains($0.key) } }
        return entries.withLock { entries in
            let dropped = entries.keys.filter { !watched.contains($0) }
            for key in dropped { entries[key] = nil }
            return dropped
        }
    }

    /// Stores these again soon, since they could not be stored.
    package func storeAgain(_ records: [RolloutWatchRecord]) {
        for record in records { entry(Key(record))?.change { _ in } }
    }

    /// How old a stored watch may be, in seconds.
    package var storeInterval: Int64 {
        let turns = (entries.withLock { $0.count } + Self.storedPerInterval - 1) / Self.storedPerInterval
        return Self.storeSeconds * Int64(max(1, turns))
    }

    /// What must be stored now.
    ///
    /// - Parameter all: all that changed, however recently it was stored.
    package func due(all: Bool) throws -> [RolloutWatchRecord] {
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
    /// trial, which that of the baseline seldom is.
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
