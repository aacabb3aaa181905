import Dispatch
import HearthApp
import HearthDeliveryTesting
import HearthFiles
import HearthModelSource
import HearthTransport

@testable import HearthDelivery

extension TestDevice {
    /// One fetch as the core makes it, on a thread of its own.
    func fetch(
        _ name: String = "digits", allowsCellularAccess: Bool = true, settings: DeliverySettings = DeliverySettings(),
        cancellation: TransportCancellation? = nil, progress: @escaping @Sendable (UInt64, UInt64) -> Void = { _, _ in }
    ) async -> Result<CustomModel, DownloadFailure> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                let conditions = ModelDownloadConditions(allowsCellularAccess: allowsCellularAccess)
                do throws(DownloadFailure) {
                    let model = try fetcher(settings).latest(
                        name, conditions: conditions, settings: settings, cancellation: cancellation, progress: progress
                    )
                    continuation.resume(returning: .success(model))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    func failure(
        _ name: String = "digits", settings: DeliverySettings = DeliverySettings()
    ) async -> DownloadFailure? {
        if case .failure(let failure) = await fetch(name, settings: settings) { failure } else { nil }
    }

    func fetcher(_ settings: DeliverySettings = DeliverySettings()) throws(DownloadFailure) -> ModelFetcher {
        guard let address = ServerAddress(app.options) else { fatalError("a test device has an address") }
        let installations = Installations.installations(app: app)
        return ModelFetcher(
            store: try store(settings), address: address, environment: app.environment,
            authToken: { try installations.blockingAuthToken(forcingRefresh: $0, whileWaiting: $1) },
            description: { [app] in app.toldDescription })
    }

    /// The installed model if its file is whole.
    func installed(_ name: String) throws -> CustomModel? {
        guard case .installed(let model) = try store().find(name) else { return nil }
        return model
    }

    func store(_ settings: DeliverySettings = DeliverySettings()) throws(DownloadFailure) -> DeviceStore {
        do throws(FileError) {
            return try DeviceStore(
                folder: app.folder, files: app.environment.files, quotaBytes: settings.storeQuotaBytes,
                reservedFreeBytes: settings.reservedFreeBytes, now: app.environment.clock.now)
        } catch {
            throw .aboutStore(error)
        }
    }
}
