import HearthCrypto
import Testing

@Suite("HMAC-SHA-256") struct HMACSHA256Tests {
    @Test(
        "The published vectors of RFC 4231 come out",
        arguments: [
            (
                [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                Array(1...25), [UInt8](repeating: 0xcd, count: 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func vectors(key: [UInt8], message: [UInt8], expected: String) {
        #expect(SHA256Digest(bytes: HMACSHA256(key: key).tag(for: message))?.hex == expected)
    }

    @Test("One key makes the same tag again and again")
    func keyIsReusable() {
        let key = HMACSHA256(key: SecureRandom.bytes(32))
        let first = key.tag(for: [1, 2, 3])
        _ = key.tag(for: [4])
        #expect(key.tag(for: [1, 2, 3]) == first)
        #expect(key.isValid(first, for: [1, 2, 3]))
    }

    @Test("An empty key and an empty message have a tag of their own")
    func emptyInputs() {
        let expected = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        #expect(SHA256Digest(bytes: HMACSHA256(key: []).tag(for: []))?.hex == expected)
    }

    @Test("Wrong, shortened, lengthened and foreign tags are refused")
    func wrongTags() {
        let key = HMACSHA256(key: [1])
        let tag = key.tag(for: [7])
        for index in tag.indices {
            var changed = tag
            changed[index] ^= 1
            #expect(!key.isValid(changed, for: [7]))
        }
        #expect(!key.isValid(Array(tag.dropLast()), for: [7]))
        #expect(!key.isValid(tag + [0], for: [7]))
        #expect(!key.isValid([], for: [7]))
        #expect(!key.isValid(tag, for: [8]))
        #expect(!HMACSHA256(key: [2]).isValid(tag, for: [7]))
    }

    @Test("Many threads share one key")
    func sharedKey() async {
        let key = HMACSHA256(key: [9])
        let expected = (0..<50).map { key.tag(for: [$0]) }
        await withTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<50).map { key.tag(for: [$0]) } }
            }
            for await tags in group {
                #expect(tags == expected)
            }
        }
    }
}
