import Dispatch
import HearthTestSupport
import Testing

@testable import HearthApp

@Suite("The description of a device")
struct DeviceDescriptionTests {
    /// The code of the error; nil when the text was accepted. After an error, the old value stays.
    private func code(
        _ change: (inout DeviceDescription) throws(DeviceDescriptionError) -> Void
    ) -> DeviceDescriptionError.Code? {
        var description = DeviceDescription()
        do throws(DeviceDescriptionError) {
            try description.setAppVersion("1")
            try description.setLanguage("de")
            try description.setCountry("CH")
            try description.setTags(["old"])
            let before = description
            do throws(DeviceDescriptionError) {
                try change(&description)
                return nil
            } catch {
                #expect(description == before)
                #expect(error.message.allSatisfy { $0.isASCII && !$0.isNewline }, "\(error)")
                #expect(error.message.count < 500)
                return error.code
            }
        } catch {
            Issue.record(error)
            return nil
        }
    }

    /// Texts that would end a header line or begin another one, and texts that are only too long or malformed.
    private static let hostileTexts = [
        "", " ", "a b", "a,b", "a\r\nx-evil: 1", "a\n", "a\0", "a\u{7F}", "é", "a\u{301}", "\u{202E}a", "１.２", "a;q=1",
        String(repeating: "a", count: 65), String(repeating: "é", count: 100_000), "de-DE\r\n",
    ]

    @Test("No text can end a header line", arguments: hostileTexts)
    func hostile(text: String) {
        #expect(code { (device) throws(DeviceDescriptionError) in try device.setAppVersion(text) } == .badAppVersion)
        #expect(code { (device) throws(DeviceDescriptionError) in try device.setLanguage(text) } == .badLanguage)
        #expect(code { (device) throws(DeviceDescriptionError) in try device.setCountry(text) } == .badCountry)
        #expect(code { (device) throws(DeviceDescriptionError) in try device.setTags(["a", text]) } == .badTag)
    }

    @Test("Versions that cannot be compared", arguments: [".", "1.", ".1", "1..2", "v1", "1.2-beta", "-1", "1e3"])
    func versions(text: String) {
        #expect(code { (device) throws(DeviceDescriptionError) in try device.setAppVersion(text) } == .badAppVersion)
    }

    @Test(
        "The longest texts, and one character more",
        arguments: [
            (String(repeating: "9", count: 18), true), (String(repeating: "9", count: 19), false),
            (String(repeating: "1.", count: 31) + "22", true), (String(repeating: "1.", count: 31) + "223", false),
        ])
    func longVersions(text: String, isGood: Bool) {
        let code = code { (device) throws(DeviceDescriptionError) in try device.setAppVersion(text) }
        #expect((code == nil) == isGood)
    }

    @Test("Languages are BCP 47 tags, also as some systems write them")
    func languages() throws {
        var device = DeviceDescription()
        for (text, told) in [
            ("de", "de"), ("pt-BR", "pt-BR"), ("de_CH", "de-CH"), ("zh-Hant-TW", "zh-Hant-TW"), ("es-419", "es-419"),
            ("gsw", "gsw"), ("de-" + "CH-abcdefgh-abcdefgh-abcdefgh-ab", "de-CH-abcdefgh-abcdefgh-abcdefgh-ab"),
        ] {
            try device.setLanguage(text)
            #expect(device.language == told)
        }
        for text in ["d", "1a", "de-", "-de", "de--CH", "de-abcdefghi", "de-CH-abcdefgh-abcdefgh-abcdefgh-abc", "_"] {
            let code = code { (device) throws(DeviceDescriptionError) in try device.setLanguage(text) }
            #expect(code == .badLanguage, "\(text)")
        }
    }

    @Test("Countries have two letters and are sent in capitals")
    func countries() throws {
        var device = DeviceDescription()
        try device.setCountry("ch")
        #expect(device.country == "CH")
        for text in ["C", "CHE", "41", "C1"] {
            #expect(code { (device) throws(DeviceDescriptionError) in try device.setCountry(text) } == .badCountry)
        }
    }

