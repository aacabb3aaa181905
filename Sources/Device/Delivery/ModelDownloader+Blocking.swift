import Dispatch
import HearthConcurrency

/// For programs that wait on their own thread, for example command-line tools.
extension ModelDownloader {
    /// The copy on this device, verified; nil when the device has none. Does not call the server. Blocks: do not call
    /// it on Swift's cooperative thread pool. Hearth's addition.
    public func installedModel(name modelName: String) throws -> CustomModel? {
        do throws(DownloadFailure) {
            let model = try core.installed(modelName)
            if let model { core.recordUse(of: model) }
            return model
        } catch {
            throw error.error
        }
    }

    /// The newest published version, for code that may block its thread and shows the bytes.
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

    /// Every model on this device; reads and verifies each file.
    package func installedCopies() throws(DownloadFailure) -> [InstalledCopy] { try core.copies() }

    /// Removes a model; false when the model was not installed.
    package func removeModel(name modelName: String) throws(DownloadFailure) -> Bool { try core.delete(modelName) }

    /// Deletes the store's files that nothing needs any more, and returns how many.
    package func collectGarbage() throws(DownloadFailure) -> Int { try core.collect() }
}

/// A model that was installed on this device, and whether its file is damaged now.
package struct InstalledCopy: Sendable, Equatable {
    package let model: CustomModel
    /// The file is missing, changed or not readable. The next call for the model downloads it again.
    package let isDamaged: Bool
}
