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

@Suite("Releases over HTTP") struct ReleaseTests {
    private let service: TestService
    private let id: String

    init() throws {
        service = try TestService()
        id = try service.makeModel("flowers", FakeProbe.ok("1"))
        try service.makeVersion(id, FakeProbe.ok("2"))
    }

    private func release(_ json: String = "") throws -> TestResponse {
        try service.hearthAdmin(.post, "models/\(id)/releases", json)
    }

    private func decoded(_ answer: TestResponse) throws -> ReleaseBodies.Release {
        try WireJSON.decode(ReleaseBodies.Release.self, from: answer.body)
    }

    @Test("No body releases the newest version to all", arguments: ["", "{}", #"{"version":2,"share":1}"#])
    func whole(json: String) throws {
        let made = try decoded(release(json))
        #expect(
            made
                == ReleaseBodies.Release(
                    release: 1, version: 2, kind: "publish", state: "active", share: 1, stages: nil, audience: nil,
                    createTime: "2027-01-15T08:00:00.000123Z", createdBy: service.a.account.email, pauseTime: nil,
                    endTime: nil, warnings: nil))
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("2")))
        #expect(try service.admin(.get, "models/\(id)")["hearth.releasedVersion"] as? Int == 2)
    }

    @Test("A rollout lies on top of what is released, is raised, paused, resumed and ended")
    func rollout() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try service.makeVersion(id, FakeProbe.ok("2"))
        let base = "models/\(id)/releases"
        let made = try decoded(service.hearthAdmin(.post, base, #"{"share":0}"#))
        #expect(made.release == 2 && made.kind == "rollout" && made.share == 0)
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("1")))

        #expect(try decoded(service.hearthAdmin(.patch, base + "/2", #"{"share":0.123456}"#)).share == 0.123456)
        let paused = try decoded(service.hearthAdmin(.post, base + "/2:pause"))
        #expect(paused.state == "paused" && paused.pauseTime == "2027-01-15T08:00:00.000123Z")
        #expect(try decoded(service.hearthAdmin(.post, base + "/2:resume")).state == "active")
        #expect(try decoded(service.hearthAdmin(.patch, base + "/2", #"{"share":1}"#)).share == 1)
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("2")))

        let list = try WireJSON.decode(ReleaseBodies.ReleaseList.self, from: service.hearthAdmin(.get, base).body)
        #expect(list.releases?.map(\.release) == [2, 1] && list.releases?.map(\.state) == ["active", "ended"])
        try service.hearthAdmin(.post, base + "/2:end").expectRefusal(400, "FAILED_PRECONDITION")
        #expect(try decoded(service.hearthAdmin(.post, base, #"{"version":1,"share":0.999999}"#)).release == 3)
        let ended = try decoded(service.hearthAdmin(.post, base + "/3:end"))
        #expect(ended.state == "ended" && ended.endTime != nil && ended.share == 0.999999)
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("2")))
        #expect(try decoded(service.hearthAdmin(.get, base + "/3")) == ended)
        let actions = try service.services.metadata.read { store in
            try store.audit(project: "project-a", before: nil, limit: 7).map(\.action)
        }
        #expect(
            actions == [
                "release.end", "release.rollout", "release.change", "release.resume", "release.pause", "release.change",
                "release.rollout",
            ])
    }

    @Test("A schedule is shown as it was given, and takes effect as time passes")
    func schedule() throws {
        let stages = """
            [{"time":"2020-01-01T00:00:00Z","share":0.0},{"time":"2027-01-15T09:00:00.5Z","share":1}]
            """
        let made = try decoded(release(#"{"share":0,"stages":\#(stages)}"#))
        #expect(made.share == 0)
        #expect(
            made.stages == [
                .init(time: "2020-01-01T00:00:00.000000Z", share: 0),
                .init(time: "2027-01-15T09:00:00.500000Z", share: 1),
            ])
        try service.info("flowers").expectRefusal(404, "NOT_FOUND")
        service.time.advance(seconds: 3601)
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("2")))
        #expect(try decoded(service.hearthAdmin(.get, "models/\(id)/releases/1")).share == 1)
    }

    @Test("A schedule that has arrived at all counts: for what is shown, and for the contracts compared")
    func arrived() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        _ = try service.admin(.patch, "models/\(id)", #"{"hearth":{"contractCheck":"refuse"}}"#)
        try service.makeVersion(id, FakeProbe.otherContract("2"))
        let made = try service.hearthAdmin(
            .post, "models/\(id)/releases",
            #"{"share":0,"stages":[{"time":"2027-01-15T09:00:00Z","share":1}],"allowContractChange":true}"#)
        #expect(made["release"] as? Int == 2)
        #expect(try service.admin(.get, "models/\(id)")["hearth.releasedVersion"] as? Int == 1)
        service.time.advance(seconds: 3601)
        #expect(try service.admin(.get, "models/\(id)")["hearth.releasedVersion"] as? Int == 2)
        let listed = try #require(try service.admin(.get, "models")["models"] as? [[String: Any]])
        #expect((listed.first?["hearth"] as? [String: Any])?["releasedVersion"] as? Int == 2)
        let refused = try service.hearthAdmin(.post, "models/\(id)/releases", #"{"version":1}"#)
        refused.expectRefusal(400, "FAILED_PRECONDITION")
        #expect(
            refused.string("error.message")?.hasPrefix(
                "Version 1 is stored, but does not fit apps written for version 2") == true)
        #expect(try service.delivered("flowers") == hash(FakeProbe.otherContract("2")))
    }

    @Test("The same release to all once more is the one that is there")
    func restated() throws {
        #expect(try release()["release"] as? Int == 1)
        let again = try decoded(release())
        #expect(again.release == 1 && again.version == 2 && again.state == "active" && again.warnings == nil)
        let list = try service.hearthAdmin(.get, "models/\(id)/releases")["releases"] as? [Any]
        #expect(list?.count == 1)
    }

    @Test("A version that is being rolled out is not rolled out to the same devices a second time")
    func twice() throws {
        #expect(try release(#"{"share":0.1,"audience":{"tags":["a","b"],"languages":["de"]}}"#).status == 200)
        try release(#"{"share":0.2,"audience":{"tags":["b","a"],"languages":["DE"]}}"#).expectRefusal(
            400, "FAILED_PRECONDITION",
            "Release 1 gives version 2 to the same devices already; change that one ('hearth releases set') or stop it."
        )
        #expect(try release(#"{"share":0.2,"audience":{"tags":["a"]}}"#)["release"] as? Int == 2)
        try service.hearthAdmin(
            .patch, "models/\(id)/releases/2", #"{"audience":{"tags":["a","b","a"],"languages":["de"]}}"#
        ).expectRefusal(400, "FAILED_PRECONDITION")
        #expect(try service.hearthAdmin(.patch, "models/\(id)/releases/1", #"{"share":0.3}"#).status == 200)
    }

    @Test("What is so already is answered as such: the same rollout, a second pause, a second end")
    func unchanged() throws {
        let rollout = #"{"share":0.1,"audience":{"tags":["a"]}}"#
        #expect(try decoded(release(rollout)).unchanged == nil)
        let again = try decoded(release(rollout))
        #expect(again.unchanged == true && again.release == 1)
        for action in ["pause", "resume", "end"] {
            let path = "models/\(id)/releases/1:\(action)"
            #expect(try decoded(service.hearthAdmin(.post, path)).unchanged == nil)
            #expect(try decoded(service.hearthAdmin(.post, path)).unchanged == true)
        }
    }

    @Test("A model shows the rollouts that lie on top of what all devices get")
    func rolloutsOfAModel() throws {
        #expect(try release(#"{"version":1}"#).status == 200)
        #expect(try service.admin(.get, "models/\(id)")["hearth.rollouts"] == nil)
        #expect(try release(#"{"share":0.25}"#).status == 200)
        let model = try WireJSON.decode(ModelResource.self, from: service.admin(.get, "models/\(id)").body)
        #expect(model.hearth?.releasedVersion == 1)
        #expect(model.hearth?.rollouts?.map(\.version) == [2] && model.hearth?.rollouts?[0].share == 0.25)
        #expect(try service.admin(.patch, "models/\(id)", #"{"state":{"published":true}}"#).status == 200)
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("1")), "the whole model was sent back")
        let mask = "models/\(id)?updateMask=state.published"
        #expect(try service.admin(.patch, mask, #"{"state":{"published":true}}"#).status == 200)
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("2")))
        #expect(try service.admin(.get, "models/\(id)")["hearth.rollouts"] == nil)
    }

    @Test("A contract that the model refuses stops a rollout from growing, unless the call allows it")
    func widening() throws {
        #expect(try release(#"{"version":1}"#).status == 200)
        _ = try service.admin(.patch, "models/\(id)", #"{"hearth":{"contractCheck":"refuse"}}"#)
        try service.makeVersion(id, FakeProbe.otherContract("3"))
        #expect(try release(#"{"share":0.1,"allowContractChange":true}"#)["release"] as? Int == 2)
        let path = "models/\(id)/releases/2"
        try service.hearthAdmin(.patch, path, #"{"share":0.2}"#).expectRefusal(400, "FAILED_PRECONDITION")
        let raised = try decoded(service.hearthAdmin(.patch, path, #"{"share":0.2,"allowContractChange":true}"#))
        #expect(raised.share == 0.2 && raised.warnings?.isEmpty == false)
    }

    @Test("An audience is kept and shown; everybody is left out")
    func audience() throws {
        let made = try decoded(release(#"{"audience":{"operating_systems":["linux"],"appVersionFrom":"2.10"}}"#))
        #expect(made.audience?.operatingSystems == ["linux"] && made.audience?.appVersionFrom == "2.10")
        #expect(made.kind == "rollout")
        let shown = try service.hearthAdmin(.get, "models/\(id)/releases/1")["audience"] as? [String: Any]
        #expect(shown.map { Set($0.keys) } == ["operatingSystems", "appVersionFrom"], "empty lists are left out")
        let changed = try decoded(
            service.hearthAdmin(.patch, "models/\(id)/releases/1", #"{"audience":{"tags":["beta"]}}"#))
        #expect(changed.audience?.tags == ["beta"] && changed.audience?.operatingSystems == [])
        #expect(try decoded(release(#"{"audience":{}}"#)).audience == nil)
    }

    @Test("Going back releases the version before, or the one named", arguments: ["", "{}", #"{"version":1}"#])
    func rollback(json: String) throws {
        #expect(try release(#"{"version":1}"#).status == 200)
        #expect(try release().status == 200)
        let made = try decoded(service.hearthAdmin(.post, "models/\(id):rollback", json))
        #expect(made.release == 3 && made.version == 1 && made.kind == "rollback")
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("1")))
    }

    @Test("A rollback tells which rollouts it has ended; where all have the version, nothing changes")
    func rollbackOfRollout() throws {
        #expect(try release(#"{"version":1}"#).status == 200)
        #expect(try release(#"{"share":0.1,"audience":{"tags":["beta"]}}"#).status == 200)
        let made = try decoded(service.hearthAdmin(.post, "models/\(id):rollback", #"{"version":1}"#))
        #expect(made.release == 3 && made.endedReleases?.map(\.release) == [2, 1])
        let rollout = made.endedReleases?.first
        #expect(rollout?.state == "ended" && rollout?.share == 0.1 && rollout?.audience?.tags == ["beta"])
        let again = try decoded(service.hearthAdmin(.post, "models/\(id):rollback", #"{"version":1}"#))
        #expect(again.release == 3 && again.unchanged == true && again.endedReleases == nil)
    }

    @Test("A rollback that is only tried names its version, and changes nothing")
    func triedRollback() throws {
        #expect(try release(#"{"version":1}"#).status == 200)
        #expect(try release().status == 200)
        let before = try service.auditLines()
        let tried = try decoded(
            service.hearthAdmin(.post, "models/\(id):rollback", #"{"validateOnly":true}"#))
        #expect(tried.version == 1 && tried.kind == "rollback" && tried.release == 3)
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("2")))
        #expect(try service.hearthAdmin(.get, "models/\(id)/releases/3").status == 404)
        #expect(try service.auditLines() == before)
    }

    @Test("There is nothing to go back to at first")
    func noRollback() throws {
        try service.hearthAdmin(.post, "models/\(id):rollback").expectRefusal(
            400, "FAILED_PRECONDITION", "Nothing is released; name the version to go back to.")
    }

    @Test("A malformed version and one that is not there are not released")
    func unreleasable() throws {
        try service.makeVersion(id, FakeProbe.malformed("3"))
        try release().expectRefusal(
            400, "FAILED_PRECONDITION", "Version 3 is malformed and cannot be released: The file ends too early.")
        try release(#"{"version":4}"#).expectRefusal(404, "NOT_FOUND", "The model 'flowers' has no version 4.")
        let empty = try service.makeModel("plain")
        try service.hearthAdmin(.post, "models/\(empty)/releases").expectRefusal(
            400, "FAILED_PRECONDITION", "The model 'plain' has no file yet; upload one first.")
        #expect(try service.hearthAdmin(.get, "models/\(id)/releases").text == "{}")
    }

    @Test(
        "Shares, times and types that make no sense are refused by field, and nothing is released",
        arguments: [
            (#"{"share":1.1}"#, "share"), (#"{"share":-0.0001}"#, "share"), (#"{"share":1e300}"#, "share"),
            (#"{"share":"half"}"#, "share"), (#"{"version":"2"}"#, "version"),
            (#"{"stages":{}}"#, "stages"),
            (#"{"stages":[{"time":"tomorrow","share":1}]}"#, "stages.0.time"),
            (#"{"stages":[{"time":"2027-01-15T08:00:00+02:00","share":1}]}"#, "stages.0.time"),
            (#"{"stages":[{"time":"2027-01-15T08:00:00Z","share":2}]}"#, "stages.0.share"),
            (#"{"stages":[{"share":1}]}"#, "stages.0.time"), (#"{"stages":[5]}"#, "stages.0"),
            (#"{"audience":[]}"#, "audience"), (#"{"audience":{"tags":"x"}}"#, "audience.tags"),
            (#"{"allowContractChange":"yes"}"#, "allowContractChange"),
        ])
    func badValues(json: String, field: String) throws {
        let answer = try release(json)
        answer.expectRefusal(400, "INVALID_ARGUMENT")
        let detail = (answer["error.details"] as? [[String: Any]])?.first
        let violation = (detail?["fieldViolations"] as? [[String: Any]])?.first
        #expect(violation?["field"] as? String == field, "\(answer.text)")
        #expect(try service.hearthAdmin(.get, "models/\(id)/releases").text == "{}")
    }

    @Test("Numbers that are no numbers of versions are refused", arguments: ["1.5", "99999999999999999999999", "1e99"])
    func badNumbers(number: String) throws {
        try release(#"{"version":\#(number)}"#).expectRefusal(400, "INVALID_ARGUMENT")
        try service.hearthAdmin(.post, "models/\(id):rollback", #"{"version":\#(number)}"#)
            .expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test(
        "Audiences and schedules that the rules refuse say why",
        arguments: [
            #"{"audience":{"countries":["Switzerland"]}}"#, #"{"audience":{"appVersionFrom":"two"}}"#,
            #"{"share":0.5,"stages":[{"time":"2028-01-01T00:00:00Z","share":0.4}]}"#,
            #"{"stages":[{"time":"2028-01-01T00:00:00Z","share":1},{"time":"2028-01-01T00:00:00Z","share":1}]}"#,
        ])
    func refusedByRules(json: String) throws {
        try release(json).expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("Releases that are not there, or over, are not changed")
    func missing() throws {
        for action in ["releases/7:pause", "releases/7:resume", "releases/7:end"] {
            try service.hearthAdmin(.post, "models/\(id)/\(action)")
                .expectRefusal(404, "NOT_FOUND", "The model 'flowers' has no release 7.")
        }
        try service.hearthAdmin(.patch, "models/\(id)/releases/7", "{}").expectRefusal(404, "NOT_FOUND")
        for number in ["x", "-1", "99999999999999999999"] {
            try service.hearthAdmin(.get, "models/\(id)/releases/\(number)").expectRefusal(400, "INVALID_ARGUMENT")
        }
        #expect(try release().status == 200)
        try service.hearthAdmin(.post, "models/\(id)/releases/1:pause").expectRefusal(400, "FAILED_PRECONDITION")
        try service.hearthAdmin(.post, "models/\(id)/releases/1:end").expectRefusal(400, "FAILED_PRECONDITION")
        #expect(try release(#"{"version":1}"#).status == 200)
        try service.hearthAdmin(.patch, "models/\(id)/releases/1", #"{"share":1}"#)
            .expectRefusal(400, "FAILED_PRECONDITION", "Release 1 has ended; make a new one instead.")
        let unknown = try service.hearthAdmin(.post, "models/\(id)/releases/1:explode")
        #expect(unknown.status == 404)
    }

    @Test("Without a token nothing is looked at or read")
    func unauthenticated() throws {
        let calls: [(HTTPMethod, String)] = [
            (.get, "versions"), (.post, "versions"), (.get, "versions/1"), (.get, "releases"), (.post, "releases"),
            (.get, "releases/1"), (.patch, "releases/1"), (.post, "releases/1:pause"), (.post, "releases/1:resume"),
            (.post, "releases/1:end"),
        ]
        for (method, path) in calls {
            let answer = try service.call(
                method, "/hearth/v1/projects/project-a/models/\(id)/\(path)", body: Array("{}".utf8))
            answer.expectRefusal(401, "UNAUTHENTICATED")
            #expect(answer.bodyBytesRead == 0)
        }
    }
}
