import Testing

@testable import HearthTargeting

@Suite("Language tags") struct LanguageTagTests {
    @Test(
        "A language takes in its regions and scripts, in any case",
        arguments: [
            ("de", "de", true), ("de", "de-CH", true), ("DE", "de-ch", true), ("de", "de_CH", true),
            ("de-CH", "de-CH-1996", true), ("de", "den", false), ("de-CH", "de", false), ("de-CH", "de-CHX", false),
            ("de", "", false), ("zh-Hant", "zh-Hant-TW", true), ("zh-TW", "zh-Hant-TW", false), ("en", "de-en", false),
        ])
    func prefix(range: String, tag: String, isPrefix: Bool) {
        #expect(LanguageTag.isPrefix(range, of: tag) == isPrefix)
    }
}
