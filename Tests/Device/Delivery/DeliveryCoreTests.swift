import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthModelSource
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("Cancelling and deleting", .limitedTime)
struct DeliveryCoreTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        host.publish(Sample.v2, as: "digits")
    }

    @Test("A cancelled task ends immediately; other callers that wait for the same model get it")
    func cancelledTask() async throws {
        let request = host.hold(.file)
        let impatient = Task { [device] in try await device.get() }
        async let patient = device.get()
        await request.waitUntilReached()
        impatient.cancel()
        await #expect(throws: CancellationError.self) { try await impatient.value }
        request.release()
        #expect(try await patient.contents == Sample.v2)
    }

    @Test("A task that was cancelled before its call sends no request")
    func cancelledBefore() async {
        let task = Task { [device] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await device.get()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(host.requestCount(.info) == 0)
    }

    @Test("Deleting a model ends its download, and nothing of it is installed afterwards")
    func deleteDuringDownload() async throws {
        let old = try await device.get()
        host.publish(Sample.v1, as: "digits")
        let request = host.hold(.file)
        async let error = device.error()
        await request.waitUntilReached()
        let downloader = device.downloader
        let deletion = Task { try await downloader.deleteDownloadedModel(name: "digits") }
        guard case .internalError(let text) = await error else {
            Issue.record("not cancelled")
            return
        }
        #expect(text == "The download of 'digits' was cancelled.")
        request.release()
        try await deletion.value
        #expect(try downloader.installedModel(name: "digits") == nil)
        #expect(downloader.state(ofModel: "digits") == .absent)
        #expect(device.collects(old))
    }

    @Test("A deleted model stays readable for a program that has opened it")
    func openFile() async throws {
        let model = try await device.get()
        let file = try #require(FileHandle(forReadingAtPath: model.path))
        try await device.downloader.deleteDownloadedModel(name: "digits")
        #expect(device.collects(model))
        #expect(try file.readToEnd().map(Array.init) == Sample.v2)
    }

    @Test("Deleting a missing model is reported")
    func deleteNothing() async {
        await #expect {
            try await device.downloader.deleteDownloadedModel(name: "digits")
        } throws: { error in
            if case .notFound = error as? DownloadedModelError { true } else { false }
        }
    }

    @Test("Only the installed copy can be rejected")
    func putAsideOther() async throws {
        let model = try await device.get()
        let core = DeliveryCore.core(of: device.app)
        #expect(core.reject(path: model.path + "x", of: "digits", reason: "no") == nil)
        #expect(core.reject(path: model.path, of: "other", reason: "no") == nil)
        #expect(core.reject(path: "", of: "", reason: "no") == nil)
        #expect(device.downloader.state(ofModel: "digits") == .ready(model))
    }

    @Test("A quick check sees whether a record and a file exist")
    func isInstalled() async throws {
        let core = DeliveryCore.core(of: device.app)
        #expect(!core.isInstalled("digits"))
        #expect(!core.isInstalled(""))
        let model = try await device.get()
        #expect(core.isInstalled("digits"))
        try FileManager.default.removeItem(atPath: model.path)
        #expect(!core.isInstalled("digits"))
    }
}

@Suite("Deleting an app that downloads models", .limitedTime)
struct AppDeletionTests {
    private let device: TestDevice

    init() throws {
        device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
    }

    private func isDeleted(_ error: DownloadError?) -> Bool {
        if case .internalError(let text) = error { text.contains("was deleted") } else { false }
    }

    @Test("Present and later callers get the failure immediately")
    func waiting() async throws {
        let downloader = device.downloader
        let request = device.host.hold(.file)
        async let waiting = device.error()
        await request.waitUntilReached()
        await device.app.delete()
        #expect(isDeleted(await waiting))
        request.release()
        #expect(isDeleted(await device.error()))
        #expect(isDeleted(await device.error("digits", .localModel)))
        #expect(throws: DownloadError.self) { try downloader.installedModel(name: "digits") }
        await #expect(throws: DownloadedModelError.self) { try await downloader.listDownloadedModels() }
        await #expect(throws: DownloadedModelError.self) {
            try await downloader.deleteDownloadedModel(name: "digits")
        }
        guard case .failed(let failure, nil) = downloader.state(ofModel: "digits") else {
            Issue.record("no failure")
            return
        }
        #expect(failure.code == .appDeleted)
    }

    @Test("A new app of the same name has its own objects, and the models from before")
    func successor() async throws {
        let old = device.downloader
        let model = try await device.get()
        // The same name and the same store: as after a restart, the first app is deleted.
        let next = try TestDevice(host: device.host, name: device.app.name, sharingStoreOf: device)
        #expect(FirebaseApp.app(name: device.app.name) === next.app)
        #expect(next.downloader !== old)
        #expect(try next.downloader.installedModel(name: "digits") == model)
        #expect(isDeleted(await device.error()))
        #expect(try await next.get() == model)
    }

    @Test("Neither the core nor the downloader outlives the app")
    func memory() async throws {
        var other: TestDevice? = try TestDevice(host: device.host)
        weak let downloader = other?.downloader
        weak let core = other.map { DeliveryCore.core(of: $0.app) }
        #expect(downloader != nil && core != nil)
        _ = try await other?.get()
        let refresh = other?.downloader.keepUpdated(name: "digits", every: 3600)
        await other?.app.delete()
        #expect(downloader == nil)
        #expect(core == nil, "a refresh does not keep it alive")
        other = nil
        withExtendedLifetime(refresh) {}
    }

    @Test("Objects of a deleted app fail, and are not kept")
    func late() async throws {
        await device.app.delete()
        let one = ModelDownloader.modelDownloader(app: device.app)
        #expect(one !== ModelDownloader.modelDownloader(app: device.app))
        #expect(isDeleted(await device.error()))
    }
}
