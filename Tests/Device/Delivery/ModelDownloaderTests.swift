import Dispatch
import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthModelSource
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("The model downloader", .limitedTime)
struct DownloaderTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        host.publish(Sample.v1, as: "digits")
    }

    @Test("The guide's call works unchanged")
    func guide() async throws {
        let conditions = ModelDownloadConditions(allowsCellularAccess: false)
        let path = await withCheckedContinuation { continuation in
            device.downloader.getModel(
                name: "digits", downloadType: .localModelUpdateInBackground, conditions: conditions
            ) { result in
                switch result {
                case .success(let customModel): continuation.resume(returning: customModel.path)
                case .failure(let error):
                    print(error)
                    continuation.resume(returning: "")
                }
            }
        }
        #expect(FileManager.default.contents(atPath: path).map(Array.init) == Sample.v1)
    }

    @Test("Many calls of every kind at the same time: each gets one result on the queue, and one file is downloaded")
    func crowd() async throws {
        let types: [ModelDownloadType] = [.localModel, .localModelUpdateInBackground, .latestModel]
        let request = host.hold(.file)
        let models = await withTaskGroup { group in
            for number in 0..<60 {
                group.addTask { [device] in
                    await withCheckedContinuation { continuation in
                        device.downloader.getModel(
                            name: "digits", downloadType: types[number % 3], conditions: ModelDownloadConditions()
                        ) { continuation.resume(returning: try? $0.get()) }
                    }
                }
            }
            await request.waitUntilReached()
            request.release()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(models.count == 60)
        #expect(Set(models).count == 1 && models.first != .some(nil))
        #expect(host.requestCount(.file) == 1)
    }

    @Test("Settings belong to the app, through any of its objects")
    func settings() throws {
        device.downloader.settings.attemptLimit = 2
        #expect(ModelDownloader.modelDownloader(app: device.app).settings.attemptLimit == 2)
        #expect(DeliveryCore.core(of: device.app).settings.attemptLimit == 2)
        let other = try TestDevice()
        #expect(other.downloader.settings.attemptLimit == DeliverySettings().attemptLimit)
    }

    @Test("The list leaves out files that are not models, and never fails because of them")
    func list() async throws {
        let model = try await device.get()
        for file in ["models/strange.json", "models/other", "files/something", "files/incoming-3w5e11264sgs", "stray"] {
            try Data("not json".utf8).write(to: URL(fileURLWithPath: device.path(file)))
        }
        #expect(try await device.downloader.listDownloadedModels() == [model])
    }

    @Test("Damaged models are listed as such, with a version before them or without")
    func copies() async throws {
        let old = try await device.get()
        host.publish(Sample.v2, as: "digits")
        let new = try await device.get()
        host.publish(Sample.v3, as: "birds")
        let birds = try await device.get("birds")
        #expect(Set(try device.downloader.installedCopies().map(\.isDamaged)) == [false])
        try Data([1]).write(to: URL(fileURLWithPath: new.path))
        try FileManager.default.removeItem(atPath: birds.path)
        let copies = try device.downloader.installedCopies()
        #expect(Set(copies.map(\.model)) == [new, birds])
        #expect(copies.map(\.isDamaged) == [true, true])
        #expect(try device.downloader.installedModel(name: "digits") == old)
    }

    @Test("The blocking call returns the model with its bytes, or the error")
    func blocking() async throws {
        host.publish(Sample.v2, as: "digits")
        let downloader = device.downloader
        let (model, bytes) = await withCheckedContinuation { continuation in
            DispatchQueue(label: "command line").async {
                var bytes: [UInt64] = []
                let model = try? downloader.latestModel(name: "digits") { completed, _ in bytes.append(completed) }
                continuation.resume(returning: (model, bytes))
            }
        }
        #expect(model?.contents == Sample.v2)
        #expect(bytes.last == UInt64(Sample.v2.count))
        let error = await withCheckedContinuation { continuation in
            DispatchQueue(label: "command line").async {
                do throws(DownloadFailure) {
                    _ = try downloader.latestModel(name: "none") { _, _ in }
                    continuation.resume(returning: nil as DownloadFailure?)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
        #expect(error?.code == .notFound)
    }
}

@Suite("Completions and progress")
struct ProgressTests {
    private let device: TestDevice
    private let key = DispatchSpecificKey<Bool>()

    init() throws {
        device = try TestDevice()
        device.host.publish(Sample.v2, as: "digits")
        device.app.callbackQueue.setSpecific(key: key, value: true)
    }

    /// Gets the model with a completion; returns the result and the progress, and checks that both come on the callback
    /// queue.
    private func get(_ type: ModelDownloadType) async -> (Result<CustomModel, DownloadError>, [Float]) {
        // Safe: only the serial callback queue uses it.
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

    @Test("Progress rises from 0 to 1, about a hundred steps at most, all before the completion")
    func progress() async throws {
        let (result, progress) = await get(.latestModel)
        #expect(try result.get().contents == Sample.v2)
        #expect(progress.count > 10 && progress.count <= 102)
        #expect(progress == progress.sorted())
        #expect(Set(progress).count == progress.count)
        #expect(progress.allSatisfy { (0...1).contains($0) })
        #expect(progress.last == 1)
    }

    @Test("One call at a time and in order, even on a concurrent queue")
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

    @Test("No progress when the installed one is used", arguments: [ModelDownloadType.localModel, .latestModel])
    func noProgress(type: ModelDownloadType) async throws {
        _ = try await device.get()
        let (result, progress) = await get(type)
        #expect(try result.get().contents == Sample.v2)
        #expect(progress.isEmpty)
    }

    @Test("An error ends the progress where it was")
    func failure() async {
        device.host.fail(.file, with: .disconnect(afterBytes: 100_000))
        device.host.fail(.file, with: .status(404))
        let (result, progress) = await get(.latestModel)
        #expect(result == .failure(.notFound))
        #expect((progress.last ?? 0) > 0.4 && (progress.last ?? 1) < 0.6)
    }

    @Test("A caller that joins a download gets its progress too", .limitedTime)
    func joined() async {
        let gate = Latch()
        device.host.on(.file) { _, _ in gate.waitUntilOpen() }
        async let one = get(.latestModel)
        async let two = get(.latestModel)
        gate.open()
        let progress = await [one.1, two.1]
        // The second call may have come after the download, and then found the model installed.
        #expect(progress.contains { $0.last == 1 })
    }

    @Test("The empty name fails before anything else, on the queue too")
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

    @Test("List and delete call back on the queue")
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

    @Test("One downloader per app; another app of the same name has another")
    func identity() async {
        #expect(ModelDownloader.modelDownloader(app: device.app) === device.downloader)
    }
}
