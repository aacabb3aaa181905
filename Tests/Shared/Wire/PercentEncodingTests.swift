import HearthWire
import Testing

@Suite struct PercentEncodingTests {
    @Test(
        "A name in a path is one segment, with any characters",
        arguments: [
            ("plain-Name_1.~", "plain-Name_1.~"), ("a/b", "a%2Fb"), ("../x", "..%2Fx"), ("a b?#%", "a%20b%3F%23%25"),
            ("\u{0}\n", "%00%0A"), ("é", "%C3%A9"), ("a:download", "a%3Adownload"),
            ("a b+c/d*é😀%'", "a%20b%2Bc%2Fd%2A%C3%A9%F0%9F%98%80%25%27"), ("aZ09-._~", "aZ09-._~"),
        ])
    func segments(text: String, expected: String) {
        #expect(PercentEncoding.encode(text) == expected)
    }

    @Test func onlyAPathKeepsItsSlashes() {
        #expect(PercentEncoding.encode("ä/b c", keepsSlashes: true) == "%C3%A4/b%20c")
    }
}
