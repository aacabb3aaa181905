import HearthTestSupport
import Testing

@testable import HearthCrypto

@Suite("CRC-32C") struct CRC32CTests {
    /// Those of RFC 3720, appendix B.4, and the check value of the CRC catalogues.
    static let known: [(bytes: [UInt8], value: UInt32)] = [
        ([], 0),
        ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
        ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
        (Array(0...31), 0x46DD_794E),
        ((0...31).reversed(), 0x113F_DB5C),
        (
            [
                0x01, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0x14, 0, 0, 0,
                0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0,
            ], 0xD996_3A56
        ),
        (Array("123456789".utf8), 0xE306_9283),
    ]

    private func portable(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { CRC32C.portable(0, $0) } }

    @Test("The vectors of RFC 3720", arguments: known)
    func vectors(bytes: [UInt8], value: UInt32) {
        #expect(CRC32C.checksum(bytes).value == value)
        #expect(portable(bytes) == value)
    }

    @Test("Any cut gives the same, with the processor's instruction and without, at every alignment")
    func pieces() {
        var random = SeededGenerator(seed: 7)
        let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
        for start in 0..<9 {
            let whole = CRC32C.checksum(Array(bytes[start...]))
            for cut in start...bytes.count {
                var checksum = CRC32C()
                bytes.withUnsafeBytes { checksum.update(UnsafeRawBufferPointer(rebasing: $0[start..<cut])) }
                var continued = CRC32C(value: checksum.value)
                bytes.withUnsafeBytes { continued.update(UnsafeRawBufferPointer(rebasing: $0[cut...])) }
                #expect(continued == whole)
                let portable = bytes.withUnsafeBytes { buffer in
                    let first = CRC32C.portable(0, UnsafeRawBufferPointer(rebasing: buffer[start..<cut]))
                    return CRC32C.portable(first, UnsafeRawBufferPointer(rebasing: buffer[cut...]))
                }
                #expect(portable == whole.value)
            }
        }
    }

    @Test("The text is that of storage tools: the highest byte first, in Base64")
    func text() throws {
        let checksum = CRC32C.checksum(Array("123456789".utf8))
        #expect(checksum.base64 == "4waSgw==")
        #expect(CRC32C(base64: "4waSgw==") == checksum)
        #expect(CRC32C().base64 == "AAAAAA==")
    }

    @Test(
        "Other text is none",
        arguments: [
            "", "4waSgw", "4waSgw=", "4waS", "4waSg4==x", "e3069283", "4waSgwAA", "\u{e9}AAAAA==", "4waSgw==\n",
        ])
    func refusedText(text: String) {
        #expect(CRC32C(base64: text) == nil)
    }
}

@Suite("MD5") struct MD5Tests {
    @Test(
        "Known texts have their known digests",
        arguments: [
            ("", "1B2M2Y8AsgTpgAmY7PhCfg=="), ("abc", "kAFQmDzST7DWlj99KOF/cg=="),
            ("The quick brown fox jumps over the lazy dog", "nhB9nTcrtoJr2B01QqQZ1g=="),
        ])
    func known(text: String, expected: String) throws {
        let hasher = try #require(MD5Hasher())
        for byte in text.utf8 { withUnsafeBytes(of: byte) { hasher.update($0) } }
        #expect(hasher.finalize().base64 == expected)
        #expect(MD5Digest(base64: expected) == hasher.finalize(), "the same when asked for again")
    }

    @Test("What is no digest in Base64 is none", arguments: ["", "x", "1B2M2Y8AsgTpgAmY7PhCfg", "AAAAAA=="])
    func malformed(text: String) { #expect(MD5Digest(base64: text) == nil) }
}
