import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("What an upload's request means") struct UploadRangeTests {
    @Test(
        "Content-Range as tools send it",
        arguments: [
            ("bytes 0-0/1", UploadRange.bytes(first: 0, last: 0, total: 1)),
            ("bytes 0-104857599/105906176", .bytes(first: 0, last: 104_857_599, total: 105_906_176)),
            ("Bytes 5-9/*", .bytes(first: 5, last: 9, total: nil)), ("bytes */*", .status(total: nil)),
            ("bytes */0", .status(total: 0)),
            ("bytes 0-*/*", .rest(first: 0, total: nil)), ("bytes 5-*/9", .rest(first: 5, total: 9)),
            ("bytes */18446744073709551615", .status(total: .max)),
            ("bytes 0-18446744073709551614/*", .bytes(first: 0, last: .max - 1, total: nil)),
        ])
    func valid(text: String, range: UploadRange) {
        #expect(UploadRange(text) == range)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "bytes", "bytes ", "bytes 0-1", "bytes 1-0/5", "bytes 0-5/5", "bytes 0-1/1", "bytes -1/5", "bytes 1-/5",
            "bytes 6-*/5", "bytes *-5/9", "bytes -*/9",
            "bytes +1-2/5", "bytes 0x1-2/5", "bytes 0-1/18446744073709551616", "bytes=0-1/2", "bytes  0-1/2",
            "bytes 0-1/2 ", "bytes 0-1/2/3", "items 0-1/2", "bytes */", "bytes **/2", "bytes 0-1/-2", "bytes ١-٢/٣",
            "bytes 0-18446744073709551615/*",
        ])
    func invalid(text: String) {
        #expect(UploadRange(text) == nil)
    }

    private func step(
        _ range: String?, length: UInt64? = nil, received: UInt64 = 0, announced: UInt64? = nil
    ) throws -> UploadStep {
        try UploadStep.decide(
            range: range.flatMap { UploadRange($0) }, contentLength: length, received: received, announced: announced,
            limitBytes: 100)
    }

    private func refusal(
        _ range: String?, length: UInt64? = nil, received: UInt64 = 0, announced: UInt64? = nil
    ) -> APIError? {
        do {
            _ = try step(range, length: length, received: received, announced: announced)
            return nil
        } catch {
            return error as? APIError
        }
    }

    @Test("The next chunk, the same again, one that overlaps")
    func chunks() throws {
        #expect(try step("bytes 0-9/30", length: 10) == .append(skipped: 0, length: 10, total: 30))
        #expect(try step("bytes 10-19/*", received: 10) == .append(skipped: 0, length: 10, total: nil))
        #expect(try step("bytes 0-9/30", received: 10) == .append(skipped: 10, length: 10, total: 30))
        #expect(try step("bytes 0-9/30", received: 25) == .append(skipped: 10, length: 10, total: 30))
        #expect(try step("bytes 5-14/30", received: 10) == .append(skipped: 5, length: 10, total: 30))
        #expect(try step("bytes 5-14/*", received: 10, announced: 15) == .append(skipped: 5, length: 10, total: 15))
    }

    @Test("A body without a range is the whole file; nothing at all is a question")
    func wholeFile() throws {
        #expect(try step(nil, length: 10) == .append(skipped: 0, length: 10, total: 10))
        #expect(try step(nil, length: 10, received: 4) == .append(skipped: 4, length: 10, total: 10))
        #expect(try step(nil, length: nil, received: 4) == .append(skipped: 4, length: nil, total: nil))
        #expect(try step(nil, length: 0, received: 4) == .report)
        #expect(try step("bytes 4-*/*", received: 4) == .append(skipped: 0, length: nil, total: nil))
        #expect(try step("bytes 4-*/*", length: 6, received: 4) == .append(skipped: 0, length: 6, total: 10))
        #expect(try step("bytes 2-*/10", received: 4) == .append(skipped: 2, length: 8, total: 10))
        #expect(
            try step("bytes 2-*/*", length: 8, received: 4, announced: 10) == .append(skipped: 2, length: 8, total: 10))
    }

    @Test("A question is answered, and ends an upload that is complete")
    func questions() throws {
        #expect(try step("bytes */*", length: 0, received: 4) == .report)
        #expect(try step("bytes */30", length: 0, received: 4) == .report)
        #expect(try step("bytes */30", length: 0, received: 30) == .complete(total: 30))
        #expect(try step("bytes */*", length: 0, received: 30, announced: 30) == .complete(total: 30))
        #expect(try step("bytes */0", length: 0) == .complete(total: 0))
    }

    @Test("Contradictions and gaps are refused")
    func contradictions() {
        let gap = refusal("bytes 11-19/30", received: 10)
        #expect(gap?.status == .invalidArgument && gap?.message.contains("continue at byte 10") == true)
        for error in [
            refusal("bytes 0-9/30", length: 9), refusal("bytes 0-9/30", announced: 31),
            refusal("bytes 0-9/*", announced: 5), refusal("bytes */30", length: 1),
            refusal("bytes */5", length: 0, received: 6), refusal(nil, length: 3, received: 6),
            refusal("bytes 0-1/3", received: 6), refusal("bytes 5-*/*", received: 4),
            refusal("bytes 5-*/10", length: 6, received: 5), refusal("bytes 5-*/*", received: 5, announced: 4),
        ] {
            #expect(error?.status == .invalidArgument && error?.httpStatus == nil)
        }
    }

    @Test("The limit is kept at n and n + 1, also before a byte has come")
    func limit() throws {
        #expect(try step("bytes 0-99/100") == .append(skipped: 0, length: 100, total: 100))
        for error in [
            refusal("bytes 0-9/101"), refusal("bytes 0-100/*"), refusal(nil, length: 101), refusal("bytes */101"),
            refusal("bytes 18446744073709551615-*/*", length: 5), refusal("bytes 1-*/*", length: 100, received: 1),
        ] {
            #expect(error?.httpStatus == 413)
        }
    }
}
