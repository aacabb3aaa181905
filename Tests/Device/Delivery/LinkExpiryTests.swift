import HearthTransport
import HearthWire
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("Links that expire")
struct LinkExpiryTests {
    private let device: TestDevice

    init() throws {
        device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
    }

    /// The next `count` links are too old before they are used.
    private func expireLinks(_ count: Int) {
        let left = Mutex(count)
        device.host.on(.file) { [device] _, answer in
            let expires = left.withLock { left in
                left -= 1
                return left >= 0
            }
            guard expires else { return }
            device.wait(seconds: 3601)
            answer = .error(.invalidArgument, "the link has expired")
        }
    }

    @Test("a new link is asked for once, and the call succeeds")
    func renewed() async throws {
        expireLinks(1)
        #expect(try await device.get().contents == Sample.v1)
        #expect(device.host.requests(.info).count == 2)
        #expect(device.host.requests(.file).count == 2)
        #expect(device.host.requests(.file).first?.url != device.host.requests(.file).last?.url)
    }

    @Test("once per call: a later call in the same process has its own try")
    func renewedAgain() async throws {
        expireLinks(1)
        _ = try await device.get()
        device.host.endAccidents()
        device.host.publish(Sample.v2, as: "digits")
        expireLinks(1)
        #expect(try await device.get().contents == Sample.v2)
    }

    @Test("twice in one call is an error")
    func expiredTwice() async throws {
        expireLinks(2)
        #expect(await device.error() == .internalError(description: "Unable to update expired model info."))
        #expect(try await device.get().contents == Sample.v1)
    }

    @Test("400 for a link that is not too old is the caller's error, and not tried again")
    func badRequest() async {
        device.host.on(.file) { _, answer in answer = .error(.invalidArgument, "no") }
        #expect(await device.error() == .invalidArgument)
        #expect(device.host.requests(.info).count == 1)
    }
}
