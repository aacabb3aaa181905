import Dispatch
import HearthConcurrency

/// For programs that wait on their own thread: command-line tools, for example.
extension ModelDownloader {
    /// The copy on this device, checked; nil when there is none or it is damaged. Asks no server. Blocks: not for
    /// Swift's cooperative pool. Hearth's addition.
    public func installedModel(name modelName: String) throws -> CustomModel? {
        do throws(DownloadFailure) {
            let model = try core.installed(modelName)
            if let model { core.recordUse(of: model) }
            return model
        } catch {
            throw error.error
        }
    }

    /// The newest published version, for code that blocks its thread already and shows bytes.
    package func latestModel(
        name modelName: String, progress: @escaping (_ completed: UInt64, _ total: UInt64) -> Void
    ) throws(DownloadFailure) -> CustomModel {
        let progress = Callback<(completed: UInt64, total: UInt64)> { progress($0.completed, $0.total) }
        let done = DispatchSemaphore(value: 0)
        let result = Lock<Result<CustomModel, DownloadFailure>?>(nil)
        core.download(modelName, progress: { progress.call(with: ($0, $1)) }) { ended in
            result.withLock { $0 = ended }
            done.signal()
        }
        done.wait()
        guard let result = result.withLock({ $0 }) else { throw .cancelled(modelName) }
        return try result.get()
    }

    /// Every model on this device: each file is read and checked.
    package func installedCopies() throws(DownloadFailure) -> [InstalledCopy] { try core.copies() }

    /// False when there is no such model.
    package func removeModel(name modelName: String) throws(DownloadFailure) -> Bool { try core.delete(modelName) }

    /// Deletes the store's files that nothing needs any more; how many those were.
    package func collectGarbage() throws(DownloadFailure) -> Int { try core.collect() }
}

/// A model that was installed on this device, and whether its file still is what it was then.
package struct InstalledCopy: Sendable, Equatable {
    package let model: CustomModel
    /// The file is gone, changed or not readable. The next one who asks for the model has it fetched again.
    package let isDamaged: Bool
}
