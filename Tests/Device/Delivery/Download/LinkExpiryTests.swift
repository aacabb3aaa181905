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

    @Test("A new link is requested once, and the call succeeds")
    func renewed() async throws {
        device.host.fail(.info, with: .expiredLink)
        #expect(try await device.get().contents == Sample.v1)
        #expect(device.host.requests(.info).count == 2)
        #expect(device.host.requests(.file).count == 2)
        #expect(device.host.requests(.file).first?.url != device.host.requests(.file).last?.url)
    }

    @Test("Each call may request one new link, also a later call in the same process")
    func renewedAgain() async throws {
        device.host.fail(.info, with: .expiredLink)
        _ = try await device.get()
        device.host.publish(Sample.v2, as: "digits")
        device.host.fail(.info, with: .expiredLink)
        #expect(try await device.get().contents == Sample.v2)
    }

    @Test("Two expired links in one call are an error")
    func expiredTwice() async throws {
        device.host.fail(.info, with: .expiredLink, times: 2)
        #expect(await device.error() == .internalError(description: "Unable to update expired model info."))
        #expect(try await device.get().contents == Sample.v1)
    }

    @Test("400 for a link that is valid by its host's clock is the caller's error, and not retried")
    func badRequest() async {
        device.host.on(.file) { _, answer in
            answer = .error(.invalidArgument, "no")
            answer.setHeader("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
        }
        #expect(await device.error() == .invalidArgument)
        #expect(device.host.requests(.info).count == 1)
    }

    @Test("400 without the host's time is retried once with another link: the device's clock may be wrong")
    func doubtful() async throws {
        device.host.fail(.file, with: .expiredLink)
        #expect(try await device.get().contents == Sample.v1)
        #expect(device.host.requests(.info).count == 2)
        device.host.publish(Sample.v2, as: "digits")
        device.host.fail(.file, with: .expiredLink, times: nil)
        #expect(await device.error() == .invalidArgument)
        #expect(device.host.requests(.info).count == 4)
    }

    @Test("A slow download may use many links if bytes arrive in between")
    func manyLinks() async throws {
        device.host.publish(Sample.v2, as: "digits")
        for _ in 0..<4 {
            device.host.fail(.file, with: .disconnect(afterBytes: 30_000))
            device.host.fail(.file, with: .expiredLink)
        }
        #expect(try await device.get().contents == Sample.v2)
        #expect(device.host.requests(.info).count == 5)
        #expect(device.host.bytesSent < Sample.v2.count + 30_000, "it resumed where it stopped")
    }

    @Test("A link that is refused again and again ends the download, no matter how often bytes had arrived")
    func refusedForGood() async {
        device.host.publish(Sample.v2, as: "digits")
        device.host.fail(.file, with: .disconnect(afterBytes: 30_000))
        device.host.fail(.file, with: .expiredLink, times: nil)
        #expect(await device.error() == .invalidArgument)
        #expect(device.host.requests(.info).count == 2)
    }
}
