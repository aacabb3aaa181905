import Foundation
import HearthConcurrency
import HearthCrypto

/// Separates two operations that would harm each other: making bytes visible and then recording them, and removing
/// bytes that no record names. One lock for each blob store of a server; `ServerCoordination` extends it to all servers.
///
/// A caller waits for a few file operations and a transaction at most, because no validation of a model runs inside.
package final class BlobStoreLock: Sendable {
    private let servers: any ServerCoordination
    private let turn = Lock<Void>(())

    package init(servers: any ServerCoordination = SoleServer()) { self.servers = servers }

    /// Runs `body` while no other caller of this server is inside, and no other server whose use would do harm. Do not
    /// nest calls.
    ///
    /// - Throws: `.unavailable` if `use` is `.removing` and others at other servers are inside for too long.
    package func withLock<Result>(_ use: BlobUse, _ body: () throws -> Result) throws -> Result {
        var tries = 1
        while true {
            var (result, hasBegun): (Result?, Bool) = (nil, false)
            do {
                try turn.withLock { _ in
                    result = try servers.withBlobs(use) {
                        hasBegun = true
                        return try body()
                    }
                }
            } catch let error as StorageError where error.code == .unavailable {
                guard use == .removing, !hasBegun, tries < Self.removalTries else { throw error }
                // Others of this server may use the time.
                tries += 1
                usleep(Self.removalPauseMicroseconds)
                continue
            }
            guard let result else { throw StorageError(.io, "The work on the model files did not run") }
            return result
        }
    }

    private static let removalTries = 20
    private static let removalPauseMicroseconds: UInt32 = 50_000
}
