import HearthApp
import HearthConcurrency
import HearthDeliveryTesting
import HearthTestSupport
import HearthTransport
import Testing

@testable import HearthDelivery

@Suite("Downloads that are cancelled or wait", .limitedTime)
struct DownloadCancellationTests {
    private let device: TestDevice
    private let cancellation = Cancellation()
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
    }

    private func code(_ result: Result<CustomModel, DownloadFailure>) -> DownloadFailure.Code? {
        if case .failure(let failure) = result { failure.code } else { nil }
    }

    @Test("Cancelled before it begins: no request is sent")
    func before() async {
        cancellation.cancel()
        #expect(code(await device.fetch(cancellation: cancellation)) == .cancelled)
        #expect(ModelHost.RequestKind.allCases.allSatisfy { host.requestCount($0) == 0 })
    }

    @Test("Cancelled in the middle of the file: the bytes that have arrived stay, and the old model too")
    func inTransfer() async throws {
        let old = try await device.fetch().get()
        host.publish(Sample.v2, as: "digits")
        let held = host.hold(.file, afterBytes: 100_000)
        async let result = device.fetch(cancellation: cancellation)
        await held.waitUntilReached()
        cancellation.cancel()
        #expect(code(await result) == .cancelled)
        #expect(try device.installed("digits") == old)
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(host.requests(.file).last?.header("range") == "bytes=100000-")
    }

    @Test("Cancelled during the registration; the model can be deleted immediately")
    func inToken() async throws {
        let held = host.hold(.installation)
        async let result = device.error()
        await held.waitUntilReached()
        #expect(throws: Never.self) { try DeliveryCore.core(of: device.app).delete("digits") }
        #expect(await result != nil)
        held.release()
        #expect(try await device.get().contents == Sample.v1)
        #expect(host.requestCount(.installation) == 1)
    }

    @Test("Cancelled during a backoff")
    func inPause() async {
        host.on(.info) { [cancellation] _, _ throws(TransportError) in
            cancellation.cancel()
            throw TransportError(.couldNotConnect, "refused")
        }
        #expect(code(await device.fetch(cancellation: cancellation)) == .cancelled)
        #expect(host.requestCount(.info) == 1)
    }

    @Test("Cancelled while another program downloads the model")
    func inLock() async throws {
        host.publish(Sample.v2, as: "digits")
        let held = host.hold(.file, afterBytes: 100_000)
        async let first = device.fetch()
        await held.waitUntilReached()
        let other = try TestDevice(host: host, sharingStoreOf: device)
        async let second = other.fetch(cancellation: cancellation)
        cancellation.cancel()
        #expect(code(await second) == .cancelled)
        held.release()
        #expect(try await first.get().contents == Sample.v2)
    }

    @Test("A wait for another program that takes too long is reported")
    func lockDeadline() async throws {
        host.publish(Sample.v2, as: "digits")
        let held = host.hold(.file, afterBytes: 100_000)
        async let first = device.fetch()
        await held.waitUntilReached()
        let clock = FakeClock()
        let other = try TestDevice(host: host, clock: clock, sharingStoreOf: device)
        var settings = DeliverySettings()
        settings.deadlineSeconds = -1
        #expect(code(await other.fetch(settings: settings)) == .tooSlow)
        held.release()
        _ = try await first.get()
    }

    @Test("A process that waits for another program gets its model: one transfer for both")
    func oneTransfer() async throws {
        host.publish(Sample.v2, as: "digits")
        let held = host.hold(.file, afterBytes: 100_000)
        async let first = device.fetch()
        await held.waitUntilReached()
        let second = try TestDevice(host: host, sharingStoreOf: device)
        let third = try TestDevice(host: host, sharingStoreOf: second)
        async let results = [second.fetch(), third.fetch()]
        held.release()
        let models = try await [first.get()] + results.map { try $0.get() }
        #expect(models.map(\.contents) == [Sample.v2, Sample.v2, Sample.v2])
        #expect(host.requestCount(.file) == 1)
        #expect(host.requests(.info).dropFirst().allSatisfy { $0.header("if-none-match") == Sample.hash(Sample.v2) })
    }
}
