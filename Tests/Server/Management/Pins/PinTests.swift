import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Pins") struct PinTests {
    private let service: TestService
    private let id: String

    init() throws {
        service = try TestService()
        id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try service.makeVersion(id, FakeProbe.ok("2"))
        try service.makeVersion(id, FakeProbe.ok("3"))
        let installation = TestService.installation(service.a)
        try service.services.metadata.write { try $0.insert(installation) }
    }

    private let own = #""installation":"\#(TestService.fid)""#

    private func pin(_ json: String) throws -> TestResponse {
        try service.hearthAdmin(.post, "models/\(id):pin", "{\(json)}")
    }

    private func ask(tags: String? = nil, as fid: String = TestService.fid) throws -> TestResponse {
        var headers: HTTPHeaders = [
            "x-goog-firebase-installations-auth": try service.installationToken(fid),
            "x-ios-bundle-identifier": service.a.bundleID,
        ]
        headers["x-hearth-tags"] = tags
        return try service.call(
            .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)", headers: headers)
    }

    private func version(tags: String? = nil, as fid: String = TestService.fid) throws -> String? {
        try ask(tags: tags, as: fid).headers["x-hearth-model-version"]
    }

    @Test("A pinned installation gets its version before any release, and only that installation")
    func installation() throws {
        let made = try pin("\(own),\"version\":2")
        #expect(made.status == 200 && made["version"] as? Int == 2)
        #expect(made.string("installation")?.hasPrefix("device:") == true)
        #expect(!made.text.contains(TestService.fid), "an id is as good as a password")
        #expect(try version() == "2")
        #expect(try version(as: TestService.fids(1)[0]) == "1")
        #expect(try service.hearthAdmin(.post, "models/\(id)/releases", #"{"version":3}"#).status == 200)
        #expect(try version() == "2")
        #expect(try pin("\(own),\"version\":1").status == 200)
        #expect(try version() == "1")
        _ = try service.publish(id, false)
        #expect(try version() == "1", "a pin needs no release")
        try ask(as: TestService.fids(1)[0]).expectRefusal(404, "NOT_FOUND")
    }

    @Test("Of the tags of a device the newest pin holds; the pin of its installation holds before them")
    func tags() throws {
        #expect(try pin(#""tag":"qa","version":2"#).status == 200)
        service.time.advance(seconds: 1)
        #expect(try pin(#""tag":"lab","version":3"#).status == 200)
        #expect(try version() == "1")
        #expect(try version(tags: "qa") == "2")
        #expect(try version(tags: "qa,lab") == "3")
        #expect(try pin("\(own),\"version\":1").status == 200)
        #expect(try version(tags: "qa,lab") == "1")
    }

    @Test("The list, and removal by id, by the listed name, and by tag, all in the audit log without ids")
    func list() throws {
        _ = try pin("\(own),\"version\":2")
        service.time.advance(seconds: 1)
        _ = try pin(#""tag":"qa","version":3"#)
        let listed = try WireJSON.decode(
            PinBodies.List.self, from: service.hearthAdmin(.get, "models/\(id)/pins").body)
        #expect(listed.pins?.map(\.version) == [3, 2])
        let name = try #require(listed.pins?.last?.installation)
        func unpin(_ json: String) throws -> TestResponse {
            try service.hearthAdmin(.post, "models/\(id):unpin", json)
        }
        #expect(try unpin(#"{"installation":"\#(name)"}"#)["version"] as? Int == 2)
        try unpin("{\(own)}").expectRefusal(404, "NOT_FOUND", "There is no such pin.")
        _ = try pin("\(own),\"version\":2")
        #expect(try unpin("{\(own)}").status == 200)
        #expect(try unpin(#"{"tag":"qa"}"#).status == 200)
        #expect(try version(tags: "qa") == "1")
        #expect(try service.hearthAdmin(.get, "models/\(id)/pins").text == "{}")
        let entries = try service.services.metadata.read { try $0.audit(project: "project-a", before: nil, limit: 6) }
        #expect(
            entries.map { "\($0.action) \($0.detail)" }.reversed() == [
                "release.pin \(name): version 2", "release.pin tag qa: version 3", "release.unpin \(name)",
                "release.pin \(name): version 2", "release.unpin \(name)", "release.unpin tag qa",
            ])
    }

    @Test(
        "What cannot be pinned",
        arguments: [
            (#""version":2"#, 400, "Give the id of an installation, or a tag."),
            (#""tag":"qa","installation":"x","version":2"#, 400, "Give the id of an installation, or a tag."),
            (#""tag":"q a","version":2"#, 400, "A tag has 1 to 32 letters, digits, hyphens or underscores."),
            (
                #""installation":"unknown","version":2"#, 404,
                "The server knows no installation with this id in the project 'project-a'. 'unknown' is not an id of an "
                    + "installation: it has 7 characters, and such an id has 22 letters, digits, hyphens or underscores, "
                    + "and begins with c, d, e or f."
            ),
            (#""tag":"qa","version":9"#, 404, "The model 'flowers' has no version 9."),
        ])
    func refused(json: String, status: Int, message: String) throws {
        let answer = try pin(json)
        #expect(answer.status == status && answer.string("error.message") == message, "\(answer.text)")
    }

    @Test("A malformed version is refused; one that crashed the engine needs permission")
    func verdicts() throws {
        try service.makeVersion(id, FakeProbe.malformed("4"))
        let malformed = try pin(#""tag":"qa","version":4"#)
        #expect(malformed.string("error.message")?.contains("malformed and cannot be pinned") == true)
        try service.makeVersion(id, FakeProbe.dying("5"))
        let refused = try pin(#""tag":"qa","version":5"#)
        #expect(refused.string("error.message")?.contains("--allow-crashing") == true, "\(refused.text)")
        #expect(try pin(#""tag":"qa","version":5,"allowCrashing":true"#).status == 200)
        #expect(try version(tags: "qa") == "5")
    }

    @Test("A project has at most 1,000 pins; replacing one is always possible")
    func limit() throws {
        let model = Int64(id) ?? 0
        try service.services.metadata.write { store in
            for number in 0..<Pin.limit {
                try store.put(
                    Pin(
                        projectID: "project-a", device: .tag("tag-\(number)"), target: .version(1, model: model),
                        createdMicroseconds: 1, createdBy: "ann"))
            }
        }
        #expect(try pin(#""tag":"tag-7","version":2"#).status == 200)
        #expect(
            try pin(#""tag":"qa","version":2"#).string("error.message")?.hasPrefix(
                "A project may have at most 1000 pins")
                == true)
    }
}

@Suite("Pins of experiments") struct ExperimentPinTests {
    private let service: TestService

    init() throws {
        service = try TestService()
        try service.putTemplate(#"{"parameters":{"colour":{"defaultValue":{"value":"grey"}}}}"#)
        let installation = TestService.installation(service.a)
        try service.services.metadata.write { try $0.insert(installation) }
    }

    private func pin(_ variant: String, _ device: String? = nil) throws -> TestResponse {
        let device = device ?? #""installation":"\#(TestService.fid)""#
        return try service.hearthAdmin(.post, "experiments/colours:pin", #"{\#(device),"variant":"\#(variant)"}"#)
    }

    private func colour(as fid: String = TestService.fid) throws -> String? {
        try service.fetch(as: fid).string("entries.colour")
    }

    @Test("A pinned installation gets its variant, whatever it draws and whoever the audience is, and no description")
    func fetch() throws {
        try service.makeExperiment(
            TestService.twoVariantExperiment(more: #","audience":"false""#), start: false)
        #expect(try pin("new").status == 200, "a draft may have pins")
        #expect(try colour() == "grey")
        #expect(try service.hearthAdmin(.post, "experiments/colours:start").status == 200)
        #expect(try colour() == "blue")
        #expect(try service.variant(of: TestService.fid) == nil)
        #expect(try pin("old").status == 200)
        #expect(try colour() == "red")
        #expect(try colour(as: TestService.fids(1)[0]) == "grey")
        try pin("none").expectRefusal(
            404, "NOT_FOUND", "The experiment 'colours' has no variant 'none'; it has old, new.")
        let pins = try service.hearthAdmin(.get, "experiments/colours/pins")
        #expect((pins["pins"] as? [[String: Any]])?.first?["variant"] as? String == "old")
        #expect(
            try service.hearthAdmin(
                .post, "experiments/colours:unpin", #"{"installation":"\#(TestService.fid)"}"#
            ).status == 200)
        #expect(try colour() == "grey")
        #expect(try service.hearthAdmin(.post, "experiments/colours:stop").status == 200)
        try pin("old").expectRefusal(400, "FAILED_PRECONDITION")
    }

    @Test("A pinned variant of a model is delivered without the name of the experiment; others see both")
    func model() throws {
        let id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try service.makeVersion(id, FakeProbe.ok("2"))
        try service.makeExperiment(
            #"""
            {"name":"colours","goal":{"event":"buy","kind":"conversion"},"variants":[
                {"name":"old","models":{"flowers":1}},{"name":"new","models":{"flowers":2}}]}
            """#)
        #expect(try service.info("flowers").headers["x-hearth-experiment"] != nil)
        for (variant, version) in [("old", "1"), ("new", "2")] {
            #expect(try pin(variant).status == 200)
            let answer = try service.info("flowers")
            #expect(answer.headers["x-hearth-model-version"] == version)
            #expect(answer.headers["x-hearth-experiment"] == nil)
        }
    }

    @Test("Exposures and events of a pinned installation do not count, and the results say how many are left out")
    func results() throws {
        try service.makeExperiment(TestService.twoVariantExperiment())
        let fids = TestService.fids(2)
        for fid in fids {
            let variant = try #require(try service.variant(of: fid))
            let answer = try service.report(
                [TestService.exposure(1, variant), TestService.event(2, "buy")], as: fid)
            #expect(answer.status == 200)
        }
        func exposed() throws -> Int {
            let results = try service.hearthAdmin(.get, "experiments/colours/results")
            return (results["exposures"] as? [[String: Any]] ?? []).reduce(0) {
                $0 + ($1["installations"] as? Int ?? 0)
            }
        }
        let drawn = try #require(try service.variant(of: TestService.fid))
        #expect(try exposed() == 2)
        #expect(try service.hearthAdmin(.get, "experiments/colours/results")["leftOut"] == nil)
        #expect(try pin(drawn).status == 200)
        _ = try service.report([TestService.exposure(1, drawn), TestService.event(2, "buy")])
        #expect(try exposed() == 2)
        // An installation that was counted before it was pinned.
        let other = Installation(
            projectID: "project-a", fid: fids[0], appID: service.a.apiKeyRecord.appID, createdMicroseconds: 1)
        try service.services.metadata.write { try $0.insert(other) }
        #expect(try pin("new", #""installation":"\#(fids[0])""#).status == 200)
        #expect(try pin("new", #""tag":"qa""#).status == 200)
        #expect(try exposed() == 1)
        let leftOut = try service.hearthAdmin(.get, "experiments/colours/results")["leftOut"] as? [String: Any]
        #expect(leftOut?["installations"] as? Int == 2 && leftOut?["tags"] as? [String] == ["qa"])
    }
}
