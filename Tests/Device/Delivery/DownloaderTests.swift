import Dispatch
import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthModelSource
import HearthTestSupport
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

    @Test("the guide's call, as it stands there")
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

    @Test("many calls of every kind at once: each is answered once, on the queue, and one file is fetched")
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

    @Test("settings are the app's, whichever object they are set on")
    func settings() throws {
        device.downloader.settings.attemptLimit = 2
        #expect(ModelDownloader.modelDownloader(app: device.app).settings.attemptLimit == 2)
        #expect(DeliveryCore.core(of: device.app).settings.attemptLimit == 2)
        let other = try TestDevice()
        #expect(other.downloader.settings.attemptLimit == DeliverySettings().attemptLimit)
    }

    @Test("the list leaves out what is no model, and never fails for it")
    func list() async throws {
        let model = try await device.get()
        for file in ["models/strange.json", "models/other", "files/something", "files/incoming-3w5e11264sgs", "stray"] {
            try Data("not json".utf8).write(to: URL(fileURLWithPath: device.path(file)))
        }
        #expect(try await device.downloader.listDownloadedModels() == [model])
    }

    @Test("for people: what is damaged is listed as such, with a version before it or without")
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

    @Test("for threads that wait: the model with its bytes, or the error")
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
