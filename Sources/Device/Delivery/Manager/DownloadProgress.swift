import Dispatch
import Foundation
import Synchronization

/// Keeps the `Progress` of one download current, on the app's callback queue: Foundation's object has no lock.
///
/// `@unchecked Sendable`: after its making, the object that `progress` refers to is touched here on the callback queue
/// alone; everything else is immutable or guarded.
final class DownloadProgress: @unchecked Sendable {
    private typealias Counts = (completed: UInt64, total: UInt64)

    private let queue: DispatchQueue
    // Weak, because the object's cancellation handler leads to the transfer, which leads here.
    private weak let progress: Progress?
    /// Not shown yet; newer counts take the place of older ones, so that a slow queue does not fill up.
    private let unseen = Mutex<Counts?>(nil)

    /// The object that the counts of `Progress` are shown in: of unknown length until the first call of `show`.
    static func makeProgress() -> Progress {
        let progress = Progress.discreteProgress(totalUnitCount: -1)
        progress.kind = .file
        progress.setUserInfoObject(Progress.FileOperationKind.downloading, forKey: .fileOperationKindKey)
        progress.isCancellable = true
        return progress
    }

    init(_ progress: Progress, queue: DispatchQueue) {
        self.progress = progress
        self.queue = queue
    }

    /// Bytes. Called on any thread, as often as there is news.
    func show(completed: UInt64, total: UInt64) {
        let isQueued = unseen.withLock { unseen in
            defer { unseen = (completed, total) }
            return unseen != nil
        }
        guard !isQueued else { return }
        queue.async { [self] in
            guard let counts = unseen.withLock({ $0.take() }) else { return }
            progress?.totalUnitCount = Int64(clamping: counts.total)
            progress?.completedUnitCount = Int64(clamping: counts.completed)
        }
    }

    /// All bytes are here, whether or not any had to be fetched.
    func finish(byteCount: Int) {
        show(completed: UInt64(clamping: byteCount), total: UInt64(clamping: byteCount))
    }
}
