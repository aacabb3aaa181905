import Foundation
import HearthDelivery
import HearthDeliveryTesting
import HearthTestSupport
import HearthTransport
import Testing

@Suite("Faults, as an app meets them", .limitedTime)
struct HostFaultTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        host.publish(Sample.old, as: "digits")
    }

    /// The update fails while the fault lasts, the old version stays, and the next try works.
    private func checkFails(_ kind: ModelHost.RequestKind, _ fault: HostFault) async throws {
        let old = try await device.get()
        host.publish(Sample.new, as: "digits")
        host.fail(kind, with: fault, times: nil)
        #expect(await device.fails())
        #expect(try await device.get("digits", .localModel) == old)
        #expect(old.contents == Sample.old)
        host.endFaults()
        #expect(try await device.get().contents == Sample.new)
    }

    static let everywhere: [HostFault] = [
        .offline, .nameNotFound, .notSecure, .timeout, .disconnect(afterBytes: 10), .stall(afterBytes: 0), .status(404),
        .status(503, retryAfterSeconds: 1), .redirect(to: "https://elsewhere.example/"), .nonsense, .endless,
        .expiredLink, .wrongHash, .wrongLength,
    ]

    @Test("a file that does not come, or not as it was published", arguments: everywhere)
    func file(fault: HostFault) async throws { try await checkFails(.file, fault) }

    @Test("a file that is another one", arguments: [HostFault.alterByte(at: 19_999), .truncate(to: 19_999)])
    func otherFile(fault: HostFault) async throws { try await checkFails(.file, fault) }

    @Test("no facts about the model, or wrong ones", arguments: everywhere)
    func info(fault: HostFault) async throws { try await checkFails(.info, fault) }

    @Test(
        "no installation",
        arguments: [HostFault.offline, .status(500), .nonsense, .disconnect(afterBytes: 5)])
    func installation(fault: HostFault) async throws {
        host.fail(.installation, with: fault, times: nil)
        #expect(await device.fails())
        #expect(host.requestCount(.info) == 0)
        host.endFaults()
        // A device that was refused waits before it asks again.
        host.clock.advance(bySeconds: 3600)
        #expect(try await device.get().contents == Sample.old)
    }

    @Test("a slow answer arrives, later")
    func slow() async throws {
        let start = host.clock.secondsSince1970
        host.publish(Sample.new, as: "digits")
        host.fail(.file, with: .slow(bytesPerSecond: 1000))
        #expect(try await device.get().contents == Sample.new)
        #expect(abs(host.clock.secondsSince1970 - start - 20) < 0.01)
    }

    @Test("offline with a model, and back again")
    func offline() async throws {
        let old = try await device.get()
        host.publish(Sample.new, as: "digits")
        host.goOffline()
        #expect(try await device.get("digits", .localModelUpdateInBackground) == old)
        #expect(await device.fails())
        host.endFaults()
        #expect(try await device.get().contents == Sample.new)
    }

    @Test("a server that lost its data: the device registers again by itself")
    func forgottenInstallations() async throws {
        _ = try await device.get()
        host.forgetInstallations()
        host.publish(Sample.new, as: "digits")
        #expect(try await device.get().contents == Sample.new)
    }

    @Test("a device whose clock is a year ahead, or behind, still gets its model", arguments: [-1.0, 1.0])
    func wrongClock(years: Double) async throws {
        let clock = FakeClock(secondsSince1970: host.clock.secondsSince1970 + years * 31_557_600)
        let device = try TestDevice(host: host, clock: clock)
        #expect(try await device.get().contents == Sample.old)
    }
}
