import Testing

@testable import HearthApp

@Suite("What a device tells")
struct DeviceDescriptionTests {
    /// The code of the error; nil when it was accepted. What was there before stays.
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

    /// What would end a header's line, or begin another one, and what is merely too long or foreign.
    private static let hostileTexts = [
        "", " ", "a b", "a,b", "a\r\nx-evil: 1", "a\n", "a\0", "a\u{7F}", "é", "a\u{301}", "\u{202E}a", "１.２", "a;q=1",
        String(repeating: "a", count: 65), String(repeating: "é", count: 100_000), "de-DE\r\n",
    ]

    @Test("nothing that could end a header's line can be told", arguments: hostileTexts)
    func hostile(text: String) {
        #expect(code { (device) throws(DeviceDescriptionError) in try device.setAppVersion(text) } == .badAppVersion)
        #expect(code { (device) throws(DeviceDescriptionError) in try device.setLanguage(text) } == .badLanguage)
        #expect(code { (device) throws(DeviceDescriptionError) in try device.setCountry(text) } == .badCountry)
        #expect(code { (device) throws(DeviceDescriptionError) in try device.setTags(["a", text]) } == .badTag)
    }

    @Test("versions that compare with nothing", arguments: [".", "1.", ".1", "1..2", "v1", "1.2-beta", "-1", "1e3"])
    func versions(text: String) {
        #expect(code { (device) throws(DeviceDescriptionError) in try device.setAppVersion(text) } == .badAppVersion)
    }

    @Test(
        "the longest that is told, and one more",
        arguments: [
            (String(repeating: "9", count: 18), true), (String(repeating: "9", count: 19), false),
            (String(repeating: "1.", count: 31) + "22", true), (String(repeating: "1.", count: 31) + "223", false),
        ])
    func longVersions(text: String, isGood: Bool) {
        let code = code { (device) throws(DeviceDescriptionError) in try device.setAppVersion(text) }
        #expect((code == nil) == isGood)
    }

    @Test("languages by BCP 47, also as some systems write them")
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

    @Test("countries have two letters and are told in capitals")
    func countries() throws {
        var device = DeviceDescription()
        try device.setCountry("ch")
        #expect(device.country == "CH")
        for text in ["C", "CHE", "41", "C1"] {
            #expect(code { (device) throws(DeviceDescriptionError) in try device.setCountry(text) } == .badCountry)
        }
    }

    @Test("sixteen tags, each once and in order; the limit counts different ones")
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

    @Test("as headers, and back; what is not known has none")
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

    @Test("what no device sends is read as not told")
    func strangeHeaders() {
        let device = DeviceDescription(header: { _ in "a b" })
        #expect(device.appVersion == nil && device.language == nil && device.country == nil && device.tags.isEmpty)
        #expect(DeviceDescription(header: { _ in nil }).headers.isEmpty)
    }

    #if os(Linux)
        @Test("the system's name")
        func system() {
            #expect(DeviceDescription().operatingSystem == "linux")
        }
    #endif

    @Test("what the bundle and the user's settings say, as far as it can be told")
    func found() {
        let device = DeviceDescription.found(appVersion: "2.1", language: "de_CH", country: "CH")
        #expect(device.appVersion == "2.1" && device.language == "de-CH" && device.country == "CH")
        let strange = DeviceDescription.found(appVersion: "2.1 (beta)", language: "", country: "419")
        #expect(strange == DeviceDescription())
    }
}
