import HearthHTTP
import HearthIdentity
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Which devices get a release") struct ReleaseAudienceTests {
    private let service: TestService
    private let id: String

    init() throws {
        service = try TestService { $0.countryHeader = "cf-ipcountry" }
        id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try service.makeVersion(id, FakeProbe.ok("2"))
    }

    /// Which version a device with these headers gets.
    private func version(_ headers: HTTPHeaders) throws -> String? {
        var all: HTTPHeaders = ["x-goog-firebase-installations-auth": try service.installationToken(service.a)]
        for field in headers { all.add(field.name, field.value) }
        let answer = try service.call(
            .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)", headers: all)
        return answer.headers["X-Hearth-Model-Version"]
    }

    private func release(_ audience: String) throws {
        let answer = try service.hearthAdmin(.post, "models/\(id)/releases", #"{"audience":\#(audience)}"#)
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test("Each fact decides; what is missing or malformed counts as not said")
    func facts() throws {
        try release(
            #"{"appVersionFrom":"2.10","operatingSystems":["linux"],"languages":["de"],"countries":["CH"],"tags":["beta"]}"#
        )
        let full = [
            ("x-hearth-app-version", "2.10.1"), ("x-hearth-os", "Linux"), ("x-hearth-language", "de-CH"),
            ("x-hearth-country", "ch"), ("x-hearth-tags", "kiosk, beta"),
        ]
        func headers(_ change: (inout [(String, String)]) -> Void = { _ in }) -> HTTPHeaders {
            var fields = full
            change(&fields)
            var headers: HTTPHeaders = [:]
            for (name, value) in fields { headers.add(name, value) }
            return headers
        }
        #expect(try version(headers()) == "2")
        for index in full.indices {
            #expect(try version(headers { $0.remove(at: index) }) == "1", "without \(full[index].0)")
            for value in ["", " ", "x", "🔥", String(repeating: "9", count: 5000)] {
                #expect(try version(headers { $0[index].1 = value }) == "1", "\(full[index].0): \(value.prefix(9))")
            }
        }
        #expect(try version([:]) == "1")
    }

    @Test(
        "Without a word on the language, Accept-Language has it; of other makers' clients, the app's header the system")
    func fallbacks() throws {
        try release(#"{"operatingSystems":["android"],"languages":["fr"]}"#)
        #expect(try version(["X-Android-Package": "x", "Accept-Language": "en;q=0.1, fr-CA;q=0.9"]) == "2")
        #expect(try version(["X-Android-Package": "x", "Accept-Language": "en, fr"]) == "1")
        #expect(try version(["x-ios-bundle-identifier": "x", "Accept-Language": "fr"]) == "1")
        #expect(
            try version(["x-hearth-os": "android", "x-ios-bundle-identifier": "x", "Accept-Language": "fr"]) == "2")
    }

    @Test(
        "Accepted languages, most wanted first",
        arguments: [
            ("", []), ("de", ["de"]), ("de-CH, de;q=0.9, en;q=0.8, *;q=0.5", ["de-CH", "de", "en"]),
            ("en;q=0.5,fr;q=0.7,de;q=0.7", ["fr", "de", "en"]), ("en;q=0, de;q=x, fr;q=nan", []), (",,;;", []),
            ("en;q=-1", []), (String(repeating: "a", count: 100), []),
        ])
    func acceptLanguage(header: String, expected: [String]) {
        #expect(DeviceHeaders.acceptedLanguages(header) == expected)
    }

    @Test("A country header counts only from a proxy that is trusted")
    func proxyCountry() throws {
        try release(#"{"countries":["CH"]}"#)
        #expect(try version(["cf-ipcountry": "CH"]) == "1")
        #expect(try version(["x-hearth-country": "CH"]) == "2")
    }

    @Test("A paused release stays with the devices that have it, and nobody else gets it")
    func paused() throws {
        let answer = try service.hearthAdmin(.post, "models/\(id)/releases", #"{"audience":{"tags":["beta"]}}"#)
        let number = try #require(answer["release"] as? Int)
        #expect(try version(["x-hearth-tags": "beta"]) == "2")
        #expect(try service.hearthAdmin(.post, "models/\(id)/releases/\(number):pause").status == 200)
        #expect(try version(["x-hearth-tags": "beta"]) == "1")
        let second = hash(FakeProbe.ok("2"))
        for tag in [second, "\"\(second)\"", "W/\"\(second)\", \"x\""] {
            #expect(try version(["x-hearth-tags": "beta", "If-None-Match": tag]) == "2")
        }
        #expect(try version(["x-hearth-tags": "beta", "If-None-Match": hash(FakeProbe.ok("1"))]) == "1")
    }
}