    @Test("Sixteen different tags, each once and in order")
    func tags() throws {
        var device = DeviceDescription()
        try device.setTags(["b", "a", "b", "A", "x-1_Y", String(repeating: "z", count: 32)])
        #expect(device.tags == ["b", "a", "A", "x-1_Y", String(repeating: "z", count: 32)])
        let most = (0..<16).map { "tag\($0)" }
        try device.setTags(most + most)
        #expect(device.tags == most)
        #expect(
            code { (device) throws(DeviceDescriptionError) in try device.setTags(most + ["one-more"]) } == .tooManyTags)
        #expect(
            code { (device) throws(DeviceDescriptionError) in
                try device.setTags([String(repeating: "z", count: 33)])
            } == .badTag)
    }

    @Test("The description as headers and back; unknown values have no header")
    func headers() throws {
        #expect(DeviceDescription().headers.map(\.0) == ["x-hearth-os"])
        var device = DeviceDescription()
        try device.setAppVersion("2.10.0")
        try device.setLanguage("de_CH")
        try device.setCountry("CH")
        try device.setTags(["beta", "kiosk"])
        let headers = Dictionary(uniqueKeysWithValues: device.headers)
        #expect(headers["x-hearth-app-version"] == "2.10.0")
        #expect(headers["x-hearth-language"] == "de-CH")
        #expect(headers["x-hearth-country"] == "CH")
        #expect(headers["x-hearth-tags"] == "beta,kiosk")
        #expect(DeviceDescription(header: { headers[$0] }) == device)
        try device.setTags([])
        try device.setAppVersion(nil)
        try device.setLanguage(nil)
        try device.setCountry(nil)
        #expect(device == DeviceDescription())
    }

    @Test("A value that a device cannot send is ignored")
    func strangeHeaders() {
        let device = DeviceDescription(header: { _ in "a b" })
        #expect(device.appVersion == nil && device.language == nil && device.country == nil && device.tags.isEmpty)
        #expect(DeviceDescription(header: { _ in nil }).headers.isEmpty)
    }

    #if os(Linux)
        @Test("The system's name")
        func system() {
            #expect(DeviceDescription().operatingSystem == "linux")
        }
    #endif

    @Test("The values of the bundle and of the user's settings, without the malformed ones")
    func found() {
        let device = DeviceDescription.found(appVersion: "2.1", language: "de_CH", country: "CH")
        #expect(device.appVersion == "2.1" && device.language == "de-CH" && device.country == "CH")
        let strange = DeviceDescription.found(appVersion: "2.1 (beta)", language: "", country: "419")
        #expect(strange == DeviceDescription())
    }
}

@Suite("An app's description of its device")
struct AppDescriptionTests {
    private let device: TestDevice

    init() throws { device = try TestDevice() }

    private func configure(_ name: String) -> FirebaseApp {
        var environment = device.environment()
        environment.description = .found(appVersion: "2.1", language: "de-CH", country: "CH")
        return FirebaseApp.configure(name: name, options: TestDevice.options(), environment: environment)
    }

    @Test("The system's values at first, then those of the app; another app keeps its own")
    func changes() async throws {
        let app = configure("description-1")
        let other = configure("description-2")
        #expect(app.deviceDescription.appVersion == "2.1")
        try app.deviceDescription.setTags(["beta"])
        try app.deviceDescription.setLanguage(nil)
        #expect(app.reportedDescription.tags == ["beta"])
        #expect(app.reportedDescription.language == nil)
        #expect(other.reportedDescription.tags.isEmpty)
        #expect(other.reportedDescription.language == "de-CH")
        for app in [app, other] { await app.delete() }
    }

    @Test("Without the user's permission, neither language nor country is sent; the other values are")
    func dataCollection() async throws {
        let app = configure("description-3")
        try app.deviceDescription.setTags(["kiosk"])
        app.isDataCollectionDefaultEnabled = false
        let told = app.reportedDescription
        #expect(told.language == nil && told.country == nil)
        #expect(told.appVersion == "2.1" && told.tags == ["kiosk"])
        #expect(app.deviceDescription.country == "CH", "it is kept, and sent again with permission")
        app.isDataCollectionDefaultEnabled = true
        #expect(app.reportedDescription == app.deviceDescription)
        await app.delete()
    }

    @Test("Many threads read and write the description: each reads one that a thread wrote")
    func threads() async throws {
        let app = configure("description-4")
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            var description = DeviceDescription()
            try? description.setTags(["tag\(number)"])
            try? description.setAppVersion("\(number)")
            app.deviceDescription = description
            let seen = app.deviceDescription
            #expect(seen.tags == ["tag\(seen.appVersion ?? "")"])
        }
        await app.delete()
    }
}

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

    @Test("Language and country", arguments: cases)
    private func locale(_ locale: Case) {
        let found = POSIXLocale(locale.environment)
        #expect(found.language == locale.language)
        #expect(found.country == locale.country)
    }

    @Test(
        "Malformed locales are not sent",
        arguments: ["x y\r\nz", "/usr/share/locale", "de_\n", "_DE", "__"])
    func strange(text: String) {
        let description = DeviceDescription.system(["LANG": text])
        #expect(description.language == nil)
        #expect(description.country == nil)
    }
}
