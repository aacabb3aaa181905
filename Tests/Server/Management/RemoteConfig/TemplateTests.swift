import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Remote Config: templates") struct TemplateTests {
    private static let colours = #"""
        {"conditions":[{"name":"swiss","expression":"device.country in ['CH']","tagColor":"BLUE"}],
         "parameters":{"colour":{"defaultValue":{"value":"grey"},"conditionalValues":{"swiss":{"value":"red"}}}},
         "version":{"description":"first colours"}}
        """#

    private func etag(_ service: TestService, _ version: Int) -> String {
        "etag-\(service.a.project.number)-\(version)"
    }

    @Test("Before the first one there is an empty template of version 0")
    func empty() throws {
        let service = try TestService()
        let answer = try service.config(.get, "remoteConfig")
        #expect(answer.status == 200)
        #expect(answer.text == "{}")
        #expect(answer.headers["ETag"] == etag(service, 0))
    }

    @Test(
        "A namespace that is not there is refused before any of the body is read",
        arguments: ["remoteConfig", "remoteConfig:rollback"])
    func unknownNamespace(call: String) throws {
        let service = try TestService()
        let method: HTTPMethod = call == "remoteConfig" ? .put : .post
        let answer = try service.config(method, "namespaces/typo/\(call)", Self.colours, ifMatch: "*")
        #expect(answer.status == 404)
        #expect(answer.bodyBytesRead == 0)
    }

    @Test("What is put is what is got, with its version")
    func roundTrip() throws {
        let service = try TestService()
        let put = try service.config(.put, "remoteConfig", Self.colours, ifMatch: etag(service, 0))
        #expect(put.status == 200, "\(put.text)")
        #expect(put.headers["ETag"] == etag(service, 1))
        let got = try service.config(.get, "namespaces/firebase/remoteConfig")
        #expect(got.body == put.body)
        #expect(got.headers["ETag"] == etag(service, 1))
        #expect(got.string("version.versionNumber") == "1")
        #expect(got.string("version.description") == "first colours")
        #expect(got.string("version.updateType") == "INCREMENTAL_UPDATE")
        #expect(got.string("version.updateUser.email") == service.a.account.email)
        #expect(got.string("version.updateTime") == "2027-01-15T08:00:00.000123Z")
        #expect(got.string("parameters.colour.conditionalValues.swiss.value") == "red")
        #expect(try service.config(.get, "remoteConfig?versionNumber=1").body == got.body)
        // The number of the project names it too.
        let numbered = try service.call(
            .get, "/v1/projects/\(service.a.project.number)/remoteConfig",
            headers: ["Authorization": "Bearer \(try service.accessToken(service.a))"])
        #expect(numbered.body == got.body)
    }

    @Test("A change by somebody who saw an older template is refused")
    func concurrency() throws {
        let service = try TestService()
        try service.config(.put, "remoteConfig", Self.colours)
            .expectRefusal(412, "FAILED_PRECONDITION")
        #expect(try service.config(.put, "remoteConfig", Self.colours, ifMatch: etag(service, 0)).status == 200)
        let stale = try service.config(.put, "remoteConfig", "{}", ifMatch: etag(service, 0))
        stale.expectRefusal(412, "FAILED_PRECONDITION")
        #expect(stale.string("error.message")?.hasPrefix("[VERSION_MISMATCH]: ") == true)
        let forced = try service.config(.put, "remoteConfig", "{}", ifMatch: "*")
        #expect(forced.string("version.updateType") == "FORCED_UPDATE")
        #expect(
            try service.config(.put, "remoteConfig", Self.colours, ifMatch: "\"\(etag(service, 2))\"").status == 200)
    }

    @Test("A question whether it is valid changes nothing")
    func validation() throws {
        let service = try TestService()
        for name in ["validateOnly", "validate_only"] {
            let answer = try service.config(.put, "remoteConfig?\(name)=true", Self.colours, ifMatch: "*")
            #expect(answer.status == 200)
            #expect(answer.headers["ETag"] == etag(service, 0))
            #expect(answer.string("parameters.colour.defaultValue.value") == "grey")
        }
        #expect(try service.config(.get, "remoteConfig").text == "{}")
        let wrong = #"{"conditions":[{"name":"c","expression":"device.country == 'CH'"}]}"#
        let answer = try service.config(.put, "remoteConfig?validateOnly=true", wrong, ifMatch: "*")
        answer.expectRefusal(
            400, "INVALID_ARGUMENT",
            "[VALIDATION_ERROR]: INVALID_CONDITION: conditions[0].expression: Column 16: Expected 'in', found '=='.")
    }

    @Test("The refusal of a condition names the condition, the field and the column of the first wrong character")
    func placeOfAnError() throws {
        let service = try TestService()
        func violation(_ expression: String, ofServer: Bool = false) throws -> [String: Any] {
            let json =
                #"{"conditions":[{"name":"all","expression":"true"},{"name":"swiss 1","expression":"\#(expression)"}]}"#
            let namespace = ofServer ? "firebase-server" : "firebase"
            let answer = try service.config(.put, "namespaces/\(namespace)/remoteConfig", json, ifMatch: "*")
            answer.expectRefusal(400, "INVALID_ARGUMENT")
            let detail = (answer["error.details"] as? [[String: Any]])?.first
            return try #require((detail?["fieldViolations"] as? [[String: Any]])?.first)
        }
        let wrong = try violation("device.country == 'CH'")
        #expect(wrong["field"] as? String == "conditions[1].expression")
        #expect(wrong["condition"] as? String == "swiss 1" && wrong["column"] as? Int == 16)
        // Past the end.
        #expect(try violation("percent <=")["column"] as? Int == 11)
        // A character is one column, however many bytes it has.
        #expect(try violation("device.country in ['é', 'ü'] x")["column"] as? Int == 30)
        // Above the limits.
        let large = try violation("app.version.matches(['(a{900}){900}'])")
        #expect(large["condition"] as? String == "swiss 1" && large["column"] != nil)
        // What is right as such, and wrong here, has no column.
        let device = try violation("device.os == 'ios'", ofServer: true)
        #expect(device["condition"] as? String == "swiss 1" && device["column"] == nil)
    }

    @Test("What would be lost without a word is refused: a key that no template has, a key twice")
    func keys() throws {
        let service = try TestService()
        for (json, place) in [
            (
                #"{"parameters":{"a":{"defaultValue":{"value":"1"},"type":"NUMBER"}}}"#,
                "UNKNOWN_FIELD: parameters.a.type"
            ),
            (#"{"parameters":{"a":{}, "a":{"defaultValue":{"value":"1"}}}}"#, "DUPLICATE_KEY: parameters.a"),
        ] {
            let answer = try service.config(.put, "remoteConfig", json, ifMatch: "*")
            #expect(answer.status == 400)
            #expect(
                answer.string("error.message")?.hasPrefix("[VALIDATION_ERROR]: \(place): ") == true, "\(answer.text)")
        }
        #expect(try service.config(.get, "remoteConfig").text == "{}")
    }

    @Test(
        "JSON that only this server could read is refused; what was stored before is served until its parameter changes"
    )
    func strictJSON() throws {
        let service = try TestService()
        func template(_ list: String, _ other: String) -> String {
            #"{"parameters":{"list":{"defaultValue":{"value":"\#(list)"},"valueType":"JSON"},"other":{"defaultValue":{"value":"\#(other)"}}}}"#
        }
        let refused = try service.config(.put, "remoteConfig", template("[1,]", "a"), ifMatch: "*")
        refused.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(
            refused.string("error.message")?.contains(
                "parameters.list.defaultValue: The value is not JSON (line 1, column 4: a comma stands before ])")
                == true)
        try service.services.metadata.write { store in
            try store.insert(
                TemplateVersion(
                    projectID: service.a.project.id, namespace: "firebase", number: 1, body: template("[1,]", "a"),
                    createdMicroseconds: service.time.now.microseconds, createdBy: "an older server", description: ""))
        }
        #expect(try service.fetchAsIOS().string("entries.list") == "[1,]")
        let kept = try service.config(.put, "remoteConfig", template("[1,]", "b"), ifMatch: etag(service, 1))
        #expect(kept.status == 200, "\(kept.text)")
        #expect(try service.fetchAsIOS().string("entries.other") == "b")
        try service.config(.put, "remoteConfig", template("[1,2,]", "b"), ifMatch: etag(service, 2))
            .expectRefusal(400, "INVALID_ARGUMENT")
        #expect(try service.config(.put, "remoteConfig", template("[1]", "b"), ifMatch: etag(service, 2)).status == 200)
        let back = try service.config(.post, "remoteConfig:rollback?versionNumber=1")
        back.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(back.text.contains("parameters.list.defaultValue") && back.text.contains("a comma stands before ]"))
        #expect(try service.fetchAsIOS().string("entries.list") == "[1]")
    }

    @Test("A rollback that leaves a value of a former rule as it is needs no repair of it")
    func rollbackOfOtherParameters() throws {
        let service = try TestService()
        let list = #""list":{"defaultValue":{"value":"[1,]"},"valueType":"JSON"}"#
        for (number, other) in [(1, "a"), (2, "b")] {
            let body = #"{"parameters":{\#(list),"other":{"defaultValue":{"value":"\#(other)"}}}}"#
            try service.services.metadata.write { store in
                try store.insert(
                    TemplateVersion(
                        projectID: service.a.project.id, namespace: "firebase", number: Int64(number), body: body,
                        createdMicroseconds: service.time.now.microseconds, createdBy: "an older server",
                        description: ""))
            }
        }
        let back = try service.config(.post, "remoteConfig:rollback?versionNumber=1")
        #expect(back.status == 200, "\(back.text)")
        let entries = try service.fetchAsIOS()
        #expect(entries.string("entries.list") == "[1,]" && entries.string("entries.other") == "a")
    }

    @Test(
        "A template that is not JSON for every reader is refused with its place, and nothing of it gets lost",
        arguments: [
            (#"{"conditions":[{"name":"a","expression":"true"},],"parameters":{}}"#, "line 1, column 49: a comma"),
            ("{\"parameters\":{\n},}", "line 2, column 3: a comma stands before }"),
            ("\u{FEFF}{}", "line 1, column 1: an invisible byte order mark"),
        ])
    func strictTemplate(json: String, place: String) throws {
        let service = try TestService()
        let refused = try service.config(.put, "remoteConfig", json, ifMatch: "*")
        refused.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(
            refused.string("error.message")?.hasPrefix("The body is not a Remote Config template in JSON: \(place)")
                == true, "\(refused.text)")
        #expect(try service.config(.get, "remoteConfig").text == "{}")
    }

    @Test("A rollback is a new version with the old content")
    func rollback() throws {
        let service = try TestService()
        try service.putTemplate(Self.colours)
        try service.putTemplate("{}")
        let back = try service.config(.post, "remoteConfig:rollback", #"{"versionNumber":"1"}"#)
        #expect(back.status == 200, "\(back.text)")
        #expect(back.headers["ETag"] == etag(service, 3))
        #expect(back.string("version.updateType") == "ROLLBACK")
        #expect(back.string("version.rollbackSource") == "1")
        #expect(back.string("version.description") == "Rollback to version 1")
        #expect(back.string("parameters.colour.defaultValue.value") == "grey")
        let byQuery = try service.config(.post, "remoteConfig:rollback?versionNumber=2")
        #expect(byQuery.string("version.versionNumber") == "4")
        try service.config(.post, "remoteConfig:rollback?versionNumber=9").expectRefusal(404, "NOT_FOUND")
        try service.config(.post, "remoteConfig:rollback?version_number=abc").expectRefusal(
            400, "INVALID_ARGUMENT", "Invalid value at 'version_number' (TYPE_INT64), \"abc\"")
    }

    @Test("Versions are listed, newest first, page by page")
    func versions() throws {
        let service = try TestService()
        #expect(try service.config(.get, "remoteConfig:listVersions").text == "{}")
        for _ in 1...5 {
            try service.putTemplate(Self.colours)
            service.time.advance(seconds: 60)
        }
        func numbers(_ query: String) throws -> ([String], String?) {
            let answer = try service.config(.get, "remoteConfig:listVersions?\(query)")
            let versions = answer["versions"] as? [[String: Any]] ?? []
            return (versions.compactMap { $0["versionNumber"] as? String }, answer.string("nextPageToken"))
        }
        #expect(try numbers("pageSize=2") == (["5", "4"], "4"))
        #expect(try numbers("pageSize=2&pageToken=4") == (["3", "2"], "2"))
        #expect(try numbers("pageSize=2&pageToken=2") == (["1"], nil))
        #expect(try numbers("endVersionNumber=3").0 == ["3", "2", "1"])
        #expect(try numbers("startTime=2027-01-15T08:01:00Z&endTime=2027-01-15T08:03:00Z").0 == ["3", "2"])
        #expect(try numbers("startTime=2027-01-15T08:03:00Z&endTime=2027-01-15T08:01:00Z").0 == [])
    }

    @Test("Of more than 300 versions and of old ones only the newest stay")
    func pruning() throws {
        let service = try TestService()
        for _ in 1...302 { try service.putTemplate("{}") }
        func oldest() throws -> Int64? {
            try service.services.metadata.read {
                try $0.templateHistory(
                    project: "project-a", namespace: "firebase", before: nil, madeIn: .min..<(.max), limit: 1000)
            }.last?.number
        }
        #expect(try oldest() == 3)
        service.time.advance(seconds: 91 * 86_400)
        #expect(try oldest() == 3, "the active one stays, and nothing is removed before the next change")
        try service.putTemplate("{}")
        #expect(try oldest() == 303)
    }

    @Test("Defaults come in three forms")
    func defaults() throws {
        let service = try TestService()
        try service.putTemplate(Self.colours)
        let json = try service.config(.get, "remoteConfig:downloadDefaults?format=JSON")
        #expect(json.text == #"{"colour":"grey"}"#)
        #expect(json.headers["Content-Type"] == "application/json; charset=utf-8")
        #expect(try service.config(.get, "remoteConfig:downloadDefaults?format=xml").text.contains("<key>colour</key>"))
        #expect(
            try service.config(.get, "remoteConfig:downloadDefaults?format=PLIST").text.contains(
                "<string>grey</string>"))
        try service.config(.get, "remoteConfig:downloadDefaults").expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("Servers get their own template, with conditions as trees")
    func serverTemplate() throws {
        let service = try TestService()
        try service.putTemplate(
            #"{"conditions":[{"name":"c","expression":"percent('s') <= 25"}],"parameters":{"p":{"defaultValue":{"value":"v"},"conditionalValues":{"c":{"value":"w"}}}}}"#,
            namespace: "firebase-server")
        let answer = try service.config(.get, "namespaces/firebase-server/serverRemoteConfig")
        #expect(answer.headers["ETag"] == etag(service, 1))
        #expect(answer.string("parameters.p.conditionalValues.c.value") == "w")
        #expect(
            answer.text.contains(#""percent":{"microPercent":25000000,"percentOperator":"LESS_OR_EQUAL","seed":"s"}"#))
        #expect(try service.config(.get, "remoteConfig").text == "{}", "the devices' template is another one")
        try service.config(.get, "namespaces/firebase/serverRemoteConfig").expectRefusal(404, "NOT_FOUND")
        try service.config(.get, "namespaces/nothing/remoteConfig").expectRefusal(404, "NOT_FOUND")
    }

    @Test("Every change is in the audit log, and other projects' templates are out of reach")
    func audit() throws {
        let service = try TestService()
        try service.putTemplate(Self.colours)
        let entries = try service.services.metadata.read { try $0.audit(project: "project-a", before: nil, limit: 1) }
        #expect(entries.map(\.action) == ["config.update"])
        #expect(entries.map(\.subject) == ["namespaces/firebase/versions/1"])
        try service.config(.get, "remoteConfig", token: service.accessToken(service.b)).expectRefusal(
            403, "PERMISSION_DENIED")
        #expect(try service.config(.get, "remoteConfig", as: service.b).text == "{}")
    }
}
