import Foundation
import HearthCrypto
import Testing

@Suite("SHA-256") struct SHA256Tests {
    @Test(
        "The published vectors of FIPS 180 come out",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func vectors(text: String, expected: String) {
        #expect(SHA256Hasher.hash(text.utf8).hex == expected)
    }

    @Test("Pieces of any size hash like the whole", arguments: [1, 7, 63, 64, 65, 1000])
    func piecesEqualWhole(size: Int) {
        let whole = (0..<3001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var hasher = SHA256Hasher()
        for start in stride(from: 0, to: whole.count, by: size) {
            hasher.update(whole[start..<min(start + size, whole.count)])
        }
        #expect(hasher.finalize() == SHA256Hasher.hash(whole))
    }

    @Test("Arrays, data, lazy sequences and raw buffers hash alike")
    func kindsOfBytes() {
        let bytes = Array("hearth".utf8)
        let expected = SHA256Hasher.hash(bytes)
        #expect(SHA256Hasher.hash(Data(bytes)) == expected)
        #expect(SHA256Hasher.hash(bytes.lazy.map { $0 }) == expected)
        #expect(bytes.withUnsafeBytes { SHA256Hasher.hash($0) } == expected)
        #expect(SHA256Hasher.hash(UnsafeRawBufferPointer(start: nil, count: 0)) == SHA256Hasher.hash([]))
    }

    @Test("A copy goes on by itself, and asking for the digest changes nothing")
    func copiesAreIndependent() {
        var first = SHA256Hasher()
        first.update("ab".utf8)
        var second = first
        second.update("x".utf8)
        _ = first.finalize()
        first.update("c".utf8)
        #expect(first.finalize() == SHA256Hasher.hash("abc".utf8))
        #expect(second.finalize() == SHA256Hasher.hash("abx".utf8))
    }

    @Test("A digest reads its own text in either case")
    func digestText() throws {
        let digest = SHA256Hasher.hash("abc".utf8)
        #expect(SHA256Digest(hex: digest.hex) == digest)
        #expect(SHA256Digest(hex: digest.hex.uppercased()) == digest)
        #expect(SHA256Digest(bytes: digest.bytes) == digest)
        #expect("\(digest)" == digest.hex)
    }

    @Test(
        "A digest refuses every other text",
        arguments: [
            "", "00", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
            String(repeating: "g", count: 64), "0x" + String(repeating: "0", count: 62),
            " " + String(repeating: "0", count: 63), String(repeating: "é", count: 32),
        ])
    func badDigestText(text: String) {
        #expect(SHA256Digest(hex: text) == nil)
    }

    @Test("A digest has exactly 32 bytes", arguments: [0, 31, 33])
    func badDigestBytes(count: Int) {
        #expect(SHA256Digest(bytes: [UInt8](repeating: 0, count: count)) == nil)
    }
}
