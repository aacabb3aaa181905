import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Guarded releases: what may be asked for") struct GuardingRulesTests {
    private let service: TestService
    private let model: String

    init() throws {
        service = try TestService()
        model = try service.makeModel("flowers", FakeProbe.ok("one"), isPublished: true)
        try service.makeVersion(model, FakeProbe.ok("two"))
    }

    @discardableResult
    private func create(_ body: String) throws -> TestResponse {
        let answer = try service.hearthAdmin(.post, "models/\(model)/releases", body)
        #expect(answer.status == 200, "\(answer.text)")
        return answer
    }

    private func release(_ number: Int = 2) throws -> TestResponse {
        try service.hearthAdmin(.get, "models/\(model)/releases/\(number)")
    }

    @Test(
        "What no release can do is refused",
        arguments: [
            #""guarding":{"plan":[0.5,0.1]}"#, #""guarding":{"plan":[0,1]}"#, #""guarding":{"plan":[1.5]}"#,
            #""share":0.2,"guarding":{"plan":[0.1,1]}"#, #""guarding":{"holdSeconds":59}"#,
            #""guarding":{"onHarm":"rollback"}"#, #""guarding":{"plan":[]}"#,
            #""share":1,"guarding":{"holdSeconds":60}"#,
            #""guarding":{"onHarm":"stop"}"#, #""guarding":{"off":["crash"]}"#, #""guarding":{"plans":[1]}"#,
            #""guarding":{"plan":[0.1,1]},"stages":[{"time":"2030-01-01T00:00:00Z","share":1}]"#,
        ])
    func refusals(body: String) throws {
        let answer = try service.hearthAdmin(.post, "models/\(model)/releases", "{\"version\":2,\(body)}")
        #expect(answer.status == 400, "\(answer.text)")
        #expect(try release().status == 404)
    }

    @Test("A release can be given a plan later, and its guards can be changed")
    func changes() throws {
        try create(#"{"version":2,"share":0.1}"#)
        let answer = try service.hearthAdmin(
            .patch, "models/\(model)/releases/2", #"{"guarding":{"plan":[0.2,1],"off":["run-time"]}}"#)
        #expect(answer.status == 200, "\(answer.text)")
        let guarding = try #require(answer["guarding"] as? [String: Any])
        #expect(guarding["plan"] as? [Double] == [0.2, 1] && guarding["onHarm"] as? String == "pause")
        let guards = try #require((try release()["guarding"] as? [String: Any])?["guards"] as? [[String: Any]])
        #expect(guards.first { $0["name"] as? String == "run-time" }?["state"] as? String == "off")
        #expect(try service.audit().first?.detail.contains("plan 20 %, 100 %") == true)
        let staged = try service.hearthAdmin(
            .patch, "models/\(model)/releases/2", #"{"stages":[{"time":"2030-01-01T00:00:00Z","share":1}]}"#)
        #expect((staged["guarding"] as? [String: Any])?["plan"] == nil)
    }

    @Test("A plan needs a version that the other devices get")
    func planWithoutAVersionBelow() throws {
        #expect(try service.publish(model, false).status == 200)
        let plan = #"{"version":2,"guarding":{"plan":[0.1,1]}}"#
        try service.hearthAdmin(.post, "models/\(model)/releases", plan).expectRefusal(400, "FAILED_PRECONDITION")
        try create(#"{"version":2,"share":0.1}"#)
        let later = try service.hearthAdmin(.patch, "models/\(model)/releases/2", #"{"guarding":{"plan":[0.2,1]}}"#)
        later.expectRefusal(400, "FAILED_PRECONDITION")
    }

    @Test("A release for some devices that gets a smaller share is watched from then on")
    func narrowed() throws {
        #expect(try create(#"{"version":2,"audience":{"operatingSystems":["ios"]}}"#)["guarding"] == nil)
        let narrowed = try service.hearthAdmin(.patch, "models/\(model)/releases/2", #"{"share":0.1}"#)
        #expect(narrowed["guarding"] != nil, "\(narrowed.text)")
    }

    @Test("A release to all devices has no guards, and cannot get any")
    func unguarded() throws {
        #expect(try create(#"{"version":2}"#)["guarding"] == nil)
        for guarding in [#"{"plan":[0.1,1]}"#, #"{"off":["crashes"]}"#, #"{"holdSeconds":600}"#] {
            let answer = try service.hearthAdmin(.patch, "models/\(model)/releases/2", #"{"guarding":\#(guarding)}"#)
            answer.expectRefusal(400, "FAILED_PRECONDITION")
        }
    }
}
