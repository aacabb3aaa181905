import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthFiles
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("What a download must pass besides the server")
struct DownloadChecksTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    private struct Refusal: Error, CustomStringConvertible {
        let description = "no such\n operator"
    }

    private final class Connection: DeviceConditions {
        let isMetered = Mutex<Bool?>(nil)
        var isConnectionMetered: Bool? { isMetered.withLock { $0 } }
        var isOnExternalPower: Bool? { nil }
    }

    init() throws {
        device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
    }

    /// Refuses version 2.
    private var settings: DeliverySettings {
        var settings = DeliverySettings()
        settings.loadCheck = { path in
            if FileManager.default.contents(atPath: path).map(Array.init) == Sample.v2 { throw Refusal() }
        }
        return settings
    }

    @Test("a version that does not load here is put aside: told once, and the one before it stays")
    func reject() async throws {
        let old = try await device.fetch(settings: settings).get()
        host.publish(Sample.v2, as: "digits")
        let failure = await device.failure(settings: settings)
        #expect(failure?.code == .unusable)
        #expect(failure?.message.contains("(no such operator)") == true)
        #expect(try device.installed("digits") == old)
        #expect(try await device.fetch(settings: settings).get() == old, "later calls just get what works")
        #expect(host.requestCount(.file) == 2, "and do not fetch it again")
        host.publish(Sample.v3, as: "digits")
        #expect(try await device.fetch(settings: settings).get().contents == Sample.v3)
        host.publish(Sample.v1, as: "digits")
        #expect(try await device.fetch(settings: settings).get().contents == Sample.v1)
    }

    @Test("without a version before it, every call says why, and nothing is fetched again")
    func putAsideFirst() async throws {
        host.publish(Sample.v2, as: "digits")
        for _ in 0..<3 {
            let failure = await device.failure(settings: settings)
            #expect(failure?.code == .unusable)
            #expect(failure?.message.contains("(no such operator)") == true)
        }
        #expect(host.requestCount(.file) == 1)
        #expect(try device.installed("digits") == nil)
    }

    @Test("a damaged file does not hide the whole one before it: a version that is refused then gives that one")
    func putAsideOverDamaged() async throws {
        let old = try await device.fetch(settings: settings).get()
        host.publish(Sample.v3, as: "digits")
        let new = try await device.fetch(settings: settings).get()
        try Data(Sample.v1).write(to: URL(fileURLWithPath: new.path))
        host.publish(Sample.v2, as: "digits")
        let failure = await device.failure(settings: settings)
        #expect(failure?.code == .unusable)
        #expect(failure?.message.hasSuffix("The version before it is used instead.") == true)
        #expect(try await device.fetch(settings: settings).get() == old)
        #expect(host.requestCount(.file) == 3, "nothing is fetched again")
    }

    @Test("a refusal that cannot be remembered is still told, and its bytes are not fetched again")
    func putAsideOnBrokenDisk() async throws {
        host.publish(Sample.v2, as: "digits")
        var settings = DeliverySettings()
        settings.loadCheck = { [device] _ in
            device.disk.fail(with: .full(afterBytes: 0))
            throw Refusal()
        }
        for _ in 0..<2 {
            #expect(await device.failure(settings: settings)?.code == .unusable)
            device.disk.endFaults()
        }
        #expect(host.requestCount(.file) == 1)
        host.publish(Sample.v3, as: "digits")
        #expect(try await device.fetch().get().contents == Sample.v3, "a newer version is another matter")
    }

    @Test("the quota in the app's settings is kept to, and can be raised")
    func quota() async throws {
        _ = try await device.get()
        host.publish(Sample.v2, as: "digits")
        device.downloader.settings.storeQuotaBytes = 200_000
        #expect(await device.error() == .notEnoughSpace)
        #expect(host.requestCount(.file) == 1)
        device.downloader.settings.storeQuotaBytes = 201_000
        #expect(try await device.get().contents == Sample.v2)
    }

    @Test("a store that cannot be made on a full disk lacks space")
    func noStore() async throws {
        var environment = device.app.environment
        environment.files = FailingFiles { step in
            guard case .makeFolder(let path) = step else { return nil }
            return FileError(.noSpace, "Cannot make the folder \(path): the disk is full")
        }
        let app = FirebaseApp.configure(
            name: "full-\(UUID().uuidString)", options: device.app.options, environment: environment)
        await #expect(throws: DownloadError.notEnoughSpace) {
            try await ModelDownloader.modelDownloader(app: app).getModel(name: "digits", downloadType: .latestModel)
        }
        app.delete { _ in }
    }

    @Test("the check sees a whole, verified file, and the old one is still installed then")
    func checkSeesVerifiedFile() async throws {
        let old = try await device.fetch().get()
        host.publish(Sample.v2, as: "digits")
        var settings = DeliverySettings()
        let seen = Mutex<(bytes: [UInt8]?, installed: CustomModel?)>((nil, nil))
        settings.loadCheck = { [device] path in
            let installed = try device.installed("digits")
            seen.withLock { $0 = (FileManager.default.contents(atPath: path).map(Array.init), installed) }
        }
        #expect(try await device.fetch(settings: settings).get().contents == Sample.v2)
        #expect(seen.withLock { $0.bytes } == Sample.v2)
        #expect(seen.withLock { $0.installed } == old)
        host.publish(Sample.v3, as: "digits")
        host.fail(.file, with: .alterByte(at: 0))
        seen.withLock { $0.bytes = nil }
        #expect(await device.failure(settings: settings)?.code == .wrongHash)
        #expect(seen.withLock { $0.bytes } == nil, "nobody sees wrong bytes")
    }

    @Test("a metered connection that the caller does not allow: the server is asked, the file is not fetched")
    func metered() async throws {
        var settings = DeliverySettings()
        let connection = Connection()
        connection.isMetered.withLock { $0 = true }
        settings.deviceConditions = connection
        let result = await device.fetch(allowsCellularAccess: false, settings: settings)
        guard case .failure(let failure) = result else {
            Issue.record("it was fetched")
            return
        }
        #expect(failure.code == .conditionsNotMet && failure.error == .failedPrecondition)
        #expect(host.requestCount(.file) == 0)
        #expect(device.clock.waits.isEmpty)
        let model = try await device.fetch(settings: settings).get()
        let unchanged = await device.fetch(allowsCellularAccess: false, settings: settings)
        #expect(try unchanged.get() == model, "to find that nothing is new costs next to nothing")
    }

    @Test("a connection that becomes metered between two attempts ends it")
    func becomesMetered() async {
        var settings = DeliverySettings()
        let connection = Connection()
        settings.deviceConditions = connection
        host.fail(.file, with: .disconnect(afterBytes: 3))
        host.on(.file) { _, _ in connection.isMetered.withLock { $0 = true } }
        let result = await device.fetch(allowsCellularAccess: false, settings: settings)
        guard case .failure(let failure) = result else {
            Issue.record("it was fetched")
            return
        }
        #expect(failure.code == .conditionsNotMet)
        #expect(host.requestCount(.file) == 1)
    }
}
