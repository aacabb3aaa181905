import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Experiments: from draft to end") struct ExperimentTests {
    @Test("A draft reaches nobody; a running experiment halves the installations, and the same always")
    func assignment() throws {
        let service = try TestService()
        try service.putTemplate(#"{"parameters":{"colour":{"defaultValue":{"value":"grey"}}}}"#)
        try service.makeExperiment(TestService.twoVariantExperiment(), start: false)
        #expect(try service.fetchAsIOS()["entries"] as? [String: String] == ["colour": "grey"])
        #expect(try service.hearthAdmin(.post, "experiments/colours:start").string("state") == "running")
        var counts: [String: Int] = [:]
        for fid in TestService.fids(60) {
            let answer = try service.fetch(as: fid)
            let colour = try #require(answer.string("entries.colour"))
            let variant = try service.variant(of: fid)
            #expect(variant == (colour == "red" ? "old" : "new"))
            #expect(["red", "blue"].contains(colour))
            #expect(try service.fetch(as: fid).string("entries.colour") == colour)
            counts[colour, default: 0] += 1
        }
        #expect(counts.values.allSatisfy { (14...46).contains($0) }, "\(counts)")
    }

    @Test("What the device is told has the form that clients insist on, also when nothing changed")
    func description() throws {
        let service = try TestService()
        try service.makeExperiment(TestService.twoVariantExperiment())
        let first = try service.fetchAsIOS()
        #expect(first.string("state") == "UPDATE")
        let again = try service.fetchAsIOS(ifNoneMatch: first.headers["ETag"])
        #expect(again.string("state") == "NO_CHANGE")
        for answer in [first, again] {
            let all = try #require(answer["experimentDescriptions"] as? [[String: Any]])
            let one = try #require(all.first)
            #expect(all.count == 1)
            #expect(one["experimentId"] as? String == "colours")
            #expect(one["experimentStartTime"] as? String == "2027-01-15T08:00:00.000Z")
            #expect(one["timeToLiveMillis"] as? String == "15552000000")
            #expect(one["affectedParameterKeys"] as? [String] == ["colour"])
        }
    }

    @Test("Start and end move the template's number, so that devices fetch; an end gives the usual value back")
    func end() throws {
        let service = try TestService()
        try service.putTemplate(#"{"parameters":{"colour":{"defaultValue":{"value":"grey"}}}}"#)
        try service.makeExperiment(TestService.twoVariantExperiment())
        #expect(try service.fetchAsIOS().string("templateVersion") == "2")
        let stopped = try service.hearthAdmin(.post, "experiments/colours:stop", #"{"winner":"new"}"#)
        #expect(stopped.string("state") == "stopped")
        #expect(stopped.string("winner") == "new")
        let after = try service.fetchAsIOS()
        #expect(after.string("templateVersion") == "3")
        #expect(after.string("entries.colour") == "grey")
        #expect(after["experimentDescriptions"] as? [String] == [])
        try service.hearthAdmin(.post, "experiments/colours:start").expectRefusal(
            400, "FAILED_PRECONDITION", "'colours' was started before.")
        try service.hearthAdmin(.post, "experiments/colours:stop").expectRefusal(
            400, "FAILED_PRECONDITION", "'colours' is not running.")
        let lines = try service.auditLines().filter { $0.contains("experiment") }
        #expect(
            lines.map { $0.split(separator: " ")[1] } == ["experiment.create", "experiment.start", "experiment.stop"])
    }

    @Test("The winner becomes the value for everybody, or for the audience")
    func rollOut() throws {
        let service = try TestService()
        try service.putTemplate(
            #"""
            {"conditions":[{"name":"all","expression":"true"}],"parameterGroups":{"looks":{"parameters":{"colour":{
                "defaultValue":{"value":"grey"},"conditionalValues":{"all":{"value":"black"}}}}}}}
            """#)
        try service.makeExperiment(TestService.twoVariantExperiment())
        let out = try service.hearthAdmin(.post, "experiments/colours:rollOut", #"{"variant":"new"}"#)
        #expect(out.string("state") == "rolledOut", "\(out.text)")
        for fid in TestService.fids(5) { #expect(try service.fetch(as: fid).string("entries.colour") == "blue") }

        try service.makeExperiment(
            TestService.twoVariantExperiment("second", more: #","audience":"device.country in ['CH']""#))
        _ = try service.hearthAdmin(.post, "experiments/second:rollOut", #"{"variant":"old"}"#)
        #expect(try service.fetchAsIOS(", country_code:'ch'").string("entries.colour") == "red")
        #expect(try service.fetchAsIOS(", country_code:'de'").string("entries.colour") == "blue")
    }

    @Test("Only its audience takes part, and only its share")
    func audience() throws {
        let service = try TestService()
        try service.makeExperiment(TestService.twoVariantExperiment(more: #","audience":"device.country in ['CH']""#))
        #expect(try service.fetchAsIOS(", country_code:'de'")["experimentDescriptions"] as? [String] == [])
        #expect((try service.fetchAsIOS(", country_code:'ch'")["experimentDescriptions"] as? [Any])?.count == 1)
        _ = try service.hearthAdmin(.post, "experiments/colours:stop")
        try service.makeExperiment(TestService.twoVariantExperiment("part", more: #","share":0.25"#))
        let taken = try TestService.fids(200).filter { try service.variant(of: $0, "part") != nil }.count
        #expect((25...75).contains(taken))
    }

    @Test("Experiments that overlap share no installation")
    func exclusive() throws {
        let service = try TestService()
        try service.makeExperiment(TestService.twoVariantExperiment("one", more: #","share":0.5"#))
        try service.makeExperiment(TestService.twoVariantExperiment("two", more: #","share":0.5"#))
        for fid in TestService.fids(40) {
            let both = [try service.variant(of: fid, "one"), try service.variant(of: fid, "two")].compactMap { $0 }
            #expect(both.count == 1)
        }
        try service.makeExperiment(TestService.twoVariantExperiment("three", more: #","share":0.1"#), start: false)
        let refused = try service.hearthAdmin(.post, "experiments/three:start")
        refused.expectRefusal(400, "FAILED_PRECONDITION")
        #expect(refused.string("error.message")?.contains("'one', 'two'") == true)
    }

    @Test("A model's variants are given out by version, with the experiment's name, beside the release for the others")
    func models() throws {
        let service = try TestService()
        let id = try service.makeModel("digits", FakeProbe.ok("one"), isPublished: true)
        _ = try service.makeVersion(id, FakeProbe.ok("two"))
        service.waitForCheck(FakeProbe.ok("two"))
        let definition = #"""
            {"name":"better","goal":{"event":"ok","kind":"conversion"},"share":0.5,"variants":[
                {"name":"v1","models":{"digits":1}},{"name":"v2","models":{"digits":2}}]}
            """#
        try service.makeExperiment(definition)
        var seen: [String: String] = [:]
        for fid in TestService.fids(60) {
            let answer = try service.download("digits", as: fid)
            seen[answer.headers["X-Hearth-Experiment"] ?? "none"] = answer.headers["ETag"]
            let again = try service.download("digits", as: fid, ifNoneMatch: answer.headers["ETag"])
            #expect(again.status == 304)
            #expect(again.headers["X-Hearth-Experiment"] == answer.headers["X-Hearth-Experiment"])
        }
        let (one, two) = (hash(FakeProbe.ok("one")), hash(FakeProbe.ok("two")))
        let start = "2027-01-15T08:00:00.000Z"
        #expect(seen == ["none": one, "better/v1/\(start)": one, "better/v2/\(start)": two])

        let out = try service.hearthAdmin(.post, "experiments/better:rollOut", #"{"variant":"v2"}"#)
        #expect(out.status == 200, "\(out.text)")
        for fid in TestService.fids(10) {
            let answer = try service.download("digits", as: fid)
            #expect(answer.headers["ETag"] == two)
            #expect(answer.headers["X-Hearth-Experiment"] == nil)
        }
    }

    @Test("A model's winner is released for the audience of its experiment alone")
    func rolledOutModelWithAudience() throws {
        let service = try TestService()
        let id = try service.makeModel("digits", FakeProbe.ok("one"), isPublished: true)
        _ = try service.makeVersion(id, FakeProbe.ok("two"))
        service.waitForCheck(FakeProbe.ok("two"))
        let audience = "device.country in ['CH'] && app.version.>=(['2.10'])"
        try service.makeExperiment(
            #"""
            {"name":"better","goal":{"event":"ok","kind":"conversion"},"audience":"\#(audience)","variants":[
                {"name":"v1","models":{"digits":1}},{"name":"v2","models":{"digits":2}}]}
            """#)
        let swiss: HTTPHeaders = ["x-hearth-country": "CH", "x-hearth-app-version": "2.10.1"]
        let others: [HTTPHeaders] = [
            [:], ["x-hearth-country": "CH"], ["x-hearth-country": "CH", "x-hearth-app-version": "2.9"],
            ["x-hearth-country": "DE", "x-hearth-app-version": "2.10.1"],
        ]
        let (one, two) = (hash(FakeProbe.ok("one")), hash(FakeProbe.ok("two")))
        for fid in TestService.fids(10) {
            #expect(try service.download("digits", as: fid, swiss).headers["X-Hearth-Experiment"] != nil)
            for headers in others {
                let answer = try service.download("digits", as: fid, headers)
                #expect(answer.headers["X-Hearth-Experiment"] == nil)
                #expect(answer.headers["ETag"] == one)
            }
        }

        let out = try service.hearthAdmin(.post, "experiments/better:rollOut", #"{"variant":"v2"}"#)
        #expect(out.status == 200, "\(out.text)")
        let releases = try #require(
            try service.hearthAdmin(.get, "models/\(id)/releases")["releases"] as? [[String: Any]])
        let conditions = releases.map { ($0["audience"] as? [String: Any])?["condition"] as? String }
        #expect(conditions == [audience, nil])
        for fid in TestService.fids(10) {
            let answer = try service.download("digits", as: fid, swiss)
            #expect(answer.headers["ETag"] == two)
            #expect(answer.headers["X-Hearth-Experiment"] == nil)
            for headers in others { #expect(try service.download("digits", as: fid, headers).headers["ETag"] == one) }
        }
    }

    @Test("A model or version that could not be given out keeps it from starting")
    func unservable() throws {
        let service = try TestService()
        func start(_ name: String, model: String, version: Int) throws -> String? {
            try service.makeExperiment(
                #"""
                {"name":"\#(name)","goal":{"event":"ok","kind":"conversion"},"variants":[
                    {"name":"v1"},{"name":"v2","models":{"\#(model)":\#(version)}}]}
                """#, start: false)
            let answer = try service.hearthAdmin(.post, "experiments/\(name):start")
            answer.expectRefusal(400, "FAILED_PRECONDITION")
            return answer.string("error.message")
        }
        try service.makeModel("hidden", FakeProbe.ok("one"))
        #expect(try start("a", model: "nothing", version: 1)?.contains("no model 'nothing'") == true)
        #expect(try start("b", model: "hidden", version: 2)?.contains("no version 2") == true)
        #expect(try start("c", model: "hidden", version: 1)?.contains("not published") == true)
    }

    @Test("A version that crashed the engine is given out only on request, also where a few devices have it already")
    func crashing() throws {
        let service = try TestService()
        let id = try service.makeModel("digits", FakeProbe.ok("one"), isPublished: true)
        _ = try service.makeVersion(id, FakeProbe.ok("two"))
        try service.services.metadata.write { store in
            let crash = Verdict.unsupported("\(Verdict.crashText) (signal 11, Segmentation fault).")
            var known = try #require(try store.validation(sha256: hash(FakeProbe.ok("two"))))
            known.verdict = crash
            try store.put(known)
        }
        let release = #"{"version":2,"share":0.1,"allowCrashing":true}"#
        #expect(try service.hearthAdmin(.post, "models/\(id)/releases", release).status == 200)
        try service.makeExperiment(
            #"""
            {"name":"better","goal":{"event":"ok","kind":"conversion"},"variants":[
                {"name":"v1","models":{"digits":1}},{"name":"v2","models":{"digits":2}}]}
            """#, start: false)
        let refused = try service.hearthAdmin(.post, "experiments/better:start")
        refused.expectRefusal(400, "FAILED_PRECONDITION")
        #expect(refused.string("error.message")?.contains("crashed the engine") == true)
        let allowed = #"{"allowCrashing":true}"#
        #expect(try service.hearthAdmin(.post, "experiments/better:start", allowed).string("state") == "running")
        let entry = try service.services.metadata.read { store in
            try store.audit(project: "project-a", matching: AuditFilter(), before: nil, limit: 10)
                .first { $0.action == "experiment.start" }
        }
        #expect(entry?.detail == "although version 2 of 'digits' crashed the engine here")

        let variant = #"{"variant":"v2"}"#
        try service.hearthAdmin(.post, "experiments/better:rollOut", variant)
            .expectRefusal(400, "FAILED_PRECONDITION")
        let rolledOut = #"{"variant":"v2","allowCrashing":true}"#
        #expect(try service.hearthAdmin(.post, "experiments/better:rollOut", rolledOut).status == 200)
    }

    @Test("A version that is found malformed after all is given out no more")
    func malformed() throws {
        let service = try TestService()
        let id = try service.makeModel("digits", FakeProbe.ok("one"), isPublished: true)
        _ = try service.makeVersion(id, FakeProbe.ok("two"))
        service.waitForCheck(FakeProbe.ok("two"))
        try service.makeExperiment(
            #"""
            {"name":"better","goal":{"event":"ok","kind":"conversion"},"variants":[
                {"name":"v1","models":{"digits":1}},{"name":"v2","models":{"digits":2}}]}
            """#)
        let (one, two) = (hash(FakeProbe.ok("one")), hash(FakeProbe.ok("two")))
        func given() throws -> Set<String?> {
            Set(try TestService.fids(20).map { try service.download("digits", as: $0).headers["ETag"] })
        }
        #expect(try given() == [one, two])
        try service.services.metadata.write { store in
            var known = try #require(try store.validation(sha256: two))
            known.verdict = .malformed("It is cut short.")
            try store.put(known)
        }
        #expect(try given() == [one])
    }

    @Test("An experiment over a model whose guarded release is under way warns that its devices leave the guards")
    func guardedRelease() throws {
        let service = try TestService()
        let id = try service.makeModel("digits", FakeProbe.ok("one"), isPublished: true)
        _ = try service.makeVersion(id, FakeProbe.ok("two"))
        service.waitForCheck(FakeProbe.ok("two"))
        func warnings(_ name: String) throws -> [String] {
            let made = try service.hearthAdmin(
                .post, "experiments",
                #"""
                {"name":"\#(name)","goal":{"event":"ok","kind":"conversion"},"variants":[
                    {"name":"v1","models":{"digits":1}},{"name":"v2","models":{"digits":2}}]}
                """#)
            return made["warnings"] as? [String] ?? []
        }
        #expect(try warnings("before") == [])
        #expect(try service.hearthAdmin(.post, "models/\(id)/releases", #"{"version":2,"share":0.5}"#).status == 200)
        #expect(
            try warnings("meanwhile") == [
                "Release 2 of model 'digits' is under way: devices in the experiment leave its guards."
            ])
        #expect(try service.hearthAdmin(.post, "models/\(id)/releases/2:end").status == 200)
        #expect(try warnings("after") == [])
    }

    @Test("A value that its parameter cannot have is refused, and an unknown parameter is pointed out")
    func parameters() throws {
        let service = try TestService()
        try service.putTemplate(#"{"parameters":{"colour":{"defaultValue":{"value":"1"},"valueType":"NUMBER"}}}"#)
        let refused = try service.hearthAdmin(.post, "experiments", TestService.twoVariantExperiment())
        refused.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(refused.string("error.message")?.contains("'old'") == true)
        try service.putTemplate("{}")
        let made = try service.hearthAdmin(.post, "experiments", TestService.twoVariantExperiment())
        let warnings = try #require(made["warnings"] as? [String])
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("no parameter 'colour'") == true)
        let british = try service.hearthAdmin(
            .put, "experiments/colours",
            TestService.twoVariantExperiment(more: #","audience":"device.country in ['UK']""#))
        #expect(
            (british["warnings"] as? [String])?.contains(
                "In the audience, no country has the code 'UK'; devices there send GB.") == true)
    }

    @Test(
        "A variant's JSON is what every reader takes; what the template has from before is not the experiment's affair")
    func strictJSON() throws {
        let service = try TestService()
        let old = #"{"parameters":{"colour":{"defaultValue":{"value":"[1,]"},"valueType":"JSON"}}}"#
        try service.services.metadata.write { store in
            try store.insert(
                TemplateVersion(
                    projectID: service.a.project.id, namespace: "firebase", number: 1, body: old,
                    createdMicroseconds: service.time.now.microseconds, createdBy: "an older server", description: ""))
        }
        func experiment(_ red: String) -> String {
            TestService.twoVariantExperiment().replacing("\"red\"", with: red).replacing("\"blue\"", with: "\"[2]\"")
        }
        let refused = try service.hearthAdmin(.post, "experiments", experiment("\"[1,]\""))
        refused.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(refused.string("error.message")?.contains("'old'") == true)
        #expect(refused.string("error.message")?.contains("a comma stands before ]") == true)
        #expect(try service.hearthAdmin(.post, "experiments", experiment("\"[1]\"")).status == 200)
    }

    @Test("Bad definitions are refused with what is wrong")
    func refusals() throws {
        let service = try TestService()
        let cases = [
            (#"{"name":"a b"}"#, "variants"),
            (TestService.twoVariantExperiment("a b"), "name must have 1 to 32"),
            (TestService.twoVariantExperiment(more: #","share":0"#), "share"),
            (TestService.twoVariantExperiment(more: #","share":1.5"#), "share"),
            (TestService.twoVariantExperiment(more: #","audience":"device.country in"# + #"""#), "Column 18"),
            (TestService.twoVariantExperiment(more: #","shares":1"#), "did you mean 'share'"),
            (TestService.twoVariantExperiment(more: #","errorRate":0.5"#), "error rate"),
            (TestService.twoVariantExperiment().replacing("conversion", with: "sum"), "kind"),
        ]
        for (json, hint) in cases {
            let answer = try service.hearthAdmin(.post, "experiments", json)
            #expect(answer.status == 400, "\(json)")
            #expect(answer.text.contains(hint), "\(answer.text)")
        }
        try service.makeExperiment(TestService.twoVariantExperiment(), start: false)
        try service.hearthAdmin(.post, "experiments", TestService.twoVariantExperiment()).expectRefusal(
            409, "ALREADY_EXISTS")
        for path in ["experiments/none", "experiments/none/results", "experiments/none/data"] {
            try service.hearthAdmin(.get, path).expectRefusal(404, "NOT_FOUND")
        }
    }

    @Test("A draft can be changed, a running experiment neither changed nor deleted")
    func editing() throws {
        let service = try TestService()
        try service.makeExperiment(TestService.twoVariantExperiment(), start: false)
        let changed = try service.hearthAdmin(
            .put, "experiments/colours", TestService.twoVariantExperiment(more: #","note":"why""#))
        #expect(changed.string("definition.note") == "why")
        try service.hearthAdmin(.put, "experiments/colours", TestService.twoVariantExperiment("other")).expectRefusal(
            400, "INVALID_ARGUMENT")
        _ = try service.hearthAdmin(.post, "experiments/colours:start")
        try service.hearthAdmin(.put, "experiments/colours", TestService.twoVariantExperiment()).expectRefusal(
            400, "FAILED_PRECONDITION")
        try service.hearthAdmin(.delete, "experiments/colours").expectRefusal(400, "FAILED_PRECONDITION")
        _ = try service.hearthAdmin(.post, "experiments/colours:stop")
        #expect(try service.hearthAdmin(.delete, "experiments/colours").status == 200)
        #expect(try service.hearthAdmin(.get, "experiments")["experiments"] == nil)
    }

    @Test("A model under comparison keeps its name and stays; releases say whom they do not reach")
    func comparedModels() throws {
        let service = try TestService()
        let id = try service.makeModel("digits", FakeProbe.ok("one"), isPublished: true)
        try service.makeExperiment(
            #"""
            {"name":"better","goal":{"event":"ok","kind":"conversion"},"variants":[
                {"name":"v1","models":{"digits":1}},{"name":"v2"}]}
            """#)
        let renamed = try service.admin(
            .patch, "models/\(id)?updateMask=displayName", #"{"displayName":"other"}"#)
        #expect(renamed.text.contains("The experiment 'better' compares versions of this model"), "\(renamed.text)")
        let deleted = try service.admin(.delete, "models/\(id)")
        deleted.expectRefusal(400, "FAILED_PRECONDITION")
        let released = try service.hearthAdmin(
            .post, "models/\(id)/releases", #"{"version":1,"share":0.5,"audience":{"tags":["x"]}}"#)
        #expect((released["warnings"] as? [String])?.contains { $0.contains("'better'") } == true, "\(released.text)")
        _ = try service.hearthAdmin(.post, "experiments/better:stop")
        #expect(try service.admin(.delete, "models/\(id)").status == 200)
    }

    @Test("A damaged record hides no other, and keeps nobody from being answered")
    func damage() throws {
        let service = try TestService()
        try service.putTemplate(#"{"parameters":{"p":{"defaultValue":{"value":"1"}}}}"#)
        #expect(try service.fetchAsIOS().string("entries.p") == "1")
        try service.makeExperiment(TestService.twoVariantExperiment("sound"))
        try service.services.metadata.write { store in
            try store.insert(
                ExperimentRecord(
                    projectID: "project-a", name: "damaged", body: "{", isRunning: true, createdMicroseconds: 0,
                    createdBy: "test"))
            try store.insert(
                TemplateVersion(
                    projectID: "project-a", namespace: "firebase", number: 9, body: "{", createdMicroseconds: 0,
                    createdBy: "test"))
        }
        // The template of before.
        #expect(try service.fetchAsIOS().string("entries.p") == "1")
        #expect((try service.hearthAdmin(.get, "experiments")["experiments"] as? [Any])?.count == 1)
        #expect(try service.hearthAdmin(.get, "experiments/damaged").status == 500)
        let id = try service.makeModel("digits", FakeProbe.ok("one"), isPublished: true)
        #expect(try service.hearthAdmin(.post, "models/\(id)/releases", "{}").status == 200)
        try service.putTemplate(#"{"parameters":{"p":{"defaultValue":{"value":"2"}}}}"#)
        #expect(try service.fetchAsIOS().string("entries.p") == "2")
    }
}

extension TestService {
    fileprivate func download(
        _ model: String, as fid: String, _ device: HTTPHeaders = [:], ifNoneMatch: String? = nil
    ) throws -> TestResponse {
        var headers = device
        headers["x-goog-firebase-installations-auth"] = try installationToken(fid)
        headers["x-ios-bundle-identifier"] = a.bundleID
        headers["Host"] = "127.0.0.1:8080"
        headers["If-None-Match"] = ifNoneMatch
        return try call(.get, "/v1beta2/projects/project-a/models/\(model):download?key=\(a.apiKey)", headers: headers)
    }
}
