import Dispatch
import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthModelSource
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("Files of the model manager", .limitedTime)
struct ManagerFileTests {
    private let name = "model-\(UUID().uuidString)"
    private let model: CustomRemoteModel
    private let device: TestDevice
    private let manager: ModelManager

    init() throws {
        device = try TestDevice()
        model = CustomRemoteModel(name: name)
        manager = ModelManager.modelManager(app: device.app)
        device.host.publish(Sample.v1, as: name)
    }

    /// Reads the result on the next line, as an app does that was written for the original.
    private func path() -> (path: String?, error: (any Error)?) {
        var found: (path: String?, error: (any Error)?) = (nil, nil)
        manager.getLatestModelFilePath(model) { path, error in found = (path, error) }
        return found
    }

    private func delete() async -> (any Error)? {
        await withCheckedContinuation { continuation in
            manager.deleteDownloadedModel(model) { continuation.resume(returning: $0) }
        }
    }

    @Test("The completion gets the path before the call returns")
    func path() async throws {
        let installed = try await device.get(name)
        #expect(path().path == installed.path)
        #expect(path().error == nil)
        #expect(try await manager.getLatestModelFilePath(model) == installed.path)
    }

    @Test("Without a copy, the completion gets an NSError instead of a path")
    func noPath() async {
        #expect(path().path == nil)
        func code() -> Int? {
            do {
                if let error = path().error { throw error }
                return nil
            } catch let error as NSError {
                return error.code
            }
        }
        #expect(code() == 5)
        await #expect(throws: NSError.self) { try await manager.getLatestModelFilePath(model) }
    }

    @Test("The completion of a deletion runs on the callback queue, and the model is removed")
    func deleted() async throws {
        let key = DispatchSpecificKey<Bool>()
        device.app.callbackQueue.setSpecific(key: key, value: true)
        _ = try await device.get(name)
        let isOnQueue = await withCheckedContinuation { continuation in
            manager.deleteDownloadedModel(model) { error in
                #expect(error == nil)
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
            }
        }
        #expect(isOnQueue)
        #expect(!manager.isModelDownloaded(model))
        #expect((await delete() as? NSError)?.code == 5)
    }

    @Test("Deleting ends a running download")
    func deletedWhileDownloading() async throws {
        let observer = ManagerObserver(name, on: device)
        let held = device.host.hold(.file)
        manager.download(model)
        await held.waitUntilReached()
        let (manager, name) = (manager, name)
        async let deletion: Void = manager.deleteDownloadedModel(CustomRemoteModel(name: name))
        #expect(await observer.next(2).map(\.error?.code) == [1, 1])
        held.release()
        // There may be no model to delete, depending on the progress of the download.
        try? await deletion
        #expect(!manager.isModelDownloaded(model))
    }

    @Test("One manager for each app, until the app is deleted")
    func instances() async throws {
        #expect(ModelManager.modelManager(app: device.app) === manager)
        let other = try TestDevice()
        #expect(ModelManager.modelManager(app: other.app) !== manager)
        _ = await device.app.delete()
        #expect(ModelManager.modelManager(app: device.app) !== manager)
    }

    @Test("Without a default app, requesting its manager ends the process and says why")
    func noApp() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ModelManager.modelManager()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("FIRAppNotConfigured: the default FirebaseApp must be configured"))
    }
}
