import HearthCatalog
import Testing

@Suite("Dotted versions") struct DottedVersionTests {
    @Test(
        "Number by number, missing ones are zero",
        arguments: [
            ("2.9", "2.10"), ("1.9.9", "2"), ("2", "2.0.1"), ("0", "0.0.1"), ("9", "10"), ("1.2.3.4", "1.2.3.5"),
            ("999999999999999998", "999999999999999999"), ("1.02", "1.3"), ("1.0.9", "1.1"),
        ])
    func order(lower: String, upper: String) throws {
        let low = try #require(DottedVersion(lower))
        let high = try #require(DottedVersion(upper))
        #expect(low < high && !(high < low) && low != high)
    }

    @Test("Zeros at the end or in front change nothing", arguments: [("2", "2.0.0"), ("1.02", "1.2.0"), ("0", "0.0")])
    func equal(left: String, right: String) throws {
        #expect(try #require(DottedVersion(left)) == #require(DottedVersion(right)))
    }

    @Test("They read as they are compared")
    func text() throws {
        #expect(try #require(DottedVersion("02.10.0")).description == "2.10")
        #expect(try #require(DottedVersion("0.0")).description == "0")
    }

    @Test(
        "Anything else is none",
        arguments: [
            "", ".", "1.", ".1", "1..2", "v1", "1.2-beta", "1.2 ", " 1", "1,2", "-1", "+1", "1e3", "0x1", "\u{661}",
            "1\0",
            "1000000000000000000", String(repeating: "1.", count: 40) + "1", String(repeating: "9", count: 1_000_000),
        ])
    func garbage(text: String) {
        #expect(DottedVersion(text) == nil)
    }
}
