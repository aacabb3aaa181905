import HearthFiles
import Synchronization

/// The files that this process has handed out, kept from being collected. Use it from any thread.
///
/// The last two of each model: a program that runs for a year and sees a hundred updates holds two descriptors.
final class LeasedFiles: Sendable {
    static let shared = LeasedFiles()

    static let limitPerModel = 2

    struct Model: Hashable, Sendable {
        var folder: String
        var name: String
    }

    private let leases = Mutex<[Model: [FileLease]]>([:])

    func keep(_ lease: FileLease, of model: Model) {
        leases.withLock { leases in
            // What is gone with its store needs no lease; its descriptors would keep its bytes on the disk.
            leases = leases.mapValues { $0.filter(\.isInPlace) }.filter { !$0.value.isEmpty }
            let others = leases[model, default: []].filter { $0.path != lease.path }
            leases[model] = (others + [lease]).suffix(Self.limitPerModel)
        }
    }

    /// Whoever has the files open keeps their bytes.
    func release(_ model: Model, path: String? = nil) {
        leases.withLock { $0[model]?.removeAll { path == nil || $0.path == path } }
    }

    func count(of model: Model) -> Int { leases.withLock { $0[model]?.count ?? 0 } }
}
