import Foundation
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Experiments: what devices report") struct EventTests {
    /// What an experiment's results say: `[exposed, count, value]` of the goal by variant.
    private func goal(_ service: TestService, _ name: String = "colours") throws -> [String: [Double]] {
        let results = try service.hearthAdmin(.get, "experiments/\(name)/results")
        let exposures = try #require(results["exposures"] as? [[String: Any]], "\(results.text)")
        let rows = try #require(results["goal.rows"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: zip(exposures, rows).compactMap { exposure, row in
                (row["variant"] as? String).map { variant in
                    (
                        variant,
                        [
                            Double(exposure["installations"] as? Int ?? -1), Double(row["count"] as? Int ?? -1),
                            row["value"] as? Double ?? -1,
                        ]
                    )
                }
            })
    }

    @Test("Exposures and conversions are counted by variant")
    func counting() throws {
        let service = try TestService()
        try service.makeExperiment(TestService.twoVariantExperiment())
        var expected: [String: [Double]] = ["old": [0, 0, 0], "new": [0, 0, 0]]
        for (index, fid) in TestService.fids(20).enumerated() {
            let variant = try #require(try service.variant(of: fid))
            let buys = index.isMultiple(of: 3)
            let items = [TestService.exposure(1, variant)] + (buys ? [TestService.event(2, "buy", 9.5)] : [])
            let answer = try service.report(items, as: fid)
            #expect(answer["accepted"] as? Int == (buys ? 2 : 1), "\(answer.text)")
            expected[variant]?[0] += 1
            expected[variant]?[1] += 1
            expected[variant]?[2] += buys ? 1 : 0
        }
        let rates = expected.mapValues { [$0[0], $0[1], $0[2] / $0[1]] }
        #expect(try goal(service) == rates)
    }

    @Test("What is sent again counts once, and what is new in it counts")
    func once() throws {
        let service = try TestService()
        try service.makeExperiment(
            TestService.twoVariantExperiment().replacing(#""kind":"conversion""#, with: #""kind":"total""#))
        let variant = try #require(try service.variant(of: TestService.fid))
        let first = [TestService.exposure(1, variant), TestService.event(2, "buy", 10)]
        for items in [first, first, first + [TestService.event(5, "buy", 1.5)], first] {
            let answer = try service.report(items)
            #expect(answer.status == 200)
        }
        #expect(try goal(service)[variant] == [1, 1, 11.5])
        #expect(try service.report(first)["accepted"] as? Int == 5)
        // Another list of the same device is another count.
        let other = try service.report([TestService.event(1, "buy")], journal: "journal-2-journal-2-jo")
        #expect(other["accepted"] as? Int == 1)
        #expect(try goal(service)[variant] == [1, 1, 12.5])
        let events = try service.hearthAdmin(.get, "events")["events"] as? [[String: Any]]
        #expect(events?.count == 1)
        #expect(events?.first?["count"] as? Int == 3)
        #expect(events?.first?["sum"] as? Double == 11.5)
        #expect(events?.first?["day"] as? String == "2027-01-15")
    }

    @Test("An exposure to an experiment of the same name that was deleted is none to this one")
    func reusedName() throws {
        let service = try TestService()
        try service.makeExperiment(TestService.twoVariantExperiment())
        let variants = Set(["old", "new"])
        func report(_ fid: String, _ journal: String, start: String) throws {
            let items = variants.sorted().enumerated().map { index, variant in
                TestService.exposure(index + 1, variant).replacing(
                    "\"variant\"", with: "\"start\":\"\(start)\",\"variant\"")
            }
            #expect(try service.report(items, as: fid, journal: journal).status == 200)
        }
        let fid = TestService.fid
        try report(fid, "journal-1-journal-1-jo", start: "2027-01-15T08:00:00.000Z")
        #expect(try goal(service).values.map(\.[0]).sorted() == [0, 1])
        for (method, call) in [(HTTPMethod.post, "experiments/colours:stop"), (.delete, "experiments/colours")] {
            #expect(try service.hearthAdmin(method, call).status == 200)
        }
        service.time.advance(seconds: 60)
        try service.makeExperiment(TestService.twoVariantExperiment())
        try report(fid, "journal-2-journal-2-jo", start: "2027-01-15T08:00:00.000Z")
        #expect(try goal(service).values.map(\.[0]) == [0, 0])
        try report(fid, "journal-3-journal-3-jo", start: "2027-01-15T08:01:00.000Z")
        #expect(try goal(service).values.map(\.[0]).sorted() == [0, 1])
    }

    @Test("Nothing counts before the exposure, after the end, or of another variant than the installation's own")
    func order() throws {
        let service = try TestService()
        try service.makeExperiment(TestService.twoVariantExperiment())
        let fids = TestService.fids(4)
        let variants = try fids.map { try #require(try service.variant(of: $0)) }
        _ = try service.report([TestService.event(1, "buy"), TestService.exposure(2, variants[0])], as: fids[0])
        let wrong = variants[1] == "old" ? "new" : "old"
        _ = try service.report([TestService.exposure(1, wrong), TestService.event(2, "buy")], as: fids[1])
        _ = try service.report(
            [TestService.exposure(1, "x", "unknown"), TestService.event(2, "sell"), TestService.event(3, "buy")],
            as: fids[2])
        #expect(try goal(service)[variants[0]] == [1, 1, 0])
        #expect(try goal(service)[wrong]?[2] == 0)
        _ = try service.hearthAdmin(.post, "experiments/colours:stop")
        _ = try service.report([TestService.exposure(1, variants[3]), TestService.event(2, "buy")], as: fids[3])
        _ = try service.report([TestService.event(3, "buy")], as: fids[0])
        let all = try goal(service)
        #expect((all["old"]?[0] ?? 0) + (all["new"]?[0] ?? 0) == 1)
        #expect(all[variants[0]]?[2] == 0)
    }

    @Test("A metric about a model counts only its events; a mean is of those that logged any")
    func metrics() throws {
        let service = try TestService()
        try service.makeExperiment(
            TestService.twoVariantExperiment(
                more: #"""
                    ,"guardrails":[{"metric":{"event":"ms","kind":"average","lowerIsBetter":true,"model":"digits"}},
                        {"metric":{"event":"ms","kind":"total"}}]
                    """#))
        let variant = try #require(try service.variant(of: TestService.fid))
        _ = try service.report([
            TestService.exposure(1, variant), TestService.event(2, "ms", 4, model: "digits"),
            TestService.event(3, "ms", 8, model: "digits"), TestService.event(4, "ms", 100, model: "other"),
            TestService.event(5, "ms", model: "digits"),
        ])
        let results = try service.hearthAdmin(.get, "experiments/colours/results")
        let guardrails = try #require(results["guardrails"] as? [[String: Any]])
        let values = guardrails.map { guardrail in
            (guardrail["rows"] as? [[String: Any]])?.first { $0["variant"] as? String == variant }?["value"] as? Double
        }
        #expect(values == [6, 113])
    }

    @Test("What was counted can be taken away as a table, in pages")
    func export() throws {
        let service = try TestService()
        try service.makeExperiment(TestService.twoVariantExperiment())
        let fids = TestService.fids(3)
        for fid in fids {
            let variant = try #require(try service.variant(of: fid))
            _ = try service.report([TestService.exposure(1, variant), TestService.event(2, "buy", 2.5)], as: fid)
        }
        let first = try service.hearthAdmin(.get, "experiments/colours/data?pageSize=2")
        #expect(first.headers["Content-Type"] == "text/csv; charset=utf-8")
        let token = try #require(first.headers["X-Hearth-Next-Page-Token"])
        let second = try service.hearthAdmin(.get, "experiments/colours/data?pageSize=2&pageToken=\(token)")
        #expect(second.headers["X-Hearth-Next-Page-Token"] == nil)
        let lines = (first.text + second.text).split(separator: "\r\n").map(String.init)
        #expect(lines.first == "installation,variant,first_exposure,buy:conversion:count,buy:conversion:sum")
        let expected = try fids.map {
            "\(InstallationLogName(id: $0)),\(try #require(try service.variant(of: $0))),2027-01-15T08:00:00.000123Z,1,2.5"
        }
        #expect(Array(lines.dropFirst()) == expected)
    }

    @Test("Batches that are none are refused with what is wrong, and nothing of them is counted")
    func refusals() throws {
        let service = try TestService()
        let good = TestService.event(1, "buy")
        let cases: [([String], String)] = [
            ([], "1 to 500"),
            ([good, TestService.event(1, "buy")], "grow"),
            ([TestService.event(0, "buy")], "begin at 1"),
            ([good, TestService.event(2, "no spaces")], "must begin with a letter"),
            ([good, TestService.event(2, "buy", 1e13)], "must be between"),
            ([good, TestService.event(2, "buy", model: "a b")], "display name"),
            ([#"{"sequence":1,"time":"now","event":{"name":"buy"}}"#], "a time"),
            ([#"{"sequence":1,"time":"2027-01-15T08:00:00Z"}"#], "an event, an exposure or a model"),
            ([#"{"sequence":1,"time":"2027-01-15T08:00:00Z","event":{"name":"buy","worth":1}}"#], "no 'worth'"),
            ((1...501).map { TestService.event($0, "buy") }, "1 to 500"),
            ([Self.health(#""model":"a b""#)], "display name"),
            ([Self.health(#""modelHash":"00""#)], "SHA-256"),
            ([Self.health(#""loads":-1"#)], "Counts are"),
            ([Self.health(#""crashes":{"SIGSEGV":1000000001}"#)], "Counts are"),
            ([Self.health(#""loadFailures":{"a b":1}"#)], "at most 20 codes"),
            (
                [Self.health(#""loadFailures":{\#((0...20).map { "\"\($0)\":1" }.joined(separator: ","))}"#)],
                "at most 20 codes"
            ),
            ([Self.health(#""runTimes":[[256,1]]"#)], "health.runTimes"),
            ([Self.health(#""runTimes":[[2,1],[2,1]]"#)], "health.runTimes"),
            ([Self.health(#""installation":"x""#)], "no 'installation'"),
        ]
        for (items, hint) in cases {
            let answer = try service.report(items)
            #expect(answer.status == 400, "\(hint)")
            #expect(answer.text.contains(hint), "\(answer.text)")
        }
        #expect(try service.report([good], journal: "short").status == 400)
        #expect(try service.hearthAdmin(.get, "events")["events"] == nil)
        let keyless = try service.call(.post, "/hearth/v1/projects/project-a/events", body: Array("{}".utf8))
        keyless.expectRefusal(403, "PERMISSION_DENIED")
        let tokenless = try service.call(
            .post, "/hearth/v1/projects/project-a/events",
            headers: ["x-goog-api-key": service.a.apiKey, "x-ios-bundle-identifier": service.a.bundleID],
            body: Array("{}".utf8))
        tokenless.expectRefusal(401, "UNAUTHENTICATED")
    }

    /// An item about a model's health in which a member is replaced, or added.
    private static func health(_ member: String = "") -> String {
        let name = member.prefix { $0 != ":" }
        let members = [
            #""model":"flowers""#, "\"modelHash\":\"\(String(repeating: "0a", count: 32))\"", #""loads":1"#,
            "\"crashes\":{\"SIGSEGV\":1}", #""loadFailures":{"engine":1}"#, #""runTimes":[[0,1],[255,1000000000]]"#,
        ]
        let all = members.filter { name.isEmpty || !$0.hasPrefix(name) } + (member.isEmpty ? [] : [member])
        return #"{"sequence":1,"time":"2027-01-15T08:00:00Z","health":{\#(all.joined(separator: ","))}}"#
    }

    @Test("The health of a model is accepted at its limits")
    func health() throws {
        let service = try TestService()
        #expect(try service.report([Self.health()]).status == 200)
        let codes = (1...20).map { "\"\($0)\":1000000000" }.joined(separator: ",")
        #expect(
            try service.report([Self.health("\"loadFailures\":{\(codes)}")], as: TestService.fids(1)[0]).status == 200)
    }

    @Test("Devices that make up names fill no table")
    func inventedNames() throws {
        let service = try TestService()
        for round in 0..<4 {
            let items = (1...200).map { TestService.event($0, "made_up_\(round)_\($0)", 1) }
            #expect(try service.report(items, as: TestService.fids(4)[round]).status == 200)
        }
        let rows = try #require(try service.hearthAdmin(.get, "events")["events"] as? [[String: Any]])
        #expect(rows.count <= 500)
        #expect(rows.compactMap { $0["count"] as? Int }.reduce(0, +) == 800)
        #expect(rows.contains { $0["event"] as? String == "other" })
    }

    @Test("A difference ends the experiment by itself, with a winner; without one it goes on")
    func watch() throws {
        let service = try TestService()
        try service.makeExperiment(TestService.twoVariantExperiment(more: #","plannedExposures":300"#))
        try service.makeExperiment(
            TestService.twoVariantExperiment("same", more: #","plannedExposures":300"#).replacing(
                "colour\"", with: "size\""))
        for (index, fid) in TestService.fids(900).enumerated() {
            let variant = try #require(try service.variant(of: fid))
            let same = try #require(try service.variant(of: fid, "same"))
            let buys = index % 100 < (variant == "new" ? 60 : 20)
            let items =
                [TestService.exposure(1, variant), TestService.exposure(2, same, "same")]
                + (buys ? [TestService.event(3, "buy")] : [])
            #expect(try service.report(items, as: fid).status == 200)
        }
        let lines = try service.handler.endDecidedExperiments()
        #expect(lines.count == 1)
        let ended = try service.hearthAdmin(.get, "experiments/colours")
        #expect(ended.string("state") == "stopped")
        #expect(ended.string("winner") == "new")
        #expect(ended.string("endReason")?.contains("better than the control") == true)
        #expect(try service.hearthAdmin(.get, "experiments/same").string("state") == "running")
        #expect(try service.fetchAsIOS()["entries"] as? [String: String] != nil)
        #expect(try service.handler.endDecidedExperiments() == [])
    }
}
