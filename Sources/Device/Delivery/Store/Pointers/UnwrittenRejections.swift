import HearthConcurrency

/// Versions that were rejected while the disk could not be written. This process does not use them, and writes them
/// down with the next change of the model's record. Use it from any thread.
final class UnwrittenRejections: Sendable {
    static let shared = UnwrittenRejections()

    private struct Contents {
        /// By the path of the model's record.
        var versions: [String: [RejectedVersion]] = [:]
        var generation = 0
    }

    private let contents = Lock(Contents())

    /// Rises whenever the meaning of a record changes without a change of its file.
    var generation: Int { contents.withLock(\.generation) }

    /// Adds a rejection to the record at `path`.
    func add(_ version: RejectedVersion, toRecordAt path: String) {
        contents.withLock { contents in
            let known = contents.versions[path, default: []].filter { $0.hash != version.hash }
            contents.versions[path] = (known + [version]).suffix(ModelPointer.rejectedLimit)
            contents.generation += 1
        }
    }

    /// Call it when the record was written or removed.
    func forget(recordAt path: String) {
        contents.withLock { contents in
            if contents.versions.removeValue(forKey: path) != nil { contents.generation += 1 }
        }
    }

    /// The pointer with the rejections that could not be written into its record.
    func applied(to pointer: ModelPointer, at path: String) -> ModelPointer {
        let versions = contents.withLock { $0.versions[path] ?? [] }
        return versions.reduce(into: pointer) { $0.reject($1) }
    }
}
