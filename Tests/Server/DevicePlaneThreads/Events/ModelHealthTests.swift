import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("What devices report about versions") struct ModelHealthTests {
    private let service: TestService
    private let model: String
    private let one = hash(FakeProbe.ok("one"))

    init() throws {
        service = try TestService()
        model = try service.makeModel("flowers", FakeProbe.ok("one"), isPublished: true)
    }

    private func item(_ sequence: Int, _ counts: String, hash: String? = nil, model: String = "flowers") -> String {
        let hash = hash ?? one
        return
            #"{"sequence":\#(sequence),"time":"2027-01-15T08:00:00Z","health":{"model":"\#(model)","modelHash":"\#(hash)",\#(counts)}}"#
    }

    private func versions(_ query: String = "") throws -> [[String: Any]] {
        let answer = try service.hearthAdmin(.get, "models/\(model)/health\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(answer["versions"] as? [[String: Any]])
    }

    @Test("Reports add up, each once, and unknown bytes count apart")
    func counting() throws {
        let items = [
            item(1, #""loads":2,"runs":10,"loadFailures":{"bad-file":1},"runTimes":[[80,9],[88,1]]"#),
            item(2, #""loads":1,"failedRuns":3,"crashes":{"SIGSEGV":2},"installed":1"#),
            item(3, #""loads":7"#, hash: String(repeating: "ab", count: 32)), item(4, #""loads":7"#, model: "gone"),
        ]
        for _ in 0..<2 { #expect(try service.report(items)["accepted"] as? Int == 4) }
        let found = try versions()
        #expect(found.map { $0["version"] as? Int } == [1, nil])
        let first = try #require(found.first)
        #expect(first["reports"] as? Int == 2 && first["loads"] as? Int == 3 && first["runs"] as? Int == 10)
        #expect(first["failedRuns"] as? Int == 3 && first["installed"] as? Int == 1)
        #expect(first["loadFailures"] as? [String: Int] == ["bad-file": 1])
        #expect(first["crashes"] as? [String: Int] == ["SIGSEGV": 2])
        let times = try #require(first["runTime"] as? [String: Int])
        // 2^10.0625 and 2^11.0625 microseconds.
        #expect(times == ["count": 10, "median": 1069, "percentile95": 2139])
        #expect(first["loadTime"] == nil)
        #expect(try versions("?version=1&hours=1").count == 1)
        #expect(try service.hearthAdmin(.get, "models/\(model)/health?hours=2161").status == 400)
        #expect(try service.hearthAdmin(.get, "models/\(model)/health?version=9").status == 404)
    }

    @Test("Devices cannot make more than a few codes")
    func codes() throws {
        for round in 0..<3 {
            let codes = (0..<ModelHealth.codeLimit).map { #""code\#(round)-\#($0)":1"# }.joined(separator: ",")
            #expect(try service.report([item(round + 1, #""crashes":{\#(codes)}"#)]).status == 200)
        }
        let crashes = try #require(try versions().first?["crashes"] as? [String: Int])
        #expect(crashes.count == ModelHealth.codeLimit + 1 && crashes["other"] == 40)
    }

    @Test(
        "What goes beyond a limit is refused",
        arguments: [
            #""loads":-1"#, #""loads":1000000001"#, #""runTimes":[[256,1]]"#, #""runTimes":[[3,1],[3,1]]"#,
            #""runTimes":[[3,0]]"#, #""crashes":{"a b":1}"#, #""crashes":{"":1}"#, #""crashes":{"x":-1}"#,
            "\"crashes\":{\"" + String(repeating: "x", count: 41) + "\":1}",
            "\"loadFailures\":{" + (0...20).map { "\"c\($0)\":1" }.joined(separator: ",") + "}",
        ])
    func limits(counts: String) throws {
        #expect(try service.report([item(1, counts)]).status == 400)
        #expect(try versions().isEmpty)
    }

    @Test("What is at a limit is taken")
    func atTheLimits() throws {
        let codes = (0..<20).map { #""\#(String(repeating: "x", count: 38))\#($0 + 10)":1"# }.joined(separator: ",")
        let items = [
            item(1, #""loads":1000000000,"runTimes":[[0,1],[255,1000000000]],"crashes":{\#(codes)}"#),
            item(2, #""loads":1000000000"#),
        ]
        #expect(try service.report(items).status == 200)
        #expect(try versions().first?["loads"] as? Int == 2_000_000_000)
        #expect(try service.report([item(3, #""loads":1"#, hash: "AB")]).status == 400)
    }

    @Test("Old minutes become hours, hours become days, and old days go")
    func periods() throws {
        let store = service.services.metadata
        let id = try #require(Int64(model))
        var health = ModelHealth(model: "flowers", modelHash: one)
        health.loads = 1
        let minute: Int64 = 60_000_000
        let start: Int64 = 20_000 * 1440 * minute
        for number in 0..<180 {
            try store.write {
                try $0.add(health, project: "project-a", nowMicroseconds: start + Int64(number) * minute)
            }
        }
        func loads(since: Int64 = 0) throws -> Int64? {
            try store.read { try $0.health(model: id, sinceMinute: since / minute)[1]?.loads }
        }
        func fold(_ days: Int64) throws -> Int {
            try store.write { try $0.foldHealth(nowMicroseconds: start + (180 + days * 1440) * minute, limit: 1000) }
        }
        #expect(try fold(0) == 60)
        #expect(try fold(0) == 0)
        #expect(try loads() == 180)
        #expect(try loads(since: start + 60 * minute) == 120)
        #expect(try fold(4) > 100)
        #expect(try loads() == 180)
        #expect(try loads(since: start + 1439 * minute) == 180, "a day counts as a whole")
        _ = try fold(92)
        #expect(try loads() == nil)
    }
}
