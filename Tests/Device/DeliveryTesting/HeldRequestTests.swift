import HearthConcurrency
import HearthDelivery
import HearthDeliveryTesting
import HearthTestSupport
import HearthTransport
import HearthWire
import Synchronization
import Testing

@Suite("Requests that are held", .limitedTime)
struct HeldRequestTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        host.publish(Sample.new, as: "digits")
    }

    @Test("Held before the answer: versions published meanwhile count")
    func beforeAnswer() async throws {
        let held = host.hold(.info)
        async let model = device.get()
        await held.waitUntilReached()
        #expect(host.requestCount(.info) == 1)
        #expect(host.requestCount(.file) == 0)
        host.publish(Sample.old, as: "digits")
        held.release()
        #expect(try await model.contents == Sample.old)
    }

    @Test("Held in the middle: only the bytes before have arrived")
    func middle() async throws {
        let held = host.hold(.file, afterBytes: 5000)
        async let model = device.get()
        await held.waitUntilReached()
        #expect(host.bytesSent == 5000)
        #expect(try await device.downloader.listDownloadedModels().isEmpty)
        held.release()
        #expect(try await model.contents == Sample.new)
        #expect(host.bytesSent == 20_000)
    }

    @Test("Held at the end, when the body is shorter")
    func end() async throws {
        let held = host.hold(.file, afterBytes: .max)
        async let model = device.get()
        await held.waitUntilReached()
        #expect(host.bytesSent == 20_000)
        held.release()
        #expect(try await model.contents == Sample.new)
    }

    @Test("One request each, in order; early releases and released objects do not block")
    func several() async throws {
        let first = host.hold(.file)
        first.release()
        var second: HeldRequest? = host.hold(.file)
        async let model = device.get()
        #expect(try await model.contents == Sample.new)
        await first.waitUntilReached()
        host.publish(Sample.old, as: "digits")
        async let other = device.get()
        await second?.waitUntilReached()
        second = nil
        #expect(try await other.contents == Sample.old)
    }

    @Test("Cancelling ends the wait")
    func cancelled() async throws {
        let client = HostClient(host)
        let link = try client.link("digits").downloadUri
        let held = host.hold(.file, afterBytes: 100)
        let cancellation = Cancellation()
        let seen = Mutex(0)
        async let answer = host.transport.response(
            to: TransportRequest(url: link, cancellation: cancellation),
            onBody: { bytes in seen.withLock { $0 += bytes.count } })
        await held.waitUntilReached()
        cancellation.cancel()
        do {
            _ = try await answer
            Issue.record("there was an answer")
        } catch {
            #expect((error as? TransportError)?.code == .cancelled)
        }
        #expect(seen.withLock { $0 } == 100)
        held.release()
    }

    @Test("A cancelled test does not wait for a missing request")
    func cancelledTest() async {
        let held = host.hold(.file)
        let task = Task { await held.waitUntilReached() }
        task.cancel()
        await task.value
        #expect(host.requestCount(.file) == 0)
    }
}
