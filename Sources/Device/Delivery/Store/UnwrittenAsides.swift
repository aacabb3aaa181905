import Synchronization

/// Versions that were put aside while the disk could not be written. This process does without them all the same, and writes
/// them down with the next change of the model's record. Use it from any thread.
final class UnwrittenAsides: Sendable {
    static let shared = UnwrittenAsides()

    private struct Contents {
        /// By the path of the model's record.
        var versions: [String: [AsideVersion]] = [:]
        var generation = 0
    }

    private let contents = Mutex(Contents())

    /// Rises whenever a record means something else than what is written in it.
    var generation: Int { contents.withLock(\.generation) }

    func add(_ version: AsideVersion, toRecordAt path: String) {
        contents.withLock { contents in
            let known = contents.versions[path, default: []].filter { $0.hash != version.hash }
            contents.versions[path] = (known + [version]).suffix(ModelPointer.asideLimit)
            contents.generation += 1
        }
    }

    /// The record was written or removed.
    func forget(recordAt path: String) {
        contents.withLock { contents in
            if contents.versions.removeValue(forKey: path) != nil { contents.generation += 1 }
        }
    }

    /// What the record says together with what could not be written into it.
    func applied(to pointer: ModelPointer, at path: String) -> ModelPointer {
        let versions = contents.withLock { $0.versions[path] ?? [] }
        return versions.reduce(into: pointer) { $0.putAside($1) }
    }
}
