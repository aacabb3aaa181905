import HearthConcurrency
import HearthCrypto
import HearthFiles
import HearthWire

/// Garbage collection: deletes files that no pointer names, no process uses and no download will resume. Hold the
/// store's lock.
struct StoreGarbageCollector {
    let layout: StoreLayout
    let now: Timestamp

    /// A single file that cannot be deleted stays for the next run.
    ///
    /// - Returns: How many files it deleted.
    func run() throws(FileError) -> Int {
        try content.sweepAbandoned()
        for folder in [layout.folder, layout.pointers.folder, content.folder] {
            try AtomicFile.sweepAbandoned(in: folder, files: layout.files)
        }
        let pointers = try layout.pointers.allOnDisk()
        var count = try collectModels(pointers)
        count += try collectPartials(pointers)
        if count > 0 { try layout.files.synchronizeFolder(content.folder) }
        return count
    }

    private var content: ContentStore { layout.content }
    private var partials: PartialFolder { layout.partials }

    private func collectModels(_ pointers: [ModelPointer]) throws(FileError) -> Int {
        let wanted = Set(pointers.flatMap { [$0.current?.digest, $0.previous?.digest].compactMap { $0 } })
        var count = 0
        for digest in try content.digests() where !wanted.contains(digest) {
            if (try? FileLease.removeIfUnused(content.path(of: digest), files: layout.files)) == true { count += 1 }
        }
        return count
    }

    private func collectPartials(_ pointers: [ModelPointer]) throws(FileError) -> Int {
        let all = try partials.all()
        var newest: [String: PartialRecord] = [:]
        for case (_, let record?) in all
        where newest[record.name].map({ $0.begunMicroseconds < record.begunMicroseconds }) ?? true {
            newest[record.name] = record
        }
        let byName = Dictionary(pointers.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var count = 0
        for (digest, record) in all {
            // Kept even next to a complete file of the same hash, which may be damaged: this download may be about to
            // replace it.
            if let record, try layout.files.size(partials.path(of: digest)) != nil,
                record.isWanted(
                    digest, pointer: byName[record.name], isNewest: newest[record.name] == record, now: now)
            {
                continue
            }
            if (try? partials.drop(digest)) == true { count += 1 }
        }
        return count
    }
}

/// Keeps the files that this process has returned to apps from being deleted. Use it from any thread.
///
/// It keeps the last two files of each model: a program that runs for a year and sees a hundred updates holds two
/// descriptors.
final class LeasedFiles: Sendable {
    static let shared = LeasedFiles()

    static let limitPerModel = 2

    /// A model in a store's folder.
    struct Model: Hashable, Sendable {
        var folder: String
        var name: String
    }

    private let leases = Lock<[Model: [FileLease]]>([:])

    /// Keeps the lease, and releases the oldest one of the model past the limit.
    func keep(_ lease: FileLease, of model: Model) {
        leases.withLock { leases in
            // A file that was removed with its store needs no lease: the descriptor would keep its bytes on the disk.
            leases = leases.mapValues { $0.filter(\.isInPlace) }.filter { !$0.value.isEmpty }
            let others = leases[model, default: []].filter { $0.path != lease.path }
            leases[model] = (others + [lease]).suffix(Self.limitPerModel)
        }
    }

    /// Releases the model's leases, or the one of `path`. A program that has a file open keeps its bytes.
    func release(_ model: Model, path: String? = nil) {
        leases.withLock { $0[model]?.removeAll { path == nil || $0.path == path } }
    }

    /// How many files of the model are kept.
    func count(of model: Model) -> Int { leases.withLock { $0[model]?.count ?? 0 } }
}
