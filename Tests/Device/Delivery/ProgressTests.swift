import Dispatch
import HearthApp
import HearthDeliveryTesting
import HearthModelSource
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("Completions and progress")
struct ProgressTests {
    private let device: TestDevice
    private let key = DispatchSpecificKey<Bool>()

    init() throws {
        device = try TestDevice()
        device.host.publish(Sample.v2, as: "digits")
        device.app.callbackQueue.setSpecific(key: key, value: true)
    }

    /// Gets the model the old way; returns the result and the progress, checked to come on the callback queue.
    private func get(_ type: ModelDownloadType) async -> (Result<CustomModel, DownloadError>, [Float]) {
        // Safe: only touched on the serial callback queue.
        nonisolated(unsafe) var progress: [Float] = []
        return await withCheckedContinuation { continuation in
            device.downloader.getModel(
                name: "digits", downloadType: type, conditions: ModelDownloadConditions(),
                progressHandler: { value in
                    #expect(DispatchQueue.getSpecific(key: key) == true)
                    progress.append(value)
                },
                completion: { result in
                    #expect(DispatchQueue.getSpecific(key: key) == true)
                    continuation.resume(returning: (result, progress))
                })
        }
    }

    @Test("progress rises from 0 to 1, about a hundred steps at most, all before the completion")
    func progress() async throws {
        let (result, progress) = await get(.latestModel)
        #expect(try result.get().contents == Sample.v2)
        #expect(progress.count > 10 && progress.count <= 102)
        #expect(progress == progress.sorted())
        #expect(Set(progress).count == progress.count)
        #expect(progress.allSatisfy { (0...1).contains($0) })
        #expect(progress.last == 1)
    }

    @Test("one call at a time and in order, even on a concurrent queue")
    func concurrentQueue() async throws {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        queue.setSpecific(key: key, value: true)
        device.app.callbackQueue = queue
        #expect(device.app.callbackQueue === queue)
        for _ in 0..<5 {
            let (result, progress) = await get(.latestModel)
            #expect(try result.get().contents == Sample.v2)
            #expect(progress == progress.sorted())
            #expect(progress.last == 1)
            try await device.downloader.deleteDownloadedModel(name: "digits")
        }
    }

    @Test("no progress when the installed one is used", arguments: [ModelDownloadType.localModel, .latestModel])
    func noProgress(type: ModelDownloadType) async throws {
        _ = try await device.get()
        let (result, progress) = await get(type)
        #expect(try result.get().contents == Sample.v2)
        #expect(progress.isEmpty)
    }

    @Test("an error ends the progress where it was")
    func failure() async {
        device.host.fail(.file, with: .disconnect(afterBytes: 100_000))
        device.host.fail(.file, with: .status(404))
        let (result, progress) = await get(.latestModel)
        #expect(result == .failure(.notFound))
        #expect((progress.last ?? 0) > 0.4 && (progress.last ?? 1) < 0.6)
    }

    @Test("who joins a transfer sees its progress too", .limitedTime)
    func joined() async {
        let gate = Gate()
        device.host.on(.file) { _, _ in gate.waitUntilOpen() }
        async let one = get(.latestModel)
        async let two = get(.latestModel)
        gate.open()
        let progress = await [one.1, two.1]
        // The second may have come after the transfer, and then found the model installed.
        #expect(progress.contains { $0.last == 1 })
    }

    @Test("the empty name fails before anything else, on the queue too")
    func emptyName() async {
        let result: Result<CustomModel, DownloadError> = await withCheckedContinuation { continuation in
            device.downloader.getModel(
                name: "", downloadType: .localModel, conditions: ModelDownloadConditions()
            ) { result in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                continuation.resume(returning: result)
            }
        }
        #expect(result == .failure(.emptyModelName))
        #expect(device.host.requests(.info).isEmpty)
    }

    @Test("list and delete call back on the queue")
    func listAndDelete() async throws {
        _ = try await device.get()
        let names: [String] = await withCheckedContinuation { continuation in
            device.downloader.listDownloadedModels { result in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                continuation.resume(returning: ((try? result.get()) ?? []).map(\.name))
            }
        }
        #expect(names == ["digits"])
        let isDeleted: Bool = await withCheckedContinuation { continuation in
            device.downloader.deleteDownloadedModel(name: "digits") { result in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                continuation.resume(returning: (try? result.get()) != nil)
            }
        }
        #expect(isDeleted)
    }

    @Test("one downloader per app; another app of the same name has another")
    func identity() async {
        #expect(ModelDownloader.modelDownloader(app: device.app) === device.downloader)
    }
}
