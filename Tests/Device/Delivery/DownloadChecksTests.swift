import Foundation
import HearthDeliveryTesting
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
    func putAside() async throws {
        let old = try await device.fetch(settings: settings).get()
        host.publish(Sample.v2, as: "digits")
        let failure = await device.failure(settings: settings)
        #expect(failure?.code == .unusable)
        #expect(failure?.message.contains("(no such operator)") == true)
        #expect(try device.fetcher().installed("digits") == old)
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
        #expect(try device.fetcher().installed("digits") == nil)
    }

    @Test("the check sees a whole, verified file, and the old one is still installed then")
    func checkSeesVerifiedFile() async throws {
        let old = try await device.fetch().get()
        host.publish(Sample.v2, as: "digits")
        var settings = DeliverySettings()
        let seen = Mutex<(bytes: [UInt8]?, installed: CustomModel?)>((nil, nil))
        settings.loadCheck = { [device] path in
            let installed = try device.fetcher().installed("digits")
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
