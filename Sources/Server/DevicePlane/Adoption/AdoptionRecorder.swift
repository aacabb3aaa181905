import HearthCatalog
import HearthConcurrency
import HearthHTTP
package import HearthIdentity
import HearthRouting
package import HearthStorage
import HearthWire
import Synchronization

/// Records which version of a model each installation has, in batches. Safe to use from any thread.
///
/// Most questions repeat what the same installation said earlier today; they cost a look into memory. It needs at most
/// `AdoptionRecorder.waitingLimit` entries and `filterCount` words, however many models there are.
package final class AdoptionRecorder: Sendable {
    /// The most sightings that wait for the database; further ones are dropped and counted.
    package static let waitingLimit = 32_768
    /// After so many sightings they are written early.
    private static let manyWaiting = waitingLimit / 4
    /// After so long they are written.
    private static let writeMicroseconds: Int64 = 30_000_000
    /// The most sightings of a transaction: others who write wait that long.
    private static let transactionLimit = 2048
    private static let shardCount = 32
    private static let filterCount = 1 << 18

    private struct Key: Hashable {
        let model: Int64
        let installation: Int64
    }

    private final class Shard: Sendable {
        let waiting = Lock<[Key: AdoptionSighting]>([:])
    }

    /// By the installation and the model: the fingerprint of the last sighting of today that is recorded. The hashes
    /// have a seed of this process, which takes less time than the secret's.
    ///
    /// `@unchecked`: the address never changes, and the words behind it are atomic.
    private final class Filter: @unchecked Sendable {
        private let words = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: filterCount)

        init() {
            for place in 0..<filterCount { (words + place).initialize(to: Atomic(0)) }
        }

        deinit {
            words.deinitialize(count: filterCount)
            words.deallocate()
        }

        subscript(place: Int) -> UInt64 {
            get { words[place].load(ordering: .relaxed) }
            set { words[place].store(newValue, ordering: .relaxed) }
        }
    }

    private let metadata: any MetadataStore
    private let hashing: InstallationHash
    private let rowLimit: Int
    private let shards = (0..<shardCount).map { _ in Shard() }
    private let seen = Filter()
    private let waitingCount = Atomic(0)
    private let dropped = Atomic<UInt64>(0)
    private let lastWrite = Atomic<Int64>(.min)

    /// - Parameter rowLimit: the most rows of a version's sample.
    package init(
        _ metadata: any MetadataStore, _ hash: InstallationHash, rowLimit: Int = AdoptionSample.rowLimit
    ) {
        self.rowLimit = rowLimit
        self.metadata = metadata
        hashing = hash
    }

    /// How many sightings were lost because too many waited for the database.
    package var droppedCount: UInt64 { dropped.load(ordering: .relaxed) }

    /// Whether so much waits that it should be written early.
    package var isCrowded: Bool { waitingCount.load(ordering: .relaxed) >= Self.manyWaiting }

    /// - Parameters:
    ///   - named: the first 8 bytes of the hash that the installation named; nil for none.
    ///   - system: asked for only when something else is new, since an installation stays on its system.
    ///   - day: days since 1970-01-01.
    package func see(
        _ installation: String, project: String, model: Int64, named: UInt64?, system: @autoclosure () -> String,
        appVersion: String, day: Int64
    ) {
        var hasher = Hasher()
        hasher.combine(installation)
        hasher.combine(model)
        // One place for all that the installation says, so that what it says last counts, even if it said it before.
        let home = UInt64(bitPattern: Int64(hasher.finalize()))
        hasher.combine(named ?? .max)
        hasher.combine(day)
        if !appVersion.isEmpty { hasher.combine(appVersion) }
        // Zero stands for an empty place.
        let fingerprint = UInt64(bitPattern: Int64(hasher.finalize())) | 1 << 63
        let place = Int(truncatingIfNeeded: home & UInt64(Self.filterCount - 1))
        guard seen[place] != fingerprint else { return }
        let hash = hashing.hash(of: installation, project: project)
        let sighting = AdoptionSighting(
            modelID: model, installation: hash, named: named, system: system(), appVersion: appVersion, day: day)
        let key = Key(model: model, installation: hash)
        shards[Self.shard(of: hash)].waiting.withLock { waiting in
            if waiting[key] == nil {
                guard waitingCount.load(ordering: .relaxed) < Self.waitingLimit else {
                    dropped.wrappingAdd(1, ordering: .relaxed)
                    return
                }
                waitingCount.wrappingAdd(1, ordering: .relaxed)
            }
            waiting[key] = sighting
            // Under the same lock, so that of two calls at once the later one counts in both.
            seen[place] = fingerprint
        }
    }

    /// Writes what waits, if it has waited long enough or is much. One thread at a time.
    package func writeIfDue(nowMicroseconds: Int64, monotonicMicroseconds: Int64) throws {
        let last = lastWrite.load(ordering: .relaxed)
        let isDue = last == .min || monotonicMicroseconds - last >= Self.writeMicroseconds
        guard isDue || isCrowded else { return }
        lastWrite.store(monotonicMicroseconds, ordering: .relaxed)
        try writeAll(nowMicroseconds: nowMicroseconds)
    }

    /// Writes all that waits.
    package func writeAll(nowMicroseconds: Int64) throws {
        let today = AdoptionRecorder.day(nowMicroseconds)
        while waitingCount.load(ordering: .relaxed) > 0 {
            var taken: [AdoptionSighting] = []
            do {
                // Taken inside of the transaction: whoever deletes an installation comes before or after.
                try metadata.write { store in
                    // A store may repeat the transaction.
                    putBack(taken)
                    taken = take(Self.transactionLimit)
                    _ = try store.recordAdoption(taken, today: today, rowLimit: rowLimit)
                }
            } catch {
                putBack(taken)
                throw error
            }
            if taken.isEmpty { return }
        }
    }

    /// Records again what installations said earlier today: the database may have lost it.
    func forgetRecorded() {
        for place in 0..<Self.filterCount { seen[place] = 0 }
    }

    /// Forgets what waits about an installation, and removes it from the store. Inside of a transaction.
    func forget(_ installation: String, project: String, _ store: any MetadataWriter) throws {
        let hash = hashing.hash(of: installation, project: project)
        shards[Self.shard(of: hash)].waiting.withLock { waiting in
            for key in waiting.keys.filter({ $0.installation == hash }) {
                waiting[key] = nil
                waitingCount.wrappingSubtract(1, ordering: .relaxed)
            }
        }
        try store.deleteAdoption(of: hash, project: project)
    }

    private func take(_ limit: Int) -> [AdoptionSighting] {
        var taken: [AdoptionSighting] = []
        for shard in shards where taken.count < limit {
            shard.waiting.withLock { waiting in
                for (key, sighting) in waiting.prefix(limit - taken.count) {
                    waiting[key] = nil
                    taken.append(sighting)
                }
                // Gives the memory of a rush back.
                if waiting.isEmpty { waiting = [:] }
            }
        }
        waitingCount.wrappingSubtract(taken.count, ordering: .relaxed)
        return taken
    }

    private func putBack(_ sightings: [AdoptionSighting]) {
        for sighting in sightings {
            let key = Key(model: sighting.modelID, installation: sighting.installation)
            shards[Self.shard(of: key.installation)].waiting.withLock { waiting in
                guard waiting[key] == nil else { return }
                waiting[key] = sighting
                waitingCount.wrappingAdd(1, ordering: .relaxed)
            }
        }
    }

    /// The highest bits decide which installations a sample has; the lowest ones are free.
    private static func shard(of hash: Int64) -> Int { Int(truncatingIfNeeded: hash & Int64(shardCount - 1)) }

    package static func day(_ microseconds: Int64) -> Int64 { microseconds / 86_400_000_000 }
}

extension AdoptionRecorder {
    func see(_ observation: DownloadObservation) {
        let headers = observation.headers
        see(
            observation.installation.fid, project: observation.projectID, model: observation.modelID,
            named: observation.namedPrefix, system: Self.system(headers),
            appVersion: headers[WireHeader.appVersion].map { Self.short($0, limit: 32) } ?? "",
            day: Self.day(observation.now.microseconds))
    }

    private static func system(_ headers: HTTPHeaders) -> String {
        if let name = headers[WireHeader.operatingSystem] {
            let name = short(name, limit: 15)
            // Nearly all send it so.
            return name.utf8.contains { (0x41...0x5A).contains($0) } ? name.lowercased() : name
        }
        return DeviceHeaders.systemOfApp(headers) ?? ""
    }

    /// Empty if the text is too long or not printable ASCII: it is shown to people.
    private static func short(_ text: String, limit: Int) -> String {
        text.utf8.count <= limit && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : ""
    }
}

extension AdoptionRecorder: DeviceObserver {
    func observe(_ question: ModelQuestion) {
        see(
            DownloadObservation(
                projectID: question.projectID, modelID: question.modelID, installation: question.call.installation,
                named: question.headers["If-None-Match"], headers: question.headers, now: question.call.now))
    }
}
