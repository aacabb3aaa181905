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

    @Test("forward, back, and forward again; the number is the server's")
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

    @Test("going back asks for no file: it needs neither room nor the host of the links")
    func rollbackWithoutTransfer() async throws {
        let first = try await device.get()
        host.publish(Sample.v2, as: "digits")
        _ = try await device.get()
        host.rollBack("digits")
        host.fail(.file, with: .offline, times: nil)
        device.downloader.settings.storeQuotaBytes = 1
        #expect(try await device.get() == first)
    }

    @Test("a version before that was damaged meanwhile is fetched again")
    func damagedPrevious() async throws {
        let first = try await device.get()
        host.publish(Sample.v2, as: "digits")
        _ = try await device.get()
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: first.path))
        host.rollBack("digits")
        #expect(try await device.get().contents == Sample.v1)
        #expect(host.requestCount(.file) == 3)
    }

    @Test("back from a damaged version: the damaged file is not kept as the one before")
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

    @Test("the app's own check may refuse the version before: the installed one stays")
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

    @Test("a device that falls out of the audience gets what the others have, and its own again when it is back in")
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

    @Test("no release for this device any more: the model stays and works, and who asks for the newest is told")
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

    @Test("the same bytes under a new number: nothing is fetched, and the number is the new one, after a restart too")
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

    @Test("a disk that does not take the new number is no harm")
    func renumberedOnReadOnlyDisk() async throws {
        _ = try await device.get()
        host.publish(Sample.v1, as: "digits")
        device.disk.fail(with: .readOnly)
        #expect(try await device.get().version == 2)
    }

    @Test("a version that did not work here is not taken again when the server goes back to it")
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
