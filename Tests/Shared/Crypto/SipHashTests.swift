import HearthCrypto
import Testing

@Suite("SipHash") struct SipHashTests {
    /// Python's `hash` of bytes is SipHash-1-3; with PYTHONHASHSEED=0 its key is zero.
    @Test(
        "Hashes are Python's",
        arguments: [
            (0, "", 0xbd60_acb6_58c7_9e45), (0x0706_0504_0302_0100, "", 0xead4_11e6_7ebe_2eea),
            (1, "abc", 0x78a9_9b38_851a_2d3c), (1, "installation-id-22-char", 0x87a7_3783_55ca_be73),
            (7, "12345678", 0x7647_9320_fc30_2cbe),
        ] as [(UInt64, String, UInt64)])
    func vectors(number: UInt64, text: String, expected: UInt64) {
        #expect(SipHash(key: []).hash(number, text) == expected)
    }

    @Test("Another key makes other hashes")
    func keys() {
        let hashes = (0..<17).map { SipHash(key: Array(repeating: 0, count: $0) + [1]).hash(1, "abc") }
        #expect(Set(hashes).count == 17)
        // Only 16 bytes of the key count.
        #expect(hashes[16] == SipHash(key: []).hash(1, "abc"))
    }
}
