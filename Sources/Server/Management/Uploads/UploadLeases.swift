import HearthConcurrency
import HearthRouting
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
