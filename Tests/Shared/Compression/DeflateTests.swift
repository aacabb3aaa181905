import HearthCompression
import Testing

@Suite("Deflate")
struct DeflateTests {
    @Test(
        "What gzip compresses, Inflate restores", arguments: [0, 1, 1000, 200_000],
        [Deflate.Level.fastest, .smallest])
    func roundTrip(_ count: Int, level: Deflate.Level) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
        let packed = Deflate.gzip(bytes, level)
        #expect(try Inflate.gzip(packed, limitBytes: count) == bytes)
    }

    @Test("Repeated text becomes much smaller")
    func smaller() {
        #expect(Deflate.gzip(Array(repeating: 0x20, count: 100_000)).count < 1000)
    }
}
