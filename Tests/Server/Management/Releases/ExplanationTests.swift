import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthTargeting
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Explanations of what a device gets") struct ExplanationTests {
    private let service: TestService
    private let id: String

    init() throws {
        service = try TestService()
        id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try service.makeVersion(id, FakeProbe.ok("2"))
    }

    private func explain(_ query: String = "") throws -> ReleaseBodies.Explanation {
        let answer = try service.hearthAdmin(
            .get, "models/\(id):explain?installation=\(TestService.fid)\(query)")
        try #require(answer.status == 200, "\(answer.text)")
        #expect(!answer.text.contains(TestService.fid), "an id is as good as a password")
        return try WireJSON.decode(ReleaseBodies.Explanation.self, from: answer.body)
    }

    private func release(_ json: String) throws {
        let answer = try service.hearthAdmin(.post, "models/\(id)/releases", json)
        try #require(answer.status == 200, "\(answer.text)")
    }

    private func ask(_ more: HTTPHeaders = [:]) throws -> TestResponse {
        var headers: HTTPHeaders = [
            "x-goog-firebase-installations-auth": try service.installationToken(service.a),
            "x-ios-bundle-identifier": service.a.bundleID,
        ]
        for field in more { headers[field.name] = field.value }
        return try service.call(
            .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)", headers: headers)
    }

    @Test("The facts are those of the last call, an option replaces one, and the answer says so")
    func facts() throws {
        try release(#"{"version":2,"audience":{"countries":["CH"],"operatingSystems":["ios"]}}"#)
        let unknown = try explain()
        #expect(unknown.version == 1 && unknown.reason == "release" && !unknown.isRegistered)
        #expect(unknown.facts.lastCallTime == nil && unknown.facts.given == nil)
        #expect(unknown.releases?.map(\.because) == ["operatingSystem", nil])
        let given = try explain("&country=ch&os=iOS")
        #expect(given.version == 2 && given.facts.given == ["os", "country"])

        _ = try ask(["x-hearth-country": "AT", "x-hearth-os": "ios", "x-hearth-tags": "qa"])
        service.time.advance(seconds: 60)
        let remembered = try explain()
        #expect(remembered.facts.lastCallTime == "2027-01-15T08:00:00.000123Z")
        #expect(remembered.facts.country == "AT" && remembered.facts.tags == ["qa"])
        #expect(remembered.version == 1 && remembered.releases?.map(\.because) == ["country", nil])
        let replaced = try explain("&country=CH")
        #expect(replaced.version == 2 && replaced.releases?.map(\.release) == [2])
        #expect(replaced.facts.given == ["country"] && replaced.facts.lastCallTime != nil)
    }

    @Test("The explanation of a share has the installation's number; that of a paused release knows the version it has")
    func share() throws {
        try release(#"{"version":2,"share":0.5}"#)
        let explanation = try explain()
        let step = try #require(explanation.releases?.first)
        let number = try #require(step.number)
        #expect(step.isIncluded == (number < 0.5) && step.share == 0.5)
        #expect(explanation.version == (step.isIncluded ? 2 : 1))
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("\(explanation.version ?? 0)")))
        #expect(try service.hearthAdmin(.patch, "models/\(id)/releases/2", #"{"share":0.999999}"#).status == 200)
        #expect(try service.hearthAdmin(.post, "models/\(id)/releases/2:pause").status == 200)
        #expect(try explain().releases?.first?.because == "paused")
        _ = try ask(["If-None-Match": hash(FakeProbe.ok("2"))])
        #expect(try explain().version == 2)
    }

    @Test("Pins and experiments explain themselves; an unpublished model gives nothing")
    func reasons() throws {
        try service.makeExperiment(
            #"""
            {"name":"colours","goal":{"event":"buy","kind":"conversion"},"variants":[
                {"name":"old","models":{"flowers":1}},{"name":"new","models":{"flowers":2}}]}
            """#)
        let drawn = try explain()
        #expect(drawn.reason == "experiment" && drawn.experiment == "colours" && !drawn.isPinned)
        #expect(drawn.version == (drawn.variant == "new" ? 2 : 1) && drawn.releases == nil)
        let pinned = try service.hearthAdmin(.post, "experiments/colours:pin", #"{"tag":"qa","variant":"new"}"#)
        try #require(pinned.status == 200)
        let variant = try explain("&tag=qa")
        #expect(variant.reason == "pin" && variant.variant == "new" && variant.version == 2 && variant.isPinned)
        #expect(variant.pin?.tag == "qa" && variant.experiment == "colours")
        #expect(try explain("&tag=other").reason == "experiment")
        try #require(service.hearthAdmin(.post, "models/\(id):pin", #"{"tag":"qa","version":1}"#).status == 200)
        #expect(try explain("&tag=qa").version == 1)

        let other = try service.makeModel("trees", FakeProbe.ok("3"))
        let nothing = try service.hearthAdmin(.get, "models/\(other):explain?installation=x")
        #expect(nothing.string("reason") == "nothing" && nothing["version"] == nil)
    }

    @Test("Each experiment that varies the model says why the device does not take part")
    func experiments() throws {
        func make(_ name: String, _ more: String, model: String = "flowers", versions: [Int] = [1, 2]) throws {
            try service.makeExperiment(
                #"""
                {"name":"\#(name)","goal":{"event":"buy","kind":"conversion"},\#(more),"variants":[
                    {"name":"old","models":{"\#(model)":\#(versions[0])}},
                    {"name":"new","models":{"\#(model)":\#(versions[1])}}]}
                """#)
        }
        // The first experiment of a project's layer has the slots that it prefers, the next ones what is left.
        try make("a-swiss", #""share":0.5,"audience":"device.country in ['CH']""#)
        try make("b-few", #""share":0.000001"#)
        try make("c-rest", #""share":0.499999"#)
        func shown(_ installation: String, _ query: String = "") throws -> ReleaseBodies.Explanation {
            let answer = try service.hearthAdmin(.get, "models/\(id):explain?installation=\(installation)\(query)")
            return try WireJSON.decode(ReleaseBodies.Explanation.self, from: answer.body)
        }
        var seen: Set<String> = []
        for fid in TestService.fids(20) {
            let abroad = try shown(fid)
            let steps = try #require(abroad.experiments)
            #expect(steps.map(\.experiment) == ["a-swiss", "b-few", "c-rest"])
            #expect(steps.map(\.share) == [0.5, 0.000001, 0.499999])
            #expect(steps.map(\.audience) == ["device.country in ['CH']", nil, nil])
            if steps[0].because == "audience" {
                // Its place belongs to the first experiment, although the audience excludes it.
                #expect(abroad.reason == "release" && abroad.version == 1)
                #expect(steps[1...].map(\.because) == ["otherExperiment", "otherExperiment"])
                #expect(steps[1...].map(\.otherExperiment) == ["a-swiss", "a-swiss"])
                let swiss = try shown(fid, "&country=CH")
                #expect(swiss.reason == "experiment" && swiss.experiment == "a-swiss")
                #expect(swiss.experiments?.map(\.isIncluded) == [true, false, false])
                seen.insert("audience")
            } else {
                #expect(abroad.reason == "experiment" && abroad.experiment == "c-rest")
                #expect(steps.map(\.because) == ["otherExperiment", "otherExperiment", nil])
                #expect(steps.map(\.isIncluded) == [false, false, true])
                seen.insert("rest")
            }
        }
        #expect(seen == ["audience", "rest"])

        // Without the experiment of the rest, its devices are in no share.
        try #require(service.hearthAdmin(.post, "experiments/c-rest:stop").status == 200)
        let alone = try TestService.fids(20).map { try shown($0) }.first { $0.experiments?[0].because == "share" }
        #expect(alone?.experiments?.map(\.because) == ["share", "share"] && alone?.reason == "release")

        // A pinned variant keeps the device out of the other experiments. A pin of the model leaves nothing to explain.
        try #require(
            service.hearthAdmin(.post, "experiments/b-few:pin", #"{"tag":"qa","variant":"new"}"#).status == 200)
        #expect(try explain("&tag=qa").experiments == nil)
        let other = try service.makeModel("trees", FakeProbe.ok("3"), isPublished: true)
        try service.makeVersion(other, FakeProbe.ok("4"))
        try service.makeExperiment(
            #"""
            {"name":"d-both","goal":{"event":"buy","kind":"conversion"},"layer":"l","variants":[
                {"name":"old","models":{"trees":1}},{"name":"new","models":{"trees":2}}]}
            """#, start: false)
        #expect(try service.hearthAdmin(.get, "models/\(other):explain?installation=x")["experiments"] == nil)
        try #require(service.hearthAdmin(.post, "experiments/d-both:start").status == 200)
        let hidden = try service.admin(
            .patch, "models/\(other)?updateMask=state.published", #"{"state":{"published":false}}"#)
        try #require(hidden.status == 200, "\(hidden.text)")
        let unpublished = try service.hearthAdmin(.get, "models/\(other):explain?installation=x")
        #expect(unpublished.string("reason") == "nothing")
        let steps = try #require(unpublished["experiments"] as? [[String: Any]])
        #expect(steps.map { $0["because"] as? String } == ["unpublished"])
    }

    @Test("A pinned variant keeps the device out of an experiment that may share no devices with it")
    func pinnedElsewhere() throws {
        try service.makeExperiment(TestService.twoVariantExperiment(more: #","layer":"l","share":0.5"#))
        try service.makeExperiment(
            #"""
            {"name":"models","goal":{"event":"buy","kind":"conversion"},"layer":"l","share":0.5,"variants":[
                {"name":"old","models":{"flowers":1}},{"name":"new","models":{"flowers":2}}]}
            """#)
        let pinned = try service.hearthAdmin(.post, "experiments/colours:pin", #"{"tag":"qa","variant":"new"}"#)
        try #require(pinned.status == 200, "\(pinned.text)")
        let explanation = try explain("&tag=qa")
        #expect(explanation.reason == "release" && explanation.version == 1)
        let step = try #require(explanation.experiments?.first)
        #expect(step.experiment == "models" && step.because == "pinnedVariant" && step.otherExperiment == "colours")
    }

    @Test(
        "What no device can send is refused", arguments: ["&os=i%20os", "&country=Swiss", "&tag=a,b", "&appVersion=v2"])
    func refused(query: String) throws {
        try service.hearthAdmin(.get, "models/\(id):explain?installation=x\(query)").expectRefusal(
            400, "INVALID_ARGUMENT")
    }

    @Test("An explanation needs an installation")
    func missing() throws {
        try service.hearthAdmin(.get, "models/\(id):explain").expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("Only the last calls are remembered, of installations that asked last")
    func memory() {
        let memory = DownloadMemory(capacity: 20, shards: 1)
        func record(_ installation: Int, dependsOnDevice: Bool = true, at now: Int64 = 1) {
            var facts = DeviceFacts(installationID: "\(installation)", appID: "")
            facts.country = "CH"
            memory.record(
                DownloadChoice(version: nil, reason: .release, isPinned: false, dependsOnDevice: dependsOnDevice),
                for: .known(facts), project: "p", model: "m", nowMicroseconds: now)
        }
        func isKnown(_ installation: Int) -> Bool {
            memory.lastCall(project: "p", model: "m", installation: "\(installation)") != nil
        }
        for installation in 0..<1000 { record(installation) }
        #expect((990..<1000).allSatisfy(isKnown))
        #expect((0..<1000).filter(isKnown).count <= 20)
        record(999, at: 7)
        #expect(memory.lastCall(project: "p", model: "m", installation: "999")?.atMicroseconds == 7)
        #expect(memory.lastCall(project: "q", model: "m", installation: "999") == nil)
        record(5000, dependsOnDevice: false)
        #expect(!isKnown(5000), "nothing to explain by facts")
    }
}
