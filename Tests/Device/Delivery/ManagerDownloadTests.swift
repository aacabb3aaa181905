import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthModelSource
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("Downloads of the model manager", .limitedTime)
struct ManagerDownloadTests {
    private let name = "model-\(UUID().uuidString)"
    private let model: CustomRemoteModel
    private let device: TestDevice
    private let manager: ModelManager
    private let observer: ManagerObserver

    init() throws {
        device = try TestDevice()
        model = CustomRemoteModel(name: name)
        manager = ModelManager.modelManager(app: device.app)
        observer = ManagerObserver(name, on: device)
        device.host.publish(Sample.v2, as: name)
    }

    /// As an app reads it: on the queue where it changes.
    private func counts(_ progress: Progress) -> [Int64] {
        device.app.callbackQueue.sync { [progress.completedUnitCount, progress.totalUnitCount] }
    }

    private func contents() async throws -> Data? {
        FileManager.default.contents(atPath: try await manager.getLatestModelFilePath(model))
    }

    @Test("the names of the notifications are the original's")
    func names() {
        #expect(
            NSNotification.Name.firebaseMLModelDownloadDidSucceed.rawValue == "FIRModelDownloadDidSucceedNotification")
        #expect(NSNotification.Name.firebaseMLModelDownloadDidFail.rawValue == "FIRModelDownloadDidFailNotification")
        #expect(NSNotification.Name.mlkitModelDownloadDidSucceed.rawValue == "MLKModelDownloadDidSucceedNotification")
        #expect(NSNotification.Name.mlkitModelDownloadDidFail.rawValue == "MLKModelDownloadDidFailNotification")
        #expect(NSNotification.Name.mlkitMLModelDownloadDidSucceed == .mlkitModelDownloadDidSucceed)
        #expect(NSNotification.Name.mlkitMLModelDownloadDidFail == .mlkitModelDownloadDidFail)
        #expect(ModelDownloadUserInfoKey.remoteModel.rawValue == "MLKModelDownloadUserInfoKeyRemoteModel")
        #expect(ModelDownloadUserInfoKey.error.rawValue == "MLKModelDownloadUserInfoKeyError")
    }

    @Test("success is told once to each family, with the very model, when the file is in place")
    func success() async throws {
        let progress = manager.download(model, conditions: ModelDownloadConditions(allowsBackgroundDownloading: true))
        let events = await observer.next(2)
        #expect(events.map(\.name) == [.firebaseMLModelDownloadDidSucceed, .mlkitModelDownloadDidSucceed])
        #expect(events.allSatisfy { $0.model == ObjectIdentifier(model) && $0.error == nil && $0.isDownloaded })
        #expect(counts(progress) == [200_000, 200_000])
        #expect(progress.isFinished)
        #expect(try await manager.getLatestModelFilePath(model) == device.get(name, .localModel).path)
    }

    @Test("a current copy is a success without a transfer, and a newer one an update")
    func current() async throws {
        manager.download(model)
        _ = await observer.next(2)
        let progress = manager.download(model)
        #expect(await observer.next(2).map(\.error) == [nil, nil])
        #expect(device.host.requestCount(.file) == 1)
        #expect(counts(progress) == [200_000, 200_000])
        device.host.publish(Sample.v3, as: name)
        manager.download(model)
        _ = await observer.next(2)
        #expect(try await contents() == Data(Sample.v3))
    }

    @Test("a failure is told once to each family, as an NSError")
    func failure() async throws {
        device.host.withdraw(name)
        let progress = manager.download(model)
        let events = await observer.next(2)
        #expect(events.map(\.name) == [.firebaseMLModelDownloadDidFail, .mlkitModelDownloadDidFail])
        #expect(events.allSatisfy { $0.model == ObjectIdentifier(model) && !$0.isDownloaded })
        let error = try #require(events.first?.error)
        #expect(error.domain == "com.google.mlkit")
        #expect(error.localizedDescription.hasPrefix("Failed to download the model from the server. "))
        #expect(!progress.isFinished)
    }

    @Test("progress that ends early stays where it was, and the model before is still there")
    func broken() async throws {
        device.host.publish(Sample.v1, as: name)
        manager.download(model)
        _ = await observer.next(2)
        device.host.publish(Sample.v2, as: name)
        device.host.fail(.file, with: .status(404), times: nil)
        let progress = manager.download(model)
        let events = await observer.next(2)
        #expect(events.allSatisfy { $0.error != nil && $0.isDownloaded })
        #expect(!progress.isFinished)
        #expect(try await contents() == Data(Sample.v1))
    }

    @Test("calls that overlap share one transfer, and each is told with its own model")
    func joined() async {
        let held = device.host.hold(.file)
        let other = CustomRemoteModel(name: name)
        manager.download(model)
        await held.waitUntilReached()
        let progress = manager.download(other)
        held.release()
        let events = await observer.next(4)
        #expect(Set(events.map(\.model)) == [ObjectIdentifier(model), ObjectIdentifier(other)])
        #expect(events.allSatisfy { $0.error == nil })
        #expect(device.host.requestCount(.file) == 1)
        #expect(counts(progress) == [200_000, 200_000])
    }

    @Test("the model counts as downloaded during an update, but not during the first download")
    func isDownloaded() async {
        var held = device.host.hold(.file)
        #expect(!manager.isModelDownloaded(model))
        manager.download(model)
        await held.waitUntilReached()
        #expect(!manager.isModelDownloaded(model))
        held.release()
        _ = await observer.next(2)
        #expect(manager.isModelDownloaded(model))
        device.host.publish(Sample.v3, as: name)
        held = device.host.hold(.file)
        manager.download(model)
        await held.waitUntilReached()
        #expect(manager.isModelDownloaded(model))
        held.release()
        _ = await observer.next(2)
    }

    @Test("cancelling the progress ends that call alone")
    func cancelled() async {
        let held = device.host.hold(.file, afterBytes: 1000)
        let other = CustomRemoteModel(name: name)
        let progress = manager.download(model)
        manager.download(other)
        await held.waitUntilReached()
        progress.cancel()
        let failed = await observer.next(2)
        #expect(failed.allSatisfy { $0.model == ObjectIdentifier(model) && $0.error?.code == 1 })
        #expect(progress.isCancelled && !progress.isFinished)
        held.release()
        let succeeded = await observer.next(2)
        #expect(succeeded.allSatisfy { $0.model == ObjectIdentifier(other) && $0.error == nil })
    }

    @Test("a model without a name is a failure, never a crash")
    func emptyName() async {
        let nameless = CustomRemoteModel(name: "")
        let device = try? TestDevice()
        guard let device else { return }
        let manager = ModelManager.modelManager(app: device.app)
        let observer = ManagerObserver("", on: device)
        manager.download(nameless)
        #expect(await observer.next(2).map(\.error?.code) == [3, 3])
        #expect(!manager.isModelDownloaded(nameless))
        await #expect(throws: NSError.self) { try await manager.getLatestModelFilePath(CustomRemoteModel(name: "")) }
        await #expect(throws: NSError.self) { try await manager.deleteDownloadedModel(CustomRemoteModel(name: "")) }
    }
}
