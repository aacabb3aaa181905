import Testing

@testable import HearthApp

@Suite("The user's language on POSIX systems")
struct POSIXLocaleTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let environment: [String: String]
        let language: String?
        let country: String?

        init(_ environment: [String: String], _ language: String?, _ country: String?) {
            (self.environment, self.language, self.country) = (environment, language, country)
        }

        var testDescription: String { "\(environment)" }
    }

    private static let cases = [
        Case([:], nil, nil),
        Case(["LANG": ""], nil, nil),
        Case(["LANG": "C"], nil, nil),
        Case(["LANG": "POSIX"], nil, nil),
        Case(["LANG": "C.UTF-8", "LANGUAGE": "de"], nil, nil),
        Case(["LANGUAGE": "de"], nil, nil),
        Case(["LANG": "de_CH.UTF-8"], "de-CH", "CH"),
        Case(["LANG": "de_AT@euro"], "de-AT", "AT"),
        Case(["LANG": "eo"], "eo", nil),
        Case(["LANG": "en_US.UTF-8", "LC_ALL": "fr_BE"], "fr-BE", "BE"),
        Case(["LANG": "en_US.UTF-8", "LC_ALL": ""], "en-US", "US"),
        Case(["LANG": "en_US.UTF-8", "LC_ALL": "C"], nil, nil),
        Case(["LANG": "en_US.UTF-8", "LC_MESSAGES": "it_CH.UTF-8"], "it-CH", "US"),
        Case(["LANG": "en_US.UTF-8", "LC_ADDRESS": "de_CH.UTF-8"], "en-US", "CH"),
        Case(["LANG": "de_CH.UTF-8", "LANGUAGE": "rm_CH:de:en"], "rm-CH", "CH"),
        Case(["LANG": "de_CH.UTF-8", "LANGUAGE": ""], "de-CH", "CH"),
        Case(["LANG": "de_CH.UTF-8", "LANGUAGE": "C"], "de-CH", "CH"),
        Case(["LANG": "_"], nil, nil),
        Case(["LANG": "@euro"], nil, nil),
    ]

    @Test("language and country", arguments: cases)
    private func locale(_ locale: Case) {
        let found = POSIXLocale(locale.environment)
        #expect(found.language == locale.language)
        #expect(found.country == locale.country)
    }

    @Test(
        "what is no locale is not told, whatever it is",
        arguments: ["x y\r\nz", "/usr/share/locale", "de_\n", "_DE", "__"])
    func strange(text: String) {
        let description = DeviceDescription.system(["LANG": text])
        #expect(description.language == nil)
        #expect(description.country == nil)
    }
}
