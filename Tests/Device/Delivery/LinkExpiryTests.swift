import HearthDeliveryTesting
import HearthTransport
import Testing

@testable import HearthDelivery

@Suite("Links that expire")
struct LinkExpiryTests {
    private let device: TestDevice

    init() throws {
        device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
    }

    @Test("a new link is asked for once, and the call succeeds")
    func renewed() async throws {
        device.host.fail(.info, with: .expiredLink)
        #expect(try await device.get().contents == Sample.v1)
        #expect(device.host.requests(.info).count == 2)
        #expect(device.host.requests(.file).count == 2)
        #expect(device.host.requests(.file).first?.url != device.host.requests(.file).last?.url)
    }

    @Test("once per call: a later call in the same process has its own try")
    func renewedAgain() async throws {
        device.host.fail(.info, with: .expiredLink)
        _ = try await device.get()
        device.host.publish(Sample.v2, as: "digits")
        device.host.fail(.info, with: .expiredLink)
        #expect(try await device.get().contents == Sample.v2)
    }

    @Test("twice in one call is an error")
    func expiredTwice() async throws {
        device.host.fail(.info, with: .expiredLink, times: 2)
        #expect(await device.error() == .internalError(description: "Unable to update expired model info."))
        #expect(try await device.get().contents == Sample.v1)
    }

    @Test("400 for a link that is not too old is the caller's error, and not tried again")
    func badRequest() async {
        device.host.fail(.file, with: .expiredLink)
        #expect(await device.error() == .invalidArgument)
        #expect(device.host.requests(.info).count == 1)
    }
}
