import Dispatch
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

    /// Read as by an app: on the queue on which it changes.
    private func counts(_ progress: Progress) -> [Int64] {
        device.app.callbackQueue.sync { [progress.completedUnitCount, progress.totalUnitCount] }
    }

    private func contents() async throws -> Data? {
        FileManager.default.contents(atPath: try await manager.getLatestModelFilePath(model))
    }

    @Test("The names of the notifications are the original's")
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

    @Test("A success is posted once per family of notifications, with the app's own object, when the file is installed")
    func success() async throws {
        let progress = manager.download(model, conditions: ModelDownloadConditions(allowsBackgroundDownloading: true))
        let events = await observer.next(2)
        #expect(events.map(\.name) == [.firebaseMLModelDownloadDidSucceed, .mlkitModelDownloadDidSucceed])
        #expect(events.allSatisfy { $0.model == ObjectIdentifier(model) && $0.error == nil && $0.isDownloaded })
        #expect(counts(progress) == [200_000, 200_000])
        #expect(progress.isFinished)
        #expect(try await manager.getLatestModelFilePath(model) == device.get(name, .localModel).path)
    }

    @Test("A current copy is a success without a transfer, a newer version an update")
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

    @Test("A failure is posted once per family of notifications, as an NSError")
    func failure() async throws {
        device.host.unpublish(name)
        let progress = manager.download(model)
        let events = await observer.next(2)
        #expect(events.map(\.name) == [.firebaseMLModelDownloadDidFail, .mlkitModelDownloadDidFail])
        #expect(events.allSatisfy { $0.model == ObjectIdentifier(model) && !$0.isDownloaded })
        let error = try #require(events.first?.error)
        #expect(error.domain == "com.google.mlkit")
        #expect(error.localizedDescription.hasPrefix("Failed to download the model from the server. "))
        #expect(!progress.isFinished)
    }

    @Test("Progress that ends early stays where it was, and the model from before is still there")
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

    @Test("Overlapping calls share one download, and each gets a notification with its own model")
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

    @Test("The model counts as downloaded during an update, but not during the first download")
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

    @Test("Cancelling the progress ends that call alone")
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

    @Test("A model without a name is a failure, never a crash")
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

@Suite("Progress of one download")
struct ManagerProgressTests {
    private let queue = DispatchQueue(label: "progress")

    @Test("Progress has an unknown length until the first byte, then it is current on the queue")
    func counts() {
        let progress = DownloadProgress.makeProgress()
        #expect(progress.isIndeterminate && !progress.isFinished)
        #expect(progress.isCancellable && progress.kind == .file)
        let shown = DownloadProgress(progress, queue: queue)
        shown.update(completed: 50, total: 200)
        #expect(queue.sync { progress.fractionCompleted } == 0.25)
        shown.finish(byteCount: 200)
        #expect(queue.sync { progress.isFinished })
    }

    @Test("A queue that does not run is not filled; it gets the newest counts")
    func slowQueue() {
        let progress = DownloadProgress.makeProgress()
        let shown = DownloadProgress(progress, queue: queue)
        queue.suspend()
        for count in 1...1000 { shown.update(completed: UInt64(count), total: 1000) }
        #expect(progress.completedUnitCount == 0)
        queue.resume()
        #expect(queue.sync { progress.completedUnitCount } == 1000)
    }

    @Test("Counts above the range of a Progress do not trap")
    func huge() {
        let progress = DownloadProgress.makeProgress()
        DownloadProgress(progress, queue: queue).update(completed: .max, total: .max)
        #expect(queue.sync { progress.totalUnitCount } == .max)
    }

    @Test("An app that releases the progress does not keep it alive")
    func forgotten() {
        var progress: Progress? = DownloadProgress.makeProgress()
        weak let reference = progress
        let shown = progress.map { DownloadProgress($0, queue: queue) }
        progress = nil
        #expect(reference == nil)
        shown?.update(completed: 1, total: 2)
        queue.sync {}
    }
}

@Suite("Errors of the model manager")
struct ManagerErrorTests {
    private static let accidents: [(DownloadFailure.Code, Int)] = [
        (.cancelled, 1), (.invalidArgument, 3), (.notFound, 5), (.permissionDenied, 7), (.serverBusy, 8),
        (.tooLarge, 8),
        (.noSpace, 8), (.notConfigured, 9), (.conditionsNotMet, 9), (.unusable, 9), (.newerStore, 9),
        (.storeFailed, 13), (.storeRemoved, 13),
        (.notWritable, 13), (.truncated, 2), (.wrongHash, 2), (.cannotConnect, 2),
        (DownloadFailure.Code(rawValue: "new"), 2),
    ]

    @Test("Each failure has its canonical code; network failures have that of the original", arguments: accidents)
    func codes(code: DownloadFailure.Code, expected: Int) {
        let failure = DownloadFailure(code, "It went wrong.", error: .failedPrecondition)
        let error = ModelManagerError.download(failure)
        #expect(error.domain == "com.google.mlkit")
        #expect(error.code == expected)
        #expect(error.localizedDescription == "Failed to download the model from the server. It went wrong.")
        #expect(error.localizedFailureReason == "It went wrong.")
        #expect(error.userInfo[NSUnderlyingErrorKey] as? DownloadFailure == failure)
    }

    @Test("An empty name is an invalid argument")
    func emptyName() {
        let failure = DownloadFailure.emptyName
        #expect(ModelManagerError.download(failure).code == 3)
    }

    @Test("Existing code catches it as NSError")
    func caught() {
        func message() -> String {
            do {
                throw ModelManagerError.notDownloaded("digits")
            } catch let error as NSError {
                return error.localizedDescription
            }
        }
        #expect(message() == "The model 'digits' is not on this device. Download it first.")
    }
}
