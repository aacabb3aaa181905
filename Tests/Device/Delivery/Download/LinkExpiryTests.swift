import HearthDeliveryTesting
import HearthTransport
import HearthWire
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

    @Test("400 for a link that its host calls fresh is the caller's error, and not tried again")
    func badRequest() async {
        device.host.on(.file) { _, answer in
            answer = .error(.invalidArgument, "no")
            answer.setHeader("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
        }
        #expect(await device.error() == .invalidArgument)
        #expect(device.host.requests(.info).count == 1)
    }

    @Test("400 without the host's own time is tried once with another link: our clock may be wrong")
    func doubtful() async throws {
        device.host.fail(.file, with: .expiredLink)
        #expect(try await device.get().contents == Sample.v1)
        #expect(device.host.requests(.info).count == 2)
        device.host.publish(Sample.v2, as: "digits")
        device.host.fail(.file, with: .expiredLink, times: nil)
        #expect(await device.error() == .invalidArgument)
        #expect(device.host.requests(.info).count == 4)
    }

    @Test("a slow transfer may outlive many links, as long as bytes arrive in between")
    func manyLinks() async throws {
        device.host.publish(Sample.v2, as: "digits")
        for _ in 0..<4 {
            device.host.fail(.file, with: .disconnect(afterBytes: 30_000))
            device.host.fail(.file, with: .expiredLink)
        }
        #expect(try await device.get().contents == Sample.v2)
        #expect(device.host.requests(.info).count == 5)
        #expect(device.host.bytesSent < Sample.v2.count + 30_000, "it went on where it stopped")
    }

    @Test("a link that is refused again and again ends it, however often bytes had arrived before")
    func refusedForGood() async {
        device.host.publish(Sample.v2, as: "digits")
        device.host.fail(.file, with: .disconnect(afterBytes: 30_000))
        device.host.fail(.file, with: .expiredLink, times: nil)
        #expect(await device.error() == .invalidArgument)
        #expect(device.host.requests(.info).count == 2)
    }
}
