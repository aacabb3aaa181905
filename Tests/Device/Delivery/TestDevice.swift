import Dispatch
import Foundation
import HearthApp
import HearthClient
import HearthConcurrency
import HearthCrypto
import HearthDeliveryTesting
import HearthFiles
import HearthModelSource
import HearthTransport

@testable import HearthDelivery

extension TestDevice {
    func get(_ name: String = "digits", _ type: ModelDownloadType = .latestModel) async throws -> CustomModel {
        try await downloader.getModel(name: name, downloadType: type)
    }

    /// The error of the call; nil when it returned a model.
    func error(_ name: String = "digits", _ type: ModelDownloadType = .latestModel) async -> DownloadError? {
        do {
            _ = try await get(name, type)
            return nil
        } catch {
            return error as? DownloadError
        }
    }

    /// `app.folder/below`
    func path(_ below: String) -> String { app.folder + "/" + below }

    /// Every file of the store except locks, unfinished downloads and the installation's record.
    func storedFiles() throws -> [String] {
        try ["models", "files"].flatMap { try DiskFiles().list(path($0)) }
            .filter { !$0.hasSuffix(".lock") && !$0.hasPrefix("partial-") }
    }
}

/// The bytes of models that need not run.
enum Sample {
    static let v1 = [UInt8]("the first version of the model".utf8)
    static let v2 = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    static let v3 = [UInt8]("third".utf8)

    static func hash(_ bytes: [UInt8]) -> String { SHA256Hasher.hash(bytes).hex }
}

extension ModelState {
    var failure: DownloadFailure? {
        if case .failed(let failure, _) = self { failure } else { nil }
    }
}

extension CustomModel {
    /// What a program reads that opens the path now; nil when it cannot open it.
    var contents: [UInt8]? { try? DiskFiles().read(path, limitBytes: 1 << 26) }
}

extension TestDevice {
    /// Whether a garbage collection deletes the model's file. Not always the first one does: a program that another
    /// test is starting has this process's descriptors, including leases, until it begins.
    func collects(_ model: CustomModel) -> Bool {
        let end = ContinuousClock.now + .seconds(30)
        while model.contents != nil {
            guard ContinuousClock.now < end, (try? downloader.collectGarbage()) != nil else { return false }
        }
        return true
    }
}

extension TestDevice {
    /// One download as by the core, on its own thread.
    func fetch(
        _ name: String = "digits", allowsCellularAccess: Bool = true, settings: DeliverySettings = DeliverySettings(),
        cancellation: Cancellation? = nil, progress: @escaping @Sendable (UInt64, UInt64) -> Void = { _, _ in }
    ) async -> Result<CustomModel, DownloadFailure> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                let conditions = ModelDownloadConditions(allowsCellularAccess: allowsCellularAccess)
                do throws(DownloadFailure) {
                    var download = ModelDownload(
                        name, app: app, store: try store(settings), conditions: DownloadConditions(conditions),
                        settings: settings, cancellation: cancellation, progress: progress)
                    continuation.resume(returning: .success(try download.run()))
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
