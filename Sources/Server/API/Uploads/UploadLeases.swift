import HearthConcurrency
import HearthStorage
import HearthWire

/// The resumable uploads that requests to this server work on now. Only one request at a time may write to an upload.
/// Of requests to two servers, the one that is recorded first counts, and the other one is refused as busy.
final class UploadLeases: Sendable {
    /// Why a request is refused while another one has the lease.
    static let busy = APIError(
        .unavailable, "Another request is writing to this upload; try again in a moment.")

    private let taken = Lock<Set<String>>([])

    /// Nil while another request has the lease.
    func acquire(_ id: String) -> UploadLease? {
        guard taken.withLock({ $0.insert(id).inserted }) else { return nil }
        return UploadLease { [self] in _ = taken.withLock { $0.remove(id) } }
    }

    /// Whether a request has the lease now.
    func isTaken(_ id: String) -> Bool { taken.withLock { $0.contains(id) } }
}

/// The right to write to one upload. Releasing it returns the lease.
final class UploadLease: Sendable {
    private let giveBack: @Sendable () -> Void

    init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}

/// An upload's bytes and the right to write to them.
struct LeasedUpload {
    let blob: any ResumedBlob
    let lease: UploadLease
}

/// What workers found that fetched the earlier bytes of uploads, for the next request of each. Safe to use from any thread.
final class UploadPreparations: Sendable {
    /// What the request gets that began it.
    static let refusal: APIError = {
        var error = APIError(
            .unavailable,
            "This server fetches the bytes that arrived at another one; try again in a moment, from the same place.")
        error.retryAfterSeconds = 1
        return error
    }()

    /// Those whose uploaders never came back.
    private static let mostLeft = 1000

    private let found = Lock<[String: Result<Bool, any Error>]>([:])

    /// - Parameter result: whether the bytes are there.
    func put(_ result: Result<Bool, any Error>, for id: String) {
        found.withLock { found in
            if found.count >= Self.mostLeft { found = [:] }
            found[id] = result
        }
    }

    /// Once.
    func take(_ id: String) -> Result<Bool, any Error>? { found.withLock { $0.removeValue(forKey: id) } }
}
