import Dispatch
import Synchronization

/// For programs that wait on their own thread: command-line tools, for example.
extension ModelDownloader {
    /// The copy on this device, checked; nil when there is none or it is damaged. Asks no server. Blocks: not for
    /// Swift's cooperative pool. Hearth's addition.
    public func installedModel(name modelName: String) throws -> CustomModel? {
        do throws(DownloadFailure) {
            return try core.installed(modelName)
        } catch {
            throw error.error
        }
    }

    /// The newest published version, for code that blocks its thread already and shows bytes.
    package func latestModel(name modelName: String, progress: @escaping ByteProgress) throws(DownloadError)
        -> CustomModel
    {
        let progress = LentProgress(progress)
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<CustomModel, DownloadFailure>?>(nil)
        core.fetch(modelName, progress: progress.call) { ended in
            result.withLock { $0 = ended }
            done.signal()
        }
        done.wait()
        switch result.withLock({ $0 }) {
        case .success(let model): return model
        case .failure(let failure): throw failure.error
        case nil: throw .internalError(description: "The download of '\(modelName)' ended without a result.")
        }
    }
}

/// `@unchecked Sendable`: the closure is called by the core one call at a time, while the thread that brought it waits, and
/// not after the result that it waits for.
private struct LentProgress: @unchecked Sendable {
    private let progress: ByteProgress

    init(_ progress: @escaping ByteProgress) { self.progress = progress }

    @Sendable
    func call(_ completed: UInt64, _ total: UInt64) { progress(completed, total) }
}
