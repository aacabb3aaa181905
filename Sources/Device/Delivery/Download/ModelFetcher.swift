import HearthApp
import HearthFiles
import HearthModelSource
import HearthTransport

/// Told how many bytes of a file are there, and of how many. Called on the fetching thread. The number falls when a download
/// has to begin anew.
package typealias ByteProgress = (_ completed: UInt64, _ total: UInt64) -> Void

/// The installation's token; with true, a new one from the server. Blocks; what `whileWaiting` throws ends the waiting.
typealias AuthToken = @Sendable (_ forcingRefresh: Bool, _ whileWaiting: () throws -> Void) throws -> String

/// Asks the server for a model and installs it. Blocks; knows nothing of queues and callbacks.
struct ModelFetcher: Sendable {
    let store: DeviceStore
    let address: ServerAddress
    let environment: DeviceEnvironment
    let authToken: AuthToken
    /// What the device tells of itself, asked for before each question.
    let description: @Sendable () -> DeviceDescription

    private func find(_ name: String) throws(DownloadFailure) -> DeviceStore.LookupResult {
        do throws(FileError) {
            return try store.find(name)
        } catch {
            throw DownloadFailure(error)
        }
    }

    /// The newest published version that works here: the installed one when the server says so, else fetched and installed.
    ///
    /// Tries again what may pass by itself, until the deadline. Whatever fails, what was installed stays installed, and the
    /// bytes that have arrived stay for the next call, in this process or another one.
    ///
    /// - Parameters:
    ///   - conditions: checked before each transfer.
    ///   - cancellation: ends waiting and transfer with `cancelled`.
    func latest(
        _ name: String, conditions: ModelDownloadConditions = ModelDownloadConditions(),
        settings: DeliverySettings = DeliverySettings(), cancellation: TransportCancellation? = nil,
        progress: @escaping ByteProgress
    ) throws(DownloadFailure) -> CustomModel {
        let attempts = DownloadAttempts(settings, environment: environment, cancellation: cancellation)
        // One process at a time: who has waited here finds the model installed, and is told "not modified".
        let lock = try lock(name, attempts)
        defer { withExtendedLifetime(lock) {} }
        var fetch = ModelDownload(
            name: name, found: try find(name), store: store,
            call: DownloadInfoCall(
                address: address, environment: environment, authToken: authToken, description: description),
            conditions: conditions, settings: settings, attempts: attempts, progress: progress)
        return try fetch.run()
    }

    private func lock(_ name: String, _ attempts: DownloadAttempts) throws(DownloadFailure) -> FileLock {
        do {
            return try store.lock(name) { try check(attempts) }
        } catch let failure as DownloadFailure {
            throw failure
        } catch let error as FileError {
            throw DownloadFailure(error)
        } catch {
            throw DownloadFailure(.storeFailed, internal: "Unable to save model file: \(error)")
        }
    }

    private func check(_ attempts: DownloadAttempts) throws(DownloadFailure) {
        do {
            try attempts.check()
        } catch {
            guard error.code == .tooSlow else { throw error }
            throw DownloadFailure(
                .tooSlow, "Another program was fetching the same model until the deadline: ask again later.",
                error: .failedPrecondition, isTemporary: true)
        }
    }
}
