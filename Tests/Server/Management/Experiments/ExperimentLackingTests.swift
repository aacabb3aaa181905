import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Experiments: what a verdict needs, and what stays decided") struct ExperimentLackingTests {
    private let service: TestService

    init() throws {
        service = try TestService()
        try service.makeExperiment(
            TestService.twoVariantExperiment().replacing("\"conversion\"", with: "\"total\""))
    }

    /// Installations of each variant, of which some buy once.
    private func expose(
        _ count: Int, buying: [Int], of name: String = "colours", from first: Int = 0, for price: Double = 1
    ) throws {
        try service.services.metadata.write { store in
            for variant in buying.indices {
                for number in first..<first + count {
                    let unit = ExperimentUnit(
                        projectID: "project-a", experiment: name, installation: "\(variant)-\(number)",
                        variant: variant, exposedMicroseconds: 1)
                    try store.insert(unit)
                    if number - first < buying[variant] {
                        try store.add(MetricTotal(count: 1, sum: price), metric: 0, to: unit)
                    }
                }
            }
        }
    }

    private func results(_ name: String = "colours") throws -> ExperimentBodies.Results {
        let answer = try service.hearthAdmin(.get, "experiments/\(name)/results")
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
                    text: "'new' needs 50 installations whose total is not 0; it has 37."),
                .init(
                    kind: "expectedNonzeroTotals", variant: "new", needed: 100, found: 48,
                    text:
                        "Instead, 'old' and 'new' may together have so many that 100 are expected in the smaller one; "
                        + "now 48 are."),
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
        #expect(lacking[0].text.hasPrefix("'new' differs by 0.02; with today's data, a difference of 0.0"))
        #expect(lacking[0].text.hasSuffix(" would be proven."))
    }

    @Test("Beside a winner nothing is lacking, and with lost installations only their cause")
    func nothingLacking() throws {
        let third = ##"},{"name":"third","parameters":{"colour":"green"}}]"##
        try service.makeExperiment(
            TestService.twoVariantExperiment("three", more: #","share":0.3,"stopsAtWinner":false"#)
                .replacing("}}]", with: "}\(third)").replacing("\"colour\"", with: "\"shape\""))
        try expose(1000, buying: [100, 300, 101], of: "three")
        let won = try results("three")
        #expect(won.verdict == "winner" && won.goal.lacking == nil)
        #expect(won.goal.rows[2].pValue.map { $0 > 0.5 } == true)
        try expose(1000, buying: [100, 120])
        try expose(1000, buying: [100], from: 1000)
        let lost = try results()
        #expect(lost.hasSampleRatioMismatch)
        #expect(lost.goal.lacking?.map(\.text) == ["Find the cause of the group sizes."])
        #expect(lost.goal.lacking?.first?.kind == "sampleRatio")
    }

    /// Puts what a former rule or version would have left there into the record.
    private func rewrite(_ name: String, _ pairs: [(String, String)]) throws {
        try service.services.metadata.write { store in
            var record = try #require(try store.experiment(name, project: "project-a"))
            for (old, new) in pairs {
                #expect(record.body.contains(old), "\(record.body)")
                record.body = record.body.replacing(old, with: new)
            }
            try store.update(record)
        }
    }

    /// Its p-value today is small: the recorded winner is another one.
    @Test("A winner that was recorded stays, and no p-value beside it names another one")
    func keptWinner() throws {
        try expose(1000, buying: [100, 300])
        #expect(try service.handler.endDecidedExperiments().count == 1)
        let before = try results()
        #expect(before.verdict == "winner" && before.summary == "'new' is better than the control in buy; roll it out.")
        #expect(before.goal.rows[1].pValue.map { $0 < 1e-6 } == true)
        #expect(before.goal.rows.allSatisfy { $0.probabilityToBeBest != nil })
        let new = "'new' is better than the control in buy"
        let old = "The control 'old' is better than every other variant"
        try rewrite("colours", [(new, old), ("\"winner\":\"new\"", "\"winner\":\"old\"")])
        let kept = try results()
        #expect(kept.verdict == "winner" && kept.summary.hasPrefix("\(old). The verdict was 'winner' when"))
        #expect(!kept.summary.contains("'new'"))
        #expect(
            kept.goal.rows.allSatisfy {
                $0.pValue == nil && $0.probabilityToBeBest == nil && $0.differenceInterval == nil
            })
        #expect(abs(try #require(kept.goal.rows[1].difference) - 0.2) < 1e-12)
        // An older server did not record the kind.
        try rewrite("colours", [("\"endVerdict\":\"winner\",", ""), ("\"endFinding\":\"\(old)\",", "")])
        #expect(try results().summary == kept.summary && results().verdict == "winner")
    }

    @Test("Of three variants, the one that was better stays the winner")
    func keptOfThree() throws {
        let third = ##"},{"name":"third","parameters":{"colour":"green"}}]"##
        try service.makeExperiment(
            TestService.twoVariantExperiment("three", more: #","share":0.3,"stopsAtWinner":false"#)
                .replacing("}}]", with: "}\(third)").replacing("\"colour\"", with: "\"shape\""))
        try expose(1000, buying: [100, 300, 200], of: "three")
        _ = try service.handler.endDecidedExperiments()
        #expect(try service.hearthAdmin(.post, "experiments/three:stop").status == 200)
        #expect(try results("three").summary.hasPrefix("'new' is better than the control in buy"))
        // Who stops it need not record a winner: the finding names it.
        try rewrite("three", [("'new' is better", "'third' is better")])
        let kept = try results("three")
        #expect(kept.verdict == "winner" && kept.goal.rows.allSatisfy { $0.pValue == nil })
        #expect(kept.summary.contains("'third' is better than the control in buy. The verdict was 'winner'"))
    }

    @Test("What was undecided at its end gains no winner; what today's rule finds is called that")
    func keptUndecided() throws {
        try expose(1000, buying: [100, 120])
        _ = try service.handler.endDecidedExperiments()
        #expect(try service.hearthAdmin(.post, "experiments/colours:stop").status == 200)
        #expect(try results().verdict == "goOn" && results().goal.rows[1].pValue != nil)
        #expect(try results().goal.lacking == nil, "it is over")
        try expose(1000, buying: [0, 500], from: 1000)
        let kept = try results()
        #expect(kept.verdict == "goOn")
        #expect(
            kept.summary.contains(
                "No difference was proven when the experiment ended. By the rule and the counts of today: 'new' is better"
            ))
    }

    @Test("A winner that a person recorded is no verdict")
    func recordedWinner() throws {
        try expose(1000, buying: [100, 120])
        #expect(try service.hearthAdmin(.post, "experiments/colours:stop", #"{"winner":"new"}"#).status == 200)
        #expect(try results().verdict == "goOn")
        let answer = try service.hearthAdmin(.get, "overview")
        let found = try WireJSON.decode(OverviewBodies.Overview.self, from: answer.text.utf8).experiments
        #expect(found.map(\.winner) == ["new"] && found.map(\.verdict) == ["goOn"])
    }

    @Test(
        "Beside the winner that a person recorded, the verdict of which an earlier server kept only the kind is today's"
    )
    func recordedWinnerBesideVerdict() throws {
        try expose(1000, buying: [100, 300])
        #expect(try service.hearthAdmin(.post, "experiments/colours:stop", #"{"winner":"old"}"#).status == 200)
        try rewrite("colours", [(#""endFinding":"'new' is better than the control in buy","#, "")])
        let found = try results()
        #expect(found.verdict == "winner" && found.experiment.winner == "old")
        #expect(found.goal.rows[1].pValue.map { $0 < 1e-6 } == true)
    }

    @Test("What was proven when a person ends an experiment stays, although the server has not looked at it yet")
    func endedBeforeALook() throws {
        try expose(1000, buying: [100, 300])
        #expect(try service.hearthAdmin(.post, "experiments/colours:rollOut", #"{"variant":"new"}"#).status == 200)
        // As if a later rule asked for more.
        try rewrite("colours", [(#""errorRate":0.05"#, #""errorRate":1e-100"#)])
        let kept = try results()
        #expect(kept.verdict == "winner" && kept.summary.contains("'new' is better than the control in buy"))
    }

    @Test("Differences and what would be enough never look alike, and large ones have no exponent")
    func numbers() throws {
        try expose(1000, buying: [300, 290], for: 100_000)
        let found = try results()
        let text = try #require(found.goal.lacking?.first?.text)
        #expect(text.hasPrefix("'new' differs by 1000; with today's data, a difference of "))
        #expect(!text.contains("e+"))
        let texts = ExperimentLacking.texts(123_456.7, 123_456.71, isRate: false)
        #expect(texts.0 == "123457" && texts.1 == "123458")
        #expect(ExperimentLacking.texts(1e-11, 2e-11, isRate: false).1 == "0.00000000002")
    }

    @Test("A value whose square is too small for a number counts as 0")
    func tiny() throws {
        try expose(300, buying: [60, 60], for: 1e-200)
        let found = try results()
        #expect(found.goal.rows.map(\.value) == [0, 0])
        #expect(found.goal.lacking?.first?.found == 0)
    }
}
