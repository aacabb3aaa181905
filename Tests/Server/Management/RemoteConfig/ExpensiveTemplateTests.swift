import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Remote Config: what costs much") struct ExpensiveTemplateTests {
    /// Many conditions, each of which must be asked, and is met by nobody.
    private static func template(conditions: Int, _ expression: (Int) -> String) -> String {
        let all = (0..<conditions).map { #"{"name":"c\#($0)","expression":"\#(expression($0))"}"# }
        let values = (0..<conditions).map { #""c\#($0)":{"value":"v\#($0)"}"# }
        return #"{"conditions":[\#(all.joined(separator: ","))],"parameters":{"p":{"defaultValue":{"value":"usual"},"#
            + #""conditionalValues":{\#(values.joined(separator: ","))}}}}"#
    }

    /// Forty times twenty programs of some two thousand instructions.
    private static let tooLarge = template(conditions: 40) { number in
        let patterns = (0..<20).map { #"'[\\x{0}-\\x{10FFFF}]{300}\#(number) \#($0)'"# }.joined(separator: ",")
        return "app.userProperty['u'].matches([\(patterns)])"
    }

    /// A few expressions that many conditions ask.
    private static let dear = template(conditions: 300) { number in
        "app.userProperty['k\(number)'].matches(['(a?){200}[^b]{100}b'])"
    }

    /// Whether a fetch of a device with that property is worked out on the thread that took the request.
    private func isAnsweredAtOnce(_ service: TestService, _ value: String) throws -> Bool {
        let body = Array(#"{"appId":"x","analyticsUserProperties":{"u":"\#(value)"}}"#.utf8)
        let head = try RequestHead(
            method: .post, target: "/v1/projects/project-a/namespaces/firebase:fetch",
            headers: [
                "x-goog-api-key": service.a.apiKey, "x-ios-bundle-identifier": service.a.bundleID,
                "x-goog-firebase-installations-auth": try service.installationToken(service.a),
            ], contentLength: UInt64(body.count))
        guard case .buffered(_, let handle) = service.handler.plan(for: head) else {
            throw TestService.UnexpectedPlan()
        }
        switch handle(head, body) {
        case .respond: return true
        case .deferred: return false
        case .stream: throw TestService.UnexpectedPlan()
        }
    }

    @Test(
        "A template with too large expressions is refused, also when it is only a question",
        arguments: ["", "?validate_only=true"])
    func refused(query: String) throws {
        let service = try TestService()
        let answer = try service.config(.put, "remoteConfig\(query)", Self.tooLarge, ifMatch: "*")
        answer.expectRefusal(400, "INVALID_ARGUMENT")
        let message = try #require(answer.string("error.message"))
        #expect(message.contains("LIMIT_EXCEEDED: conditions[") && message.contains("The condition 'c"), "\(message)")
        #expect(message.contains("Write fewer or shorter ones"))
        #expect(try service.config(.get, "remoteConfig").headers["ETag"]?.hasSuffix("-0") == true)
    }

    @Test("What an older server took is served without the conditions that need too much, and the log names them")
    func stored() throws {
        let service = try TestService()
        try service.services.metadata.write { store in
            try store.insert(
                TemplateVersion(
                    projectID: "project-a", namespace: "firebase", number: 1, body: Self.tooLarge,
                    createdMicroseconds: TestClock.start.microseconds, createdBy: "x", description: ""))
        }
        for _ in 1...2 {
            let answer = try service.fetchAsIOS()
            #expect(answer.status == 200 && answer.string("entries.p") == "usual", "\(answer.text)")
            #expect(answer.string("templateVersion") == "1")
        }
        let lines = service.log.lines.filter { $0.contains("no device meets them") }
        #expect(lines.count == 1 && lines[0].hasPrefix("project 'project-a': "), "\(service.log.lines)")
        // It cannot be gone back to as if it was sound, and another one takes its place as ever.
        try service.putTemplate(#"{"parameters":{"p":{"defaultValue":{"value":"new"}}}}"#)
        #expect(try service.fetchAsIOS().string("entries.p") == "new")
        let back = try service.config(.post, "remoteConfig:rollback?versionNumber=1")
        back.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(back.string("error.message")?.contains("of version 1 cannot be used") == true, "\(back.text)")
    }

    @Test("A template whose row is damaged leaves the one before in its place")
    func damaged() throws {
        let service = try TestService()
        try service.putTemplate(#"{"parameters":{"p":{"defaultValue":{"value":"sound"}}}}"#)
        #expect(try service.fetchAsIOS().string("entries.p") == "sound")
        try service.services.metadata.write { store in
            try store.insert(
                TemplateVersion(
                    projectID: "project-a", namespace: "firebase", number: 2, body: "{", createdMicroseconds: 0,
                    createdBy: "x", description: ""))
        }
        #expect(try service.fetchAsIOS().string("entries.p") == "sound")
        #expect(service.log.lines.contains { $0.contains("template 2 cannot be read") }, "\(service.log.lines)")
    }

    @Test("An ordinary fetch is answered by the thread that took it, one that may take long is not")
    func threads() throws {
        let service = try TestService()
        try service.putTemplate(Self.template(conditions: 100) { "app.userProperty['u'].matches(['^pro \($0)'])" })
        #expect(try isAnsweredAtOnce(service, "pro 7"))
        try service.putTemplate(Self.dear)
        #expect(try !isAnsweredAtOnce(service, "a"))
        #expect(try service.fetchAsIOS().string("entries.p") == "usual")
    }

    @Test("A device is asked for less where the template asks for more than a fetch has, and the log says so once")
    func exhausted() throws {
        let service = try TestService()
        try service.putTemplate(Self.dear)
        let value = String(repeating: "a", count: 500)
        let properties = (0..<300).map { #""k\#($0)":"\#(value)""# }.joined(separator: ",")
        for _ in 1...2 {
            let answer = try service.fetchAsIOS(", analytics_user_properties:{\(properties)}")
            #expect(answer.status == 200 && answer.string("entries.p") == "usual", "\(answer.text)")
        }
        #expect(service.log.lines.filter { $0.contains("steps of one fetch") }.count == 1, "\(service.log.lines)")
        #expect(try service.fetchAsIOS().status == 200)
    }

    @Test("Too many calls that take long are told to come again; what is quick is answered all the same")
    func crowded() throws {
        let changes = try TestService(configure: { $0.limits.waitingChangesPerProject = 0 })
        try changes.config(.put, "remoteConfig", "{}", ifMatch: "*").expectRefusal(503, "UNAVAILABLE")
        #expect(try changes.admin(.get, "models").status == 200)
        let service = try TestService(configure: { $0.limits.waitingReadsPerProject = 0 })
        for answer in [
            try service.config(.get, "remoteConfig"), try service.admin(.get, "models"),
            try service.hearthAdmin(.get, "experiments"), try service.hearthAdmin(.get, "audit"),
        ] {
            answer.expectRefusal(503, "UNAVAILABLE")
            #expect(answer.headers["Retry-After"] == "5")
        }
        #expect(try service.config(.put, "remoteConfig", "{}", ifMatch: "*").status == 200)
        #expect(try service.fetchAsIOS().status == 200)
        let devices = try TestService(configure: { $0.limits.waitingFetchesPerProject = 0 })
        try devices.putTemplate(#"{"parameters":{"p":{"defaultValue":{"value":"usual"}}}}"#)
        #expect(try devices.fetchAsIOS().status == 200)
        try devices.putTemplate(Self.dear)
        let answer = try devices.fetchAsIOS()
        answer.expectRefusal(503, "UNAVAILABLE")
        #expect(answer.headers["Retry-After"] == "5")
    }

    @Test("Conditions of releases and experiments of a project have so much together")
    func projectLimit() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try service.makeVersion(id, FakeProbe.ok("2"))
        func condition(_ number: Int, _ count: Int = 4) -> String {
            let patterns = (0..<count).map { #"'[\\x{0}-\\x{10FFFF}]{300}\#(number) \#($0)'"# }.joined(separator: ",")
            return "app.version.matches([\(patterns)])"
        }
        func release(_ number: Int, _ count: Int = 4) throws -> TestResponse {
            try service.hearthAdmin(
                .post, "models/\(id)/releases",
                #"{"version":2,"share":0.5,"audience":{"condition":"\#(condition(number, count))"}}"#)
        }
        // One alone is too large: its own limit.
        let large = try release(0, 9)
        large.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(large.string("error.message")?.contains("may need together") == true, "\(large.text)")
        var made = 0
        for number in 0..<16 {
            let answer = try release(number)
            guard answer.status != 200 else {
                made += 1
                continue
            }
            answer.expectRefusal(400, "INVALID_ARGUMENT")
            #expect(answer.string("error.message")?.contains("End some of them") == true, "\(answer.text)")
        }
        #expect((9...12).contains(made), "\(made)")
        let experiment = TestService.twoVariantExperiment(more: #","audience":"\#(condition(99))""#)
        try service.makeExperiment(experiment, start: false)
        let started = try service.hearthAdmin(.post, "experiments/colours:start")
        started.expectRefusal(400, "INVALID_ARGUMENT")
        // What needs none has room.
        #expect(
            try service.hearthAdmin(
                .post, "models/\(id)/releases", #"{"version":2,"share":0.4,"audience":{"condition":"percent <= 10"}}"#
            ).status == 200)
    }
}
