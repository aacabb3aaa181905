import Foundation
import HearthCalls
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct ExperimentTextTests {
    private func experiment() -> ExperimentBodies.Experiment {
        var definition = ExperimentBodies.Definition(
            name: "colours",
            variants: [
                .init(name: "control", weight: 3, parameters: ["colour": "blue"]),
                .init(name: "green", weight: 1, parameters: ["colour": "green"], models: ["flowers": 4]),
            ], goal: .init(event: "purchase", kind: "conversion"))
        definition.share = 0.2
        definition.guardrails = [
            .init(metric: .init(event: "wait", kind: "average", lowerIsBetter: true, model: "flowers"), margin: 0.05)
        ]
        var experiment = ExperimentBodies.Experiment(
            definition: definition, state: "running", createTime: "2026-11-20T08:00:00Z", createdBy: "ci@p")
        experiment.startTime = "2026-11-21T09:00:00Z"
        return experiment
    }

    @Test func anExperimentAsText() {
        let summary = ExperimentSummary(experiment())
        #expect(
            summary.sentence
                == "'colours': 20% of all devices, parameter colour, model flowers, variants control, green")
        #expect(
            summary.lines == [
                "name:       colours", "state:      running", "variants:   control (75%): colour = \"blue\"",
                "            green (25%): colour = \"green\", flowers version 4", "audience:   all devices",
                "share:      20%", "goal:       purchase (conversion)",
                "guardrails: wait (average, lower is better) of model flowers, at most 5% worse than the control",
                "test:       error rate 5%, 10000 installations planned for each variant, ends at a winner or at harm",
                "made:       2026-11-20 08:00 UTC by ci@p", "started:    2026-11-21 09:00 UTC",
            ])
        #expect(summary.changes(of: "green") == "colour = \"green\", flowers version 4")
        #expect(summary.changes(of: "red") == nil)
    }

    @Test(
        "The results say which pinned devices they leave out",
        arguments: [
            (1, [], "Left out: 1 pinned installation."),
            (2, ["qa"], "Left out: 2 pinned installations, and devices that send the pinned tag qa."),
            (0, ["lab", "qa"], "Left out: devices that send the pinned tags lab, qa."),
        ])
    func leftOut(installations: Int, tags: [String], line: String) {
        var results = results(mismatch: false)
        #expect(!ResultsText(results).text.contains("Left out"))
        results.leftOut = .init(installations: installations, tags: tags)
        #expect(ResultsText(results).text.contains("\n\n\(line)\n\nVerdict:"))
    }

    @Test("A pin as text")
    func pin() {
        var pin = PinBodies.Pin(
            installation: "device:5a1e90c41d77", tag: nil, version: 3, variant: nil, createTime: "", createdBy: "")
        #expect(PinReport.device(pin) == "device:5a1e90c41d77" && PinReport.target(pin) == "version 3")
        (pin.installation, pin.tag, pin.version, pin.variant) = (nil, "qa", nil, "blue")
        #expect(PinReport.device(pin) == "tag qa" && PinReport.target(pin) == "variant blue")
    }

    private func results(mismatch: Bool) -> ExperimentBodies.Results {
        let goal = ExperimentBodies.Results.MetricResults(
            metric: .init(event: "purchase", kind: "conversion"),
            errorRate: 0.025,
            rows: [
                .init(
                    variant: "control", count: 7500, value: 0.045, credibleInterval: [0.041, 0.049], difference: nil,
                    probabilityToBeBest: 0.021, pValue: nil),
                .init(
                    variant: "green", count: 2500, value: 0.052, credibleInterval: [0.048, 0.056], difference: 0.007,
                    differenceInterval: [0.0012, 0.0128], probabilityToBeBest: 0.979, pValue: 0.00001),
            ])
        let guardrail = ExperimentBodies.Results.MetricResults(
            metric: .init(event: "wait", kind: "average", lowerIsBetter: true),
            rows: [
                .init(
                    variant: "control", count: 2, value: 120.5, credibleInterval: nil, difference: nil,
                    probabilityToBeBest: nil, pValue: nil),
                .init(
                    variant: "green", count: 1, value: 110, credibleInterval: nil, difference: -10.5,
                    probabilityToBeBest: nil, pValue: nil),
            ],
            lacking: [
                .init(
                    kind: "installations", variant: "control", needed: 200, found: 2,
                    text: "'control' needs 200 installations with a value; it has 2.")
            ])
        return ExperimentBodies.Results(
            experiment: experiment(),
            exposures: [.init(variant: "control", installations: 7500), .init(variant: "green", installations: 2500)],
            goal: goal, guardrails: [guardrail], sampleRatioPValue: mismatch ? 0.0002 : 0.8,
            hasSampleRatioMismatch: mismatch, verdict: "winner", summary: "green is better.\nRoll it out.",
            method: "Beta posteriors.")
    }

    @Test func resultsAsText() {
        let text = ResultsText(results(mismatch: false)).text.split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        for line in [
            "VARIANT EXPOSED SHARE EXPECTED SHARE", "control 7500 75.00% 75.00%", "green 2500 25.00% 25.00%",
            "Running since 2026-11-21 09:00 UTC.",
            "Goal: purchase (conversion)",
            "Guardrail: wait (average, lower is better) of model flowers, at most 5% worse than the control",
            "control 7500 4.50% control - 2.1% -",
            "green 2500 5.20% +0.70 points (+15.6%) +0.12 to +1.28 97.9% <0.0001",
            "A difference is proven when its p-value is at most 0.025.",
            "control 2 120.5 control - - -", "green 1 110 -10.5 (-8.7%) - - -",
            "Still needed: 'control' needs 200 installations with a value; it has 2.",
            "Verdict: green is better.?Roll it out.", "Method: Beta posteriors.",
        ] { #expect(text.contains(line), "\(line)\n\n\(text)") }
        #expect(!text.contains { $0.hasPrefix("Warning") })
    }

    @Test func aSampleRatioMismatchIsTheFirstLine() throws {
        let text = ResultsText(results(mismatch: true)).text
        let warning = try #require(text.range(of: "Warning: "))
        let goal = try #require(text.range(of: "Goal: "))
        #expect(
            warning.lowerBound < goal.lowerBound && text.contains("sample ratio mismatch (SRM)")
                && text.contains("(p = 0.0002)"))
    }

    @Test func aMetricWithoutEventsHasNoValues() {
        let results = ExperimentBodies.Results.MetricResults(
            metric: .init(event: "purchase", kind: "conversion"),
            rows: ["control", "green"].map { variant in
                .init(
                    variant: variant, count: 0, value: 0, credibleInterval: nil,
                    difference: variant == "green" ? 0 : nil, probabilityToBeBest: nil, pValue: nil)
            })
        let lines = MetricResultsTable(results).description.split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(lines.dropFirst() == ["control 0 - control - - -", "green 0 - - - - -"])
        let guardrail = ExperimentBodies.Guardrail(metric: results.metric)
        #expect(MetricText.text(guardrail) == "purchase (conversion), no worse than the control")
    }

    @Test func numbers() {
        #expect(ResultNumberText.number(12) == "12" && ResultNumberText.number(12.3456) == "12.35")
        #expect(ResultNumberText.number(12345.6) == "12346" && ResultNumberText.number(999.94) == "999.9")
        #expect(ResultNumberText.number(-1234567) == "-1234567" && ResultNumberText.number(1e20) == "1e+20")
        #expect(ResultNumberText.number(.nan).contains("nan") && ResultNumberText.number(.infinity).contains("inf"))
        #expect(ResultNumberText.probability(0) == "<0.0001" && ResultNumberText.probability(1) == "1.0000")
        #expect(ResultNumberText.percent(0.5, digits: 1) == "50.0%")
    }
}
