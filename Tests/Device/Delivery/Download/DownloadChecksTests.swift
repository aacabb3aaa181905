import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthFiles
import HearthTestSupport
import HearthTransport
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("Checks of a download on the device")
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

    @Test("A version that does not load is rejected: reported once, and the version before it stays")
    func reject() async throws {
        let old = try await device.fetch(settings: settings).get()
        host.publish(Sample.v2, as: "digits")
        let failure = await device.failure(settings: settings)
        #expect(failure?.code == .unusable)
        #expect(failure?.message.contains("(no such operator)") == true)
        #expect(failure?.cause is Refusal, "the app finds its own error again")
        #expect(try device.installed("digits") == old)
        #expect(try await device.fetch(settings: settings).get() == old, "later calls get the version that works")
        #expect(host.requestCount(.file) == 2, "and do not download it again")
        host.publish(Sample.v3, as: "digits")
        #expect(try await device.fetch(settings: settings).get().contents == Sample.v3)
        host.publish(Sample.v1, as: "digits")
        #expect(try await device.fetch(settings: settings).get().contents == Sample.v1)
    }

    /// What each question for the newest version said about versions that the device does not install.
    private var obstacles: [String?] {
        host.requests(.info).map { $0.headers.first { $0.0 == "x-hearth-cannot-install" }?.1 }
    }

    @Test("The server hears which versions the device rejected, and never that it waits because of them")
    func saysRejected() async throws {
        _ = try await device.fetch(settings: settings).get()
        host.publish(Sample.v2, as: "digits")
        _ = await device.failure(settings: settings)
        _ = try await device.fetch(settings: settings).get()
        #expect(obstacles == [nil, nil, "rejected=\(Sample.hash(Sample.v2).prefix(16))"])
        #expect(!host.requests(.info).contains { $0.headers.contains { $0.0 == "x-hearth-waits-for" } })
    }

    @Test("The server hears for which version there is no room, until it is installed")
    func saysWithoutRoom() async throws {
        _ = try await device.fetch().get()
        host.publish(Sample.v2, as: "digits")
        var tight = DeliverySettings()
        tight.storeQuotaBytes = 1000
        #expect(await device.failure(settings: tight)?.code == .noSpace)
        _ = try await device.fetch().get()
        _ = try await device.fetch().get()
        #expect(obstacles == [nil, nil, "storage=\(Sample.hash(Sample.v2).prefix(16))", nil])
    }

    @Test("Without a version before it, every call says why, and the model is not downloaded again")
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

    @Test("A damaged file does not hide the whole version before it, which a rejected update returns")
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
        #expect(host.requestCount(.file) == 3, "no file is downloaded again")
    }

    @Test("A rejection that cannot be stored is still reported, and the bytes are not downloaded again")
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
        #expect(try await device.fetch().get().contents == Sample.v3, "a newer version is downloaded")
    }

    @Test("The quota of the app's settings applies, and can be raised")
    func quota() async throws {
        _ = try await device.get()
        host.publish(Sample.v2, as: "digits")
        device.downloader.settings.storeQuotaBytes = 200_000
        #expect(await device.error() == .notEnoughSpace)
        #expect(host.requestCount(.file) == 1)
        device.downloader.settings.storeQuotaBytes = 201_000
        #expect(try await device.get().contents == Sample.v2)
    }

    @Test("A store that cannot be created on a full disk reports missing space")
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

    @Test("The load check gets a whole, verified file, while the old one is still installed")
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
        #expect(seen.withLock { $0.bytes } == nil, "the check never gets wrong bytes")
    }

    @Test("On a metered connection that is not allowed, the server is called, but the file is not downloaded")
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
        #expect(try unchanged.get() == model, "a check without a newer version costs little")
        let waits = host.requests(.info).map { $0.headers.contains { $0.0 == "x-hearth-waits-for" } }
        #expect(waits == [true, false, true], "the server hears that the device waits")
    }

    @Test("A connection that becomes metered between two attempts ends the download")
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
