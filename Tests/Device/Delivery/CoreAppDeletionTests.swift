import HearthApp
import HearthDeliveryTesting
import HearthModelSource
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("Deleting an app that fetches models", .limitedTime)
struct CoreAppDeletionTests {
    private let device: TestDevice

    init() throws {
        device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
    }

    private func isDeleted(_ error: DownloadError?) -> Bool {
        if case .internalError(let text) = error { text.contains("was deleted") } else { false }
    }

    @Test("who waits is told at once, and so is everybody who comes later")
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

    @Test("the app that takes its name has objects of its own, and the models that were fetched before")
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

    @Test("neither the core nor the downloader outlives the app")
    func memory() async throws {
        var other: TestDevice? = try TestDevice(host: device.host)
        weak let downloader = other?.downloader
        weak let core = other.map { DeliveryCore.core(of: $0.app) }
        #expect(downloader != nil && core != nil)
        _ = try await other?.get()
        let refresh = other?.downloader.keepUpdated(name: "digits", every: 3600)
        await other?.app.delete()
        #expect(downloader == nil)
        #expect(core == nil, "a refresh does not keep it")
        other = nil
        withExtendedLifetime(refresh) {}
    }

    @Test("objects that are asked for after the deletion fail, and are not kept")
    func late() async throws {
        await device.app.delete()
        let one = ModelDownloader.modelDownloader(app: device.app)
        #expect(one !== ModelDownloader.modelDownloader(app: device.app))
        #expect(isDeleted(await device.error()))
    }
}
