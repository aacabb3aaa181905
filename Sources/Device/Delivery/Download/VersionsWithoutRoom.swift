import HearthApp
import HearthConcurrency
import HearthCrypto

/// The versions for which the disk had no room, as far as this process knows. Use it from any thread.
///
/// In memory only: what would be written down is that nothing can be written.
final class VersionsWithoutRoom: Sendable {
    static let shared = VersionsWithoutRoom()

    private struct Key: Hashable {
        let app: String
        let model: String
    }

    private let versions = Lock<[Key: SHA256Digest]>([:])

    func add(_ version: SHA256Digest, of model: String, _ app: FirebaseApp) {
        versions.withLock { $0[Key(app: app.name, model: model)] = version }
    }

    func remove(_ model: String, _ app: FirebaseApp) {
        versions.withLock { $0[Key(app: app.name, model: model)] = nil }
    }

    func version(of model: String, _ app: FirebaseApp) -> SHA256Digest? {
        versions.withLock { $0[Key(app: app.name, model: model)] }
    }
}
