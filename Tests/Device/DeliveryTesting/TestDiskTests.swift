import HearthDelivery
import HearthDeliveryTesting
import Testing

@Suite("A disk that fails")
struct TestDiskTests {
    private let device: TestDevice

    init() async throws {
        device = try TestDevice()
        device.host.publish(Sample.old, as: "digits")
        _ = try await device.get()
        device.host.publish(Sample.new, as: "digits")
    }

    @Test(
        "The update fails, the old model stays, and the next attempt works",
        arguments: [DiskFault.full(), .full(afterBytes: 15_000), .full(afterBytes: -1), .readOnly, .broken])
    func update(fault: DiskFault) async throws {
        device.disk.fail(with: fault)
        #expect(await device.fails())
        #expect(try await device.get("digits", .localModel).contents == Sample.old)
        device.disk.endFaults()
        #expect(try await device.get().contents == Sample.new)
    }

    @Test("A full disk has its own error")
    func full() async throws {
        device.disk.fail(with: .full(afterBytes: 100))
        await #expect(throws: DownloadError.notEnoughSpace) { try await device.get() }
    }

    @Test("A disk that reports few free bytes is not filled completely")
    func almostFull() async throws {
        device.disk.fail(with: .almostFull(freeBytes: 20_000))
        await #expect(throws: DownloadError.notEnoughSpace) { try await device.get() }
        #expect(device.host.requestCount(.file) == 1, "noticed before the download")
        device.disk.fail(with: .almostFull(freeBytes: 1 << 30))
        #expect(try await device.get().contents == Sample.new)
    }

    @Test("The remaining space is used")
    func room() async throws {
        device.disk.fail(with: .full(afterBytes: 100_000))
        #expect(try await device.get().contents == Sample.new)
    }
}
