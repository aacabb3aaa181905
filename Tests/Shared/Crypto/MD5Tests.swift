import HearthCrypto
import Testing

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
