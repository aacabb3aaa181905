import HearthCompression
import Testing

@Suite struct InflateTests {
    // Python: zlib.compress(text, 9, wbits=-15) and gzip.compress(text, mtime=0) of "hearth " * 20.
    static let text = Array(String(repeating: "hearth ", count: 20).utf8)
    static let rawText: [UInt8] = [
        0xCB, 0x48, 0x4D, 0x2C, 0x2A, 0xC9, 0x50, 0xC8, 0x18, 0x0C, 0x14, 0x00,
    ]
    static let gzipText: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0x4D, 0x2C, 0x2A, 0xC9,
        0x50, 0xC8, 0x18, 0x0C, 0x14, 0x00, 0xDD, 0xC5, 0x3E, 0xA9, 0x8C, 0x00, 0x00, 0x00,
    ]
    // gzip.compress(b"", mtime=0) and gzip.compress(bytes(100_000), mtime=0).
    static let gzipEmpty: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00,
    ]
    static let gzipZeros: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xED, 0xC1, 0x31, 0x01, 0x00, 0x00,
        0x00, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 0x0D, 0x0F, 0xA0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x57, 0x03, 0x7D, 0x95, 0x11, 0xD4,
        0xA0, 0x86, 0x01, 0x00,
    ]

    private func raw(_ input: [UInt8], _ count: Int) throws(CompressionError) -> [UInt8] {
        let result = input.withUnsafeBytes { bytes in
            Result { () throws(CompressionError) in try Inflate.raw(bytes, expectedCount: count) }
        }
        return try result.get()
    }

    private func code(_ body: () throws -> [UInt8]) -> CompressionError.Code? {
        #expect(throws: CompressionError.self) { _ = try body() }?.code
    }

    @Test func rawGivesExactlyTheDeclaredCount() throws {
        #expect(try raw(Self.rawText, Self.text.count) == Self.text)
        #expect(code { try raw(Self.rawText, Self.text.count - 1) } == .malformed)
        #expect(code { try raw(Self.rawText, Self.text.count + 1) } == .malformed)
        #expect(code { try raw(Self.rawText, 0) } == .malformed)
        #expect(code { try raw(Self.rawText, -1) } == .malformed)
    }

    @Test func rawAcceptsAnEmptyStream() throws {
        #expect(try raw([0x03, 0x00], 0) == [])
    }

    @Test func rawRefusesTrailingBytesAndEveryTruncation() {
        #expect(code { try raw(Self.rawText + [0], Self.text.count) } == .malformed)
        for count in 0..<Self.rawText.count {
            #expect(code { try raw(Array(Self.rawText.prefix(count)), Self.text.count) } == .malformed)
        }
    }

    @Test func rawSurvivesEveryBitFlip() {
        for index in Self.rawText.indices {
            for bit in 0..<8 {
                var damaged = Self.rawText
                damaged[index] ^= 1 << bit
                // Some flips change the text or nothing; none may crash or change the length.
                if let output = try? raw(damaged, Self.text.count) { #expect(output.count == Self.text.count) }
            }
        }
    }

    @Test func gzipReadsOneAndManyMembers() throws {
        #expect(try Inflate.gzip(Self.gzipText, limitBytes: 1000) == Self.text)
        #expect(
            try Inflate.gzip(Self.gzipText + Self.gzipEmpty + Self.gzipText, limitBytes: 1000) == Self.text + Self.text)
        #expect(try Inflate.gzip(Self.gzipEmpty, limitBytes: 0) == [])
        #expect(try Inflate.gzip(Self.gzipZeros, limitBytes: 100_000) == [UInt8](repeating: 0, count: 100_000))
    }

    @Test func gzipLimitIsInclusive() throws {
        #expect(try Inflate.gzip(Self.gzipText, limitBytes: Self.text.count).count == Self.text.count)
        #expect(code { try Inflate.gzip(Self.gzipText, limitBytes: Self.text.count - 1) } == .tooLarge)
        #expect(code { try Inflate.gzip(Self.gzipZeros, limitBytes: 99_999) } == .tooLarge)
        // The limit holds for all members together.
        #expect(code { try Inflate.gzip(Self.gzipText + Self.gzipText, limitBytes: Self.text.count) } == .tooLarge)
    }

    @Test func gzipRefusesWhatIsNotGzip() {
        #expect(code { try Inflate.gzip([], limitBytes: 10) } == .malformed)
        #expect(code { try Inflate.gzip(Array("{}".utf8), limitBytes: 10) } == .malformed)
        #expect(code { try Inflate.gzip(Self.gzipText + [0], limitBytes: 1000) } == .malformed)
        #expect(code { try Inflate.gzip(Self.gzipText + Array("tail".utf8), limitBytes: 1000) } == .malformed)
        for count in 0..<Self.gzipText.count {
            #expect(code { try Inflate.gzip(Array(Self.gzipText.prefix(count)), limitBytes: 1000) } == .malformed)
        }
        var wrongChecksum = Self.gzipText
        wrongChecksum[wrongChecksum.count - 5] ^= 1
        #expect(code { try Inflate.gzip(wrongChecksum, limitBytes: 1000) } == .malformed)
    }

    @Test func checksumIsTheOneOfZip() {
        // The check value that the CRC's definition gives.
        #expect(CRC32.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.checksum([UInt8]()) == 0)
    }
}
