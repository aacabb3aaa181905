import HearthIdentity
import Testing

@Suite("Signed links") struct LinkSignerTests {
    private static let path = "/hearth/v1/files/0123abcd"
    private let signer: LinkSigner
    private let signature: String

    init() throws {
        signer = LinkSigner(secret: try Sample.secret())
        signature = signer.signature(path: Self.path, expires: Sample.now)
    }

    private func check(
        path: String = path, expires: Int64 = Sample.now, signature: String? = nil, now: Int64 = Sample.now - 1
    ) -> LinkSigner.Check {
        signer.check(path: path, expires: expires, signature: signature ?? self.signature, nowSeconds: now)
    }

    @Test("A link is good until the second it names")
    func expiry() {
        #expect(check(now: Sample.now - 1) == .valid)
        #expect(check(now: Sample.now) == .expired)
        #expect(check(now: .max) == .expired)
        #expect(check(now: Sample.now - LinkSigner.longestSeconds - 300) == .valid)
        #expect(check(now: Sample.now - LinkSigner.longestSeconds - 301) == .expired, "signed when the clock was ahead")
    }

    @Test("Whatever is altered makes it forged, also when it had expired")
    func forged() {
        #expect(check(path: Self.path + "0") == .forged)
        #expect(check(path: "/hearth/v1/files/0123abce") == .forged)
        #expect(check(expires: Sample.now + 1) == .forged)
        #expect(check(expires: .max) == .forged)
        #expect(check(expires: .min) == .forged)
        #expect(check(path: Self.path + "0", now: Sample.now + 1) == .forged)
        for signature in [
            "", "A", signature + "A", String(signature.dropLast()), String(repeating: "A", count: 1 << 20),
        ] {
            #expect(check(signature: signature) == .forged)
        }
        let characters = Array(signature)
        for index in characters.indices {
            var altered = characters
            altered[index] = altered[index] == "A" ? "B" : "A"
            #expect(check(signature: String(altered)) == .forged)
        }
    }

    @Test("Expiry and path cannot run into each other")
    func framing() {
        let signature = signer.signature(path: "2/x", expires: 1)
        #expect(signer.check(path: "/x", expires: 12, signature: signature, nowSeconds: 0) == .forged)
        #expect(signer.check(path: " 2/x", expires: 1, signature: signature, nowSeconds: 0) == .forged)
    }

    @Test("Another server's signature is forged")
    func foreign() throws {
        let other = LinkSigner(secret: try Sample.secret())
        #expect(other.check(path: Self.path, expires: Sample.now, signature: signature, nowSeconds: 0) == .forged)
    }
}
