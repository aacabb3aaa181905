import HearthCalls
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct OverviewTextTests {
    private func overview() -> OverviewBodies.Overview {
        OverviewBodies.Overview(
            project: "robots", time: "2026-11-21T12:00:00.000000Z",
            counts: .init(
                models: 3, publishedModels: 2, rollouts: 0, runningExperiments: 1, installations: 1,
                pendingValidations: 0), rollouts: [], stopped: [], experiments: [], failedVersions: [], pending: [])
    }

    @Test func withoutNewsThereIsOneLine() {
        #expect(
            OverviewText(overview()).text
                == "Project robots: 3 models (2 published), 0 rollouts, 1 running experiment, 1 installation")
    }

    @Test func eachKindOfNewsHasATable() {
        var news = overview()
        news.counts.rollouts = 3
        var planned = OverviewBodies.Rollout(
            model: "1", displayName: "flowers", release: 4, version: 2, state: "active", share: 0.05, hasAudience: true,
            createTime: "2026-11-20T12:00:00.000000Z")
        (planned.nextShare, planned.guardState, planned.guardText) = (0.25, "undecided", "no crash")
        var staged = planned
        (staged.displayName, staged.nextTime, staged.guardState, staged.guardText) = (
            "digits", "2026-12-01T09:00:00.000000Z", nil, nil
        )
        news.rollouts = [planned, staged]
        news.stopped = [
            .init(
                model: "1", displayName: "cats", release: 2, version: 7, endTime: "2026-11-19T10:00:00.000000Z",
                guardName: "crashes", reason: "9 of 9 crashed")
        ]
        news.experiments = [
            .init(
                name: "colours", state: "running", startTime: "2026-11-18T10:00:00.000000Z", endTime: nil,
                verdict: "goOn", winner: nil, summary: "No significant difference yet.", analysisTime: nil)
        ]
        news.failedVersions = [
            .init(
                model: "1", displayName: "dogs", version: 9, createTime: "2026-11-17T10:00:00.000000Z",
                kind: "validation", reason: "cut short")
        ]
        news.pending = [
            .init(
                modelHash: "0123456789abcdef", requestTime: "2026-11-16T10:00:00.000000Z", note: nil, model: nil,
                displayName: nil, version: nil)
        ]
        let text = OverviewText(news).text
        for line in [
            "flowers        4        2  5% of its audience  active  25% by plan              undecided: no crash",
            "digits         4        2  5% of its audience  active  25% at 2026-12-01 09:00", "and 1 more",
            "cats         2        7  2026-11-19 10:00  guard 'crashes': 9 of 9 crashed",
            "colours     running  2026-11-18 10:00  goOn     No significant difference yet.",
            "dogs         9  2026-11-17 10:00  validation  cut short", "upload 0123456789ab  2026-11-16 10:00",
        ] {
            #expect(text.contains(line), "\(line)\n\(text)")
        }
    }

    @Test func searchResultsSayWhatTheyAre() {
        var results = SearchBodies.Results(
            query: "a\u{1B}b", models: [], parameters: [], conditions: [], experiments: [], installation: nil)
        #expect(SearchCommand.text(results, width: nil) == "Nothing has 'a?b' in its name.")
        results.models = [
            .init(model: "7", displayName: "flowers", tags: ["beta"], aliases: [.init(alias: "best", version: 3)])
        ]
        results.parameters = ["button"]
        results.experiments = [.init(name: "colours", state: "draft")]
        let lines = SearchCommand.text(results, width: nil).split(separator: "\n").dropFirst()
        #expect(
            lines.map { $0.split(separator: " ").joined(separator: " ") } == [
                "model flowers id 7, beta, best is version 3", "parameter button", "experiment colours draft",
            ])
    }

    @Test func aHistoryHasALineForEachVariantOfEachMoment() {
        var history = ExperimentBodies.History(
            experiment: "colours", goal: .init(event: "buy", kind: "conversion"), errorRate: 0.05, points: [])
        #expect(HistoryText.text(history, width: nil).hasPrefix("'colours' has no history yet"))
        history.points = [
            .init(
                time: "2026-11-21T12:00:00.000000Z",
                variants: [
                    .init(variant: "control", exposures: 400, value: 0.1),
                    .init(
                        variant: "new", exposures: 410, value: 0.125, difference: 0.025,
                        differenceInterval: [-0.01, 0.06], pValue: 0.5),
                ])
        ]
        let lines = HistoryText.text(history, width: nil).split(separator: "\n").suffix(2)
        #expect(
            lines.map { $0.split(separator: " ").joined(separator: " ") } == [
                "2026-11-21 12:00 control 400 10.00% - - -",
                "2026-11-21 12:00 new 410 12.50% 2.50% -1.00% to 6.00% 0.5000",
            ])
    }
}
