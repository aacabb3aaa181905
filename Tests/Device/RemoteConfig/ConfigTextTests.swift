import Testing

@testable import HearthRemoteConfig

@Suite("What the text of a value reads as")
struct ConfigTextTests {
    @Test(
        "numbers: what the text begins with",
        arguments: [
            ("", 0), ("abc", 0), ("12", 12), ("-3.5e2x", -350), ("  7 days", 7), (".5", 0.5), ("5.", 5), ("1e", 1),
            ("+4", 4), ("0x10", 0), ("inf", 0), ("nan", 0), ("-", 0), (".", 0), ("1e+", 1), ("٣", 0),
        ])
    func number(_ text: String, _ expected: Double) {
        #expect(ConfigText.number(text) == expected)
    }

    @Test(
        "truth: Y, T or a digit that is not 0",
        arguments: [
            ("true", true), ("Yes", true), ("1", true), ("007", true), ("-2", true), (" t", true), ("0", false),
            ("", false), ("no", false), ("on", false), ("000", false), ("0y", true), ("false", false),
        ])
    func truth(_ text: String, _ expected: Bool) {
        #expect(ConfigText.isTrue(text) == expected)
    }

    @Test("whole numbers stay within their type, whatever the text")
    func integers() {
        #expect(ConfigText.integer("9223372036854775807", as: Int64.self) == .max)
        #expect(ConfigText.integer("9007199254740993", as: Int64.self) == 9_007_199_254_740_993)
        #expect(ConfigText.integer("1e300", as: Int.self) == .max)
        #expect(ConfigText.integer("1e999", as: Int.self) == .max)
        #expect(ConfigText.integer("-1e300", as: Int.self) == .min)
        #expect(ConfigText.integer("300", as: UInt8.self) == 255)
        #expect(ConfigText.integer("-1", as: UInt8.self) == 0)
        #expect(ConfigText.integer("2.9", as: Int.self) == 2)
        #expect(ConfigText.integer("many", as: Int.self) == 0)
    }
}
