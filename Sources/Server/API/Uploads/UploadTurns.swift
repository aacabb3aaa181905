import HearthStorage
import Synchronization

/// Which resumable uploads a request works on now: each is written by one at a time.
final class UploadTurns: Sendable {
    private let taken = Mutex<Set<String>>([])

    /// Nil while another request has it.
    func claim(_ id: String) -> UploadTurn? {
        guard taken.withLock({ $0.insert(id).inserted }) else { return nil }
        return UploadTurn { [self] in _ = taken.withLock { $0.remove(id) } }
    }

    /// Whether a request has it now.
    func isTaken(_ id: String) -> Bool { taken.withLock { $0.contains(id) } }
}

/// The right to write to one upload, given back when released.
final class UploadTurn: Sendable {
    private let giveBack: @Sendable () -> Void

    init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}

/// An upload's bytes and the right to write to them.
struct HeldUpload {
    let blob: any ResumedBlob
    let turn: UploadTurn
}
