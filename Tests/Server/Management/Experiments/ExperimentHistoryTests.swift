import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Experiments: intervals and history") struct ExperimentHistoryTests {
    private let service: TestService
    private let name: String

    init() throws {
        service = try TestService()
        name = "colours"
        try service.makeExperiment(
            TestService.twoVariantExperiment(
                more:
                    #","guardrails":[{"metric":{"event":"crash","kind":"conversion","lowerIsBetter":true},"margin":0.5}]"#
            ))
    }

    /// More installations of both variants, of which some buy.
    private func expose(_ count: Int, buying: [Int], from first: Int = 0) throws {
        try service.services.metadata.write { store in
            for variant in 0...1 {
                for number in first..<first + count {
                    let unit = ExperimentUnit(
                        projectID: "project-a", experiment: name, installation: "\(variant)-\(number)",
                        variant: variant, exposedMicroseconds: 1)
                    try store.insert(unit)
                    if number - first < buying[variant] {
                        try store.add(MetricTotal(count: 1, sum: 1), metric: 0, to: unit)
                    }
                }
            }
        }
    }

    private func history() throws -> ExperimentBodies.History {
        let answer = try service.hearthAdmin(.get, "experiments/\(name)/history")
        #expect(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(ExperimentBodies.History.self, from: answer.text.utf8)
    }

    private func check(afterSeconds seconds: Int64 = 0) throws -> [String] {
        service.time.advance(seconds: seconds)
        return try service.handler.endDecidedExperiments()
    }

    @Test("The results have the always-valid interval of each difference")
    func results() throws {
        try expose(1000, buying: [100, 110])
        let answer = try service.hearthAdmin(.get, "experiments/colours/results")
        let results = try WireJSON.decode(ExperimentBodies.Results.self, from: answer.text.utf8)
        #expect(results.goal.errorRate == 0.025 && results.guardrails.first?.errorRate == 0.025)
        #expect(results.goal.rows[0].differenceInterval == nil)
        let interval = try #require(results.goal.rows[1].differenceInterval)
        #expect(interval.count == 2 && interval[0] < 0 && interval[1] > 0.01)
        #expect(results.guardrails.first?.rows[1].differenceInterval == nil, "nobody crashed")
    }

    /// Installations of the control that the results count, and the time of the count.
    private func counted(_ query: String = "") throws -> (Int?, String?) {
        let answer = try service.hearthAdmin(.get, "experiments/colours/results\(query)")
        let results = try WireJSON.decode(ExperimentBodies.Results.self, from: answer.text.utf8)
        return (results.exposures.first?.installations, results.countTime)
    }

    @Test("Readers whom older counts are enough get those of the last analysis, and others never do")
    func olderCounts() throws {
        try expose(10, buying: [1, 1])
        _ = try check()
        try expose(10, buying: [1, 1], from: 10)
        #expect(try counted("?maxAge=90") == (10, "2027-01-15T08:00:00.000123Z"))
        service.time.advance(seconds: 90)
        #expect(try counted("?maxAge=90").0 == 10)
        #expect(try counted("?maxAge=89") == (20, "2027-01-15T08:01:30.000123Z"))
        try expose(10, buying: [1, 1], from: 20)
        #expect(try counted("?maxAge=90").0 == 20, "what others counted is enough too")
        #expect(try counted("?maxAge=0").0 == 30 && counted().0 == 30)
        service.time.advance(seconds: -3600)
        try expose(10, buying: [1, 1], from: 30)
        #expect(try counted("?maxAge=86400").0 == 40, "of no known age after the clock was set back")
        for text in ["-1", "86401", "long", ""] {
            try service.hearthAdmin(.get, "experiments/colours/results?maxAge=\(text)").expectRefusal(
                400, "INVALID_ARGUMENT")
        }
    }

    @Test("A later experiment of the same name does not get the counts of the one before")
    func counterpart() throws {
        try expose(10, buying: [1, 1])
        #expect(try counted("?maxAge=90").0 == 10)
        for call in [":stop", ""] {
            let answer = try service.hearthAdmin(call.isEmpty ? .delete : .post, "experiments/colours\(call)")
            #expect(answer.status == 200, "\(answer.text)")
        }
        service.time.advance(seconds: 1)
        try service.makeExperiment(TestService.twoVariantExperiment())
        #expect(try counted("?maxAge=90").0 == 0)
    }

    @Test("The history begins with the first exposure and gets a point at growing intervals")
    func points() throws {
        #expect(try check() == [])
        #expect(try history().points == [])
        try expose(10, buying: [1, 2])
        for seconds in [60, 59, 1, 30] as [Int64] { #expect(try check(afterSeconds: seconds) == []) }
        let start = try history()
        #expect(start.experiment == "colours" && start.goal.event == "buy" && start.errorRate == 0.025)
        #expect(start.points.map(\.time) == ["2027-01-15T08:01:00.000123Z", "2027-01-15T08:02:00.000123Z"])
        #expect(
            start.points.first?.variants == [
                .init(variant: "old", exposures: 10, value: 0.1),
                .init(variant: "new", exposures: 10, value: 0.2, difference: 0.1),
            ])
        try expose(1000, buying: [100, 110], from: 10)
        #expect(try check(afterSeconds: 60) == [])
        let last = try #require(try history().points.last)
        #expect(last.variants.map(\.exposures) == [1010, 1010])
        #expect(last.variants[1].differenceInterval?.count == 2)
        #expect(last.variants[1].pValue != nil)
        #expect(last.variants[0].differenceInterval == nil && last.variants[0].pValue == nil)
    }

    @Test("The point at which the experiment was decided is in it, however soon it came")
    func decision() throws {
        try expose(300, buying: [30, 31])
        #expect(try check() == [])
        try expose(1000, buying: [100, 300], from: 300)
        #expect(try check(afterSeconds: 1).count == 1)
        let points = try history().points
        #expect(points.count == 2)
        let interval = try #require(points.last?.variants[1].differenceInterval)
        #expect(interval[0] > 0, "the interval leaves out 0 when the variant wins")
        // It is over.
        #expect(try check(afterSeconds: 3600) == [])
        #expect(try history().points.count == 2)
    }

    @Test("Of a long experiment at most 200 points stay")
    func limit() throws {
        try expose(1, buying: [0, 1])
        for _ in 0..<320 { #expect(try check(afterSeconds: 60) == []) }
        for _ in 0..<60 { #expect(try check(afterSeconds: 86_400) == []) }
        let times = try history().points.map(\.time)
        #expect((100...200).contains(times.count))
        #expect(times == times.sorted() && times.first == "2027-01-15T08:01:00.000123Z")
    }

    @Test("It goes with its experiment, and an unknown experiment has none")
    func deletion() throws {
        try expose(1, buying: [0, 1])
        #expect(try check() == [])
        #expect(try history().points.count == 1)
        _ = try service.hearthAdmin(.post, "experiments/colours:stop")
        #expect(try service.hearthAdmin(.delete, "experiments/colours").status == 200)
        try service.hearthAdmin(.get, "experiments/colours/history").expectRefusal(404, "NOT_FOUND")
        try service.makeExperiment(TestService.twoVariantExperiment())
        #expect(try history().points == [], "another experiment of the same name begins anew")
    }
}
