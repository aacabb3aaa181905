import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("A device follows its server's releases", .limitedTime)
struct ReleaseChangeTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        host.publish(Sample.v1, as: "digits")
    }

    @Test("Update, rollback and update again; the version number is the server's")
    func rollback() async throws {
        let first = try await device.get()
        host.publish(Sample.v2, as: "digits")
        let second = try await device.get()
        #expect([first.version, second.version] == [1, 2])
        host.rollBack("digits")
        let back = try await device.get()
        #expect(back == first)
        #expect(back.contents == Sample.v1)
        #expect(try device.downloader.installedModel(name: "digits") == first)
        host.publish(Sample.v2, as: "digits")
        let again = try await device.get()
        #expect(again.contents == Sample.v2 && again.version == 3)
        #expect(host.requestCount(.file) == 2, "each version was fetched once: both are still here")
    }

    @Test("A rollback transfers no file: it needs neither space nor the host of the links")
    func rollbackWithoutTransfer() async throws {
        let first = try await device.get()
        host.publish(Sample.v2, as: "digits")
        _ = try await device.get()
        host.rollBack("digits")
        host.fail(.file, with: .offline, times: nil)
        device.downloader.settings.storeQuotaBytes = 1
        #expect(try await device.get() == first)
    }

    @Test("A damaged version before the installed one is downloaded again for a rollback")
    func damagedPrevious() async throws {
        let first = try await device.get()
        host.publish(Sample.v2, as: "digits")
        _ = try await device.get()
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: first.path))
        host.rollBack("digits")
        #expect(try await device.get().contents == Sample.v1)
        #expect(host.requestCount(.file) == 3)
    }

    @Test("A rollback from a damaged version: the damaged file is not kept as the version before")
    func backFromDamaged() async throws {
        _ = try await device.get()
        host.publish(Sample.v2, as: "digits")
        let second = try await device.get()
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: second.path))
        host.rollBack("digits")
        #expect(try await device.get().contents == Sample.v1)
        host.publish(Sample.v2, as: "digits")
        #expect(try await device.get().contents == Sample.v2)
        #expect(host.requestCount(.file) == 3)
    }

    @Test("The app's load check may reject the version before: the installed one stays")
    func refusedPrevious() async throws {
        _ = try await device.get()
        host.publish(Sample.v2, as: "digits")
        let second = try await device.get()
        device.downloader.settings.loadCheck = { _ in throw Refusal() }
        host.rollBack("digits")
        #expect(await device.error() != nil)
        #expect(try device.downloader.installedModel(name: "digits") == second)
        #expect(try await device.get() == second, "it is not tried again")
    }

    @Test("A device that leaves the audience gets the fallback release, and its own again when it is back")
    func audience() async throws {
        host.publish(Sample.v2, as: "digits") { $0.tags.contains("beta") }
        #expect(try await device.get().version == 1)
        try device.app.deviceDescription.setTags(["beta"])
        #expect(try await device.get().version == 2)
        try device.app.deviceDescription.setTags([])
        let out = try await device.get()
        #expect(out.contents == Sample.v1 && out.version == 1)
        try device.app.deviceDescription.setTags(["beta"])
        #expect(try await device.get().contents == Sample.v2)
    }

    @Test(
        "Without a release for this device, the model stays and works, and a request for the newest version reports it"
    )
    func noRelease() async throws {
        let installed = try await device.get()
        host.rollBack("digits")
        #expect(await device.error() == .notFound)
        #expect(try await device.get("digits", .localModel) == installed)
        #expect(try await device.get("digits", .localModelUpdateInBackground) == installed)
        #expect(await device.failure()?.code == .notFound)
        #expect(installed.contents == Sample.v1)
        let state = device.downloader.state(ofModel: "digits")
        guard case .failed(let failure, installed: installed) = state else {
            Issue.record("\(state)")
            return
        }
        #expect(failure.code == .notFound && !failure.isTemporary)
        host.publish(Sample.v2, as: "digits")
        #expect(try await device.get().contents == Sample.v2)
    }

    @Test("The same bytes under a new number: no transfer, and the new number stays after a restart")
    func renumbered() async throws {
        let first = try await device.get()
        host.publish(Sample.v1, as: "digits")
        let second = try await device.get()
        #expect(second.version == 2)
        #expect(second.path == first.path)
        #expect(host.requestCount(.file) == 1)
        #expect(try device.downloader.installedModel(name: "digits") == second)
        #expect(try device.downloader.installedCopies().map(\.model.version) == [2])
    }

    @Test("A disk that cannot store the new number does no harm")
    func renumberedOnReadOnlyDisk() async throws {
        _ = try await device.get()
        host.publish(Sample.v1, as: "digits")
        device.disk.fail(with: .readOnly)
        #expect(try await device.get().version == 2)
    }

    @Test("A version that did not work here is not used again after a rollback of the server")
    func backToUnusable() async throws {
        device.downloader.settings.loadCheck = { path in
            if FileManager.default.contents(atPath: path).map(Array.init) == Sample.v2 { throw Refusal() }
        }
        let first = try await device.get()
        host.publish(Sample.v2, as: "digits")
        #expect(await device.error() != nil)
        host.publish(Sample.v3, as: "digits")
        let third = try await device.get()
        host.rollBack("digits")
        let requests = host.requestCount(.file)
        #expect(try await device.get() == third)
        #expect(host.requestCount(.file) == requests)
        host.rollBack("digits")
        #expect(try await device.get().contents == first.contents)
    }

    private struct Refusal: Error {}
}
