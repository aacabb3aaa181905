import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Remote Config: versions of another service's template") struct TemplateImportTests {
    /// A version as Google answers it.
    private func version(_ number: Int, _ value: String = "red", condition: String = "device.os == 'ios'") -> String {
        """
        {"conditions":[{"name":"c","expression":"\(condition)","tagColor":"BLUE"}],
         "parameters":{"colour":{"defaultValue":{"value":"\(value)"},"conditionalValues":{"c":{"value":"x"}}}},
         "version":{"versionNumber":"\(number)","updateTime":"2026-0\(1 + number % 9)-03T04:05:06.789Z",
           "updateUser":{"email":"ann@example.com","imageUrl":"https://example.com/a.png"},"updateOrigin":"CONSOLE",
           "updateType":"FORCED_UPDATE","description":"made by hand"}}
        """
    }

    private func add(_ service: TestService, _ body: String, query: String = "") throws -> TestResponse {
        try service.config(.post, "namespaces/firebase/remoteConfig:importVersion\(query)", body)
    }

    @Test("Versions keep their numbers, times and authors, and the newest is the one that devices get")
    func history() throws {
        let service = try TestService()
        #expect(try add(service, version(300, "newest")).string("place") == "active")
        for number in [299, 298, 7] {
            let answer = try add(service, version(number, "value \(number)"))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.string("place") == "history")
        }
        let active = try service.config(.get, "remoteConfig")
        #expect(active.string("parameters.colour.defaultValue.value") == "newest")
        #expect(active.string("version.versionNumber") == "300")
        let old = try service.config(.get, "remoteConfig?versionNumber=299")
        #expect(old.string("parameters.colour.defaultValue.value") == "value 299")
        #expect(old.string("version.updateTime") == "2026-03-03T04:05:06.789000Z")
        #expect(old.string("version.updateUser.email") == "ann@example.com")
        #expect(old.string("version.updateOrigin") == "CONSOLE")
        #expect(old.string("version.updateType") == "FORCED_UPDATE")
        #expect(old.string("version.description") == "made by hand")
        let entry = try service.services.metadata.read { try $0.audit(project: "project-a", before: nil, limit: 1) }[0]
        #expect(entry.action == "config.import")
        #expect(entry.subject == "namespaces/firebase/versions/7")
        // The next change continues the numbers.
        let back = try service.config(.post, "remoteConfig:rollback?versionNumber=299")
        #expect(back.string("version.versionNumber") == "301")
        #expect(back.string("parameters.colour.defaultValue.value") == "value 299")
    }

    @Test("A version that is there already changes nothing, and another one with its number is refused")
    func twice() throws {
        let service = try TestService()
        #expect(try add(service, version(5)).string("place") == "active")
        #expect(try add(service, version(5)).string("place") == "unchanged")
        try add(service, version(5, "other")).expectRefusal(409, "ALREADY_EXISTS")
        #expect(try service.config(.get, "remoteConfig").string("parameters.colour.defaultValue.value") == "red")
    }

    @Test("A newer version replaces the active one only if the call says so")
    func activation() throws {
        let service = try TestService()
        try service.putTemplate(#"{"parameters":{"own":{"defaultValue":{"value":"1"}}}}"#)
        try add(service, version(9)).expectRefusal(400, "FAILED_PRECONDITION")
        #expect(try service.config(.get, "remoteConfig").string("parameters.own.defaultValue.value") == "1")
        #expect(try add(service, version(9), query: "?activate=true").string("place") == "active")
        #expect(try service.config(.get, "remoteConfig").string("parameters.colour.defaultValue.value") == "red")
    }

    @Test("The history takes conditions that nobody here understands; the active version does not")
    func conditions() throws {
        let service = try TestService()
        let refusal = try add(service, version(9, condition: "app.weather == 'fine'"))
        refusal.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(refusal.text.contains("conditions[0].expression"))
        #expect(try add(service, version(9)).string("place") == "active")
        #expect(try add(service, version(8, condition: "app.weather == 'fine'")).string("place") == "history")
        try service.config(.post, "remoteConfig:rollback?versionNumber=8").expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("A version without its facts is refused, with the place of what is wrong")
    func malformed() throws {
        let service = try TestService()
        for (body, field) in [
            ("{}", "version"),
            (#"{"version":{"updateTime":"2026-01-01T00:00:00Z"}}"#, "version.versionNumber"),
            (#"{"version":{"versionNumber":"0","updateTime":"2026-01-01T00:00:00Z"}}"#, "version.versionNumber"),
            (
                #"{"version":{"versionNumber":"9223372036854775807","updateTime":"2026-01-01T00:00:00Z"}}"#,
                "version.versionNumber"
            ),
            (#"{"version":{"versionNumber":"1"}}"#, "version.updateTime"),
            (#"{"version":{"versionNumber":"1","updateTime":"2999-01-01T00:00:00Z"}}"#, "version.updateTime"),
        ] {
            let answer = try add(service, body)
            answer.expectRefusal(400, "INVALID_ARGUMENT")
            #expect(answer.text.contains("\"\(field)\""), "\(answer.text)")
        }
        #expect(try service.config(.get, "remoteConfig").text == "{}")
    }

    @Test("An unknown origin or kind is no reason to refuse a version")
    func unknownStates() throws {
        let service = try TestService()
        let body = version(5).replacing("CONSOLE", with: "GEMINI").replacing("FORCED_UPDATE", with: "MERGE")
        #expect(try add(service, body).string("place") == "active")
        #expect(try service.config(.get, "remoteConfig").string("version.updateOrigin") == "REST_API")
    }
}
