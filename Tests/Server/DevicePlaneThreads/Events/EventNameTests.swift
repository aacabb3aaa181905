import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Events: which names a day counts separately") struct EventNameTests {
    private let service: TestService

    init() throws { service = try TestService() }

    /// Many events with different names.
    private func flood(as fid: String, from first: Int = 0) throws {
        let items = (1...400).map { TestService.event(first + $0, "made_up_\(first + $0)", 1) }
        try #require(try service.report(items, as: fid).status == 200)
    }

    private func counts() throws -> [String: Int] {
        let rows = try #require(try service.hearthAdmin(.get, "events")["events"] as? [[String: Any]])
        let pairs = rows.map { row in
            let model = row["model"].map { " of \($0)" } ?? ""
            return ("\(row["event"] ?? "")\(model)", row["count"] as? Int ?? 0)
        }
        return Dictionary(pairs, uniquingKeysWith: +)
    }

    @Test("One installation does not use up the names of a day, in one batch or in several")
    func oneInstallation() throws {
        let fids = TestService.fids(2)
        for round in 0..<4 {
            let items = (1...400).map { TestService.event(round * 400 + $0, "made_up_\(round)_\($0)") }
            try #require(try service.report(items, as: fids[0]).status == 200)
        }
        try #require(try service.report([TestService.event(1, "digit_confirmed")], as: fids[1]).status == 200)
        let counts = try counts()
        #expect(counts["digit_confirmed"] == 1)
        #expect(counts.count == 102 && counts["other"] == 1500)
        // What is known is not new: its own names are counted as before.
        let known = try #require(counts.keys.first { $0.hasPrefix("made_up_0") })
        try #require(try service.report([TestService.event(1601, known)], as: fids[0]).status == 200)
        #expect(try self.counts()[known] == 2)
        // The next day begins anew.
        service.time.advance(seconds: 86_400)
        try flood(as: fids[0], from: 10_000)
        #expect(try self.counts().count == 202)
    }

    @Test("What a running experiment measures is counted by name on a day that is full")
    func goals() throws {
        try service.makeExperiment(TestService.twoVariantExperiment())
        let fids = TestService.fids(7)
        for (index, fid) in fids.prefix(6).enumerated() { try flood(as: fid, from: index * 1000) }
        let items = [
            TestService.event(1, "buy"), TestService.event(2, "buy", model: "invented"), TestService.event(3, "look"),
        ]
        let before = try counts()
        #expect((499...500).contains(before.count))
        try #require(try service.report(items, as: fids[6]).status == 200)
        let after = try counts()
        #expect(after["buy"] == 2 && after["look"] == nil && after["buy of invented"] == nil)
        #expect(after["other"] == (before["other"] ?? 0) + 1)
    }
}
