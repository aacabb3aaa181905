import HearthAPI
import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire
import Testing

@testable import HearthAPITestSupport

@Suite("Experiments: what a verdict needs, and what stays decided") struct ExperimentLackingTests {
    private let service: TestService

    init() throws {
        service = try TestService()
        try service.makeExperiment(
            TestService.twoVariantExperiment().replacing("\"conversion\"", with: "\"total\""))
    }

    /// Installations of both variants, of which some buy for 1.
    private func expose(_ count: Int, buying: [Int]) throws {
        try service.services.metadata.write { store in
            for variant in 0...1 {
                for number in 0..<count {
                    let unit = ExperimentUnit(
                        projectID: "project-a", experiment: "colours", installation: "\(variant)-\(number)",
                        variant: variant, exposedMicroseconds: 1)
                    try store.insert(unit)
                    if number < buying[variant] {
                        try store.add(MetricTotal(count: 1, sum: 1), metric: 0, to: unit)
                    }
                }
            }
        }
    }

    private func results() throws -> ExperimentBodies.Results {
        let answer = try service.hearthAdmin(.get, "experiments/colours/results")
        return try WireJSON.decode(ExperimentBodies.Results.self, from: answer.text.utf8)
    }

    @Test("The results say what a verdict needs and how much there is")
    func lacking() throws {
        try expose(300, buying: [60, 37])
        let found = try results()
        #expect(
            found.goal.lacking == [
                .init(
                    kind: "nonzeroTotals", variant: "new", needed: 50, found: 37,
                    text: "'new' needs 50 installations whose total is not 0; it has 37.")
            ])
        #expect(found.summary == "No verdict yet: there are too few data. Keep the experiment running.")
        #expect(found.goal.rows.allSatisfy { $0.pValue == nil && $0.probabilityToBeBest == nil })
    }

    @Test("With enough data they say which difference would be proven")
    func difference() throws {
        try expose(1000, buying: [100, 120])
        let found = try results()
        #expect(found.summary.hasPrefix("No significant difference yet."))
        let lacking = try #require(found.goal.lacking)
        let interval = try #require(found.goal.rows[1].differenceInterval)
        #expect(lacking.map(\.kind) == ["difference"] && lacking[0].variant == "new")
        #expect(abs(lacking[0].found - 0.02) < 1e-12 && lacking[0].needed > 0.02)
        #expect(abs(interval[1] - 0.02 - lacking[0].needed) < 1e-12)
        #expect(lacking[0].text.hasPrefix("'new' differs by 0.02; after so many installations, 0.0"))
    }

    @Test("What was decided stays, and no p-value beside it says something else")
    func keptVerdict() throws {
        try expose(1000, buying: [100, 120])
        _ = try service.handler.endDecidedExperiments()
        #expect(try service.hearthAdmin(.post, "experiments/colours:stop").status == 200)
        #expect(try results().verdict == "goOn" && results().goal.rows[1].pValue != nil)
        #expect(try results().goal.lacking == nil, "it is over")
        try service.services.metadata.write { store in
            var record = try #require(try store.experiment("colours", project: "project-a"))
            #expect(record.body.contains("\"endVerdict\":\"goOn\""))
            record.body = record.body.replacing("\"endVerdict\":\"goOn\"", with: "\"endVerdict\":\"winner\"")
            try store.update(record)
        }
        let kept = try results()
        #expect(kept.verdict == "winner" && kept.summary.contains("The verdict was 'winner' when the experiment ended"))
        #expect(kept.goal.rows[1].pValue == nil && kept.goal.rows[1].differenceInterval == nil)
        #expect(abs(try #require(kept.goal.rows[1].difference) - 0.02) < 1e-12)
    }
}
