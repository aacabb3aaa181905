import Foundation
import HearthCrypto
import Testing

@Suite("Base64URL") struct Base64URLTests {
    @Test(
        "The vectors of RFC 4648, without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, encoded: String) {
        #expect(Base64URL.encode(plain.utf8) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test("Any bytes survive, and the text is Foundation's with the other alphabet")
    func roundTrip() {
        for count in 0..<70 {
            let bytes = SecureRandom.bytes(count)
            let text = Base64URL.encode(bytes)
            let foundation = Data(bytes).base64EncodedString()
                .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
                .replacingOccurrences(of: "=", with: "")
            #expect(text == foundation)
            #expect(Base64URL.decode(text) == bytes)
        }
    }

    @Test(
        "Padding, other alphabets, white space, impossible lengths and stray bits are refused",
        arguments: ["Zg==", "Zg=", "+w", "/w", "Zm 9v", "Zm9v\n", "Z", "Zm9vY", "Zh", "Zm9", "Zé", "Zg\0"])
    func refused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
